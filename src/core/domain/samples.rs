//! Samples for tests: the smallest values of the nouns, from which other made-up ones are changed.

#![allow(clippy::unwrap_used)] // for tests: a sample that cannot be made is a fault of the test

use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::experience::diagnosis::{
    Diagnosis, FailureReason, GuiEvents, Observables, StateDelta,
};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::experience::thresholds::Thresholds;
use crate::domain::experience::{Experience, Hit};
use crate::domain::horizon::Horizon;
use crate::domain::knowledge::inputs::{Flow, Inputs};
use crate::domain::knowledge::{
    Author, Body, Entry, Guardrail, Outcomes, Pattern, Provenance, Skill, Status,
};
use crate::domain::mind::role::MindRole;
use crate::domain::mind::spending::Spent;
use crate::domain::plan::form::PlanForm;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Executor, Goal, Mode, Subgoal, TaskKind};
use crate::domain::run::budget::{Budget, Limits};
use crate::domain::run::compared_step::ComparedStep;
use crate::domain::run::decision::Gates;
use crate::domain::run::event::RunConfig;
use crate::domain::run::profile::{Profile, Selector};
use crate::domain::run::rulebook::Rulebook;
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{AttemptId, ExperienceId, KnowledgeId, RunId, SubgoalId};
use pithead_world::observation::Frame;
use pithead_world::port::WorldSpec;
use pithead_world::seen::SeenCells;
use pithead_world::space::{Point, Pos};
use std::collections::BTreeMap;

