//! Tables: what a filter leaves, what sorting does, and that a selection stays on its item.

use crate::widgets::table::*;

const COLUMNS: &[TableColumn] = &[
    TableColumn {
        name: "run",
        right: true,
    },
    TableColumn {
        name: "task",
        right: false,
    },
];

fn table(tasks: &[&str]) -> Table {
    let rows = (1_u64..).zip(tasks).map(|(n, task)| TableRow {
        item: ListItem::Run(RunId(n)),
        cells: vec![Cell::number(Role::Text, n), Cell::text(Role::Text, *task)],
    });
    Table {
        columns: COLUMNS,
        lesser: &[],
        rows: rows.collect(),
        empty: "",
        outline: outline::TableOutline::default(),
    }
}

fn tasks() -> Table {
    table(&[
        "mine Iron ore",
        "craft a furnace",
        "mine coal",
        "mine iron, again",
    ])
}

#[track_caller]
fn check(filter: &str, expected: &[u64]) {
    let table = tasks();
    let mut ui = TableUi {
        filter: filter.to_owned(),
        ..TableUi::default()
    };
    ui.settle(&table).unwrap();
    let found: Vec<u64> = ui.order.iter().map(|at| *at as u64 + 1).collect();
    assert_eq!(found, expected, "{filter}");
}

#[test]
fn words_of_a_filter_must_all_hold() {
    check("", &[1, 2, 3, 4]);
    check("iron", &[1, 4]);
    check("mine !iron", &[3]);
    check("!", &[1, 2, 3, 4]);
    check("/^mine .*ore$/", &[1]);
    check("!/mine/ furnace", &[2]);
    check("run:4", &[4]);
    check("TASK:coal", &[3]);
    check("task:/i(r|t)on/ again", &[4]);
    check("nothing", &[]);
}

#[test]
fn a_filter_compares_the_numbers_and_spans_of_a_column() {
    check("run:>2", &[3, 4]);
    check("run:<=2 mine", &[1]);
    check("!run:>=2", &[1]);
    check("run:>1m", &[]);
    check("run:<1m", &[1, 2, 3, 4]);
    for begun in ["run:>", "run:<", "run:>=", "run:<="] {
        check(begun, &[1, 2, 3, 4]);
    }
    check("task:>2", &[]);
    check("run:>two", &[]);
}

#[test]
fn a_faulty_filter_is_said_and_hides_nothing() {
    let table = tasks();
    let mut ui = TableUi::default();
    ui.settle(&table).unwrap();
    ui.filter = "/mine(/".to_owned();
    let fault = ui.settle(&table).unwrap_err();
    assert!(
        fault.contains("`mine(` is no regular expression"),
        "{fault}"
    );
    assert_eq!(ui.order.len(), 4);
}

#[test]
fn sorting_goes_through_the_columns_and_back_to_the_source() {
    let table = tasks();
    let mut ui = TableUi::default();
    let order = |ui: &mut TableUi| {
        ui.settle(&table).unwrap();
        ui.order.clone()
    };
    ui.sort_next(&table);
    ui.sort_next(&table);
    assert_eq!(order(&mut ui), [1, 0, 2, 3]);
    ui.sort_reverse();
    assert_eq!(order(&mut ui), [3, 2, 0, 1]);
    ui.sort_next(&table);
    assert_eq!(order(&mut ui), [0, 1, 2, 3]);
}

