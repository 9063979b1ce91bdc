//! Changes of an entry's life: what is wished becomes events, nothing, or a refusal with its reason.
//!
//! Nothing here writes. Invariant: a wish that is so already gives no events, and every change can be
//! taken back by another one.

use crate::domain::knowledge::{Author, Body, Entry, Status};
use crate::domain::run::decision::By;
use crate::domain::run::event::Event;
use crate::domain::run::rulebook::Harmful;
use crate::knowledge::queue::{self, QueuedEntry};
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;

/// Who wishes, and why.
/// Both become part of the entry's history, which shows who did what and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    pub by: String,
    pub reason: String,
}

/// An error is a sentence for the operator.
type Events = Result<Vec<Event>, String>;

impl ChangeRequest {
    fn moved(&self, id: KnowledgeId, to: Status, other: Option<KnowledgeId>) -> Event {
        Event::KnowledgeMoved {
            id,
            to,
            reason: self.reason.clone(),
            by: Author::Operator(self.by.clone()),
            other,
        }
    }

    /// The entry gets this content, whatever it has: the history shows that it was looked at.
    #[must_use]
    pub fn edited(&self, id: KnowledgeId, body: Body) -> Event {
        Event::KnowledgeEdited {
            id,
            body,
            reason: self.reason.clone(),
            by: Some(By::Operator(self.by.clone())),
        }
    }
}

/// Lets it act.
pub fn approve(entry: &Entry, wish: &ChangeRequest) -> Events {
    match entry.status {
        Status::Active => Ok(Vec::new()),
        Status::Proposed => Ok(vec![wish.moved(entry.id, Status::Active, None)]),
        // One step at a time: what was buried has to be brought back before it can act.
        Status::Vetoed | Status::Retired | Status::Superseded => Err(over(entry, "approved")),
    }
}

/// Buries it: the same is never learnt again.
/// The tombstone stays: its content is what new proposals are compared with.
pub fn veto(entry: &Entry, wish: &ChangeRequest) -> Events {
    match entry.status {
        Status::Vetoed => Ok(Vec::new()),
        _ => Ok(vec![wish.moved(entry.id, Status::Vetoed, None)]),
    }
}

/// Takes it out of use.
pub fn retire(entry: &Entry, wish: &ChangeRequest) -> Events {
    match entry.status {
        Status::Retired => Ok(Vec::new()),
        Status::Active | Status::Proposed => Ok(vec![wish.moved(entry.id, Status::Retired, None)]),
        Status::Vetoed | Status::Superseded => Err(over(entry, "retired")),
    }
}

/// Takes back a veto, a retirement or a merge. What was vetoed waits for approval again.
pub fn restore(entry: &Entry, wish: &ChangeRequest) -> Events {
    let to = match entry.status {
        Status::Active | Status::Proposed => return Ok(Vec::new()),
        // A restored veto does not act at once: somebody had a reason.
        Status::Vetoed => Status::Proposed,
        Status::Retired | Status::Superseded => match entry.status_before() {
            Some(Status::Active) => Status::Active,
            _ => Status::Proposed,
        },
    };
    Ok(vec![wish.moved(entry.id, to, None)])
}

/// Undoes the last decision about it. An approval that nobody has been given waits again; what runs
/// were given is retired, since what they did with it cannot be undone.
pub fn take_back(entry: &Entry, wish: &ChangeRequest) -> Events {
    let to = |to| wish.moved(entry.id, to, None);
    match entry.status {
        Status::Active if was_given(entry) => Ok(vec![to(Status::Retired)]),
        // What acts cannot become a proposal in one step. An edit that came with the approval goes with it.
        Status::Active => {
            let mut events = vec![to(Status::Retired), to(Status::Proposed)];
            let before = entry.before_edited_approval();
            events.extend(before.map(|body| wish.edited(entry.id, body.clone())));
            Ok(events)
        }
        Status::Vetoed => Ok(vec![to(Status::Proposed)]),
        Status::Retired | Status::Superseded => restore(entry, wish),
        Status::Proposed => Err(format!("{} waits for you already", entry.id)),
    }
}

/// Some run has been given it.
/// Retrieved by recall or shown in a prompt.
#[must_use]
pub fn was_given(entry: &Entry) -> bool {
    entry.outcomes.retrieved + entry.outcomes.shown > 0
}

/// Gives it another content.
pub fn edit(entry: &Entry, body: &Body, wish: &ChangeRequest) -> Events {
    if entry.body == *body {
        return Ok(Vec::new());
    }
    if entry.status == Status::Vetoed {
        return Err(format!(
            "{} is vetoed; `pithead kb restore {}` lifts that first",
            entry.id, entry.id
        ));
    }
    Ok(vec![wish.edited(entry.id, body.clone())])
}

