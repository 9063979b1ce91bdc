//! Supplies: what is taken along: tools that last to the end, arms for a fight, a bed for a journey.
//!
//! It knows what tools wear, not where anything lies. Invariant: below ground nothing is asked for
//! that the wood at hand does not give.

use super::learnt::Floor;
use super::ways::{Knowing, Part, Way};
use pithead_core::domain::knowledge::pattern::within;
use pithead_core::domain::plan::Executor;
use pithead_world::block::OBSIDIAN;
use pithead_world::clock::ticks_to_night;
use pithead_world::family::ItemSpec;
use pithead_world::item::{ItemId, Tier, ToolKind};
use pithead_world::mob::MobKind;
use pithead_world::natural::{is_local, is_of_people};
use pithead_world::ore::is_bound_to_land;

/// Plain tools and sticks to go down with where a dear tool is needed at the end, at most.
const PLAIN_TOOLS: u32 = 3;
const SPARE_STICKS: u32 = 12;
const STICKS_PER_TOOL: u32 = 2;
/// What a shield is made of, the iron of a tool, at most, and planks that melt it.
const PLANKS_OF_SHIELD: u32 = 6;
const PLANKS_TO_BURN: u32 = 3;
const IRON_OF_SHIELD: u64 = 1;
const IRON_OF_TOOL: u64 = 3;
/// Ticks in which a body breaks no more than one block with its pickaxe, over a whole run: of 521 runs of up to 12,000
/// ticks none wore out three of stone.
const TICKS_PER_USE: u64 = 35;
/// Meat that is not far where grass grows, and how much of it is taken along.
const MEATS: [&str; 4] = ["beef", "porkchop", "mutton", "chicken"];
const RATIONS: u32 = 3;
/// What is worn against monsters and the iron it takes, that which keeps off most for it first.
const ARMOUR: [(&str, u64); 5] = [
    ("shield", 1),
    ("iron_chestplate", 8),
    ("iron_leggings", 7),
    ("iron_helmet", 5),
    ("iron_boots", 4),
];
/// Ticks until the first iron is found, and for each piece of it: most bodies carry 24 by tick 10,000.
const OUTFIT_TICKS: u64 = 2_500;
const TICKS_PER_IRON: u64 = 600;
/// From this height on, trees are not far.
const WOOD_Y: i32 = 50;

/// A staircase down breaks so many blocks for each level, and a search some more.
pub(super) const BLOCKS_PER_LEVEL: u32 = 3;
const SEARCH_BLOCKS: u32 = 30;

