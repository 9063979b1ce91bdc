//! What the plan's tree, the map and the knowledge pane say of attempts, goals, loops and recall.

use crate::msg::Msg;
use crate::screens::live::layout::Focus;
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
use crate::testing::{Story, running, screen, send, shell_of, view_of};
use crate::view::plan::NodeState;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::mind::ask::TakenApart;
use pithead_core::domain::plan::{Executor, Goal};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples;
use pithead_engine::runtime::DriverStatus;
use pithead_world::ids::SubgoalId;
use ratatui::layout::Size;

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 36)];

fn shell((width, height): (u16, u16)) -> Shell {
    let mode = RunMode::Live(DriverStatus::Running);
    shell_of(mode, Size::new(width, height))
}

fn goal(object: &str, count: u32) -> Goal {
    Goal {
        object: Some(samples::item(object)),
        count,
        material: None,
        tool: None,
        amount: None,
        info: None,
    }
}

fn taken_apart(story: &mut Story, of: &str, before: &[(&str, u32)]) {
    let before = before.iter().map(|(object, count)| goal(object, *count));
    let apart = TakenApart {
        goal: goal(of, 1),
        before: before.collect(),
    };
    story.say(Event::GoalTakenApart { apart });
}

#[test]
fn goals_and_attempts_stand_in_the_tree_of_the_plan() {
    let mut story = running();
    taken_apart(
        &mut story,
        "iron_pickaxe",
        &[("stick", 2), ("iron_ingot", 3)],
    );
    taken_apart(&mut story, "iron_ingot", &[("iron_ore", 3)]);
    let goal = goal("stick", 2);
    story.say(Event::GoalReached { goal });
    let view = view_of(&story);
    let goals = view.plan.goals.iter();
    let goals: Vec<_> = goals.map(|goal| (goal.depth, goal.is_reached)).collect();
    // Sticks are there; iron ore comes below the ingots that it is for, and each goal stands once.
    assert_eq!(goals, [(0, false), (1, true), (1, false), (2, false)]);
    let tried = view.plan.nodes.iter().find(|node| node.tries.len() > 1);
    let tried = tried.expect("a step was tried twice");
    for size in SIZES {
        let mut shell = shell(size);
        shell.live.focus_on(Focus::Plan);
        shell.live.zoom = true;
        shell.live.node = Some(tried.id);
        let text = screen(&view, &shell);
        assert!(
            text.contains("● ") && text.contains("goal stick ×2"),
            "{text}"
        );
        let row = format!("✗ {} NAV_STUCK", tried.tries[0].attempt);
        assert!(!text.contains(&row), "{text}");
        send(&mut shell, &view, Msg::Unfold);
        let text = screen(&view, &shell);
        assert!(text.contains(&row), "{row} in {text}");
        send(&mut shell, &view, Msg::Fold);
        assert!(!screen(&view, &shell).contains(&row));
    }
}

#[test]
fn an_act_that_was_called_off_is_marked_apart_from_what_failed() {
    let mut view = view_of(&running());
    let node = view.plan.nodes.last_mut().unwrap();
    (node.state, node.attempts) = (NodeState::CalledOff, 1);
    let name = node.label.clone();
    for size in SIZES {
        let mut shell = shell(size);
        shell.live.focus_on(Focus::Plan);
        shell.live.zoom = true;
        let text = screen(&view, &shell);
        let row = text.lines().find(|line| line.contains(&name)).unwrap();
        let says = row.contains('⊘') && row.contains("called off") && !row.contains('✗');
        assert!(says, "{row}");
    }
}

#[test]
fn the_repeated_stretch_is_drawn_on_the_map() {
    let mut story = running();
    let step = crate::testing::subgoal(9, Executor::Mine, "iron_ore", 3);
    story.failed(&step, FailureReason::NavOscillate);
    let mut view = view_of(&story);
    let feet = view.map.feet.unwrap();
    let places = [feet.plus(2, 0, 0), feet.plus(3, 0, 0)].to_vec();
    let stretch = crate::view::map::RepeatedStretch { places, times: 4 };
    view.map.repeated = Some(stretch);
    for size in SIZES {
        let mut shell = shell(size);
        shell.live.focus_on(Focus::Map);
        shell.live.zoom = true;
        let text = screen(&view, &shell);
        assert!(text.contains("↻ 2 blocks walked 4 times"), "{text}");
        assert_eq!(text.matches('↻').count(), 3, "{text}");
    }
}

#[test]
fn what_recall_found_stands_with_its_score_and_its_reason() {
    let mut story = running();
    let mut worse = samples::hit(7, 2, false);
    worse.score = 0.25;
    story.say(Event::Recalled {
        hits: vec![worse, samples::hit(7, 1, true)],
        knowledge: Vec::new(),
        options: Default::default(),
    });
    let view = view_of(&story);
    for size in SIZES {
        let mut shell = shell(size);
        shell.live.focus_on(Focus::Knowledge);
        shell.live.zoom = true;
        let text = screen(&view, &shell);
        assert!(
            text.contains("recalled: 2 attempts, the likest first"),
            "{text}"
        );
        let place = |words: &str| {
            text.find(words)
                .unwrap_or_else(|| panic!("{words} in {text}"))
        };
        let likest = place("✔ e7.1 0.75 words 0.50 place 1.00 same aim a log");
        assert!(likest < place("✗ e7.2 0.25 words"), "{text}");
    }
    // Where a step has been, the selection stays on steps.
    assert!(view.plan.node(SubgoalId(9)).is_some());
}
