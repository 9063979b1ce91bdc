//! Controls: what a player's hands do in one tick, the raw level of the body.
//!
//! Scripts produce these and nothing else; whatever the body does, a player could have done with
//! keys and a mouse. Invariant: one `Controls` per tick, no other way into the simulation.

use crate::armour::ArmourSlot;
use crate::block::BlockId;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::{Facing, Pos};
use serde::{Deserialize, Serialize};

/// Keys and mouse of one tick.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// 1 forward, -1 back.
    /// Only the sign counts.
    pub forward: i8,
    /// 1 right, -1 left.
    pub strafe: i8,
    /// Held down in this tick; all three are keys, not events.
    pub jump: bool,
    pub sneak: bool,
    pub sprint: bool,
    /// Where the view should point, degrees; the body turns there at once, as a mouse can.
    /// -180 to 180, 0 looks south; pitch -90 (up) to 90 (down), as in the game.
    pub yaw: f32,
    pub pitch: f32,
    /// Left button: hit the mob or work on the block in the crosshair (within reach).
    pub attack: bool,
    /// What the left button is meant for; the simulation checks reach and line of sight.
    pub aim: Option<AimTarget>,
    /// Right button held with a shield in the other hand: it is held up, unless a hand does something.
    /// Recordings from before there were shields have no such field.
    #[serde(default)]
    pub guard: bool,
    /// Right button and windows; at most one such action per tick.
    /// The stored name is older than the word "action".
    #[serde(rename = "deed")]
    pub action: Option<HandAction>,
}

/// What the crosshair is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AimTarget {
    Block(Pos),
    /// A mob, by its number in the simulation.
    Mob(u64),
}

/// One action of the hand that is not walking or hitting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum HandAction {
    /// Take a carried item into the hand.
    /// The hotbar slot with it is selected, or one is swapped in.
    Hold {
        item: ItemId,
    },
    /// Empty the hand (select a free hotbar slot, or swap one free).
    HoldNothing,
    /// Put the held block against a side of a block.
    Place {
        against: Pos,
        side: Facing,
    },
    /// Right-click a block that opens a window: crafting table, furnace, chest and so on.
    Open {
        at: Pos,
    },
    /// Open the player's own inventory (2×2 grid).
    OpenInventory,
    CloseGui,
    /// Craft once with the grid that is open; 2×2 in the inventory, 3×3 at a table.
    CraftOnce {
        product: ItemId,
    },
    /// Move items from the inventory into a slot of the open furnace.
    FurnacePut {
        slot: FurnaceSlot,
        item: ItemSpec,
        count: u32,
    },
    /// Take everything from a slot of the open furnace.
    FurnaceTake {
        slot: FurnaceSlot,
    },
    /// Move items from the inventory into the open chest.
    ChestPut {
        item: ItemSpec,
        count: u32,
    },
    /// Move items from the open chest into the inventory.
    ChestTake {
        item: ItemSpec,
        count: u32,
    },
    /// Take up the villager's offer of that number once.
    /// In the order shown, from 0.
    Trade {
        offer: usize,
    },
    /// Put what is in a slot into the open enchanting table, which then shows its offers.
    /// A slot of the inventory, 0 to 35.
    Lay {
        slot: usize,
    },
    /// Take one of the table's offers, 0 to 2.
    Enchant {
        offer: usize,
    },
    /// At an anvil: mend what is in a slot with what is in another, or put that on it.
    Join {
        slot: usize,
        with: usize,
    },
    /// At a grindstone: join two like things, or free one of its enchantments.
    Grind {
        slot: usize,
        with: Option<usize>,
    },
    /// In a crafting grid: join two like things.
    Mend {
        slot: usize,
        with: usize,
    },
    /// In a crafting grid: dye leather clothing.
    Dye {
        slot: usize,
        dye: ItemId,
    },
    /// Throw items away, a little way off.
    Toss {
        item: ItemId,
        count: u32,
    },
    /// Put on a carried piece of armour, or take a shield into the other hand.
    Wear {
        item: ItemId,
    },
    /// Take a worn piece off, in the inventory window.
    TakeOff {
        place: ArmourSlot,
    },
    /// One tick of eating the held food; 32 in a row eat it.
    /// Any other controls in between begin the meal anew.
    Eat,
    /// Right-click a block, or the air, with what is held or the bare hand.
    Use {
        at: Option<Pos>,
    },
    /// Right-click a living thing with what is held; opens the window of a villager.
    UseOn {
        mob: u64,
    },
    /// Take a slot of the hotbar into the hand, 0 to 8.
    /// Not the item: raw keys select slots as a player does.
    Select {
        slot: u8,
    },
}

/// The three slots of a furnace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FurnaceSlot {
    Input,
    Fuel,
    Output,
}

/// What came of a action or of the attack button, in the same tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ControlOutcome {
    Done,
    /// Under way (digging, eating, clicking through a recipe): the same controls again continue with it,
    /// anything else gives it up.
    Working,
    /// A block was broken; what it was.
    Broke(Pos, BlockId),
    /// The blow landed on this mob.
    Struck(u64),
    /// The grid gave this many.
    Crafted(ItemId, u32),
    /// A mouthful was finished.
    Ate(ItemId),
    /// Not possible now, and why, for the script to decide.
    Refused(&'static str),
}
