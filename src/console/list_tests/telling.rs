//! What a run is told from its screen, and many from the list: limits, another try, pauses, ends.

use crate::list_tests::*;
use crate::testing::running;
use pithead_core::domain::run::decision::Subject;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::rulebook;
use pithead_core::domain::run::steering::{Limit, Steering};
use pithead_engine::runtime::operator::bulk::BulkAction;
use pithead_world::ids::SubgoalId;

/// The screen of a run under way, and what happens in it next.
fn live(next: &[Event]) -> Console {
    let mut story = running();
    next.iter().for_each(|event| {
        story.say(event.clone());
    });
    let mut console = console(Screen::Live, 120, 30);
    console.view = view_of(&story);
    console.shell.live.mode = RunMode::Live(DriverStatus::Running);
    console
}

fn steer(how: Steering) -> Option<Effect> {
    Some(Effect::Send(Command::Steer { how }))
}

fn steered(how: Steering) -> Event {
    let by = "ada".to_owned();
    Event::Steered { how, by }
}

#[test]
fn a_limit_is_completed_checked_and_sent() {
    let mut console = live(&[]);
    console.press("L");
    let screen = console.screen();
    assert!(
        screen.contains("attempts 20") && screen.contains("seconds 240"),
        "{screen}"
    );
    console.press("att⏎");
    let sent = steer(Steering::Limit(Limit::Attempts(20)));
    assert!(
        console
            .screen()
            .contains("✔ enter tells the run: limit attempts 20")
    );
    assert_eq!(console.press("⏎"), sent);
    let sent = steer(Steering::Limit(Limit::Ticks(24_000)));
    assert_eq!(console.press(":limit ticks 24,000⏎"), sent);
    assert_eq!(console.press(":limit ticks many⏎"), None);
    assert!(
        console.said().contains("whole number"),
        "{}",
        console.said()
    );
    let why = "the cave is flooded".to_owned();
    console.press("⎋");
    assert_eq!(
        console.press("Xthe cave is flooded⏎"),
        steer(Steering::Replan(why))
    );
    console.shell.live.mode = RunMode::Replay(crate::screens::live::state::ReplayState::default());
    assert_eq!(
        console.press(":limit ticks 24000⏎"),
        None,
        "a recording is told nothing"
    );
}

#[test]
fn limits_that_were_moved_are_on_the_screen() {
    let limit = |limit| steered(Steering::Limit(limit));
    let console = live(&[limit(Limit::Ticks(24_321)), limit(Limit::Seconds(Some(77)))]);
    let screen = console.screen();
    assert!(screen.contains("/24,321"), "{screen}");
    assert!(screen.contains(" of 77 "), "{screen}");
    assert!(screen.contains("ada: limit seconds 77"), "{screen}");
}

#[test]
fn the_selected_step_is_tried_again() {
    let mut console = live(&[]);
    let id = SubgoalId(9);
    assert_eq!(
        console.press("r"),
        steer(Steering::Retry(id)),
        "the one under way"
    );
    let done = console.press("kkkr");
    let Some(Effect::Send(Command::Steer {
        how: Steering::Retry(other),
    })) = done
    else {
        panic!("{done:?}")
    };
    assert_ne!(other, id);
    let row = |console: &Console| console.view.plan.node(other).unwrap().state;
    let again = live(&[steered(Steering::Retry(other))]);
    assert_eq!(row(&again), crate::view::plan::NodeState::Waiting);
}

#[test]
fn an_act_is_taken_back_until_it_is_done_and_then_it_is_said_what_else_helps() {
    let act = |id, words| {
        let mut subgoal =
            pithead_core::domain::run::take_over::parse_operator_action(words).unwrap();
        subgoal.id = SubgoalId(id);
        Event::TakenOver {
            subgoal: Box::new(subgoal),
            by: "ada".to_owned(),
        }
    };
    let (dirt, sand) = (act(20, "mine dirt 1"), act(21, "mine sand 1"));
    let mut console = live(&[dirt.clone(), sand.clone()]);
    let screen = console.screen();
    let at = |words| {
        screen
            .find(words)
            .unwrap_or_else(|| panic!("{words} in {screen}"))
    };
    assert!(
        at("mine dirt") < at("mine sand"),
        "in the order in which they are done\n{screen}"
    );
    assert_eq!(console.press("z"), steer(Steering::Withdraw(SubgoalId(21))));
    assert!(
        console.said().contains("it had not begun"),
        "{}",
        console.said()
    );
    let mut console = live(&[dirt, sand, steered(Steering::Withdraw(SubgoalId(21)))]);
    assert_eq!(console.view.acts, [SubgoalId(20)]);
    assert_eq!(console.press("z"), steer(Steering::Withdraw(SubgoalId(20))));
    let mut console = live(&[]);
    assert_eq!(console.press("z"), None);
    assert_eq!(console.shell.screen, Screen::Decided);
    assert!(
        console.said().contains("none of your actions waits"),
        "{}",
        console.said()
    );
}

