//! A game by the true tables, for tests: carries plans out on an inventory and a height.
//!
//! Every block, tree and animal is at hand, ores from their true heights down; nothing wears out.

use pithead_core::domain::check::Check;
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::plan::{Executor, Plan, Subgoal};
use pithead_world::action::{ActionFailure, Target};
use pithead_world::block::{BlockId, CRAFTING_TABLE, FURNACE, can_harvest};
use pithead_world::counts::Counts;
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::mob::mobs_dropping;
use pithead_world::natural::lie;
use pithead_world::observation::Gui;
use pithead_world::ore::ores;
use pithead_world::recipe::{Recipe, recipes_for, used_first};
use pithead_world::smelting::{COOK_TICKS, burn_ticks, smelt_inputs};
use pithead_world::space::{Point, Pos};

const FUELS: [&str; 3] = ["#coals", "#planks", "#logs"];

#[derive(Debug, Clone)]
pub(super) struct Sim {
    pub(super) inventory: Counts,
    pub(super) y: i32,
}

/// A subgoal that failed, and how things stood before and after.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) subgoal: Subgoal,
    pub(super) report: ActionFailure,
    pub(super) before: Sim,
}

impl Sim {
    pub(super) fn new(inventory: &str) -> Self {
        Self {
            inventory: inventory.parse().unwrap(),
            y: 64,
        }
    }

    pub(super) fn state(&self) -> StateSummary {
        StateSummary {
            tick: 0,
            time: 0,
            position: Pos::new(0, self.y, 0),
            biome: "forest".to_owned(),
            underground: self.y < 60,
            health: 20.0,
            hunger: 20.0,
            inventory: self.inventory.clone(),
            held: None,
            gui: Gui::Closed,
            notable: Vec::new(),
            mobs: Vec::new(),
            builds: Vec::new(),
        }
    }

    pub(super) fn holds(&self, check: &Check) -> bool {
        let position = Point::new(0.5, f64::from(self.y), 0.5);
        let now = Situation {
            inventory: Some(&self.inventory),
            position: Some(position),
            ..Situation::default()
        };
        check.truth(&now).is_true()
    }

    /// Carries the plan out up to the first failure; the subgoals done come back as well.
    pub(super) fn run(&mut self, plan: &Plan) -> (Vec<Subgoal>, Option<Failed>) {
        let mut done = Vec::new();
        for subgoal in &plan.subgoals {
            let before = self.clone();
            let reported = self.carry_out(subgoal).err();
            let unmet = !subgoal.checks.iter().all(|check| self.holds(check));
            let unmet = unmet.then(|| ActionFailure::Invalid {
                because: "checks not met".to_owned(),
            });
            if let Some(report) = reported.or(unmet) {
                return (
                    done,
                    Some(Failed {
                        subgoal: subgoal.clone(),
                        report,
                        before,
                    }),
                );
            }
            done.push(subgoal.clone());
        }
        (done, None)
    }

    fn carry_out(&mut self, subgoal: &Subgoal) -> Result<(), ActionFailure> {
        let goal = &subgoal.goal;
        let object = goal.object;
        // What is there already is not got again.
        let missing = |item: ItemSpec| {
            let wanted = subgoal.checks.iter().find_map(|check| match check {
                Check::InvGe { item: of, count } if *of == item => Some(*count),
                _ => None,
            });
            wanted.map_or(goal.count, |wanted| {
                wanted.saturating_sub(self.inventory.count(item))
            })
        };
        let count = object.map_or(goal.count, missing);
        match (subgoal.executor_hint, object) {
            (Executor::Mine, Some(item)) => self.mine(item, count),
            (Executor::Attack, Some(item)) => {
                assert!(
                    !mobs_dropping(item).is_empty(),
                    "{item} is dropped by no mob"
                );
                self.gain(item, mobs_dropping(item)[0].1.item, count);
                Ok(())
            }
            (Executor::Craft, Some(item)) => self.craft(item, count),
            (Executor::Smelt, Some(item)) => self.smelt(item, count, goal.material),
            (Executor::DigDown | Executor::GoUp, _) => {
                self.y = i32::try_from(goal.amount.unwrap()).unwrap();
                Ok(())
            }
            other => panic!("no plan here needs {other:?}"),
        }
    }

    fn gain(&mut self, wanted: ItemSpec, item: ItemId, count: u32) {
        assert!(wanted.matches(item));
        self.inventory.add(item, count);
    }

    fn mine(&mut self, item: ItemSpec, count: u32) -> Result<(), ActionFailure> {
        let sources: Vec<_> = blocks_dropping(item)
            .iter()
            .filter(|s| lie(s.block).is_some())
            .collect();
        let top = |block: BlockId| {
            ores()
                .iter()
                .filter(|o| o.block == block)
                .map(|o| o.y_max)
                .min()
        };
        let there = sources
            .iter()
            .find(|s| top(s.block).is_none_or(|top| self.y <= top));
        let Some(source) = there else {
            return Err(ActionFailure::NoTarget {
                target: Target::Source(item),
                y: self.y,
            });
        };
        let tools = self
            .inventory
            .iter()
            .map(|(item, _)| item)
            .filter(|i| i.facts().tool.is_some());
        let best = tools.max_by_key(|i| {
            i.facts().tool.map(|t| {
                (
                    t.kind == pithead_world::item::ToolKind::Pickaxe,
                    t.tier.level(),
                )
            })
        });
        if !can_harvest(source.block, best) && !can_harvest(source.block, None) {
            return Err(ActionFailure::NoDrop {
                block: source.block,
                held: best,
                broken: 1,
            });
        }
        self.gain(item, source.drop.item, count);
        Ok(())
    }