/// Gives it the content that it had in an older version.
pub fn roll_back(entry: &Entry, version: u32, wish: &ChangeRequest) -> Events {
    let Some(body) = entry.content_of(version) else {
        return Err(format!(
            "{} has no version {version}; it has 1 to {}",
            entry.id, entry.version
        ));
    };
    // Going back is an edit: the history grows and nothing in it changes.
    edit(entry, body, wish)
}

/// Makes one of two: `into` gets the evidence and the record of `from`, and what `from` asks for
/// beyond it; `from` is superseded.
pub fn merge(from: &Entry, into: &Entry, wish: &ChangeRequest) -> Events {
    if from.id == into.id {
        return Err(format!("{} cannot be merged with itself", from.id));
    }
    // Done already is no error, so a repeated request is harmless.
    if from.superseded_by() == Some(into.id) {
        return Ok(Vec::new());
    }
    if from.body.kind() != into.body.kind() {
        return Err(format!(
            "{} is a {} and {} a {}; only entries of one kind can be merged",
            from.id,
            from.body.kind(),
            into.id,
            into.body.kind()
        ));
    }
    for entry in [from, into] {
        if !matches!(entry.status, Status::Active | Status::Proposed) {
            return Err(over(entry, "merged"));
        }
    }
    // The merge comes first: the second event then names an entry that has taken over the
    // evidence.
    Ok(vec![
        Event::KnowledgeMerged {
            into: into.id,
            draft: Box::new(from.clone()),
        },
        wish.moved(from.id, Status::Superseded, Some(into.id)),
    ])
}

/// Lets two stand beside each other that say the same or speak against each other.
pub fn keep_both(one: &Entry, other: &Entry, wish: &ChangeRequest) -> Events {
    if one.id == other.id {
        return Err(format!("{} is one entry", one.id));
    }
    for entry in [one, other] {
        if !matches!(entry.status, Status::Active | Status::Proposed) {
            return Err(over(entry, "kept as well"));
        }
    }
    if one.is_kept_beside(other.id) && other.is_kept_beside(one.id) {
        return Ok(Vec::new());
    }
    let kept = |a: &Entry, b: &Entry| wish.moved(a.id, a.status, Some(b.id));
    // Written on both, because each of the two pages must show it.
    Ok(vec![kept(one, other), kept(other, one)])
}

fn over(entry: &Entry, what: &str) -> String {
    let (id, status) = (entry.id, entry.status.name());
    format!(
        "{id} is {status} already and cannot be {what}; `pithead kb restore {id}` brings it back first"
    )
}

