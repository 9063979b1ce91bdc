//! Works: what each order takes and gives by the tables of the game.

use super::{Body, Deed, unknown};
use crate::action::{Action, ActionFailure, Target, Unbuilt};
use crate::block::{BlockId, CRAFTING_TABLE, FURNACE, can_harvest};
use crate::blueprint::{self, Shortage};
use crate::counts::Counts;
use crate::drops::{DropSource, blocks_dropping};
use crate::family::ItemSpec;
use crate::farming::{crops_giving, eats};
use crate::fishing::chance_of;
use crate::item::{ItemId, ToolKind};
use crate::mob::{MobKind, mobs_dropping};
use crate::natural::lie;
use crate::observation::Gui;
use crate::ore::ores;
use crate::recipe::{Recipe, recipes_for, used_first};
use crate::smelting::{COOK_TICKS, burn_ticks, smelt_inputs, smelts_to};
use crate::uses::{FILLS, yields};

/// Burnt where nothing was named, in this order: raw material before anything made.
const FUELS: [&str; 3] = ["#coals", "#planks", "#logs"];
/// Two grown animals are fed.
const FEED: u32 = 2;

impl Body {
    /// The order carried out; on failure the caller restores what was.
    pub(super) fn carry_out(&mut self, action: &Action) -> Result<Deed, ActionFailure> {
        let mut deed = Deed::default();
        match action {
            Action::Explore { targets } => {
                if !targets.iter().any(is_somewhere) {
                    return Err(match targets.first() {
                        Some(target) => self.found_no(target.clone()),
                        None => unknown(action),
                    });
                }
            }
            Action::Approach { target, .. } => {
                if !is_somewhere(target) {
                    return Err(self.found_no(target.clone()));
                }
            }
            Action::Goto { at, .. } => (self.x, self.y, self.z) = (at.x, at.y, at.z),
            Action::DigDown { y, .. } => self.y = self.y.min(*y),
            Action::GoUp { y } => self.y = self.y.max(*y),
            Action::Mine { item, count } => self.mine(*item, *count, &mut deed)?,
            Action::Attack {
                mob, gain, count, ..
            } => self.hunt(*mob, *gain, *count)?,
            Action::Craft { item, count, .. } => self.craft(*item, *count, &mut deed)?,
            Action::Smelt {
                item, count, fuel, ..
            } => self.smelt(*item, *count, *fuel, &mut deed)?,
            Action::Equip { item } => self.held = Some(self.one_of(*item)?),
            Action::Place { item, .. } => self.place(*item)?,
            Action::Use {
                item,
                on,
                gain,
                count,
            } => self.use_on(*item, on, *gain, *count)?,
            Action::Fish { item, count } => {
                let rod = self.one_of("fishing_rod".parse().map_err(|_| unknown(action))?)?;
                let caught = item
                    .members()
                    .iter()
                    .find(|i| chance_of((**i).into()) > 0.0);
                let caught = caught.ok_or_else(|| self.found_no(Target::Source(*item)))?;
                self.held = Some(rod);
                self.inventory.add(*caught, *count);
            }
            Action::Grow { item, count } => self.grow(*item, *count)?,
            Action::Breed { mob } => {
                let feed = self.inventory.iter().map(|(item, _)| item);
                let feed = feed
                    .into_iter()
                    .find(|item| eats(*mob, *item) && self.inventory.count(*item) >= FEED);
                let feed = feed.ok_or_else(|| unknown(action))?;
                self.inventory.remove(feed, FEED);
            }
            Action::Build { .. } => self.build(action, &mut deed)?,
            Action::Wait { .. } | Action::Eat | Action::Sleep => {}
            Action::Trade { .. }
            | Action::Enchant { .. }
            | Action::Dye { .. }
            | Action::Repair { .. }
            | Action::Take { .. }
            | Action::Put { .. }
            | Action::Raw { .. } => return Err(unknown(action)),
        }
        Ok(deed)
    }

    fn hunt(
        &mut self,
        mob: MobKind,
        gain: Option<ItemSpec>,
        count: u32,
    ) -> Result<(), ActionFailure> {
        let Some(gain) = gain else { return Ok(()) };
        let mut drops = mobs_dropping(gain).iter();
        let drop = drops.find(|(kind, _)| *kind == mob);
        let (_, drop) = drop.ok_or_else(|| self.found_no(Target::Source(gain)))?;
        self.inventory.add(drop.item, count);
        Ok(())
    }

    fn found_no(&self, target: Target) -> ActionFailure {
        ActionFailure::NoTarget { target, y: self.y }
    }

    /// A piece that is carried.
    fn one_of(&self, wanted: ItemSpec) -> Result<ItemId, ActionFailure> {
        let members = wanted.members().iter();
        members
            .copied()
            .find(|item| self.inventory.count(*item) > 0)
            .ok_or(ActionFailure::NotHeld { item: wanted })
    }

