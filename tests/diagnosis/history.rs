//! Past attempts: they are shown with the evidence they were judged by, and overruled labels are kept.

use pithead::config;
use pithead_core::diagnosis::whatif::EndedAttempt;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::thresholds::{KNOBS, Thresholds};
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::systems;
use pithead_engine::journal::{Durability, EntryFilter, Journal};
use pithead_engine::memory::Hashed;
use pithead_engine::runtime::past_attempts::{FrameSource, PastAttempt, look_back};
use pithead_engine::runtime::relabel::{moved_knobs, relabel};
use pithead_engine::runtime::{self, Keep, Pace, Parts, WaitingRun};
use pithead_world::clock::Clock;
use pithead_world::ids::{AttemptId, ExperienceId, RunId};
use std::path::Path;
use std::sync::atomic::AtomicBool;

const RUN: RunId = RunId(1);

/// A run in which things fail, kept whole or with its attempts only.
fn played(keep: Keep, database: &Path) -> Journal {
    played_with(keep, database, |_| ())
}

/// The same with something changed in its record.
fn played_with(keep: Keep, database: &Path, change: impl FnOnce(&mut [Recorded])) -> Journal {
    let task = Task::parse("craft a stone pickaxe").unwrap();
    let profile = systems::named(systems::DEFAULT).unwrap();
    let config = config::run_config(task, 4, "builtin:novice", profile);
    let (world, mind) = config::world_and_mind(&config).unwrap();
    let parts = Parts {
        journal: Journal::in_memory().unwrap(),
        world,
        mind,
        embedder: Box::new(Hashed),
        clock: Clock::manual(1_000),
        pace: Pace::Max,
        operator: "test".to_owned(),
    };
    let played = runtime::play_unattended(RUN, config, parts, keep, &AtomicBool::new(false));
    let mut journal = Journal::open(database, Durability::Normal).unwrap();
    let mut facts = played.unwrap().ended().unwrap().facts;
    change(&mut facts);
    journal.adopt(facts).unwrap();
    journal
}

fn history(journal: &Journal) -> Vec<PastAttempt> {
    let mut all = Vec::new();
    look_back(journal, RUN, |past| all.push(past)).unwrap();
    all.sort_by_key(|past| past.attempt.id);
    all
}

#[test]
fn past_evidence_gives_the_recorded_diagnosis_and_is_the_same_when_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let whole = history(&played(Keep::Everything, &folder.path().join("a.db")));
    let sparse = history(&played(Keep::Attempts, &folder.path().join("b.db")));
    assert!(
        whole
            .iter()
            .all(|past| past.source == FrameSource::Recorded)
    );
    assert!(
        sparse
            .iter()
            .any(|past| past.source == FrameSource::Replayed)
    );
    assert!(whole.iter().any(|past| !past.experience.diagnosis.success));
    let thresholds = pithead_core::domain::experience::thresholds::Thresholds::default();
    for (one, other) in whole.iter().zip(&sparse) {
        assert_eq!((&one.attempt, &one.post), (&other.attempt, &other.post));
        let case = EndedAttempt {
            attempt: &one.attempt,
            post: &one.post,
        };
        assert_eq!(case.judge(&thresholds), one.experience.diagnosis);
    }
    assert_eq!(whole.len(), sparse.len());
}

