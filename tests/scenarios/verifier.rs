//! The verifier on plans of the builtin mind and on plans with deliberate faults.

use pithead_core::agent::verify::{Known, obtainable, verify, verify_facts};
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Author, Outcomes, Pattern, Provenance, Region};
use pithead_core::domain::knowledge::{Body, Entry, Guardrail, Remedy, Status, TaskGuardrail};
use pithead_core::domain::mind::ask::{Ask, Guide, PlanAsk};
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::TaskKind;
use pithead_core::domain::plan::note::{About, Note, Severity};
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::Limits;
use pithead_core::knowledge::uses::StepUses;
use pithead_engine::mind::Mind;
use pithead_engine::mind::builtin::Builtin;
use pithead_engine::mind::builtin::errors::Level;
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;
use pithead_world::ids::RunId;
use pithead_world::observation::Gui;
use pithead_world::space::Pos;

/// All notes on a plan of which nothing was seen before.
fn notes_on(
    plan: &Plan,
    task: &Task,
    state: &StateSummary,
    knowledge: &[Entry],
    lessons: &[Guardrail],
) -> Vec<Note> {
    let known = Known {
        task,
        state,
        knowledge,
        lessons,
        limits: &Limits::default(),
        uses: &StepUses::default(),
        counts: true,
    };
    verify(plan, &known)
}

fn state(inventory: &str) -> StateSummary {
    StateSummary {
        tick: 0,
        time: 0,
        position: Pos::new(0, 64, 0),
        biome: "plains".to_owned(),
        underground: false,
        health: 20.0,
        hunger: 20.0,
        inventory: inventory.parse().unwrap(),
        held: None,
        gui: Gui::Closed,
        notable: Vec::new(),
        mobs: Vec::new(),
        builds: Vec::new(),
    }
}

fn plan(level: Level, task: &str, state: &StateSummary) -> (Plan, Task) {
    let task = Task::parse(task).unwrap();
    let ask = Ask::Plan(Box::new(PlanAsk {
        around: None,
        failed: None,
        hits: Vec::new(),
        task: task.clone(),
        state: state.clone(),
        ticks_left: None,
        capsule: None,
        knowledge: Vec::new(),
        options: pithead_core::domain::experience::option::TriedOptions::default(),
        lessons: Vec::new(),
        rejected: None,
        vetoes: Vec::new(),
        faults: Vec::new(),
        done: Vec::new(),
        guide: Guide::default(),
        track: false,
        form: Default::default(),
        part: None,
        nonce: 1,
    }));
    let answer = Builtin::new(level, 7).answer(&ask).unwrap();
    (serde_json::from_str(&answer).unwrap(), task)
}

fn guardrail(trigger: &str, kind: TaskKind, target: &str) -> Guardrail {
    Guardrail {
        trigger: trigger.parse().unwrap(),
        forbid: Pattern {
            kind: Some(kind),
            target: Some(target.parse().unwrap()),
            ..Pattern::default()
        },
        avoid: "it fails".to_owned(),
        recovery: Vec::new(),
        reason: FailureReason::ToolMissing,
    }
}

fn entry(body: Body) -> Entry {
    Entry {
        id: KnowledgeId {
            run: RunId(1),
            n: 1,
        },
        version: 1,
        status: Status::Active,
        author: Author::Operator("test".to_owned()),
        title: String::new(),
        body,
        provenance: Provenance::default(),
        outcomes: Outcomes::default(),
        confidence: 0.5,
        created: Millis(0),
        history: Vec::new(),
    }
}

fn abouts(notes: &[Note]) -> Vec<About> {
    notes
        .iter()
        .filter(|n| n.severity == Severity::Error)
        .map(|n| n.about.clone())
        .collect()
}

#[test]
fn plans_of_the_builtin_mind_are_well_formed() {
    for level in Level::ALL {
        for task in [
            "craft an iron pickaxe",
            "obtain a diamond",
            "craft leather boots",
        ] {
            let state = state("");
            let (plan, task) = plan(level, task, &state);
            let notes = notes_on(&plan, &task, &state, &[], &[]);
            assert_eq!(notes, Vec::new(), "{level:?} {}", task.text);
        }
    }
}

#[test]
fn all_faults_of_a_plan_are_collected() {
    let state = state("");
    let (mut plan, task) = plan(Level::Expert, "craft an iron pickaxe", &state);
    plan.subgoals.reverse();
    plan.subgoals.remove(0);
    plan.subgoals[1].timeout_s = 0;
    let notes = abouts(&notes_on(&plan, &task, &state, &[], &[]));
    for wanted in [About::BadOrder, About::Budget, About::GoalNotReached] {
        assert!(notes.contains(&wanted), "{wanted:?} in {notes:?}");
    }
    let none = notes_on(&Plan::default(), &task, &state, &[], &[]);
    assert_eq!(abouts(&none), [About::Empty, About::GoalNotReached]);
}

