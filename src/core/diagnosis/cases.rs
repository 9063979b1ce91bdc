//! Hand-made attempts and the reason that a knowledgeable person would give for each.

mod digging;
mod missing;
mod script;
mod unexplained;

use super::reports::is_cut;
use super::stall::{Stall, watch};
use crate::domain::experience::attempt::Stop;
use crate::domain::experience::diagnosis::FailureReason as R;
use crate::domain::experience::thresholds::Thresholds;
use pithead_world::action::ActionFailure as F;
use pithead_world::action::Target;
use pithead_world::family::ItemSpec;
use pithead_world::observation::Pause;
use pithead_world::space::Pos;
use script::{Script, doing};

#[track_caller]
fn check(script: &Script, expected: R) {
    let diagnosis = script.diagnose();
    let held: Vec<String> = diagnosis
        .trace
        .iter()
        .filter(|step| step.holds)
        .map(|step| format!("{} ({})", step.predicate, step.inputs))
        .collect();
    assert_eq!(
        diagnosis.reason,
        Some(expected),
        "{}\n{}",
        diagnosis.summary,
        held.join("\n")
    );
    assert_eq!(diagnosis.fail_type, Some(expected.fail_type()));
    assert!(!diagnosis.runners_up.contains(&expected));
    assert!((0.0..=1.0).contains(&diagnosis.confidence));
    let asked = if is_cut(diagnosis.report.as_ref()) {
        39
    } else {
        25
    };
    assert_eq!(
        diagnosis.trace.len(),
        asked,
        "every predicate is in the trace"
    );
}

#[test]
fn attempts_that_each_came_nearer_and_together_did_not_are_no_want_of_time() {
    let climb = || doing("go_up", "80").climb(9, 1200);
    let label = |script: Script| script.stops(Stop::TimedOut).diagnose().reason;
    assert_eq!(label(climb()), Some(R::Timeout));
    assert_eq!(label(climb().tried(1, (9, 73), 7.0)), Some(R::Timeout));
    assert_eq!(label(climb().tried(2, (9, 73), 7.0)), Some(R::NavOscillate));
    // From lower down each time: it only takes longer.
    assert_eq!(label(climb().tried(2, (9, 70), 10.0)), Some(R::Timeout));
    // On the spot nobody goes round.
    let smelt = || doing("smelt", "glass").holding("sand=9").cook(1200);
    assert_eq!(label(smelt()), Some(R::Timeout));
    assert_eq!(
        label(smelt().tried(2, (0, 64), 1.0)),
        Some(R::MonitorNeverTrue)
    );
}

