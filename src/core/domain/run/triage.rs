//! Triage: who looks into what waits for an operator, when it comes back in sight, and what was said of it.
//!
//! It changes no run and no entry. Invariant: the state of a subject is the fold of the acts about it.

use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, RunId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriageSubject {
    /// A question of a run.
    Question { run: RunId, decision: DecisionId },
    /// An entry of the knowledge base.
    Entry(KnowledgeId),
    /// A run as a whole.
    Run(RunId),
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriageAct {
    /// To an operator; nobody looks into it any more if none is named.
    Assign(Option<String>),
    /// Until a moment; it is back in sight at once if none is named.
    Snooze(Option<Millis>),
    Comment(String),
}

/// How a subject stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Triage {
    /// Who looks into it.
    pub assigned: Option<String>,
    /// Out of sight until then.
    pub snoozed_until: Option<Millis>,
    /// Oldest first; the oldest of very many are dropped.
    pub comments: Vec<TriageComment>,
}

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TriageComment {
    pub at: Millis,
    pub by: String,
    pub text: String,
}

/// Comments kept of one subject; all are in the journal.
const COMMENTS_MAX: usize = 50;

/// All that is known.
pub type Triages = BTreeMap<TriageSubject, Triage>;

impl Triage {
    /// Takes the next act in.
    pub fn apply(&mut self, act: &TriageAct, by: &str, at: Millis) {
        match act {
            TriageAct::Assign(to) => self.assigned.clone_from(to),
            TriageAct::Snooze(until) => self.snoozed_until = *until,
            TriageAct::Comment(text) => {
                if self.comments.len() == COMMENTS_MAX {
                    self.comments.remove(0);
                }
                self.comments.push(TriageComment {
                    at,
                    by: by.to_owned(),
                    text: text.clone(),
                });
            }
        }
    }

    /// Out of sight at that moment.
    #[must_use]
    pub fn is_snoozed(&self, now: Millis) -> bool {
        self.snoozed_until.is_some_and(|until| until > now)
    }
}

impl std::fmt::Display for TriageSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Question { run, decision } => write!(f, "{decision} of run {run}"),
            Self::Entry(id) => write!(f, "{id}"),
            Self::Run(run) => write!(f, "run {run}"),
        }
    }
}

impl std::fmt::Display for TriageAct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Assign(Some(to)) => write!(f, "assigned to {to}"),
            Self::Assign(None) => write!(f, "assigned to nobody"),
            Self::Snooze(Some(_)) => write!(f, "snoozed"),
            Self::Snooze(None) => write!(f, "back in sight"),
            Self::Comment(text) => write!(f, "comment: {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_assignment_and_snooze_hold_and_comments_add_up() {
        let mut triage = Triage::default();
        let acts = [
            TriageAct::Assign(Some("ada".to_owned())),
            TriageAct::Comment("looks like gravel".to_owned()),
            TriageAct::Snooze(Some(Millis(900))),
            TriageAct::Assign(Some("bea".to_owned())),
            TriageAct::Comment("it is".to_owned()),
        ];
        for (at, act) in (1..).zip(&acts) {
            triage.apply(act, "ada", Millis(at));
        }
        assert_eq!(triage.assigned.as_deref(), Some("bea"));
        assert!(triage.is_snoozed(Millis(899)) && !triage.is_snoozed(Millis(900)));
        let said: Vec<&str> = triage.comments.iter().map(|c| &*c.text).collect();
        assert_eq!(said, ["looks like gravel", "it is"]);
        triage.apply(&TriageAct::Snooze(None), "bea", Millis(6));
        assert!(!triage.is_snoozed(Millis(0)));
    }

    #[test]
    fn comments_are_bounded() {
        let mut triage = Triage::default();
        for n in 0..200 {
            let act = TriageAct::Comment(n.to_string());
            triage.apply(&act, "ada", Millis(n));
        }
        assert_eq!(triage.comments.len(), COMMENTS_MAX);
        assert_eq!(triage.comments.last().map(|c| &*c.text), Some("199"));
    }
}
