//! The hand: holding, digging, putting down, windows; the smallest things a script does.
//!
//! Each is a few ticks long and says what came of it. Invariant: digging uses the best tool that
//! is carried, and no window is left open by a deed that did not want one.

use super::controls::{Aim, Controls, Deed, Outcome};
use super::follow::look;
use super::scripts::{lava, reflex};
use super::senses::{Hands, Senses};
use crate::action::ActionFailure;
use crate::block::{BlockId, break_ticks};
use crate::item::ItemId;
use crate::observation::Gui;
use crate::space::{Facing, Pos};

/// Refused blows before a block counts as out of reach.
const REFUSALS_MAX: u32 = 4;
/// Slack over the break time: standing in water or in the air makes it five times longer.
const DIG_TICKS_SLACK: u32 = 60;
/// With less breath than this a dig is broken off, unless it is for air.
const LAST_BREATH: i32 = 110;
/// Ticks for sand to fall by one block.
const SLIDE_TICKS: u32 = 8;
/// Ticks for a window to open or close.
const WINDOW_TICKS_MAX: u32 = 20;

/// What a miner throws away first; cobblestone and dirt are for building.
const RUBBLE: [&str; 9] = [
    "granite",
    "diorite",
    "andesite",
    "gravel",
    "flint",
    "sand",
    "oak_sapling",
    "birch_sapling",
    "wheat_seeds",
];

/// What one builds ways with, and how much of each is enough.
const FILLER: [&str; 2] = ["cobblestone", "dirt"];
const FILLER_MAX: u32 = 192;
/// Slots that a miner keeps free.
const FREE_MIN: usize = 3;

/// Throws rubble away until there is room again, as far as there is rubble.
pub(crate) async fn make_room(hands: &Hands) {
    let is_crammed = |s: &mut Senses| {
        let free = s.slots.stacks.iter().filter(|slot| slot.is_none());
        free.count() < FREE_MIN
    };
    for _ in 0..FREE_MIN {
        if !hands.with(is_crammed) || !throw_rubble(hands).await {
            break;
        }
    }
}

/// What came of digging.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Dug {
    Broke(BlockId),
    /// Nothing was there any more.
    Gone,
    OutOfReach,
}

/// Takes an item into the hand.
pub(crate) async fn hold(hands: &Hands, item: ItemId) -> Result<(), ActionFailure> {
    for _ in 0..WINDOW_TICKS_MAX {
        if hands.with(|s| s.held == Some(item)) {
            return Ok(());
        }
        if hands.with(|s| s.slots.count(item) == 0) {
            break;
        }
        let keys = Controls {
            deed: Some(Deed::Hold { item }),
            ..hands.with(|s| still(s))
        };
        hands.act(keys).await;
    }
    Err(ActionFailure::NotHeld { item: item.into() })
}

/// Takes a block to build with into the hand.
pub(crate) async fn hold_filler(hands: &Hands) -> Result<(), ActionFailure> {
    match hands.with(|s| s.filler()) {
        Some(item) => hold(hands, item).await,
        None => Err(ActionFailure::Stuck {
            at: hands.with(|s| s.feet()),
        }),
    }
}

/// Breaks a block with the best tool carried, unless that lets lava in; for air one risks that too.
pub(crate) async fn dig(hands: &Hands, at: Pos) -> Result<Dug, ActionFailure> {
    let is_for_air = hands.with(|s| [s.eyes.block(), s.eyes.block().up()].contains(&at));
    if !is_for_air && hands.with(|s| lava::touches(s, at)) {
        return Ok(Dug::OutOfReach);
    }
    dig_anyway(hands, at).await
}

/// As `dig`, for whoever has looked after the lava.
pub(crate) async fn dig_anyway(hands: &Hands, at: Pos) -> Result<Dug, ActionFailure> {
    close(hands).await?;
    let Some(block) = hands.with(|s| s.seen.block(at)) else {
        return Ok(Dug::Gone);
    };
    take_tool(hands, block).await?;
    break_with(hands, at, block, None).await
}

/// Breaks a block with this very tool.
pub(crate) async fn dig_with(hands: &Hands, at: Pos, tool: ItemId) -> Result<Dug, ActionFailure> {
    close(hands).await?;
    let Some(block) = hands.with(|s| s.seen.block(at)) else {
        return Ok(Dug::Gone);
    };
    hold(hands, tool).await?;
    break_with(hands, at, block, Some(tool)).await
}

