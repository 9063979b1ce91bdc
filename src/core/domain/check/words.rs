//! The words for checks: as asked, as observed, as a condition, and as the aim by which experience is found.
//!
//! Invariant: a condition is written as `condition` reads it, and aims never change, because signatures of
//! them are stored.

use super::{Check, FurnaceMeter, Place, judge, nearness};
use crate::domain::condition::situation::Situation;
use pithead_world::action::Target;
use pithead_world::blueprint::BuildSight;
use pithead_world::naming::noun;
use pithead_world::observation::Gui;
use std::fmt::{self, Formatter};

/// Every kind with what makes it true: errors name the kinds, docs/FORMATS.md lists both.
pub const CHECK_KINDS: [(&str, &str); 14] = [
    ("inv_ge", "at least `count` of `item` are held"),
    ("inv_lt", "fewer than `count` of `item` are held"),
    (
        "inv_delta_ge",
        "at least `count` more are held than when the attempt began",
    ),
    (
        "crafted_ge",
        "at least `count` were crafted or smelted since the attempt began",
    ),
    (
        "equipped",
        "`item` is in the hand, worn, or in the off hand",
    ),
    (
        "near",
        "a known `place` (block, source of an item, mob, position) is within `range` blocks",
    ),
    ("ypos_le", "the feet are at or below `y`"),
    ("ypos_ge", "the feet are at or above `y`"),
    (
        "gui_open",
        "a window is open, of the kind `gui` if one is named",
    ),
    ("gui_closed", "no window is open"),
    (
        "furnace_ge",
        "a meter of the furnace has reached `value`: `burn` ticks of fuel left, `cook` ticks of 200, `output` items",
    ),
    (
        "container_ge",
        "at least `count` items are in the open container",
    ),
    (
        "world_time",
        "the time of day is in `window` (ticks, may wrap midnight), and `elapsed` ticks have passed since the \
         attempt began; either may be left out",
    ),
    (
        "built",
        "every block of a building by `blueprint` stands, and its free cells are free, as far as the body has seen",
    ),
];

/// The names of all kinds, as an error lists them.
pub(in crate::domain) fn check_kind_names() -> String {
    let names = CHECK_KINDS.map(|(name, _)| name);
    let (last, others) = names.split_last().expect("there are kinds");
    format!("{} or {last}", others.join(", "))
}

impl FurnaceMeter {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Burn => "burn",
            Self::Cook => "cook",
            Self::Output => "output",
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Thing(target) => target.fmt(f),
            Self::At(at) => at.fmt(f),
        }
    }
}

