//! Circumstances: under what each try of an option began, and how long it took; one at a time.
//!
//! Invariant: the written forms are stored in tables and exports, and never change.

use super::{Experience, FailureReason};
use pithead_world::clock::NIGHT;
use pithead_world::item::{ItemId, ToolKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Levels of height that count as one.
pub const HEIGHT_BAND: i32 = 16;

/// Under what circumstances a try began, or what it came to; one at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Circumstance {
    Biome(String),
    /// The lowest level of a band of sixteen.
    Height(i32),
    /// The same, if it searched the rock there, and only that decided how it ended.
    SearchedFrom(i32),
    Day,
    Night,
    /// With a sword or without one.
    Armed,
    Unarmed,
    /// With something to eat or without.
    WithFood,
    WithoutFood,
    /// With a bed or without one.
    WithBed,
    WithoutBed,
    /// It was done, and took from so many ticks a piece up to √2 times as many.
    Took(u32),
}

impl Circumstance {
    /// The circumstances of one attempt.
    pub(super) fn of_attempt(e: &Experience, pieces: u64) -> Vec<Self> {
        let is_sword = |item: ItemId| {
            let tool = item.facts().tool;
            tool.is_some_and(|tool| tool.kind == ToolKind::Sword)
        };
        let carries = |wanted: &dyn Fn(ItemId) -> bool| {
            let mut carried = e.pre.inventory.iter();
            carried.any(|(item, _)| wanted(item))
        };
        let pick = |holds, with, without| if holds { with } else { without };
        let is_food = |item: ItemId| item.facts().food.is_some();
        let is_bed = |item: ItemId| item.name().ends_with("_bed");
        let took = e.diagnosis.success.then(|| {
            let asked = u64::from(e.action.goal.count).max(pieces).max(1);
            Self::Took(half_octave(e.ticks() / asked))
        });
        let band = e.pre.position.y.div_euclid(HEIGHT_BAND) * HEIGHT_BAND;
        let searched = has_searched(e).then_some(Self::SearchedFrom(band));
        let here = [
            Self::Biome(e.pre.biome.clone()),
            Self::Height(band),
            if NIGHT.contains(&u64::from(e.pre.time)) {
                Self::Night
            } else {
                Self::Day
            },
            pick(carries(&is_sword), Self::Armed, Self::Unarmed),
            pick(carries(&is_food), Self::WithFood, Self::WithoutFood),
            pick(carries(&is_bed), Self::WithBed, Self::WithoutBed),
        ];
        here.into_iter().chain(searched).chain(took).collect()
    }
}

impl fmt::Display for Circumstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Biome(biome) => write!(f, "biome {biome}"),
            Self::Height(y) => write!(f, "height {y}"),
            Self::SearchedFrom(y) => write!(f, "searched from {y}"),
            Self::Day => f.write_str("day"),
            Self::Night => f.write_str("night"),
            Self::Armed => f.write_str("armed"),
            Self::Unarmed => f.write_str("unarmed"),
            Self::WithFood => f.write_str("food"),
            Self::WithoutFood => f.write_str("no food"),
            Self::WithBed => f.write_str("bed"),
            Self::WithoutBed => f.write_str("no bed"),
            Self::Took(ticks) => write!(f, "took {ticks}"),
        }
    }
}

impl std::str::FromStr for Circumstance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("no circumstance of a try: {text}");
        match text.split_once(' ') {
            Some(("biome", biome)) => Ok(Self::Biome(biome.to_owned())),
            Some(("height", y)) => y.parse().map(Self::Height).map_err(|_| unknown()),
            Some(("searched", from)) => {
                let y = from.strip_prefix("from ").and_then(|y| y.parse().ok());
                y.map(Self::SearchedFrom).ok_or_else(unknown)
            }
            Some(("took", ticks)) => ticks.parse().map(Self::Took).map_err(|_| unknown()),
            _ => match text {
                "day" => Ok(Self::Day),
                "night" => Ok(Self::Night),
                "armed" => Ok(Self::Armed),
                "unarmed" => Ok(Self::Unarmed),
                "food" => Ok(Self::WithFood),
                "no food" => Ok(Self::WithoutFood),
                "bed" => Ok(Self::WithBed),
                "no bed" => Ok(Self::WithoutBed),
                _ => Err(unknown()),
            },
        }
    }
}

impl Serialize for Circumstance {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Circumstance {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// It began in the rock, with nothing in sight that it broke, and ended with what it was for, in vain, or in death. A try
/// on the surface begins there because something was seen, and one that lacks a tool says nothing of the place.
fn has_searched(e: &Experience) -> bool {
    let broke = &e.diagnosis.delta.blocks;
    let mut in_sight = e.pre.notable.iter();
    let is_decided = e.diagnosis.success
        || e.post.health <= 0.0
        || matches!(
            e.diagnosis.reason,
            Some(FailureReason::MonitorNeverTrue | FailureReason::Timeout)
        );
    e.pre.underground && is_decided && !in_sight.any(|seen| broke.contains_key(&seen.block))
}

/// The greatest power of √2, rounded down, that is not above `ticks`.
fn half_octave(ticks: u64) -> u32 {
    let octave = 63 - ticks.max(1).leading_zeros();
    let power = 1u64 << octave;
    // Squares, so that whole numbers decide: √2 · power ≤ ticks.
    let half = u128::from(ticks).pow(2) >= 2 * u128::from(power).pow(2);
    let bound = if half { power * 99 / 70 } else { power };
    u32::try_from(bound).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::experience;
    use pithead_world::block::BlockId;
    use pithead_world::observation::BlockSight;

    #[test]
    fn half_octaves_hold_what_is_from_them_up_to_the_next() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(half_octave), [1, 1, 2, 2, 4, 4]);
        assert_eq!([90, 91, 127, 128].map(half_octave), [64, 90, 90, 128]);
    }

    #[test]
    fn a_search_begins_in_the_rock_and_is_ended_by_what_was_or_was_not_there() {
        let mut e = experience(1, 1, "coal", true);
        e.pre.underground = true;
        e.pre.notable.clear();
        let ore = BlockId::named("coal_ore").unwrap();
        e.diagnosis.delta.blocks.insert(ore, 1);
        assert!(has_searched(&e));
        let mut seen = e.clone();
        let at = seen.pre.position;
        seen.pre.notable.push(BlockSight { block: ore, at });
        assert!(!has_searched(&seen), "it went for what it saw");
        let mut above = e.clone();
        above.pre.underground = false;
        assert!(!has_searched(&above));
        e.diagnosis.success = false;
        e.diagnosis.reason = Some(FailureReason::MonitorNeverTrue);
        assert!(has_searched(&e));
        e.diagnosis.reason = Some(FailureReason::ToolMissing);
        assert!(!has_searched(&e), "another tool would have had it");
        e.post.health = 0.0;
        assert!(has_searched(&e));
    }
}
