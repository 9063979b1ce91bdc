//! Lineages are walked from both ends, and change when a label is overruled.

use super::*;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::{config, entry, experience};

fn told(journal: &Journal, subject: LineageSubject) -> Vec<(&'static str, LineageTarget)> {
    let lineage = Lineage::read(journal, subject).unwrap().unwrap();
    let lines = lineage.lines.iter();
    lines.map(|line| (line.stage.name(), line.target)).collect()
}

const FIRST: RunId = RunId(1);
const SECOND: RunId = RunId(2);

/// A rule that one run learnt from a failure, and that hurt once and helped twice in another; the label of the
/// failure.
fn learnt_and_used(journal: &mut Journal) -> (KnowledgeId, ExperienceId, FailureReason) {
    let runs = [1, 3].map(|at| journal.create_run(config(), Millis(at)).unwrap());
    assert_eq!(runs, [FIRST, SECOND]);
    let past = experience(FIRST.0, 1, "coal", false);
    let mut rule = entry(FIRST.0, 1, "coal");
    rule.provenance.experiences = vec![past.id];
    let was = past.diagnosis.reason.unwrap();
    let (id, cause) = (rule.id, past.id);
    let events = vec![
        Event::AttemptEnded {
            attempt: AttemptId(1),
            experience: Box::new(past),
        },
        Event::KnowledgeProposed {
            entry: Box::new(rule),
        },
    ];
    journal.append(FIRST, Millis(2), events).unwrap();
    let used = |how| Event::KnowledgeUsed {
        id,
        how,
        subgoal: None,
    };
    let uses = [
        EntryUse::Shown,
        EntryUse::Hurt,
        EntryUse::Helped,
        EntryUse::Helped,
    ];
    let events = uses.map(used).to_vec();
    journal.append(SECOND, Millis(4), events).unwrap();
    (id, cause, was)
}

#[test]
fn one_walks_from_a_failure_to_what_must_be_reviewed() {
    let mut journal = Journal::in_memory().unwrap();
    let (id, cause, was) = learnt_and_used(&mut journal);
    let attempt = LineageTarget::Attempt {
        run: FIRST,
        attempt: AttemptId(1),
    };
    let full = LineageTarget::Entry { id };
    let moment = |seq| LineageTarget::Moment { run: SECOND, seq };
    let seq = |how| {
        let deeds = journal.deeds_of(id).unwrap();
        deeds.iter().find(|deed| deed.how == how).unwrap().seq
    };
    let (helped, hurt) = (moment(seq(EntryUse::Helped)), moment(seq(EntryUse::Hurt)));
    let of_entry = LineageSubject::Entry(id);
    let before = [
        ("failure", attempt),
        ("entry", full),
        ("helped", helped),
        ("hurt", hurt),
    ];
    assert_eq!(told(&journal, of_entry), before);
    let label = FailureReason::ALL
        .into_iter()
        .find(|label| *label != was)
        .unwrap();
    let overruled = Event::LabelOverruled {
        attempt: AttemptId(1),
        was,
        label,
        reason: "the body was stuck".to_owned(),
        by: "ann".to_owned(),
    };
    journal.append(FIRST, Millis(5), vec![overruled]).unwrap();
    let lineage = LineageTarget::Lineage {
        of: LineageSubject::Attempt(cause),
    };
    let mut after = before.to_vec();
    after.insert(1, ("overruled", lineage));
    after.push(("review", full));
    assert_eq!(told(&journal, of_entry), after);
    let onward = LineageTarget::Lineage { of: of_entry };
    let of_attempt = [
        ("failure", attempt),
        ("overruled", attempt),
        ("entry", onward),
        ("helped", helped),
        ("hurt", hurt),
        ("review", full),
    ];
    assert_eq!(told(&journal, LineageSubject::Attempt(cause)), of_attempt);
}

#[test]
fn what_is_not_there_has_no_lineage() {
    let journal = Journal::in_memory().unwrap();
    let id = ExperienceId {
        run: RunId(1),
        n: 1,
    };
    assert_eq!(
        Lineage::read(&journal, LineageSubject::Attempt(id)).unwrap(),
        None
    );
}
