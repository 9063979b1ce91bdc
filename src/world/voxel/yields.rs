//! Yields: what a broken block lets fall, by what is in the hand and its enchantments.
//!
//! Invariant: silk touch gives the block and nothing else; a plain tool draws as if there were no enchantments.

use super::sim::Simulation;
use crate::block::{self as blocks, BlockId, can_harvest};
use crate::drops::{Drop, drops_of, is_exclusive, silk_touch_drop, unripe_drop};
use crate::fortune;
use crate::inventory::Stack;
use crate::space::Pos;

/// From 1 in 15 when sown to 7 in 15 just before it is grown up.
const YOUNG_STEM: f32 = 0.266_666_68;

/// The block as it is, if silk touch on this tool takes it so.
pub(super) fn taken_whole(block: BlockId, held: Option<Stack>) -> Option<Stack> {
    let held = held.filter(|stack| stack.extra.enchants.named("silk_touch") > 0)?;
    let whole = silk_touch_drop(block).filter(|_| can_harvest(block, Some(held.item)))?;
    Some(Stack::new(whole, 1))
}

/// What a plant gives before its time; None for what has no time, or has come to it.
fn before_its_time(block: BlockId, ripe: bool) -> Option<Option<Stack>> {
    let seed = unripe_drop(block).map(|item| Stack::new(item, 1));
    let waits = !ripe && (block == blocks::SWEET_BERRY_BUSH || seed.is_some());
    waits.then_some(seed)
}

/// The chance of each seed of a stem that is not grown up: the mean of its ages.
fn young_stem(block: BlockId, ripe: bool) -> Option<f32> {
    let is_stem = [blocks::PUMPKIN_STEM, blocks::MELON_STEM].contains(&block);
    (is_stem && !ripe).then_some(YOUNG_STEM)
}

/// Draws what the block gives for that tool and lets it fall; a crop that is not ripe gives its seed.
pub(super) fn spill_drops(
    sim: &mut Simulation,
    at: Pos,
    block: BlockId,
    held: Option<Stack>,
    ripe: bool,
) {
    if let Some(seed) = before_its_time(block, ripe) {
        if let Some(seed) = seed {
            sim.dropped.spill(seed, at, &mut sim.luck);
        }
        return;
    }
    if let Some(whole) = taken_whole(block, held) {
        return sim.dropped.spill(whole, at, &mut sim.luck);
    }
    let level = held.map_or(0, |stack| stack.extra.enchants.named("fortune"));
    let exclusive = is_exclusive(block);
    let drops = drops_of(block, held.map(|stack| stack.item));
    let mut drawn = if exclusive { sim.luck.unit() } else { 0.0 };
    // The rare one of an exclusive pair stands last and takes its share off the first.
    let rows = drops.iter().rev().filter(|_| exclusive);
    for drop in rows.chain(drops.iter().filter(|_| !exclusive)) {
        let chance = fortune::chance(block, drop, level);
        let hit = if exclusive {
            let hit = (0.0..chance).contains(&drawn);
            drawn -= chance;
            hit
        } else {
            chance >= 1.0 || sim.luck.chance(chance)
        };
        if hit {
            let each = young_stem(block, ripe).or(drop.each);
            let count = Drop { each, ..*drop }.draw(&mut sim.luck);
            let count = fortune::raised(block, drop.item, count, level, &mut sim.luck);
            if count > 0 {
                sim.dropped
                    .spill(Stack::new(drop.item, count), at, &mut sim.luck);
            }
        }
    }
}