    /// As the body does: what all pieces take together is asked for before the first is made; of a family, several
    /// kinds may be made one after the other.
    fn craft(&mut self, item: ItemSpec, count: u32) -> Result<(), ActionFailure> {
        let goal = self.inventory.count(item) + count;
        while self.inventory.count(item) < goal {
            let missing = goal - self.inventory.count(item);
            let (product, recipe) = self.recipe_for(item, missing)?;
            let table = CRAFTING_TABLE.item().unwrap();
            if recipe.needs_table && self.inventory.count(table) == 0 {
                return Err(ActionFailure::NoStation {
                    item,
                    station: CRAFTING_TABLE,
                });
            }
            let named = |(spec, _): &&(ItemSpec, u32)| matches!(spec, ItemSpec::Item(_));
            let families = recipe.ingredients.iter().filter(|part| !named(part));
            for (spec, each) in recipe.ingredients.iter().filter(named).chain(families) {
                assert!(take_as_the_body_does(&mut self.inventory, *spec, *each));
            }
            self.inventory.add(product, recipe.count);
            for (item, count) in &recipe.returns {
                self.inventory.add(*item, *count);
            }
        }
        Ok(())
    }

    fn recipe_for(
        &self,
        item: ItemSpec,
        count: u32,
    ) -> Result<(ItemId, &'static Recipe), ActionFailure> {
        let ways = || {
            let products = item.members().iter();
            products.flat_map(|product| recipes_for(*product).iter().map(|r| (*product, r)))
        };
        let lack = |recipe: &Recipe, crafts: u32| {
            recipe.ingredients.iter().find_map(|(spec, each)| {
                let (have, need) = (self.inventory.count(*spec), each * crafts);
                (have < need).then_some((*spec, have, need))
            })
        };
        let crafts = |recipe: &Recipe| count.div_ceil(recipe.count);
        let all = ways().find(|(_, r)| lack(r, crafts(r)).is_none());
        let is_family = matches!(item, ItemSpec::Family(_));
        let some = || ways().find(|(_, r)| is_family && lack(r, 1).is_none());
        if let Some(way) = all.or_else(some) {
            return Ok(way);
        }
        let plain = ways().filter(|(_, r)| !r.reversible).chain(ways());
        let short = plain.filter_map(|(_, r)| lack(r, crafts(r)));
        let (needs, have, need) = short
            .min_by_key(|(_, have, need)| need - have)
            .ok_or(ActionFailure::NoRecipe { item })?;
        Err(ActionFailure::MissingIngredient {
            item,
            needs,
            have,
            need,
        })
    }

    fn smelt(
        &mut self,
        item: ItemSpec,
        count: u32,
        fuel: Option<ItemSpec>,
    ) -> Result<(), ActionFailure> {
        if self.inventory.count(FURNACE.item().unwrap()) == 0 {
            return Err(ActionFailure::NoStation {
                item,
                station: FURNACE,
            });
        }
        let mut burning = 0;
        for _ in 0..count {
            let input = smelt_inputs(item)
                .into_iter()
                .find(|i| self.inventory.count(*i) > 0);
            let Some(input) = input else {
                let needs = smelt_inputs(item)[0].into();
                return Err(ActionFailure::MissingIngredient {
                    item,
                    needs,
                    have: 0,
                    need: 1,
                });
            };
            while burning < COOK_TICKS {
                // Told nothing, a body burns raw material and spares tools and stations.
                let raw = |i: &ItemId| {
                    FUELS
                        .iter()
                        .any(|f| f.parse::<ItemSpec>().unwrap().matches(*i))
                };
                let mine = |i: &ItemId| fuel.map_or_else(|| raw(i), |f| f.matches(*i));
                let next = self
                    .inventory
                    .iter()
                    .map(|(i, _)| i)
                    .find(|i| mine(i) && burn_ticks(*i).is_some())
                    .ok_or(ActionFailure::NoFuel)?;
                self.inventory.remove(next, 1);
                burning += burn_ticks(next).unwrap();
            }
            burning -= COOK_TICKS;
            self.inventory.remove(input, 1);
            self.gain(item, pithead_world::smelting::smelts_to(input).unwrap(), 1);
        }
        Ok(())
    }
}

/// Takes pieces of a family as the body does; false if there are too few.
pub(super) fn take_as_the_body_does(stock: &mut Counts, spec: ItemSpec, count: u32) -> bool {
    let mut left = count;
    while left > 0 {
        let kinds = spec.members().iter();
        let held = kinds.map(|item| (*item, stock.count(*item)));
        let Some((kind, held)) = used_first(held) else {
            return false;
        };
        let taken = left.min(held);
        assert!(stock.remove(kind, taken));
        left -= taken;
    }
    true
}