/// Goes on until it breaks, with the tool or whatever is best.
async fn break_with(
    hands: &Hands,
    at: Pos,
    block: BlockId,
    tool: Option<ItemId>,
) -> Result<Dug, ActionFailure> {
    let ticks = hands.with(|s| break_ticks(block, s.held, s.eyes_in_water, true));
    let Some(ticks) = ticks else {
        return Ok(Dug::OutOfReach);
    };
    // Only what is overhead is dug for air.
    let is_for_air = hands.with(|s| [s.eyes.block(), s.eyes.block().up()].contains(&at));
    let mut refused = 0;
    for _ in 0..ticks * 5 + DIG_TICKS_SLACK {
        let keys = hands.with(|s| Controls {
            attack: true,
            aim: Some(Aim::Block(at)),
            // Afloat: keep the head where it is; with a floor below, sink: standing digs faster.
            jump: s.in_water && !s.on_ground && !s.seen.nature(s.feet().down()).is_floor(),
            ..look(s, at)
        });
        if !is_for_air && hands.with(|s| s.eyes_in_water && s.air < LAST_BREATH) {
            return Ok(Dug::OutOfReach);
        }
        if reflex::watch_amid(hands).await? {
            match tool {
                Some(tool) => hold(hands, tool).await?,
                None => take_tool(hands, block).await?,
            }
        }
        match hands.act(keys).await {
            Outcome::Broke(broken, block) if broken == at => return Ok(Dug::Broke(block)),
            Outcome::Refused(_) => refused += 1,
            Outcome::Broke(..) | Outcome::Done | Outcome::Working => {}
            Outcome::Struck(_) | Outcome::Crafted(..) | Outcome::Ate(_) => {}
        }
        if hands.with(|s| s.seen.block(at)) != Some(block) {
            return Ok(Dug::Gone);
        }
        if refused > REFUSALS_MAX {
            return Ok(Dug::OutOfReach);
        }
    }
    Ok(Dug::OutOfReach)
}

/// Waits for what lies loose above a cell that was dug free to come down into it.
pub(crate) async fn let_slide(hands: &Hands, at: Pos) {
    for _ in 0..SLIDE_TICKS {
        if !hands.with(|s| s.seen.nature(at.up()).falls() && s.seen.nature(at).is_open()) {
            break;
        }
        hands.idle().await;
    }
}

async fn take_tool(hands: &Hands, block: BlockId) -> Result<(), ActionFailure> {
    let (tool, held) = hands.with(|s| (s.tool_for(block), s.held));
    match tool {
        Some(tool) if held != Some(tool) => hold(hands, tool).await,
        Some(_) => Ok(()),
        None => {
            // The bare hand does as well: spare the tool.
            if held.is_some_and(|item| item.facts().durability.is_some()) {
                hold_nothing(hands).await;
            }
            Ok(())
        }
    }
}

/// Empties the hand, if a slot is free for what is in it.
pub(crate) async fn hold_nothing(hands: &Hands) {
    let keys = Controls {
        deed: Some(Deed::HoldNothing),
        ..hands.with(|s| still(s))
    };
    hands.act(keys).await;
}

/// Clicks the right button on a block; false if that did nothing.
pub(crate) async fn click(hands: &Hands, at: Pos) -> bool {
    let keys = hands.with(|s| Controls {
        deed: Some(Deed::Use { at: Some(at) }),
        ..look(s, at)
    });
    hands.act(keys).await == Outcome::Done
}

/// Puts what is held on top of a block; false if it cannot stand there.
pub(crate) async fn plant(hands: &Hands, against: Pos, side: Facing) -> bool {
    let keys = hands.with(|s| Controls {
        deed: Some(Deed::Place { against, side }),
        ..look(s, against)
    });
    hands.act(keys).await == Outcome::Done
}

/// Keys that change nothing.
fn still(s: &Senses) -> Controls {
    Controls {
        jump: s.in_water && !s.on_ground,
        ..Controls::default()
    }
}

/// Closes whatever window is open.
pub(crate) async fn close(hands: &Hands) -> Result<(), ActionFailure> {
    for _ in 0..WINDOW_TICKS_MAX {
        if hands.with(|s| s.gui() == Gui::Closed) {
            return Ok(());
        }
        hands
            .act(Controls {
                deed: Some(Deed::CloseGui),
                ..Controls::default()
            })
            .await;
    }
    Err(ActionFailure::GuiBlocked {
        gui: hands.with(|s| s.gui().name().to_owned()),
    })
}

