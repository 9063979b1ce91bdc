//! A plan checked against the true game tables, for `pithead plan`; the loop itself never asks here.
//!
//! Plays the plan with what crafting and smelting use up. A lack is noted once, where it shows,
//! and the play continues as if it had been there.

use super::note;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::{Executor, Plan, Subgoal};
use pithead_world::block::{self, BlockId, can_harvest};
use pithead_world::counts::Counts;
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;
use pithead_world::farming::crops_giving;
use pithead_world::item::ItemId;
use pithead_world::natural::lie;
use pithead_world::reach::{self, Nature};
use pithead_world::recipe::{Recipe, recipes_for_spec};
use pithead_world::smelting::{COOK_TICKS, burn_ticks, smelt_inputs};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Whether the item can be obtained in this world at all.
#[must_use]
pub fn obtainable(spec: ItemSpec) -> bool {
    spec.members().iter().any(|item| OBTAINABLE.contains(item))
}

/// Computed once: the closure goes over all recipes many times.
static OBTAINABLE: LazyLock<BTreeSet<ItemId>> =
    LazyLock::new(|| reach::obtainable(&Nature::overworld()));

/// What the true tables say against the plan.
#[must_use]
pub fn verify_facts(plan: &Plan, state: &StateSummary) -> Vec<Note> {
    let mut play = Truths {
        inventory: state.inventory.clone(),
        notes: Vec::new(),
    };
    for subgoal in &plan.subgoals {
        play.carry_out(subgoal);
    }
    play.notes
}

struct Truths {
    inventory: Counts,
    notes: Vec<Note>,
}

impl Truths {
    fn carry_out(&mut self, subgoal: &Subgoal) {
        let Some(item) = subgoal.goal.object else {
            return;
        };
        // Noted, and the play goes on as if it could.
        if !obtainable(item) {
            let text = format!("{item} cannot be had in this world");
            self.note(subgoal, About::Unobtainable { item }, text);
        }
        match subgoal.executor_hint {
            Executor::Mine => self.mine(subgoal, item),
            Executor::Craft => self.craft(subgoal, item),
            Executor::Smelt => self.smelt(subgoal, item),
            Executor::Use => self.use_on(subgoal, item),
            Executor::Fish => self.fish(subgoal, item),
            Executor::Grow => self.grow(subgoal, item),
            Executor::Attack | Executor::Trade | Executor::Take => {
                self.gain(item, subgoal.goal.count);
            }
            Executor::Equip
            | Executor::Place
            | Executor::Breed
            | Executor::Enchant
            | Executor::Repair
            | Executor::Dye
            | Executor::Put
            | Executor::Sleep
            | Executor::Build
            | Executor::Eat
            | Executor::Explore
            | Executor::Approach
            | Executor::DigDown
            | Executor::GoUp
            | Executor::Wait => {}
        }
    }

    fn note(&mut self, subgoal: &Subgoal, about: About, text: String) {
        // A lack shows at every use; one note is enough.
        let said = self
            .notes
            .iter()
            .any(|n| n.subgoal == Some(subgoal.id) && n.about == about);
        if !said {
            self.notes
                .push(note(Severity::Error, Some(subgoal), about, text));
        }
    }

    fn gain(&mut self, item: ItemSpec, count: u32) {
        // The member that is held, so that later steps find one pile.
        let members = item.members();
        let held = members
            .iter()
            .find(|member| self.inventory.count(**member) > 0);
        if let Some(member) = held.or(members.first()) {
            self.inventory.add(*member, count);
        }
    }

    /// Uses it up, or notes that it is short and leaves none.
    fn spend(&mut self, subgoal: &Subgoal, item: ItemSpec, need: u32) {
        let have = self.inventory.count(item);
        if have < need {
            let text = format!(
                "\"{}\" takes {need} {item}; {have} will be held",
                subgoal.condition
            );
            // None at all is a missing step; some is a wrong number.
            let about = if have == 0 {
                About::MissingPrerequisite { item, have, need }
            } else {
                About::WrongQuantity { item, have, need }
            };
            self.note(subgoal, about, text);
        }
        self.inventory.remove(item, need.min(have));
    }

    fn station(&mut self, subgoal: &Subgoal, block: BlockId) {
        let Some(item) = block.item() else { return };
        self.require(subgoal, item.into());
    }

