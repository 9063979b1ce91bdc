//! Plans in parts: one step at a time, assertions before steps, and loops, each by its own system.

use super::{State, decide};
use crate::domain::check::Check;
use crate::domain::mind::ask::{Ask, PlanAsk};
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::decision::Gates;
use crate::domain::run::event::{Event, Recorded, RunConfig};
use crate::domain::run::input::Input;
use crate::domain::samples;
use crate::systems;
use pithead_world::action::{ActionFailure, ActionReport, Target};
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::ids::Seq;

/// A run of a system that asks for whole or partial plans, driven by hand.
struct Run {
    state: State,
    ticks: u64,
}

impl Run {
    fn start(system: &str) -> Self {
        let mut config = RunConfig {
            profile: systems::named(system).unwrap(),
            gates: Gates::headless(),
            ..samples::config()
        };
        config.task = Task::to_have(samples::item("iron_ore"), 1);
        config.limits.attempts_max = 3;
        let mut run = Self {
            state: State::new(),
            ticks: 0,
        };
        run.take(Event::RunStarted {
            config: Box::new(config),
        });
        run.put(Input::Started {
            times_realtime: 0.0,
            operator: "ann".to_owned(),
        });
        run.put(Input::Ready(samples::frame(0, 1)));
        run
    }

    fn take(&mut self, event: Event) {
        self.state.apply(&Recorded {
            run: samples::config().run,
            seq: Seq(self.state.seq.0 + 1),
            at: Millis(1),
            event,
        });
    }

    fn put(&mut self, input: Input) {
        for event in decide(&self.state, Millis(1), input) {
            self.take(event);
        }
    }

    /// The question that is open.
    fn asked(&self) -> &PlanAsk {
        match &self.state.open {
            Some(Event::MindAsked { ask, .. }) => match &**ask {
                Ask::Plan(ask) => ask,
                other => panic!("{other:?}"),
            },
            other => panic!(
                "no question is open but {other:?} in {:?}",
                self.state.phase
            ),
        }
    }

    fn answer(&mut self, steps: Vec<Subgoal>) {
        let plan = Plan {
            subgoals: steps,
            ..Plan::default()
        };
        self.put(Input::Answered {
            call: self.state.open_call().unwrap(),
            text: serde_json::to_string(&plan).unwrap(),
            ms: 1,
        });
    }

    /// The goal that is planned for, and which question on it this is.
    fn goal(&self) -> (String, u32) {
        match self.asked().part.as_deref() {
            Some(PlanPart::Goal(part)) => {
                let object = part.goal.object.unwrap();
                (format!("{} {object}", part.goal.count), part.question)
            }
            other => panic!("{other:?}"),
        }
    }