pub fn item(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

#[must_use]
pub fn compared_step(subgoal: SubgoalId) -> ComparedStep {
    ComparedStep {
        subgoal,
        horizon: Horizon {
            ticks: 120,
            early: 40,
            late: 320,
        },
        probability: 1.0,
    }
}

#[must_use]
pub fn config() -> RunConfig {
    let goal = item("oak_log");
    let success = vec![Check::InvGe {
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
            any: false,
            note: None,
            blueprints: Vec::new(),
        },
        world: WorldSpec {
            kind: "voxel".to_owned(),
            seed: u64::MAX - 3,
            frame_ticks: 20,
            aids: pithead_world::aids::WorldAids::default(),
            server: None,
        },
        mind: "builtin:competent".to_owned(),
        profile: Profile {
            name: "steve-evolving".to_owned(),
            about: "the whole loop".to_owned(),
            k_tol: 2,
            recall: true,
            recall_experience: None,
            verify: true,
            show_skills: true,
            show_guardrails: true,
            guardrails_refuse: None,
            guardrails_block: None,
            use_options: None,
            distil_skills: true,
            distil_guardrails: true,
            selector: Selector::First,
            decompose: false,
            wiki: false,
            explain: false,
            summarise: false,
            reference_plans: false,
            judge: false,
            learn_rules: false,
            use_rules: false,
            ask_cause: None,
            rounds: None,
            track: false,
            form: PlanForm::Whole,
            reflect: false,
        },
        gates: Gates::console(),
        budget: Budget::default(),
        rulebook: Rulebook::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
        counts_what_is_used_up: false,
        distillers: Vec::new(),
        hold_out: 0,
        horizon_model: None,
    }
}

pub fn frame(tick: u64, checksum: u64) -> Box<Frame> {
    let dirt = "dirt".parse().unwrap();
    Box::new(Frame {
        tick,
        position: Point::default(),
        yaw: 0.25,
        pitch: -0.1,
        health: 19.5,
        trail: vec![Pos { x: 1, y: 64, z: -3 }],
        seen: SeenCells(vec![(Pos { x: 1, y: 63, z: -3 }, dirt)]),
        checksum: checksum.into(),
        ..Frame::standing()
    })
}

pub fn subgoal(n: u64, target: &str) -> Subgoal {
    Subgoal {
        id: SubgoalId(n),
        condition: format!("mine a {target}"),
        task_kind: TaskKind::Mine,
        executor_hint: Executor::Mine,
        mode: Mode::Move,
        timeout_s: 60,
        checks: vec![Check::InvGe {
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
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    }
}

/// An attempt that crafted so many pieces, and what went in.
pub fn crafted(made: &str, pieces: i64, used: &str) -> Experience {
    let mut done = experience(1, 1, made, true);
    done.action.task_kind = TaskKind::Craft;
    let delta = &mut done.diagnosis.delta;
    delta.inventory = [(made.parse().unwrap(), pieces)].into();
    delta.used = used.parse().unwrap();
    done
}

pub fn experience(run: u64, n: u64, target: &str, success: bool) -> Experience {
    let card = StateSummary::from_frame(&frame(20 * n, 0));
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
        called_off: false,
        judged: None,
    }
}

pub fn diagnosis(success: bool) -> Diagnosis {
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

pub fn guardrail(target: &str) -> Guardrail {
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

pub fn entry(run: u64, n: u64, target: &str) -> Entry {
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
            ..Provenance::default()
        },
        outcomes: Outcomes::default(),
        confidence: 0.5,
        created: Millis(5),
        history: Vec::new(),
    }
}

pub fn spent() -> Spent {
    Spent {
        role: MindRole::Planner,
        server: "local".to_owned(),
        model: "m1".to_owned(),
        tokens_in: 1_200,
        tokens_out: 300,
        tokens_cached: None,
        counted: true,
        micros: Some(4_500),
        tries: 1,
        first_token_ms: Some(40),
        ms: 900,
        form: "json_schema".to_owned(),
        fallback: None,
    }
}

/// A skill of which each step was seen once: "craft 1 furnace", what it used up, and what it had that stayed.
pub fn seen_skill(goal: &str, requires: &str, steps: &[(&str, &str, &str)]) -> Skill {
    let flow = |(words, used, held): &(&str, &str, &str)| {
        let made: u64 = words.split(' ').nth(1).unwrap().parse().unwrap();
        let used = used.split(", ").filter(|part| !part.is_empty());
        let used = used.map(|part| {
            let (name, n) = part.split_once(' ').unwrap();
            (item(name), n.parse().unwrap())
        });
        Flow {
            inputs: vec![Inputs {
                used: used.collect(),
                made,
                times: 1,
            }],
            held: held
                .split(", ")
                .filter(|h| !h.is_empty())
                .map(item)
                .collect(),
            by_products: BTreeMap::new(),
        }
    };
    let step = |(words, _, _): &(&str, &str, &str)| {
        let (kind, rest) = words.split_once(' ').unwrap();
        let (count, object) = rest.split_once(' ').unwrap();
        format!(
            r#"{{"task_kind":"{kind}","condition":"{words}","goal":{{"object":"{object}","count":{count}}}}}"#
        )
    };
    let steps_json: Vec<String> = steps.iter().map(step).collect();
    let plan = format!(r#"{{"subgoals":[{}]}}"#, steps_json.join(","));
    let (plan, _) = crate::domain::plan::json::parse_plan(&plan).unwrap();
    Skill {
        goal: item(goal),
        count: 1,
        requires: requires.parse().unwrap(),
        steps: plan.subgoals,
        success: vec![Check::InvGe {
            item: item(goal),
            count: 1,
        }],
        effects: BTreeMap::new(),
        flows: steps.iter().map(flow).collect(),
    }
}

/// Experience `run.n` as recall finds it: getting one oak log.
#[must_use]
pub fn hit(run: u64, n: u64, success: bool) -> Hit {
    let e = experience(run, n, "oak_log", success);
    Hit {
        id: e.id,
        score: 0.75,
        cosine: 0.5,
        delta: 1.0,
        exact: true,
        success,
        summary: "a log".to_owned(),
        target: e.action.goal.object,
        reason: e.diagnosis.reason,
        confidence: e.diagnosis.confidence,
        checks: e.action.checks,
        at: None,
        inv_delta: e.diagnosis.delta.inventory,
        ticks: 20,
        mended: None,
    }
}