/// What the rules say of the base as a whole: active entries that did harm are retired, and those that hold-out has
/// measured to do harm if the policy file says so.
/// Only active entries can do harm.
#[must_use]
pub fn tend(entries: &[Entry], harmful: Harmful, now: Millis) -> Vec<Event> {
    let retired = |id, reason, policy: &str| Event::KnowledgeMoved {
        id,
        to: Status::Retired,
        reason,
        by: Author::Policy(policy.to_owned()),
        other: None,
    };
    let active = entries.iter().filter(|e| e.status == Status::Active);
    let by_record = active.filter_map(|e| Some(retired(e.id, e.outcomes.harm(now)?, "outcomes")));
    let mut events: Vec<Event> = by_record.collect();
    if harmful == Harmful::Retire {
        let measured = queue::harmful(entries).into_iter();
        let is_new = |found: &QueuedEntry| {
            let is_it = |event: &Event| matches!(event, Event::KnowledgeMoved { id, .. } if *id == found.id);
            !events.iter().any(is_it)
        };
        let measured: Vec<QueuedEntry> = measured.filter(is_new).collect();
        let by_effect = measured
            .into_iter()
            .map(|found| retired(found.id, found.because, "measured effect"));
        events.extend(by_effect);
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::knowledge::effect::RunSums;
    use crate::domain::knowledge::{ChangeNote, EntryUse};
    use crate::domain::samples::entry;

    fn wish() -> ChangeRequest {
        ChangeRequest {
            by: "ann".to_owned(),
            reason: "so".to_owned(),
        }
    }

    fn with(status: Status) -> Entry {
        Entry {
            status,
            ..entry(1, 1, "stone")
        }
    }

    /// Each wish for each status: `-` nothing changes, `!` refused, else the new status.
    #[test]
    fn wishes_lead_where_the_table_says() {
        type Wished = fn(&Entry, &ChangeRequest) -> Events;
        let wishes: [(&str, Wished); 4] = [
            ("approve", approve),
            ("veto", veto),
            ("retire", retire),
            ("restore", restore),
        ];
        let word = |events: Events| match events {
            Err(_) => "!".to_owned(),
            Ok(events) => match &events[..] {
                [] => "-".to_owned(),
                [Event::KnowledgeMoved { to, .. }] => to.name().to_owned(),
                other => panic!("{other:?}"),
            },
        };
        let row = |(name, wished): (&str, Wished)| {
            let words = Status::ALL.map(|status| word(wished(&with(status), &wish())));
            format!("{name}: {}", words.join(" "))
        };
        // proposed, active, superseded, retired, vetoed
        assert_eq!(
            wishes.map(row),
            [
                "approve: active - ! ! !",
                "veto: vetoed vetoed vetoed vetoed -",
                "retire: retired retired ! - !",
                "restore: - - proposed proposed proposed",
            ]
        );
    }

    #[test]
    fn what_was_active_is_restored_active_but_a_tombstone_only_waits() {
        let said = |by| ChangeNote {
            at: Millis(1),
            by,
            reason: "no",
        };
        let by = Author::Operator("ann".to_owned());
        for (left, back) in [
            (Status::Retired, Status::Active),
            (Status::Vetoed, Status::Proposed),
        ] {
            let mut known = with(Status::Active);
            known.become_status(left, said(&by), None);
            let events = restore(&known, &wish()).unwrap();
            assert!(matches!(&events[..], [Event::KnowledgeMoved { to, .. }] if *to == back));
        }
    }

    #[test]
    fn an_edit_that_came_with_an_approval_is_taken_back_with_it() {
        let edited_body = |events: &[Event]| match events {
            [_, _, Event::KnowledgeEdited { body, .. }] => Some(body.clone()),
            _ => None,
        };
        let by = Author::Operator("ann".to_owned());
        let said = |at| ChangeNote {
            at: Millis(at),
            by: &by,
            reason: "so",
        };
        let other = entry(1, 2, "coal").body;
        for (approved, is_one) in [(1, true), (2, false)] {
            let mut known = with(Status::Proposed);
            let before = known.body.clone();
            known.rewrite(other.clone(), said(1));
            assert!(known.become_status(Status::Active, said(approved), None));
            let events = take_back(&known, &wish()).unwrap();
            assert_eq!(edited_body(&events), is_one.then_some(before));
            // What runs have used keeps its text.
            known.outcomes.shown = 1;
            assert_eq!(take_back(&known, &wish()).unwrap().len(), 1);
        }
    }

    #[test]
    fn only_active_entries_that_did_harm_are_retired() {
        let mut entries = vec![with(Status::Active), with(Status::Proposed)];
        assert_eq!(tend(&entries, Harmful::Queue, Millis(0)), []);
        for known in &mut entries {
            (0..3).for_each(|_| known.outcomes.count(EntryUse::Hurt, Millis(0)));
        }
        assert_eq!(tend(&entries, Harmful::Queue, Millis(0)).len(), 1);
        // Retired once, whatever speaks against it.
        assert_eq!(tend(&entries, Harmful::Retire, Millis(0)).len(), 1);
    }

    #[test]
    fn what_was_measured_to_do_harm_is_retired_if_the_policy_says_so() {
        let mut known = with(Status::Active);
        let runs = |successes| RunSums {
            runs: 40,
            successes,
            ..RunSums::default()
        };
        (known.outcomes.given, known.outcomes.withheld) = (runs(10), runs(36));
        let entries = [known];
        assert_eq!(tend(&entries, Harmful::Queue, Millis(0)), []);
        let events = tend(&entries, Harmful::Retire, Millis(0));
        let [Event::KnowledgeMoved { to, reason, .. }] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(*to, Status::Retired);
        assert!(reason.contains("below zero"), "{reason}");
    }

    #[test]
    fn two_that_live_are_kept_once() {
        let (mut one, mut other) = (with(Status::Active), entry(1, 2, "coal"));
        assert_eq!(keep_both(&one, &other, &wish()).unwrap().len(), 2);
        assert!(keep_both(&one, &one, &wish()).is_err());
        let by = Author::Operator("ann".to_owned());
        let said = ChangeNote {
            at: Millis(1),
            by: &by,
            reason: "both",
        };
        one.keep_beside(other.id, said);
        other.keep_beside(one.id, said);
        assert_eq!(keep_both(&one, &other, &wish()), Ok(Vec::new()));
        other.status = Status::Vetoed;
        assert!(keep_both(&one, &other, &wish()).is_err());
    }

    #[test]
    fn entries_of_two_kinds_are_not_merged() {
        let (one, mut other) = (with(Status::Active), entry(1, 2, "coal"));
        assert_eq!(merge(&one, &other, &wish()).unwrap().len(), 2);
        assert!(merge(&one, &one, &wish()).is_err());
        other.status = Status::Vetoed;
        assert!(merge(&one, &other, &wish()).is_err());
    }
}