#[test]
fn an_overruled_label_is_stored_and_the_entries_learned_from_it_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("a.db");
    let journal = played(Keep::Everything, &database);
    let past = history(&journal);
    let entries = journal.knowledge(EntryFilter::default()).unwrap();
    let mut cited = entries
        .iter()
        .flat_map(|entry| &entry.provenance.experiences);
    // An attempt that failed and that something was learnt from.
    let is_failure = |n: u64| {
        past.iter()
            .any(|p| p.attempt.id.0 == n && !p.experience.diagnosis.success)
    };
    let attempt = AttemptId(cited.find(|id| is_failure(id.n)).unwrap().n);
    drop(journal);
    let done = past
        .iter()
        .find(|p| p.experience.diagnosis.success)
        .unwrap()
        .attempt
        .id;
    let overrule = |attempt: AttemptId, label| {
        let journal = Journal::open(&database, Durability::Full).unwrap();
        let mut run = WaitingRun::open(RUN, journal, Clock::manual(9_000)).unwrap();
        let reason = "seen otherwise".to_owned();
        let command = Command::Overrule {
            attempt,
            label,
            reason,
        };
        run.obey(command, "ann".to_owned()).unwrap()
    };
    assert_eq!(overrule(attempt, FailureReason::GuiBlocked), Ok(()));
    for (attempt, label, word) in [
        (attempt, FailureReason::GuiBlocked, "already"),
        (AttemptId(999), FailureReason::GuiBlocked, "does not exist"),
        (done, FailureReason::GuiBlocked, "succeeded"),
    ] {
        let because = overrule(attempt, label).unwrap_err();
        assert!(because.contains(word), "{because}");
    }
    let journal = Journal::look(&database).unwrap();
    let id = ExperienceId {
        run: RUN,
        n: attempt.0,
    };
    let document = journal.document(id).unwrap().unwrap();
    let label = document.experience.diagnosis.reason;
    assert_eq!(label, Some(FailureReason::GuiBlocked));
    let doubts = journal.in_doubt().unwrap();
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.overruled.attempt == attempt),
        "{doubts:?}"
    );
}

/// Gives the first failure that an entry rests on another label, as if other thresholds had judged it.
fn mislabel(facts: &mut [Recorded]) {
    let cited = facts.iter().find_map(|fact| match &fact.event {
        Event::KnowledgeProposed { entry } => entry.provenance.experiences.first().copied(),
        _ => None,
    });
    let cited = cited.unwrap();
    for fact in facts {
        if let Event::AttemptEnded { experience, .. } = &mut fact.event
            && experience.id == cited
        {
            experience.diagnosis.success = false;
            experience.diagnosis.reason = Some(FailureReason::GuiBlocked);
        }
    }
}

#[test]
fn moved_thresholds_name_the_labels_that_flip_and_the_entries_that_rest_on_them() {
    let folder = tempfile::tempdir().unwrap();
    let go_on = AtomicBool::new(false);
    let right = played(Keep::Attempts, &folder.path().join("a.db"));
    let same = relabel(&right, &[], &go_on, |_| ()).unwrap();
    assert_eq!((same.changed, same.flips.len()), (0, 0));
    assert!(same.is_whole && same.entries.is_empty() && same.attempts > 0);
    let journal = played_with(Keep::Everything, &folder.path().join("b.db"), mislabel);
    let past = history(&journal);
    let own = &past[0].thresholds;
    // With the thresholds as they are, and with each of them at both of its ends.
    let ends = KNOBS
        .iter()
        .flat_map(|knob| [(knob, knob.range.0), (knob, knob.range.1)]);
    let moved = ends.map(|(knob, value)| {
        let mut moved: Thresholds = own.clone();
        knob.set(&mut moved, value).unwrap();
        moved
    });
    for moved in std::iter::once(own.clone()).chain(moved) {
        let mut told = 0;
        let knobs = moved_knobs(own, &moved);
        let found = relabel(&journal, &knobs, &go_on, |_| told += 1).unwrap();
        assert_eq!(told, 1, "one run, told once");
        for past in &past {
            let case = EndedAttempt {
                attempt: &past.attempt,
                post: &past.post,
            };
            let (to, from) = (case.judge(&moved).reason, past.experience.diagnosis.reason);
            let flip = found.flips.iter().find(|f| f.attempt == past.attempt.id);
            assert_eq!(
                flip.map(|f| (f.from, f.to)),
                (to != from).then_some((from, to))
            );
        }
        let flipped = |id: &ExperienceId| found.flips.iter().any(|f| f.attempt.0 == id.n);
        for entry in journal.knowledge(EntryFilter::default()).unwrap() {
            let n = entry
                .provenance
                .experiences
                .iter()
                .filter(|id| flipped(id))
                .count() as u64;
            let named = found.entries.iter().find(|(id, ..)| *id == entry.id);
            assert_eq!(named.map_or(0, |(.., n)| *n), n, "{}", entry.id);
        }
        assert!(found.changed >= 1 && !found.entries.is_empty(), "{found:?}");
    }
    let stopped = relabel(&journal, &[], &AtomicBool::new(true), |_| ()).unwrap();
    assert!(!stopped.is_whole && stopped.attempts == 0);
}
