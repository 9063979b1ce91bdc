//! Growing: plant, tend, wait near by, harvest, plant again.
//!
//! What stands ripe already is taken first. Invariant: ends after `TICKS_MAX`, whatever does not
//! grow; a lone seed is planted before it is counted as a harvest.

use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::looking;
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, manner_here};
use super::super::senses::{BodyHandle, Senses};
use super::garden::{self, Bed};
use super::pick_up::pick_up;
use super::use_on::approach_block;
use super::wanted::Wanted;
use super::{End, explore, mine, sleep};
use crate::action::{ActionFailure, Target};
use crate::block as blocks;
use crate::family::ItemSpec;
use crate::farming::{Crop, GrowthHabit, crops_giving};
use crate::item::ItemId;
use crate::space::{Facing, Pos};

/// Nearly two days; whoever gives the order usually gives up earlier.
const TICKS_MAX: u64 = 47_000;
/// Stalks rise at every sixteenth random tick, after 22,000 ticks in the mean, and nights slept through
/// do not count.
const STALK_TICKS_MAX: u64 = 100_000;
/// Plants tended at once.
const PLOTS_MAX: usize = 9;
/// Beds that would not do before planting is given up.
const BAD_BEDS_MAX: u32 = 12;
/// Plants that stand there already are taken on within this distance.
const ADOPT: f64 = 32.0;
const WATCH_EVERY: u32 = 20;
/// One stays so near, to see what ripens.
const NEAR: f64 = 5.0;
const SPILL: f64 = 7.0;
/// Pieces of bone meal for one plant.
const MEALS_MAX: u32 = 24;
/// Mushrooms come up this far around the first.
const SPREAD: i32 = 3;

/// State of one action.
struct Job {
    item: ItemSpec,
    goal: u32,
    crop: &'static Crop,
    plots: Vec<Pos>,
    /// Beds that would not do.
    bad: Vec<Pos>,
}

/// Grows until `count` more of the item are held.
pub(crate) async fn grow(body: &BodyHandle, item: ItemSpec, count: u32) -> End {
    handling::close(body).await?;
    let crop = choose(body, item)?;
    let mut job = Job {
        item,
        goal: body.with(|s| s.count(item)) + count,
        crop,
        plots: Vec::new(),
        bad: Vec::new(),
    };
    job.adopt(body);
    job.equipped(body)?;
    let patience = match job.crop.manner {
        GrowthHabit::Stalk => STALK_TICKS_MAX,
        _ => TICKS_MAX, // the others ripen within two days
    };
    let until = body.with(|s| s.tick) + patience;
    let end = job.tend(body, until).await;
    body.with(|s| s.watched.clear());
    end
}

/// The crop to grow: the one whose seed is carried or which stands near by.
fn choose(body: &BodyHandle, item: ItemSpec) -> Result<&'static Crop, ActionFailure> {
    let Some(first) = crops_giving(item).next() else {
        return Err(ActionFailure::Invalid {
            because: format!("{item} does not grow"),
        });
    };
    let is_ready =
        |crop: &&Crop| body.with(|s| s.slots.count(crop.seed) > 0 || !standing(s, crop).is_empty());
    crops_giving(item)
        .find(is_ready)
        .ok_or(ActionFailure::NotHeld {
            item: first.seed.into(),
        })
}

/// Plants of the crop that are known near by.
fn standing(s: &Senses, crop: &Crop) -> Vec<Pos> {
    if matches!(crop.manner, GrowthHabit::Tree { .. }) {
        return Vec::new();
    }
    let near = s
        .seen
        .nearest(s.feet(), ADOPT, PLOTS_MAX, |block| block == crop.plant);
    let is_root =
        |at: &Pos| crop.manner != GrowthHabit::Stalk || s.seen.block(at.down()) != Some(crop.plant);
    near.into_iter().map(|(at, _)| at).filter(is_root).collect()
}

impl Job {
    fn adopt(&mut self, body: &BodyHandle) {
        self.plots = body.with(|s| standing(s, self.crop));
        body.with(|s| s.watched.clone_from(&self.plots));
    }

    /// A field needs a hoe, unless it is tilled already.
    fn equipped(&self, body: &BodyHandle) -> End {
        let tilled = body.with(|s| {
            !s.seen
                .nearest(s.feet(), ADOPT, 1, |block| block == blocks::FARMLAND)
                .is_empty()
        });
        let needs_hoe = self.crop.wants_farmland() && self.plots.is_empty() && !tilled;
        if needs_hoe && body.with(|s| garden::hoe(s)).is_none() {
            return Err(garden::no_hoe());
        }
        Ok(())
    }

