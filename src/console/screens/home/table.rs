//! The table of the home screen: what can be started, continued or watched.

use crate::cache::tables::state;
use crate::screens::home::tasks;
use crate::theme::Role;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::text::numbers::format_count;
use pithead_engine::journal::RunRow;
use pithead_engine::suites::SuiteTask;

const HOME: &[TableColumn] = &[
    TableColumn {
        name: "do",
        right: false,
    },
    TableColumn {
        name: "what",
        right: false,
    },
    TableColumn {
        name: "ticks",
        right: true,
    },
    TableColumn {
        name: "task",
        right: false,
    },
];

/// A run of one's own words, the runs that are not over, then all published tasks.
pub(crate) fn table(runs: &[RunRow]) -> Table {
    let open = |alive: bool| {
        let runs = runs.iter().rev();
        runs.filter(move |run| run.outcome.is_none() && run.alive == alive)
    };
    let mut rows = vec![own_words()];
    rows.extend(open(true).chain(open(false)).map(run_row));
    rows.extend(
        tasks::all()
            .enumerate()
            .map(|(at, task)| task_row(at, task)),
    );
    Table {
        columns: HOME,
        lesser: &[],
        rows,
        empty: "nothing",
    }
}

fn own_words() -> TableRow {
    TableRow {
        item: ListItem::New,
        cells: vec![
            Cell::text(Role::Key, "start"),
            Cell::text(Role::Strong, "own words"),
            Cell::text(Role::Faint, ""),
            Cell::text(
                Role::Text,
                "a task in your own words, for example craft an iron pickaxe",
            ),
        ],
    }
}

fn run_row(run: &RunRow) -> TableRow {
    let (role, sign, _) = state(run);
    let does = if run.alive { "watch" } else { "continue" };
    TableRow {
        item: ListItem::Run(run.id),
        cells: vec![
            Cell::text(role, format!("{sign} {does}")),
            Cell::text(Role::Strong, format!("run {}", run.id)),
            Cell::number(Role::Faint, run.ticks),
            Cell::text(
                Role::Text,
                format!("{} · {} · seed {}", run.task, run.mind, run.seed),
            ),
        ],
    }
}

fn task_row(at: usize, task: &SuiteTask) -> TableRow {
    let possible = task.feasible.is_ok();
    TableRow {
        item: ListItem::Task(at),
        cells: vec![
            Cell::text(Role::Key, "start"),
            Cell::text(Role::Faint, &task.id),
            Cell::ranked(
                Role::Faint,
                format_count(task.budget_ticks),
                task.budget_ticks as f64,
            ),
            Cell::text(
                if possible { Role::Text } else { Role::Ghost },
                if possible {
                    task.instruction.clone()
                } else {
                    format!("{} (cannot be done as worded)", task.instruction)
                },
            ),
        ],
    }
}
