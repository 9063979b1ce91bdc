//! Progress: whether an attempt has come nearer to what its subgoal asks for.

use super::window::Window;
use crate::domain::experience::attempt::Attempt;
use crate::domain::plan::TaskKind;
use pithead_world::block::{BlockId, can_harvest};
use pithead_world::counts::Counts;
use pithead_world::drops::blocks_dropping;

/// Nearer to true at the end than at the start.
pub(super) fn has_progressed(attempt: &Attempt, window: Option<&Window<'_>>) -> bool {
    let gained = attempt
        .subgoal
        .goal
        .object
        .zip(attempt.samples.last())
        // Against the baseline of the subgoal, not the start of the attempt: a retry keeps
        // what the first try gained.
        .is_some_and(|(object, last)| {
            last.inventory.count(object) > attempt.baseline.inventory.count(object)
        });
    let cooked = attempt.subgoal.task_kind == TaskKind::Smelt;
    // Only smelting counts a furnace at work: it may cook for another step.
    let nearer = |window: &Window<'_>| window.came_nearer() || (cooked && window.furnace_worked());
    gained || harvested(attempt) || window.is_some_and(nearer)
}

/// Blocks that give what is wanted were broken with something that takes their drops, whether these
/// were picked up already or not.
pub(super) fn harvested(attempt: &Attempt) -> bool {
    let (Some(object), Some(last)) = (attempt.subgoal.goal.object, attempt.samples.last()) else {
        return false;
    };
    let sources = blocks_dropping(object);
    // Chances below one prove nothing: the drop may just not have come.
    let certain = |block: BlockId| {
        let source = sources.iter().find(|source| source.block == block);
        source.is_some_and(|source| source.drop.chance >= 1.0)
    };
    let reports = attempt
        .actions
        .iter()
        .filter_map(|deed| deed.report.as_ref());
    let mut broken = reports.flat_map(|report| &report.broken);
    broken.any(|(block, _)| certain(*block) && can_harvest_with(*block, &last.inventory))
}

/// Whether the hand or any tool carried takes the block's drops.
pub(super) fn can_harvest_with(block: BlockId, held: &Counts) -> bool {
    can_harvest(block, None) || held.iter().any(|(item, _)| can_harvest(block, Some(item)))
}
