//! Beliefs: the rules of the game as one simulated planner remembers them.
//!
//! The true tables with the errors of `errors` laid over them. This is the planner's only way to
//! the tables; what corrects a belief comes with the ask (see `learnt`).

use super::errors::{Error, Fact, Level, fails, how, misjudges};
use super::look_ahead::LookAhead;
use super::other_ways::{self, OtherWay};
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_world::answers::Answers;
use pithead_world::block::{BlockId, Harvest};
use pithead_world::counts::Counts;
use pithead_world::drops::{DropSource, blocks_dropping};
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use pithead_world::mob::{MobKind, mobs_dropping};
use pithead_world::natural::{Lie, is_common, lie};
use pithead_world::ore::{Ore, Spread, best_height, is_bound_to_land, ores};
use pithead_world::recipe::recipes_for_spec;
use pithead_world::smelting::{burn_ticks, part_that_burns, smelt_inputs, smelts_to};
use pithead_world::wiki::WikiPage;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What one planner holds to be true.
#[derive(Debug, Clone)]
pub struct Beliefs {
    from: From,
    /// Things whose page in a wiki is before it: what one reads one does not misremember.
    read: Vec<ItemSpec>,
    /// What was looked up already; the tables are long and do not change.
    /// Interior mutability, because looking up is no change of belief.
    gatherings: RefCell<BTreeMap<ItemSpec, Vec<Gathering>>>,
    /// Which facts fail; each is drawn once.
    failing: RefCell<BTreeMap<Fact, bool>>,
}

#[derive(Debug, Clone)]
enum From {
    Drawn {
        level: Level,
        seed: u64,
        /// Without it nothing slips.
        look_ahead: Option<LookAhead>,
    },
    /// Of one who judges steps and plans none.
    Judging { level: Level, seed: u64 },
    #[cfg(test)]
    Given(Vec<(Fact, Error)>),
}

/// A recipe as remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BelievedRecipe {
    pub ingredients: Vec<(ItemSpec, u32)>,
    pub yields: u32,
    pub table: bool,
    /// It takes apart what was made of the product, and gives no more than there was.
    pub undoes: bool,
}

/// A place to gather something, as remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathering {
    pub item: ItemId,
    pub block: BlockId,
    pub lie: Lie,
    pub tool: Option<(ToolKind, Tier)>,
    /// The height to go down to first.
    pub depth: Option<i32>,
    /// Blocks to break for one piece, times ten.
    /// Tenths, to stay with whole numbers for drops of less than one piece.
    pub breaks_x10: u64,
    pub common: bool,
}

/// Lower than the middle of its heights an ore is not looked for, unless it lies deep.
const WORKED_BELOW_TOP: i32 = 23;
/// Nobody believes an ore to lie on the hills.
const DEPTH_BELIEVED_MAX: i32 = 60;