    fn mine(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        let sources: Vec<_> = blocks_dropping(item)
            .iter()
            .filter(|s| lie(s.block).is_some())
            .collect();
        let hands = self
            .inventory
            .iter()
            .map(|(item, _)| Some(item))
            // The bare hand too.
            .chain([None]);
        let hands: Vec<Option<ItemId>> = hands.collect();
        let any_tool = hands
            .into_iter()
            .any(|held| sources.iter().any(|s| can_harvest(s.block, held)));
        if let Some(source) = sources.first().filter(|_| !any_tool)
            && let Some(harvest) = source.harvest
            && let Some(tool) = ItemId::of_tool(harvest.kind, harvest.tier)
        {
            let text = format!("\"{}\" takes a {tool}", subgoal.condition);
            self.note(subgoal, About::WrongToolTier { tool: tool.into() }, text);
        }
        self.gain(item, subgoal.goal.count);
    }

    /// Filling a vessel uses it up; a tool only has to be in the inventory.
    fn use_on(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        if let Some(tool) = subgoal.goal.tool {
            // What wears out stays; a vessel turns into something else.
            let lasts = |item: &ItemId| item.facts().durability.is_some();
            if tool.members().iter().all(lasts) {
                self.require(subgoal, tool);
            } else {
                self.spend(subgoal, tool, subgoal.goal.count);
            }
        }
        self.gain(item, subgoal.goal.count);
    }

    fn fish(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        if let Some(rod) = ItemId::named("fishing_rod") {
            self.require(subgoal, rod.into());
        }
        self.gain(item, subgoal.goal.count);
    }

    fn grow(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        let crops: Vec<_> = crops_giving(item).collect();
        let carried = crops
            .iter()
            .find(|crop| self.inventory.count(crop.seed) > 0);
        if let Some(crop) = carried.or(crops.first()) {
            self.spend(subgoal, crop.seed.into(), 1);
        }
        self.gain(item, subgoal.goal.count);
    }

    /// Notes that it is not there; it stays where it is.
    fn require(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        if self.inventory.count(item) == 0 {
            let text = format!("\"{}\" takes a {item}", subgoal.condition);
            let about = About::MissingPrerequisite {
                item,
                have: 0,
                need: 1,
            };
            self.note(subgoal, about, text);
        }
    }

    fn craft(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        let short = |recipe: &&Recipe| {
            // Of several recipes the one that lacks least was meant.
            let parts = recipe.ingredients.iter();
            parts
                .map(|(i, n)| n.saturating_sub(self.inventory.count(*i)))
                .sum::<u32>()
        };
        // What undoes others takes apart what is held; else it would make everything obtainable.
        let all = recipes_for_spec(item).iter();
        let recipes = all.filter(|r| !r.reversible || short(r) == 0);
        let Some(recipe) = recipes.min_by_key(short) else {
            let text = format!("there is no recipe for {item}");
            self.note(
                subgoal,
                About::UnknownItem {
                    name: item.to_string(),
                },
                text,
            );
            return;
        };
        if recipe.needs_table {
            self.station(subgoal, block::CRAFTING_TABLE);
        }
        let batches = subgoal.goal.count.div_ceil(recipe.count.max(1));
        for (ingredient, count) in &recipe.ingredients {
            self.spend(subgoal, *ingredient, count * batches);
        }
        self.gain(item, recipe.count * batches);
    }

    fn smelt(&mut self, subgoal: &Subgoal, item: ItemSpec) {
        let count = subgoal.goal.count;
        self.station(subgoal, block::FURNACE);
        let inputs = smelt_inputs(item);
        let best = inputs
            .iter()
            .max_by_key(|input| (self.inventory.count(**input), std::cmp::Reverse(**input)));
        if let Some(input) = best {
            self.spend(subgoal, (*input).into(), count);
        }
        let named = subgoal
            .goal
            .material
            .filter(|fuel| fuel.members().iter().all(|i| burn_ticks(*i).is_some()));
        let carried = self
            .inventory
            .iter()
            .map(|(i, _)| i)
            .find(|i| burn_ticks(*i).is_some());
        match named.or(carried.map(ItemSpec::Item)) {
            Some(fuel) => {
                let ticks = fuel
                    .members()
                    // The weakest member: any of the family may be burnt.
                    .iter()
                    .filter_map(|i| burn_ticks(*i))
                    .min()
                    .unwrap_or(1);
                self.spend(subgoal, fuel, (count * COOK_TICKS).div_ceil(ticks.max(1)));
            }
            None => {
                let text = format!("\"{}\" takes something to burn", subgoal.condition);
                if let Ok(item) = "#coals".parse() {
                    self.note(
                        subgoal,
                        About::MissingPrerequisite {
                            item,
                            have: 0,
                            need: 1,
                        },
                        text,
                    );
                }
            }
        }
        self.gain(item, count);
    }
}
