//! Breakpoints, forks and case files on real runs of the embedded world.

use super::Link;
use super::attempts::Index;
use super::case_file::{CaseFile, MissingFrames};
use super::fork::{ForkError, ForkPoint, ForkRequest, fork};
use super::open::again;
use super::tests::{Place, begun, parts, place};
use crate::journal::{Durability, Journal};
use crate::runtime::driver::Driver;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{By, GateKind, Gates, Policy, Verdict};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{AttemptId, KnowledgeId, RunId, Seq};

const RUN: RunId = RunId(1);
const TURNS_MAX: usize = 5_000;

fn turn_until(driver: &mut Driver, done: impl Fn(&Driver) -> bool) {
    for _ in 0..TURNS_MAX {
        if done(driver) {
            return;
        }
        driver.turn().unwrap();
    }
    panic!("not within {TURNS_MAX} turns");
}

fn send(link: &Link, command: Command) {
    link.send(command).unwrap();
}

fn breaks(texts: &[&str]) -> Command {
    let on = |text: &&str| Breakpoint::new(text.parse().unwrap());
    Command::SetBreaks {
        breaks: texts.iter().map(on).collect(),
    }
}

/// A whole run of one task, in a file.
fn played(gates: Gates) -> Place {
    let place = place();
    let (mut driver, _link) = begun(&place, &Clock::manual(1_000), gates);
    turn_until(&mut driver, |driver| driver.state.is_over());
    place
}

fn facts(place: &Place, run: RunId) -> Vec<Recorded> {
    let journal = Journal::look(&place.path).unwrap();
    journal.events(run, Seq(0), usize::MAX).unwrap()
}

fn wish(at: ForkPoint) -> ForkRequest {
    ForkRequest {
        from: RUN,
        at,
        without: Vec::new(),
        thresholds: None,
        plan: None,
        keep_decisions: false,
        by: "ann".to_owned(),
    }
}

fn open(place: &Place) -> Journal {
    Journal::open(&place.path, Durability::Normal).unwrap()
}

#[test]
fn a_run_stops_at_a_breakpoint_until_it_is_resumed() {
    let place = place();
    let clock = Clock::manual(1_000);
    let (mut driver, link) = begun(&place, &clock, Gates::headless());
    send(
        &link,
        breaks(&["check inv logs >= 2", "phase diagnose", "subgoal *nothing*"]),
    );
    turn_until(&mut driver, |driver| driver.state.at_break);
    let tick = driver.state.last_tick();
    let frame = driver.state.frame.as_ref().unwrap();
    let logs = pithead_core::domain::condition::situation::Situation::of(frame);
    let condition: pithead_core::domain::condition::Condition = "inv logs >= 2".parse().unwrap();
    assert!(
        condition.truth(&logs).is_true(),
        "it stops at the frame itself"
    );
    assert!(!driver.state.wants_world());
    let last = facts(&place, RUN).pop().unwrap().event;
    assert!(matches!(last, Event::Paused { by } if by == "breakpoint"));
    // A process that dies here leaves a run that stands where it stood.
    drop((driver, link));
    assert!(open(&place).is_paused(RUN).unwrap());
    let (mut driver, link) = again(RUN, parts(&place.path, &clock)).unwrap();
    assert!(driver.state.at_break);
    assert_eq!(driver.state.last_tick(), tick);
    send(&link, Command::Resume);
    turn_until(&mut driver, |driver| !driver.state.at_break);
    turn_until(&mut driver, |driver| driver.state.at_break);
    // The judgement, and nothing of what would follow from it.
    let events = facts(&place, RUN);
    let ended = events
        .iter()
        .rposition(|fact| matches!(fact.event, Event::AttemptEnded { .. }));
    let after = &events[ended.unwrap() + 1..];
    assert!(
        !after
            .iter()
            .any(|fact| matches!(fact.event, Event::AttemptStarted { .. })),
        "{after:?}"
    );
    send(&link, breaks(&[]));
    send(&link, Command::Resume);
    turn_until(&mut driver, |driver| driver.state.is_over());
}

#[test]
fn a_fork_copies_its_past_to_the_byte_and_continues_in_the_same_world() {
    let place = played(Gates::headless());
    let before = facts(&place, RUN);
    let middle = Seq(before.len() as u64 * 2 / 3);
    let entry = KnowledgeId { run: RUN, n: 9 };
    let thresholds = Thresholds {
        nav_variance: 0.5,
        ..Thresholds::default()
    };
    let asked = ForkRequest {
        without: vec![entry],
        thresholds: Some(thresholds.clone()),
        ..wish(ForkPoint::Event(middle))
    };
    let made = fork(&mut open(&place), asked, Millis(9_000)).unwrap();
    assert!(made.at <= middle && middle.0 - made.at.0 < 20, "{made:?}");
    let copied = facts(&place, made.run);
    for (old, new) in before
        .iter()
        .zip(&copied)
        .skip(1)
        .take(made.at.0 as usize - 1)
    {
        assert_eq!((old.seq, old.at, &old.event), (new.seq, new.at, &new.event));
    }
    assert!(
        matches!(&copied[made.at.0 as usize].event, Event::RunForked { fork } if fork.from == RUN)
    );
    let row = open(&place).run(made.run).unwrap();
    assert_eq!(row.origin, Some((RUN, made.at)));
    assert_eq!(open(&place).runs().unwrap()[1].origin, row.origin);
    // The rebuilt world passes its checksums, and the run comes to its end.
    let clock = Clock::manual(10_000);
    let (mut driver, _link) = again(made.run, parts(&place.path, &clock)).unwrap();
    assert_eq!(driver.state.config().unwrap().thresholds, thresholds);
    assert!(driver.state.without.contains(&entry));
    turn_until(&mut driver, |driver| driver.state.is_over());
    assert_eq!(facts(&place, RUN), before, "the other run is as it was");
}