impl Beliefs {
    /// The beliefs of a mind of this level in the run of this seed.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self::of(From::Drawn {
            level,
            seed,
            look_ahead: None,
        })
    }

    /// The beliefs of a judge of this level in the run of this seed.
    #[must_use]
    pub(super) fn of_judge(level: Level, seed: u64) -> Self {
        Self::of(From::Judging { level, seed })
    }

    /// The beliefs that come to mind in one answer.
    #[must_use]
    pub(super) fn as_far_as(level: Level, seed: u64, look_ahead: LookAhead) -> Self {
        Self::of(From::Drawn {
            level,
            seed,
            look_ahead: Some(look_ahead),
        })
    }

    /// The same, with these pages before it.
    #[must_use]
    pub(super) fn reading(&self, pages: &[WikiPage]) -> Self {
        Self {
            read: pages.iter().map(|page| page.about).collect(),
            ..Self::of(self.from.clone())
        }
    }

    /// Whether it is forgotten that one of the steps which need this uses it up.
    #[must_use]
    pub(super) fn loses_track_of(&self, item: ItemSpec) -> bool {
        match &self.from {
            From::Drawn { look_ahead, .. } => look_ahead
                .as_ref()
                .is_some_and(|ahead| ahead.loses_track_of(item)),
            From::Judging { .. } => false,
            #[cfg(test)]
            From::Given(_) => false,
        }
    }

    /// Beliefs that are wrong in these facts only.
    #[cfg(test)]
    pub(super) fn wrong_in(errors: &[(Fact, Error)]) -> Self {
        Self::of(From::Given(errors.to_vec()))
    }

    fn of(from: From) -> Self {
        Self {
            from,
            read: Vec::new(),
            gatherings: RefCell::default(),
            failing: RefCell::default(),
        }
    }

    fn fails(&self, fact: Fact) -> bool {
        let mut known = self.failing.borrow_mut();
        *known.entry(fact).or_insert_with(|| match &self.from {
            From::Drawn {
                level,
                seed,
                look_ahead,
            } => fails(*level, *seed, &fact) || look_ahead.as_ref().is_some_and(|a| a.loses(&fact)),
            From::Judging { level, seed } => misjudges(*level, *seed, &fact),
            #[cfg(test)]
            From::Given(errors) => errors.iter().any(|(f, _)| *f == fact),
        })
    }

    fn error(&self, fact: Fact, count: u32, main: bool) -> Option<Error> {
        if self.read.iter().any(|item| overlaps(*item, fact.product())) {
            return None;
        }
        if !self.fails(fact) {
            return None;
        }
        #[cfg(test)]
        if let From::Given(errors) = &self.from {
            return errors.iter().find(|(f, _)| *f == fact).map(|(_, e)| *e);
        }
        how(&fact, count, main)
    }

    /// The ways to craft it, plain ones first.
    #[must_use]
    pub fn recipes(&self, product: ItemSpec) -> Vec<BelievedRecipe> {
        let kin = product.kind();
        // Recipes that undo others (blocks into ingots) are no way to get anything.
        let plain = recipes_for_spec(product).iter().filter(|r| !r.reversible);
        // A matched family must be of one kind; "any of it" is then not enough, a member is.
        let any_will_do = |r: &&pithead_world::recipe::Recipe| match r.matched {
            Some(family) => r
                .ingredients
                .iter()
                .all(|(s, n)| *s != family.into() || *n == 1),
            None => true,
        };
        plain
            .filter(any_will_do)
            .map(|recipe| self.recipe(kin, recipe))
            .collect()
    }

    /// The ways to take apart what was made of it.
    #[must_use]
    pub(super) fn unpackings(&self, product: ItemSpec) -> Vec<BelievedRecipe> {
        let undoing = recipes_for_spec(product).iter().filter(|r| r.reversible);
        undoing
            .map(|recipe| self.recipe(product.kind(), recipe))
            .collect()
    }

    /// Whether this is gear that is melted down to it.
    #[must_use]
    pub(super) fn melts_to(&self, gear: ItemId, output: ItemSpec) -> bool {
        gear.facts().durability.is_some()
            && smelts_to(gear).is_some_and(|made| output.matches(made))
    }

    fn recipe(&self, product: ItemSpec, truth: &pithead_world::recipe::Recipe) -> BelievedRecipe {
        let remembered = |(at, (ingredient, count)): (usize, &(ItemSpec, u32))| {
            let fact = Fact::Count {
                product,
                ingredient: *ingredient,
            };
            let count = match self.error(fact, *count, at == 0) {
                Some(Error::Forgotten) => 0,
                // At least 1 before: a count of 1 is forgotten, not lowered.
                Some(Error::Fewer) => count - 1,
                Some(Error::More) => count + 1,
                _ => *count,
            };
            (count > 0).then_some((*ingredient, count))
        };
        // Only of raw material: where a crafted one is shared, its loss shows at some other step.
        let raw = |(item, _): &(ItemSpec, u32)| recipes_for_spec(*item).is_empty();
        // A doubled yield shows only where the only ingredient is raw.
        let doubled = matches!(&truth.ingredients[..], [only] if raw(only))
            && self
                .error(Fact::Yield(product), truth.count, false)
                .is_some();
        let no_table = truth.needs_table && self.error(Fact::Table(product), 1, false).is_some();
        BelievedRecipe {
            ingredients: truth
                .ingredients
                .iter()
                .enumerate()
                .filter_map(remembered)
                .collect(),
            yields: if doubled {
                truth.count * 2
            } else {
                truth.count
            },
            table: truth.needs_table && !no_table,
            undoes: truth.reversible,
        }
    }

    /// What can be smelted into it; worn-out gear is not thought of.
    #[must_use]
    pub fn smelted_from(&self, output: ItemSpec) -> &'static [ItemSpec] {
        static KNOWN: LazyLock<Answers<ItemSpec>> = LazyLock::new(|| Answers::new(raw_inputs));
        KNOWN.about(output)
    }

    #[must_use]
    pub fn needs_furnace(&self, output: ItemSpec) -> bool {
        self.error(Fact::Furnace(output.kind()), 1, false).is_none()
    }

    #[must_use]
    pub fn needs_fuel(&self, output: ItemSpec) -> bool {
        self.error(Fact::Fuel(output.kind()), 1, false).is_none()
    }

    /// Ticks that one piece burns.
    #[must_use]
    pub fn burns(&self, fuel: ItemSpec) -> Option<u32> {
        fuel.members()
            .iter()
            .filter_map(|item| burn_ticks(*item))
            .min()
    }

    /// The fuel as it has to be named with this stock: of planks only those that burn, where others are held or can be
    /// made of what is.
    #[must_use]
    pub(super) fn fuel_with(&self, fuel: ItemSpec, stock: &Counts) -> ItemSpec {
        let is_held = |(part, _): &(ItemSpec, u32)| stock.count(*part) > 0;
        let is_near = |item: &ItemId| {
            let mut recipes = self.recipes((*item).into()).into_iter();
            stock.count(*item) > 0 || recipes.any(|recipe| recipe.ingredients.iter().all(is_held))
        };
        let mut others = fuel
            .members()
            .iter()
            .filter(|item| burn_ticks(**item).is_none());
        match others.any(is_near) {
            true => part_that_burns(fuel),
            false => fuel,
        }
    }

    /// What burns and can be made of things in this stock that do not.
    #[must_use]
    pub(super) fn fuels_from(&self, stock: &Counts) -> Vec<ItemSpec> {
        let is_spare = |item: &ItemId| stock.count(*item) > 0 && burn_ticks(*item).is_none();
        let will_do = |part: ItemSpec| part.members().iter().any(is_spare);
        let is_made = |item: &ItemId| {
            let wanted = ItemSpec::from(*item);
            // A recipe is remembered with some of its ingredients and no others. Nearly all that burns is made of
            // wood, which burns as well, so few recipes have to be remembered here.
            let mut parts = recipes_for_spec(wanted).iter().flat_map(|r| &r.ingredients);
            let may_be_crafted = parts.any(|(part, _)| will_do(*part));
            let remembered = || self.recipes(wanted).into_iter().map(|r| r.ingredients);
            let is_crafted = may_be_crafted
                && remembered()
                    .any(|parts| !parts.is_empty() && parts.iter().all(|(part, _)| will_do(*part)));
            is_crafted || self.smelted_from(wanted).iter().any(|part| will_do(*part))
        };
        let fuels = ItemId::all().filter(|item| burn_ticks(*item).is_some());
        fuels.filter(is_made).map(ItemSpec::Item).collect()
    }

    /// Where it can be gathered with a tool or by hand.
    #[must_use]
    pub fn gatherings(&self, wanted: ItemSpec) -> Vec<Gathering> {
        let known = self.gatherings.borrow().get(&wanted).cloned();
        known.unwrap_or_else(|| {
            let found = self.look_up(wanted);
            self.gatherings.borrow_mut().insert(wanted, found.clone());
            found
        })
    }

    fn look_up(&self, wanted: ItemSpec) -> Vec<Gathering> {
        let wild = |s: &'static DropSource| lie(s.block).map(|l| (s, l));
        blocks_dropping(wanted)
            .iter()
            .filter_map(wild)
            // What never drops in fact is no source.
            .filter(|(source, _)| source.drop.expected() > 0.0)
            .map(|(source, lie)| Gathering {
                item: source.drop.item,
                block: source.block,
                lie,
                tool: self.tool(wanted, source.harvest),
                depth: self.depth(wanted, source.block, lie),
                breaks_x10: (10.0 / f64::from(source.drop.expected())).ceil() as u64,
                common: is_common(source.block),
            })
            .collect()
    }

    fn tool(&self, wanted: ItemSpec, truth: Option<Harvest>) -> Option<(ToolKind, Tier)> {
        let Harvest { kind, tier } = truth?;
        match self.error(Fact::Tool(wanted.kind()), 1, false) {
            None => Some((kind, tier)),
            Some(Error::TierLower) => Some((kind, lower(tier)?)),
            Some(_) => None,
        }
    }

    fn depth(&self, wanted: ItemSpec, block: BlockId, lie: Lie) -> Option<i32> {
        if lie != Lie::Deep {
            return None;
        }
        let top = ores()
            .iter()
            .filter(|o| o.block == block)
            .map(|o| o.y_max)
            // The lowest top of several rows: below it, all of them hold.
            .min();
        let middle = best_height(block).unwrap_or(LAVA_EDGE);
        // Not deeper than needed: each level costs digging.
        let truth = middle.max(top.map_or(0, |y| y - WORKED_BELOW_TOP));
        match self.error(Fact::Depth(wanted.kind()), 1, false) {
            // Too high, but never above what anyone would believe.
            Some(Error::Higher(by)) => Some((truth + by).min(DEPTH_BELIEVED_MAX.max(truth))),
            _ => Some(truth),
        }
    }

    /// True if it lies in the rock at this height as well as at its own.
    #[must_use]
    pub(super) fn lies_at(&self, wanted: ItemSpec, y: i32) -> bool {
        let of_it = |block: BlockId| self.gatherings(wanted).iter().any(|g| g.block == block);
        let here = |ore: &&Ore| ore.biome.is_none() && (ore.y_min..=ore.y_max).contains(&y);
        let mut rows = ores().iter().filter(here);
        rows.any(|ore| of_it(ore.block) && ore.shape == Spread::Even)
    }

    /// Only some kinds of land have it under them.
    #[must_use]
    pub(super) fn is_bound_to_land(&self, wanted: ItemSpec) -> bool {
        let sources = self.gatherings(wanted);
        !sources.is_empty() && sources.iter().all(|source| is_bound_to_land(source.block))
    }

    /// The other ways that give it.
    #[must_use]
    pub(super) fn other_ways(&self, wanted: ItemSpec) -> &'static [OtherWay] {
        other_ways::other_ways_to_get(wanted)
    }

    /// The animals and monsters that leave it, best first.
    #[must_use]
    pub fn hunted(&self, wanted: ItemSpec) -> &'static [(MobKind, u64)] {
        static KNOWN: LazyLock<Answers<(MobKind, u64)>> = LazyLock::new(|| Answers::new(prey));
        KNOWN.about(wanted)
    }

    /// The kind of tool that such a block calls for.
    #[must_use]
    pub fn tool_kind(&self, block: BlockId) -> ToolKind {
        let facts = block.facts();
        facts
            .harvest
            .map(|h| h.kind)
            .or(facts.tool)
            // A pickaxe is the guess for what has no tool of its own.
            .unwrap_or(ToolKind::Pickaxe)
    }
}

