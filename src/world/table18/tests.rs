//! The simulated controller in a real world: what it manages, when, and that it repeats itself.

use super::*;
use crate::aids::{Controller, WorldAids};
use crate::checksum::Checksum;
use crate::testing::{end, interrupted, mine, spec};

fn world(seed: u64) -> Table18World {
    begun(Table18World::new(), seed)
}

fn begun(mut world: Table18World, seed: u64) -> Table18World {
    world.request(Request::Reset(WorldSpec {
        kind: "voxel".to_owned(),
        seed,
        frame_ticks: 10,
        aids: WorldAids {
            controller: Controller::Table18,
            ..WorldAids::default()
        },
        server: None,
    }));
    world.poll(10);
    world
}

fn logs() -> Action {
    mine("#logs", 1)
}

/// The end of an action: its report and the checksum of the world.
fn act(world: &mut Table18World, id: u64, action: Action) -> (ActionReport, Checksum) {
    let id = ActionId(id);
    world.request(Request::Act { id, action });
    let (report, frame) = end(world, id);
    (report, frame.checksum)
}

#[test]
fn failures_last_the_whole_episode_and_gain_nothing_wanted() {
    let mut world = world(7);
    let ends: Vec<ActionReport> = (1..=8).map(|id| act(&mut world, id, logs()).0).collect();
    let failed = |report: &&ActionReport| report.failure.is_some();
    let (bad, good): (Vec<_>, Vec<_>) = ends.iter().partition(failed);
    assert!(!bad.is_empty() && !good.is_empty(), "{ends:?}");
    for report in bad {
        assert_eq!(
            report.failure,
            Some(ActionFailure::OutOfTime { ticks: 600 })
        );
        assert!((600..=640).contains(&report.ticks), "{}", report.ticks);
        assert_eq!(report.gained.count(spec("#logs")), 0);
    }
    assert!(good.iter().all(|r| r.gained.count(spec("#logs")) >= 1));
}

#[test]
fn the_same_orders_take_the_same_course() {
    let course = || {
        let mut world = world(3);
        (1..=4)
            .map(|id| act(&mut world, id, logs()))
            .collect::<Vec<_>>()
    };
    assert_eq!(course(), course());
}

#[test]
fn each_task_of_a_seed_has_draws_of_its_own() {
    let first = |task: &str| {
        act(&mut begun(Table18World::for_task(task), 3), 1, logs())
            .0
            .ticks
    };
    let tasks = [
        "obtain oak log",
        "craft stick",
        "craft chest",
        "obtain dirt",
    ];
    let ticks: Vec<u64> = tasks.iter().map(|task| first(task)).collect();
    assert_eq!(ticks, tasks.map(first), "and the same ones each time");
    assert!(ticks.iter().any(|other| *other != ticks[0]), "{ticks:?}");
}

#[test]
fn an_action_can_be_called_off_while_the_body_dawdles() {
    let mut world = world(7);
    for id in 1..=12 {
        let id = ActionId(id);
        world.request(Request::Act { id, action: logs() });
        world.poll(10);
        world.request(Request::Cancel { id });
        let (report, _) = end(&mut world, id);
        assert!(
            matches!(report.failure, Some(ActionFailure::Cancelled) | None),
            "{report:?}"
        );
    }
    // What is not in the table is done as ever.
    let (report, _) = act(&mut world, 13, Action::Wait { ticks: 5 });
    assert_eq!(report.failure, None);
}

#[test]
fn a_second_action_calls_the_first_off() {
    assert_eq!(
        interrupted(&mut world(7), logs(), 10),
        [(1, Some(ActionFailure::Cancelled)), (2, None)]
    );
}

#[test]
fn frames_say_while_the_controller_lets_time_pass_and_no_longer() {
    let mut world = world(7);
    for id in (1..=8).map(ActionId) {
        world.request(Request::Act { id, action: logs() });
        let mut paused = Vec::new();
        let report = loop {
            let mut ended = None;
            for notice in world.poll(10) {
                match notice {
                    Notice::Frame(frame) => paused.push(frame.pause == Some(Pause::Controller)),
                    Notice::Acted { report, .. } => ended = Some(report),
                    _ => {}
                }
            }
            if let Some(report) = ended {
                break report;
            }
        };
        // First it dawdles, then it works; who does not manage only dawdles.
        let works = paused.iter().skip_while(|is| **is).count();
        assert!(paused.iter().rev().take(works).all(|is| !is), "{paused:?}");
        if report.failure.is_some() {
            assert!(
                works <= 4 && paused.len() >= 56,
                "{works} of {}",
                paused.len()
            );
        }
    }
}
