//! Errors: which facts of the game a simulated planner has wrong, and how.
//!
//! How a fact would be misremembered and how prone it is to that belong to the mind: they are
//! hashed from the fact's name alone. Whether it fails in a run is one draw hashed from (run
//! seed, fact). So runs differ, and some facts are weak in many of them.
//! Invariant: same level, seed and fact, same error; a lower level errs wherever a higher one does.

use pithead_world::family::ItemSpec;
use pithead_world::rng::{Rng, Streams};

/// How much the mind knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Novice,
    Competent,
    Expert,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Novice, Self::Competent, Self::Expert];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Competent => "competent",
            Self::Expert => "expert",
        }
    }

    /// The mean share of facts that fail.
    fn share(self) -> f64 {
        match self {
            Self::Novice => 0.12,
            Self::Competent => 0.03,
            Self::Expert => 0.0,
        }
    }

    /// How fast slips become more likely: per step of an answer beyond the first.
    pub(super) fn slips(self) -> f64 {
        match self {
            Self::Novice => 0.06,
            Self::Competent => 0.015,
            Self::Expert => 0.0,
        }
    }
}

impl Level {
    /// The chance that a judge overlooks what it knows to be lacking.
    #[must_use]
    pub(super) fn overlooks(self) -> f64 {
        match self {
            Self::Novice => 0.35,
            Self::Competent => 0.25,
            Self::Expert => 0.15,
        }
    }
}

/// One fact that can be misremembered, by the product it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// Crafting it takes a crafting table.
    Table(ItemSpec),
    /// How many of an ingredient one crafting takes.
    Count {
        product: ItemSpec,
        ingredient: ItemSpec,
    },
    /// How many pieces one crafting makes.
    Yield(ItemSpec),
    /// Smelting it takes a furnace.
    Furnace(ItemSpec),
    /// Smelting it takes fuel.
    Fuel(ItemSpec),
    /// What has to be in the hand to mine it.
    Tool(ItemSpec),
    /// How deep it lies.
    Depth(ItemSpec),
}

impl Fact {
    /// What it is about.
    #[must_use]
    pub(super) fn product(&self) -> ItemSpec {
        match self {
            Self::Table(product)
            | Self::Count { product, .. }
            | Self::Yield(product)
            | Self::Furnace(product)
            | Self::Fuel(product)
            | Self::Tool(product)
            | Self::Depth(product) => *product,
        }
    }
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Table(product) => write!(f, "table for {product}"),
            Self::Count {
                product,
                ingredient,
            } => write!(f, "{ingredient} in {product}"),
            Self::Yield(product) => write!(f, "yield of {product}"),
            Self::Furnace(product) => write!(f, "furnace for {product}"),
            Self::Fuel(product) => write!(f, "fuel for {product}"),
            Self::Tool(product) => write!(f, "tool for {product}"),
            Self::Depth(product) => write!(f, "depth of {product}"),
        }
    }
}

/// How a fact is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Error {
    /// The table, furnace, fuel or ingredient does not come to mind.
    Forgotten,
    /// One piece fewer.
    Fewer,
    /// One piece more; harmless.
    More,
    /// Twice as many pieces from one crafting.
    Doubled,
    /// One tool tier lower; below wood the bare hand.
    TierLower,
    /// So many blocks higher.
    /// Doubling makes the planner get half of what it needs.
    Higher(i32),
}

/// The stream of the mind itself, the same in all runs.
/// The letters "pithead" and 01; it must never change, or recorded evaluations could not be
/// repeated.
const MIND: Streams = Streams(0x7069_7468_6561_6401);

/// A judge has so many times the planner's share of facts wrong. Calibrated once with `overlooks`, on zero-shot plans
/// (docs/decisions/0075).
const JUDGE_SHARE: f64 = 2.0;

/// Ingredients beyond the first can be forgotten altogether; the others only miscounted, more often too
/// low than too high. A tool is forgotten in favour of the bare hand, else
/// believed a tier too low.
const FORGOTTEN: f64 = 0.35;
const MORE: f64 = 0.20;
const BARE_HAND: f64 = 0.25;
/// Ores are believed to lie this many blocks too high.
/// Blocks; enough to search above the ore.
const HIGHER: (i64, i64) = (20, 40);

/// Whether the fact fails for a mind of this level in the run of this seed.
#[must_use]
pub fn fails(level: Level, seed: u64, fact: &Fact) -> bool {
    if level.share() == 0.0 {
        return false;
    }
    let name = fact.to_string();
    // At most 0.8, for a novice: no fact fails in every run.
    let chance = level.share() * weakness(&name);
    Streams(seed).get(&format!("belief: {name}")).unit() < chance
}

/// Whether the fact fails for a judge of this level in the run of this seed: a draw of its own, on twice the share.
#[must_use]
pub(super) fn misjudges(level: Level, seed: u64, fact: &Fact) -> bool {
    let name = fact.to_string();
    let chance = JUDGE_SHARE * level.share() * weakness(&name);
    Streams(seed).get(&format!("judgement: {name}")).unit() < chance
}

/// How prone this mind is to get something wrong, 0 to 2: some things are firm, some weak, the mean is 1.
pub(super) fn weakness(name: &str) -> f64 {
    2.0 * MIND.get(name).unit()
}

/// How the fact is wrong when it fails. `count` is the true number for `Count`; `main` says that
/// the recipe's first ingredient is meant. None: this fact cannot be wrong.
#[must_use]
pub fn how(fact: &Fact, count: u32, main: bool) -> Option<Error> {
    // Without the seed: how a fact is wrong is the same in all runs.
    let mut draw: Rng = MIND.get(&format!("how: {fact}"));
    match fact {
        Fact::Table(_) | Fact::Furnace(_) | Fact::Fuel(_) => Some(Error::Forgotten),
        Fact::Yield(_) => (count > 1).then_some(Error::Doubled),
        Fact::Tool(_) if draw.chance(BARE_HAND) => Some(Error::Forgotten),
        Fact::Tool(_) => Some(Error::TierLower),
        Fact::Depth(_) => {
            let by = draw.between(HIGHER.0, HIGHER.1);
            Some(Error::Higher(i32::try_from(by).unwrap_or(0)))
        }
        Fact::Count { .. } => match (count, main, draw.unit()) {
            // A count of 0 or the only piece of the main ingredient cannot be lower.
            (0, ..) | (1, true, _) => None,
            (1, false, _) => Some(Error::Forgotten),
            (_, false, u) if u < FORGOTTEN => Some(Error::Forgotten),
            (_, _, u) if u > 1.0 - MORE => Some(Error::More),
            _ => Some(Error::Fewer),
        },
    }
}
