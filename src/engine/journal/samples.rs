//! Samples for tests: one event of every kind.

use super::samples_of_judging::{continued, explained, judged, reached, reflected, sequences};
use super::samples_of_servers::{reflex, rejoined};
use pithead_core::domain::experience::attempt::Stop;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::recall::Need;
use pithead_core::domain::experience::shared_options::OptionsOfOrigin;
use pithead_core::domain::experience::similar::SimilarityKey;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::effect::RunResult;
use pithead_core::domain::knowledge::hindsight::Blocked;
use pithead_core::domain::knowledge::{Author, EntryUse, Status};
use pithead_core::domain::mind::ask::{
    Ask, Capsule, CapsuleAsk, Cited, Lesson, RunSummary, TakenApart,
};
use pithead_core::domain::mind::evidence::FailedAttempt;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::study::{Studied, Topic};
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::note::{About, Note, Severity};
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::decision::{By, GateKind, Policy, Question, Subject, Verdict};
use pithead_core::domain::run::event::{Event, Then};
use pithead_core::domain::run::fork::{Fork, Kept};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::run::triage::{TriageAct, TriageSubject};
use pithead_core::domain::samples::{
    compared_step, config, entry, experience, frame, guardrail, hit, item, spent, subgoal,
};
use pithead_core::text::signature::Signature;
use pithead_world::action::{Action, ActionReport};
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::ids::{
    ActionId, AttemptId, CallId, DecisionId, KnowledgeId, Revision, RunId, Seq, SubgoalId,
};
use pithead_world::space::Pos;

fn plan() -> Plan {
    Plan {
        plan_id: "p1".to_owned(),
        subgoals: vec![subgoal(1, "oak_log")],
        global_constraints: Vec::new(),
        explanation: None,
        thoughts: None,
    }
}

fn report() -> ActionReport {
    ActionReport {
        failure: None,
        ticks: 40,
        broken: Vec::new(),
        gained: Counts::default(),
        used: Counts::default(),
        windows: Vec::new(),
    }
}

/// One event of every kind.
pub fn every_kind(run: u64) -> Vec<Event> {
    let mut events = of_run_and_mind();
    events.extend(of_answers());
    events.extend(of_plan());
    events.extend(of_action(run));
    events.extend(similar_failure_events(run));
    events.extend(of_study());
    events.extend(of_knowledge(run));
    events.extend(of_operator_and_end());
    events.extend(of_debugging());
    events
}

fn of_run_and_mind() -> Vec<Event> {
    let cited = Cited {
        text: "logs drop by hand".to_owned(),
        src: vec!["e1.1".to_owned()],
    };
    let card = StateSummary::from_frame(&frame(0, 0));
    let ask = CapsuleAsk {
        task: config().task,
        state: card,
        hits: Vec::new(),
        knowledge: Vec::new(),
    };
    vec![
        Event::RunStarted {
            config: Box::new(config()),
        },
        Event::WorldAsked,
        Event::WorldReady { frame: frame(0, 7) },
        Event::WorldLost {
            because: "gone".to_owned(),
        },
        rejoined(),
        Event::BodyReacted { reflex: reflex() },
        Event::BodySpoke {
            text: "hello".to_owned(),
            by: "anna".to_owned(),
        },
        Event::FrameSeen {
            frame: frame(20, u64::MAX),
        },
        recall_asked(),
        Event::Recalled {
            hits: vec![hit(1, 1, false)],
            knowledge: vec![entry(1, 1, "stone")],
            options: pithead_core::domain::experience::option::TriedOptions::default(),
        },
        Event::CapsuleMade {
            capsule: Capsule {
                facts: vec![cited],
                ..Capsule::default()
            },
        },
        Event::MindAsked {
            call: CallId(1),
            ask: Box::new(Ask::Capsule(ask)),
        },
        Event::MindAnswered {
            call: CallId(1),
            text: "{\"facts\":[]}".to_owned(),
            ms: 3,
        },
        Event::MindFailed {
            call: CallId(1),
            because: "no".to_owned(),
        },
    ]
}

fn of_answers() -> Vec<Event> {
    vec![
        Event::AnswerRejected {
            call: CallId(1),
            fault: "not JSON".to_owned(),
        },
        Event::AnswerRepaired {
            call: CallId(1),
            repairs: vec!["a comment left out".to_owned()],
        },
        Event::MindCharged {
            call: CallId(1),
            spent: Box::new(spent()),
        },
        Event::MindWithheld {
            call: CallId(2),
            because: "it might cost more than is left".to_owned(),
        },
        Event::MindUnavailable {
            call: CallId(2),
            because: "the server answered 401".to_owned(),
        },
        Event::RoleReplaced {
            role: MindRole::Skill,
            because: "no usable answer".to_owned(),
        },
        Event::OptionsImported {
            options: Box::new(OptionsOfOrigin {
                origin: Signature(7),
                attempts: 0,
                records: Vec::new(),
            }),
            after: RunId(1),
            source: "kb.yaml".to_owned(),
            by: "ann".to_owned(),
        },
        Event::LabelOverruled {
            attempt: AttemptId(1),
            was: FailureReason::NavStuck,
            label: FailureReason::Timeout,
            reason: "it was on its way".to_owned(),
            by: "ann".to_owned(),
        },
    ]
}

