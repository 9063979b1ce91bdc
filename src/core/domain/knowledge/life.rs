//! The life of an entry: which status may follow which, and the versions that it leaves behind.
//!
//! ```text
//! proposed ─► active ─► superseded, retired        any of these ─► vetoed
//!     ▲          ▲            │                    vetoed ─► proposed: the tombstone is lifted
//!     └──────────┴────────────┘ restored
//! ```
//! Invariant: a tombstone never becomes active in one step, and no change loses the content before it.

use crate::domain::knowledge::{Author, Body, Change, Entry, Status};
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;

impl Status {
    pub const ALL: [Self; 5] = [
        Self::Proposed,
        Self::Active,
        Self::Superseded,
        Self::Retired,
        Self::Vetoed,
    ];

    /// Whether an entry of this status may be given that one.
    #[must_use]
    pub fn may_become(self, to: Self) -> bool {
        match (self, to) {
            // A tombstone is lifted before anything else can happen.
            (Self::Vetoed, to) => to == Self::Proposed,
            // What acts cannot become a proposal; it has to leave use first.
            (Self::Active, Self::Proposed) => false,
            (from, to) => from != to,
        }
    }
}

impl std::str::FromStr for Status {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|status| status.name() == text);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is no status; one of {known}")
        })
    }
}

impl std::fmt::Display for Author {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mind(name) => write!(f, "mind {name}"),
            // The name of an operator who has none in the environment; said twice it would be noise.
            Self::Operator(name) if name == "operator" => f.write_str(name),
            Self::Operator(name) => write!(f, "operator {name}"),
            Self::Import(name) => write!(f, "import {name}"),
            Self::Policy(name) => write!(f, "policy {name}"),
        }
    }
}

/// What is said of a change: when, who and why.
#[derive(Debug, Clone, Copy)]
pub struct ChangeNote<'a> {
    pub at: Millis,
    pub by: &'a Author,
    pub reason: &'a str,
}

impl Entry {
    /// Gives it a status; false, and nothing happens, if that may not follow the one it has.
    pub fn become_status(
        &mut self,
        to: Status,
        said: ChangeNote<'_>,
        other: Option<KnowledgeId>,
    ) -> bool {
        if !self.status.may_become(to) {
            return false;
        }
        let from = std::mem::replace(&mut self.status, to);
        if from == Status::Retired && matches!(to, Status::Active | Status::Proposed) {
            // Else what it was retired for would retire it again at once.
            // Only what spoke against it; the plain counts stay.
            self.outcomes.bad = 0;
            self.confidence = self.outcomes.confidence(said.at);
        }
        self.leave_version(said, |change| {
            change.status = Some(from);
            change.other = other;
        });
        true
    }

    /// Gives it another content; its title is made of that by the caller.
    pub fn rewrite(&mut self, body: Body, said: ChangeNote<'_>) {
        let before = std::mem::replace(&mut self.body, body);
        self.leave_version(said, |change| change.before = Some(before));
    }

    /// Notes that it may stand beside another one; its content and its status stay.
    pub fn keep_beside(&mut self, other: KnowledgeId, said: ChangeNote<'_>) {
        // No new version: nothing of the entry has changed.
        self.history.push(Change {
            other: Some(other),
            ..self.change(said)
        });
    }

    /// Someone has looked at both and let both stand, and it says what it said then.
    #[must_use]
    pub fn is_kept_beside(&self, other: KnowledgeId) -> bool {
        let newest_first = self.history.iter().rev();
        // Only since its last rewriting: what was compared then is not what stands here
        // now.
        let mut since_rewritten = newest_first.take_while(|left| left.before.is_none());
        since_rewritten.any(|left| left.status.is_none() && left.other == Some(other))
    }

    fn leave_version(&mut self, said: ChangeNote<'_>, fill: impl FnOnce(&mut Change)) {
        let mut left = self.change(said);
        fill(&mut left);
        self.history.push(left);
        self.version += 1;
    }

    /// A change of this version that says nothing but who and why yet.
    fn change(&self, said: ChangeNote<'_>) -> Change {
        Change {
            version: self.version,
            at: said.at,
            by: said.by.clone(),
            reason: said.reason.to_owned(),
            before: None,
            status: None,
            other: None,
        }
    }

