//! The fold: what a run leaves on the screen, and that it stays quick and bounded.

use crate::testing::{Story, first_plan, running, story, subgoal, view_of};
use crate::view::plan::NodeState;
use crate::view::status::{Doing, PauseState};
use crate::view::*;
use pithead_core::domain::plan::{Executor, Subgoal};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::run::steering::Steering;
use pithead_world::action::Action;
use pithead_world::ids::DecisionId;
use pithead_world::space::Pos;

fn tree(view: &View) -> Vec<String> {
    let line = |node: &plan::NodeView| {
        let state = format!("{:?}", node.state).to_lowercase();
        let reasons: Vec<&str> = node.failures.iter().map(|r| r.name()).collect();
        format!(
            "{} {} {state} ×{} {}",
            node.id,
            node.label,
            node.attempts,
            reasons.join(",")
        )
    };
    view.plan
        .nodes
        .iter()
        .map(|node| line(node).trim().to_owned())
        .collect()
}

#[test]
fn nodes_that_a_replan_removes_stay_as_ghosts() {
    assert_eq!(
        tree(&view_of(&running())),
        [
            "sg_1 mine oak_log ×4 done ×1",
            "sg_2 craft crafting_table done ×1",
            "sg_3 craft wooden_pickaxe done ×1",
            "sg_4 mine cobblestone ×11 done ×1",
            "sg_5 craft furnace done ×1",
            "sg_6 mine iron_ore ×3 replaced ×2 NAV_STUCK,NAV_STUCK",
            "sg_7 smelt iron_ingot ×3 replaced ×0",
            "sg_8 mine gravel done ×1",
            "sg_9 mine iron_ore ×3 running ×1",
            "sg_10 smelt iron_ingot ×3 waiting ×0",
            "sg_11 craft iron_pickaxe waiting ×0",
            "sg_12 dig_down y 12 waiting ×0",
            "sg_13 mine diamond waiting ×0",
        ]
    );
}

/// An act of the operator whose attempt fails, called off or not.
fn act_that_failed(story: &mut Story, called_off: bool) -> Subgoal {
    let act = subgoal(20, Executor::Mine, "dirt", 1);
    story.say(Event::TakenOver {
        subgoal: Box::new(act.clone()),
        by: "ada".to_owned(),
    });
    let item = "dirt".parse().unwrap();
    story.attempt(20, Action::Mine { item, count: 1 }, 3);
    story.failed(&act, FailureReason::NavStuck);
    let ended = story.events.last_mut().map(|last| &mut last.event);
    let Some(Event::AttemptEnded { experience, .. }) = ended else {
        panic!("an attempt ends last");
    };
    (experience.by_operator, experience.called_off) = (true, called_off);
    act
}

#[test]
fn an_act_that_came_to_nothing_is_over_and_told_with_its_reason() {
    let mut story = running();
    let act = act_that_failed(&mut story, false);
    let view = view_of(&story);
    let node = view.plan.node(act.id).unwrap();
    assert_eq!(node.state, NodeState::NotDone);
    assert_ne!(
        view.plan.current().map(|at| view.plan.nodes[at].id),
        Some(act.id)
    );
    assert_eq!(view.plan.progress(), view_of(&running()).plan.progress());
    let told = &view.timeline.lines.back().unwrap().text;
    assert!(told.contains("mine dirt not done after"), "{told}");
    assert!(
        told.contains(node.last_failure.as_deref().unwrap()),
        "{told}"
    );
}

#[test]
fn an_act_that_was_called_off_has_its_own_state_and_counts_as_no_failure() {
    let mut story = running();
    let before = view_of(&story).counts.failed;
    let act = act_that_failed(&mut story, true);
    let view = view_of(&story);
    let node = view.plan.node(act.id).unwrap();
    assert_eq!(node.state, NodeState::CalledOff);
    assert!(node.failures.is_empty() && node.state.is_gone());
    assert_eq!(view.counts.failed, before);
}

/// The step under way is called off for it and has not failed.
#[test]
fn a_replan_that_an_operator_asked_for_says_who_and_why() {
    let mut story = running();
    let ask = |story: &mut Story| {
        let how = Steering::Replan("the cave is flooded".to_owned());
        let by = "ada".to_owned();
        story.say(Event::Steered { how, by });
    };
    let asked = |view: &View| view.proposal.as_ref().and_then(|plan| plan.asked.clone());
    ask(&mut story);
    story.plan(3, first_plan(), Some(9));
    let words = "ada: the cave is flooded".to_owned();
    assert_eq!(asked(&view_of(&story)), Some(words));
    story.adopt(3).plan(4, first_plan(), Some(9));
    assert_eq!(
        asked(&view_of(&story)),
        None,
        "the next one has its own reason"
    );
}

