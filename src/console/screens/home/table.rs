//! The table of the home screen: what goes on, what waits, what failed, what was learnt, and what can be started.

use crate::cache::tables::state;
use crate::screens::home::wall::{LiveRun, Wall};
use crate::screens::home::{starters, tasks};
use crate::theme::Role;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::numbers::{count_with_noun, format_count, format_pace};
use pithead_engine::journal::RunRow;
use pithead_engine::suites::SuiteTask;
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;
use std::collections::BTreeMap;
use std::sync::Arc;

const HOME: &[TableColumn] = &[
    TableColumn {
        name: "what",
        right: false,
    },
    TableColumn {
        name: "state",
        right: false,
    },
    TableColumn {
        name: "pace",
        right: true,
    },
    TableColumn {
        name: "waits",
        right: false,
    },
    TableColumn {
        name: "about",
        right: false,
    },
];

/// Runs that were left, failures, changed entries and recent tasks: the newest of each. The other screens have all.
const LEFT_MAX: usize = 5;
const WAITING_MAX: usize = 3;
const FAILURES_MAX: usize = 3;
const CHANGED_MAX: usize = 4;
const RECENT_MAX: usize = 5;

/// What the table is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HomeParts<'a> {
    pub(crate) runs: &'a [RunRow],
    pub(crate) entries: &'a [Arc<Entry>],
    /// By run: how many questions wait, and whether one of them keeps it from going on.
    pub(crate) waiting: &'a BTreeMap<RunId, (usize, bool)>,
    pub(crate) wall: &'a Wall,
    /// What waits for the operator, as the inbox lists it.
    pub(crate) inbox: &'a [TableRow],
}

impl HomeParts<'_> {
    fn waits(&self, run: RunId) -> (usize, bool) {
        self.waiting.get(&run).copied().unwrap_or_default()
    }
}

