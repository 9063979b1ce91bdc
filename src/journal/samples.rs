//! Samples for tests: one event of every kind, and the smallest values to make them from.

use crate::clock::Millis;
use crate::domain::ask::{Ask, Capsule, CapsuleAsk, Cited, Lesson};
use crate::domain::attempt::Stop;
use crate::domain::budget::{Budget, Limits};
use crate::domain::condition::Condition;
use crate::domain::decision::{By, GateKind, Gates, Policy, Question, Subject, Verdict};
use crate::domain::diagnosis::{
    Diagnosis, FailureReason, GuiEvents, Observables, StateDelta, Thresholds,
};
use crate::domain::event::{Event, Outcome, RunConfig, Then};
use crate::domain::experience::{Experience, Hit};
use crate::domain::knowledge::{
    Author, Body, Entry, Guardrail, Outcomes, Pattern, Provenance, Status, Use,
};
use crate::domain::note::{About, Note, Severity};
use crate::domain::plan::{Executor, Goal, Mode, Plan, Subgoal, TaskKind};
use crate::domain::profile::{Profile, Selector};
use crate::domain::state_card::StateCard;
use crate::domain::task::Task;
use crate::ids::{
    ActionId, AttemptId, CallId, DecisionId, ExperienceId, KnowledgeId, Revision, RunId, SubgoalId,
};
use crate::world::action::{Action, ActionReport};
use crate::world::counts::Counts;
use crate::world::family::ItemSpec;
use crate::world::observation::{Frame, Gui};
use crate::world::port::WorldSpec;
use crate::world::seen::SeenCells;
use crate::world::space::{Point, Pos};

