//! The villagers' day: work, staying near home, standing still for whoever trades with them.
//!
//! It joins what `villagers` keeps about a trader with the mob that walks about.

use super::life::mob::Mood;
use super::sim::Simulation;
use super::villagers::{Villager, is_rest};
use crate::mob::MobKind;
use crate::space::Pos;
use crate::trade::Profession;

/// Hours of the day at which they work up new stock.
/// Two restocks a day, the most a villager makes in the game.
const WORK_HOURS: [u32; 2] = [2_500, 7_500];

/// A villager farther from home than this turns back.
/// In blocks.
const ROAM: f64 = 14.0;

/// Ticks between two looks whether one has strayed.
/// Two seconds; it keeps the cost small and a villager cannot get far in that time.
const HERD_EVERY: u64 = 40;

impl Simulation {
    /// Puts a villager into the world; its number.
    pub fn add_villager(&mut self, profession: Profession, home: Pos) -> u64 {
        let mob = self.mobs.add(MobKind::Villager, home.floor());
        self.villagers.add(mob, profession, home);
        mob
    }

    /// One tick of the villagers' business: work, staying near home, standing still for who trades.
    pub(super) fn let_trade(&mut self) {
        if self.villagers.all.is_empty() {
            return;
        }
        if WORK_HOURS.contains(&self.time_of_day()) {
            self.villagers.all.values_mut().for_each(Villager::restock);
        }
        // A villager that trades stands still; the mood is set anew each tick with a second
        // to spare.
        if let Some(mob) = self.window.mob {
            self.mobs.set_mood(
                mob,
                Mood::Idle {
                    until: self.tick + 20,
                },
            );
        }
        if self.tick.is_multiple_of(HERD_EVERY) {
            let rests = is_rest(self.time_of_day());
            let mobs = &self.mobs;
            self.villagers.all.retain(|mob, _| mobs.get(*mob).is_some());
            for (mob, villager) in &self.villagers.all {
                self.mobs.turn_home(*mob, villager.home.floor(), ROAM);
                if rests {
                    self.mobs.rest(*mob, HERD_EVERY);
                }
            }
        }
    }
}
