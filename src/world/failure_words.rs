//! The words for failures of actions, for people and for minds.

use super::action::{ActionFailure, Unbuilt};
use super::block::BlockId;
use super::item::ItemId;
use super::naming::noun;
use std::fmt;

impl fmt::Display for ActionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTarget { target, y } => write!(f, "found no {target} (searched around y {y})"),
            Self::NoPath { to, blocked_by } => {
                write!(f, "no way to {to}")?;
                let by = blocked_by.map(BlockId::name);
                by.map_or(Ok(()), |by| write!(f, ", blocked by {by}"))
            }
            Self::Stuck { at } => write!(f, "stuck at {at}"),
            Self::NoDrop {
                block,
                held,
                broken,
            } => write!(
                f,
                "broke {broken} {} with {} and nothing dropped",
                block.name(),
                held.map_or("the bare hand", ItemId::name)
            ),
            Self::InWater { block, lost } => in_water(f, *block, *lost),
            Self::WornOut { left, broken, .. } => worn_out(f, *left, *broken),
            Self::NoRecipe { item } => write!(f, "there is no recipe for {item}"),
            Self::NoStation { item, station } => {
                write!(
                    f,
                    "{item} needs a {} and none is near or carried",
                    station.name()
                )
            }
            Self::MissingIngredient {
                item,
                needs,
                have,
                need,
            } => {
                write!(f, "{item} needs {need} {needs}, only {have} held")
            }
            Self::TooFewLevels { have, need } => {
                write!(
                    f,
                    "it takes {need} {} of experience, and the body has {have}",
                    noun((*need).into(), "level", "levels")
                )
            }
            Self::NoFuel => f.write_str("nothing to burn in the furnace"),
            Self::NotHeld { item } => write!(f, "{item} is not held"),
            Self::InventoryFull => f.write_str("the inventory is full"),
            Self::GuiBlocked { gui, fault } => write!(f, "the {gui} window {}", fault.words()),
            Self::NoRoom { at } => write!(f, "no room for a block at {at}"),
            Self::Unbuilt {
                because,
                stands,
                of,
            } => {
                let stand = noun((*of).into(), "block stands", "blocks stand");
                write!(f, "{because}; {stands} of {of} {stand}")
            }
            Self::Danger { of } => write!(f, "given up because of {of}"),
            Self::Died { of } => write!(f, "died of {of}"),
            Self::OutOfTime { ticks } => out_of_time(f, *ticks),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Invalid { because } => write!(f, "cannot be done: {because}"),
            Self::Felt { class } => f.write_str(class.words()),
            Self::Untold => f.write_str("failed"),
        }
    }
}

impl fmt::Display for Unbuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSite => f.write_str("no spot near here is flat, dry and free enough"),
            Self::Blocked { at, by: Some(by) } => {
                write!(f, "{} is in the way at {at}", by.name())
            }
            Self::Blocked { at, by: None } => write!(f, "no block could be put at {at}"),
            Self::Short { item, have, need } => {
                let are = noun((*need).into(), "is", "are");
                write!(f, "{need} {item} {are} missing, only {have} held")
            }
            Self::OutOfTime { ticks } => out_of_time(f, *ticks),
        }
    }
}

/// What became of work in the water.
fn in_water(f: &mut fmt::Formatter<'_>, block: BlockId, lost: u32) -> fmt::Result {
    match lost {
        0 => write!(f, "could not break {} from in the water", block.name()),
        _ => write!(f, "lost {lost} {} in the water", block.name()),
    }
}

fn out_of_time(f: &mut fmt::Formatter<'_>, ticks: u64) -> fmt::Result {
    write!(
        f,
        "not finished within {ticks} {}",
        noun(ticks, "tick", "ticks")
    )
}

/// Whether the tools broke or are spared.
fn worn_out(f: &mut fmt::Formatter<'_>, left: u32, broken: u32) -> fmt::Result {
    match left {
        0 => f.write_str("the last tool for it broke")?,
        1 => f.write_str("spared the last use of the tools for it")?,
        _ => write!(f, "spared the last {left} uses of the tools for it")?,
    }
    let blocks = noun(broken.into(), "block", "blocks");
    write!(f, ", after {broken} {blocks}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ActionFailure as F;

    #[track_caller]
    fn check(failure: &F, expected: &str) {
        assert_eq!(failure.to_string(), expected);
    }

    fn worn_out(left: u32, broken: u32) -> F {
        let held = None;
        F::WornOut { held, left, broken }
    }

    #[test]
    fn one_is_told_in_the_singular() {
        check(&worn_out(0, 1), "the last tool for it broke, after 1 block");
        check(
            &worn_out(1, 0),
            "spared the last use of the tools for it, after 0 blocks",
        );
        check(
            &worn_out(2, 2),
            "spared the last 2 uses of the tools for it, after 2 blocks",
        );
        check(
            &F::TooFewLevels { have: 0, need: 1 },
            "it takes 1 level of experience, and the body has 0",
        );
        let because = Unbuilt::Short {
            item: "stone".parse().unwrap(),
            have: 0,
            need: 1,
        };
        let (stands, of) = (0, 1);
        check(
            &F::Unbuilt {
                because,
                stands,
                of,
            },
            "1 stone is missing, only 0 held; 0 of 1 block stands",
        );
    }
}
