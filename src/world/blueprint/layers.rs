//! Layers: a blueprint as rows of letters, from the bottom up, and whether it can stand.

use super::Blueprint;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Facing;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A cell that must be free in the end.
pub const FREE: char = '.';
/// A cell of which nothing is said.
pub const ANYTHING: char = ' ';

/// Why an item is no block that stands by itself in one cell; none if it is.
#[must_use]
pub fn not_a_block(item: ItemSpec) -> Option<String> {
    let fault = |member: &ItemId| {
        let Some(block) = member.facts().places else {
            return Some(format!("{member} is not a block"));
        };
        if block.is_fluid() {
            return Some(format!("{member} flows"));
        }
        // These fill two cells, or turn with whoever puts them down.
        let two = ["_door", "_bed", "_sign", "_banner"];
        let ends = two.iter().find(|end| member.name().ends_with(**end));
        ends.map(|_| format!("{member} is more than one cell, or hangs"))
    };
    item.members().iter().find_map(fault)
}

/// The cells that have nothing to rest on, once everything that can be built stands.
#[must_use]
pub fn loose_cells(blueprint: &Blueprint) -> Vec<[i32; 3]> {
    let holds = |item: ItemSpec| {
        let solid = |member: &ItemId| member.facts().places.is_some_and(|block| block.is_solid());
        item.members().iter().all(solid)
    };
    let falls = |item: ItemSpec| {
        let loose = |member: &ItemId| member.facts().places.is_some_and(|block| block.falls());
        item.members().iter().any(loose)
    };
    let all: FxHashMap<[i32; 3], ItemSpec> = blueprint
        .blocks
        .iter()
        .map(|(item, at)| (*at, *item))
        .collect();
    let mut standing: FxHashMap<[i32; 3], bool> = FxHashMap::default();
    loop {
        let next = blueprint.blocks.iter().find(|(item, [x, y, z])| {
            let beside = |facing: &Facing| {
                let [dx, dy, dz] = facing.step();
                let near = [x + dx, y + dy, z + dz];
                // What falls rests on what is below it alone.
                let may = *facing == Facing::Down || !falls(*item);
                may && standing.get(&near).copied().unwrap_or(false)
            };
            let rests = *y == 0 || Facing::ALL.iter().any(beside);
            rests && !standing.contains_key(&[*x, *y, *z])
        });
        let Some((item, at)) = next else { break };
        standing.insert(*at, holds(*item));
    }
    let mut loose: Vec<[i32; 3]> = all
        .into_keys()
        .filter(|at| !standing.contains_key(at))
        .collect();
    loose.sort_unstable();
    loose
}

/// The layers as text, from the bottom up, with what each letter stands for.
#[must_use]
pub fn drawn(blueprint: &Blueprint) -> String {
    let [width, height, depth] = blueprint.size();
    let material = blueprint.material();
    let letter = |item: ItemSpec| {
        let at = material.iter().position(|(known, _)| *known == item);
        at.map_or('?', |at| {
            char::from(b'A' + u8::try_from(at % 26).unwrap_or(0))
        })
    };
    let mut text = String::new();
    for y in 0..height {
        let _ = writeln!(text, "layer {}", y + 1);
        for z in 0..depth {
            let cell = |x: i32| {
                let here = |at: &&[i32; 3]| **at == [x, y, z];
                let block = blueprint.blocks.iter().find(|(_, at)| *at == [x, y, z]);
                match block {
                    Some((item, _)) => letter(*item),
                    None if blueprint.clear.iter().any(|at| here(&at)) => FREE,
                    None => ANYTHING,
                }
            };
            let row: String = (0..width).map(cell).collect();
            let _ = writeln!(text, "  {}", row.trim_end());
        }
    }
    for (item, count) in &material {
        let _ = writeln!(text, "{} = {item}, {count} of them", letter(*item));
    }
    text
}
