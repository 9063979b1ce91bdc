//! The Evaluate screen: the list with its sheet, episodes of one evaluation, and what is said of each.

use crate::cache::{Cache, Loaded};
use crate::input::keymap::Keymap;
use crate::screen::Screen;
use crate::shell::Shell;
use crate::testing::Console;
use crate::view::View;
use pithead_core::text::hostile::HOSTILE;
use pithead_engine::eval::listing::*;
use ratatui::layout::Size;
use std::sync::Arc;

fn texts<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// A suite that is under way.
fn suite() -> Evaluation {
    Evaluation {
        id: EvalId(1),
        name: "mcu70/wooden/* · seeds 1..20 · 9 tasks".to_owned(),
        mind: "builtin:competent".to_owned(),
        system: "steve-evolving".to_owned(),
        controller: "scripted".to_owned(),
        state: EvalState::Running,
        done: 81,
        total: 180,
        unit: "episodes",
        rate: Some(SuccessRate {
            rate: 92.6,
            low: 84.8,
            high: 96.6,
        }),
        left_s: Some(125),
        command: "pithead eval --suite mcu70 --out a".to_owned(),
        folder: "/results/a".to_owned(),
        journal: Some("/results/a/journal.db".to_owned()),
        sections: vec![
            EvalSection::Table {
                title: "Success by group, percent".to_owned(),
                head: texts(["group", "episodes", "rate", "95 %"]),
                rows: vec![
                    texts(["Wooden", "81", "92.6", "84.8-96.6"]),
                    texts(["all", "81", "92.6", "84.8-96.6"]),
                ],
            },
            EvalSection::Text {
                title: "What differs".to_owned(),
                lines: texts(["GPT-4o: real Minecraft, other seeds (Table 2)"]),
            },
        ],
        faults: Vec::new(),
    }
}

/// A curve that was broken off.
fn curve() -> Evaluation {
    let line = |name: &str, at: f64| ChartLine {
        name: name.to_owned(),
        points: vec![
            (at, Some((at - 8.0, at + 8.0))),
            (at + 20.0, Some((at + 12.0, at + 28.0))),
        ],
    };
    Evaluation {
        id: EvalId(2),
        name: "mcu70 · seeds 1..20 · 37 tasks · curve, 2 passes".to_owned(),
        system: "steve-evolving,no-skills".to_owned(),
        state: EvalState::Stopped,
        done: 3,
        total: 40,
        unit: "lives",
        left_s: Some(9),
        command: "cd /elsewhere && pithead learn --curve --out b".to_owned(),
        journal: None,
        sections: vec![EvalSection::Chart(LineChart {
            title: "Success by pass, percent".to_owned(),
            most: 100.0,
            lines: vec![line("steve-evolving", 60.0), line("no-skills", 50.0)],
        })],
        faults: texts(["line 3 of lives/x-1.json: EOF while parsing"]),
        ..suite()
    }
}

fn episode(id: u64, ending: EpisodeEnding, last: Option<&str>) -> EpisodeRow {
    EpisodeRow {
        id,
        task: format!("mcu70/wooden/0{id}"),
        group: "Wooden".to_owned(),
        system: "steve-evolving".to_owned(),
        seed: 4 + id,
        pass: 1,
        run: Some(10 + id),
        ending,
        because: "the budget of ticks is used up".to_owned(),
        ticks: 12_000,
        attempts: 9,
        failed: 3,
        replans: 2,
        mind_calls: 5,
        reasons: vec![("NAV_STUCK".to_owned(), 2), ("TIMEOUT".to_owned(), 1)],
        last_failure: last.map(str::to_owned),
        wall_ms: 4_200,
    }
}

/// The two, a card that cannot be read, and the episodes of the first.
fn news() -> EvalListing {
    let broken = Evaluation {
        id: EvalId(3),
        name: "x.json: no card of an evaluation".to_owned(),
        state: EvalState::Broken,
        done: 0,
        total: 0,
        rate: None,
        sections: Vec::new(),
        faults: texts(["x.json: no card of an evaluation"]),
        ..suite()
    };
    let episodes = vec![
        episode(1, EpisodeEnding::Success, None),
        episode(2, EpisodeEnding::Failure, Some("mine oak_log: NAV_STUCK")),
        episode(3, EpisodeEnding::Void, None),
    ];
    EvalListing {
        evaluations: [suite(), curve(), broken].map(Arc::new).to_vec(),
        opened: Some((EvalId(1), Arc::new(episodes))),
    }
}