#[test]
fn numbers_are_ordered_as_numbers() {
    let names: Vec<String> = (1..=12).map(|n| format!("t{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let table = table(&names);
    let mut ui = TableUi {
        sort: Some((0, true)),
        ..TableUi::default()
    };
    ui.settle(&table).unwrap();
    assert_eq!(ui.order[..3], [11, 10, 9]);
}

#[test]
fn a_selection_stays_on_its_item_when_rows_come_and_go() {
    let mut ui = TableUi::default();
    let before = tasks();
    ui.settle(&before).unwrap();
    ui.go(&before, 10, Motion::Down);
    ui.go(&before, 10, Motion::Down);
    assert_eq!(ui.item(&before), Some(ListItem::Run(RunId(3))));
    let mut after = tasks();
    after.rows.remove(0);
    ui.settle(&after).unwrap();
    assert_eq!(ui.item(&after), Some(ListItem::Run(RunId(3))));
    ui.filter = "furnace".to_owned();
    ui.settle(&after).unwrap();
    assert_eq!(ui.item(&after), Some(ListItem::Run(RunId(2))));
}

#[test]
fn actions_are_done_to_the_marks_or_to_the_selection() {
    let table = tasks();
    let mut ui = TableUi::default();
    ui.settle(&table).unwrap();
    assert_eq!(ui.chosen(&table), [ListItem::Run(RunId(1))]);
    ui.mark(&table);
    ui.mark(&table);
    assert_eq!(ui.chosen(&table).len(), 2);
    ui.filter = "iron".to_owned();
    ui.settle(&table).unwrap();
    ui.mark_all(&table);
    assert_eq!(ui.marks.len(), 3, "what is out of sight keeps its mark");
    ui.mark_all(&table);
    assert_eq!(ui.chosen(&table), [ListItem::Run(RunId(2))]);
}

#[test]
fn a_range_is_marked_from_the_last_mark_in_the_order_of_the_screen() {
    let table = tasks();
    let mut ui = TableUi::default();
    ui.settle(&table).unwrap();
    let marks = |ui: &TableUi| -> Vec<ListItem> { ui.marks.iter().copied().collect() };
    let runs =
        |ns: &[u64]| -> Vec<ListItem> { ns.iter().map(|n| ListItem::Run(RunId(*n))).collect() };
    assert_eq!(ui.mark_range(&table), 1, "without a mark it is this row");
    assert_eq!(marks(&ui), runs(&[1]));
    ui.go(&table, 2, Motion::PageDown);
    assert_eq!(ui.mark_range(&table), 3);
    assert_eq!(marks(&ui), runs(&[1, 2, 3]));
    // Only what is in sight, and in its order.
    ui.marks.clear();
    (ui.sort, ui.filter) = (Some((0, true)), "mine".to_owned());
    ui.settle(&table).unwrap();
    ui.go(&table, 9, Motion::Top);
    ui.mark(&table);
    ui.go(&table, 9, Motion::Bottom);
    assert_eq!(ui.mark_range(&table), 3);
    assert_eq!(marks(&ui), runs(&[1, 3, 4]));
}

/// A list of a number, a lesser number and a title that has its room first.
#[test]
fn lesser_columns_give_way_to_the_last_and_chosen_ones_do_not() {
    const THREE: &[TableColumn] = &[
        TableColumn {
            name: "id",
            right: false,
        },
        TableColumn {
            name: "a number with a long name",
            right: true,
        },
        TableColumn {
            name: "title",
            right: false,
        },
    ];
    let table = Table {
        columns: THREE,
        lesser: &["a number with a long name"],
        rows: vec![TableRow {
            item: ListItem::Run(RunId(1)),
            cells: ["k1.1", "7", "craft furnace: first have 8 cobblestone"]
                .map(|text| Cell::text(Role::Text, text))
                .to_vec(),
        }],
        empty: "",
        outline: outline::TableOutline::default(),
    };
    let mut ui = TableUi::default();
    ui.settle(&table).unwrap();
    let shown = |ui: &TableUi, width| {
        let shown = draw::show(&table, ui, width, 5);
        format!("{}\n{}", shown.heading.plain(), shown.lines[0].plain())
    };
    assert!(shown(&ui, 80).contains("LONG NAME"));
    let narrow = shown(&ui, 50);
    assert!(
        !narrow.contains("LONG NAME") && narrow.contains("8 cobblestone"),
        "{narrow}"
    );
    ui.columns = vec!["a number with a long name".to_owned(), "title".to_owned()];
    assert!(shown(&ui, 50).contains("LONG NAME"), "it was chosen");

    let mut silent = table.clone();
    silent.lesser = &[];
    let shown = |silent: &Table| {
        let mut ui = TableUi::default();
        ui.settle(silent).unwrap();
        draw::show(silent, &ui, 50, 5).heading.plain()
    };
    assert!(shown(&silent).contains("LONG NAME"), "it says something");
    silent.rows[0].cells[1] = Cell::text(Role::Text, "");
    assert!(!shown(&silent).contains("LONG NAME"), "it says nothing");
}

/// Of two columns that could be meant by `label` the one of that name; `reason` where there is none.
#[test]
fn labels_are_found_under_either_name() {
    let column = |name: &'static str| TableColumn { name, right: false };
    for names in [["reason", "label"], ["label", "task"], ["task", "reason"]] {
        let columns = names.map(column);
        let wanted = if names.contains(&"label") {
            "label"
        } else {
            "reason"
        };
        let cells = names.map(|name| {
            let is_wanted = name == wanted;
            Cell::text(Role::Text, if is_wanted { "✗ NAV_STUCK" } else { "" })
        });
        let row = TableRow {
            item: ListItem::Run(RunId(1)),
            cells: cells.to_vec(),
        };
        let filter = filter::RowFilter::read("label:✗", &columns, Millis(0)).unwrap();
        assert!(filter.fits(&row), "{names:?}");
    }
    let columns = ["run", "task"].map(|name| TableColumn { name, right: false });
    let refused = filter::RowFilter::read("label:NAV", &columns, Millis(0)).unwrap_err();
    assert!(refused.contains("but run, task"), "{refused}");
}

#[test]
fn a_column_that_is_not_there_is_told_and_other_colons_are_text() {
    let columns = ["run", "task"].map(|name| TableColumn { name, right: false });
    let read = |text: &str| filter::RowFilter::read(text, &columns, Millis(0));
    let refused = read("iron hurt:>0").unwrap_err();
    assert_eq!(refused, "this list has no column `hurt`, but run, task");
    for text in [
        "task:iron",
        "hurt:",
        "iron_ore:first",
        "engine::run",
        "http://x",
    ] {
        assert!(read(text).is_ok(), "{text}");
    }
}

#[test]
fn what_began_within_a_span_is_left() {
    let column = |name: &'static str| TableColumn { name, right: false };
    let hour = 3_600_000.0;
    let now = Millis(10 * 3_600_000);
    let fits = |name: &'static str, rank: f64, text: &str| {
        let row = TableRow {
            item: ListItem::Run(RunId(1)),
            cells: vec![Cell::ranked(Role::Text, "", rank)],
        };
        filter::RowFilter::read(text, &[column(name)], now).map(|filter| filter.fits(&row))
    };
    assert_eq!(fits("started", 9.5 * hour, "since:1h"), Ok(true));
    assert_eq!(fits("started", 8.5 * hour, "since:1h"), Ok(false));
    assert_eq!(fits("started", 8.5 * hour, "!since:90m"), Ok(false));
    assert_eq!(
        fits("started", 8.5 * hour, "since:1"),
        Ok(true),
        "not typed yet"
    );
    assert_eq!(
        fits("started", 8.5 * hour, "since:"),
        Ok(true),
        "not typed yet"
    );
    assert_eq!(fits("waits", 1800.0, "since:1h"), Ok(true));
    assert_eq!(fits("waits", 7200.0, "since:1h"), Ok(false));
    let wrong = fits("started", 0.0, "since:soon").unwrap_err();
    assert!(wrong.contains("`soon` is no span"), "{wrong}");
    assert!(fits("task", 0.0, "since:1h").is_err());
}