    async fn tend(&mut self, body: &BodyHandle, until: u64) -> End {
        let mut bad_beds = 0;
        while body.with(|s| s.tick) < until {
            if self.is_done(body) {
                return Ok(());
            }
            if !body.with(|s| s.has_room()) && !handling::throw_rubble(body).await {
                return Err(ActionFailure::InventoryFull);
            }
            if let Some(log) = body.with(|s| self.tree(s)) {
                let missing = self.goal - body.with(|s| s.count(self.item)).min(self.goal);
                approach_block(body, log).await?;
                return mine::mine(body, self.item, missing).await;
            }
            if let Some(at) = body.with(|s| self.ripe(s)) {
                self.harvest(body, at).await?;
                continue;
            }
            if self.wants_more(body) && bad_beds < BAD_BEDS_MAX {
                bad_beds += u32::from(!self.plant_one(body).await?);
                continue;
            }
            if self.plots.is_empty() {
                return Err(self.no_ground(body));
            }
            self.wait(body).await?;
        }
        Err(ActionFailure::NoTarget {
            target: Target::Source(self.item),
            y: body.with(|s| s.feet().y),
        })
    }

    /// Enough is held; of what is its own seed, none is left to be planted first.
    fn is_done(&self, body: &BodyHandle) -> bool {
        body.with(|s| s.count(self.item)) >= self.goal
    }

    fn no_ground(&self, body: &BodyHandle) -> ActionFailure {
        if body.with(|s| s.slots.count(self.crop.seed)) == 0 {
            return ActionFailure::NotHeld {
                item: self.crop.seed.into(),
            };
        }
        ActionFailure::NoRoom {
            at: body.with(|s| s.feet()),
        }
    }

    /// A plant is missing, and there is a seed for it.
    fn wants_more(&self, body: &BodyHandle) -> bool {
        let (seeds, have) = body.with(|s| (s.slots.count(self.crop.seed), s.count(self.item)));
        let missing = self.goal.saturating_sub(have) as usize;
        let rooted = body.with(|s| {
            let grows = |at: &&Pos| s.seen.block(**at) == Some(self.crop.plant);
            self.plots.iter().filter(grows).count()
        });
        // Which of many plants ripen first is chance, so a field is sown with all the seeds there are.
        let sows_all = self.crop.manner == GrowthHabit::Field && !self.item.matches(self.crop.seed);
        let plants = if sows_all { PLOTS_MAX } else { missing.max(1) };
        seeds > 0 && rooted < plants.min(PLOTS_MAX)
    }

    /// Plants one more; false if the place would not do.
    async fn plant_one(&mut self, body: &BodyHandle) -> Result<bool, ActionFailure> {
        let again = body.with(|s| self.fallow(s));
        let bed = match again {
            Some(bed) => Some(bed),
            None => self.new_bed(body).await?,
        };
        let Some(bed) = bed else {
            self.bad.push(body.with(|s| s.feet()));
            return Ok(false);
        };
        if !garden::plant(body, self.crop, bed).await? {
            self.bad.push(bed.at);
            self.plots.retain(|at| *at != bed.at);
            return Ok(false);
        }
        if !self.plots.contains(&bed.at) {
            self.plots.push(bed.at);
        }
        body.with(|s| s.watched.clone_from(&self.plots));
        self.feed(body, bed.at).await?;
        Ok(true)
    }

    /// A plot that was harvested and is empty now.
    fn fallow(&self, s: &Senses) -> Option<Bed> {
        let empty = |at: &&Pos| s.seen.nature(**at).is_air() && !self.bad.contains(at);
        let at = *self.plots.iter().find(empty)?;
        (self.crop.manner != GrowthHabit::Pod).then_some(Bed {
            at,
            against: at.down(),
            side: Facing::Up,
        })
    }

    async fn new_bed(&mut self, body: &BodyHandle) -> Result<Option<Bed>, ActionFailure> {
        let is_first = self.plots.is_empty() && self.bad.is_empty();
        let thirsty = self.crop.wants_farmland() || self.crop.plant == blocks::SUGAR_CANE;
        if is_first && thirsty && !body.with(|s| garden::knows_wet_ground(s, self.crop)) {
            let water = Wanted::blocks(&[blocks::WATER], &[]);
            let target = Target::Block(blocks::WATER);
            match explore::search(body, &water, &target).await {
                Ok(()) => {
                    let at = body.with(|s| super::wanted::nearest(s, &water));
                    if let Some(at) = at {
                        approach_block(body, at).await?;
                        looking::look_around(body).await;
                    }
                }
                // Fields grow without water, only slower.
                Err(ActionFailure::NoTarget { .. }) => {}
                Err(failure) => return Err(failure),
            }
        }
        let taken: Vec<Pos> = self.plots.iter().chain(&self.bad).copied().collect();
        Ok(body.with(|s| garden::find(s, self.crop, &taken)))
    }

