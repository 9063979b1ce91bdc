//! Attempts that failed without the body saying why, or with no more than what a person would feel.

use super::script::{Script, doing};
use super::{check, stuck_at};
use crate::domain::experience::diagnosis::FailureReason as R;
use pithead_world::action::{ActionFailure as F, FailureClass};
use pithead_world::observation::Gui;
use pithead_world::reports::Reports;

fn silent(script: Script) -> Script {
    script.fails(F::Untold)
}

fn felt(script: Script, class: FailureClass) -> Script {
    script.fails(F::Felt { class })
}

/// At both levels at which the body does not say what did not work.
#[track_caller]
fn check_both(script: &Script, expected: R) {
    check(&silent(script.clone()), expected);
    check(&felt(script.clone(), FailureClass::DidNotWork), expected);
}

#[test]
fn what_a_body_feels_is_a_report() {
    let walk = || doing("explore", "#logs").walk(20, 200);
    for (class, reason) in [
        (FailureClass::FoundNothing, R::MonitorNeverTrue),
        (FailureClass::InDanger, R::RiskAbort),
        (FailureClass::Died, R::EnvTerminated),
        (FailureClass::OutOfTime, R::Timeout),
        (FailureClass::NoWay, R::PathUnreachable),
    ] {
        check(&felt(walk(), class), reason);
    }
    // Who pushes against something for seconds is stuck; who knows of no way does not push.
    check(&felt(walk().stand(100), FailureClass::NoWay), R::NavStuck);
}

#[test]
fn sources_broken_for_nothing_and_sources_left_alone_want_another_tool() {
    let ore = || doing("mine", "iron_ore").holding("wooden_pickaxe=1");
    let broken = |script: Script| {
        let mut script = script.stand(100).breaks("iron_ore", 2);
        script = script.retries();
        script.stand(10)
    };
    check_both(&broken(ore()), R::ToolMissing);
    check_both(&ore().near("iron_ore").stand(100), R::ToolMissing);
    // What was gathered before with a better one.
    let again = || ore().mined_with(&["stone_pickaxe"]).stand(100);
    check_both(&again(), R::ToolMissing);
    let lesser = ore().mined_with(&["stone_pickaxe", "wooden_pickaxe"]);
    check(&silent(lesser.walk(60, 600)), R::MonitorNeverTrue);
    // Out of reach it is the way that was missing, if the body says nothing.
    let far = || ore().walk(30, 300).near("iron_ore");
    check(&silent(far()), R::PathUnreachable);
    // Without any source in sight it was not found.
    check(&silent(ore().walk(60, 600)), R::MonitorNeverTrue);
}

#[test]
fn what_is_made_of_things_carried_wants_another_thing() {
    check_both(
        &doing("craft", "stone_pickaxe")
            .holding("cobblestone=3")
            .stand(10),
        R::ToolMissing,
    );
    check_both(
        &doing("smelt", "glass").holding("sand=3").stand(20),
        R::ToolMissing,
    );
    check_both(&doing("breed", "beef").stand(10), R::ToolMissing);
    // An animal that is nowhere is not a thing that is missing.
    check(
        &silent(doing("breed", "beef").holding("wheat=4").walk(120, 900)),
        R::MonitorNeverTrue,
    );
}

#[test]
fn things_held_that_do_not_go_and_full_bags_are_orders_that_do_not_fit() {
    check_both(
        &doing("place", "chest")
            .wanting(2)
            .holding("chest=1")
            .stand(10),
        R::ActionInvalid,
    );
    check_both(
        &doing("mine", "oak_log")
            .holding("gold_ingot=2304")
            .stand(10),
        R::ActionInvalid,
    );
    check_both(&doing("place", "chest").stand(10), R::ToolMissing);
}

#[test]
fn a_window_left_open_is_in_the_way() {
    let bread = || doing("craft", "bread").holding("wheat=3");
    check_both(&bread().window(Gui::CraftingTable).stand(60), R::GuiBlocked);
}

#[test]
fn a_body_that_gives_up_hurt_is_afraid_and_says_so_if_it_may() {
    let shaft = || doing("dig_down", "12").walk(12, 200);
    check(&silent(shaft().health(15.0).stand(20)), R::RiskAbort);
    check(&silent(shaft().near("lava")), R::PathUnreachable);
    check(
        &silent(doing("dig_down", "12").walk(2, 200).near("lava")),
        R::RiskAbort,
    );
    // It says that it did not work, so it was no fear.
    check(
        &felt(shaft().health(15.0).stand(20), FailureClass::DidNotWork),
        R::ActionInvalid,
    );
}

#[test]
fn gains_up_to_the_end_were_cut_short() {
    let logs = doing("mine", "#logs").wanting(5).walk(20, 200);
    check(&silent(logs.gain("oak_log", 2)), R::Timeout);
}

#[test]
fn whoever_explains_himself_is_believed() {
    let ore = || doing("mine", "iron_ore").near("iron_ore").stand(100);
    check(&ore().fails(stuck_at()), R::NavStuck);
    let told = Reports::None.told(stuck_at());
    check(&ore().fails(told), R::ToolMissing);
    // Being called off is nobody's failure, at any level.
    check(
        &doing("mine", "iron_ore")
            .walk(9, 90)
            .fails(Reports::None.told(F::Cancelled)),
        R::Unknown,
    );
}