fn console(news: EvalListing, width: u16, height: u16) -> Console {
    let size = Size::new(width, height);
    let mut cache = Cache::default();
    cache.apply(Loaded::News(news));
    let mut shell = Shell::new(Screen::Evaluate, Keymap::default(), size);
    shell.settle(&cache);
    Console::new(shell, cache, View::default())
}

#[test]
fn evaluations_with_the_sheet_of_the_selected_one() {
    insta::assert_snapshot!("evaluate_120x36", console(news(), 120, 36).screen());
}

#[test]
fn a_broken_off_curve_says_how_it_goes_on_and_draws_what_there_is() {
    let mut console = console(news(), 80, 40);
    console.press("jd");
    let screen = console.screen();
    assert!(screen.contains("cd /elsewhere && pithead learn --curve --out b"));
    assert!(!screen.contains("left"), "nothing is under way");
    insta::assert_snapshot!("curve_80x40", screen);
}

#[test]
fn a_small_terminal_shows_the_list_and_the_sheet_by_its_key() {
    let mut console = console(news(), 80, 16);
    let list = console.screen();
    assert!(
        list.contains("stopped") && !list.contains("Success by group"),
        "{list}"
    );
    console.press("d");
    let sheet = console.screen();
    assert!(
        sheet.contains("Success by group") && sheet.contains("45 %"),
        "{sheet}"
    );
}

#[test]
fn an_evaluation_opens_on_its_episodes_and_an_episode_on_its_page() {
    let mut console = console(news(), 120, 24);
    console.press("⏎");
    assert_eq!(
        (console.shell.screen, console.shell.opened),
        (Screen::Episodes, Some(EvalId(1)))
    );
    insta::assert_snapshot!("episodes_120x24", console.screen());
    console.press("/state:failure⏎⏎");
    let page = console.screen();
    assert!(page.contains("mine oak_log: NAV_STUCK") && page.contains("NAV_STUCK 2 · TIMEOUT 1"));
    assert!(
        page.contains("pithead replay 12 --db /results/a/journal.db"),
        "{page}"
    );
    console.press("⎋⎋⎋");
    assert_eq!(console.shell.screen, Screen::Evaluate);
    assert_eq!(console.shell.overlays, []);
}

#[test]
fn another_evaluation_does_not_show_the_episodes_of_the_one_before() {
    let mut console = console(news(), 120, 24);
    console.press("⏎/failure⏎⎋⎋j⏎");
    console.cache.keep(console.shell.opened, &[], &[]);
    assert_eq!(console.shell.opened, Some(EvalId(2)));
    let screen = console.screen();
    assert!(
        screen.contains("reading …") && !screen.contains("wooden/0"),
        "{screen}"
    );
}

#[test]
fn an_unreadable_card_is_a_row_that_says_what_and_where() {
    let mut console = console(news(), 120, 24);
    console.press("jj");
    let screen = console.screen();
    assert!(screen.contains("! unreadable"), "{screen}");
    assert!(
        screen.contains("x.json: no card of an evaluation"),
        "{screen}"
    );
}

#[test]
fn hostile_text_reaches_no_cell_at_any_size() {
    for text in HOSTILE {
        let mut bad = news();
        let mut evaluation = (*bad.evaluations[1]).clone();
        let text = (*text).to_owned();
        evaluation.name.clone_from(&text);
        evaluation.command.clone_from(&text);
        evaluation.faults = vec![text.clone()];
        evaluation.sections.push(EvalSection::Table {
            title: text.clone(),
            head: vec![text.clone(); 3],
            rows: vec![vec![text.clone(); 9], Vec::new()],
        });
        bad.evaluations.insert(0, Arc::new(evaluation));
        let (id, rows) = bad.opened.take().unwrap();
        let mut rows = (*rows).clone();
        for row in &mut rows {
            row.task.clone_from(&text);
            row.because.clone_from(&text);
            row.last_failure = Some(text.clone());
        }
        bad.opened = Some((id, Arc::new(rows)));
        for (width, height) in [(120, 40), (40, 20), (1, 1), (0, 0)] {
            for keys in ["", "d", "⏎", "⏎⏎", "dG"] {
                let mut console = console(bad.clone(), width, height);
                console.press(keys);
                console.assert_clean();
            }
        }
    }
}
