//! What the parts of an ask change in an answer: vetoes, skills, notes, what is done.

use super::beliefs::Beliefs;
use super::errors::{Error, Fact};
use super::tests::{entry, expert, plan_ask, spec, words};
use super::{capsule, planner};
use crate::mind::builtin::sim::Sim;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::inputs::{Flow, Inputs};
use pithead_core::domain::knowledge::{
    Body, Entry, Guardrail, Pattern, Remedy, Skill, TaskGuardrail,
};
use pithead_core::domain::mind::ask::{CapsuleAsk, PlanAsk};
use pithead_core::domain::mind::evidence::Rejected;
use pithead_core::domain::plan::note::{About, Note, Severity};
use pithead_core::domain::plan::{Executor, Plan, Subgoal, TaskKind};
use pithead_world::block::FURNACE;
use pithead_world::item::{Tier, ToolKind};

pub(super) fn plan(beliefs: &Beliefs, ask: &PlanAsk) -> Plan {
    planner::plan(beliefs, ask).unwrap()
}

#[track_caller]
fn check_veto(task: &str, reason: &str, expected: &str, said: &str) {
    let ask = PlanAsk {
        vetoes: vec![reason.to_owned()],
        ..plan_ask(task, &Sim::new(""))
    };
    let plan = plan(&expert(), &ask);
    assert!(words(&plan).contains(expected), "{}", words(&plan));
    let rationale = plan.subgoals[0].rationale.as_deref().unwrap();
    assert!(
        rationale.contains(reason) && rationale.contains(said),
        "{rationale}"
    );
}

#[test]
fn a_veto_that_names_things_changes_the_plan_or_is_answered() {
    check_veto(
        "craft a furnace",
        "use spruce",
        "mine 3 spruce_log",
        "otherwise",
    );
    check_veto(
        "craft an iron pickaxe",
        "use coal as fuel",
        "mine 1 coal;",
        "otherwise",
    );
    check_veto(
        "craft an iron pickaxe",
        "do not craft a furnace",
        "craft 3 furnace",
        "no other way",
    );
    check_veto(
        "craft a furnace",
        "I do not like it",
        "craft 1 furnace",
        "no other way",
    );
}

fn forgetful() -> Beliefs {
    Beliefs::wrong_in(&[(Fact::Table(spec("wooden_pickaxe")), Error::Forgotten)])
}

#[test]
fn a_skill_shown_begins_the_plan_and_the_rest_follows() {
    let way = plan(
        &expert(),
        &plan_ask("craft a wooden pickaxe", &Sim::new("")),
    );
    let skill = Body::Skill(Skill {
        goal: spec("wooden_pickaxe"),
        count: 1,
        requires: Condition::always(),
        steps: way.subgoals.clone(),
        success: way.subgoals.last().unwrap().checks.clone(),
        effects: [
            (spec("wooden_pickaxe"), 1),
            (spec("crafting_table"), 1),
            (spec("stick"), 2),
        ]
        .into(),
        flows: Vec::new(),
    });
    let mut ask = plan_ask("craft a stone pickaxe", &Sim::new(""));
    assert!(Sim::new("").run(&plan(&forgetful(), &ask)).1.is_some());
    ask.knowledge = vec![entry(1, skill)];
    let taught = plan(&forgetful(), &ask);
    assert!(words(&taught).starts_with(&words(&way)));
    assert!(
        words(&taught).ends_with("mine 3 cobblestone; craft 1 stone_pickaxe"),
        "{}",
        words(&taught)
    );
    assert!(Sim::new("").run(&taught).1.is_none());
}

/// A skill that made so many pieces by the steps of a plan for them, and what the last step was seen to use up; without
/// that it is from elsewhere.
fn skill_from_plan(task: &str, used: Option<(&str, u32)>, made: (&str, u32)) -> Entry {
    let way = plan(&expert(), &plan_ask(task, &Sim::new("")));
    let last = way.subgoals.last().unwrap().clone();
    let seen = used.map(|(item, count)| Flow {
        inputs: vec![Inputs::seen_once(
            &[(item.parse().unwrap(), count)].into_iter().collect(),
            made.1.into(),
        )],
        ..Flow::default()
    });
    let nothing = way.subgoals[1..].iter().map(|_| Flow::default());
    let skill = Skill {
        goal: spec(made.0),
        count: made.1,
        requires: Condition::always(),
        success: last.checks,
        effects: [(spec(made.0), i64::from(made.1))].into(),
        flows: seen.map_or_else(Vec::new, |seen| nothing.chain([seen]).collect()),
        steps: way.subgoals,
    };
    entry(1, Body::Skill(skill))
}

