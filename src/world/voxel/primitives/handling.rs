//! Handling: holding, digging, putting down, windows; the smallest things a script does.
//!
//! Each is a few ticks long and says what came of it. Invariant: digging uses the best tool that
//! is carried, and no window is left open by a action that did not want one.

use super::super::controls::{AimTarget, ControlOutcome, Controls, HandAction};
use super::super::path::goal::{first_in_way, is_between, reaches, standing_eyes};
use super::super::senses::{BodyHandle, Senses};
use super::looking::look_at_block;
use super::{lava, reflexes};
use crate::action::{ActionFailure, GuiFault};
use crate::block::{BlockId, break_ticks};
use crate::item::ItemId;
use crate::keep::RUBBLE;
use crate::observation::Gui;
use crate::space::{Facing, Pos};

/// Refused blows before a block counts as out of reach.
const REFUSALS_MAX: u32 = 4;
/// Slack over the break time: standing in water or in the air makes it five times longer.
const DIG_TICKS_SLACK: u32 = 60;
/// With less breath than this a dig is broken off, unless it is for air.
const LAST_BREATH: i32 = 110;
/// Ticks for sand to lose its hold and fall by some blocks; longer than that nobody waits.
const SLIDE_TICKS: u32 = 30;
/// Ticks to dig a hole for a block that is put down in a wall, at most.
const DIG_SOON_TICKS: u32 = 30;
/// Ticks for a window to open or close.
const WINDOW_TICKS_MAX: u32 = 20;

/// What one builds ways with, and how much of each is enough.
const FILLER: [&str; 2] = ["cobblestone", "dirt"];
const FILLER_MAX: u32 = 192;
/// Slots that a miner keeps free.
const FREE_MIN: usize = 3;
/// Blocks that what is thrown away flies, and a little more.
const THROW: i32 = 3;

