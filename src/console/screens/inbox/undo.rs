//! Undo: what can be taken back of a decision, said before it is done, and why the rest cannot.
//!
//! Nothing is ever deleted: taking back is another decision, which can be taken back too.

use crate::screens::inbox::decisions::{DecidedSubject, KEPT, PastDecision};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::decision::{Question, Subject};
use pithead_core::knowledge::life::was_given;
use pithead_world::ids::KnowledgeId;

/// What taking back would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undo {
    /// Nobody was given it: it waits again, with the content that it has by now.
    Unsay(KnowledgeId),
    /// The same, and the edit that came with the approval is taken back as well.
    UnsayEdited(KnowledgeId),
    /// Runs were given it: it is taken out of use.
    Retire(KnowledgeId),
    /// The tombstone is lifted: it waits again.
    Lift(KnowledgeId),
    /// It is brought back as it was.
    Restore(KnowledgeId),
}

impl Undo {
    #[must_use]
    pub fn id(self) -> KnowledgeId {
        match self {
            Self::Unsay(id)
            | Self::UnsayEdited(id)
            | Self::Retire(id)
            | Self::Lift(id)
            | Self::Restore(id) => id,
        }
    }

    /// Two or three words for the list.
    #[must_use]
    pub fn short_effect(self) -> &'static str {
        match self {
            Self::Unsay(_) | Self::Lift(_) => "it waits again",
            Self::UnsayEdited(_) => "it waits unedited",
            Self::Retire(_) => "it is retired",
            Self::Restore(_) => "it comes back",
        }
    }

    /// The whole of it, with what cannot be undone.
    #[must_use]
    pub fn sentences(self) -> [&'static str; 2] {
        match self {
            Self::Unsay(_) => [
                "No run has used it yet: it waits in the inbox again, as it reads now; h has its versions.",
                "A run that learned it and is in progress keeps it until it ends.",
            ],
            Self::UnsayEdited(_) => [
                "No run has used it yet: it waits in the inbox again, as it read before your edit; h has its versions.",
                "A run that learned it and is in progress keeps it until it ends.",
            ],
            Self::Retire(_) => [
                "Runs have used it, so it is retired: later runs do not get it.",
                "What runs did with it cannot be undone; runs in progress keep it until they end.",
            ],
            Self::Lift(_) => [
                "Its tombstone is lifted: it waits in the inbox again, and can be learned again.",
                "The mind was told the reason for the veto; that cannot be undone.",
            ],
            Self::Restore(_) => [
                "It becomes what it was before: active again, or waiting for you.",
                "Runs that began in between went without it.",
            ],
        }
    }
}

/// What can be taken back; the reason if nothing can.
pub fn undo_of(past: &PastDecision, entry: Option<&Entry>) -> Result<Undo, String> {
    match &past.about {
        DecidedSubject::Gate(question) if past.about.entry().is_none() => Err(gone(question, past)),
        DecidedSubject::Gate(_) | DecidedSubject::Log(_) => {
            let entry = entry.ok_or("the entry is no longer in the database")?;
            let (id, status) = (entry.id, entry.status);
            if past.word == KEPT {
                return Err(format!(
                    "{id} may stand beside the other; merge them or retire one instead"
                ));
            }
            if past.word == "proposed" {
                return Err(format!(
                    "{id} was put back into the inbox; it is decided there"
                ));
            }
            let is_last = match past.word {
                "approved" | "edited" | "active" => status == Status::Active,
                word => word == status.name(),
            };
            if !is_last {
                return Err(format!(
                    "{id} is {} by now: this decision no longer has any effect",
                    status.name()
                ));
            }
            Ok(match status {
                Status::Active if was_given(entry) => Undo::Retire(id),
                Status::Active if entry.before_edited_approval().is_some() => Undo::UnsayEdited(id),
                Status::Active => Undo::Unsay(id),
                Status::Vetoed => Undo::Lift(id),
                Status::Retired | Status::Superseded | Status::Proposed => Undo::Restore(id),
            })
        }
    }
}

/// Why a decision about a run cannot be undone, and what can be done instead.
fn gone(question: &Question, past: &PastDecision) -> String {
    let run = past.run;
    let fork = format!("`pithead fork {run}` makes a run in which it is decided again");
    let what = match (&question.subject, past.word) {
        (Subject::Plan(_) | Subject::End { .. }, "vetoed") => {
            "the planner has got the reason and has planned again"
        }
        (Subject::Plan(_), _) => {
            "the plan came into force at once; in a live run `:replan REASON` has the rest planned again"
        }
        (Subject::Risk { .. }, "vetoed") => {
            "the run has avoided it; in a live run `:act …` does it after all"
        }
        (Subject::Risk { .. }, _) => {
            "the risk has been taken; in a live run `:replan REASON` cancels it and has the rest planned again"
        }
        (Subject::Budget { .. }, "vetoed") | (Subject::End { .. }, _) => "the run has ended",
        (Subject::Budget { .. }, _) => {
            "what was granted may be spent already; in a live run `:limit …` sets another limit"
        }
        (Subject::Knowledge(_), _) => "the entry is gone",
    };
    format!("{what}; {fork}")
}