    /// The goals under the task, and under each of them nothing.
    fn decomposed(system: &str, before: &str) -> Self {
        let mut run = Self::start(system);
        let mut answer = format!(r#"{{"goal": {{}}, "before": [{before}]}}"#);
        while matches!(&run.state.phase, super::state::Phase::Decomposing { .. }) {
            run.put(Input::Answered {
                call: run.state.open_call().unwrap(),
                text: std::mem::replace(&mut answer, r#"{"goal": {}, "before": []}"#.to_owned()),
                ms: 1,
            });
        }
        run
    }

    /// What the body is ordered to get; nothing if it is not ordered anything.
    fn ordered(&self) -> Option<String> {
        match &self.state.phase {
            super::state::Phase::Acting(attempt) => Some(attempt.subgoal.condition.clone()),
            _ => None,
        }
    }

    /// The action under way ends with this in the inventory.
    fn ends(&mut self, inventory: &str, failure: Option<ActionFailure>) {
        self.ticks += 100;
        let super::state::Phase::Acting(attempt) = &self.state.phase else {
            panic!("nothing is under way in {:?}", self.state.phase);
        };
        let action = attempt.actions.last().unwrap().id;
        let mut frame = samples::frame(self.ticks, 1);
        frame.inventory = inventory.parse::<Counts>().unwrap();
        let report = ActionReport {
            failure,
            ticks: 100,
            broken: Vec::new(),
            gained: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
        };
        self.put(Input::Acted {
            action,
            report,
            frame,
        });
    }

    fn is_over(&self) -> bool {
        self.state.is_over()
    }
}

fn step(n: u64, target: &str, asserts: &[(&str, u32)]) -> Subgoal {
    let assertion = |(item, count): &(&str, u32)| Check::InvGe {
        item: samples::item(item),
        count: *count,
    };
    Subgoal {
        asserts: asserts.iter().map(assertion).collect(),
        ..samples::subgoal(n, target)
    }
}

fn none_found() -> Option<ActionFailure> {
    Some(ActionFailure::NoTarget {
        target: Target::Source(samples::item("dirt")),
        y: 60,
    })
}

#[test]
fn inner_monologue_is_asked_for_the_next_step_and_told_how_the_last_one_went() {
    let mut run = Run::start("inner-monologue");
    assert_eq!(run.asked().part, None);
    // Whoever answers with more is taken at the first step.
    run.answer(vec![step(1, "dirt", &[]), step(2, "sand", &[])]);
    assert_eq!(run.state.plan.as_ref().unwrap().subgoals.len(), 1);
    run.ends("dirt=1", None);
    let told = |run: &Run| match run.asked().part.as_deref() {
        Some(PlanPart::NextStep { last }) => (last.step.clone(), last.success),
        other => panic!("{other:?}"),
    };
    assert_eq!(told(&run), ("mine a dirt".to_owned(), true));
    assert_eq!(run.state.counters.replans, 0, "going on is no replan");
    run.answer(vec![step(2, "sand", &[])]);
    run.ends("dirt=1", none_found());
    assert_eq!(told(&run), ("mine a sand".to_owned(), false));
    assert_eq!(run.state.counters.replans, 1);
    run.answer(vec![step(3, "iron_ore", &[])]);
    run.ends("iron_ore=1", None);
    assert!(run.is_over());
}

#[test]
fn inner_monologue_takes_no_more_steps_than_a_plan_may_have() {
    let mut run = Run::start("inner-monologue");
    let steps_max = run.state.config().unwrap().limits.plan_subgoals_max;
    let mut asked = 0;
    while !run.state.is_over() {
        asked += 1;
        assert!(asked <= steps_max, "{asked}");
        run.answer(vec![step(1, "dirt", &[])]);
        if run.ordered().is_some() {
            run.ends("dirt=1", None);
        }
    }
    assert_eq!(asked, steps_max);
}

#[test]
fn progprompt_mends_an_assertion_by_one_step_once_and_plans_nothing_anew() {
    let start = || {
        let mut run = Run::start("progprompt");
        run.answer(vec![
            step(1, "sand", &[]),
            step(2, "iron_ore", &[("dirt", 2)]),
        ]);
        run.ends("sand=1", None);
        match run.asked().part.as_deref() {
            Some(PlanPart::Mending { step, assertion }) => {
                assert_eq!(step.condition, "mine a iron_ore");
                assert_eq!(assertion.describe(), "inv_ge dirt 2");
            }
            other => panic!("{other:?}"),
        }
        run.answer(vec![step(9, "dirt", &[]), step(10, "gravel", &[])]);
        assert_eq!(run.ordered().as_deref(), Some("mine a dirt"));
        run
    };
    // The rest of the plan follows the mending unchanged.
    let mut run = start();
    run.ends("sand=1,dirt=2", None);
    assert_eq!(run.ordered().as_deref(), Some("mine a iron_ore"));
    run.ends("iron_ore=1", None);
    assert!(run.state.is_over());
    assert_eq!(run.state.counters.replans, 0);
    // What does not hold after that ends the run, and so does a step that fails.
    let mut run = start();
    run.ends("sand=1,dirt=1", None);
    assert!(run.state.is_over(), "{:?}", run.state.phase);
    let mut run = start();
    run.ends("sand=1", none_found());
    assert!(run.state.is_over(), "{:?}", run.state.phase);
}

#[test]
fn a_program_repeats_a_step_while_its_assertions_hold_and_asks_nothing_more() {
    let start = || {
        let mut run = Run::start("code-as-policies");
        run.answer(vec![
            step(1, "sand", &[]),
            step(2, "iron_ore", &[("sand", 1)]),
        ]);
        run
    };
    let mut run = start();
    run.ends("", none_found());
    assert_eq!(
        run.ordered().as_deref(),
        Some("mine a sand"),
        "the loop goes on"
    );
    run.ends("sand=1", None);
    run.ends("sand=1", none_found());
    run.ends("sand=1,iron_ore=1", None);
    assert!(run.state.is_over());
    assert_eq!(run.state.counters.calls, 1);
    // An assertion that fails stops the program.
    let mut run = start();
    run.ends("sand=1", None);
    run.ends("", none_found());
    assert!(run.state.is_over(), "{:?}", run.state.phase);
    // A loop ends at the limit of attempts.
    let mut run = start();
    for _ in 0..3 {
        assert!(!run.state.is_over());
        run.ends("", none_found());
    }
    assert!(run.state.is_over());
}

#[test]
fn other_systems_neither_check_assertions_nor_repeat() {
    let mut run = Run::start("zero-shot");
    run.answer(vec![
        step(1, "sand", &[("dirt", 1)]),
        step(2, "gravel", &[]),
    ]);
    assert_eq!(run.ordered().as_deref(), Some("mine a sand"));
    run.ends("sand=1", None);
    run.ends("sand=1,gravel=1", None);
    // Its one plan did not lead there, and no other is asked for.
    assert!(run.state.is_over());
    assert_eq!(run.state.counters.calls, 1);
}

const BEFORE: &str = r#"{"object": "sand", "count": 2}, {"object": "dirt", "count": 1}"#;

#[test]
fn gitm_plans_goal_by_goal_and_each_goal_is_reached_once() {
    let mut run = Run::decomposed("gitm-feedback", BEFORE);
    assert_eq!(run.goal(), ("2 sand".to_owned(), 1));
    run.answer(vec![step(1, "sand", &[]), step(2, "gravel", &[])]);
    // The goal is held before its plan is done: the next one is planned for.
    run.ends("sand=2", None);
    assert_eq!(run.goal(), ("1 dirt".to_owned(), 1));
    run.answer(vec![step(3, "dirt", &[])]);
    // What an earlier goal gave may be used up: it is not planned for again.
    run.ends("dirt=1", None);
    assert_eq!(run.goal(), ("1 iron_ore".to_owned(), 1));
    let reached = run.state.goal_progress.reached.len();
    assert_eq!((reached, run.state.counters.replans), (2, 0));
    run.answer(vec![step(4, "iron_ore", &[])]);
    run.ends("iron_ore=1", None);
    assert!(run.state.is_over());
}

#[test]
fn feedback_of_every_action_comes_with_the_next_question_on_its_goal() {
    let mut run = Run::decomposed("gitm-feedback", BEFORE);
    run.answer(vec![step(1, "gravel", &[]), step(2, "sand", &[])]);
    run.ends("gravel=1", None);
    run.ends("gravel=1", none_found());
    // The explainer answers first.
    run.put(Input::Answered {
        call: run.state.open_call().unwrap(),
        text: r#"{"observed": "no sand", "explanation": "it lies elsewhere"}"#.to_owned(),
        ms: 1,
    });
    assert_eq!(run.goal(), ("2 sand".to_owned(), 2));
    let Some(PlanPart::Goal(part)) = run.asked().part.as_deref() else {
        panic!("{:?}", run.asked().part);
    };
    let told: Vec<bool> = part.feedback.iter().map(|told| told.success).collect();
    assert_eq!(told, [true, false]);
    // All steps done and the goal not held: asked to go on.
    run.answer(vec![step(3, "gravel", &[])]);
    assert_eq!(run.goal(), ("2 sand".to_owned(), 3));
}

#[test]
fn a_goal_is_given_up_after_its_questions_and_a_system_without_feedback_at_once() {
    let mut run = Run::decomposed("gitm-feedback", BEFORE);
    let questions_max = run.state.config().unwrap().limits.goal_questions_max;
    run.answer(vec![step(1, "gravel", &[])]);
    run.ends("gravel=1", None);
    for question in 2..=questions_max {
        assert_eq!(run.goal().1, question);
        run.answer(vec![step(1, "gravel", &[])]);
    }
    assert!(run.state.is_over(), "{:?}", run.state.phase);
    let mut run = Run::decomposed("gitm-decomposition", BEFORE);
    run.answer(vec![step(1, "sand", &[])]);
    run.ends("sand=1", none_found());
    assert!(run.state.is_over());
}

#[test]
fn a_wiki_is_shown_with_its_goal_where_the_system_reads_one() {
    let pages = |system: &str| {
        let run = Run::decomposed(system, r#"{"object": "iron_ingot", "count": 1}"#);
        match run.asked().part.as_deref() {
            Some(PlanPart::Goal(part)) => part.pages.iter().map(|p| p.id.clone()).collect(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(pages("gitm-knowledge"), ["wiki:iron_ingot"]);
    let none: Vec<String> = pages("gitm-feedback");
    assert_eq!(none, Vec::<String>::new());
}

#[test]
fn a_station_that_stands_near_serves_an_assertion_as_one_that_is_carried() {
    let asserts = [("crafting_table", 1)];
    let begins = |near: bool| {
        let mut run = Run::start("code-as-policies");
        let mut frame = samples::frame(0, 1);
        let at = frame.position.block();
        if near {
            frame.notable = vec![pithead_world::observation::BlockSight {
                block: pithead_world::block::CRAFTING_TABLE,
                at,
            }];
        }
        run.put(Input::Framed(frame));
        run.answer(vec![step(1, "iron_ore", &asserts)]);
        run.ordered().is_some()
    };
    assert!(begins(true) && !begins(false));
}
