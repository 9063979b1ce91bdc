//! Generated conditions and worlds for property tests.

use super::{Condition, Predicate};
use crate::domain::check::{Check, FurnaceMeter, Place};
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::plan::TaskKind;
use pithead_world::action::Target;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::{Tier, ToolKind};
use pithead_world::mob::MobKind;
use pithead_world::observation::Gui;
use pithead_world::space::{Point, Pos};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

pub(crate) fn items() -> impl Strategy<Value = ItemSpec> {
    select(vec![
        "oak_log",
        "#logs",
        "stick",
        "iron_pickaxe",
        "crafting_table",
        "#planks",
    ])
    .prop_map(|name| name.parse().unwrap())
}

fn places() -> impl Strategy<Value = Place> {
    prop_oneof![
        select(vec!["crafting_table", "furnace"])
            .prop_map(|name| Place::Thing(Target::Block(name.parse().unwrap()))),
        items().prop_map(|item| Place::Thing(Target::Source(item))),
        select(vec![MobKind::Cow, MobKind::Zombie]).prop_map(|mob| Place::Thing(Target::Mob(mob))),
        (-9..9, 0..90, -9..9).prop_map(|(x, y, z)| Place::At(Pos::new(x, y, z))),
    ]
}

pub(crate) fn checks() -> impl Strategy<Value = Check> {
    let gui = select(vec![Gui::Closed, Gui::Inventory, Gui::Furnace, Gui::Chest]);
    let meter = select(vec![
        FurnaceMeter::Burn,
        FurnaceMeter::Cook,
        FurnaceMeter::Output,
    ]);
    let count = || 0..4_u32;
    prop_oneof![
        (items(), count()).prop_map(|(item, count)| Check::InvGe { item, count }),
        (items(), count()).prop_map(|(item, count)| Check::InvLt { item, count }),
        (items(), count()).prop_map(|(item, count)| Check::InvDeltaGe { item, count }),
        (items(), count()).prop_map(|(item, count)| Check::CraftedGe { item, count }),
        items().prop_map(|item| Check::Equipped { item }),
        (places(), count()).prop_map(|(place, range)| Check::Near { place, range }),
        (-5..70).prop_map(|y| Check::YposLe { y }),
        (-5..70).prop_map(|y| Check::YposGe { y }),
        proptest::option::of(gui).prop_map(|gui| Check::GuiOpen { gui }),
        Just(Check::GuiClosed),
        (meter, count()).prop_map(|(meter, value)| Check::FurnaceGe { meter, value }),
        count().prop_map(|count| Check::ContainerGe { count }),
        select(vec!["shelter", "hut_2"]).prop_map(|name| Check::Built {
            blueprint: name.parse().unwrap()
        }),
        (
            proptest::option::of((0..24_000_u32, 0..24_000_u32)),
            proptest::option::of(0..400_u64)
        )
            .prop_map(|(window, elapsed)| Check::WorldTime { window, elapsed }),
    ]
}

fn predicates() -> impl Strategy<Value = Predicate> {
    let kinds = select(TaskKind::ALL.to_vec());
    let tiers = select(vec![Tier::Wood, Tier::Gold, Tier::Stone, Tier::Iron]);
    prop_oneof![
        5 => checks().prop_map(Predicate::Check),
        1 => proptest::collection::vec("[a-z]{1,3}|none|the end|a\"\\\\", 0..3).prop_map(Predicate::BiomeIn),
        1 => (0..20_u32).prop_map(Predicate::HealthLt),
        1 => (0..20_u32).prop_map(Predicate::HungerLt),
        1 => items().prop_map(Predicate::Holding),
        1 => Just(Predicate::OnGround),
        1 => Just(Predicate::Underground),
        1 => (0..9_u32).prop_map(|range| Predicate::MobNear { mob: MobKind::Cow, range }),
        1 => kinds.prop_map(Predicate::SubgoalKind),
        1 => items().prop_map(Predicate::Target),
        1 => tiers.prop_map(|tier| Predicate::ToolGe { kind: ToolKind::Pickaxe, tier }),
        1 => (select(FailureReason::ALL.to_vec()), 0..3_u32)
            .prop_map(|(reason, n)| Predicate::AttemptsGe { reason, n }),
    ]
}

