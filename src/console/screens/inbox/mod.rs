//! The inbox of all runs: what waits, what was decided and how it is taken back, and the saved rules.
//!
//! A question that blocks a run, or whose clock runs, is answered on that run's own screen, where it is
//! held while it is read. Entries are read and decided here, alone or several alike at once.
//! Invariant: nothing is decided whose end has not been on the screen.

pub mod act;
pub(crate) mod draw;
pub mod ledger;
pub mod sheet;
pub mod tables;
pub mod undo;
pub mod update;

use crate::cache::Cache;
use crate::screen::Screen;
use crate::widgets::table::ListItem;
use pithead_core::domain::run::decision::{GateKind, Policy, Verdict};
use pithead_world::ids::{DecisionId, KnowledgeId, RunId};

/// What is to be done about decisions outside the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum InboxAction {
    /// Answers for entries, each by itself.
    Answer {
        ids: Vec<KnowledgeId>,
        verdict: Verdict,
    },
    /// Takes back what was decided about an entry.
    TakeBack(KnowledgeId),
    /// Saves a rule, for a run or for all that will be started.
    Save(GateRule),
    /// Takes a saved rule off.
    Forget(GateKind),
    /// Shows a question on its run's own screen.
    Open { run: RunId, decision: DecisionId },
}

/// How far a rule reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This question and no other: no rule is saved.
    Once,
    /// What is still to come in this run.
    Run,
    /// This run, and all that the console starts.
    Always,
}

impl Reach {
    pub const ALL: [Self; 3] = [Self::Once, Self::Run, Self::Always];

    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Once => "once: this question only",
            Self::Run => "in this run, from now on",
            Self::Always => "always: in this run and in every run that the console starts",
        }
    }
}

/// A rule that is being made out of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateRule {
    pub kind: GateKind,
    /// The run whose question it was.
    pub run: RunId,
    pub reach: Reach,
    pub policy: Policy,
}

/// True if the screen belongs to the inbox.
#[must_use]
pub fn owns(screen: Screen) -> bool {
    matches!(screen, Screen::Inbox | Screen::Decided | Screen::Rules)
}

/// The words by which entries are alike: their kind, and their title without its numbers.
#[must_use]
pub fn likeness(kind: &str, title: &str) -> String {
    let mut out = format!("{kind} ");
    let mut in_number = false;
    for c in title.chars() {
        let is_number = c.is_ascii_digit() || (in_number && matches!(c, ',' | '.'));
        if is_number && !in_number {
            out.push('#');
        } else if !is_number {
            out.push(c);
        }
        in_number = is_number;
    }
    out
}

/// The rows that wait and are alike this one, itself among them.
#[must_use]
pub fn alike(cache: &Cache, item: ListItem) -> Vec<ListItem> {
    let words = |item: ListItem| match item {
        ListItem::Entry(id) => cache
            .entry(id)
            .map(|entry| likeness(entry.body.kind(), &entry.title)),
        _ => None, // questions that block a run are read one by one
    };
    let Some(wanted) = words(item) else {
        return vec![item];
    };
    let rows = cache.table(Screen::Inbox).into_iter();
    let rows = rows.flat_map(|table| &table.rows).map(|row| row.item);
    rows.filter(|other| words(*other).as_deref() == Some(&wanted))
        .collect()
}

#[cfg(test)]
mod tests;