/// The sections one below the other; one that has nothing is left out.
pub(crate) fn table(parts: HomeParts<'_>) -> Table {
    let mut rows: Vec<TableRow> = Vec::new();
    let mut outline = TableOutline::default();
    let sections: [(&'static str, Vec<TableRow>); 7] = [
        ("Going on", going_on(parts)),
        ("Waits for you", waiting(parts.inbox)),
        ("Failed last", failed(parts.runs)),
        ("Knowledge that changed", changed(parts)),
        ("Start here", starters::rows()),
        ("Tasks of late", recent(parts.runs)),
        ("Published tasks", published(&mut outline)),
    ];
    for (heading, section) in sections {
        if let Some(first) = section.first() {
            outline.headings.insert(first.item, heading);
        }
        rows.extend(section);
    }
    Table {
        columns: HOME,
        lesser: &["pace"],
        rows,
        empty: "nothing",
        outline,
    }
}

/// Live runs, then those that were left.
fn going_on(parts: HomeParts<'_>) -> Vec<TableRow> {
    let open = |alive: bool| {
        let runs = parts.runs.iter().rev();
        runs.filter(move |run| run.outcome.is_none() && run.alive == alive)
    };
    let live = open(true).map(|run| live_row(run, parts));
    let left = open(false).take(LEFT_MAX).map(|run| {
        let waits = parts.waits(run.id);
        run_row(
            run,
            (Role::Notice, "‖ left".to_owned()),
            String::new(),
            waits,
        )
    });
    live.chain(left).collect()
}

fn live_row(run: &RunRow, parts: HomeParts<'_>) -> TableRow {
    let unknown = LiveRun::default();
    let now = parts.wall.get(&run.id).unwrap_or(&unknown);
    let (waits, blocks) = parts.waits(run.id);
    let doing = match &now.doing {
        doing if doing.is_empty() => "planning",
        doing => doing,
    };
    let state = match (blocks, now.is_paused) {
        (true, _) => (Role::Notice, "◆ waits for you".to_owned()),
        (false, true) => (Role::Notice, format!("‖ paused · {doing}")),
        (false, false) => (Role::Running, format!("▶ {doing}")),
    };
    let pace = now.pace.map_or_else(String::new, format_pace);
    run_row(run, state, pace, (waits, blocks))
}

fn run_row(
    run: &RunRow,
    (role, state): (Role, String),
    pace: String,
    (waits, blocks): (usize, bool),
) -> TableRow {
    let about = format!(
        "{} · {} failed of {} · {}",
        run.task,
        format_count(run.failed),
        format_count(run.attempts),
        count_with_noun(run.ticks, "tick", "ticks")
    );
    let waits = match waits {
        0 => String::new(),
        n => format!("{} {n}", if blocks { '◆' } else { '◇' }),
    };
    row(
        ListItem::Run(run.id),
        Cell::text(Role::Strong, format!("run {}", run.id)),
        Cell::text(role, state),
        [pace, waits],
        Cell::text(Role::Text, about),
    )
}

fn row(
    item: ListItem,
    what: Cell,
    state: Cell,
    [pace, waits]: [String; 2],
    about: Cell,
) -> TableRow {
    let pace = Cell::text(Role::Faint, pace);
    let waits = Cell::text(Role::Notice, waits);
    TableRow {
        item,
        cells: vec![what, state, pace, waits, about],
    }
}

/// A row without pace and questions.
pub(super) fn plain_row(item: ListItem, what: Cell, state: Cell, about: Cell) -> TableRow {
    row(item, what, state, Default::default(), about)
}

fn failed(runs: &[RunRow]) -> Vec<TableRow> {
    let failures = runs
        .iter()
        .rev()
        .filter(|run| run.outcome == Some(Outcome::Failure));
    let rows = failures.take(FAILURES_MAX).map(|run| {
        let because = run.because.as_deref().unwrap_or_default();
        let about = match because.is_empty() {
            true => run.task.clone(),
            false => format!("{} · {because}", run.task),
        };
        plain_row(
            ListItem::Run(run.id),
            Cell::text(Role::Strong, format!("run {}", run.id)),
            Cell::text(Role::Bad, "✗ failure"),
            Cell::text(Role::Text, about),
        )
    });
    rows.collect()
}

/// The first rows of the inbox; a run that waits says so itself.
fn waiting(inbox: &[TableRow]) -> Vec<TableRow> {
    let rows = inbox.iter().take(WAITING_MAX).map(|row| {
        let cell = |at: usize| row.cells.get(at).map_or("", |cell| cell.text.as_str());
        let (what, kind, title) = (cell(0), cell(1), cell(row.cells.len() - 1));
        plain_row(
            row.item,
            Cell::text(Role::Strong, what),
            Cell::text(Role::Notice, format!("◆ {kind}")),
            Cell::text(Role::Text, title),
        )
    });
    rows.collect()
}

/// Entries by their newest change, without those that wait above.
fn changed(parts: HomeParts<'_>) -> Vec<TableRow> {
    let when = |entry: &Entry| -> Millis {
        let newest = entry.history.last();
        newest.map_or(entry.created, |change| change.at)
    };
    let waits = |entry: &Entry| {
        let mut shown = parts.inbox.iter().take(WAITING_MAX);
        shown.any(|row| row.item == ListItem::Entry(entry.id))
    };
    let entries = parts.entries.iter();
    let mut newest: Vec<&Arc<Entry>> = entries.filter(|entry| !waits(entry)).collect();
    newest.sort_by_key(|entry| std::cmp::Reverse((when(entry), entry.id)));
    let rows = newest.into_iter().take(CHANGED_MAX).map(|entry| {
        let (role, sign) = match entry.status {
            Status::Proposed => (Role::Notice, "◆"),
            Status::Active => (Role::Good, "✔"),
            Status::Superseded | Status::Retired => (Role::Ghost, "·"),
            Status::Vetoed => (Role::Bad, "✗"),
        };
        plain_row(
            ListItem::Entry(entry.id),
            Cell::text(Role::Strong, entry.id.to_string()),
            Cell::text(role, format!("{sign} {}", entry.status.name())),
            Cell::text(
                Role::Text,
                format!("{} · {}", entry.body.kind(), entry.title),
            ),
        )
    });
    rows.collect()
}

/// The newest run of each of the last tasks; it is begun once more.
fn recent(runs: &[RunRow]) -> Vec<TableRow> {
    let mut newest: Vec<&RunRow> = Vec::new();
    for run in runs.iter().rev() {
        if newest.len() < RECENT_MAX && newest.iter().all(|known| known.task != run.task) {
            newest.push(run);
        }
    }
    let rows = newest.into_iter().map(|run| {
        let (role, sign, word) = state(run);
        plain_row(
            ListItem::Again(run.id),
            Cell::text(Role::Key, "again"),
            Cell::text(role, format!("{sign} {word}")),
            Cell::text(
                Role::Text,
                format!("{} · {} · seed {}", run.task, run.mind, run.seed),
            ),
        )
    });
    rows.collect()
}

/// The groups of all sets, each with its tasks folded below it.
fn published(outline: &mut TableOutline) -> Vec<TableRow> {
    let mut rows: Vec<TableRow> = Vec::new();
    for group in tasks::groups() {
        let item = ListItem::Group(group.first);
        let tasks = count_with_noun(group.tasks.len(), "task", "tasks");
        rows.push(plain_row(
            item,
            Cell::text(Role::Strong, format!(" {}", group.set)),
            Cell::text(Role::Faint, tasks),
            Cell::text(Role::Text, group.name),
        ));
        for (at, task) in (group.first..).zip(group.tasks) {
            outline.parents.insert(ListItem::Task(at), item);
            rows.push(task_row(at, task));
        }
    }
    rows
}

fn task_row(at: usize, task: &SuiteTask) -> TableRow {
    let possible = task.feasible.is_ok();
    let ticks = task.budget_ticks;
    plain_row(
        ListItem::Task(at),
        Cell::text(Role::Faint, format!("  {}", task.id)),
        Cell::ranked(
            Role::Faint,
            format!("{} ticks", format_count(ticks)),
            ticks as f64,
        ),
        Cell::text(
            if possible { Role::Text } else { Role::Ghost },
            if possible {
                task.instruction.clone()
            } else {
                format!("{} (cannot be done as worded)", task.instruction)
            },
        ),
    )
}