impl Check {
    /// The name of its kind on the wire.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::InvGe { .. } => "inv_ge",
            Self::InvLt { .. } => "inv_lt",
            Self::InvDeltaGe { .. } => "inv_delta_ge",
            Self::CraftedGe { .. } => "crafted_ge",
            Self::Equipped { .. } => "equipped",
            Self::Near { .. } => "near",
            Self::YposLe { .. } => "ypos_le",
            Self::YposGe { .. } => "ypos_ge",
            Self::GuiOpen { .. } => "gui_open",
            Self::GuiClosed => "gui_closed",
            Self::FurnaceGe { .. } => "furnace_ge",
            Self::ContainerGe { .. } => "container_ge",
            Self::WorldTime { .. } => "world_time",
            Self::Built { .. } => "built",
        }
    }

    /// What is asked, for example `inv_ge iron_ore 3`.
    /// Also in traces and prompts.
    #[must_use]
    pub fn describe(&self) -> String {
        let kind = self.kind();
        match self {
            Self::InvGe { item, count }
            | Self::InvLt { item, count }
            | Self::InvDeltaGe { item, count }
            | Self::CraftedGe { item, count } => format!("{kind} {item} {count}"),
            Self::Equipped { item } => format!("{kind} {item}"),
            Self::Near { place, range } => format!("{kind} {place} {range}"),
            Self::YposLe { y } | Self::YposGe { y } => format!("{kind} {y}"),
            Self::GuiOpen { gui: Some(gui) } => format!("{kind} {}", gui.name()),
            Self::GuiOpen { gui: None } | Self::GuiClosed => kind.to_owned(),
            Self::FurnaceGe { meter, value } => format!("{kind} {} {value}", meter.name()),
            Self::ContainerGe { count } => format!("{kind} {count}"),
            Self::Built { blueprint } => format!("{kind} {blueprint}"),
            Self::WorldTime { window, elapsed } => {
                let window = window.map(|(from, to)| format!(" {from}..{to}"));
                let elapsed = elapsed.map(|ticks| format!(" elapsed {ticks}"));
                format!(
                    "{kind}{}{}",
                    window.unwrap_or_default(),
                    elapsed.unwrap_or_default()
                )
            }
        }
    }

    /// The condition that asks the same, for example `inv iron_ore >= 3`.
    pub(in crate::domain) fn write_condition(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvGe { item, count } => write!(f, "inv {item} >= {count}"),
            Self::InvLt { item, count } => write!(f, "inv {item} < {count}"),
            Self::InvDeltaGe { item, count } => write!(f, "gained {item} >= {count}"),
            Self::CraftedGe { item, count } => write!(f, "crafted {item} >= {count}"),
            Self::Equipped { item } => write!(f, "equipped {item}"),
            Self::Near { place, range } => {
                // A sign before the place, so that an item and a block of one name can be
                // told apart.
                let sign = match place {
                    Place::Thing(Target::Block(_)) => "",
                    Place::Thing(Target::Source(_)) => "source ",
                    Place::Thing(Target::Mob(_)) => "mob ",
                    Place::At(_) => "at ",
                };
                write!(f, "near {sign}{place} {range}")
            }
            Self::YposLe { y } => write!(f, "y <= {y}"),
            Self::YposGe { y } => write!(f, "y >= {y}"),
            Self::GuiOpen { gui: None } => f.write_str("gui open"),
            Self::GuiOpen {
                gui: Some(Gui::Closed),
            } => f.write_str("gui open closed"),
            Self::GuiOpen { gui: Some(gui) } => write!(f, "gui {}", gui.name()),
            Self::GuiClosed => f.write_str("gui closed"),
            Self::FurnaceGe { meter, value } => write!(f, "furnace {} >= {value}", meter.name()),
            Self::ContainerGe { count } => write!(f, "container >= {count}"),
            Self::WorldTime { window, elapsed } => write_time(f, *window, *elapsed),
            Self::Built { blueprint } => write!(f, "built {blueprint}"),
        }
    }

    /// What the check is about, whatever the count and the way of measuring.
    // An attempt is similar to another if it had the same aim, whatever it counted.
    pub(in crate::domain) fn aim(&self) -> String {
        match self {
            // To hold it, to hold more of it and to have made it are one aim.
            Self::InvGe { item, .. }
            | Self::InvDeltaGe { item, .. }
            | Self::CraftedGe { item, .. } => format!("have {item}"),
            Self::InvLt { item, .. } => format!("lack {item}"),
            Self::Equipped { item } => format!("hold {item}"),
            Self::Near {
                place: Place::Thing(thing),
                ..
            } => format!("near {thing}"),
            Self::Near {
                place: Place::At(_),
                ..
            } => "near a place".to_owned(),
            Self::YposLe { .. } => "below".to_owned(),
            Self::YposGe { .. } => "above".to_owned(),
            Self::GuiOpen { gui: Some(gui) } => format!("open {}", gui.name()),
            Self::GuiOpen { gui: None } => "open".to_owned(),
            Self::GuiClosed => "closed".to_owned(),
            Self::FurnaceGe { meter, .. } => format!("furnace {meter:?}"),
            Self::ContainerGe { .. } => "container".to_owned(),
            Self::WorldTime { .. } => "time".to_owned(),
            Self::Built { blueprint } => format!("build {blueprint}"),
        }
    }

    /// What is the case, for example `have 1`; `not known` when it is not.
    #[must_use]
    pub fn observed(&self, now: &Situation<'_>) -> String {
        self.known_value(now)
            .unwrap_or_else(|| "not known".to_owned())
    }

    fn known_value(&self, now: &Situation<'_>) -> Option<String> {
        Some(match self {
            Self::InvGe { item, .. } | Self::InvLt { item, .. } => {
                format!("have {}", judge::held(now, *item)?)
            }
            Self::InvDeltaGe { item, .. } => format!("gained {}", judge::gained(now, *item)?),
            Self::CraftedGe { item, .. } => format!("made {}", judge::crafted(now, *item)?),
            Self::Equipped { .. } => match now.held? {
                Some(item) => format!("holding {item}"),
                None => "empty hand".to_owned(),
            },
            Self::Near { place, .. } => match nearness::nearest(place, now) {
                Some(away) => format!("{away:.1} blocks away"),
                None if nearness::absence(place, now) == super::Truth::False => {
                    "none visible".to_owned()
                }
                None => return None,
            },
            Self::YposLe { .. } | Self::YposGe { .. } => format!("y {}", judge::feet(now)?),
            Self::GuiOpen { .. } | Self::GuiClosed => match now.gui? {
                gui if gui.is_open() => format!("{} window", gui.name()),
                _ => "no window".to_owned(),
            },
            Self::FurnaceGe { meter, .. } => {
                format!("{} {}", meter.name(), judge::meter_now(now, *meter)?)
            }
            Self::ContainerGe { .. } => format!("{} inside", now.container_items?),
            Self::WorldTime { window, elapsed } => {
                time_seen(now, window.is_some(), elapsed.is_some())?
            }
            Self::Built { blueprint } => match BuildSight::of_name(now.builds?, blueprint) {
                Some(build) => standing(build),
                None => "not begun".to_owned(),
            },
        })
    }
}

fn standing(build: &BuildSight) -> String {
    let stand = noun(build.of.into(), "block stands", "blocks stand");
    let mut words = format!("{} of {} {stand}", build.stands, build.of);
    if build.filled > 0 {
        let are = noun(build.filled.into(), "cell is", "cells are");
        words.push_str(&format!(", {} {are} not free", build.filled));
    }
    words
}

fn time_seen(now: &Situation<'_>, of_day: bool, elapsed: bool) -> Option<String> {
    let mut parts = Vec::new();
    if of_day {
        parts.push(format!("time {}", now.time?));
    }
    if elapsed {
        let ticks = judge::elapsed_ticks(now)?;
        parts.push(format!("{ticks} {} elapsed", noun(ticks, "tick", "ticks")));
    }
    Some(parts.join(", "))
}

fn write_time(
    f: &mut Formatter<'_>,
    window: Option<(u32, u32)>,
    elapsed: Option<u64>,
) -> fmt::Result {
    match (window, elapsed) {
        (None, None) => f.write_str("time any"),
        (None, Some(ticks)) => write!(f, "elapsed >= {ticks}"),
        (Some((from, to)), None) => write!(f, "time {from}..{to}"),
        (Some((from, to)), Some(ticks)) => write!(f, "time {from}..{to} elapsed >= {ticks}"),
    }
}
