//! Ways: for each thing that may be needed, every way to get it that the planner knows.
//!
//! Which of them is taken is for `search`. Taking apart what is held is a way only to what is held.

use super::beliefs::{Beliefs, BelievedRecipe};
use super::learnt::Learnt;
use super::other_ways::OtherWay;
use super::price::RARITY;
use super::requests::Requests;
use pithead_core::domain::experience::option::TriedOptions;
use pithead_core::domain::plan::{Executor, TaskKind};
use pithead_world::block;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use pithead_world::mob::MobKind;
use pithead_world::natural::Lie;
use pithead_world::observation::BlockSight;
use pithead_world::ore::is_bound_to_land;
use pithead_world::space::Pos;
use std::cell::OnceCell;

/// All that the planner goes by while it thinks.
#[derive(Debug)]
pub(super) struct Knowing<'a> {
    pub(super) beliefs: &'a Beliefs,
    pub(super) learnt: Learnt,
    pub(super) requests: Requests,
    /// Only what the ask holds: the planner does not see the world.
    pub(super) stock: &'a Counts,
    /// Stations that stand near enough.
    pub(super) stations: &'a [ItemId],
    pub(super) options: &'a TriedOptions,
    pub(super) notable: &'a [BlockSight],
    pub(super) here: Pos,
    /// Villagers and chests are an option even for what might be had otherwise.
    pub(super) goes_far: bool,
    /// So many pieces of what lies scattered are wanted that they are bought.
    pub(super) buys_scattered: bool,
    /// So much prey is wanted that a weapon pays.
    pub(super) hunts_many: bool,
    /// The run goes on into a night.
    pub(super) meets_night: bool,
    /// Ticks until that night falls; none if it has.
    pub(super) daylight: u64,
    /// Ticks until the run is over; none if it has no bound.
    pub(super) ticks_left: Option<u64>,
    /// What might be burnt, once it was asked for.
    pub(super) fuels: OnceCell<Vec<ItemSpec>>,
}

/// One way to get something.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    Mine {
        tool: Option<ItemId>,
        lie: Lie,
        // Price and amounts come from the table of its kind.
        depth: Option<i32>,
        /// It is met on any walk.
        common: bool,
    },
    Attack {
        mob: MobKind,
    },
    Craft(BelievedRecipe),
    Smelt {
        input: ItemSpec,
        furnace: bool,
        fuel: Option<ItemSpec>,
    },
    /// What none of these gives: shears, buckets, fields and rods do.
    OtherWay(OtherWay),
    /// Any member will do: take this one.
    Pick(ItemId),
}

/// What a way asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) item: ItemSpec,
    pub(super) amount: Amount,
}

impl Part {
    /// What has to be there and stays.
    pub(super) fn held(item: ItemSpec, count: u32) -> Self {
        Self {
            item,
            amount: Amount::Held(count),
        }
    }

    /// What has to be there, and how much of it.
    pub(super) fn held_count(&self) -> Option<(ItemSpec, u32)> {
        match self.amount {
            Amount::Held(count) => Some((self.item, count)),
            _ => None,
        }
    }
}

/// How much of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    /// Used up by each crafting.
    /// In the sense of the recipe: one crafting may give several pieces.
    PerBatch(u32),
    /// Used up: `count` for every `pieces` made, begun ones in full.
    PerPieces { count: u32, pieces: u32 },
    /// Fuel: one piece burns so many ticks.
    Burning(u32),
    /// Has to be there and stays.
    Held(u32),
}

/// It lies in single blocks under few kinds of land, and nowhere else.
pub(super) fn is_scattered(beliefs: &Beliefs, item: ItemSpec) -> bool {
    let sources = beliefs.gatherings(item);
    !sources.is_empty() && sources.iter().all(|source| is_bound_to_land(source.block))
}

/// Ticks that cooking one piece takes.
pub(super) const COOKING: u32 = 200;