pub(crate) fn item(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

pub(crate) fn config() -> RunConfig {
    let goal = item("oak_log");
    let success = vec![crate::domain::check::Check::InvGe {
        item: goal,
        count: 1,
    }];
    RunConfig {
        run: RunId(0),
        task: Task {
            text: "get a log".to_owned(),
            goal,
            count: 1,
            success,
        },
        world: WorldSpec {
            kind: "voxel".to_owned(),
            seed: u64::MAX - 3,
            frame_ticks: 20,
        },
        mind: "builtin:competent".to_owned(),
        profile: Profile {
            name: "steve-evolving".to_owned(),
            about: "the whole loop".to_owned(),
            k_tol: 2,
            recall: true,
            verify: true,
            show_skills: true,
            show_guardrails: true,
            distil_skills: true,
            distil_guardrails: true,
            selector: Selector::First,
        },
        gates: Gates::console(),
        budget: Budget::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
    }
}

pub(crate) fn frame(tick: u64, checksum: u64) -> Box<Frame> {
    let dirt = "dirt".parse().unwrap();
    Box::new(Frame {
        tick,
        time: 6000,
        position: Point::default(),
        yaw: 0.25,
        pitch: -0.1,
        health: 19.5,
        hunger: 20.0,
        air: 300,
        on_ground: true,
        underground: false,
        biome: "forest".to_owned(),
        light: 15,
        inventory: Counts::default(),
        held: None,
        gui: Gui::Closed,
        gui_opened: 0,
        gui_closed: 0,
        furnace: None,
        container_items: 0,
        crafted: Counts::default(),
        feats: Default::default(),
        experience: Default::default(),
        mobs: Vec::new(),
        notable: Vec::new(),
        trail: vec![Pos { x: 1, y: 64, z: -3 }],
        seen: SeenCells(vec![(Pos { x: 1, y: 63, z: -3 }, dirt)]),
        alive: true,
        checksum,
    })
}

pub(crate) fn subgoal(n: u64, target: &str) -> Subgoal {
    Subgoal {
        id: SubgoalId(n),
        condition: format!("mine a {target}"),
        task_kind: TaskKind::Mine,
        executor_hint: Executor::Mine,
        mode: Mode::Move,
        timeout_s: 60,
        checks: vec![crate::domain::check::Check::InvGe {
            item: item(target),
            count: 1,
        }],
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal: Goal {
            object: Some(item(target)),
            count: 1,
            material: None,
            tool: None,
            amount: None,
            info: None,
        },
        rationale: None,
    }
}

pub(crate) fn experience(run: u64, n: u64, target: &str, success: bool) -> Experience {
    let card = StateCard::of(&frame(20 * n, 0));
    Experience {
        id: ExperienceId { run: RunId(run), n },
        attempt: AttemptId(n),
        task: format!("get a {target}"),
        at: Millis(1000 + n),
        pre: card.clone(),
        action: subgoal(n, target),
        diagnosis: diagnosis(success),
        post: card,
        tags: vec!["forest".to_owned(), target.to_owned()],
        by_operator: false,
    }
}

fn diagnosis(success: bool) -> Diagnosis {
    let reason = (!success).then_some(FailureReason::ToolMissing);
    Diagnosis {
        success,
        reason,
        fail_type: reason.map(FailureReason::fail_type),
        confidence: 1.0,
        delta: StateDelta::default(),
        indicators: Vec::new(),
        trace: Vec::new(),
        runners_up: Vec::new(),
        report: None,
        summary: "so it went".to_owned(),
        observables: Observables {
            coords_start: Point::default(),
            coords_end: Point::default(),
            coords_variance: 0.5,
            inventory: Counts::default(),
            inv_delta: std::collections::BTreeMap::new(),
            is_gui_open: false,
            gui_state: "closed".to_owned(),
            gui_events: GuiEvents::default(),
            world_time: 6000,
            furnace_burn: None,
            furnace_cook: None,
            container_items: 0,
            crafted_items: Counts::default(),
        },
    }
}

pub(crate) fn guardrail(target: &str) -> Guardrail {
    Guardrail {
        trigger: Condition::All(Vec::new()),
        forbid: Pattern {
            target: Some(item(target)),
            ..Pattern::default()
        },
        avoid: "it breaks and nothing drops".to_owned(),
        recovery: Vec::new(),
        reason: FailureReason::ToolMissing,
    }
}

pub(crate) fn entry(run: u64, n: u64, target: &str) -> Entry {
    Entry {
        id: KnowledgeId { run: RunId(run), n },
        version: 1,
        status: Status::Proposed,
        author: Author::Mind("builtin".to_owned()),
        title: format!("do not mine {target} by hand"),
        body: Body::Guardrail(guardrail(target)),
        provenance: Provenance {
            run: Some(RunId(run)),
            task: "t".to_owned(),
            experiences: vec![ExperienceId { run: RunId(run), n }],
        },
        outcomes: Outcomes::default(),
        confidence: 0.5,
        created: Millis(5),
        history: Vec::new(),
    }
}

fn plan() -> Plan {
    Plan {
        plan_id: "p1".to_owned(),
        subgoals: vec![subgoal(1, "oak_log")],
        global_constraints: Vec::new(),
    }
}

fn report() -> ActionReport {
    ActionReport {
        failure: None,
        ticks: 40,
        broken: Vec::new(),
        gained: Counts::default(),
        used: Counts::default(),
    }
}

/// One event of every kind.
pub(crate) fn every_kind(run: u64) -> Vec<Event> {
    let mut events = of_run_and_mind();
    events.extend(of_plan());
    events.extend(of_action(run));
    events.extend(of_knowledge(run));
    events.extend(of_operator_and_end());
    events
}

fn of_run_and_mind() -> Vec<Event> {
    let cited = Cited {
        text: "logs drop by hand".to_owned(),
        src: vec!["e1.1".to_owned()],
    };
    let card = StateCard::of(&frame(0, 0));
    let ask = CapsuleAsk {
        task: config().task,
        state: card,
        hits: Vec::new(),
        knowledge: Vec::new(),
    };
    let hit = Hit {
        id: ExperienceId {
            run: RunId(1),
            n: 1,
        },
        score: 0.75,
        cosine: 0.5,
        exact: true,
        success: false,
        summary: "x".to_owned(),
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
        Event::FrameSeen {
            frame: frame(20, u64::MAX),
        },
        Event::RecallAsked {
            query: "get a log".to_owned(),
        },
        Event::Recalled {
            hits: vec![hit],
            knowledge: vec![entry(1, 1, "stone")],
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
        Event::AnswerRejected {
            call: CallId(1),
            fault: "not JSON".to_owned(),
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
        Event::PlanAdopted {
            revision: Revision(1),
        },
        Event::DecisionAsked { question },
        Event::DecisionMade {
            decision: DecisionId(1),
            verdict: Verdict::Approve,
            by: By::Policy,
        },
    ]
}

fn of_action(run: u64) -> Vec<Event> {
    let (attempt, action, subgoal) = (AttemptId(1), ActionId(1), SubgoalId(1));
    vec![
        Event::SubgoalSelected { subgoal },
        Event::AttemptStarted { attempt, subgoal },
        Event::ActionIssued {
            action,
            attempt,
            order: Action::Mine {
                item: item("oak_log"),
                count: 1,
            },
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
                root_cause: "no tool".to_owned(),
                constraint: None,
                next_actions: Vec::new(),
            },
        },
        Event::ConstraintBound {
            constraint: guardrail("stone"),
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
        },
        Event::KnowledgeProposed {
            entry: Box::new(entry(run, 1, "stone")),
        },
        Event::KnowledgeMerged {
            into: id,
            draft: Box::new(entry(run, 2, "stone")),
        },
        Event::KnowledgeSuppressed { by: id },
        Event::KnowledgeActivated { id },
        Event::KnowledgeEdited {
            id,
            body: entry(run, 1, "coal").body,
            reason: because.clone(),
        },
        Event::KnowledgeVetoed {
            id,
            reason: because,
        },
        Event::KnowledgeUsed {
            id,
            how: Use::Shown,
            subgoal: None,
        },
    ]
}

fn of_operator_and_end() -> Vec<Event> {
    let (by, because) = ("ann".to_owned(), "so".to_owned());
    vec![
        Event::Paused { by: by.clone() },
        Event::Resumed { by: by.clone() },
        Event::Stepped { by: by.clone() },
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
            because: because.clone(),
        },
        Event::RunEnded {
            outcome: Outcome::Aborted,
            because,
        },
    ]
}
