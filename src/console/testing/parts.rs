//! The nouns of the made-up run: its configuration, subgoals, diagnosis, entries and cave.

use pithead_core::domain::check::Check;
use pithead_core::domain::condition::{Condition, Predicate};
use pithead_core::domain::experience::diagnosis::{
    Diagnosis, FailureReason, Indicator, Observables, TraceStep,
};
use pithead_core::domain::knowledge::{
    Author, Body, Entry, Guardrail, Pattern, Provenance, Remedy, Status,
};
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::plan::{Executor, Goal, Subgoal, TaskKind};
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::domain::samples;
use pithead_world::action::ActionFailure;
use pithead_world::block;
use pithead_world::block::BlockId;
use pithead_world::clock::Millis;
use pithead_world::ids::{ExperienceId, RunId};
use pithead_world::item::ItemId;
use pithead_world::observation::Frame;
use pithead_world::port::WorldSpec;
use pithead_world::space::Pos;

pub(crate) fn item(name: &str) -> ItemId {
    ItemId::named(name).expect("the item exists")
}

pub(crate) fn spec(name: &str) -> pithead_world::family::ItemSpec {
    item(name).into()
}

pub(crate) fn subgoal(id: u64, executor: Executor, object: &str, count: u32) -> Subgoal {
    let task_kind = match executor {
        Executor::Craft => TaskKind::Craft,
        Executor::Smelt => TaskKind::Smelt,
        Executor::DigDown => TaskKind::Move,
        _ => TaskKind::Mine,
    };
    let is_dig = executor == Executor::DigDown;
    let goal = Goal {
        object: (!is_dig).then(|| spec(object)),
        count,
        material: None,
        tool: None,
        amount: is_dig.then_some(12),
        info: None,
    };
    let check = if is_dig {
        Check::YposLe { y: 12 }
    } else {
        Check::InvGe {
            item: spec(object),
            count,
        }
    };
    Subgoal {
        condition: format!("get {count} {object}"),
        task_kind,
        executor_hint: executor,
        timeout_s: 90,
        checks: vec![check],
        goal,
        ..samples::subgoal(id, "stone")
    }
}

pub(crate) fn config() -> RunConfig {
    let sample = samples::config();
    RunConfig {
        run: RunId(42),
        task: Task::parse("obtain a diamond").expect("the task is known"),
        world: WorldSpec {
            seed: 7,
            ..sample.world
        },
        budget: Budget {
            ticks: 12_000,
            ..Budget::default()
        },
        ..sample
    }
}

/// A tunnel through stone with gravel, water and an ore beside it.
pub(crate) fn cave(feet: Pos) -> Vec<(Pos, BlockId)> {
    let mut cells = Vec::new();
    for dx in -14..22 {
        for dz in -9..10 {
            let at = feet.plus(dx, 0, dz);
            let open = dz.abs() <= 1 + (dx / 5).rem_euclid(3) || (dx > 6 && dz < 0 && dz > -5);
            if (dx * dx + dz * dz * 3) > 380 {
                continue;
            }
            if open {
                let floor = if dx > 9 && dz < -2 {
                    block::WATER
                } else {
                    block::STONE
                };
                cells.push((at.down(), if dx < -8 { block::DIRT } else { floor }));
                cells.push((at, block::AIR));
            } else {
                cells.push((
                    at,
                    if (dx + dz) % 7 == 0 {
                        block::GRAVEL
                    } else {
                        block::STONE
                    },
                ));
            }
        }
    }
    cells
}

pub(crate) fn diagnosis(
    reason: Option<FailureReason>,
    report: Option<ActionFailure>,
    frame: &Frame,
) -> Diagnosis {
    let stuck = TraceStep {
        predicate: "σ²_coord < ε_nav".to_owned(),
        inputs: "positions of the last 280 ticks".to_owned(),
        value: Some(0.02),
        threshold: Some(0.25),
        holds: true,
        speaks_for: Some(FailureReason::NavStuck),
    };
    let missing = TraceStep {
        predicate: "reported missing ingredient".to_owned(),
        inputs: "the body's report".to_owned(),
        value: None,
        threshold: None,
        holds: false,
        speaks_for: Some(FailureReason::ToolMissing),
    };
    let summary = match reason {
        None => "all checks are true",
        Some(_) => {
            "14 s without moving and no item gained; the path is blocked by gravel at 12 43 -7"
        }
    };
    let sample = samples::diagnosis(reason.is_none());
    Diagnosis {
        reason,
        fail_type: reason.map(FailureReason::fail_type),
        confidence: if reason.is_some() { 0.91 } else { 1.0 },
        indicators: indicators(reason.is_some()),
        trace: vec![missing, stuck],
        runners_up: reason
            .map(|_| FailureReason::PathUnreachable)
            .into_iter()
            .collect(),
        report,
        summary: summary.to_owned(),
        observables: Observables {
            coords_start: frame.position,
            coords_end: frame.position,
            coords_variance: 0.02,
            inventory: frame.inventory.clone(),
            world_time: frame.tick,
            ..sample.observables
        },
        ..sample
    }
}

pub(crate) fn guardrail() -> Guardrail {
    Guardrail {
        trigger: Condition::All(vec![
            Condition::Is(Predicate::Underground),
            Condition::Is(Predicate::SubgoalKind(TaskKind::Mine)),
        ]),
        forbid: Pattern {
            kind: Some(TaskKind::Mine),
            ..Pattern::default()
        },
        avoid: "gravel falls into the tunnel and blocks the way".to_owned(),
        recovery: vec![Remedy::MoveAway { blocks: 8 }],
        reason: FailureReason::NavStuck,
    }
}

pub(crate) fn entry(n: u64, status: Status, title: &str) -> Entry {
    let run = if status == Status::Proposed { 42 } else { 3 };
    Entry {
        status,
        author: Author::Mind("builtin:competent".to_owned()),
        title: title.to_owned(),
        body: Body::Guardrail(guardrail()),
        provenance: Provenance {
            run: Some(RunId(42)),
            task: "obtain a diamond".to_owned(),
            experiences: vec![ExperienceId {
                run: RunId(42),
                n: 6,
            }],
            ..Provenance::default()
        },
        confidence: 0.7,
        created: Millis(0),
        ..samples::entry(run, n, "stone")
    }
}

pub(crate) fn first_plan() -> Vec<Subgoal> {
    vec![
        subgoal(1, Executor::Mine, "oak_log", 4),
        subgoal(2, Executor::Craft, "crafting_table", 1),
        subgoal(3, Executor::Craft, "wooden_pickaxe", 1),
        subgoal(4, Executor::Mine, "cobblestone", 11),
        subgoal(5, Executor::Craft, "furnace", 1),
        subgoal(6, Executor::Mine, "iron_ore", 3),
        subgoal(7, Executor::Smelt, "iron_ingot", 3),
    ]
}

fn indicators(failed: bool) -> Vec<Indicator> {
    let indicator = |name: &str, value, unit: &str, threshold| Indicator {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        threshold,
    };
    vec![
        indicator(
            "σ²_coord",
            if failed { 0.02 } else { 8.5 },
            "blocks²",
            Some(0.25),
        ),
        indicator(
            "‖Δ_inv‖₁",
            if failed { 0.0 } else { 3.0 },
            "items",
            Some(0.0),
        ),
        indicator("net/gross", 0.63, "1", Some(0.15)),
        indicator("without progress", 280.0, "ticks", None),
    ]
}
