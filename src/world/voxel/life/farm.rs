//! Farm: what a player gets from living animals, and how they multiply.
//!
//! Invariant: nothing is given twice: shorn sheep have no wool until they have eaten, fed animals
//! do not eat again before their rest is over.

use super::mob::{Coat, Mob, Mood, direction};
use super::{LifeEvent, Mobs};
use crate::block::{self as blocks};
use crate::farming::eats;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::rng::Rng;
use crate::space::Point;
use crate::uses::dye_colour;
use crate::voxel::grid::Grid;

/// Ticks that a fed animal looks for a mate, and over what distance.
/// 30 seconds, as in the game.
const LOVE_TICKS: u64 = 600;
const MATE_WITHIN: f64 = 8.0;
/// Over this distance they walk to each other, a second at a time.
const COURT_WITHIN: f64 = 24.0;
const COURT_TICKS: u64 = 20;
/// In ticks: five minutes until the next young, one day to grow up.
const REST_TICKS: u64 = 6000;
const CHILDHOOD_TICKS: u64 = 24_000;
/// Mean number of turns (of 20 ticks) between two eggs, and between two meals of a sheep.
/// Nine thousand ticks for an egg: the mean of the game's five to ten minutes.
const TURNS_PER_EGG: u64 = 450;
const TURNS_PER_MEAL: u64 = 50;

impl Mob {
    /// Makes it young: it grows up in a day.
    pub(super) fn be_born(&mut self, tick: u64) {
        self.adult_at = tick + CHILDHOOD_TICKS;
    }
}

impl Mobs {
    fn one(&mut self, number: u64) -> Option<&mut Mob> {
        let i = self
            .mobs
            .binary_search_by_key(&number, |mob| mob.number)
            .ok()?;
        Some(&mut self.mobs[i])
    }

    /// Shears a sheep or mooshroom; what comes off, or None if there is nothing to shear.
    pub fn shear(&mut self, number: u64, rng: &mut Rng) -> Option<Stack> {
        let tick = self.tick;
        let mob = self.one(number).filter(|mob| !mob.is_baby(tick))?;
        match mob.kind {
            MobKind::Sheep if !mob.coat.shorn => {
                mob.coat.shorn = true;
                let count = rng.between(1, 3) as u32;
                Some(Stack::new(mob.coat.wool()?, count))
            }
            MobKind::Mooshroom => {
                // A shorn mooshroom is a cow and stays one.
                mob.kind = MobKind::Cow;
                Some(Stack::new(ItemId::named("red_mushroom")?, 5))
            }
            _ => None,
        }
    }

    /// What a vessel (bucket or bowl) held to an animal becomes.
    #[must_use]
    pub fn milk(&self, number: u64, vessel: ItemId) -> Option<ItemId> {
        let mob = self.get(number).filter(|mob| !mob.is_baby(self.tick))?;
        let full = match (mob.kind, vessel.name()) {
            (MobKind::Cow | MobKind::Mooshroom, "bucket") => "milk_bucket",
            (MobKind::Mooshroom, "bowl") => "mushroom_stew",
            _ => return None,
        };
        ItemId::named(full)
    }

    /// Feeds an animal so that it looks for a mate; true if it ate (one piece is gone).
    pub fn feed(&mut self, number: u64, food: ItemId) -> bool {
        let tick = self.tick;
        let Some(mob) = self.one(number) else {
            return false;
        };
        // Already fed, just bred or young: none of these eats.
        let hungry = tick >= mob.breeds_at && tick >= mob.love_until && !mob.is_baby(tick);
        let eats = hungry && eats(mob.kind, food);
        // Food is eaten only with effect, so none is wasted.
        if eats {
            mob.love_until = tick + LOVE_TICKS;
        }
        eats
    }