impl Knowing<'_> {
    /// What to take along for a long search in the rock: plain tools that spare the dear one, wood
    /// for more, a sword and a shield. Who is down already makes do with the wood at hand.
    pub(super) fn spare_tools(&self, tool: ItemId) -> Vec<Part> {
        let plain = tool
            .facts()
            .tool
            .filter(|t| t.tier > Tier::Stone)
            .and_then(|t| ItemId::of_tool(t.kind, Tier::Stone));
        let (Some(plain), Some(stick)) = (plain, ItemId::named("stick")) else {
            return Vec::new();
        };
        let piece = |item: ItemId, count: u32| {
            let part = Part::held(item.into(), count);
            (count > 0).then_some(part)
        };
        let shield = self.shield(tool);
        let wear = self.worn_out_in_time(plain);
        let tools = wear.clamp(1, PLAIN_TOOLS);
        if self.here.y >= WOOD_Y {
            let sword = ItemId::named("stone_sword").and_then(|sword| piece(sword, 1));
            let spare = wear.saturating_sub(tools);
            let sticks = spare.saturating_mul(STICKS_PER_TOOL).min(SPARE_STICKS);
            let supplies = [piece(plain, tools), piece(stick, sticks), sword];
            return supplies.into_iter().flatten().chain(shield).collect();
        }
        let left = self.planks_at_hand() - shield.as_ref().map_or(0, |_| PLANKS_OF_SHIELD);
        let sticks = self.stock.count(stick) + 2 * left;
        let plain_max = self.stock.count(plain) + sticks / STICKS_PER_TOOL;
        let plain = piece(plain, plain_max.min(tools));
        plain.into_iter().chain(shield).collect()
    }

    /// A shield, for who has more than the day: it costs some 400 ticks. Near the land it is made of iron that is got for
    /// the tool anyway or is carried, below ground of what is carried only.
    fn shield(&self, tool: ItemId) -> Option<Part> {
        let shield = ItemId::named("shield").filter(|_| self.meets_night)?;
        let iron_of_tool = match self.stock.count(tool) {
            0 => IRON_OF_TOOL,
            _ => 0,
        };
        let has_means = if self.here.y >= WOOD_Y {
            iron_of_tool + self.iron_at_hand() > 0
        } else {
            self.planks_at_hand() >= PLANKS_OF_SHIELD + PLANKS_TO_BURN
                && self.iron_at_hand() >= iron_of_tool + IRON_OF_SHIELD
        };
        (has_means && self.is_known(shield)).then(|| Part::held(shield.into(), 1))
    }

    /// Planks that are carried, or that the logs give.
    fn planks_at_hand(&self) -> u32 {
        let wood = |name: &str| {
            let item = name.parse::<ItemSpec>();
            item.map_or(0, |item| self.stock.count(item))
        };
        wood("#planks") + 4 * wood("#logs")
    }

    /// Pieces of iron that are carried, as ingots or ore.
    fn iron_at_hand(&self) -> u64 {
        let kinds = ["iron_ingot", "iron_ore"].into_iter();
        let kinds = kinds.filter_map(ItemId::named);
        kinds.map(|item| u64::from(self.stock.count(item))).sum()
    }

    /// It is believed how that is made.
    fn is_known(&self, item: ItemId) -> bool {
        !self.beliefs.recipes(item.into()).is_empty()
    }

    /// How many such tools the rest of the run wears out.
    fn worn_out_in_time(&self, tool: ItemId) -> u32 {
        let lasts = u64::from(tool.facts().durability.unwrap_or(u32::MAX)).max(1);
        let uses = self.ticks_left.map(|ticks| ticks / TICKS_PER_USE);
        let tools = uses.map(|uses| uses.div_ceil(lasts));
        tools.map_or(u32::MAX, |tools| u32::try_from(tools).unwrap_or(u32::MAX))
    }

    /// What is left of advice to have so many tools, when better plain ones are carried that last as long. Dear ones do
    /// not count: to spare them may be what the advice is for.
    pub(super) fn beside_better_tools(&self, floor: Floor) -> Option<Floor> {
        let Some(item) = floor.item.single() else {
            return Some(floor);
        };
        let (Some(tool), Some(lasts)) = (item.facts().tool, item.facts().durability) else {
            return Some(floor);
        };
        let is_better = |other: &ItemId| {
            let other_tool = other.facts().tool.filter(|t| t.tier <= Tier::Stone);
            *other != item && other_tool.is_some_and(|t| t.will_do(tool.kind, tool.tier))
        };
        let carried = self.stock.iter().filter(|(other, _)| is_better(other));
        let uses = carried.map(|(other, n)| n * other.facts().durability.unwrap_or_default());
        let left = (floor.count * lasts).saturating_sub(uses.sum());
        (left > 0).then(|| Floor {
            count: left.div_ceil(lasts),
            ..floor
        })
    }

    /// What a long search in the rock wears out that needs no dear tool.
    pub(super) fn plain_pickaxes(&self) -> Option<Part> {
        let plain = self.tool_at_hand(ToolKind::Pickaxe, Tier::Stone)?;
        Some(Part::held(plain.into(), PLAIN_TOOLS))
    }

    /// What one takes to a fight with something that fights back, and to a hunt for many animals.
    pub(super) fn arms(&self, mob: MobKind) -> Vec<Part> {
        let tier = match (mob.facts().hostile, self.hunts_many) {
            (true, _) => Tier::Stone,
            (false, true) => Tier::Wood,
            (false, false) => return Vec::new(),
        };
        let sword = self.tool_at_hand(ToolKind::Sword, tier);
        let armour = mob.facts().hostile.then(|| self.armour());
        let pieces = sword.into_iter().chain(armour.into_iter().flatten());
        pieces.map(|piece| Part::held(piece.into(), 1)).collect()
    }

    /// As much armour as can be made before dusk: monsters are not met in the open until then.
    fn armour(&self) -> Vec<ItemId> {
        let mut ticks = self.daylight.saturating_sub(OUTFIT_TICKS);
        let mut carried = self.iron_at_hand();
        let pieces = ARMOUR.iter().filter_map(|(name, iron)| {
            let piece = ItemId::named(name)?;
            if self.stock.count(piece) > 0 {
                return Some(piece);
            }
            let at_hand = carried.min(*iron);
            ticks = ticks.checked_sub((iron - at_hand) * TICKS_PER_IRON)?;
            carried -= at_hand;
            self.is_known(piece).then_some(piece)
        });
        pieces.collect()
    }

    /// What one takes along against hunger and night: down into the rock, to what fights back, and a bed to a long hunt.
    /// No food and no bed comes from there but wool, so that neither is ever needed for itself.
    pub(super) fn provisions(&self, item: ItemSpec, way: &Way) -> Vec<Part> {
        match way {
            Way::Mine { depth: Some(_), .. } => self.provisions_by_evidence(item, Executor::Mine),
            Way::Attack { mob } if mob.facts().hostile => {
                self.provisions_by_evidence(item, Executor::Attack)
            }
            // A night in a hole costs more of a long hunt than a bed does.
            Way::Attack { .. } if self.hunts_many && !is_for_a_bed(item) => {
                self.bed().into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What one eats on the way: what is carried already, or the animal that is got most cheaply; nothing that is the
    /// errand itself.
    pub(super) fn food(&self, errand: ItemSpec) -> Option<Part> {
        let eaten = |item: &ItemId| item.facts().food.is_some() && !errand.matches(*item);
        let carried = self.stock.iter().map(|(item, _)| item).find(eaten);
        let meats = MEATS.iter().filter_map(|name| ItemId::named(name));
        let price = |item: &ItemId| {
            let wanted = ItemSpec::from(*item);
            let mobs = self.beliefs.hunted(wanted).iter();
            let set = mobs.map(|(mob, _)| self.hunting(wanted, *mob)).min();
            set.map(|set| self.price_by_evidence(wanted, Executor::Attack, set))
        };
        let hunted = || {
            meats
                .filter(eaten)
                .filter(|m| price(m).is_some())
                .min_by_key(price)
        };
        let food = carried.or_else(hunted)?;
        let count = self.stock.count(food).clamp(1, RATIONS);
        Some(Part::held(
            food.into(),
            if carried.is_some() { count } else { RATIONS },
        ))
    }

    /// What one takes along to where the thing is gathered.
    pub(super) fn mining_kit(
        &self,
        item: ItemSpec,
        tool: Option<ItemId>,
        depth: Option<i32>,
    ) -> Vec<Part> {
        let main = tool.map(|tool| Part::held(tool.into(), self.worn_out_by(tool, depth)));
        let supplies = tool.zip(depth).map(|(tool, _)| self.spare_tools(tool));
        let is_far_off = self.is_far_off(item);
        let bed = is_far_off.then(|| self.bed()).flatten();
        // Who gets into a gorge without a pickaxe digs a day to get out of it.
        let pickaxe = || self.tool_at_hand(ToolKind::Pickaxe, Tier::Wood);
        let pickaxe = (is_far_off && tool.is_none()).then(pickaxe).flatten();
        let pickaxe = pickaxe.map(|tool| Part::held(tool.into(), 1));
        let sword = (is_far_off && self.meets_night)
            .then(|| self.sword())
            .flatten();
        let water = self.is_cast(item).then(water).flatten();
        main.into_iter()
            .chain(supplies.into_iter().flatten())
            .chain(bed)
            .chain(pickaxe)
            .chain(sword)
            .chain(water)
            .collect()
    }

    /// What one takes on a journey of more than a day, so as to sleep through the night; nothing if the run is over by
    /// then.
    pub(super) fn bed(&self) -> Option<Part> {
        if !self.meets_night {
            return None;
        }
        Some(Part::held("#beds".parse().ok()?, 1))
    }

    /// The sword that is had most cheaply, for who must not meet monsters with bare hands.
    pub(super) fn sword(&self) -> Option<Part> {
        let sword = self.tool_at_hand(ToolKind::Sword, Tier::Wood)?;
        Some(Part::held(sword.into(), 1))
    }

    /// It is only found where people live or in few kinds of land, which may be more than a day's walk off.
    fn is_far_off(&self, item: ItemSpec) -> bool {
        let sources = self.beliefs.gatherings(item);
        let is_far = |block| is_of_people(block) || is_local(block) || is_bound_to_land(block);
        !sources.is_empty() && sources.iter().all(|source| is_far(source.block))
    }

    /// It is made of lava more often than found.
    fn is_cast(&self, item: ItemSpec) -> bool {
        let sources = self.beliefs.gatherings(item);
        sources.iter().any(|source| source.block == OBSIDIAN)
    }

    /// How many such tools the way down and the search there take.
    fn worn_out_by(&self, tool: ItemId, depth: Option<i32>) -> u32 {
        let cheap = tool
            .facts()
            .tool
            .is_some_and(|t| t.tier.level() <= Tier::Stone.level());
        let Some(depth) = depth.filter(|_| cheap) else {
            return 1;
        };
        let levels = u32::try_from(self.here.y - depth).unwrap_or(0);
        let uses = levels * BLOCKS_PER_LEVEL + SEARCH_BLOCKS;
        if uses * 2 > tool.facts().durability.unwrap_or(u32::MAX) {
            2
        } else {
            1
        }
    }
}

/// Wool is what beds are made of; a hunt for it takes none along.
fn is_for_a_bed(item: ItemSpec) -> bool {
    "#wool".parse().is_ok_and(|wool| within(item, wool))
}

/// What turns lava into obsidian.
fn water() -> Option<Part> {
    Some(Part::held(ItemId::named("water_bucket")?.into(), 1))
}

/// A night falls, or has fallen, before so many ticks are over; without a bound one does.
pub(super) fn meets_night(time: u32, ticks_left: Option<u64>) -> bool {
    ticks_left.is_none_or(|left| left > ticks_to_night(time))
}

/// Ticks until the night that the run lasts into; 0 if it has fallen, or none will.
pub(super) fn daylight(time: u32, ticks_left: Option<u64>) -> u64 {
    if meets_night(time, ticks_left) {
        ticks_to_night(time)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::planner;
    use super::super::sim::Sim;
    use super::super::tests::{expert, plan_ask, words};
    use super::*;
    use pithead_core::domain::plan::Subgoal;
    use pithead_world::space::Pos;

    #[test]
    fn a_bed_a_pickaxe_and_a_sword_are_taken_to_what_few_lands_bear() {
        let plan = |task: &str| {
            let mut ask = plan_ask(task, &Sim::new(""));
            ask.ticks_left = Some(36_000);
            words(&planner::plan(&expert(), &ask).unwrap())
        };
        let before = |plan: &str, first: &str, then: &str| {
            plan.find(first)
                .is_some_and(|at| plan.find(then).is_some_and(|then| at < then))
        };
        for far in ["cactus", "carrot"] {
            let plan = plan(&format!("get 1 {far}"));
            for taken in ["wooden_pickaxe", "wooden_sword", "bed"] {
                assert!(before(&plan, taken, &format!("mine 1 {far}")), "{plan}");
            }
        }
        let near = plan("get 1 poppy");
        let kit = ["pickaxe", "sword", "bed"];
        assert!(!kit.iter().any(|taken| near.contains(taken)), "{near}");
    }

    #[test]
    fn many_emeralds_are_bought_and_a_few_are_dug() {
        let plan = |task: &str| {
            let ask = plan_ask(task, &Sim::new(""));
            words(&planner::plan(&expert(), &ask).unwrap())
        };
        let many = plan("get 9 emerald");
        assert!(many.contains("trade 9 emerald"), "{many}");
        assert!(!many.contains("mine 9 emerald"), "{many}");
        let few = plan("get 3 emerald");
        assert!(few.contains("mine 3 emerald"), "{few}");
        assert!(!few.contains("trade"), "{few}");
    }

    /// The plan for a string at this time, with these things held.
    fn plan_for_string(time: u32, held: &str) -> String {
        let mut ask = plan_ask("get 1 string", &Sim::new(held));
        (ask.state.time, ask.ticks_left) = (time, Some(36_000));
        words(&planner::plan(&expert(), &ask).unwrap())
    }

    #[test]
    fn who_hunts_monsters_makes_what_armour_the_day_allows() {
        let morning = plan_for_string(0, "");
        assert!(morning.contains("shield") && morning.contains("iron_leggings"));
        assert!(!morning.contains("iron_boots"), "{morning}");
        let afternoon = plan_for_string(9_000, "");
        assert!(afternoon.contains("shield") && !afternoon.contains("iron_leggings"));
        let smith = plan_for_string(9_000, "iron_ingot=16");
        assert!(smith.contains("iron_chestplate"), "{smith}");
        let night = plan_for_string(14_000, "");
        assert!(!night.contains("shield"), "{night}");
    }

    #[test]
    fn who_digs_for_more_than_a_day_takes_a_shield_along() {
        let plan = |ticks: u64| {
            let mut ask = plan_ask("get 1 diamond", &Sim::new(""));
            ask.ticks_left = Some(ticks);
            words(&planner::plan(&expert(), &ask).unwrap())
        };
        let (day, long) = (plan(12_000), plan(36_000));
        assert!(!day.contains("shield"), "{day}");
        let shield = long.find("craft 1 shield");
        assert!(shield.is_some() && shield < long.find("diamond"), "{long}");
        assert!(
            long.contains("mine 4 iron_ore"),
            "one vein for both: {long}"
        );
    }

    #[test]
    fn who_is_down_makes_a_shield_of_what_is_carried_only() {
        let plan = |held: &str| {
            let mut ask = plan_ask("get 1 diamond", &Sim::new(held));
            (ask.state.position, ask.ticks_left) = (Pos::new(0, 14, 0), Some(36_000));
            words(&planner::plan(&expert(), &ask).unwrap())
        };
        let kit = "stone_pickaxe=3,stick=14,furnace=3,crafting_table=1,cobblestone=20";
        let enough = plan(&format!("{kit},iron_ore=4,oak_planks=9"));
        assert!(enough.contains("craft 1 shield"), "{enough}");
        assert!(!enough.contains("#logs"), "{enough}");
        for short in ["iron_ore=3,oak_planks=9", "iron_ore=4,oak_planks=8"] {
            let plan = plan(&format!("{kit},{short}"));
            assert!(!plan.contains("shield"), "{plan}");
        }
    }

    #[test]
    fn sticks_for_more_tools_are_taken_as_far_as_the_time_wears_them_out() {
        let sticks = |ticks: Option<u64>| {
            let mut ask = plan_ask("get 1 gold_ore", &Sim::new(""));
            ask.ticks_left = ticks;
            let plan = planner::plan(&expert(), &ask).unwrap();
            let is_stick = |s: &&Subgoal| s.condition.ends_with("stick");
            let made = plan.subgoals.iter().filter(is_stick);
            made.map(|step| step.goal.count).sum::<u32>()
        };
        let [short, long, endless] = [Some(12_000), Some(36_000), None].map(sticks);
        assert!(short < long && long < endless, "{short} {long} {endless}");
        assert!(endless >= short + SPARE_STICKS, "{short} {endless}");
    }

    #[test]
    fn a_night_counts_only_if_the_run_lasts_until_it_falls() {
        assert!(!meets_night(0, Some(12_000)));
        assert!(meets_night(1_500, Some(12_000)));
        assert!(meets_night(13_000, Some(1)), "it is night already");
        assert!(!meets_night(23_500, Some(13_000)));
        assert!(meets_night(0, None));
        let left = |time, ticks| daylight(time, Some(ticks));
        assert_eq!((left(0, 36_000), left(9_000, 36_000)), (13_000, 4_000));
        assert_eq!((left(0, 12_000), left(13_000, 36_000)), (0, 0));
    }
}