/// Lava lakes stand at 10; nobody digs lower on purpose.
pub const LAVA_EDGE: i32 = 11;

/// The tier whose tools harvest one level less; None is the bare hand.
#[must_use]
pub fn lower(tier: Tier) -> Option<Tier> {
    match tier {
        Tier::Wood | Tier::Gold => None,
        Tier::Stone => Some(Tier::Wood),
        Tier::Iron => Some(Tier::Stone),
        Tier::Diamond => Some(Tier::Iron),
        Tier::Netherite => Some(Tier::Diamond),
    }
}

/// The tier whose tools harvest one level more.
#[must_use]
pub fn higher(tier: Option<Tier>) -> Option<Tier> {
    match tier {
        None => Some(Tier::Wood),
        Some(Tier::Wood | Tier::Gold) => Some(Tier::Stone),
        Some(Tier::Stone) => Some(Tier::Iron),
        Some(Tier::Iron) => Some(Tier::Diamond),
        Some(Tier::Diamond) => Some(Tier::Netherite),
        Some(Tier::Netherite) => None,
    }
}

fn prey(wanted: ItemSpec) -> Vec<(MobKind, u64)> {
    // Tenths again.
    let per_piece = |expected: f32| (10.0 / f64::from(expected)).ceil() as u64;
    let found = mobs_dropping(wanted).iter();
    let left = found.filter(|(_, drop)| drop.expected() > 0.0);
    left.map(|(mob, drop)| (*mob, per_piece(drop.expected())))
        .collect()
}

fn raw_inputs(output: ItemSpec) -> Vec<ItemSpec> {
    let inputs = smelt_inputs(output);
    let raw = inputs.iter().filter(|i| i.facts().durability.is_none());
    let mut wide: Vec<ItemSpec> = Vec::new();
    for item in raw {
        // Any log makes charcoal: say so, if the whole family does.
        let family =
            ItemSpec::family_of(*item).filter(|f| f.members().iter().all(|m| inputs.contains(m)));
        let spec = family.unwrap_or(ItemSpec::Item(*item));
        if !wide.contains(&spec) {
            wide.push(spec);
        }
    }
    wide
}
