//! Durable before acknowledged: after each route has returned, the file holds the change.

use super::answer::{answer_entry, answer_question, overrule_label};
use super::bulk::{BulkAction, carry_out_step, preview_bulk};
use super::curate::{Curation, EntryChange, OnErrors, change_entry};
use super::rules::{read_rules, save_rule, set_run_policy};
use super::tell::{Route, send_command};
use super::{Operator, OperatorError};
use crate::journal::{EntryFilter, Journal};
use crate::runtime::attach::{Host, Seat};
use crate::runtime::tests::{Place, parts, place, run_config};
use crate::runtime::{Link, start};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::{Body, Entry, Status};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{GateKind, Gates, Policy, Question, Subject, Verdict};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::samples::{config, entry, experience};
use pithead_core::knowledge::lint::LINE_CHARS_MAX;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{AttemptId, DecisionId, ExperienceId, KnowledgeId, RunId, Seq};

const RUN: RunId = RunId(1);

fn ann(place: &Place) -> Operator {
    Operator::new(&place.path, "ann", Clock::System)
}

/// Waits for the question about its plan, in a thread of its own; nobody may take its seat.
fn driven(place: &Place) -> Link {
    let gates = Gates([(GateKind::Plan, Policy::Ask)].into());
    start(run_config(gates), parts(&place.path, &Clock::System)).unwrap()
}

/// A run that nobody drives, with two entries about which it asks (d1, d2).
fn waiting(place: &Place) -> [KnowledgeId; 2] {
    let mut journal = ann(place).open_journal().unwrap();
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let known = [entry(run.0, 1, "stone"), entry(run.0, 2, "coal")];
    let events = (1..).zip(&known).flat_map(|(n, entry)| {
        let question = Question {
            id: DecisionId(n),
            kind: GateKind::Guardrail,
            subject: Subject::Knowledge(entry.id),
            policy: Policy::Ask,
            asked: Millis(2),
            deadline: None,
            held: None,
        };
        let entry = Box::new(entry.clone());
        [
            Event::KnowledgeProposed { entry },
            Event::DecisionAsked { question },
        ]
    });
    journal.append(run, Millis(2), events.collect()).unwrap();
    known.map(|entry| entry.id)
}

/// What the file holds, read by a connection that knows nothing of what was done.
fn stored(place: &Place) -> Vec<Recorded> {
    let journal = Journal::look(&place.path).unwrap();
    journal.events(RUN, Seq(0), usize::MAX).unwrap()
}

fn stored_entry(place: &Place, id: KnowledgeId) -> Entry {
    let base = Journal::look(&place.path)
        .unwrap()
        .knowledge(EntryFilter::default());
    base.unwrap()
        .into_iter()
        .find(|entry| entry.id == id)
        .unwrap()
}

fn holds(place: &Place, is: impl Fn(&Event) -> bool) -> bool {
    stored(place).iter().any(|fact| is(&fact.event))
}

fn wanted(id: KnowledgeId, change: Curation) -> EntryChange {
    EntryChange {
        id,
        change,
        reason: "so".to_owned(),
        on_errors: OnErrors::Refuse,
    }
}