    /// The content that it had in this version; none if there was no such version.
    #[must_use]
    pub fn content_of(&self, version: u32) -> Option<&Body> {
        if version == 0 || version > self.version {
            return None;
        }
        // The first change at or after this version holds what the version contained.
        let later = self.history.iter().filter(|left| left.version >= version);
        let first_change = later.filter_map(|left| left.before.as_ref()).next();
        Some(first_change.unwrap_or(&self.body))
    }

    /// The status that it had before it got the one it has.
    #[must_use]
    pub fn status_before(&self) -> Option<Status> {
        self.history.iter().rev().find_map(|left| left.status)
    }

    /// What was said when it got the status it has.
    #[must_use]
    pub fn last_move(&self) -> Option<&Change> {
        self.history.iter().rev().find(|left| left.status.is_some())
    }

    /// What it said before the edit with which it was approved; none unless both were one answer and the last.
    #[must_use]
    pub fn before_edited_approval(&self) -> Option<&Body> {
        let [.., edit, approval] = &self.history[..] else {
            return None;
        };
        let is_approval =
            approval.status == Some(Status::Proposed) && self.status == Status::Active;
        let is_one = (edit.at, &edit.by) == (approval.at, &approval.by);
        edit.before.as_ref().filter(|_| is_approval && is_one)
    }

    /// The entry that took its place.
    #[must_use]
    pub fn superseded_by(&self) -> Option<KnowledgeId> {
        // Only the latest move counts: a restored entry has no successor.
        (self.status == Status::Superseded)
            .then(|| self.last_move()?.other)
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::knowledge::EntryUse;
    use crate::domain::samples::entry;

    fn said(by: &Author) -> ChangeNote<'_> {
        ChangeNote {
            at: Millis(9),
            by,
            reason: "so",
        }
    }

    #[test]
    fn a_tombstone_is_lifted_before_anything_acts_again() {
        let from_tomb = Status::ALL.map(|to| Status::Vetoed.may_become(to));
        assert_eq!(from_tomb, [true, false, false, false, false]);
        for status in Status::ALL {
            assert!(!status.may_become(status), "{status:?}");
            let dies = status.may_become(Status::Vetoed);
            assert_eq!(dies, status != Status::Vetoed);
        }
    }

    #[test]
    fn every_version_can_be_had_again() {
        let by = Author::Operator("ann".to_owned());
        let bodies = ["stone", "coal", "dirt"].map(|target| entry(1, 1, target).body);
        let mut known = entry(1, 1, "stone");
        known.rewrite(bodies[1].clone(), said(&by));
        assert!(known.become_status(Status::Active, said(&by), None));
        known.rewrite(bodies[2].clone(), said(&by));
        assert!(known.become_status(Status::Retired, said(&by), None));
        let had: Vec<Option<&Body>> = (0..=6).map(|version| known.content_of(version)).collect();
        let [stone, coal, dirt] = bodies.each_ref().map(Some);
        assert_eq!(had, [None, stone, coal, coal, dirt, dirt, None]);
        assert_eq!(known.status_before(), Some(Status::Active));
    }

    #[test]
    fn two_are_kept_until_one_says_something_else() {
        let by = Author::Operator("ann".to_owned());
        let (mut known, other) = (entry(1, 1, "stone"), entry(1, 2, "coal"));
        assert!(!known.is_kept_beside(other.id));
        known.keep_beside(other.id, said(&by));
        assert!(known.become_status(Status::Active, said(&by), None));
        assert!(known.is_kept_beside(other.id) && !known.is_kept_beside(known.id));
        assert_eq!(known.status_before(), Some(Status::Proposed));
        known.rewrite(other.body, said(&by));
        assert!(!known.is_kept_beside(other.id));
    }

    #[test]
    fn what_is_brought_back_is_not_retired_for_the_same_harm_again() {
        let by = Author::Operator("ann".to_owned());
        let mut known = entry(1, 1, "stone");
        for _ in 0..3 {
            known.outcomes.count(EntryUse::Hurt, Millis(1));
        }
        assert!(known.outcomes.harm(Millis(1)).is_some());
        known.become_status(Status::Retired, said(&by), None);
        known.become_status(Status::Active, said(&by), None);
        assert_eq!(known.outcomes.harm(Millis(1)), None);
        assert_eq!(known.outcomes.hurt, 3, "what happened stays counted");
    }
}