impl Knowing<'_> {
    pub(super) fn options_of(&self, item: ItemSpec) -> Vec<Way> {
        let crafted = self.beliefs.recipes(item).into_iter().map(|recipe| {
            // A table that was learnt to be needed is added to a recipe that is believed to
            // do without.
            let learnt = self
                .learnt
                .station(TaskKind::Craft, item, block::CRAFTING_TABLE);
            Way::Craft(BelievedRecipe {
                table: recipe.table || learnt,
                ..recipe
            })
        });
        let inputs = self.beliefs.smelted_from(item).iter();
        let smelted = inputs.flat_map(|input| self.smelt(item, *input));
        let mut ways: Vec<Way> = crafted.chain(smelted).collect();
        // Which tree comes first is the body's business; of what only one member lies about, that
        // member is picked below.
        let found = self.beliefs.gatherings(item);
        let several = found.iter().any(|other| other.item != found[0].item);
        let is_bought = self.buys_scattered && is_scattered(self.beliefs, item);
        if !is_bought && (several || (item.single().is_some() && !found.is_empty())) {
            ways.push(self.mine(item));
        }
        let hunted = self.beliefs.hunted(item).iter();
        ways.extend(hunted.map(|(mob, _)| Way::Attack { mob: *mob }));
        // What others have made or put away lies far off, behind at least one night in the open: it is
        // for what cannot be had otherwise, whatever the requests say of the other ways.
        let is_far = |other: &&OtherWay| matches!(other.executor, Executor::Trade | Executor::Take);
        let others = self.beliefs.other_ways(item).iter();
        let near = others.clone().filter(|other| !is_far(other));
        ways.extend(near.map(|other| Way::OtherWay(self.unless_seen(other))));
        let is_rare =
            |way: &Way| matches!(way, Way::Attack { mob } if self.is_rarely_left(item, *mob));
        if self.goes_far || ways.iter().all(is_rare) {
            ways.extend(others.filter(is_far).cloned().map(Way::OtherWay));
        } else if is_bought {
            let offers = others.filter(|other| other.executor == Executor::Trade);
            ways.extend(offers.cloned().map(Way::OtherWay));
        }
        ways.extend(self.undoings(item));
        if let ItemSpec::Family(family) = item {
            let mut members = family.members().to_vec();
            // Most held first: of equal ways the one that needs least work.
            members.sort_by_key(|member| std::cmp::Reverse(self.stock.count(*member)));
            ways.extend(members.into_iter().map(Way::Pick));
        }
        ways
    }

    /// What is in sight need not be gone down for.
    fn unless_seen(&self, other: &OtherWay) -> OtherWay {
        let mut seen = self.notable.iter().map(|sight| sight.block.name());
        let is_seen = other.on.is_some_and(|on| seen.any(|block| block == on));
        OtherWay {
            depth: other.depth.filter(|_| !is_seen),
            ..other.clone()
        }
    }

    /// Taking apart what is held: no way to get the first of anything.
    fn undoings(&self, item: ItemSpec) -> Vec<Way> {
        let gear_for = |wanted: ItemSpec| {
            let held = self.stock.iter().map(|(held, _)| held);
            held.filter(move |held| self.beliefs.melts_to(*held, wanted))
        };
        let is_at_hand = |(part, _): &(ItemSpec, u32)| {
            self.stock.count(*part) > 0 || gear_for(*part).next().is_some()
        };
        let unpacked = self.beliefs.unpackings(item).into_iter();
        let unpacked = unpacked.filter(|recipe| recipe.ingredients.iter().any(is_at_hand));
        let melted = gear_for(item).flat_map(|gear| self.smelt(item, gear.into()));
        unpacked.map(Way::Craft).chain(melted).collect()
    }

    fn mine(&self, item: ItemSpec) -> Way {
        let sources = self.beliefs.gatherings(item);
        let easiest = sources.iter().min_by_key(|s| {
            (
                // Fewest breaks, then the lowest tool.
                s.breaks_x10 * if s.common { 1 } else { RARITY },
                s.tool.map(|(_, tier)| tier.level()),
            )
        });
        let Some(source) = easiest else {
            return Way::Mine {
                tool: None,
                lie: Lie::Rock,
                depth: None,
                common: true,
            };
        };
        let learnt = self.learnt.tool(TaskKind::Mine, item);
        let seen = |sight: &BlockSight| sources.iter().any(|s| s.block == sight.block);
        // Seen already: it need not be gone down for.
        let believed = source.depth.filter(|_| !self.notable.iter().any(seen));
        let depth = match (believed, self.learnt.below(TaskKind::Mine, item)) {
            // The deeper of belief and lesson.
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let depth = depth.map(|y| self.depth_by_evidence(item, y));
        let tool =
            better(source.tool, learnt).and_then(|(kind, tier)| self.tool_at_hand(kind, tier));
        Way::Mine {
            tool,
            lie: source.lie,
            depth,
            common: source.common,
        }
    }

    /// The tool to use: a carried one that is good enough, or the plain one to make.
    pub(super) fn tool_at_hand(&self, kind: ToolKind, tier: Tier) -> Option<ItemId> {
        let will_do = |item: &ItemId| item.facts().tool.is_some_and(|t| t.will_do(kind, tier));
        let carried = self.stock.iter().map(|(item, _)| item).find(will_do);
        // The first that will do; the order of the inventory is fixed.
        carried.or_else(|| ItemId::of_tool(kind, tier))
    }

    /// Smelting it of this, over each of the fuels that there may be.
    fn smelt(&self, output: ItemSpec, input: ItemSpec) -> Vec<Way> {
        let furnace = self.beliefs.needs_furnace(output)
            || self.learnt.station(TaskKind::Smelt, output, block::FURNACE);
        let floors = self.learnt.floors(TaskKind::Smelt, output);
        // What was burnt when it was seen says that something has to burn: whatever is at hand will do.
        let learnt = floors
            .iter()
            .any(|f| f.item != input && self.beliefs.burns(f.item).is_some());
        let fuels = if self.beliefs.needs_fuel(output) || learnt {
            self.fuels().iter().copied().map(Some).collect()
        } else {
            vec![None]
        };
        let over = |fuel| Way::Smelt {
            input,
            furnace,
            fuel,
        };
        fuels.into_iter().map(over).collect()
    }
}

