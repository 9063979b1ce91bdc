//! Observations: one frame of what the body senses and remembers.
//!
//! A frame is complete by itself except for `seen` and `trail`, which hold only what is new since
//! the frame before. It never holds anything that the body has not sensed.

use super::block::BlockId;
use super::blueprint::BuildSight;
use super::checksum::Checksum;
use super::counts::Counts;
use super::experience::ExperiencePoints;
use super::feat::Feats;
use super::item::ItemId;
use super::mob::MobKind;
use super::seen::SeenCells;
use super::space::{Point, Pos};
use serde::{Deserialize, Serialize};

/// What the body senses at one tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Ticks since the world was reset.
    pub tick: u64,
    /// Time of day, 0..24000; 0 is sunrise, 13000 nightfall.
    pub time: u32,
    pub position: Point,
    pub yaw: f32,
    pub pitch: f32,
    /// Health in half hearts, 0..=20.
    pub health: f32,
    /// Food points, 0..=20.
    pub hunger: f32,
    /// Ticks of breath left, 300 in open air.
    pub air: u32,
    pub on_ground: bool,
    /// True when something opaque is overhead, the wood of a tree aside, and the sky is out of sight.
    pub underground: bool,
    /// Biome name as in the game, for example `forest`.
    pub biome: String,
    /// What the sky does; heard under a roof as well.
    #[serde(default, skip_serializing_if = "Weather::is_clear")]
    pub weather: Weather,
    /// Light at the eyes, 0..=15.
    pub light: u8,
    pub inventory: Counts,
    pub held: Option<ItemId>,
    /// What is worn, head first, then what is in the other hand; `inventory` counts it too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worn: Vec<ItemId>,
    pub gui: Gui,
    /// Why the body keeps still of its own will, while it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<Pause>,
    /// Windows opened and closed since the reset.
    pub gui_opened: u32,
    pub gui_closed: u32,
    /// The furnace last used, while the body is near it.
    pub furnace: Option<FurnaceView>,
    /// Items in the open container, 0 when none is open.
    pub container_items: u32,
    /// Everything crafted or smelted out since the reset.
    pub crafted: Counts,
    /// What was done since the reset that counts do not show.
    #[serde(default, skip_serializing_if = "Feats::is_empty")]
    pub feats: Feats,
    /// Places at which the body broke a block since the reset. Each counts once, so that a block which comes back
    /// and is broken again for ever counts no further.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub broken: u32,
    #[serde(default, skip_serializing_if = "ExperiencePoints::is_none")]
    pub experience: ExperiencePoints,
    /// Living things in sight, nearest first.
    pub mobs: Vec<MobSight>,
    /// Notable blocks known nearby (stations, ores, logs), nearest first, a bounded number.
    pub notable: Vec<BlockSight>,
    /// What the body has begun to build by a blueprint, and how much of it stands as far as it has seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<BuildSight>,
    /// Feet positions since the frame before, oldest first, sampled every few ticks.
    pub trail: Vec<Pos>,
    /// Blocks seen for the first time, or seen changed, since the frame before.
    pub seen: SeenCells,
    /// False after death.
    pub alive: bool,
    /// Checksum of the whole world state, seen or not; equal worlds have equal sums.
    pub checksum: Checksum,
}

impl Frame {
    /// A sound body with empty hands on open ground by day: what made-up frames start from.
    #[must_use]
    pub fn standing() -> Self {
        Self {
            tick: 0,
            time: 6000,
            position: Point::new(0.5, 64.0, 0.5),
            yaw: 0.0,
            pitch: 0.0,
            health: 20.0,
            hunger: 20.0,
            air: 300,
            on_ground: true,
            underground: false,
            biome: "forest".to_owned(),
            weather: Weather::Clear,
            light: 15,
            inventory: Counts::default(),
            held: None,
            worn: Vec::new(),
            gui: Gui::Closed,
            pause: None,
            gui_opened: 0,
            gui_closed: 0,
            furnace: None,
            container_items: 0,
            crafted: Counts::default(),
            feats: Feats::default(),
            broken: 0,
            experience: ExperiencePoints::default(),
            mobs: Vec::new(),
            notable: Vec::new(),
            builds: Vec::new(),
            trail: Vec::new(),
            seen: SeenCells::default(),
            alive: true,
            checksum: Checksum::from(0),
        }
    }