#[test]
fn the_pill_says_which_pause_it_is_and_since_when() {
    let soon = steered(Steering::PauseSoon);
    let paused = Event::Paused {
        by: "ada".to_owned(),
    };
    let mut console = live(&[]);
    assert_eq!(console.press("s"), steer(Steering::PauseSoon));
    let mut console = live(std::slice::from_ref(&soon));
    assert!(
        console.screen().contains("pauses after this step"),
        "{}",
        console.screen()
    );
    assert_eq!(console.press("s"), Some(Effect::Send(Command::Resume)));
    let hard = live(std::slice::from_ref(&paused)).screen();
    assert!(
        hard.contains("‖ paused since ") && hard.contains(", tick "),
        "{hard}"
    );
    let mut story = running();
    story.say(soon);
    story.failed(
        &crate::testing::subgoal(9, pithead_core::domain::plan::Executor::Mine, "iron_ore", 3),
        pithead_core::domain::experience::diagnosis::FailureReason::Timeout,
    );
    story.say(paused);
    console.view = view_of(&story);
    let soft = console.screen();
    assert!(soft.contains("‖ paused between steps since "), "{soft}");
}

#[test]
fn the_policy_of_a_run_is_read_from_its_screen() {
    let mut console = live(&[]);
    console.press("R");
    assert!(
        console.screen().contains("without a policy file"),
        "{}",
        console.screen()
    );
    let head = Arc::make_mut(console.view.head.as_mut().unwrap());
    let text = "[[rule]]\naction = \"mine *_ore\"\nthen = \"veto\"\nbecause = \"\\u001b[31mred\"";
    head.config.rulebook = rulebook::parse_rulebook(text).unwrap();
    let screen = console.screen();
    assert!(
        screen.contains("1  veto") && screen.contains("mine *_ore"),
        "{screen}"
    );
    console.assert_clean();
}

#[test]
fn marked_runs_are_ended_with_a_reason_after_it_was_said_what_becomes_of_each() {
    let mut console = console(Screen::Runs, 100, 30);
    console.press("A");
    let screen = console.screen();
    assert!(
        screen.contains("End 1 run?")
            && screen.contains("no process drives it; its end is recorded"),
        "{screen}"
    );
    assert_eq!(console.press("⏎"), None);
    assert!(
        console.said().contains("needs a reason"),
        "{}",
        console.said()
    );
    let Some(Effect::Bulk(bulk)) = console.press("flooded⏎") else {
        panic!("{}", console.screen())
    };
    assert_eq!(
        (bulk.action, bulk.reason.as_str()),
        (BulkAction::Abort, "flooded")
    );
    assert_eq!(console.shell.overlays, []);
    // Those that have ended stay as they are, and are counted apart.
    console.press("MA");
    let screen = console.screen();
    assert!(screen.contains("stays as it is: it has ended"), "{screen}");
    assert_eq!(console.press("⎋"), None);
    assert_eq!(console.shell.overlays, []);
    console.press("R");
    let screen = console.screen();
    assert!(
        screen.contains("Let go on ") && screen.contains("y go on"),
        "{screen}"
    );
    assert_eq!(console.press("R"), None, "its own key confirms nothing");
    let Some(Effect::Bulk(bulk)) = console.press("y") else {
        panic!("{}", console.screen())
    };
    assert_eq!((bulk.action, bulk.runs.len()), (BulkAction::Resume, 3));
}

#[test]
fn the_tab_of_the_inbox_counts_what_the_run_in_sight_asks() {
    let mut console = live(&[]);
    let first = |console: &Console| {
        console
            .screen()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let counted = first(&console);
    assert!(counted.contains("Inbox ◆1"), "{counted}");
    let run = console.view.head.as_ref().unwrap().run;
    let mut more = console.view.inbox.open[0].clone();
    more.question.subject = Subject::Knowledge("k9.1".parse().unwrap());
    console.view.inbox.open.push_back(more.clone());
    let counted = first(&console);
    assert!(counted.contains("Inbox ◆1"), "of another run: {counted}");
    more.question.subject = Subject::Knowledge(format!("k{}.99", run.0).parse().unwrap());
    console.view.inbox.open.push_back(more);
    let counted = first(&console);
    assert!(counted.contains("Inbox ◆2"), "just asked: {counted}");
}
