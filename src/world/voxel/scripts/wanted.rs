//! Wanted: what a search looks for, as blocks and mobs, and where the nearest known one is.

use super::super::senses::{Living, Senses};
use super::super::terrain::biome::homes::Biomes;
use super::prospect;
use super::purpose::Purpose;
use crate::action::Target;
use crate::block::BlockId;
use crate::drops::blocks_dropping;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::mob::{MobKind, mobs_dropping};
use crate::natural::{is_of_fields, is_of_people};
use crate::space::Pos;
use crate::trade::Profession;

/// How far off a remembered block is still worth the way.
const RANGE: f64 = 96.0;
/// How far off one that was searched for in vain otherwise is.
pub(super) const FAR: f64 = 640.0;
/// How far off a herd is; farther away another one is as near.
const HERD_FAR: f64 = 160.0;
/// So many blocks of a kind are asked whether they suit the purpose.
const CANDIDATES: usize = 24;

/// Blocks and mobs that will do.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Wanted {
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) mobs: Vec<MobKind>,
    /// Known blocks that will not do: there was no getting at them.
    pub(crate) avoid: Vec<Pos>,
    /// Of villagers only those of these trades will do; empty: any.
    pub(crate) professions: Vec<Profession>,
    /// Mobs, by number, that will not do any more.
    pub(crate) spent: Vec<u64>,
    /// What will do where it lies on the ground.
    pub(crate) loose: Option<ItemSpec>,
    /// Land of such biomes under the feet will do.
    pub(crate) land: Option<Biomes>,
    /// What it is for.
    pub(crate) purpose: Purpose,
}

impl Wanted {
    pub(crate) fn from_targets(targets: &[Target]) -> Self {
        let mut wanted = Self::default();
        for target in targets {
            match target {
                Target::Block(block) => wanted.blocks.push(*block),
                Target::Mob(mob) => wanted.mobs.push(*mob),
                Target::Source(item) => {
                    wanted.blocks.extend(sources(*item));
                    wanted
                        .mobs
                        .extend(mobs_dropping(*item).iter().map(|(mob, _)| mob));
                }
            }
        }
        wanted
    }

    pub(crate) fn blocks(blocks: &[BlockId], avoid: &[Pos]) -> Self {
        Self {
            blocks: blocks.to_vec(),
            avoid: avoid.to_vec(),
            ..Self::default()
        }
    }

    pub(crate) fn land(land: Biomes) -> Self {
        Self {
            land: Some(land),
            ..Self::default()
        }
    }

    pub(crate) fn is_mob(&self, mob: &Living) -> bool {
        self.is_kind(mob) && self.purpose.suits_mob(mob)
    }

    /// It will do, or may once it has grown or its wool has.
    fn is_kind(&self, mob: &Living) -> bool {
        let trades = |trade: Profession| self.professions.contains(&trade);
        self.mobs.contains(&mob.kind)
            && (self.professions.is_empty() || mob.profession.is_some_and(trades))
            && !self.spent.contains(&mob.id)
    }

    /// It stands or lives in houses, where one sees it only from near by.
    pub(crate) fn is_housed(&self) -> bool {
        self.mobs.contains(&MobKind::Villager) || self.blocks.iter().any(|b| is_of_people(*b))
    }

    /// It grows in the fields of villages, where one sees it from the streets.
    pub(crate) fn is_in_fields(&self) -> bool {
        self.mobs.is_empty() && self.blocks.iter().all(|block| is_of_fields(*block))
    }

    /// True if some of it lies in rock, so that digging finds it and wandering hardly does. (Some,
    /// not all: other sources may be of another dimension.)
    pub(crate) fn is_rock(&self) -> bool {
        self.mobs.is_empty() && self.blocks.iter().any(|block| is_rock(*block))
    }
}

/// The blocks that drop an item, those that do so for sure first.
pub(crate) fn sources(item: ItemSpec) -> Vec<BlockId> {
    let mut blocks: Vec<BlockId> = Vec::new();
    for source in blocks_dropping(item) {
        if !blocks.contains(&source.block) {
            blocks.push(source.block);
        }
    }
    blocks
}

/// Rock that lies everywhere.
pub(crate) fn is_plenty(block: BlockId) -> bool {
    let rare = block.name().ends_with("_ore") || block.name() == "obsidian";
    is_rock(block) && !rare
}

pub(crate) fn is_rock(block: BlockId) -> bool {
    let name = block.name();
    name.ends_with("_ore")
        || matches!(
            name,
            "stone"
                | "cobblestone"
                | "granite"
                | "diorite"
                | "andesite"
                | "obsidian"
                | "mossy_cobblestone"
        )
}

/// Where the nearest wanted block or animal is that was ever seen; it may have gone since.
pub(crate) fn remembered(s: &Senses, wanted: &Wanted) -> Option<Pos> {
    let herd = s.herds.nearest(s.feet(), |mob, seen_at| {
        let has_changed = s.tick > seen_at + wanted.purpose.changes_after();
        wanted.is_mob(mob) || (has_changed && wanted.is_kind(mob))
    });
    // Who has a trade is looked for in the whole village.
    let is_worth = |at: &Pos| wanted.professions.is_empty() && at.distance(s.feet()) < HERD_FAR;
    nearer(
        s.feet(),
        block_within(s, wanted, FAR),
        herd.filter(is_worth),
    )
}

fn nearer(feet: Pos, block: Option<Pos>, mob: Option<Pos>) -> Option<Pos> {
    match (block, mob) {
        (Some(a), Some(b)) if feet.distance(b) < feet.distance(a) => Some(b),
        (a, b) => a.or(b),
    }
}

/// The nearest wanted mob in sight.
pub(crate) fn nearest_mob(s: &Senses, wanted: &Wanted) -> Option<Living> {
    s.mobs.iter().find(|mob| wanted.is_mob(mob)).copied()
}

/// The nearest known wanted block, of those near enough.
pub(crate) fn nearest_block(s: &Senses, wanted: &Wanted) -> Option<Pos> {
    block_within(s, wanted, RANGE)
}

fn block_within(s: &Senses, wanted: &Wanted, range: f64) -> Option<Pos> {
    let count = match wanted.purpose {
        Purpose::Any | Purpose::Kill { .. } => 1,
        Purpose::Use | Purpose::Shear { .. } => CANDIDATES,
    };
    let count = count + wanted.avoid.len();
    let is_wanted = |block| wanted.blocks.contains(&block);
    let near = s.seen.nearest(s.feet(), range, count, is_wanted);
    let will_do = |(at, block): &(Pos, BlockId)| {
        !wanted.avoid.contains(at) && wanted.purpose.suits_block(s, *at, *block)
    };
    near.into_iter().find(will_do).map(|(at, _)| at)
}

/// It is known where something wanted is, or the body stands on land that will do.
pub(crate) fn is_found(s: &Senses, wanted: &Wanted) -> bool {
    let is_there = |land| prospect::is_such(s, land, s.feet());
    wanted.land.is_some_and(is_there) || nearest(s, wanted).is_some()
}

/// Where the nearest known wanted thing is, of those near enough.
pub(crate) fn nearest(s: &Senses, wanted: &Wanted) -> Option<Pos> {
    let mob = nearest_mob(s, wanted);
    let block = nearest_block(s, wanted);
    let found = nearer(s.feet(), block, mob.map(|mob| mob.at.block()));
    let is_loose = |item: &ItemId| wanted.loose.is_some_and(|wanted| wanted.matches(*item));
    found.or_else(|| {
        let mut loose = s.loose.iter().filter(|loose| is_loose(&loose.item));
        loose.next().map(|loose| loose.at.block())
    })
}
