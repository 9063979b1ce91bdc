//! Prices: what hunting and mining cost, and what it costs to go against a request.
//!
//! The unit is a block broken by hand, roughly; only comparisons between ways matter.

use super::beliefs::Beliefs;
use super::ways::Knowing;
use pithead_core::domain::plan::{Executor, Plan};
use pithead_world::family::ItemSpec;
use pithead_world::mob::MobKind;
use pithead_world::natural::{Lie, is_local};

/// Cost of going against a request: more than any detour worth making, less than hunting for what is
/// rarely left.
/// Compared with the costs below and in `other_ways`: all are in one unit.
pub(super) const UNWANTED: u64 = 30_000;
/// Cost of hunting for what fewer than one in ten leave: taken when there is no other way at all.
pub(super) const RARELY_LEFT: u64 = 10_000_000;
/// So many kills for a piece, times ten, are rare.
/// In tenths, as `kills_x10`: a hundred tenths are ten kills.
const RARE_KILLS_X10: u64 = 100;
/// Cost of looking for what is met once in many days or nights.
/// A search of that price is taken only if no animal at hand will do.
pub(super) const RARELY_MET: u64 = 20_000;
/// Cost of looking for what few kinds of land bear: it may be a day's walk off.
const FAR_LAND: u64 = 2_000;
/// A rare block is worth so many common ones.
pub(super) const RARITY: u64 = 15;
/// Cost of waiting for one piece to be smelted: as long as some stones take to break.
pub(super) const SMELTING: u64 = 130;
/// What is carried and burns may be of use for something else.
pub(super) const BURNING_OTHERS: u64 = 15;
/// Tools and stations have to be made anew.
pub(super) const BURNING_TOOLS: u64 = 300;

/// Hunts for what is rarely left: nobody plans that unless what was learnt has closed all other ways.
pub(super) fn hunts_the_rare(beliefs: &Beliefs, plan: &Plan) -> bool {
    let hunted = plan
        .subgoals
        .iter()
        .filter(|s| s.executor_hint == Executor::Attack);
    let mut objects = hunted.filter_map(|s| s.goal.object);
    objects.any(|object| {
        beliefs
            .hunted(object)
            .iter()
            .all(|(_, kills_x10)| is_rare(*kills_x10))
    })
}

/// Fewer than one in ten leave it; in kills for a piece, times ten.
fn is_rare(kills_x10: u64) -> bool {
    kills_x10 > RARE_KILLS_X10
}

impl Knowing<'_> {
    pub(super) fn against(&self, item: ItemSpec) -> u64 {
        if self.requests.unwanted(item) {
            UNWANTED
        } else {
            0
        }
    }

    pub(super) fn against_mob(&self, mob: MobKind) -> u64 {
        if self.requests.unwanted_mob(mob) {
            UNWANTED
        } else {
            0
        }
    }

    /// Kills for a piece, times ten.
    fn kills_x10(&self, item: ItemSpec, mob: MobKind) -> u64 {
        let hunted = self.beliefs.hunted(item);
        let found = hunted.iter().find(|(kind, _)| *kind == mob);
        // A mob that does not drop it costs as much as what is unwanted.
        found.map_or(UNWANTED, |(_, n)| *n)
    }

    /// Fewer than one in ten leave it.
    pub(super) fn is_rarely_left(&self, item: ItemSpec, mob: MobKind) -> bool {
        is_rare(self.kills_x10(item, mob))
    }

    pub(super) fn hunting(&self, item: ItemSpec, mob: MobKind) -> u64 {
        let per_piece = self.kills_x10(item, mob);
        // A fight costs more than a chase: it can be lost.
        let danger = if mob.facts().hostile { 40 } else { 15 };
        let rare = match mob {
            _ if self.is_rarely_left(item, mob) => RARELY_LEFT,
            _ if mob.facts().seldom => RARELY_MET,
            _ => 0,
        };
        per_piece * danger + rare
    }

    pub(super) fn mining(&self, item: ItemSpec, lie: Lie) -> u64 {
        let sources = self.beliefs.gatherings(item);
        let breaks = sources
            .iter()
            .map(|s| s.breaks_x10 * if s.common { 1 } else { RARITY });
        let breaks = breaks.min().unwrap_or(UNWANTED);
        let is_far = sources.iter().all(|s| is_local(s.block)) && !sources.is_empty();
        // Deep blocks have to be dug to.
        breaks * if lie == Lie::Deep { 4 } else { 2 } + if is_far { FAR_LAND } else { 0 }
    }
}
