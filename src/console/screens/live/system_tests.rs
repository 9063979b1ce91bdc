//! The panes that a profile switches on: selections, rules, reflections.

use crate::effect::Effect;
use crate::msg::Msg;
use crate::screens::live::layout::Focus;
use crate::screens::live::panes::switched;
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
use crate::testing::{Story, entry, running, screen, send, shell_of, view_of};
use crate::view::View;
use crate::widgets::scroll::Motion;
use pithead_core::domain::check::Check;
use pithead_core::domain::condition::{Condition, Predicate};
use pithead_core::domain::horizon::Horizon;
use pithead_core::domain::knowledge::{Body, ReferencePlan, Rule, RuleRecord, Status};
use pithead_core::domain::mind::ask::{Ask, TakenApart};
use pithead_core::domain::mind::judge::{JudgedBy, Judgement};
use pithead_core::domain::mind::plan_part::{GoalPart, PlanPart};
use pithead_core::domain::mind::reflection::{Disturbance, Trigger};
use pithead_core::domain::mind::study::{Reflected, Reflection};
use pithead_core::domain::plan::form::PlanForm;
use pithead_core::domain::plan::{Goal, TaskKind};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::compared_step::ComparedStep;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::profile::Selector;
use pithead_core::domain::run::steering::Steering;
use pithead_engine::runtime::DriverStatus;
use pithead_world::ids::{CallId, Revision, SubgoalId};
use ratatui::layout::Size;

/// The made-up run under another profile.
fn under(change: impl FnOnce(&mut pithead_core::domain::run::profile::Profile)) -> Story {
    let mut story = running();
    if let Event::RunStarted { config } = &mut story.events[0].event {
        change(&mut config.profile);
    }
    story
}

fn shell(view: &View, width: u16, height: u16) -> Shell {
    let mut shell = shell_of(
        RunMode::Live(DriverStatus::Running),
        Size::new(width, height),
    );
    shell.live.switched = switched(view);
    shell
}

fn compared(subgoal: u64, ticks: u32, probability: f64) -> ComparedStep {
    ComparedStep {
        subgoal: SubgoalId(subgoal),
        horizon: Horizon {
            ticks,
            early: ticks / 2,
            late: ticks * 2,
        },
        probability,
    }
}

fn selecting() -> Story {
    let mut story = under(|profile| {
        profile.selector = Selector::Horizon;
        profile.rounds = Some(3);
    });
    story.say(Event::SubgoalSelected {
        subgoal: SubgoalId(9),
        candidates: vec![compared(9, 120, 0.62), compared(12, 400, 0.38)],
    });
    story
}

#[test]
fn a_profile_without_them_switches_no_pane_on() {
    assert_eq!(switched(&view_of(&running())), []);
}

#[test]
fn each_candidate_has_its_horizon_interval_and_probability() {
    let view = view_of(&selecting());
    assert_eq!(switched(&view), [Focus::Select]);
    for (width, height) in [(80, 24), (120, 36)] {
        let mut shell = shell(&view, width, height);
        shell.live.focus_on(Focus::Select);
        let text = screen(&view, &shell);
        assert!(text.contains("round 2 of 4"), "{text}");
        assert!(text.contains("▶ sg_9 mine iron_ore"), "{text}");
        assert!(text.contains("62 %") && text.contains("38 %"), "{text}");
        assert!(text.contains("120 60–240"), "{text}");
        assert!(text.contains("400 200–800"), "{text}");
    }
}

#[test]
fn what_a_selection_came_to_stands_beside_what_was_predicted() {
    let mut story = selecting();
    story.failed(
        &crate::testing::subgoal(9, pithead_core::domain::plan::Executor::Mine, "iron_ore", 3),
        pithead_core::domain::experience::diagnosis::FailureReason::NavStuck,
    );
    let view = view_of(&story);
    let selection = &view.system.select.as_ref().unwrap().selections[0];
    let ticks = selection.ticks.unwrap();
    let mut shell = shell(&view, 80, 24);
    shell.live.focus_on(Focus::Select);
    let text = screen(&view, &shell);
    assert!(text.contains("✗ sg_9"), "{text}");
    assert!(text.contains(&format!("took {ticks} of 120")), "{text}");
    send(&mut shell, &view, Msg::Open);
    assert!(screen(&view, &shell).contains("Selections"));
}

#[test]
fn another_candidate_can_be_selected_in_its_place() {
    let view = view_of(&selecting());
    let mut shell = shell(&view, 80, 24);
    shell.live.focus_on(Focus::Select);
    send(&mut shell, &view, Msg::Move(Motion::Down));
    let effect = send(&mut shell, &view, Msg::Retry);
    let how = Steering::Retry(SubgoalId(12));
    assert_eq!(effect, Some(Effect::Send(Command::Steer { how })));
}