    /// A copy without its two long lists, for who has no use for them or has taken them over already.
    #[must_use]
    pub fn without_map(&self) -> Self {
        Self {
            seen: SeenCells::default(),
            trail: Vec::new(),
            biome: self.biome.clone(),
            inventory: self.inventory.clone(),
            worn: self.worn.clone(),
            furnace: self.furnace.clone(),
            crafted: self.crafted.clone(),
            feats: self.feats.clone(),
            broken: self.broken,
            experience: self.experience,
            mobs: self.mobs.clone(),
            notable: self.notable.clone(),
            builds: self.builds.clone(),
            tick: self.tick,
            time: self.time,
            position: self.position,
            yaw: self.yaw,
            pitch: self.pitch,
            health: self.health,
            hunger: self.hunger,
            air: self.air,
            on_ground: self.on_ground,
            underground: self.underground,
            weather: self.weather,
            light: self.light,
            held: self.held,
            gui: self.gui,
            pause: self.pause,
            gui_opened: self.gui_opened,
            gui_closed: self.gui_closed,
            container_items: self.container_items,
            alive: self.alive,
            checksum: self.checksum.clone(),
        }
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Which window is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gui {
    Closed,
    Inventory,
    CraftingTable,
    Furnace,
    Chest,
    EnchantingTable,
    Anvil,
    Grindstone,
    /// A villager's.
    Trade,
}

impl Gui {
    /// The window that a click on a block opens.
    #[must_use]
    pub fn opened_by(block: BlockId) -> Option<Self> {
        match block.name() {
            "crafting_table" => Some(Self::CraftingTable),
            "furnace" => Some(Self::Furnace),
            "chest" => Some(Self::Chest),
            "enchanting_table" => Some(Self::EnchantingTable),
            "anvil" | "chipped_anvil" | "damaged_anvil" => Some(Self::Anvil),
            "grindstone" => Some(Self::Grindstone),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_open(self) -> bool {
        self != Self::Closed
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Inventory => "inventory",
            Self::CraftingTable => "crafting_table",
            Self::Furnace => "furnace",
            Self::Chest => "chest",
            Self::EnchantingTable => "enchanting_table",
            Self::Anvil => "anvil",
            Self::Grindstone => "grindstone",
            Self::Trade => "trade",
        }
    }
}

/// What the sky does. Rain falls as snow where it is cold, and not at all in dry land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weather {
    #[default]
    Clear,
    Rain,
    Thunder,
}

impl Weather {
    #[must_use]
    pub fn is_clear(&self) -> bool {
        *self == Self::Clear
    }

    #[must_use]
    pub fn is_wet(self) -> bool {
        self != Self::Clear
    }
}

/// What a body waits for. It is the body's own word: whoever reads it holds it against
/// the hour and the health.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// For the morning.
    Night,
    /// For wounds to heal.
    Wounds,
    /// For the dark, in which what is hunted comes out.
    Dusk,
    /// For nothing: the simulated controller lets time pass before it manages, or gives up.
    Controller,
}

/// What a furnace shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FurnaceView {
    pub at: Pos,
    /// Ticks of fuel left.
    pub burn: u32,
    /// Ticks the present item has cooked, of 200.
    pub cook: u32,
    pub input: u32,
    pub fuel: u32,
    pub output: u32,
}

/// A living thing in sight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MobSight {
    pub kind: MobKind,
    pub at: Point,
}

/// A block that was seen and is worth naming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSight {
    pub block: BlockId,
    pub at: Pos,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_from_before_broken_blocks_were_counted_is_read() {
        let none = Frame::standing();
        let written = serde_json::to_value(&none).unwrap();
        assert_eq!(written.get("broken"), None, "as it was written then");
        assert_eq!(serde_json::from_value::<Frame>(written).unwrap(), none);
        let some = Frame { broken: 3, ..none };
        let written = serde_json::to_value(&some).unwrap();
        assert_eq!(written["broken"], 3);
        assert_eq!(serde_json::from_value::<Frame>(written).unwrap(), some);
    }
}
