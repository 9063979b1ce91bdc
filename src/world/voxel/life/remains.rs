//! Remains: what a mob leaves when it dies, drawn after the game's loot tables.
//!
//! Invariant: only a death that is the player's draws on looting, and the young leave nothing.

use super::arms;
use super::mob::Mob;
use crate::inventory::Stack;
use crate::mob::MobKind;
use crate::mob_drop::{Looting, MobDrop};
use crate::rng::Rng;

impl Mob {
    /// What it leaves behind: nothing if young, its own wool if it has any, some of it only to the player who killed it.
    pub(crate) fn drops(&self, tick: u64, rng: &mut Rng) -> Vec<Stack> {
        let is_players = tick <= self.struck.0;
        let looting = if is_players { self.struck.1 } else { 0 };
        let mut left = Vec::new();
        // Only the smallest slimes drop; larger ones split instead.
        if self.is_baby(tick) || self.size > 1 {
            return left;
        }
        let facts = self.kind.facts();
        if let Some((few, many)) = facts.rolls {
            for _ in 0..rng.between(few.into(), many.into()) {
                let row = rolled(&facts.drops, rng);
                left.extend(row.and_then(|row| self.stack_of(row, looting, rng)));
            }
        } else {
            for row in &facts.drops {
                let is_there = is_players || !row.players;
                if is_there && !(self.coat.shorn && self.is_wool(row)) {
                    left.extend(self.fallen(row, looting, rng));
                }
            }
        }
        match self.held {
            // A block that was carried falls, whoever killed its bearer.
            Some(held) if self.carries_block() => left.push(Stack::new(held, 1)),
            Some(held) if is_players => {
                left.extend(arms::dropped(held, u64::from(looting), rng));
            }
            _ => {}
        }
        left
    }

    /// One row by its own chance.
    fn fallen(&self, row: &MobDrop, looting: u8, rng: &mut Rng) -> Option<Stack> {
        if rng.chance(row.chance_at(looting)) {
            return self.stack_of(row, looting, rng);
        }
        // Without looting a miss is nothing, and nothing is drawn for it.
        if row.misses == 0 || looting == 0 {
            return None;
        }
        let short = rng.below(row.misses.into()) as u32;
        let count = pieces(row.looting, looting, rng).saturating_sub(short);
        (count > 0).then(|| Stack::new(row.drop.item, count))
    }

    /// The pieces of a row that falls; None if there are none this time.
    fn stack_of(&self, row: &MobDrop, looting: u8, rng: &mut Rng) -> Option<Stack> {
        let more = pieces(row.looting, looting, rng);
        let count = row.drop.draw(rng) + more;
        // The table names white wool; the coat decides the colour.
        let wool = self.coat.wool().filter(|_| self.is_wool(row));
        let item = wool.unwrap_or(row.drop.item);
        if item.facts().durability.is_some() {
            return Some(arms::used(item, rng));
        }
        (count > 0).then(|| Stack::new(item, count))
    }

    fn is_wool(&self, row: &MobDrop) -> bool {
        self.kind == MobKind::Sheep && row.drop.item.name() == "white_wool"
    }
}

/// Pieces that looting adds: up to one a level.
fn pieces(gain: Looting, level: u8, rng: &mut Rng) -> u32 {
    match gain {
        // Rounded as in the game, so that none and all are half as likely as what lies between.
        Looting::Pieces if level > 0 => (rng.unit() * f64::from(level)).round() as u32,
        Looting::Pieces | Looting::Chance(_) | Looting::Nothing => 0,
    }
}

