//! Rejoin: a run returns to a world that went on without it, takes stock, and plans from the state as it is.
//!
//! Only for worlds that go on by themselves; an embedded world is built again and never missed anything.
//! Invariant: between the start of a driver and the first frame of the world as it is now, nothing is begun.

use crate::agent::state::{Phase, State};
use crate::agent::transitions::giving_up;
use crate::agent::transitions::loss::lose_world;
use crate::agent::transitions::replan::start_replan;
use crate::agent::turn::Turn;
use crate::domain::run::event::{Event, RunConfig};
use pithead_world::ids::SubgoalId;
use pithead_world::observation::Frame;

/// Walked or carried farther than this, the place is another one.
const MOVED_BLOCKS: f64 = 3.0;
/// Half hearts and food points that count as a change.
const HURT_POINTS: f32 = 1.0;
const DIFFERS_MAX: usize = 12;
const DAY: u32 = 24_000;
/// World time that passes unremarked.
const LATER_TICKS: u32 = 600;

/// A world that is ready now is one that was left: it goes on by itself, and the run had begun in it.
pub(in crate::agent) fn is_due(state: &State) -> bool {
    let goes_on = |config: &RunConfig| config.world.goes_on_by_itself();
    !matches!(state.phase, Phase::New | Phase::Opening) && state.config().is_some_and(goes_on)
}

/// A driver takes the run up. A program that was killed had no time to say that it left, and a fork was never there:
/// the body is in no world until it has joined.
pub(in crate::agent) fn on_started(turn: &mut Turn<'_>) {
    let state = turn.state();
    if is_due(state) && !state.is_away && !state.is_over() {
        lose_world(turn, "the run was left");
    }
}

/// The body stands in the world again.
pub(in crate::agent) fn on_rejoined(turn: &mut Turn<'_>, frame: Box<Frame>) {
    if turn.state().is_over() {
        return;
    }
    let last = turn.state().frame.as_deref();
    let differs = last.map_or_else(Vec::new, |last| differences(last, &frame));
    turn.say(Event::WorldRejoined { frame, differs });
    let in_plan = matches!(turn.state().phase, Phase::Choosing);
    // A task that is done meanwhile needs no plan; whoever chooses the next step ends the run.
    let is_decided = giving_up::run_outcome(turn.state()).is_some();
    if in_plan
        && !is_decided
        && let Some(next) = next_step(turn)
    {
        let because = "the world went on while the run was left".to_owned();
        start_replan(turn, next, because);
    }
}

/// The first step of the plan that is not done.
fn next_step(turn: &Turn<'_>) -> Option<SubgoalId> {
    turn.state().open_steps().next().map(|step| step.id)
}

/// What is not as it was, in words.
fn differences(last: &Frame, now: &Frame) -> Vec<String> {
    let mut found = Vec::new();
    let moved = last.position.distance(now.position);
    if moved > MOVED_BLOCKS {
        found.push(format!(
            "the body is at {}, {moved:.0} blocks from where it was",
            now.position.block()
        ));
    }
    for (item, change) in now.inventory.delta(&last.inventory) {
        let (count, what) = (
            change.unsigned_abs(),
            if change < 0 { "less" } else { "more" },
        );
        found.push(format!("{count} {} {what}", item.name()));
    }
    for (name, before, after) in [
        ("health", last.health, now.health),
        ("food", last.hunger, now.hunger),
    ] {
        if (before - after).abs() >= HURT_POINTS {
            found.push(format!("{name} {before:.0} became {after:.0}"));
        }
    }
    let later = (now.time + DAY - last.time) % DAY;
    if later > LATER_TICKS {
        found.push(format!("it is {later} ticks later in the day"));
    }
    if found.len() > DIFFERS_MAX {
        let left = found.len() - DIFFERS_MAX;
        found.truncate(DIFFERS_MAX);
        found.push(format!("and {left} more"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::space::Point;

    #[test]
    fn what_differs_is_named() {
        let last = Frame {
            inventory: "oak_log=3,stick=1".parse().unwrap(),
            ..Frame::standing()
        };
        assert!(differences(&last, &last).is_empty());
        let now = Frame {
            inventory: "oak_log=1,stick=1,dirt=2".parse().unwrap(),
            position: Point::new(10.5, 64.0, 0.5),
            health: 12.0,
            time: last.time + 2_000,
            ..last.clone()
        };
        assert_eq!(
            differences(&last, &now),
            [
                "the body is at 10 64 0, 10 blocks from where it was",
                "2 dirt more",
                "2 oak_log less",
                "health 20 became 12",
                "it is 2000 ticks later in the day",
            ]
        );
    }
}
