//! The state as a prompt shows it: one line for each kind of thing, with where the nearest is.
//!
//! Invariant: what is told is what the body knows; nothing is told that says nothing.

use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::experience::surroundings::Surroundings;
use pithead_world::naming::noun;
use pithead_world::space::Pos;
use serde_json::{Value, json};

/// Kinds of blocks and of living things that are told, the nearest first.
const KINDS_MAX: usize = 24;
/// Ticks of breath in open air.
const AIR_FULL: u32 = 300;
/// Below this light, monsters come.
const DARK: u8 = 8;
/// Ticks of the day between nightfall and sunrise.
const NIGHT: std::ops::Range<u32> = 13_000..23_000;

/// The state alone.
pub(super) fn state(state: &StateSummary) -> Value {
    state_around(state, None)
}

/// The state, with what is around the body.
pub(super) fn state_around(state: &StateSummary, around: Option<&Surroundings>) -> Value {
    let at = state.position;
    let time = if NIGHT.contains(&state.time) {
        "night"
    } else {
        "day"
    };
    let mut told = json!({
        "position": format!("{} {} {}", at.x, at.y, at.z),
        "biome": state.biome,
        "health": format!("{:.0} of 20", state.health),
        "hunger": format!("{:.0} of 20", state.hunger),
        "time": time,
        "held": state.inventory,
    });
    let near = state
        .notable
        .iter()
        .map(|sight| (sight.block.name(), sight.at));
    let near = lines(at, near);
    if !near.is_empty() {
        told["near"] = json!(near);
    }
    if state.underground {
        told["underground"] = Value::from(true);
    }
    if let Some(item) = state.held {
        told["in_hand"] = json!(item);
    }
    if state.gui.is_open() {
        told["window"] = Value::from(state.gui.name());
    }
    let Some(around) = around else { return told };
    let mobs = around
        .mobs
        .iter()
        .map(|mob| (mob.kind.name(), mob.at.block()));
    let mobs = lines(at, mobs);
    if !mobs.is_empty() {
        told["mobs"] = json!(mobs);
    }
    if around.light < DARK {
        told["light"] = json!(around.light);
    }
    if around.air < AIR_FULL {
        told["under_water"] = Value::from(true);
    }
    if !around.worn.is_empty() {
        told["worn"] = json!(around.worn);
    }
    told
}

/// One line for each kind: how many, and where the nearest is.
fn lines<'a>(from: Pos, things: impl Iterator<Item = (&'a str, Pos)>) -> Vec<String> {
    let mut kinds: Vec<(&str, u32, Pos)> = Vec::new();
    for (name, at) in things {
        match kinds.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, count, nearest)) => {
                *count += 1;
                if distance(from, at) < distance(from, *nearest) {
                    *nearest = at;
                }
            }
            None => kinds.push((name, 1, at)),
        }
    }
    kinds.sort_by_key(|(_, _, at)| distance(from, *at));
    let line = |(name, count, at): (&str, u32, Pos)| {
        let count = if count > 1 {
            format!(" ×{count}")
        } else {
            String::new()
        };
        format!("{name}{count}, {}", place(from, at))
    };
    kinds.into_iter().take(KINDS_MAX).map(line).collect()
}

/// Blocks, straight.
fn distance(from: Pos, to: Pos) -> u32 {
    let square = |a: i32, b: i32| f64::from(a - b).powi(2);
    let sum = square(from.x, to.x) + square(from.y, to.y) + square(from.z, to.z);
    sum.sqrt().round() as u32
}

/// `5 blocks NE, 2 up`.
fn place(from: Pos, to: Pos) -> String {
    let (east, south, up) = (to.x - from.x, to.z - from.z, to.y - from.y);
    // A direction counts if it is more than a third of the way.
    let is_much = |a: i32, b: i32| a.abs() * 3 > b.abs() && a != 0;
    let mut way = String::new();
    if is_much(south, east) {
        way.push(if south < 0 { 'N' } else { 'S' });
    }
    if is_much(east, south) {
        way.push(if east < 0 { 'W' } else { 'E' });
    }
    let far = distance(from, to);
    let mut text = format!("nearest {far} {}", noun(far.into(), "block", "blocks"));
    if !way.is_empty() {
        text += &format!(" {way}");
    }
    match up {
        2.. => text += &format!(", {up} up"),
        ..=-2 => text += &format!(", {} down", -up),
        _ => (), // as good as level
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_one_line_for_each_kind_with_the_nearest() {
        let from = Pos::new(0, 64, 0);
        let things = [
            ("oak_log", Pos::new(20, 64, 0)),
            ("oak_log", Pos::new(3, 64, -4)),
            ("iron_ore", Pos::new(0, 40, 1)),
        ];
        assert_eq!(
            lines(from, things.into_iter()),
            [
                "oak_log ×2, nearest 5 blocks NE",
                "iron_ore, nearest 24 blocks S, 24 down"
            ]
        );
    }
}