    fn mine(&mut self, item: ItemSpec, count: u32, deed: &mut Deed) -> Result<(), ActionFailure> {
        let sources = blocks_dropping(item).iter().copied();
        let there: Vec<DropSource> = sources
            .filter(|source| lie(source.block).is_some() && self.is_at_height(source.block))
            .collect();
        let first = there.first();
        let first = first.ok_or_else(|| self.found_no(Target::Source(item)))?;
        let tools: Vec<Option<ItemId>> = std::iter::once(None)
            .chain(self.inventory.iter().map(|(tool, _)| Some(tool)))
            .collect();
        let pairs = there
            .iter()
            .flat_map(|source| tools.iter().map(move |tool| (source, *tool)));
        let mut fit = pairs.filter(|(source, tool)| can_harvest(source.block, *tool));
        let Some((source, tool)) = fit.next() else {
            return Err(ActionFailure::NoDrop {
                block: first.block,
                held: self.best_pickaxe(),
                broken: 1,
            });
        };
        self.held = tool;
        self.inventory.add(source.drop.item, count);
        deed.broken.push((source.block, count));
        Ok(())
    }

    /// Ores lie at and below their upper bound; everything else is at hand everywhere.
    fn is_at_height(&self, block: BlockId) -> bool {
        let tops = ores().iter().filter(|ore| ore.block == block);
        tops.map(|ore| ore.y_max)
            .min()
            .is_none_or(|top| self.y <= top)
    }

    fn best_pickaxe(&self) -> Option<ItemId> {
        let tools = self.inventory.iter().filter_map(|(item, _)| {
            let tool = item.facts().tool?;
            (tool.kind == ToolKind::Pickaxe).then_some((tool.tier.level(), item))
        });
        tools.max().map(|(_, item)| item)
    }

    /// A station that is carried is put down first.
    fn at_station(&mut self, station: BlockId) -> bool {
        if self.placed.contains(&station) {
            return true;
        }
        let item = station.item();
        let is_carried = item.is_some_and(|item| self.inventory.remove(item, 1));
        is_carried && self.placed.insert(station)
    }

    fn craft(&mut self, item: ItemSpec, count: u32, deed: &mut Deed) -> Result<(), ActionFailure> {
        let goal = self.inventory.count(item) + count;
        while self.inventory.count(item) < goal {
            let missing = goal - self.inventory.count(item);
            let (product, recipe) = self.recipe_for(item, missing)?;
            if recipe.needs_table && !self.at_station(CRAFTING_TABLE) {
                let station = CRAFTING_TABLE;
                return Err(ActionFailure::NoStation { item, station });
            }
            self.open(
                if recipe.needs_table {
                    Gui::CraftingTable
                } else {
                    Gui::Inventory
                },
                deed,
            );
            for (spec, each) in &recipe.ingredients {
                take(&mut self.inventory, *spec, *each, &mut deed.used);
            }
            self.inventory.add(product, recipe.count);
            self.crafted.add(product, recipe.count);
            for (item, count) in &recipe.returns {
                self.inventory.add(*item, *count);
            }
        }
        Ok(())
    }

    fn open(&mut self, window: Gui, deed: &mut Deed) {
        self.windows += 1;
        if !deed.windows.contains(&window) {
            deed.windows.push(window);
        }
    }