fn better(a: Option<(ToolKind, Tier)>, b: Option<(ToolKind, Tier)>) -> Option<(ToolKind, Tier)> {
    // The higher tier of the two; of equals the believed one.
    match (a, b) {
        (Some(a), Some(b)) if b.1.level() > a.1.level() => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}

impl Way {
    /// It makes the thing of other things, or takes one of a kind.
    #[must_use]
    pub(super) fn is_making(&self) -> bool {
        matches!(self, Self::Craft(_) | Self::Smelt { .. } | Self::Pick(_))
    }

    /// It is done to what stands or walks about on the ground.
    #[must_use]
    pub(super) fn is_above_ground(&self) -> bool {
        match self {
            Self::Mine { lie, .. } => *lie == Lie::Surface,
            Self::Attack { .. } => true,
            Self::OtherWay(other) => other.depth.is_none() && !other.is_on_the_spot(),
            Self::Craft(_) | Self::Smelt { .. } | Self::Pick(_) => false,
        }
    }

    /// How deep one goes for it; none if that is on the ground, or it is made of what is held.
    #[must_use]
    pub(super) fn depth(&self) -> Option<i32> {
        match self {
            Self::Mine { depth, .. } => *depth,
            Self::OtherWay(other) => other.depth,
            Self::Attack { .. } | Self::Craft(_) | Self::Smelt { .. } | Self::Pick(_) => None,
        }
    }

    /// The kind of the subgoal that takes this way.
    #[must_use]
    pub(super) fn kind(&self) -> TaskKind {
        match self {
            Self::Mine { .. } | Self::Pick(_) => TaskKind::Mine,
            Self::Attack { .. } => TaskKind::Combat,
            Self::Craft(_) => TaskKind::Craft,
            Self::Smelt { .. } => TaskKind::Smelt,
            Self::OtherWay(_) => TaskKind::Use,
        }
    }
}