#[test]
fn a_guardrail_forbids_a_step_where_its_trigger_holds_in_the_simulation() {
    let start = state("");
    let (plan, task) = plan(Level::Expert, "craft an iron pickaxe", &start);
    let notes = |trigger: &str, kind, target| {
        let guardrail = guardrail(trigger, kind, target);
        let lessons = [guardrail.clone()];
        let known = [entry(Body::Guardrail(guardrail))];
        abouts(&notes_on(&plan, &task, &start, &known, &lessons))
    };
    let by = KnowledgeId {
        run: RunId(1),
        n: 1,
    };
    let both = vec![
        About::Forbidden { by },
        About::Constrained { constraint: 0 },
    ];
    assert_eq!(
        notes("inv iron_ingot < 4", TaskKind::Craft, "iron_pickaxe"),
        both
    );
    assert_eq!(
        notes("inv iron_ingot < 3", TaskKind::Craft, "iron_pickaxe"),
        []
    );
    assert_eq!(notes("not y <= 30", TaskKind::Mine, "iron_ore"), both);
    assert_eq!(notes("not y <= 40", TaskKind::Mine, "iron_ore"), []);
}

#[test]
fn a_region_applies_only_while_the_body_is_known_to_be_in_it() {
    let start = state("");
    let (plan, task) = plan(Level::Expert, "craft a furnace", &start);
    let region = Region {
        centre: Pos::new(0, 64, 0),
        radius: 48,
    };
    let count = |target: &str| {
        let mut lesson = guardrail("inv stick >= 1", TaskKind::Mine, target);
        lesson.trigger = Condition::always();
        lesson.forbid.region = Some(region);
        notes_on(&plan, &task, &start, &[], &[lesson]).len()
    };
    assert_eq!((count("#logs"), count("cobblestone")), (1, 0));
}

#[test]
fn a_missing_requirement_of_a_task_guardrail_is_named() {
    let start = state("");
    let (plan, task) = plan(Level::Expert, "craft an iron pickaxe", &start);
    let missing = vec![
        Remedy::Have {
            item: "torch".parse().unwrap(),
            count: 1,
        },
        Remedy::Have {
            item: "furnace".parse().unwrap(),
            count: 1,
        },
        Remedy::GoBelow { y: 20 },
    ];
    let body = TaskGuardrail {
        task: Pattern::default(),
        missing,
        deadlock: "dark".to_owned(),
        ..TaskGuardrail::default()
    };
    let known = [entry(Body::TaskGuardrail(body))];
    let notes = notes_on(&plan, &task, &start, &known, &[]);
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[test]
fn what_is_wanted_before_a_step_has_to_be_there_when_its_turn_comes() {
    let missing = |what: &str, target: &str, inventory: &str| {
        let start = state(inventory);
        let (plan, task) = plan(Level::Expert, "craft an iron pickaxe", &start);
        let body = TaskGuardrail {
            before: Pattern {
                kind: Some(TaskKind::Mine),
                target: Some(target.parse().unwrap()),
                ..Pattern::default()
            },
            missing: vec![Remedy::Have {
                item: what.parse().unwrap(),
                count: 1,
            }],
            deadlock: "it died there".to_owned(),
            ..TaskGuardrail::default()
        };
        let known = [entry(Body::TaskGuardrail(body))];
        let notes = notes_on(&plan, &task, &start, &known, &[]);
        notes
            .iter()
            .map(|note| note.text.clone())
            .collect::<Vec<_>>()
    };
    let notes = missing("stone_sword", "iron_ore", "");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(
        notes[0].contains("1 stone_sword before mine 3 iron_ore"),
        "{notes:?}"
    );
    assert!(missing("stone_sword", "iron_ore", "stone_sword=1").is_empty());
    // A furnace is made in this plan, and not before the first trees are felled.
    assert_eq!(missing("furnace", "#logs", "").len(), 1);
    assert!(missing("stone_sword", "diamond", "").is_empty());
}

#[test]
fn the_true_tables_find_what_beliefs_omit() {
    let start = state("");
    let (plan, _) = plan(Level::Expert, "craft an iron pickaxe", &start);
    assert_eq!(verify_facts(&plan, &start), []);
    let without = |word: &str| {
        let mut less = plan.clone();
        less.subgoals.retain(|s| !s.condition.contains(word));
        abouts(&verify_facts(&less, &start))
    };
    assert!(
        without("stone_pickaxe")
            .iter()
            .any(|a| matches!(a, About::WrongToolTier { .. }))
    );
    assert!(
        without("crafting_table")
            .iter()
            .any(|a| matches!(a, About::MissingPrerequisite { .. }))
    );
    assert!(
        without("smelt")
            .iter()
            .any(|a| matches!(a, About::MissingPrerequisite { need: 3, .. }))
    );
}

#[test]
fn unobtainable_items_are_reported() {
    for (name, expected) in [
        ("bedrock", false),
        ("command_block", false),
        ("diamond", true),
        ("#planks", true),
        ("leather", true),
    ] {
        assert_eq!(obtainable(name.parse().unwrap()), expected, "{name}");
    }
}