/// One row of a weighted list.
fn rolled<'a>(rows: &'a [MobDrop], rng: &mut Rng) -> Option<&'a MobDrop> {
    let total: f64 = rows.iter().map(|row| f64::from(row.drop.chance)).sum();
    let mut roll = rng.unit() * total;
    rows.iter().find(|row| {
        let here = roll < f64::from(row.drop.chance);
        roll -= f64::from(row.drop.chance);
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Point;

    const DEATHS: u32 = 30_000;

    /// What many of a kind leave; a level of looting if the player killed them.
    fn left(kind: MobKind, looting: Option<u8>) -> Vec<Vec<Stack>> {
        let mut rng = Rng::new(3);
        let mut mob = Mob::new(1, kind, Point::default());
        mob.struck = looting.map_or((0, 0), |level| (100, level));
        (0..DEATHS).map(|_| mob.drops(50, &mut rng)).collect()
    }

    /// The mean number of pieces of one item.
    fn mean(kind: MobKind, looting: Option<u8>, name: &str) -> f64 {
        let all = left(kind, looting).into_iter().flatten();
        let pieces = all.filter(|stack| stack.item.name() == name);
        f64::from(pieces.map(|stack| stack.count).sum::<u32>()) / f64::from(DEATHS)
    }

    #[track_caller]
    fn near(got: f64, wanted: f64) {
        // Six standard errors of a share of so many deaths.
        let error = (wanted.max(0.001) / f64::from(DEATHS)).sqrt();
        assert!((got - wanted).abs() < 6.0 * error, "{got} {wanted}");
    }

    #[test]
    fn fish_leave_bone_meal_to_anybody_and_looting_changes_nothing() {
        for kind in [MobKind::Cod, MobKind::Salmon] {
            for looting in [None, Some(0), Some(3)] {
                near(mean(kind, looting, "bone_meal"), 0.05);
                assert_eq!(mean(kind, looting, kind.name()), 1.0);
            }
        }
    }

    #[test]
    fn each_level_of_looting_adds_to_the_chance_of_what_is_rare() {
        let foot = |looting| mean(MobKind::Rabbit, looting, "rabbit_foot");
        assert_eq!(foot(None), 0.0);
        near(foot(Some(0)), 0.1);
        near(foot(Some(1)), 0.13);
        near(foot(Some(3)), 0.19);
        // The chance of three things in turn rises by one in a hundred.
        near(mean(MobKind::Zombie, Some(3), "carrot"), 0.055 / 3.0);
        near(mean(MobKind::Drowned, Some(3), "gold_ingot"), 0.08);
    }

    #[test]
    fn looting_adds_pieces_where_it_does_in_the_game() {
        near(mean(MobKind::Cow, Some(3), "beef"), 3.5);
        assert_eq!(mean(MobKind::Sheep, Some(3), "white_wool"), 1.0);
        let counts = left(MobKind::Chicken, Some(3)).into_iter().flatten();
        let mut birds = [0_u32; 5];
        for stack in counts.filter(|stack| stack.item.name() == "chicken") {
            birds[stack.count as usize] += 1;
        }
        for (count, share) in [(1, 1.0 / 6.0), (2, 1.0 / 3.0), (3, 1.0 / 3.0)] {
            near(f64::from(birds[count]) / f64::from(DEATHS), share);
        }
        // A spider leaves -1 to 1 eyes, and looting adds to it.
        near(mean(MobKind::Spider, Some(0), "spider_eye"), 0.33);
        near(mean(MobKind::Spider, Some(3), "spider_eye"), 14.0 / 9.0);
        assert_eq!(mean(MobKind::Spider, None, "spider_eye"), 0.0);
    }

    #[test]
    fn witches_leave_one_to_three_draws_of_a_weighted_list() {
        let witches = left(MobKind::Witch, None);
        // A draw of none leaves no stack: all draws of one, two or three come to nothing.
        let third: f64 = 1.0 / 3.0;
        let empty = witches.iter().filter(|left| left.is_empty()).count() as u32;
        let due = third * (third + third.powi(2) + third.powi(3));
        near(f64::from(empty) / f64::from(DEATHS), due);
        assert!(witches.iter().all(|left| left.len() <= 3));
        let full = witches.iter().filter(|left| left.len() == 3).count() as u32;
        near(f64::from(full) / f64::from(DEATHS), third * 8.0 / 27.0);
        let stacks: Vec<Stack> = witches.into_iter().flatten().collect();
        assert!(stacks.iter().all(|stack| stack.count <= 2));
        for name in [
            "glowstone_dust",
            "sugar",
            "redstone",
            "spider_eye",
            "glass_bottle",
            "gunpowder",
        ] {
            near(mean(MobKind::Witch, None, name), 0.25);
        }
        near(mean(MobKind::Witch, None, "stick"), 0.5);
        // One and a half pieces more in each of the draws.
        near(mean(MobKind::Witch, Some(3), "stick"), 0.5 * 2.5);
    }
}