    /// Dyes the wool of a sheep; true if it has another colour now (one piece is gone).
    pub fn dye(&mut self, number: u64, dye: ItemId) -> bool {
        let Some(colour) = dye_colour(dye).and_then(Coat::colour) else {
            return false;
        };
        let sheep = self.one(number).filter(|mob| mob.kind == MobKind::Sheep);
        let fresh = sheep.filter(|mob| !mob.coat.shorn && mob.coat.dye != colour);
        match fresh {
            Some(mob) => {
                mob.coat.dye = colour;
                true
            }
            None => false,
        }
    }

    /// A chick slips out of a thrown egg.
    pub fn hatch(&mut self, at: Point) {
        let tick = self.tick;
        let number = self.add(MobKind::Chicken, at);
        if let Some(chick) = self.one(number) {
            chick.be_born(tick);
        }
    }

    /// Pairs of fed animals come together and get young; a slow thing, done once a second.
    pub(super) fn breed(&mut self, events: &mut Vec<LifeEvent>) {
        let tick = self.tick;
        let ready = |mob: &Mob| mob.love_until > tick && tick >= mob.breeds_at;
        // Few are in love at a time, so all pairs are cheap.
        let lovers: Vec<usize> = (0..self.mobs.len())
            .filter(|i| ready(&self.mobs[*i]))
            .collect();
        for (n, a) in lovers.iter().enumerate() {
            for b in &lovers[n + 1..] {
                let (one, other) = (&self.mobs[*a], &self.mobs[*b]);
                let fit = one.kind == other.kind
                    && one.position.distance(other.position) <= MATE_WITHIN
                    && ready(one)
                    // Asked again: an earlier pair may have taken one of the two.
                    && ready(other);
                if fit {
                    self.bear(*a, *b, events);
                } else if one.kind == other.kind && ready(one) && ready(other) {
                    self.draw_together(*a, *b);
                }
            }
        }
    }

    /// Those that look for a mate walk to one that is not too far off.
    fn draw_together(&mut self, a: usize, b: usize) {
        let until = self.tick + COURT_TICKS;
        let (one, other) = (self.mobs[a].position, self.mobs[b].position);
        if one.distance(other) > COURT_WITHIN {
            return;
        }
        for (i, from, to) in [(a, one, other), (b, other, one)] {
            let (x, z) = direction(from, to);
            self.mobs[i].mood = Mood::Stroll { x, z, until };
        }
    }

    fn bear(&mut self, a: usize, b: usize, events: &mut Vec<LifeEvent>) {
        let tick = self.tick;
        for i in [a, b] {
            // Both parents rest, or a third animal could follow at once.
            self.mobs[i].love_until = 0;
            self.mobs[i].breeds_at = tick + REST_TICKS;
        }
        let (kind, at) = (self.mobs[a].kind, self.mobs[a].position);
        // The colour of the second parent; the game mixes colours where it can.
        let dye = self.mobs[b].coat.dye;
        let number = self.add(kind, at);
        if let Some(young) = self.one(number) {
            young.be_born(tick);
            young.coat = Coat { dye, shorn: false };
        }
        events.push(LifeEvent::Born { kind, at });
    }
}

/// Eggs and wool: what an animal does once a second besides walking.
pub(super) fn produce(
    mob: &mut Mob,
    grid: &Grid,
    tick: u64,
    rng: &mut Rng,
    events: &mut Vec<LifeEvent>,
) {
    let lays = &mob.kind.facts().lays;
    if !lays.is_empty() && !mob.is_baby(tick) && rng.below(TURNS_PER_EGG) == 0 {
        let at = mob.position;
        events.extend(lays.iter().map(|drop| LifeEvent::Laid {
            at,
            stack: Stack::new(drop.item, 1),
        }));
    }
    if mob.coat.shorn && rng.below(TURNS_PER_MEAL) == 0 {
        // Grass under its feet; the block becomes dirt by the event.
        let at = mob.position.block().down();
        if grid.block(at) == blocks::GRASS_BLOCK {
            mob.coat.shorn = false;
            events.push(LifeEvent::Grazed { at });
        }
    }
}
