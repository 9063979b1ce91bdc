//! The lines of a lineage as a tree that opens.
//!
//! ```text
//! ✗ failure     run 1 a7 mine iron_ore ×3 TOOL_MISSING: the tier is too low
//!   ≠ overruled a7 is NAV_STUCK and no longer TOOL_MISSING, says ann: it fell
//! ◆ entry       guardrail k1.4 active, version 2: mine iron_ore: first …
//! ▲ helped      run 3 twice · craft an iron pickaxe · success
//! ```

use crate::screens::lineage::folds::{Fold, folds};
use crate::theme::Role;
use crate::widgets::table::outline::TableOutline;
use crate::widgets::table::{Cell, ListItem, Table, TableColumn, TableRow};
use pithead_core::text::numbers::{count_with_noun, format_seconds};
use pithead_engine::runtime::lineage::{
    Lineage, LineageLine, LineageStage, LineageSubject, LineageTarget,
};
use pithead_world::clock::Millis;

const COLUMNS: &[TableColumn] = &[
    TableColumn {
        name: "what",
        right: false,
    },
    TableColumn {
        name: "ago",
        right: true,
    },
    TableColumn {
        name: "enter goes to",
        right: false,
    },
    TableColumn {
        name: "which",
        right: false,
    },
];

/// Where it leads is told by the key anyway.
const LESSER: &[&str] = &["ago", "enter goes to"];

/// A lineage that was asked for; nothing was found if its subject is not in the database.
#[derive(Debug, Clone)]
pub struct OpenLineage {
    pub subject: LineageSubject,
    pub found: Option<Lineage>,
}

impl OpenLineage {
    #[must_use]
    pub fn line(&self, at: usize) -> Option<&LineageLine> {
        self.found.as_ref()?.lines.get(at)
    }
}

/// `now` is for ages.
#[must_use]
pub fn table(lineage: Option<&Lineage>, now: Millis) -> Table {
    let Some(lineage) = lineage else {
        return Table {
            columns: COLUMNS,
            empty: "it is not in this database",
            outline: TableOutline::default(),
            ..Table::default()
        };
    };
    let mut outline = TableOutline::default();
    let mut rows = Vec::new();
    let mut folds = folds(&lineage.lines).into_iter().peekable();
    let mut below = 0..0;
    for (at, line) in lineage.lines.iter().enumerate() {
        if let Some(fold) = folds.next_if(|fold| fold.lines.start == at) {
            rows.push(heading_row(&fold, line.level));
            below = fold.lines;
        }
        let is_below = below.contains(&at);
        if is_below {
            let (item, heading) = (ListItem::Lineage(at), ListItem::Fold(below.start));
            outline.parents.insert(item, heading);
        }
        let level = usize::from(line.level) + usize::from(is_below);
        rows.push(row(at, line, level, now));
    }
    Table {
        columns: COLUMNS,
        lesser: LESSER,
        rows,
        empty: "it rests on no attempt and was used in no run",
        outline,
    }
}

fn heading_row(fold: &Fold, level: u8) -> TableRow {
    let level = "  ".repeat(usize::from(level));
    let what = format!("{level}{}", fold.name);
    let onward = count_with_noun(fold.lines.len(), "line", "lines");
    TableRow {
        item: ListItem::Fold(fold.lines.start),
        cells: vec![
            // Above the first of its lines, in whatever order they were told.
            Cell::ranked(Role::Strong, what, fold.lines.start as f64 - 0.5),
            Cell::ranked(Role::Faint, "", f64::INFINITY),
            Cell::text(Role::Faint, onward),
            Cell::text(Role::Text, &fold.text),
        ],
    }
}

fn row(at: usize, line: &LineageLine, level: usize, now: Millis) -> TableRow {
    let (role, sign) = sign(line.stage);
    let level = "  ".repeat(level);
    let ago = line.at.map(|at| now.since(at) / 1000);
    TableRow {
        item: ListItem::Lineage(at),
        cells: vec![
            Cell::ranked(
                role,
                format!("{level}{sign} {}", line.stage.name()),
                at as f64,
            ),
            Cell::ranked(
                Role::Faint,
                ago.map_or(String::new(), format_seconds),
                ago.map_or(f64::INFINITY, |ago| ago as f64),
            ),
            Cell::text(Role::Key, onward(&line.target)),
            Cell::text(Role::Text, &line.text),
        ],
    }
}

fn sign(stage: LineageStage) -> (Role, &'static str) {
    match stage {
        LineageStage::Failure => (Role::Bad, "✗"),
        LineageStage::Success => (Role::Good, "✔"),
        LineageStage::Overruled => (Role::Notice, "≠"),
        LineageStage::Entry => (Role::Strong, "◆"),
        LineageStage::Changed => (Role::Faint, "·"),
        LineageStage::Helped => (Role::Good, "▲"),
        LineageStage::Blocked => (Role::Notice, "■"),
        LineageStage::Hurt => (Role::Bad, "▼"),
        LineageStage::Review => (Role::Notice, "!"),
    }
}

fn onward(target: &LineageTarget) -> String {
    match target {
        LineageTarget::Attempt { run, attempt } => format!("{attempt} of run {run}"),
        LineageTarget::Moment { run, seq } => format!("run {run} at {seq}"),
        LineageTarget::Entry { id } => id.to_string(),
        LineageTarget::Lineage { of } => format!("lineage of {of}"),
    }
}