pub(crate) fn conditions() -> impl Strategy<Value = Condition> {
    predicates()
        .prop_map(Condition::Is)
        .prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Condition::All),
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Condition::Any),
                inner.prop_map(Condition::not),
            ]
        })
}

/// What a situation borrows; every part may be missing.
#[derive(Debug)]
pub(crate) struct SampleWorld {
    inventory: Option<Counts>,
    crafted: Option<Counts>,
    baseline: Option<Baseline>,
    failures: Option<BTreeMap<FailureReason, u32>>,
    biome: Option<String>,
    y: Option<f64>,
    health: Option<f32>,
    gui: Option<Gui>,
    tick: Option<u64>,
    flag: Option<bool>,
}

pub(crate) fn worlds() -> impl Strategy<Value = SampleWorld> {
    use proptest::option::of;
    let counts = || {
        (0..4_u32, 0..4_u32, 0..2_u32).prop_map(|(logs, sticks, picks)| {
            let named = [
                ("oak_log", logs),
                ("stick", sticks),
                ("iron_pickaxe", picks),
            ];
            named
                .into_iter()
                .map(|(name, count)| (name.parse().unwrap(), count))
                .collect::<Counts>()
        })
    };
    let baseline =
        (0..100_u64, counts(), counts()).prop_map(|(tick, inventory, crafted)| Baseline {
            tick,
            inventory,
            crafted,
        });
    let failures = (0..3_u32).prop_map(|n| BTreeMap::from([(FailureReason::ToolMissing, n)]));
    let gui = select(vec![Gui::Closed, Gui::Furnace, Gui::Chest]);
    let body = (
        of(-5.0..70.0_f64),
        of(0.0..20.0_f32),
        of(gui),
        of(100..600_u64),
        of(any::<bool>()),
    );
    let mind = (of(counts()), of(baseline), of(failures), of("[a-z]{1,2}"));
    (mind, body).prop_map(
        |((inventory, baseline, failures, biome), (y, health, gui, tick, flag))| SampleWorld {
            crafted: crafted_since(inventory.as_ref(), baseline.as_ref()),
            inventory,
            baseline,
            failures,
            biome,
            y,
            health,
            gui,
            tick,
            flag,
        },
    )
}

/// What was crafted up to now: as many of each as are held, beyond what the baseline counted. The count of a
/// world only grows, so a sample must not fall below its baseline.
fn crafted_since(inventory: Option<&Counts>, baseline: Option<&Baseline>) -> Option<Counts> {
    let mut all = inventory?.clone();
    for (item, count) in baseline.iter().flat_map(|baseline| baseline.crafted.iter()) {
        all.add(item, count);
    }
    Some(all)
}

impl SampleWorld {
    /// The same world, with what is unknown here taken from another.
    pub(crate) fn filled_from(&self, other: &Self) -> Self {
        let inventory = self.inventory.clone().or(other.inventory.clone());
        let baseline = self.baseline.clone().or(other.baseline.clone());
        Self {
            crafted: crafted_since(inventory.as_ref(), baseline.as_ref()),
            inventory,
            baseline,
            failures: self.failures.clone().or(other.failures.clone()),
            biome: self.biome.clone().or(other.biome.clone()),
            y: self.y.or(other.y),
            health: self.health.or(other.health),
            gui: self.gui.or(other.gui),
            tick: self.tick.or(other.tick),
            flag: self.flag.or(other.flag),
        }
    }

    pub(crate) fn situation(&self) -> Situation<'_> {
        Situation {
            inventory: self.inventory.as_ref(),
            crafted: self.crafted.as_ref(),
            held: self
                .flag
                .map(|holds| holds.then(|| "iron_pickaxe".parse().unwrap())),
            position: self.y.map(|y| Point::new(0.5, y, 0.5)),
            health: self.health,
            hunger: self.health,
            on_ground: self.flag,
            underground: self.flag,
            biome: self.biome.as_deref(),
            gui: self.gui,
            furnace: self.flag.map(|_| None),
            container_items: self.tick.map(|_| 2),
            tick: self.tick,
            time: self.tick.map(|_| 5_000),
            baseline: self.baseline.as_ref(),
            failures: self.failures.as_ref(),
            ..Situation::default()
        }
    }
}