    /// Bone meal, if any is carried, until the plant is ripe or will not have it.
    async fn feed(&self, body: &BodyHandle, at: Pos) -> End {
        let Some(meal) = ItemId::named("bone_meal") else {
            return Ok(());
        };
        let takes_meal = !matches!(self.crop.manner, GrowthHabit::Stalk | GrowthHabit::Spread);
        for _ in 0..MEALS_MAX {
            // A sapling does not ripen; it is one until it is a tree.
            let is_ready = body.with(|s| match self.crop.manner {
                GrowthHabit::Tree { .. } => self.tree(s).is_some(),
                _ => s.ripe.contains(&at),
            });
            let carries = body.with(|s| s.slots.count(meal) > 0);
            if !takes_meal || is_ready || !carries {
                break;
            }
            handling::hold(body, meal).await?;
            if !handling::click(body, at).await {
                break;
            }
            for _ in 0..5 {
                body.idle().await;
            }
        }
        Ok(())
    }

    /// A log where a sapling was planted.
    fn tree(&self, s: &Senses) -> Option<Pos> {
        let GrowthHabit::Tree { log } = self.crop.manner else {
            return None;
        };
        let grown = |at: &&Pos| s.seen.block(**at) == Some(log);
        self.plots.iter().find(grown).copied()
    }

    /// A cell that can be harvested now.
    fn ripe(&self, s: &Senses) -> Option<Pos> {
        let is = |at: Pos, block| s.seen.block(at) == Some(block);
        match self.crop.manner {
            GrowthHabit::Field | GrowthHabit::Bush | GrowthHabit::Pod => {
                let plants = s.ripe.iter().filter(|at| is(**at, self.crop.plant));
                plants
                    .copied()
                    .min_by_key(|at| (at.manhattan(s.feet()), *at))
            }
            GrowthHabit::Stem { fruit } => {
                let around = self
                    .plots
                    .iter()
                    .flat_map(|at| Facing::FLAT.into_iter().map(move |side| at.side(side)));
                around.into_iter().find(|at| is(*at, fruit))
            }
            GrowthHabit::Stalk => {
                let second = self.plots.iter().map(|at| at.up());
                second.into_iter().find(|at| is(*at, self.crop.plant))
            }
            GrowthHabit::Spread => {
                let side = || -SPREAD..=SPREAD;
                let cells = self
                    .plots
                    .iter()
                    .flat_map(|at| side().flat_map(move |z| side().map(move |x| at.plus(x, 0, z))));
                cells
                    .into_iter()
                    .find(|at| is(*at, self.crop.plant) && !self.plots.contains(at))
            }
            GrowthHabit::Tree { .. } => None,
        }
    }

    async fn harvest(&mut self, body: &BodyHandle, at: Pos) -> End {
        let reached = approach_block(body, at).await?;
        let taken = if !reached {
            false
        } else if self.crop.manner == GrowthHabit::Bush {
            handling::click(body, at).await
        } else {
            matches!(handling::dig(body, at).await?, handling::Dug::Broke(_))
        };
        if !taken {
            // There is no getting at it: forget it, and look for no new bed there.
            self.plots.retain(|plot| *plot != at);
            self.bad.push(at);
            body.with(|s| {
                s.watched.retain(|plot| *plot != at);
                s.ripe.retain(|plot| *plot != at);
            });
            return Ok(());
        }
        body.with(|s| s.ripe.retain(|plot| *plot != at));
        pick_up(body, SPILL, &|_| true).await
    }

    async fn wait(&self, body: &BodyHandle) -> End {
        reflexes::watch(body).await?;
        sleep::through_the_night(body).await?;
        let far = body.with(|s| {
            let feet = s.feet();
            let nearest = self
                .plots
                .iter()
                .min_by_key(|at| (at.manhattan(feet), **at));
            nearest
                .copied()
                .filter(|at| feet.distance(*at) > NEAR + 1.0)
        });
        if let Some(at) = far {
            let goal = PathGoal::Near { at, range: NEAR };
            travel::went(travel::travel(body, &goal, manner_here(body)).await)?;
        }
        for _ in 0..WATCH_EVERY {
            body.idle().await;
        }
        Ok(())
    }
}
