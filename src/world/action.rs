//! Actions: what the body can be told to do, and how each can fail.
//!
//! Actions are structured (section 9 of the design): the body carries them out with raw movement
//! over many ticks, using only what it has seen. Each ends with exactly one `ActionReport`.

use super::block::BlockId;
use super::blueprint::{Blueprint, BlueprintName};
use super::counts::Counts;
use super::family::ItemSpec;
use super::item::ItemId;
use super::keys::KeyPresses;
use super::mob::MobKind;
use super::observation::Gui;
use super::space::Pos;
use serde::{Deserialize, Serialize};

/// Prey that is wanted later: such mobs, until so many of `gain` are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPrey {
    pub mob: MobKind,
    pub gain: ItemSpec,
    pub hold: u32,
}

/// Ore that is wanted later, until so many of `item` are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherOre {
    pub item: ItemSpec,
    pub hold: u32,
}

/// One order to the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// Look for any of the targets without taking them; ends when one is in sight.
    Explore { targets: Vec<Target> },
    /// Walk until the nearest known target is within `range` blocks.
    Approach { target: Target, range: u32 },
    /// Walk to within `range` blocks of a place.
    Goto { at: Pos, range: u32 },
    /// Break blocks until `count` more of the item are held; searches when none is known.
    Mine { item: ItemSpec, count: u32 },
    /// Fight such mobs, one after the other, and pick up what they drop, until `count` more of `gain`
    /// are held; without a gain until one is dead. What is met of `also` is taken too, and is no reason to go on.
    Attack {
        mob: MobKind,
        #[serde(default)]
        gain: Option<ItemSpec>,
        #[serde(default)]
        count: u32,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<OtherPrey>,
    },
    /// Craft until `count` more of the item are held; places a carried table when one is needed, and takes an own one
    /// along in the end, unless it stays up because the next order crafts at it.
    Craft {
        item: ItemSpec,
        count: u32,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        table_stays: bool,
    },
    /// Smelt until `count` more of the item are held; places carried furnaces when none is near, and takes its own ones
    /// along in the end, unless they stay because no later order needs one.
    /// `fuel` is what to burn, or whatever burns when it is absent; further fires may burn coal that is not kept.
    Smelt {
        item: ItemSpec,
        count: u32,
        fuel: Option<ItemSpec>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        furnaces_stay: bool,
    },
    /// Take the item in hand.
    Equip { item: ItemSpec },
    /// Put a block down, at a place or right here.
    Place { item: ItemSpec, at: Option<Pos> },
    /// Dig a staircase down until the feet are at or below `y`. What shows of `also` near the way is taken too.
    DigDown {
        y: i32,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<OtherOre>,
    },
    /// Dig or climb up until the feet are at or above `y`.
    GoUp { y: i32 },
    /// Use a carried thing on the nearest such block or mob (bare hand: `item` absent) until `count`
    /// more of `gain` are held, or once: shears on a sheep, a bucket on water, a hoe on the ground.
    Use {
        item: Option<ItemSpec>,
        on: Target,
        gain: Option<ItemSpec>,
        count: u32,
    },
    /// Cast a carried rod into water until `count` more of the item are held.
    Fish { item: ItemSpec, count: u32 },
    /// Plant, tend and harvest until `count` more of the item are held.
    Grow { item: ItemSpec, count: u32 },
    /// Lead two grown animals of a kind together with food until there is young.
    Breed { mob: MobKind },
    /// Buy from villagers, for what is carried, until `count` more of the item are held.
    Trade { item: ItemSpec, count: u32 },
    /// Put an enchantment on a carried thing at an enchanting table or, with a book, at an anvil.
    Enchant { item: ItemSpec },
    /// Dye carried leather clothing.
    Dye { item: ItemSpec, dye: ItemSpec },
    /// Mend a carried thing: two worn ones in the grid, at a grindstone, or with material at an anvil.
    Repair { item: ItemSpec },
    /// Take from chests that are found until `count` more of the item are held.
    Take { item: ItemSpec, count: u32 },
    /// Put `count` of the item into the nearest chest; places a carried one when none is near.
    Put { item: ItemSpec, count: u32 },
    /// Sleep in a bed until morning; places a carried one when none is near.
    Sleep,
    /// Put these blocks up at offsets from a spot that fits, and keep the `clear` cells free. What stands already of a
    /// building by the same blueprint is gone on with.
    Build {
        blocks: Vec<(ItemSpec, [i32; 3])>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clear: Vec<[i32; 3]>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blueprint: Option<BlueprintName>,
    },
    /// Press keys and turn the view, tick by tick (Table 3 of Steve-Evolving).
    Raw { keys: Vec<KeyPresses> },
    /// Eat the best food carried.
    Eat,
    /// Do nothing.
    Wait { ticks: u32 },
}