#[test]
fn a_skill_gathers_nothing_for_what_the_stock_gives() {
    for (task, of, made, held) in [
        (
            "obtain 9 sugar",
            ("sugar_cane", 9),
            ("sugar", 9),
            "honey_bottle=3",
        ),
        (
            "obtain 4 jungle planks",
            ("jungle_log", 1),
            ("jungle_planks", 4),
            "jungle_wood=1",
        ),
    ] {
        let mut ask = plan_ask(task, &Sim::new(held));
        let plain = words(&plan(&expert(), &ask));
        assert!(plain.starts_with("craft"), "{plain}");
        for used in [Some(of), None] {
            ask.knowledge = vec![skill_from_plan(task, used, made)];
            assert_eq!(words(&plan(&expert(), &ask)), plain);
        }
    }
}

/// A skill that leads below ground is no beginning where wood for spare tools is still to be got.
#[test]
fn a_skill_that_has_to_be_climbed_back_from_is_left_out() {
    let way = plan(&expert(), &plan_ask("craft an iron pickaxe", &Sim::new("")));
    let below = |plan: &Plan| {
        let dug = |s: &&Subgoal| s.executor_hint == Executor::DigDown;
        plan.subgoals.iter().filter(dug).count()
    };
    assert!(below(&way) > 0, "{}", words(&way));
    let skill = Body::Skill(Skill {
        goal: spec("iron_pickaxe"),
        count: 1,
        requires: Condition::always(),
        steps: way.subgoals.clone(),
        success: way.subgoals.last().unwrap().checks.clone(),
        effects: [(spec("iron_pickaxe"), 1), (spec("crafting_table"), 1)].into(),
        flows: Vec::new(),
    });
    let mut ask = plan_ask("obtain a diamond", &Sim::new(""));
    let plain = plan(&expert(), &ask);
    ask.knowledge = vec![entry(1, skill.clone())];
    let climbs = |plan: &Plan| {
        let up = |s: &&Subgoal| s.executor_hint == Executor::GoUp;
        plan.subgoals.iter().filter(up).count()
    };
    let with = plan(&expert(), &ask);
    assert!(climbs(&with) <= climbs(&plain), "{}", words(&with));
    // Where nothing is left to be got above, the way down is taken as it was shown.
    let mut same = plan_ask("craft an iron pickaxe", &Sim::new(""));
    same.knowledge = vec![entry(1, skill)];
    assert_eq!(words(&plan(&expert(), &same)), words(&way));
}

#[test]
fn notes_on_a_rejected_plan_are_taken_in() {
    let beliefs = Beliefs::wrong_in(&[(
        Fact::Count {
            product: spec("bucket"),
            ingredient: spec("iron_ingot"),
        },
        Error::Fewer,
    )]);
    let mut ask = plan_ask("craft a bucket", &Sim::new(""));
    let first = plan(&beliefs, &ask);
    let about = About::WrongQuantity {
        item: spec("iron_ingot"),
        have: 2,
        need: 3,
    };
    let last = first.subgoals.last().map(|s| s.id);
    let note = Note {
        severity: Severity::Error,
        subgoal: last,
        about,
        text: String::new(),
    };
    ask.rejected = Some(Rejected {
        plan: first,
        notes: vec![note],
        answer: None,
    });
    assert!(words(&plan(&beliefs, &ask)).contains("smelt 3 iron_ingot"));
}

/// A guardrail: before doing this, see to that.
pub(super) fn first(kind: TaskKind, target: &str, remedy: Remedy) -> Guardrail {
    Guardrail {
        trigger: Condition::always(),
        forbid: Pattern {
            kind: Some(kind),
            target: Some(spec(target)),
            tool: None,
            region: None,
            text: None,
        },
        avoid: String::new(),
        recovery: vec![remedy],
        reason: FailureReason::ToolMissing,
    }
}