fn spec(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

fn stuck_at() -> F {
    F::Stuck {
        at: Pos::new(0, 64, 0),
    }
}

#[test]
fn mining_with_the_wrong_tool_is_tool_missing() {
    let ore = || doing("mine", "iron_ore").wanting(3);
    let block = "iron_ore".parse().unwrap();
    let report = F::NoDrop {
        block,
        held: None,
        broken: 1,
    };
    check(&ore().stand(300).fails(report), R::ToolMissing);
    // Broken with a wooden pickaxe, nothing picked up, not reported.
    check(
        &ore()
            .holding("wooden_pickaxe=1")
            .stand(300)
            .breaks("iron_ore", 2)
            .stalls(),
        R::ToolMissing,
    );
    check(
        &ore()
            .after("stone_pickaxe")
            .holding("wooden_pickaxe=1")
            .near("iron_ore")
            .stand(900)
            .stalls(),
        R::ToolMissing,
    );
    // With the right tool the same stillness is being stuck.
    check(
        &ore()
            .after("stone_pickaxe")
            .holding("stone_pickaxe=1")
            .near("iron_ore")
            .stand(900)
            .stalls(),
        R::NavStuck,
    );
}

#[test]
fn searches_end_as_what_they_were() {
    let ore = || doing("mine", "diamond").holding("iron_pickaxe=1");
    let target = Target::Source(spec("diamond"));
    check(
        &ore().walk(60, 300).fails(F::NoTarget { target, y: 40 }),
        R::MonitorNeverTrue,
    );
    check(
        &ore().walk(200, 1200).stops(Stop::TimedOut),
        R::MonitorNeverTrue,
    );
    // The pickaxe is still carried: it was spared, and nothing is missing.
    let held = "iron_pickaxe".parse().ok();
    let worn = |left| F::WornOut {
        held,
        left,
        broken: 201,
    };
    check(&ore().walk(60, 300).fails(worn(40)), R::MonitorNeverTrue);
    check(&ore().walk(60, 300).fails(worn(0)), R::ToolMissing);
    let block = "diamond_ore".parse().unwrap();
    let in_water = F::InWater { block, lost: 1 };
    let lost = ore().stand(300).breaks("diamond_ore", 1).fails(in_water);
    check(&lost, R::MonitorNeverTrue);
    let logs = doing("mine", "#logs")
        .wanting(5)
        .walk(20, 200)
        .gain("oak_log", 2)
        .walk(40, 300);
    check(&logs.stops(Stop::TimedOut), R::Timeout);
    let logs = doing("mine", "#logs")
        .wanting(5)
        .walk(20, 200)
        .gain("oak_log", 2)
        .walk(40, 300);
    check(&logs.stops(Stop::BudgetSpent), R::Timeout);
    check(&ore().walk(30, 200).stops(Stop::BudgetSpent), R::Timeout);
    let path = F::NoPath {
        to: Pos::new(9, 12, 9),
        blocked_by: "lava".parse().ok(),
    };
    check(&ore().walk(30, 200).fails(path), R::PathUnreachable);
}

#[test]
fn movement_fails_by_standing_circling_or_not_arriving() {
    check(
        &doing("explore", "#logs").walk(30, 200).stand(500).stalls(),
        R::NavStuck,
    );
    check(
        &doing("explore", "#logs")
            .walk(30, 200)
            .pace(4, 600)
            .stalls(),
        R::NavOscillate,
    );
    check(
        &doing("mine", "#logs").pace(3, 800).stops(Stop::TimedOut),
        R::NavOscillate,
    );
    check(
        &doing("explore", "#logs").stand(10).fails(stuck_at()),
        R::NavStuck,
    );
    check(
        &doing("go_up", "80").walk(150, 1200).stops(Stop::TimedOut),
        R::PathUnreachable,
    );
    check(
        &doing("go_up", "80").climb(9, 1200).stops(Stop::TimedOut),
        R::Timeout,
    );
    check(
        &doing("explore", "#logs")
            .walk(200, 1200)
            .stops(Stop::TimedOut),
        R::MonitorNeverTrue,
    );
}

#[test]
fn ends_from_outside_and_dangers() {
    let ore = || {
        doing("mine", "diamond")
            .holding("iron_pickaxe=1")
            .walk(20, 200)
    };
    let lost = Stop::Terminated {
        because: "the server closed the connection".to_owned(),
    };
    check(&ore().stops(lost), R::EnvTerminated);
    check(
        &ore().fails(F::Died {
            of: "lava".to_owned(),
        }),
        R::EnvTerminated,
    );
    check(&ore().dies().stalls(), R::EnvTerminated);
    check(
        &ore().fails(F::Danger {
            of: "lava ahead".to_owned(),
        }),
        R::RiskAbort,
    );
    check(&ore().health(2.0).stops(Stop::Aborted), R::RiskAbort);
    check(&ore().stops(Stop::Aborted), R::Unknown);
    check(
        &ore().fails(F::Invalid {
            because: "no such thing".to_owned(),
        }),
        R::ActionInvalid,
    );
    check(
        &ore().fails(F::NoRoom {
            at: Pos::new(0, 64, 0),
        }),
        R::ActionInvalid,
    );
    let none = Stop::NoExecutor {
        because: "nothing to attack is named".to_owned(),
    };
    check(&doing("attack", "leather").stops(none), R::ActionInvalid);
    check(
        &doing("place", "torch").stand(10).fails(F::NotHeld {
            item: spec("torch"),
        }),
        R::ToolMissing,
    );
}

#[test]
fn an_early_failure_that_was_got_over_does_not_name_the_label() {
    let path = F::NoPath {
        to: Pos::new(9, 12, 9),
        blocked_by: None,
    };
    let logs = doing("mine", "#logs").wanting(5).walk(20, 100).fails(path);
    check(
        &logs
            .retries()
            .gain("oak_log", 2)
            .walk(40, 900)
            .stops(Stop::TimedOut),
        R::Timeout,
    );
}

#[test]
fn success_is_what_the_checks_say() {
    let done = doing("mine", "#logs")
        .wanting(2)
        .walk(10, 100)
        .gain("oak_log", 2)
        .ends_well();
    let diagnosis = done.diagnose();
    assert!(diagnosis.success && diagnosis.reason.is_none());
    assert_eq!(diagnosis.summary, "done in 6 s, oak_log +2");
    assert_eq!(diagnosis.delta.inventory.len(), 1);
}

#[test]
fn summaries_are_sentences_for_people() {
    let stuck = doing("explore", "#logs")
        .walk(30, 200)
        .stand(500)
        .stalls()
        .diagnose();
    assert_eq!(
        stuck.summary,
        "in the last 20 s no movement, no item gained"
    );
    let rich = doing("mine", "#logs")
        .wanting(64)
        .gain("oak_log", 44)
        .pace(4, 600);
    let rich = rich.stalls().diagnose().summary;
    assert!(
        rich.starts_with("in the last 20 s ") && rich.ends_with(", no item gained; oak_log +44"),
        "{rich}"
    );
    let ore = doing("mine", "iron_ore")
        .holding("wooden_pickaxe=1")
        .stand(300)
        .breaks("iron_ore", 2);
    assert_eq!(
        ore.stalls().diagnose().summary,
        "broke 2 iron_ore that no tool carried harvests"
    );
    let late = doing("mine", "#logs")
        .wanting(5)
        .walk(20, 200)
        .gain("oak_log", 2)
        .walk(40, 300);
    let late = late.stops(Stop::TimedOut).diagnose();
    assert_eq!(
        late.summary,
        "5 missing at the start, 3 at the end; oak_log +2"
    );
}

#[test]
fn who_moved_nothing_and_gained_nothing_reads_as_zero() {
    let still = doing("explore", "#logs").stand(0).stops(Stop::BudgetSpent);
    let diagnosis = still.diagnose();
    let negative = |value: f64| value == 0.0 && value.is_sign_negative();
    let shown = diagnosis
        .indicators
        .iter()
        .filter(|row| negative(row.value));
    assert_eq!(shown.count(), 0, "{:?}", diagnosis.indicators);
    let mut trace = diagnosis.trace.iter();
    assert!(
        trace.all(|step| !step.inputs.contains("-0 ")),
        "{:?}",
        diagnosis.trace
    );
    let used = diagnosis
        .trace
        .iter()
        .find(|step| step.predicate == "the time was used up");
    let inputs = used.map(|step| step.inputs.as_str());
    assert_eq!(
        inputs,
        Some("the budget of the run ended after 0 s of 60 s")
    );
}

#[track_caller]
fn watched(script: &Script, expected: Option<R>) {
    let stall = watch(script.attempt(), &Thresholds::default());
    let reason = match &stall {
        Stall::Stalled { reason, .. } => Some(*reason),
        Stall::NotYet | Stall::Progressing => None,
    };
    assert_eq!(reason, expected, "{stall:?}");
}

#[test]
fn the_stall_detector_knows_slow_work_from_none() {
    let young = doing("explore", "#logs").stand(300);
    assert_eq!(
        watch(young.attempt(), &Thresholds::default()),
        Stall::NotYet
    );
    watched(&doing("explore", "#logs").stand(500), Some(R::NavStuck));
    watched(&doing("explore", "#logs").walk(80, 500), None);
    watched(
        &doing("explore", "#logs").pace(4, 600),
        Some(R::NavOscillate),
    );
    // Obsidian takes a diamond pickaxe 188 ticks, the hand 5,000.
    watched(&doing("mine", "obsidian").stand(1_000), None);
    watched(
        &doing("mine", "obsidian")
            .holding("diamond_pickaxe=1")
            .stand(450),
        Some(R::NavStuck),
    );
    // Who looks for something under ground digs the way there.
    watched(&doing("mine", "wheat").in_a_hole(6_000).stand(500), None);
    watched(
        &doing("mine", "wheat").in_a_hole(6_000).stand(700),
        Some(R::NavStuck),
    );
    // Three blocks of stone by hand are 450 ticks.
    watched(&doing("dig_down", "12").stand(500), None);
    watched(&doing("dig_down", "12").stand(700), Some(R::NavStuck));
    watched(
        &doing("dig_down", "12")
            .holding("wooden_pickaxe=1")
            .stand(450),
        Some(R::NavStuck),
    );
    watched(&doing("smelt", "iron_ingot").cook(900), None);
    watched(
        &doing("smelt", "iron_ingot").stand(500),
        Some(R::MonitorNeverTrue),
    );
    watched(&doing("wait", "600").stand(5_000), None);
    watched(&doing("craft", "stick").toggle(8, 500), Some(R::GuiBlocked));
    watched(&doing("attack", "leather").stand(500), Some(R::NavStuck));
    watched(
        &doing("mine", "#logs")
            .stand(300)
            .gain("oak_log", 1)
            .stand(300),
        None,
    );
}

#[test]
fn a_search_that_comes_round_is_no_oscillation_and_rounds_on_the_same_ground_are() {
    let search = || doing("mine", "wheat");
    let gone_round = |times: u32| (0..times).fold(search(), |s, _| s.rounds(17, 1, 410));
    watched(&gone_round(1), None);
    // A second look is none, a fourth is.
    watched(&gone_round(2), None);
    watched(&gone_round(4), Some(R::NavOscillate));
    watched(&search().rounds(9, 1, 410), None);
    watched(&search().rounds(9, 8, 670), Some(R::NavOscillate));
    // A new round beside worn ones.
    watched(&gone_round(4).walk(40, 200).rounds(17, 1, 410), None);
    check(
        &search().rounds(17, 1, 1200).stops(Stop::TimedOut),
        R::MonitorNeverTrue,
    );
}

#[test]
fn who_waits_for_the_morning_in_a_hole_is_not_stuck_and_who_has_no_reason_to_is() {
    let hunt = || doing("attack", "leather").walk(30, 200);
    let night = Some(Pause::Night);
    let hidden = || hunt().in_a_hole(14_000).saying(night).stand(5_000);
    watched(&hidden(), None);
    check(&hidden().stops(Stop::BudgetSpent), R::Timeout);
    watched(&hidden().saying(None).stand(300), None);
    // In a hole at night all the same, and it hides from nothing.
    watched(&hunt().in_a_hole(14_000).stand(500), Some(R::NavStuck));
    watched(&hidden().saying(None).stand(500), Some(R::NavStuck));
    // Its word is not enough: by day, or under the open sky.
    let woken = hidden().saying(None).walk(60, 400);
    let late = woken.stops(Stop::TimedOut).diagnose();
    let mut trace = late.trace.iter();
    let used = trace.find(|step| step.predicate == "the time was used up");
    let inputs = used.map(|step| step.inputs.as_str()).unwrap_or_default();
    assert!(inputs.ends_with("used, 250 s waited besides"), "{inputs}");
    let at_noon = hunt().in_a_hole(6_000).saying(night).stand(500);
    watched(&at_noon, Some(R::NavStuck));
    check(&at_noon.stalls(), R::NavStuck);
    watched(&hunt().saying(night).stand(500), Some(R::NavStuck));
    // By day a hunter may wait for the dark; then its prey is out. Nobody else has reason to.
    let dusk = |script: Script, time| script.at_hour(time).saying(Some(Pause::Dusk)).stand(1_000);
    watched(&dusk(hunt(), 6_000), None);
    watched(&dusk(hunt(), 14_000), Some(R::NavStuck));
    watched(&dusk(doing("mine", "#logs"), 6_000), Some(R::NavStuck));
    // A simulated controller takes its time, and is held to none.
    let dawdles = || {
        doing("mine", "#logs")
            .saying(Some(Pause::Controller))
            .stand(3_000)
    };
    watched(&dawdles(), None);
    watched(&dawdles().saying(None).stand(500), Some(R::NavStuck));
    let hurt = || hunt().health(6.0).saying(Some(Pause::Wounds));
    watched(&hurt().heal(8, 700), None);
    watched(&hurt().stand(500), Some(R::NavStuck));
}

#[test]
fn thresholds_move_the_verdict() {
    let script = doing("explore", "#logs").stand(300).stops(Stop::TimedOut);
    assert_eq!(script.diagnose().reason, Some(R::MonitorNeverTrue));
    let impatient = Thresholds {
        window_ticks: 100,
        ..Thresholds::default()
    };
    assert_eq!(script.diagnose_with(&impatient).reason, Some(R::NavStuck));
}