impl Action {
    /// The order to dig down and to take nothing on the way.
    #[must_use]
    pub fn dig_down(y: i32) -> Self {
        Self::DigDown {
            y,
            also: Vec::new(),
        }
    }

    /// The order to craft and to take the table along.
    #[must_use]
    pub fn craft(item: ItemSpec, count: u32) -> Self {
        Self::Craft {
            item,
            count,
            table_stays: false,
        }
    }

    /// The order to smelt and to take the furnaces along.
    #[must_use]
    pub fn smelt(item: ItemSpec, count: u32, fuel: Option<ItemSpec>) -> Self {
        Self::Smelt {
            item,
            count,
            fuel,
            furnaces_stay: false,
        }
    }

    /// The order to build by a blueprint.
    #[must_use]
    pub fn build_by(blueprint: &Blueprint) -> Self {
        Self::Build {
            blocks: blueprint.blocks.clone(),
            clear: blueprint.clear.clone(),
            blueprint: Some(blueprint.name.clone()),
        }
    }

    /// The action's name as the operator types it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Explore { .. } => "explore",
            Self::Approach { .. } => "approach",
            Self::Goto { .. } => "goto",
            Self::Mine { .. } => "mine",
            Self::Attack { .. } => "attack",
            Self::Craft { .. } => "craft",
            Self::Smelt { .. } => "smelt",
            Self::Equip { .. } => "equip",
            Self::Place { .. } => "place",
            Self::DigDown { .. } => "dig_down",
            Self::GoUp { .. } => "go_up",
            Self::Use { .. } => "use",
            Self::Fish { .. } => "fish",
            Self::Grow { .. } => "grow",
            Self::Breed { .. } => "breed",
            Self::Trade { .. } => "trade",
            Self::Enchant { .. } => "enchant",
            Self::Dye { .. } => "dye",
            Self::Repair { .. } => "repair",
            Self::Take { .. } => "take",
            Self::Put { .. } => "put",
            Self::Sleep => "sleep",
            Self::Build { .. } => "build",
            Self::Raw { .. } => "raw",
            Self::Eat => "eat",
            Self::Wait { .. } => "wait",
        }
    }
}

/// Something that can be looked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    Block(BlockId),
    /// Any block that drops the item.
    Source(ItemSpec),
    Mob(MobKind),
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Block(block) => f.write_str(block.name()),
            Self::Source(item) => write!(f, "{item}"),
            Self::Mob(mob) => f.write_str(mob.name()),
        }
    }
}

/// How an action ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionReport {
    /// `None` is success.
    pub failure: Option<ActionFailure>,
    /// World ticks from the order to the end.
    pub ticks: u64,
    /// Blocks broken on the way, by kind.
    pub broken: Vec<(BlockId, u32)>,
    /// What was held at the end less what was held at the start, gains only.
    pub gained: Counts,
    /// What went into crafting grids and furnaces.
    #[serde(default)]
    pub used: Counts,
    /// The windows in which something was made, in order of their first use. Empty in older journals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<Gui>,
}