    /// As the body does: what all pieces take together is asked for before the first is made; of a family, several
    /// kinds may be made one after the other.
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
        let crafts = |recipe: &Recipe| count.div_ceil(recipe.count.max(1));
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
        deed: &mut Deed,
    ) -> Result<(), ActionFailure> {
        if !self.at_station(FURNACE) {
            let station = FURNACE;
            return Err(ActionFailure::NoStation { item, station });
        }
        self.open(Gui::Furnace, deed);
        let mut burning = 0;
        for made in 0..count {
            let inputs = smelt_inputs(item);
            let input = inputs.iter().find(|i| self.inventory.count(**i) > 0);
            let missing = || match inputs.first() {
                Some(input) => ActionFailure::MissingIngredient {
                    item,
                    needs: (*input).into(),
                    have: made,
                    need: count,
                },
                None => ActionFailure::NoRecipe { item },
            };
            let input = *input.ok_or_else(missing)?;
            self.inventory.remove(input, 1);
            deed.used.add(input, 1);
            while burning < COOK_TICKS {
                burning += self.burn(fuel, deed).ok_or(ActionFailure::NoFuel)?;
            }
            burning -= COOK_TICKS;
            let product = smelts_to(input).ok_or(ActionFailure::NoRecipe { item })?;
            self.inventory.add(product, 1);
            self.crafted.add(product, 1);
        }
        Ok(())
    }

    /// Burns a piece and says for how many ticks.
    fn burn(&mut self, named: Option<ItemSpec>, deed: &mut Deed) -> Option<u32> {
        let raw = FUELS.iter().filter_map(|fuel| fuel.parse().ok());
        let kinds: Vec<ItemSpec> = named.map_or_else(|| raw.collect(), |fuel| vec![fuel]);
        let members = kinds.iter().flat_map(|kind| kind.members());
        let fuel = members
            .copied()
            .find(|item| self.inventory.count(*item) > 0 && burn_ticks(*item).is_some())?;
        self.inventory.remove(fuel, 1);
        deed.used.add(fuel, 1);
        burn_ticks(fuel)
    }

    fn place(&mut self, item: ItemSpec) -> Result<(), ActionFailure> {
        let piece = self.one_of(item)?;
        self.inventory.remove(piece, 1);
        self.placed.extend(BlockId::named(piece.name()));
        Ok(())
    }

    fn build(&mut self, action: &Action, deed: &mut Deed) -> Result<(), ActionFailure> {
        let Action::Build {
            blocks, blueprint, ..
        } = action
        else {
            return Err(unknown(action));
        };
        let of = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
        let material = blueprint::material(blocks.iter().map(|(item, _)| *item));
        if let Some(short) = blueprint::shortages(&material, &self.inventory).first() {
            let Shortage { item, have, need } = *short;
            return Err(ActionFailure::Unbuilt {
                because: Unbuilt::Short { item, have, need },
                stands: 0,
                of,
            });
        }
        for (item, count) in material {
            take(&mut self.inventory, item, count, &mut deed.used);
        }
        self.builds
            .extend(blueprint.iter().map(|name| (name.clone(), of)));
        Ok(())
    }

    fn use_on(
        &mut self,
        item: Option<ItemSpec>,
        on: &Target,
        gain: Option<ItemSpec>,
        count: u32,
    ) -> Result<(), ActionFailure> {
        let Some(item) = item else {
            return Ok(());
        };
        let held = self.one_of(item)?;
        self.held = Some(held);
        let Some(gain) = gain else {
            return Ok(());
        };
        let on_name = on.to_string();
        let listed = yields()
            .find(|(tool, what, gives)| *tool == held && *what == on_name && gain.matches(*gives))
            .map(|(_, _, gives)| gives);
        // Shears take of a living sheep what else it leaves.
        let shorn = || {
            let Target::Mob(mob) = on else { return None };
            let mut left = mobs_dropping(gain).iter();
            let is_shears = held
                .facts()
                .tool
                .is_some_and(|t| t.kind == ToolKind::Shears);
            let found = left.find(|(kind, _)| kind == mob)?;
            is_shears.then_some(found.1.item)
        };
        let gives = listed.or_else(shorn);
        let gives = gives.ok_or_else(|| self.found_no(on.clone()))?;
        if FILLS.iter().any(|(vessel, ..)| *vessel == held.name())
            && !self.inventory.remove(held, count)
        {
            return Err(ActionFailure::NotHeld { item });
        }
        self.inventory.add(gives, count);
        Ok(())
    }

    fn grow(&mut self, item: ItemSpec, count: u32) -> Result<(), ActionFailure> {
        let crop = crops_giving(item)
            .find(|crop| self.inventory.count(crop.seed) > 0)
            .ok_or_else(|| self.found_no(Target::Source(item)))?;
        let has_hoe = self
            .inventory
            .iter()
            .any(|(tool, _)| tool.facts().tool.is_some_and(|t| t.kind == ToolKind::Hoe));
        if crop.wants_farmland() && !has_hoe {
            let item = "#hoes".parse().unwrap_or(item);
            return Err(ActionFailure::NotHeld { item });
        }
        let gives = crop.gives().into_iter().find(|gives| item.matches(*gives));
        let gives = gives.ok_or_else(|| self.found_no(Target::Source(item)))?;
        self.inventory.add(gives, count);
        Ok(())
    }
}

/// Whether there is such a thing anywhere.
fn is_somewhere(target: &Target) -> bool {
    match target {
        Target::Block(block) => lie(*block).is_some(),
        Target::Source(item) => {
            let mut sources = blocks_dropping(*item).iter();
            sources.any(|source| lie(source.block).is_some())
        }
        Target::Mob(_) => true,
    }
}

/// Takes pieces of a family, kind after kind. The caller has counted them.
fn take(stock: &mut Counts, spec: ItemSpec, count: u32, used: &mut Counts) {
    let mut left = count;
    while left > 0 {
        let kinds = spec.members().iter();
        let held = kinds.map(|item| (*item, stock.count(*item)));
        let Some((item, there)) = used_first(held) else {
            return;
        };
        let taken = left.min(there);
        if taken == 0 || !stock.remove(item, taken) {
            return;
        }
        used.add(item, taken);
        left -= taken;
    }
}