fn of_plan() -> Vec<Event> {
    let note = Note {
        severity: Severity::Error,
        subgoal: Some(SubgoalId(1)),
        about: About::GoalNotReached,
        text: "the goal is not reached".to_owned(),
    };
    let question = Question {
        id: DecisionId(1),
        kind: GateKind::Plan,
        subject: Subject::Plan(Revision(1)),
        policy: Policy::Ask,
        asked: Millis(3),
        deadline: None,
        held: None,
    };
    vec![
        Event::PlanProposed {
            revision: Revision(1),
            plan: plan(),
            replaces: None,
        },
        Event::PlanVerified {
            revision: Revision(1),
            notes: vec![note],
        },
        judged(),
        Event::PlanAdopted {
            revision: Revision(1),
        },
        continued(),
        Event::DecisionAsked { question },
        Event::DecisionMade {
            decision: DecisionId(1),
            verdict: Verdict::Approve,
            by: By::Policy,
        },
        Event::DecisionHeld {
            decision: DecisionId(1),
            by: "ann".to_owned(),
        },
        Event::DecisionReleased {
            decision: DecisionId(1),
            deadline: Millis(9),
            by: "ann".to_owned(),
        },
    ]
}

fn of_action(run: u64) -> Vec<Event> {
    let (attempt, action, subgoal) = (AttemptId(1), ActionId(1), SubgoalId(1));
    vec![
        Event::SubgoalSelected {
            subgoal,
            candidates: vec![compared_step(subgoal)],
        },
        Event::AttemptStarted { attempt, subgoal },
        Event::ActionIssued {
            action,
            attempt,
            order: Action::Mine {
                item: item("oak_log"),
                count: 1,
            },
            keep: Counts::default(),
        },
        Event::ActionCancelled {
            action,
            stop: Stop::TimedOut,
        },
        Event::ActionEnded {
            action,
            report: report(),
            frame: frame(40, 9),
        },
        Event::AttemptEnded {
            attempt,
            experience: Box::new(experience(run, 1, "oak_log", false)),
        },
        Event::SubgoalDone { subgoal },
        Event::ReplanStarted {
            subgoal,
            because: "twice".to_owned(),
        },
        Event::LessonLearnt {
            lesson: Lesson {
                is_guess: false,
                root_cause: "no tool".to_owned(),
                constraint: None,
                next_actions: Vec::new(),
            },
        },
        Event::ConstraintBound {
            constraint: guardrail("stone"),
        },
        Event::GoalTakenApart {
            apart: TakenApart {
                goal: plan().subgoals[0].goal.clone(),
                before: Vec::new(),
            },
        },
        reached(plan().subgoals[0].goal.clone()),
        explained(subgoal),
        Event::RunSummarised {
            summary: RunSummary::default(),
        },
    ]
}

fn similar_failure_events(run: u64) -> Vec<Event> {
    vec![
        Event::SimilarFailuresAsked {
            subgoal: SubgoalId(1),
            key: SimilarityKey::of_failure(
                &subgoal(1, "stone"),
                FailureReason::NavStuck,
                u64::MAX - 3,
                Pos { x: 1, y: 64, z: -3 },
            ),
        },
        Event::SimilarFailuresFound {
            subgoal: SubgoalId(1),
            earlier: vec![FailedAttempt {
                suggestion: None,
                attempt: AttemptId(1),
                run: Some(RunId(run)),
                pre: experience(run, 1, "stone", false).pre,
                diagnosis: experience(run, 1, "stone", false).diagnosis,
            }],
        },
    ]
}

fn of_study() -> Vec<Event> {
    let subgoal = SubgoalId(1);
    vec![
        reflected(),
        Event::StudyBegun {
            topics: vec![Topic::Skill, Topic::Guardrail { subgoal }],
            drafts: Vec::new(),
            then: Then::Replan { subgoal },
        },
        Event::StudySettled {
            studied: Box::new(Studied {
                topic: Topic::Rules,
                by_mind: true,
                because: "so".to_owned(),
                drafts: Vec::new(),
                more: Vec::new(),
            }),
        },
    ]
}