fn wait_for_question(place: &Place) -> DecisionId {
    for _ in 0..2_000 {
        let asked = stored(place).into_iter().find_map(|fact| match fact.event {
            Event::DecisionAsked { question } => Some(question.id),
            _ => None,
        });
        if let Some(id) = asked {
            return id;
        }
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
    panic!("the run never asked");
}

#[test]
fn a_command_to_a_run_of_another_process_is_stored_when_tell_returns() {
    let place = place();
    let link = driven(&place);
    let _host = Host::open(&link, Seat::Free).unwrap();
    assert_eq!(
        send_command(&ann(&place), RUN, &Command::Pause).unwrap(),
        Route::Driver
    );
    assert!(holds(&place, |event| matches!(event, Event::Paused { .. })));
    let again = send_command(&ann(&place), RUN, &Command::Pause).unwrap_err();
    assert!(matches!(again, OperatorError::Refused { .. }), "{again}");
}

#[test]
fn a_command_to_a_run_of_this_process_is_stored_although_its_seat_is_taken() {
    let place = place();
    let link = driven(&place);
    let _host = Host::open(&link, Seat::Taken).unwrap();
    let bea = Operator::new(&place.path, "bea", Clock::System);
    let refused = send_command(&bea, RUN, &Command::Pause).unwrap_err();
    assert!(refused.to_string().contains("you observe it"), "{refused}");
    let drives = vec![link.commander()];
    let own = Operator {
        drives,
        ..ann(&place)
    };
    assert_eq!(
        send_command(&own, RUN, &Command::Pause).unwrap(),
        Route::Driver
    );
    assert!(holds(&place, |event| matches!(event, Event::Paused { .. })));
}

#[test]
fn a_command_to_a_run_that_nobody_drives_is_stored_and_no_database_is_made_for_it() {
    let place = place();
    send_command(&ann(&place), RUN, &Command::Pause).unwrap_err();
    assert!(!place.path.exists());
    waiting(&place);
    assert_eq!(
        send_command(&ann(&place), RUN, &Command::Pause).unwrap(),
        Route::WaitingRun
    );
    assert!(holds(&place, |event| matches!(event, Event::Paused { .. })));
}

#[test]
fn an_answer_to_a_driven_run_is_stored_when_it_returns() {
    let place = place();
    let link = driven(&place);
    let _host = Host::open(&link, Seat::Free).unwrap();
    let id = wait_for_question(&place);
    // Paused, it cannot be over before the second answer comes.
    send_command(&ann(&place), RUN, &Command::Pause).unwrap();
    answer_question(&ann(&place), RUN, id, Verdict::Approve).unwrap();
    assert!(holds(&place, |event| {
        matches!(event, Event::DecisionMade { decision, .. } if *decision == id)
    }));
    let late = answer_question(&ann(&place), RUN, id, Verdict::Approve).unwrap_err();
    assert!(late.to_string().contains("decided already"), "{late}");
}

#[test]
fn an_entry_is_answered_in_the_run_that_asks_and_else_in_the_knowledge_log() {
    let place = place();
    let [one, _] = waiting(&place);
    let done = answer_entry(&ann(&place), &wanted(one, Curation::Approve)).unwrap();
    assert_eq!(done.entry.status, Status::Active);
    assert_eq!(stored_entry(&place, one), done.entry);
    assert!(holds(&place, |event| {
        matches!(event, Event::DecisionMade { decision, .. } if *decision == DecisionId(1))
    }));
    let before = stored(&place).len();
    let done = answer_entry(&ann(&place), &wanted(one, Curation::Veto)).unwrap();
    assert!(done.is_changed);
    assert_eq!(stored_entry(&place, one).status, Status::Vetoed);
    assert_eq!(stored(&place).len(), before, "the run asks no more");
}

#[test]
fn an_edit_is_linted_on_every_route() {
    let place = place();
    let [one, two] = waiting(&place);
    let mut body = stored_entry(&place, one).body;
    if let Body::Guardrail(rail) = &mut body {
        rail.avoid = "x".repeat(LINE_CHARS_MAX + 1);
    }
    let bad = || Curation::Edit(Box::new(body.clone()));
    let refused = [
        answer_entry(&ann(&place), &wanted(one, bad())).map(|_| ()),
        change_entry(&ann(&place), &wanted(two, bad())).map(|_| ()),
        answer_question(
            &ann(&place),
            RUN,
            DecisionId(1),
            Verdict::EditKnowledge(body.clone()),
        )
        .map(|_| ()),
    ];
    for refused in refused {
        assert!(
            matches!(refused, Err(OperatorError::Lint { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(stored_entry(&place, one).version, 1);
    let accepted = EntryChange {
        on_errors: OnErrors::Accept,
        ..wanted(one, bad())
    };
    let done = answer_entry(&ann(&place), &accepted).unwrap();
    assert!(!done.remarks.is_empty());
    assert_eq!(stored_entry(&place, one).body, body);
}

/// At a gate and in the knowledge base alike.
#[test]
fn an_edit_that_approved_is_taken_back_with_the_approval() {
    let place = place();
    for (id, is_asked) in waiting(&place).into_iter().zip([true, false]) {
        let before = stored_entry(&place, id).body;
        let mut edited = before.clone();
        if let Body::Guardrail(rail) = &mut edited {
            "with another reason".clone_into(&mut rail.avoid);
        }
        let change = wanted(id, Curation::EditAndApprove(Box::new(edited.clone())));
        match is_asked {
            true => answer_entry(&ann(&place), &change).unwrap(),
            false => change_entry(&ann(&place), &change).unwrap(),
        };
        let stored = stored_entry(&place, id);
        assert_eq!((stored.status, stored.body), (Status::Active, edited));
        let taken_back = change_entry(&ann(&place), &wanted(id, Curation::TakeBack)).unwrap();
        let entry = taken_back.entry;
        assert_eq!((entry.status, &entry.body), (Status::Proposed, &before));
    }
}

#[test]
fn a_change_is_stored_and_the_same_change_again_writes_nothing() {
    let place = place();
    let [one, _] = waiting(&place);
    for is_changed in [true, false] {
        let done = change_entry(&ann(&place), &wanted(one, Curation::Retire)).unwrap();
        assert_eq!(done.is_changed, is_changed);
        let stored = stored_entry(&place, one);
        assert_eq!((stored.status, stored.version), (Status::Retired, 2));
    }
    let nobody = KnowledgeId { run: RUN, n: 9 };
    let error = change_entry(&ann(&place), &wanted(nobody, Curation::Retire)).unwrap_err();
    assert!(matches!(error, OperatorError::NoEntry { .. }), "{error}");
}

#[test]
fn a_rule_is_stored_in_the_file_and_in_its_run() {
    let place = place();
    waiting(&place);
    let file = place.path.with_file_name("gates.toml");
    save_rule(&file, GateKind::Replan, Policy::Auto).unwrap();
    assert_eq!(
        read_rules(&file).unwrap().of(GateKind::Replan),
        Policy::Auto
    );
    set_run_policy(&ann(&place), RUN, (GateKind::Replan, Policy::Auto)).unwrap();
    assert!(holds(&place, |event| {
        matches!(
            event,
            Event::PolicySet {
                kind: GateKind::Replan,
                ..
            }
        )
    }));
}

#[test]
fn runs_that_are_ended_together_are_ended_in_the_file() {
    let place = place();
    waiting(&place);
    let journal = Journal::look(&place.path).unwrap();
    let steps = preview_bulk(&journal, &[RUN], BulkAction::Abort).unwrap();
    carry_out_step(&ann(&place), &steps[0], BulkAction::Abort, "enough").unwrap();
    assert!(
        Journal::look(&place.path)
            .unwrap()
            .run(RUN)
            .unwrap()
            .ended
            .is_some()
    );
    let steps = preview_bulk(&journal, &[RUN], BulkAction::Abort).unwrap();
    assert!(!steps[0].effect.acts());
}

#[test]
fn a_label_of_no_attempt_is_refused_with_the_reason() {
    let place = place();
    waiting(&place);
    let label = (FailureReason::GuiBlocked, "seen");
    let error = overrule_label(&ann(&place), (RUN, AttemptId(3)), label).unwrap_err();
    assert!(error.to_string().contains("has not ended"), "{error}");
}

/// A run with a guardrail that rests on two attempts of it, both labelled so.
fn with_guardrail(place: &Place) -> KnowledgeId {
    let mut journal = ann(place).open_journal().unwrap();
    let mut config = config();
    config.mind = "builtin:expert".to_owned();
    let run = journal.create_run(config, Millis(1)).unwrap();
    let mut known = entry(run.0, 1, "stone");
    known.status = Status::Proposed;
    known.provenance.experiences = [1, 2].map(|n| ExperienceId { run, n }).to_vec();
    let Body::Guardrail(guardrail) = &known.body else {
        panic!("the sample is a guardrail")
    };
    let reason = guardrail.reason;
    let mut events: Vec<Event> = [1, 2]
        .into_iter()
        .map(|n| {
            let mut ended = experience(run.0, n, "stone", false);
            ended.diagnosis.reason = Some(reason);
            Event::AttemptEnded {
                attempt: AttemptId(n),
                experience: Box::new(ended),
            }
        })
        .collect();
    events.push(Event::KnowledgeProposed {
        entry: Box::new(known.clone()),
    });
    events.push(Event::KnowledgeActivated {
        id: known.id,
        by: None,
    });
    journal.append(run, Millis(2), events).unwrap();
    known.id
}

#[test]
fn a_guardrail_of_which_nothing_is_left_is_withdrawn_and_says_why() {
    let place = place();
    let id = with_guardrail(&place);
    let overrule = |n| {
        let label = (FailureReason::GuiBlocked, "seen on the film");
        overrule_label(&ann(&place), (RUN, AttemptId(n)), label).unwrap()
    };
    let [first, second] = [1, 2].map(overrule);
    // After the first the other attempt still says something; the report of this sample says nothing else.
    assert_eq!(first.anew.len() + first.doubts.len(), 1, "{first:?}");
    let stored = stored_entry(&place, id);
    assert_eq!(stored.status, Status::Retired);
    let last = stored.history.last().unwrap();
    assert!(last.reason.contains("GUI_BLOCKED"), "{}", last.reason);
    let left = Journal::look(&place.path).unwrap().in_doubt().unwrap();
    assert!(left.is_empty(), "{left:?} {second:?}");
}