/// Why an action did not do what it was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum ActionFailure {
    /// Searched and found nothing of the kind; `y` is the height of the feet at the end.
    NoTarget { target: Target, y: i32 },
    /// Known, but no way there was found.
    NoPath {
        to: Pos,
        blocked_by: Option<BlockId>,
    },
    /// Tried to move and did not get on.
    Stuck { at: Pos },
    /// Broke blocks of the right kind, and nothing fell out for this tool.
    NoDrop {
        block: BlockId,
        held: Option<ItemId>,
        broken: u32,
    },
    /// In the water: so many pieces of the block drifted away from who broke it there, or (0) it did not break in time.
    InWater { block: BlockId, lost: u32 },
    /// The tools that harvest what is wanted broke, or are spared for what only they can break: the one in hand, if
    /// any, the uses that are left of all of them (0: they broke), and the blocks broken until then.
    WornOut {
        held: Option<ItemId>,
        left: u32,
        broken: u32,
    },
    /// There is no recipe for the item.
    NoRecipe { item: ItemSpec },
    /// The recipe does not fit the grid at hand (a table or furnace is needed; none near or carried).
    NoStation { item: ItemSpec, station: BlockId },
    /// An ingredient is short.
    MissingIngredient {
        item: ItemSpec,
        needs: ItemSpec,
        have: u32,
        need: u32,
    },
    /// Too little experience for the work.
    TooFewLevels { have: u32, need: u32 },
    /// Nothing to burn.
    NoFuel,
    /// The item to equip, place or eat is not held.
    NotHeld { item: ItemSpec },
    /// No slot left for what would be gained.
    InventoryFull,
    /// A window does not do what the action needs.
    GuiBlocked {
        gui: String,
        #[serde(default, skip_serializing_if = "GuiFault::is_default")]
        fault: GuiFault,
    },
    /// There is no room to put the block.
    NoRoom { at: Pos },
    /// A building was not finished; so many of its blocks stand.
    Unbuilt {
        because: Unbuilt,
        stands: u32,
        of: u32,
    },
    /// Given up because going on would kill: lava, low health, a drop.
    Danger { of: String },
    /// The body died.
    Died { of: String },
    /// The controller did not manage it in the time that it gives such an action.
    OutOfTime { ticks: u64 },
    /// The operator or the agent called it off.
    Cancelled,
    /// The world cannot do this at all.
    Invalid { because: String },
    /// A body that tells no more than what it felt (`--reports coarse`).
    Felt { class: FailureClass },
    /// A body that tells only that it failed (`--reports none`).
    Untold,
}

/// What is wrong with a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuiFault {
    /// It is in the way and does not close. All that older journals say of any window.
    #[default]
    StaysOpen,
    StaysShut,
    /// What is clicked in it comes to nothing.
    NoAnswer,
}

impl GuiFault {
    /// For serde, which leaves the default out.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What the window does, after its name.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::StaysOpen => "stays open",
            Self::StaysShut => "does not open",
            Self::NoAnswer => "does not answer",
        }
    }
}

/// Why a building was not finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "stop", rename_all = "snake_case")]
pub enum Unbuilt {
    /// No spot is flat, dry and free enough.
    NoSite,
    /// Some block cannot be put where it belongs, and what is there now.
    Blocked { at: Pos, by: Option<BlockId> },
    /// Too little is carried for what is missing.
    Short {
        item: ItemSpec,
        have: u32,
        need: u32,
    },
    /// It took longer than any such building should.
    OutOfTime { ticks: u64 },
}

/// What a person's body would feel of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    DidNotWork,
    FoundNothing,
    NoWay,
    InDanger,
    Died,
    OutOfTime,
}

impl FailureClass {
    /// As the body says it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::DidNotWork => "it did not work",
            Self::FoundNothing => "found nothing",
            Self::NoWay => "did not get there",
            Self::InDanger => "it was too dangerous",
            Self::Died => "died",
            Self::OutOfTime => "the time was up",
        }
    }
}

impl ActionFailure {
    /// Given up because of something that nothing breaks: that is a barrier and no danger.
    #[must_use]
    pub fn is_barred(&self) -> bool {
        let Self::Danger { of } = self else {
            return false;
        };
        // A negative hardness marks what nothing breaks, as bedrock; fluids are left to be
        // dangers.
        BlockId::named(of).is_some_and(|block| block.facts().hardness < 0.0 && !block.is_fluid())
    }
}

impl ActionFailure {
    /// The tools gave out: nothing dropped for them, or they are worn.
    #[must_use]
    pub fn is_of_tools(&self) -> bool {
        matches!(self, Self::NoDrop { .. } | Self::WornOut { .. })
    }
}