fn of_knowledge(run: u64) -> Vec<Event> {
    let id = KnowledgeId {
        run: RunId(run),
        n: 1,
    };
    let because = "so".to_owned();
    let then = Then::End {
        outcome: Outcome::Success,
        because: because.clone(),
    };
    vec![
        Event::LookupAsked {
            drafts: vec![entry(run, 1, "stone")],
            then,
        },
        Event::LookedUp {
            found: vec![None, Some((id, Status::Vetoed))],
            blocked: vec![Blocked::default()],
            sequences: sequences(),
        },
        Event::KnowledgeProposed {
            entry: Box::new(entry(run, 1, "stone")),
        },
        Event::KnowledgeMerged {
            into: id,
            draft: Box::new(entry(run, 2, "stone")),
        },
        Event::KnowledgeSuppressed { by: id },
        Event::KnowledgeActivated {
            id,
            by: Some(By::Policy),
        },
        Event::KnowledgeEdited {
            id,
            body: entry(run, 1, "coal").body,
            reason: because.clone(),
            by: Some(By::Operator("ann".to_owned())),
        },
        Event::KnowledgeVetoed {
            id,
            reason: because,
            by: None,
        },
        Event::KnowledgeMoved {
            id,
            to: Status::Retired,
            reason: "it did harm".to_owned(),
            by: Author::Policy("outcomes".to_owned()),
            other: None,
        },
        Event::KnowledgeUsed {
            id,
            how: EntryUse::Shown,
            subgoal: None,
        },
        Event::KnowledgeWithheld {
            ids: vec![KnowledgeId { run: id.run, n: 3 }],
        },
        Event::KnowledgeMeasured {
            given: vec![id],
            withheld: vec![KnowledgeId { run: id.run, n: 3 }],
            result: RunResult {
                success: true,
                failed_attempts: 2,
                ticks: 40,
            },
        },
    ]
}

fn of_operator_and_end() -> Vec<Event> {
    let (by, because) = ("ann".to_owned(), "so".to_owned());
    vec![
        Event::Paused { by: by.clone() },
        Event::Resumed { by: by.clone() },
        Event::Stepped { by: by.clone() },
        Event::TakenOver {
            subgoal: Box::new(subgoal(9, "oak_log")),
            by: "ann".to_owned(),
        },
        Event::Steered {
            how: pithead_core::domain::run::steering::Steering::Retry(SubgoalId(9)),
            by: by.clone(),
        },
        Event::PolicySet {
            kind: GateKind::Plan,
            policy: Policy::Auto,
            by: by.clone(),
        },
        Event::PaceSet {
            times_realtime: 8.0,
            by,
        },
        Event::CommandRefused {
            command: "step".to_owned(),
            decision: None,
            because: because.clone(),
        },
        Event::RunEnded {
            outcome: Outcome::Aborted,
            because,
        },
    ]
}

fn of_debugging() -> Vec<Event> {
    let (by, run) = ("ann".to_owned(), RunId(1));
    let on: pithead_core::domain::run::breakpoint::BreakOn =
        "subgoal mine *".parse().expect("it is one");
    let fork = Fork {
        from: run,
        at: Seq(3),
        without: vec![KnowledgeId { run, n: 1 }],
        thresholds: Some(pithead_core::domain::experience::thresholds::Thresholds::default()),
        kept: vec![Kept {
            kind: GateKind::Skill,
            about: Some(pithead_core::text::signature::Signature(7)),
            verdict: Verdict::Approve,
            by: by.clone(),
        }],
        policies: vec![(GateKind::Plan, Policy::Ask)],
        by: by.clone(),
    };
    vec![
        Event::BreaksSet {
            breaks: vec![Breakpoint::new(on.clone())],
            by: by.clone(),
        },
        Event::BreakHit {
            on,
            because: "a1 begins".to_owned(),
        },
        Event::RunForked {
            fork: Box::new(fork),
        },
        Event::BookmarkSet {
            run,
            seq: Seq(9),
            tick: 40,
            note: "here".to_owned(),
            by: by.clone(),
        },
        Event::BookmarkRemoved {
            run,
            seq: Seq(9),
            by: by.clone(),
        },
        Event::Triaged {
            subject: TriageSubject::Run(run),
            act: TriageAct::Comment("gravel".to_owned()),
            by,
        },
    ]
}

fn recall_asked() -> Event {
    Event::RecallAsked {
        query: "get a log".to_owned(),
        condition: Some(pithead_core::text::signature::Signature(u64::MAX)),
        cells: Some(pithead_core::domain::experience::cell::Cells::containing(
            7,
            pithead_world::space::Pos::default(),
        )),
        needs: Need::of_step(&subgoal(1, "coal"), true)
            .into_iter()
            .collect(),
    }
}