#[test]
fn a_point_that_is_none_is_refused_and_a_plan_is_changed_between_attempts() {
    let place = played(Gates::headless());
    let len = facts(&place, RUN).len() as u64;
    for (at, told) in [
        (ForkPoint::Event(Seq(len + 5)), "no such event"),
        (ForkPoint::Before(AttemptId(999)), "no such attempt"),
    ] {
        let error = fork(&mut open(&place), wish(at), Millis(1)).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
    }
    let plan = facts(&place, RUN)
        .into_iter()
        .find_map(|fact| match fact.event {
            Event::PlanProposed { plan, .. } => Some(plan),
            _ => None, // the first plan is looked for
        });
    let plan = plan.unwrap();
    let early = ForkRequest {
        plan: Some(plan.clone()),
        ..wish(ForkPoint::Event(Seq(3)))
    };
    let early = fork(&mut open(&place), early, Millis(1)).unwrap_err();
    assert!(early.to_string().contains("no plan is in force"), "{early}");
    let with_plan = ForkRequest {
        plan: Some(plan.clone()),
        ..wish(ForkPoint::Before(AttemptId(2)))
    };
    let made = fork(&mut open(&place), with_plan, Millis(9_000)).unwrap();
    let own = facts(&place, made.run).split_off(made.at.0 as usize);
    let kinds: Vec<&str> = own.iter().map(|f| crate::journal::kind(&f.event)).collect();
    assert_eq!(
        kinds,
        [
            "run.forked",
            "plan.proposed",
            "plan.verified",
            "plan.adopted"
        ]
    );
    let mut bad = plan;
    bad.subgoals.clear();
    let refused = ForkRequest {
        plan: Some(bad),
        ..wish(ForkPoint::Before(AttemptId(2)))
    };
    let refused = fork(&mut open(&place), refused, Millis(9_000));
    assert!(matches!(refused, Err(ForkError::Plan(_))), "{refused:?}");
}

#[test]
fn a_fork_decides_as_the_operator_did_if_that_is_wished() {
    let place = place();
    let mut gates = Gates::headless();
    gates.0.insert(GateKind::Plan, Policy::Ask);
    let clock = Clock::manual(1_000);
    let (mut driver, link) = begun(&place, &clock, gates);
    turn_until(&mut driver, |driver| !driver.state.questions.is_empty());
    let asked = driver.state.seq;
    send(
        &link,
        Command::Decide {
            decision: driver.state.questions[0].id,
            verdict: Verdict::Approve,
        },
    );
    turn_until(&mut driver, |driver| driver.state.plan.is_some());
    drop((driver, link));
    for (keep, opens) in [(false, true), (true, false)] {
        let wished = ForkRequest {
            keep_decisions: keep,
            ..wish(ForkPoint::Event(asked))
        };
        let made = fork(&mut open(&place), wished, Millis(9_000)).unwrap();
        assert_eq!(made.kept, usize::from(keep));
        let (mut driver, _link) = again(made.run, parts(&place.path, &clock)).unwrap();
        driver.turn().unwrap();
        assert_eq!(!driver.state.questions.is_empty(), opens, "keep {keep}");
        let by = By::Operator("ann".to_owned());
        let decided = facts(&place, made.run)
            .iter()
            .any(|fact| matches!(&fact.event, Event::DecisionMade { by: b, .. } if *b == by));
        assert_eq!(decided, keep);
    }
}

#[test]
fn a_case_is_judged_as_it_was_and_holds_every_frame() {
    let place = played(Gates::headless());
    let journal = Journal::look(&place.path).unwrap();
    let mut index = Index::of_run(RUN);
    assert!(index.read_on(&journal).unwrap());
    assert!(!index.read_on(&journal).unwrap(), "nothing has come since");
    assert!(index.ended && !index.attempts.is_empty());
    for row in &index.attempts {
        let case = CaseFile::open(&journal, RUN, row, MissingFrames::Leave).unwrap();
        assert_eq!(Some(&case.diagnosis), case.recorded.as_ref(), "{}", row.id);
        let to = row.to.unwrap();
        let between = facts(&place, RUN).into_iter().filter(|fact| {
            fact.seq > row.from
                && fact.seq < to
                && matches!(
                    fact.event,
                    Event::FrameSeen { .. } | Event::ActionEnded { .. }
                )
        });
        assert_eq!(case.samples.len(), between.count() + 1);
        assert_eq!(case.samples.len(), case.seqs.len());
        let first = case.samples[0].tick;
        assert_eq!(case.at_tick(0), 0);
        let last = case.samples.last().unwrap().tick - first;
        assert_eq!(case.samples[case.at_tick(last)].tick - first, last);
        assert_eq!(case.series[0].points.len(), case.attempt.samples.len());
    }
    let asks = index.asks_about(index.attempts[0].id);
    assert!(
        asks.iter().any(|ask| ask.role == MindRole::Planner),
        "{asks:?}"
    );
}
