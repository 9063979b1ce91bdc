//! Evidence: prices, time-outs, arms and provisions by what the tries of an option came to.
//!
//! What a planner sets by hand is where it begins; each try weighs against it. Invariant: where nothing was tried,
//! everything is as it was set.

use super::beliefs::LAVA_EDGE;
use super::ways::{Knowing, Part, Way};
use pithead_core::domain::experience::circumstance::{Circumstance, HEIGHT_BAND};
use pithead_core::domain::experience::option::{OptionRecord, TriedOptions, Tries};
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::plan::{Executor, Subgoal};
use pithead_world::family::ItemSpec;

/// Ticks that one unit of price stands for: the median over what was tried most in 130 episodes of a novice (logs 8,
/// cobblestone and diamonds 10, wool 22, leather 24, iron ore 1). With fewer, all that was tried looks dearer than all that was not.
const TICKS_PER_UNIT: f64 = 10.0;
/// Pieces as which the price set by hand counts.
const PIECES_EXPECTED: f64 = 4.0;
/// A death costs what most of a run's budget could have been used for.
const TICKS_PER_DEATH: f64 = 18_000.0;

/// So many tries must have been done before they say how long one takes.
const DONE_MIN: f64 = 5.0;
/// A try is given as long as nineteen in twenty took, and this many times more.
const PATIENCE: f64 = 2.0;
/// The least that is given, in seconds.
const TIMEOUT_MIN_S: u32 = 60;
const TICKS_PER_SECOND: f64 = 20.0;

/// Before anything was tried one in twenty tries is expected to end in death.
const DEATHS_EXPECTED: f64 = 1.0;
const TRIES_EXPECTED: f64 = 20.0;
/// From so many deaths a try on, arms are worth making.
const DEADLY: f64 = 0.1;

/// Ticks that a piece is expected to take before it was searched for at some height.
const SEARCH_EXPECTED: f64 = 2_000.0;
/// So many searches at each of two heights must have been made before they are compared.
const SEARCHES_MIN: f64 = 3.0;
/// What a few searches show of a height is noisy, so another one has to be clearly better.
const MUCH_LESS: f64 = 0.6;
/// Ticks to dig down, or climb up, one level.
const TICKS_PER_LEVEL: f64 = 50.0;

impl Knowing<'_> {
    /// The price of a piece. Any member of a family will do for it, so it costs no more than the cheapest of them:
    /// otherwise a wood that was tried less often than all woods together would be searched for by name.
    pub(super) fn price_by_evidence(&self, item: ItemSpec, way: Executor, set: u64) -> u64 {
        let members = item.members().iter().map(|member| ItemSpec::from(*member));
        let prices = std::iter::once(item).chain(members).map(|item| {
            let tries = self.options.tries(item, way);
            tries.map_or(set, |tries| price_after(&tries, set))
        });
        prices.min().unwrap_or(set)
    }

    /// The height to search at: the one that was chosen, unless searches there and elsewhere have shown that another
    /// costs much less, the way there included. A search begins where the way ends, so its ticks say nothing of it.
    pub(super) fn depth_by_evidence(&self, item: ItemSpec, chosen: i32) -> i32 {
        let Some(known) = self.options.known(item, Executor::Mine) else {
            return chosen;
        };
        let Tries { tried, pieces, .. } = known.all;
        let pieces_a_try = (pieces / tried.max(1.0)).max(1.0);
        let searches = known.by.iter().filter_map(|(at, tries)| match at {
            Circumstance::SearchedFrom(band) if tries.tried >= SEARCHES_MIN => {
                let levels = f64::from(self.here.y - height_in(*band)).abs();
                let search = pieces_a_try * ticks_a_piece(tries);
                Some((*band, search + levels * TICKS_PER_LEVEL))
            }
            _ => None,
        });
        let searches: Vec<(i32, f64)> = searches.collect();
        let there = chosen.div_euclid(HEIGHT_BAND) * HEIGHT_BAND;
        let cost_there = searches.iter().find(|(band, _)| *band == there);
        let best = searches.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        match (best, cost_there) {
            (Some((band, cost)), Some((_, there))) if *cost < MUCH_LESS * there => height_in(*band),
            _ => chosen,
        }
    }

    /// A sword for what has killed the unarmed more often than those who had one.
    pub(super) fn arms_by_evidence(&self, item: ItemSpec) -> Option<Part> {
        let known = self.options.known(item, Executor::Attack)?;
        is_deadlier(&known, &Circumstance::Unarmed, &Circumstance::Armed)
            .then(|| self.sword())
            .flatten()
    }
}