/// Opens a window: a station's, or the body's own inventory.
pub(crate) async fn open(hands: &Hands, at: Option<Pos>, gui: Gui) -> Result<(), ActionFailure> {
    for _ in 0..WINDOW_TICKS_MAX {
        let (open, keys) =
            hands.with(|s| (s.gui(), at.map_or_else(Controls::default, |at| look(s, at))));
        if open == gui {
            return Ok(());
        }
        let deed = match (open, at) {
            (Gui::Closed, Some(at)) => Deed::Open { at },
            (Gui::Closed, None) => Deed::OpenInventory,
            _ => Deed::CloseGui,
        };
        hands
            .act(Controls {
                deed: Some(deed),
                ..keys
            })
            .await;
    }
    Err(ActionFailure::GuiBlocked {
        gui: gui.name().to_owned(),
    })
}

/// Throws one stack of rubble away; false if nothing carried is worthless.
pub(crate) async fn throw_rubble(hands: &Hands) -> bool {
    let stack = hands.with(|s| {
        let is_rubble = |item: ItemId| {
            let is_surplus = FILLER.contains(&item.name()) && s.slots.count(item) > FILLER_MAX;
            is_surplus || RUBBLE.contains(&item.name())
        };
        let stacks = s.slots.stacks.iter().flatten().rev();
        stacks.copied().find(|stack| is_rubble(stack.item))
    });
    let Some(stack) = stack else { return false };
    let keys = hands.with(|s| look(s, s.feet().plus(0, 1, 3)));
    let deed = Deed::Toss {
        item: stack.item,
        count: stack.count,
    };
    hands
        .act(Controls {
            deed: Some(deed),
            ..keys
        })
        .await
        == Outcome::Done
}

/// Puts a carried block down beside the body and returns where.
pub(crate) async fn put_down(hands: &Hands, item: ItemId) -> Result<Pos, ActionFailure> {
    let spots = hands.with(free_spots);
    for at in spots {
        if put_at(hands, item, at).await? {
            return Ok(at);
        }
    }
    // No room: make some in the wall.
    let walls = hands.with(walls);
    for at in walls {
        if matches!(dig(hands, at).await?, Dug::Broke(_)) && put_at(hands, item, at).await? {
            return Ok(at);
        }
    }
    Err(ActionFailure::NoRoom {
        at: hands.with(|s| s.feet()),
    })
}

/// Puts a carried block at a place; false if it cannot go there from here.
pub(crate) async fn put_at(hands: &Hands, item: ItemId, at: Pos) -> Result<bool, ActionFailure> {
    hold(hands, item).await?;
    for side in [
        Facing::Up,
        Facing::North,
        Facing::South,
        Facing::West,
        Facing::East,
        Facing::Down,
    ] {
        let [x, y, z] = side.step();
        let against = at.plus(-x, -y, -z);
        if !hands.with(|s| s.seen.nature(against).is_solid() && faces(s, against, side)) {
            continue;
        }
        let keys = hands.with(|s| Controls {
            deed: Some(Deed::Place { against, side }),
            ..look(s, against)
        });
        let outcome = hands.act(keys).await;
        if !matches!(outcome, Outcome::Refused(_)) && hands.with(|s| s.seen.nature(at).is_solid()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if the eyes are on the outer side of a face; else it cannot be in sight.
fn faces(s: &Senses, block: Pos, side: Facing) -> bool {
    let (middle, [x, y, z]) = (block.centre(), side.step().map(f64::from));
    let along = (s.eyes.x - middle.x) * x + (s.eyes.y - middle.y) * y + (s.eyes.z - middle.z) * z;
    along > 0.5
}

/// Open cells with a floor near the body, best first.
fn free_spots(s: &mut Senses) -> Vec<Pos> {
    let feet = s.feet();
    let fits = |p: &Pos| {
        let nature = s.seen.nature(*p);
        nature.is_open()
            && !nature.is_water()
            && s.seen.nature(p.down()).is_floor()
            && *p != feet
            && *p != feet.up()
    };
    around(feet).into_iter().filter(fits).collect()
}

/// Walls that can be dug to make room, with rock behind the floor.
fn walls(s: &mut Senses) -> Vec<Pos> {
    let feet = s.feet();
    let fits = |p: &Pos| {
        let wet = Facing::ALL
            .iter()
            .any(|f| s.seen.nature(p.side(*f)).is_lava() || s.seen.nature(p.side(*f)).is_water());
        !wet && s.seen.nature(*p).is_solid() && s.seen.nature(p.down()).is_floor()
    };
    Facing::FLAT
        .into_iter()
        .flat_map(|f| [feet.side(f).up(), feet.side(f)])
        .filter(fits)
        .collect()
}

/// Cells around the feet, the nearest first.
fn around(feet: Pos) -> Vec<Pos> {
    let mut cells = Vec::new();
    for y in [0, 1, -1] {
        for (x, z) in [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
            (2, 0),
            (-2, 0),
            (0, 2),
            (0, -2),
        ] {
            cells.push(feet.plus(x, y, z));
        }
    }
    cells
}