#[test]
fn the_status_follows_the_run() {
    let mut view = View::default();
    let mut seen = Vec::new();
    for event in &running().events {
        view.apply(event);
        let word = format!("{:?}", view.status.doing);
        let word = word.split([' ', '{']).next().unwrap_or_default().to_owned();
        if seen.last() != Some(&word) {
            seen.push(word);
        }
    }
    let words = seen.join(" ");
    assert!(
        words.starts_with("Opening Recalling Planning Recalling Choosing Executing"),
        "{words}"
    );
    assert!(
        words.ends_with("Replanning Waiting Replanning Choosing Executing Choosing Executing"),
        "{words}"
    );
    assert_eq!(view.counts.failed, 2);
}

#[test]
fn a_replan_waits_and_its_question_shows_the_difference() {
    let view = view_of(&story());
    assert_eq!(
        view.status.doing,
        Doing::Waiting {
            decision: DecisionId(2)
        }
    );
    let open = view.inbox.get(DecisionId(2)).unwrap();
    let inbox::Content::Plan { proposal, diff } = &open.content else {
        panic!()
    };
    assert_eq!(
        proposal.cause.as_deref(),
        Some("gravel fell into the tunnel")
    );
    // What is done stays above, what is left out stands where it stood, and the rest is new.
    let signs: Vec<_> = diff.iter().map(|line| (line.sign, line.is_done)).collect();
    use diff::DiffSign::{Added, Kept, Removed};
    let old = [vec![(Kept, true); 5], vec![(Removed, false); 2]].concat();
    assert_eq!(signs, [old, vec![(Added, false); 6]].concat());
    let after = view_of(&running());
    assert!(after.inbox.get(DecisionId(2)).is_none());
    assert_eq!(after.inbox.history[0].verdict, "approved");
    assert_eq!(after.knowledge.lessons.len(), 1);
}

#[test]
fn pausing_lies_over_the_state() {
    let mut story = running();
    story.say(Event::Paused {
        by: "ada".to_owned(),
    });
    let view = view_of(&story);
    assert_eq!(view.status.hold, PauseState::Paused);
    assert!(matches!(view.status.doing, Doing::Executing { .. }));
    story
        .say(Event::Stepped {
            by: "ada".to_owned(),
        })
        .frames(1);
    assert_eq!(view_of(&story).status.hold, PauseState::Paused);
    story.say(Event::RunEnded {
        outcome: Outcome::Aborted,
        because: "enough".to_owned(),
    });
    let view = view_of(&story);
    assert_eq!(
        (view.status.hold, view.status.outcome()),
        (PauseState::Free, Some(Outcome::Aborted))
    );
}

#[test]
fn the_same_events_give_the_same_view() {
    let story = running();
    assert!(view_of(&story) == view_of(&story));
}

#[test]
fn an_endless_run_stays_bounded() {
    let mut story = Story::new();
    let mut view = View::default();
    for revision in 1..600 {
        let step = subgoal(revision, Executor::Mine, "iron_ore", 1);
        story.plan(revision, vec![step], None).adopt(revision);
        story.say(Event::CommandRefused {
            decision: None,
            command: "x".to_owned(),
            because: "y".to_owned(),
        });
    }
    story.events.iter().for_each(|event| view.apply(event));
    assert!(view.plan.nodes.len() <= 121 && view.timeline.lines.len() <= 2000);
    assert_eq!(view.plan.nodes.last().unwrap().state, NodeState::Waiting);
}

#[test]
fn frames_without_end_keep_a_bounded_number_of_elements() {
    let mut story = Story::new();
    let start = story.events.len();
    story.frames(1);
    let mut view = view_of(&story);
    let fact = story.events[start].clone();
    let mut kept = Vec::new();
    for n in 0..6_000 {
        let mut fact = fact.clone();
        fact.seq = Seq(fact.seq.0 + n);
        let Event::FrameSeen { frame } = &mut fact.event else {
            panic!("a frame");
        };
        // The body walks: every frame shows ground that is new.
        let feet = Pos::new(i32::try_from(n).unwrap() * 16, 43, 8);
        frame.position = feet.floor();
        frame.trail = vec![feet];
        frame.seen.0 = crate::testing::cave(feet);
        view.apply(&fact);
        if n % 2_000 == 1_999 {
            let map = &view.map;
            kept.push((map.chunks_seen(), map.cells_kept(), map.trail.len()));
        }
    }
    let (chunks, cells, trail) = kept[0];
    assert!(chunks <= 1024 && trail <= 512, "{kept:?}");
    for (later_chunks, later_cells, later_trail) in &kept[1..] {
        assert_eq!((*later_chunks, *later_trail), (chunks, trail), "{kept:?}");
        assert!(*later_cells <= cells + cells / 10, "{kept:?}");
    }
    assert_eq!(
        view.timeline.lines.len(),
        view_of(&story).timeline.lines.len()
    );
}