impl Knowing<'_> {
    /// Food for a march on which those died who had none, and a bed where the nights killed those who had none.
    pub(super) fn provisions_by_evidence(&self, item: ItemSpec, way: Executor) -> Vec<Part> {
        let Some(known) = self.options.known(item, way) else {
            return Vec::new();
        };
        let is_hungry = is_deadlier(&known, &Circumstance::WithoutFood, &Circumstance::WithFood);
        let is_dark = is_deadlier(&known, &Circumstance::Night, &Circumstance::Day)
            && is_deadlier(&known, &Circumstance::WithoutBed, &Circumstance::WithBed);
        let food = is_hungry.then(|| self.food(item)).flatten();
        food.into_iter()
            .chain(is_dark.then(|| self.bed()).flatten())
            .filter(|part| !overlaps(part.item, item))
            .collect()
    }
}

/// The price set by hand counts as some pieces that were got for it, so that one lucky find does not make a way cheap.
fn price_after(tries: &Tries, set: u64) -> u64 {
    let paid = (tries.ticks + tries.died * TICKS_PER_DEATH) / TICKS_PER_UNIT;
    let price = (set as f64 * PIECES_EXPECTED + paid) / (PIECES_EXPECTED + tries.pieces);
    (price.round() as u64).max(1)
}

/// What a piece cost in these searches; the expected piece keeps one lucky find from deciding.
fn ticks_a_piece(searches: &Tries) -> f64 {
    let paid = searches.ticks + searches.died * TICKS_PER_DEATH;
    (SEARCH_EXPECTED + paid) / (1.0 + searches.pieces)
}

/// Where one searches in a band.
fn height_in(band: i32) -> i32 {
    (band + HEIGHT_BAND / 2).max(LAVA_EDGE)
}

/// Tries under the one circumstance have died more often than one in ten, and more often than under the other.
fn is_deadlier(known: &OptionRecord, worse: &Circumstance, better: &Circumstance) -> bool {
    let deaths = |context: &Circumstance| {
        let Tries { tried, died, .. } = known.by.get(context).copied().unwrap_or_default();
        (died + DEATHS_EXPECTED) / (tried + TRIES_EXPECTED)
    };
    let worse = deaths(worse);
    worse > DEADLY && worse > deaths(better)
}

/// Gives a step no more time than its like have taken. Never more than was set: how long a try would have taken that
/// was broken off is not known.
pub(super) fn bound_time(subgoal: &mut Subgoal, options: &TriedOptions) {
    let Some(object) = subgoal.goal.object else {
        return;
    };
    let known = options.known(object, subgoal.executor_hint);
    let Some(known) = known.filter(|known| known.all.done >= DONE_MIN) else {
        return;
    };
    let Some(a_piece) = known.ticks_a_piece(0.95) else {
        return;
    };
    let ticks = a_piece * f64::from(subgoal.goal.count.max(1)) * PATIENCE;
    let seconds = (ticks / TICKS_PER_SECOND).ceil() as u32;
    subgoal.timeout_s = subgoal.timeout_s.min(seconds.max(TIMEOUT_MIN_S));
}

impl Way {
    /// How the body is told to take it; none for what happens in a window.
    pub(super) fn searched_by(&self) -> Option<Executor> {
        match self {
            Self::Mine { .. } => Some(Executor::Mine),
            Self::Attack { .. } => Some(Executor::Attack),
            Self::OtherWay(other) => Some(other.executor),
            Self::Craft(_) | Self::Smelt { .. } | Self::Pick(_) => None,
        }
    }
}