#[test]
fn a_rule_has_its_scores_its_total_against_the_threshold_and_its_record() {
    let mut story = under(|profile| {
        profile.judge = true;
        profile.learn_rules = true;
    });
    let mut rule = entry(7, Status::Proposed, "a rule");
    rule.body = Body::Rule(Rule {
        when: Condition::Is(Predicate::SubgoalKind(TaskKind::Craft)),
        then: Condition::from(Check::GuiClosed),
        scores: [0.9, 1.0, 1.0],
        record: RuleRecord {
            unmet_failed: 9,
            unmet_done: 1,
            met_done: 3,
            met_failed: 0,
        },
    });
    let id = rule.id;
    story.say(Event::KnowledgeProposed {
        entry: Box::new(rule),
    });
    story.say(Event::PlanJudged {
        revision: Revision(2),
        judged: vec![Judgement {
            subgoal: SubgoalId(9),
            success: false,
            by: JudgedBy::Rules(vec![id]),
            missing: Vec::new(),
            suggestion: String::new(),
        }],
        notes: Vec::new(),
    });
    let view = view_of(&story);
    assert_eq!(switched(&view), [Focus::Rules]);
    let mut shell = shell(&view, 80, 24);
    shell.live.focus_on(Focus::Rules);
    let text = screen(&view, &shell);
    assert!(text.contains("◇ k42.7"), "{text}");
    assert!(text.contains("0.97 > 0.85"), "{text}");
    assert!(text.contains("scores 0.90 1.00 1.00"), "{text}");
    shell.live.zoom = true;
    let text = screen(&view, &shell);
    assert!(text.contains("12 hits 1 miss · refused 1"), "{text}");
    assert!(
        text.contains("consistent 0.90 clear 1.00 feasible 1.00"),
        "{text}"
    );
}

#[test]
fn a_reflection_has_its_trigger_its_thoughts_and_its_trust_at_the_threshold() {
    let mut story = under(|profile| profile.reflect = true);
    story.say(Event::PlanReflected {
        reflected: Box::new(Reflected {
            subgoal: SubgoalId(9),
            reflection: Reflection {
                deadlock: "no pickaxe is left".to_owned(),
                now: "the pickaxe broke".to_owned(),
                before: "it broke here before".to_owned(),
                confidence: Some(0.4),
                ..Reflection::default()
            },
            trigger: Trigger::GoalLost,
            disturbance: Some(Disturbance::Environment),
            history: Some(0.3),
            said: Some(0.4),
            cases: 2,
            confidence: 0.35,
            keeps: false,
            repairs: true,
        }),
    });
    let view = view_of(&story);
    assert_eq!(switched(&view), [Focus::Reflector]);
    let mut shell = shell(&view, 80, 24);
    shell.live.focus_on(Focus::Reflector);
    let text = screen(&view, &shell);
    for part in [
        "goal lost",
        "0.35 of more than 0.50",
        "┃",
        "C_history 0.30 · C_LLM 0.40",
        "T_e  the pickaxe broke",
        "T_h  it broke here before",
        "then no pickaxe is left",
        "so far: goal lost 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    send(&mut shell, &view, Msg::Open);
    assert!(screen(&view, &shell).contains("Reflections"));
}

#[test]
fn each_goal_has_its_effort_and_each_step_what_was_expected_beside_what_became_of_it() {
    let mut story = under(|profile| profile.form = PlanForm::EachGoal);
    let iron = Goal {
        object: Some("iron_ore".parse().unwrap()),
        count: 3,
        material: None,
        tool: Some("stone_pickaxe".parse().unwrap()),
        amount: None,
        info: Some("mine".to_owned()),
    };
    story.say(Event::GoalTakenApart {
        apart: TakenApart {
            goal: iron.clone(),
            before: Vec::new(),
        },
    });
    let part = GoalPart {
        goal: iron,
        question: 2,
        feedback: Vec::new(),
        pages: Vec::new(),
    };
    let ask = plan_ask_about(PlanPart::Goal(Box::new(part)));
    story.say(Event::MindAsked {
        call: CallId(99),
        ask: Box::new(ask),
    });
    let mut skill = entry(7, Status::Active, "iron ore");
    skill.body = Body::ReferencePlan(ReferencePlan {
        goal: "iron_ore".parse().unwrap(),
        count: 1,
        requires: Condition::always(),
        steps: Vec::new(),
        from_successes: 5,
        flows: Vec::new(),
        runs: Vec::new(),
    });
    story.say(Event::Recalled {
        hits: Vec::new(),
        knowledge: vec![skill],
        options: Default::default(),
    });
    let view = view_of(&story);
    assert_eq!(switched(&view), [Focus::Goals]);
    let mut shell = shell(&view, 100, 36);
    shell.live.focus_on(Focus::Goals);
    shell.live.zoom = true;
    let text = screen(&view, &shell);
    for part in [
        "▶ iron_ore ×3 · mine with stone_pickaxe",
        "question 2 of 30 · memory 5 of 5 (k3.7, summarised)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    send(&mut shell, &view, Msg::Open);
    let text = screen(&view, &shell);
    assert!(
        text.contains("sg_9") || text.contains("mine iron_ore"),
        "{text}"
    );
}

/// A question to the planner about a part.
fn plan_ask_about(part: PlanPart) -> Ask {
    let all: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../../../tests/data/asks.json")).unwrap();
    let plan = all.into_iter().find(|ask| ask["ask"] == "plan").unwrap();
    let Ask::Plan(mut ask) = serde_json::from_value(plan).unwrap() else {
        panic!("the file holds a question to the planner");
    };
    ask.part = Some(Box::new(part));
    Ask::Plan(ask)
}