/// Throws rubble away until there is room again, as far as there is rubble.
pub(crate) async fn make_room(body: &BodyHandle) {
    let is_crammed = |s: &mut Senses| {
        let free = s.slots.stacks.iter().filter(|slot| slot.is_none());
        free.count() < FREE_MIN
    };
    for _ in 0..FREE_MIN {
        if !body.with(is_crammed) || !throw_rubble(body).await {
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
pub(crate) async fn hold(body: &BodyHandle, item: ItemId) -> Result<(), ActionFailure> {
    for _ in 0..WINDOW_TICKS_MAX {
        if body.with(|s| s.held == Some(item)) {
            return Ok(());
        }
        if body.with(|s| s.slots.count(item) == 0) {
            break;
        }
        let keys = Controls {
            action: Some(HandAction::Hold { item }),
            ..body.with(|s| still(s))
        };
        body.act(keys).await;
    }
    Err(ActionFailure::NotHeld { item: item.into() })
}

/// Takes a block to build with into the hand.
pub(crate) async fn hold_filler(body: &BodyHandle) -> Result<(), ActionFailure> {
    match body.with(|s| s.filler()) {
        Some(item) => hold(body, item).await,
        None => Err(ActionFailure::Stuck {
            at: body.with(|s| s.feet()),
        }),
    }
}

/// Breaks a block with the best tool carried, unless that lets lava in; for air one risks that too.
pub(crate) async fn dig(body: &BodyHandle, at: Pos) -> Result<Dug, ActionFailure> {
    let is_for_air = body.with(|s| [s.eyes.block(), s.eyes.block().up()].contains(&at));
    if !is_for_air && body.with(|s| lava::touches(s, at)) {
        return Ok(Dug::OutOfReach);
    }
    dig_anyway(body, at).await
}

/// As `dig`, for whoever has looked after the lava.
pub(crate) async fn dig_anyway(body: &BodyHandle, at: Pos) -> Result<Dug, ActionFailure> {
    close(body).await?;
    let Some(block) = body.with(|s| s.seen.block(at)) else {
        return Ok(Dug::Gone);
    };
    take_tool(body, block).await?;
    break_with(body, at, block, None).await
}

/// Breaks a block with this very tool.
pub(crate) async fn dig_with(
    body: &BodyHandle,
    at: Pos,
    tool: ItemId,
) -> Result<Dug, ActionFailure> {
    close(body).await?;
    let Some(block) = body.with(|s| s.seen.block(at)) else {
        return Ok(Dug::Gone);
    };
    hold(body, tool).await?;
    break_with(body, at, block, Some(tool)).await
}

/// Goes on until it breaks, with the tool or whatever is best.
async fn break_with(
    body: &BodyHandle,
    at: Pos,
    block: BlockId,
    tool: Option<ItemId>,
) -> Result<Dug, ActionFailure> {
    let ticks = body.with(|s| break_ticks(block, s.held, s.eyes_in_water, true));
    let Some(ticks) = ticks else {
        return Ok(Dug::OutOfReach);
    };
    // Only what is overhead is dug for air.
    let is_for_air = body.with(|s| [s.eyes.block(), s.eyes.block().up()].contains(&at));
    let mut refused = 0;
    for _ in 0..ticks * 5 + DIG_TICKS_SLACK {
        let keys = body.with(|s| Controls {
            attack: true,
            aim: Some(AimTarget::Block(at)),
            // Afloat: keep the head where it is; with a floor below, sink: standing digs faster.
            jump: s.in_water && !s.on_ground && !s.seen.nature(s.feet().down()).is_floor(),
            ..look_at_block(s, at)
        });
        if !is_for_air && body.with(|s| s.eyes_in_water && s.air < LAST_BREATH) {
            return Ok(Dug::OutOfReach);
        }
        if reflexes::watch_amid(body).await? {
            match tool {
                Some(tool) => hold(body, tool).await?,
                None => take_tool(body, block).await?,
            }
        }
        match body.act(keys).await {
            ControlOutcome::Broke(broken, block) if broken == at => return Ok(Dug::Broke(block)),
            ControlOutcome::Refused(_) => refused += 1,
            ControlOutcome::Broke(..) | ControlOutcome::Done | ControlOutcome::Working => {}
            ControlOutcome::Struck(_) | ControlOutcome::Crafted(..) | ControlOutcome::Ate(_) => {}
        }
        if body.with(|s| s.seen.block(at)) != Some(block) {
            return Ok(Dug::Gone);
        }
        if refused > REFUSALS_MAX {
            return Ok(Dug::OutOfReach);
        }
    }
    Ok(Dug::OutOfReach)
}

/// True if what falls there will come by this cell.
fn comes_down(one: Pos, at: Pos) -> bool {
    (one.x, one.z) == (at.x, at.z) && one.y >= at.y
}

/// Waits for what lies loose above a cell that was dug free to come down into it.
pub(crate) async fn let_slide(body: &BodyHandle, at: Pos) {
    for _ in 0..SLIDE_TICKS {
        let is_due = body.with(|s| {
            let is_loose = s.seen.nature(at.up()).falls() && s.seen.nature(at).is_open();
            is_loose || s.falling.iter().any(|one| comes_down(*one, at))
        });
        if !is_due {
            break;
        }
        body.idle().await;
    }
}

async fn take_tool(body: &BodyHandle, block: BlockId) -> Result<(), ActionFailure> {
    let (tool, held) = body.with(|s| (s.tool_for(block), s.held));
    match tool {
        Some(tool) if held != Some(tool) => hold(body, tool).await,
        Some(_) => Ok(()),
        None => {
            // The bare hand does as well: spare the tool.
            if held.is_some_and(|item| item.facts().durability.is_some()) {
                hold_nothing(body).await;
            }
            Ok(())
        }
    }
}

/// Empties the hand, if a slot is free for what is in it.
pub(crate) async fn hold_nothing(body: &BodyHandle) {
    let keys = Controls {
        action: Some(HandAction::HoldNothing),
        ..body.with(|s| still(s))
    };
    body.act(keys).await;
}

/// Clicks the right button on a block; false if that did nothing.
pub(crate) async fn click(body: &BodyHandle, at: Pos) -> bool {
    let keys = body.with(|s| Controls {
        action: Some(HandAction::Use { at: Some(at) }),
        ..look_at_block(s, at)
    });
    body.act(keys).await == ControlOutcome::Done
}

/// Puts what is held on top of a block; false if it cannot stand there.
pub(crate) async fn plant(body: &BodyHandle, against: Pos, side: Facing) -> bool {
    let keys = body.with(|s| Controls {
        action: Some(HandAction::Place { against, side }),
        ..look_at_block(s, against)
    });
    body.act(keys).await == ControlOutcome::Done
}

/// Keys that change nothing.
fn still(s: &Senses) -> Controls {
    Controls {
        jump: s.in_water && !s.on_ground,
        ..Controls::default()
    }
}

/// Closes whatever window is open.
pub(crate) async fn close(body: &BodyHandle) -> Result<(), ActionFailure> {
    for _ in 0..WINDOW_TICKS_MAX {
        if body.with(|s| s.gui() == Gui::Closed) {
            return Ok(());
        }
        body.act(Controls {
            action: Some(HandAction::CloseGui),
            ..Controls::default()
        })
        .await;
    }
    Err(blocked(body.with(|s| s.gui()), GuiFault::StaysOpen))
}

/// Opens a window: a station's, or the body's own inventory.
pub(crate) async fn open(
    body: &BodyHandle,
    at: Option<Pos>,
    gui: Gui,
) -> Result<(), ActionFailure> {
    for _ in 0..WINDOW_TICKS_MAX {
        let (open, keys) = body.with(|s| {
            (
                s.gui(),
                at.map_or_else(Controls::default, |at| look_at_block(s, at)),
            )
        });
        if open == gui {
            return Ok(());
        }
        let action = match (open, at) {
            (Gui::Closed, Some(at)) => HandAction::Open { at },
            (Gui::Closed, None) => HandAction::OpenInventory,
            _ => HandAction::CloseGui,
        };
        body.act(Controls {
            action: Some(action),
            ..keys
        })
        .await;
    }
    Err(match body.with(|s| s.gui()) {
        Gui::Closed => blocked(gui, GuiFault::StaysShut),
        other => blocked(other, GuiFault::StaysOpen),
    })
}

/// That something is wrong with a window.
pub(crate) fn blocked(gui: Gui, fault: GuiFault) -> ActionFailure {
    let gui = gui.name().to_owned();
    ActionFailure::GuiBlocked { gui, fault }
}

/// Throws one stack of rubble away; false if nothing carried is worthless.
pub(crate) async fn throw_rubble(body: &BodyHandle) -> bool {
    let stack = body.with(|s| {
        let is_rubble = |item: ItemId| {
            let is_surplus = FILLER.contains(&item.name()) && s.slots.count(item) > FILLER_MAX;
            is_surplus || (RUBBLE.contains(&item.name()) && s.has_spare(item))
        };
        let stacks = s.slots.stacks.iter().flatten().rev();
        stacks.copied().find(|stack| is_rubble(stack.item))
    });
    let Some(stack) = stack else { return false };
    let keys = body.with(|s| {
        let aim = most_open(s);
        look_at_block(s, aim)
    });
    let action = HandAction::Toss {
        item: stack.item,
        count: stack.count,
    };
    body.act(Controls {
        action: Some(action),
        ..keys
    })
    .await
        == ControlOutcome::Done
}

/// So far away, on the side where most is open, that what flies there lies out of reach of the feet.
fn most_open(s: &Senses) -> Pos {
    let head = s.feet().up();
    let along = |side: Facing, far: i32| {
        let [x, _, z] = side.step();
        head.plus(x * far, 0, z * far)
    };
    let open = |side: &Facing| {
        let cells = (1..=THROW).map(|far| s.seen.nature(along(*side, far)));
        cells.take_while(|cell| cell.is_open()).count()
    };
    let side = Facing::FLAT.into_iter().max_by_key(open);
    along(side.unwrap_or(Facing::South), THROW)
}

/// Puts a carried block down beside the body and returns where.
pub(crate) async fn put_down(body: &BodyHandle, item: ItemId) -> Result<Pos, ActionFailure> {
    if let Some(at) = put_in_sight(body, item, &[]).await? {
        return Ok(at);
    }
    // Where it is not in sight from here, one goes to where it is.
    for at in body.with(|s| free_spots(s)) {
        if put_at(body, item, at).await? {
            return Ok(at);
        }
    }
    // No room: make some in the wall.
    for at in body.with(walls) {
        if matches!(dig(body, at).await?, Dug::Broke(_)) && put_at(body, item, at).await? {
            return Ok(at);
        }
    }
    Err(ActionFailure::NoRoom {
        at: body.with(|s| s.feet()),
    })
}

/// Puts a carried block down, in a wall if need be, so that it and those in use are in sight and within reach from where
/// one stands; none if there is no room.
pub(crate) async fn put_in_sight(
    body: &BodyHandle,
    item: ItemId,
    in_use: &[Pos],
) -> Result<Option<Pos>, ActionFailure> {
    for at in body.with(|s| spots_in_sight(s, in_use)) {
        let is_wall = body.with(|s| s.seen.nature(at).is_solid());
        if is_wall && !matches!(dig(body, at).await?, Dug::Broke(_)) {
            continue;
        }
        if put_at(body, item, at).await? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Puts a carried block at a place; false if it cannot go there from here.
pub(crate) async fn put_at(
    body: &BodyHandle,
    item: ItemId,
    at: Pos,
) -> Result<bool, ActionFailure> {
    hold(body, item).await?;
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
        if !body.with(|s| s.seen.nature(against).is_solid() && faces(s, against, side)) {
            continue;
        }
        let keys = body.with(|s| Controls {
            action: Some(HandAction::Place { against, side }),
            ..look_at_block(s, against)
        });
        let outcome = body.act(keys).await;
        if !matches!(outcome, ControlOutcome::Refused(_))
            && body.with(|s| s.seen.nature(at).is_solid())
        {
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

/// Open cells with a floor near the body, the nearest first.
fn free_spots(s: &Senses) -> Vec<Pos> {
    let feet = s.feet();
    let fits = |p: &Pos| is_free(s, *p) && *p != feet && *p != feet.up();
    around(feet).into_iter().filter(fits).collect()
}

fn is_free(s: &Senses, at: Pos) -> bool {
    let nature = s.seen.nature(at);
    nature.is_open() && !nature.is_water() && s.seen.nature(at.down()).is_floor()
}

/// Cells beside the body where a block would be within reach and in sight, as all those in use are and would stay: free ones
/// first, then rock that is dug away in no time.
fn spots_in_sight(s: &mut Senses, in_use: &[Pos]) -> Vec<Pos> {
    let feet = s.feet();
    let in_sight =
        |at: Pos| reaches(&s.seen, feet, at) && first_in_way(&s.seen, s.eyes, at).is_none();
    if !in_use.iter().all(|at| in_sight(*at)) {
        return Vec::new();
    }
    let eyes = [s.eyes, standing_eyes(feet)];
    let hides = |spot: Pos| {
        let between = |at: &Pos| eyes.iter().any(|eye| is_between(*eye, *at, spot));
        in_use.iter().any(between)
    };
    let free = free_spots(s).into_iter();
    let walls = beside(feet).filter(|at| is_wall(s, *at) && digs_soon(s, *at));
    free.chain(walls)
        .filter(|at| in_sight(*at) && !hides(*at))
        .collect()
}

/// Walls that can be dug to make room, with rock behind the floor.
fn walls(s: &mut Senses) -> Vec<Pos> {
    let feet = s.feet();
    beside(feet).filter(|at| is_wall(s, *at)).collect()
}

/// The cells before the head and the feet on each side.
fn beside(feet: Pos) -> impl Iterator<Item = Pos> {
    let sides = Facing::FLAT.into_iter();
    sides.flat_map(move |side| [feet.side(side).up(), feet.side(side)])
}

/// Something solid on a floor, nobody's own, that holds back neither water nor lava.
fn is_wall(s: &Senses, at: Pos) -> bool {
    let is_wet = |side: &Facing| {
        let nature = s.seen.nature(at.side(*side));
        nature.is_lava() || nature.is_water()
    };
    let is_solid = s.seen.nature(at).is_solid() && s.seen.nature(at.down()).is_floor();
    is_solid && !s.own.contains(&at) && !Facing::ALL.iter().any(is_wet)
}

/// True if the best tool at hand breaks it in little time.
fn digs_soon(s: &Senses, at: Pos) -> bool {
    let block = s.seen.block(at);
    let ticks = block.and_then(|block| break_ticks(block, s.tool_for(block), false, true));
    ticks.is_some_and(|ticks| ticks <= DIG_SOON_TICKS)
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
