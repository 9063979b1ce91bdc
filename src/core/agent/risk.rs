//! Risk: subgoals that could kill the body as things stand.
//!
//! Invariant: the ordinary dangers of a day are no risk, or the gate would ask at every step.

use crate::domain::plan::{Executor, Subgoal};
use pithead_world::clock::NIGHT;
use pithead_world::item::ToolKind;
use pithead_world::observation::Frame;

/// Lava lakes fill caves up to this height in 1.16.
const LAVA_LEVEL: i64 = 10;
/// Half hearts below which a fight or a descent may be the last.
/// Three and a half hearts.
const WEAK: f32 = 7.0;

/// What is risky about a subgoal now; none for the ordinary dangers of a day.
pub(super) fn risk_of(subgoal: &Subgoal, frame: &Frame) -> Option<String> {
    let weak = frame.health < WEAK;
    match subgoal.executor_hint {
        Executor::DigDown if subgoal.goal.amount.is_some_and(|y| y <= LAVA_LEVEL) => Some(format!(
            "digs down to y {} and lava",
            subgoal.goal.amount.unwrap_or(0)
        )),
        Executor::DigDown if weak => Some(format!("digs down with health {:.0}", frame.health)),
        Executor::Attack if weak => Some(format!("fights with health {:.0}", frame.health)),
        Executor::Attack if hostile_unarmed(frame) => {
            Some("fights at night without a sword or an axe".to_owned())
        }
        _ => None,
    }
}

fn hostile_unarmed(frame: &Frame) -> bool {
    let night = NIGHT.contains(&u64::from(frame.time));
    let weapon = |kind| matches!(kind, ToolKind::Sword | ToolKind::Axe);
    let mut tools = frame
        .inventory
        .iter()
        .filter_map(|(item, _)| item.facts().tool);
    night && !tools.any(|tool| weapon(tool.kind))
}
