//! Sensed: what the side process says of the body, as a frame of ours.
//!
//! Names that our tables do not have are left out, numbers are brought within their bounds. Invariant: no text of a server
//! reaches a frame except through a table of names.

use crate::wire::{WireCells, WireFrame, WireFurnace};
use pithead_world::block::BlockId;
use pithead_world::checksum::Checksum;
use pithead_world::counts::Counts;
use pithead_world::experience::ExperiencePoints;
use pithead_world::feat::{Feat, Feats};
use pithead_world::infested::as_seen;
use pithead_world::item::ItemId;
use pithead_world::mob::MobKind;
use pithead_world::observation::{BlockSight, Frame, FurnaceView, Gui, MobSight, Weather};
use pithead_world::seen::SeenCells;
use pithead_world::smelting::COOK_TICKS;
use pithead_world::space::{Point, Pos};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Mobs named in one frame, as in the embedded world.
const MOBS_MAX: usize = 8;
/// Notable blocks named in one frame.
const NOTABLE_MAX: usize = 16;
/// Positions of one trail.
const TRAIL_MAX: usize = 64;
/// Cells of one frame; what the eyes meet between two frames is less.
const CELLS_MAX: usize = 20_000;
/// A stack of one kind in all slots is less.
const PIECES_MAX: u32 = 10_000;
/// Letters of the name of a biome.
const BIOME_MAX: usize = 40;
const DAY: u32 = 24_000;
const AIR_MAX: u32 = 300;

/// What counts go on from after the body has returned to a world.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Carried {
    pub(crate) tick: u64,
    pub(crate) gui_opened: u32,
    pub(crate) gui_closed: u32,
    pub(crate) crafted: Counts,
    pub(crate) feats: Feats,
    pub(crate) broken: u32,
}

impl Carried {
    /// What the frame that was seen last had come to.
    pub(crate) fn from_frame(last: &Frame) -> Self {
        Self {
            tick: last.tick,
            gui_opened: last.gui_opened,
            gui_closed: last.gui_closed,
            crafted: last.crafted.clone(),
            feats: last.feats.clone(),
            broken: last.broken,
        }
    }
}

/// The frame, with counts that go on from `carried`.
pub(crate) fn frame_from_wire(wire: &WireFrame, carried: &Carried) -> Frame {
    let [x, y, z] = wire.at;
    let mut crafted = carried.crafted.clone();
    for (item, count) in counts(&wire.crafted).iter() {
        crafted.add(item, count);
    }
    let mut feats = carried.feats.clone();
    for (item, count) in counts(&wire.looted).iter() {
        feats.add(Feat::Looted, item, count);
    }
    let mut frame = Frame {
        tick: carried.tick.saturating_add(wire.tick),
        time: wire.time % DAY,
        position: Point::new(x, y, z),
        yaw: wire.yaw,
        pitch: wire.pitch.clamp(-90.0, 90.0),
        health: wire.health.clamp(0.0, 20.0),
        hunger: wire.hunger.clamp(0.0, 20.0),
        air: wire.air.min(AIR_MAX),
        on_ground: wire.on_ground,
        underground: wire.underground,
        biome: biome(&wire.biome),
        weather: match wire.weather.as_str() {
            "rain" => Weather::Rain,
            "thunder" => Weather::Thunder,
            _ => Weather::Clear, // a sky that is not known is no weather
        },
        light: wire.light.min(15),
        inventory: counts(&wire.inventory),
        held: wire.held.as_deref().and_then(ItemId::named),
        worn: wire
            .worn
            .iter()
            .filter_map(|name| ItemId::named(name))
            .take(5)
            .collect(),
        gui: gui_named(&wire.gui),
        pause: None,
        gui_opened: carried.gui_opened.saturating_add(wire.gui_opened),
        gui_closed: carried.gui_closed.saturating_add(wire.gui_closed),
        furnace: wire.furnace.as_ref().map(furnace),
        container_items: wire.container_items.min(PIECES_MAX),
        crafted,
        feats,
        broken: carried.broken.saturating_add(wire.broken),
        experience: ExperiencePoints {
            level: wire.level.min(PIECES_MAX),
            points: wire.points,
        },
        mobs: mobs(wire),
        notable: notable(wire),
        builds: Vec::new(), // nothing is built by a blueprint there yet
        trail: wire
            .trail
            .iter()
            .take(TRAIL_MAX)
            .map(|at| Pos::from(*at))
            .collect(),
        seen: cells(&wire.seen),
        alive: wire.alive,
        checksum: Checksum::from(0),
    };
    frame.checksum = checksum(&frame).into();
    frame
}

/// Of what the body senses; the world behind it is the server's.
fn checksum(frame: &Frame) -> u64 {
    let mut sum = DefaultHasher::new();
    let Point { x, y, z } = frame.position;
    (frame.tick, x.to_bits(), y.to_bits(), z.to_bits()).hash(&mut sum);
    (&frame.inventory, frame.health.to_bits()).hash(&mut sum);
    sum.finish()
}

/// Counts of the items that we know.
pub(crate) fn counts(wire: &BTreeMap<String, u32>) -> Counts {
    let known = wire.iter();
    known
        .filter_map(|(name, count)| Some((ItemId::named(name)?, (*count).min(PIECES_MAX))))
        .collect()
}

