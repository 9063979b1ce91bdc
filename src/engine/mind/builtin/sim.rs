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
use pithead_world::recipe::{Recipe, recipes_for_spec};
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
        let (object, count) = (goal.object, goal.count);
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
            .into_iter()
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

    fn craft(&mut self, item: ItemSpec, count: u32) -> Result<(), ActionFailure> {
        let recipes = recipes_for_spec(item);
        let known: Vec<&Recipe> = recipes.iter().filter(|r| !r.reversible).collect();
        let batches = |r: &Recipe| count.div_ceil(r.count);
        let fits = |r: &&&Recipe| {
            r.ingredients
                .iter()
                .all(|(i, n)| self.inventory.count(*i) >= *n * batches(r))
        };
        let recipe = known.iter().find(fits).or(known.first()).unwrap();
        if recipe.needs_table && self.inventory.count(CRAFTING_TABLE.item().unwrap()) == 0 {
            return Err(ActionFailure::NoStation {
                item,
                station: CRAFTING_TABLE,
            });
        }
        // As the body does: what all pieces take together is asked for before the first is made.
        for (needs, each) in &recipe.ingredients {
            let (have, need) = (self.inventory.count(*needs), each * batches(recipe));
            if have < need {
                return Err(ActionFailure::MissingIngredient {
                    item,
                    needs: *needs,
                    have,
                    need,
                });
            }
        }
        for (needs, each) in &recipe.ingredients {
            assert!(self.inventory.remove(*needs, each * batches(recipe)));
        }
        self.inventory
            .add(item.members()[0], recipe.count * batches(recipe));
        Ok(())
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
                    .find(mine)
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