#[test]
fn advice_that_cannot_be_followed_takes_nothing_else_with_it() {
    let pickaxe = Remedy::Tool {
        kind: ToolKind::Pickaxe,
        tier: Tier::Stone,
    };
    let furnace = Remedy::Station { block: FURNACE };
    let beliefs = Beliefs::wrong_in(&[
        (Fact::Tool(spec("iron_ore")), Error::TierLower),
        (Fact::Furnace(spec("iron_ingot")), Error::Forgotten),
    ]);
    let mut ask = plan_ask("craft an iron pickaxe", &Sim::new(""));
    ask.knowledge = vec![
        entry(
            1,
            Body::Guardrail(first(TaskKind::Mine, "iron_ore", pickaxe.clone())),
        ),
        entry(
            2,
            Body::Guardrail(first(TaskKind::Smelt, "iron_ingot", furnace)),
        ),
    ];
    let taught = plan(&beliefs, &ask);
    // What a stone pickaxe is made of cannot be had with one only.
    ask.lessons = vec![first(TaskKind::Mine, "cobblestone", pickaxe)];
    let replanned = words(&plan(&beliefs, &ask));
    for step in [" stone_pickaxe;", " furnace;"] {
        assert!(words(&taught).contains(step), "{}", words(&taught));
        assert!(replanned.contains(step), "{replanned}");
    }
}

#[test]
fn what_a_failed_run_lacked_is_got_before_the_step_at_which_it_failed() {
    let sword = TaskGuardrail {
        before: first(TaskKind::Mine, "iron_ore", Remedy::GoBelow { y: 0 }).forbid,
        missing: vec![Remedy::Have {
            item: spec("stone_sword"),
            count: 1,
        }],
        ..TaskGuardrail::default()
    };
    let mut ask = plan_ask("craft an iron pickaxe", &Sim::new(""));
    let plain = words(&plan(&expert(), &ask));
    ask.knowledge = vec![entry(1, Body::TaskGuardrail(sword.clone()))];
    let taught = words(&plan(&expert(), &ask));
    let at = |step: &str| {
        taught
            .find(step)
            .unwrap_or_else(|| panic!("{step}: {taught}"))
    };
    assert!(!plain.contains("stone_sword"), "{plain}");
    assert!(at("craft 1 stone_sword") < at("iron_ore"), "{taught}");
    // Nobody turns back for it from half-way.
    let done = plan(&expert(), &plan_ask("get a log", &Sim::new("")));
    let later = PlanAsk {
        done: done.subgoals,
        ..ask.clone()
    };
    assert!(!words(&plan(&expert(), &later)).contains("stone_sword"));
    // And only for the tasks that it names.
    let named = TaskGuardrail {
        task: Pattern {
            target: Some(spec("repeater")),
            ..Pattern::default()
        },
        ..sword
    };
    ask.knowledge = vec![entry(1, Body::TaskGuardrail(named))];
    assert_eq!(words(&plan(&expert(), &ask)), plain);
}

#[test]
fn what_is_done_again_gets_a_new_id_and_what_is_left_keeps_its_own() {
    let mut sim = Sim::new("");
    let mut ask = plan_ask("craft a furnace", &sim);
    let first = plan(&expert(), &ask);
    ask.done = first.subgoals[..1].to_vec();
    sim.inventory = "oak_log=1".parse().unwrap();
    ask.state = sim.state();
    let second = plan(&expert(), &ask);
    assert_eq!(second.subgoals[0].condition, "mine 2 #logs");
    assert_ne!(second.subgoals[0].id, first.subgoals[0].id);
    assert_eq!(
        second.subgoals.last().map(|s| s.id),
        first.subgoals.last().map(|s| s.id)
    );
}

#[test]
fn every_item_of_a_capsule_cites_its_source() {
    let ask = plan_ask("craft a furnace", &Sim::new(""));
    let lessons = super::tests::run(&forgetful(), "obtain a diamond", "", &[]);
    let knowledge = (1..)
        .zip(lessons)
        .map(|(n, g)| entry(n, Body::Guardrail(g)))
        .collect();
    let question = CapsuleAsk {
        task: ask.task,
        state: ask.state,
        hits: Vec::new(),
        knowledge,
    };
    let made = capsule::capsule(&question);
    assert!(!made.constraints.is_empty() && !made.next_actions.is_empty());
    assert!(
        made.constraints
            .iter()
            .chain(&made.next_actions)
            .all(|c| !c.src.is_empty())
    );
}