/// The window of a name of ours.
pub(crate) fn gui_named(name: &str) -> Gui {
    const WINDOWS: [Gui; 9] = [
        Gui::Closed,
        Gui::Inventory,
        Gui::CraftingTable,
        Gui::Furnace,
        Gui::Chest,
        Gui::EnchantingTable,
        Gui::Anvil,
        Gui::Grindstone,
        Gui::Trade,
    ];
    let found = WINDOWS.into_iter().find(|gui| gui.name() == name);
    found.unwrap_or(Gui::Inventory)
}

/// Small letters and underlines, as the game names biomes; anything else is no name.
fn biome(name: &str) -> String {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    if !name.is_empty() && name.len() <= BIOME_MAX && name.chars().all(is_name) {
        name.to_owned()
    } else {
        "unknown".to_owned()
    }
}

fn furnace(wire: &WireFurnace) -> FurnaceView {
    FurnaceView {
        at: wire.at.into(),
        burn: wire.burn.min(20_000),
        cook: wire.cook.min(COOK_TICKS),
        input: wire.input.min(64),
        fuel: wire.fuel.min(64),
        output: wire.output.min(64),
    }
}

fn mobs(wire: &WireFrame) -> Vec<MobSight> {
    let near = wire.mobs.iter().take(MOBS_MAX);
    let known = near.filter_map(|mob| {
        let at = Point::from(mob.at);
        let kind = MobKind::named(&mob.name)?;
        at.is_finite().then_some(MobSight { kind, at })
    });
    known.collect()
}

fn notable(wire: &WireFrame) -> Vec<BlockSight> {
    let near = wire.notable.iter().take(NOTABLE_MAX);
    let known = near.filter_map(|block| {
        Some(BlockSight {
            block: BlockId::named(&block.name)?,
            at: block.at.into(),
        })
    });
    known.collect()
}

/// The cells whose names we know, as they look: the server also says which stone is infested.
fn cells(wire: &WireCells) -> SeenCells {
    let look = |name: &String| BlockId::named(name).map(as_seen);
    let names: Vec<Option<BlockId>> = wire.names.iter().map(look).collect();
    let cells = wire.cells.chunks_exact(4).take(CELLS_MAX);
    let known = cells.filter_map(|cell| {
        let name = usize::try_from(cell[0]).ok()?;
        let block = (*names.get(name)?)?;
        Some((Pos::new(cell[1], cell[2], cell[3]), block))
    });
    SeenCells(known.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{WireBlock, WireMob};

    pub(crate) fn wire() -> WireFrame {
        WireFrame {
            tick: 7,
            time: 25_000,
            at: [1.5, 64.0, -2.5],
            yaw: 90.0,
            pitch: 400.0,
            health: 99.0,
            hunger: 20.0,
            air: 9_999,
            on_ground: true,
            underground: false,
            biome: "forest".to_owned(),
            weather: "rain".to_owned(),
            light: 200,
            inventory: [("oak_log".to_owned(), 3), ("\u{1b}[31mx".to_owned(), 1)].into(),
            held: Some("no_such_item".to_owned()),
            worn: vec!["iron_helmet".to_owned()],
            gui: "furnace".to_owned(),
            gui_opened: 2,
            gui_closed: 1,
            furnace: None,
            container_items: 0,
            crafted: [("stick".to_owned(), 4)].into(),
            looted: [("bread".to_owned(), 2)].into(),
            broken: 5,
            points: 0,
            level: 0,
            mobs: vec![WireMob {
                name: "cow".to_owned(),
                at: [f64::NAN, 0.0, 0.0],
            }],
            notable: vec![WireBlock {
                name: "iron_ore".to_owned(),
                at: [1, 2, 3],
            }],
            trail: vec![[0, 64, 0]; 500],
            seen: WireCells {
                names: vec!["infested_stone".to_owned(), "not_a_block".to_owned()],
                cells: vec![0, 1, 2, 3, 1, 4, 5, 6, 9, 7, 8, 9],
            },
            alive: true,
        }
    }

    #[test]
    fn only_known_names_and_possible_numbers_reach_a_frame() {
        let frame = frame_from_wire(&wire(), &Carried::default());
        assert_eq!(frame.inventory.to_string(), "oak_log=3");
        assert_eq!((frame.held, frame.mobs.len()), (None, 0));
        assert_eq!((frame.time, frame.health, frame.light), (1_000, 20.0, 15));
        assert_eq!((frame.pitch, frame.air, frame.trail.len()), (90.0, 300, 64));
        let stone = BlockId::named("stone").unwrap();
        assert_eq!(frame.seen.0, [(Pos::new(1, 2, 3), stone)]);
        let hostile = WireFrame {
            biome: "\u{202e}evil".to_owned(),
            ..wire()
        };
        let frame = frame_from_wire(&hostile, &Carried::default());
        assert_eq!(frame.biome, "unknown");
    }

    #[test]
    fn counts_go_on_after_a_return() {
        let before = frame_from_wire(&wire(), &Carried::default());
        let after = frame_from_wire(&wire(), &Carried::from_frame(&before));
        assert_eq!((before.tick, after.tick), (7, 14));
        assert_eq!(after.crafted.to_string(), "stick=8");
        assert_eq!((after.gui_opened, after.gui_closed), (4, 2));
        assert_eq!((before.broken, after.broken), (5, 10));
        let bread = ItemId::named("bread").unwrap();
        assert_eq!(after.feats.count(Feat::Looted, bread), 4);
    }
}
