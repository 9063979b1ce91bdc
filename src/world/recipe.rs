//! Crafting recipes, for items and for whole families.
//!
//! Recipes of a product are ordered: plain ways first, unpacking (`iron_ingot` from `iron_block`) last and marked
//! `reversible`, so that a planner can leave out what leads in a circle.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::family::{FamilyId, ItemSpec};
use crate::item::ItemId;
use crate::naming::table;
use crate::smelting::burn_ticks;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// An item; a family only in recipes generalised over its members.
    pub product: ItemSpec,
    /// Pieces made at once.
    pub count: u32,
    /// What one crafting uses up, in the order of the layout.
    pub ingredients: Vec<(ItemSpec, u32)>,
    /// It does not fit the 2x2 grid of the inventory.
    pub needs_table: bool,
    pub layout: RecipeLayout,
    /// What stays in the grid, such as the buckets of a cake.
    pub returns: Vec<(ItemId, u32)>,
    /// Takes apart what was made of the product: no way to get the first one.
    pub reversible: bool,
    /// In a generalised recipe the ingredient whose member decides the member of the product, so that all pieces of it
    /// must be of one kind; other family ingredients may be mixed.
    pub matched: Option<FamilyId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecipeLayout {
    /// Rows of slots, cut to what is used; may lie anywhere in the grid and be mirrored.
    Shaped(Vec<Vec<Option<ItemSpec>>>),
    /// In any slots.
    Shapeless(Vec<ItemSpec>),
}

impl RecipeLayout {
    fn slots(&self) -> Vec<Option<ItemSpec>> {
        match self {
            Self::Shaped(rows) => rows.concat(),
            Self::Shapeless(items) => items.iter().copied().map(Some).collect(),
        }
    }

    fn map(&self, mut change: impl FnMut(ItemSpec) -> Option<ItemSpec>) -> Option<Self> {
        let mut slot = |slot: &Option<ItemSpec>| match slot {
            Some(spec) => change(*spec).map(Some),
            None => Some(None),
        };
        Some(match self {
            Self::Shaped(rows) => Self::Shaped(
                rows.iter()
                    .map(|row| row.iter().map(&mut slot).collect())
                    .collect::<Option<_>>()?,
            ),
            Self::Shapeless(items) => Self::Shapeless(
                items
                    .iter()
                    .map(|spec| change(*spec))
                    .collect::<Option<_>>()?,
            ),
        })
    }

    fn fits_two_by_two(&self) -> bool {
        match self {
            Self::Shaped(rows) => rows.len() <= 2 && rows.iter().all(|row| row.len() <= 2),
            Self::Shapeless(items) => items.len() <= 4,
        }
    }
}

/// The ways to craft `item`, plain ones first; empty when it cannot be crafted.
#[must_use]
pub fn recipes_for(item: ItemId) -> &'static [Recipe] {
    recipes_for_spec(ItemSpec::Item(item))
}

/// As `recipes_for`; for a family the recipes that all its members share in form (`#beds` from three `#wool`), or the first
/// of them with all of another family (`#planks` from one `#logs`); none if they differ (then ask for a member).
#[must_use]
pub fn recipes_for_spec(spec: ItemSpec) -> &'static [Recipe] {
    RECIPES.get(&spec).map_or(&[], Vec::as_slice)
}

/// No recipe of it fits the hand's own grid; unpacking does not count.
#[must_use]
pub fn takes_table(item: ItemSpec) -> bool {
    let recipes = item
        .members()
        .iter()
        .flat_map(|member| recipes_for(*member));
    let mut plain = recipes.filter(|recipe| !recipe.reversible).peekable();
    // What has no recipe is not crafted anywhere.
    plain.peek().is_some() && plain.all(|recipe| recipe.needs_table)
}

/// Of the kinds of a family that are held, in its order, the one that is used up first: what does not burn, for it has the
/// fewest other uses, then that of which most is held, so that rare kinds are left for recipes that need exactly them.
pub fn used_first(held: impl DoubleEndedIterator<Item = (ItemId, u32)>) -> Option<(ItemId, u32)> {
    held.filter(|(_, count)| *count > 0)
        // `max_by_key` keeps the last of equals; reversed, that is the first of the family.
        .rev()
        .max_by_key(|(item, count)| (burn_ticks(*item).is_none(), *count))
}

/// Every recipe of a single item, in the order of the products.
pub fn all_recipes() -> impl Iterator<Item = &'static Recipe> {
    ItemId::all().flat_map(recipes_for)
}

static RECIPES: LazyLock<FxHashMap<ItemSpec, Vec<Recipe>>> = LazyLock::new(build);

#[derive(Deserialize)]
struct RecipeRow {
    product: ItemId,
    count: u32,
    rows: Option<Vec<String>>,
    items: Option<Vec<ItemSpec>>,
    #[serde(default)]
    returns: BTreeMap<ItemId, u32>,
    #[serde(default)]
    reversible: bool,
}

#[derive(Deserialize)]
struct SpecialTable {
    recipes: Vec<RecipeRow>,
}

fn build() -> FxHashMap<ItemSpec, Vec<Recipe>> {
    let mut rows: Vec<RecipeRow> = table("recipes.json", include_str!("data/recipes.json"));
    let special: SpecialTable = table(
        "special_recipes.json",
        include_str!("data/special_recipes.json"),
    );
    rows.extend(special.recipes);
    let mut recipes: FxHashMap<ItemSpec, Vec<Recipe>> = FxHashMap::default();
    for row in rows {
        recipes
            .entry(row.product.into())
            .or_default()
            .push(recipe(row));
    }
    for family in FamilyId::all() {
        let shared = generalise(family, &recipes);
        if !shared.is_empty() {
            recipes.insert(family.into(), shared);
        }
    }
    recipes
}

fn recipe(row: RecipeRow) -> Recipe {
    let layout = match (row.rows, row.items) {
        (Some(rows), _) => RecipeLayout::Shaped(rows.iter().map(|row| shaped_row(row)).collect()),
        (None, items) => RecipeLayout::Shapeless(items.unwrap_or_default()),
    };
    Recipe {
        product: row.product.into(),
        count: row.count,
        ingredients: tally(&layout),
        needs_table: !layout.fits_two_by_two(),
        layout,
        returns: row.returns.into_iter().collect(),
        reversible: row.reversible,
        matched: None,
    }
}

fn shaped_row(row: &str) -> Vec<Option<ItemSpec>> {
    let slot = |name: &str| {
        (name != "-").then(|| {
            name.parse()
                .expect("recipes.json names known items; a test reads it")
        })
    };
    row.split(' ').map(slot).collect()
}

fn tally(layout: &RecipeLayout) -> Vec<(ItemSpec, u32)> {
    let mut counts: Vec<(ItemSpec, u32)> = Vec::new();
    for spec in layout.slots().into_iter().flatten() {
        match counts.iter_mut().find(|(known, _)| *known == spec) {
            Some((_, count)) => *count += 1,
            None => counts.push((spec, 1)),
        }
    }
    counts
}

/// Recipes that the members of `family` have in the same form, one for each member of another family.
fn generalise(family: FamilyId, recipes: &FxHashMap<ItemSpec, Vec<Recipe>>) -> Vec<Recipe> {
    let of = |item: ItemId| recipes.get(&item.into()).map_or(&[][..], Vec::as_slice);
    let members = family.members();
    let sources = FamilyId::all()
        .filter(|source| *source != family && source.members().len() <= members.len());
    let mut shared: Vec<Recipe> = Vec::new();
    for source in sources {
        for first in of(members[0]) {
            let Some(layout) = lift(first, members[0], source) else {
                continue;
            };
            let pairs = members.iter().zip(source.members());
            let all_have_it = pairs.into_iter().all(|(member, part)| {
                let wanted = layout.map(|spec| {
                    Some(if spec == source.into() {
                        (*part).into()
                    } else {
                        spec
                    })
                });
                of(*member).iter().any(|other| {
                    other.count == first.count && Some(&other.layout) == wanted.as_ref()
                })
            });
            if all_have_it {
                let product = family.into();
                let ingredients = tally(&layout);
                shared.push(Recipe {
                    product,
                    ingredients,
                    layout,
                    matched: Some(source),
                    ..first.clone()
                });
            }
        }
    }
    // Planks that burn are planks.
    let is_part = |narrow: Option<FamilyId>, wide: FamilyId| {
        let mut members = narrow.into_iter().flat_map(FamilyId::members);
        narrow != Some(wide) && members.all(|item| wide.members().contains(item))
    };
    let sources: Vec<FamilyId> = shared.iter().filter_map(|recipe| recipe.matched).collect();
    shared.retain(|recipe| !sources.iter().any(|wide| is_part(recipe.matched, *wide)));
    shared
}

/// The layout of a first member's recipe with the first member of `source` replaced by `source`, if it occurs.
fn lift(recipe: &Recipe, product: ItemId, source: FamilyId) -> Option<RecipeLayout> {
    let head = ItemSpec::Item(source.members()[0]);
    let occurs = recipe.ingredients.iter().any(|(spec, _)| *spec == head);
    if !occurs || head == product.into() {
        return None;
    }
    recipe
        .layout
        .map(|spec| Some(if spec == head { source.into() } else { spec }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "1 = 3 #planks + 2 stick @table", one line per recipe.
    fn written(product: &str) -> String {
        let line = |recipe: &Recipe| {
            let uses: Vec<String> = recipe
                .ingredients
                .iter()
                .map(|(spec, count)| format!("{count} {spec}"))
                .collect();
            let table = if recipe.needs_table { " @table" } else { "" };
            let back = if recipe.reversible { " (unpacks)" } else { "" };
            format!("{} = {}{table}{back}", recipe.count, uses.join(" + "))
        };
        let recipes = recipes_for_spec(product.parse().unwrap());
        recipes.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn recipes_are_those_of_the_game() {
        assert_eq!(written("stick"), "4 = 2 #planks; 1 = 2 bamboo");
        assert_eq!(written("crafting_table"), "1 = 4 #planks");
        assert_eq!(written("wooden_pickaxe"), "1 = 3 #planks + 2 stick @table");
        assert_eq!(
            written("stone_pickaxe"),
            "1 = 3 #stone_tool_materials + 2 stick @table"
        );
        assert_eq!(written("iron_pickaxe"), "1 = 3 iron_ingot + 2 stick @table");
        assert_eq!(written("furnace"), "1 = 8 #stone_tool_materials @table");
        assert_eq!(written("torch"), "4 = 1 #coals + 1 stick");
        assert_eq!(written("bread"), "1 = 3 wheat @table");
        assert_eq!(written("shears"), "1 = 2 iron_ingot");
        assert_eq!(written("bucket"), "1 = 3 iron_ingot @table");
        assert_eq!(
            written("campfire"),
            "1 = 3 stick + 1 #coals + 3 #logs_that_burn @table; 1 = 3 stick + 1 #coals + 3 #stems @table"
        );
    }

    #[test]
    fn what_takes_a_table_fits_no_smaller_grid() {
        let takes = |item: &str| takes_table(item.parse().unwrap());
        assert!(takes("stone_pickaxe") && takes("#wooden_slabs"));
        assert!(!takes("#planks") && !takes("crafting_table"));
        // A bed can be dyed in the hand; an ingot is only unpacked, dirt not crafted at all.
        assert!(!takes("red_bed") && !takes("iron_ingot") && !takes("dirt"));
    }

    #[test]
    fn unpacking_comes_last_and_is_marked() {
        assert_eq!(
            written("bone_meal"),
            "3 = 1 bone; 9 = 1 bone_block (unpacks)"
        );
        assert!(
            recipes_for("iron_ingot".parse().unwrap())
                .iter()
                .all(|recipe| recipe.reversible)
        );
        assert!(!recipes_for("iron_block".parse().unwrap())[0].reversible);
    }

    #[test]
    fn families_share_a_recipe_when_their_members_do() {
        assert_eq!(written("#planks"), "4 = 1 #logs");
        assert_eq!(written("#wooden_slabs"), "6 = 3 #planks @table");
        assert_eq!(written("#beds"), "1 = 3 #wool + 3 #planks @table");
        assert_eq!(written("#coals"), "");
        // Of each of the trees comes a boat, of stems none.
        assert_eq!(written("#boats"), "1 = 5 #planks_that_burn @table");
        assert_eq!(written("#planks_that_burn"), "4 = 1 #logs");
        let bed = &recipes_for_spec("#beds".parse().unwrap())[0];
        assert_eq!(bed.matched, FamilyId::named("#wool"));
    }

    #[test]
    fn the_layout_is_kept() {
        let recipe = &recipes_for("shears".parse().unwrap())[0];
        let iron = Some("iron_ingot".parse().unwrap());
        assert_eq!(
            recipe.layout,
            RecipeLayout::Shaped(vec![vec![None, iron], vec![iron, None]])
        );
        let cake = &recipes_for("cake".parse().unwrap())[0];
        assert_eq!(cake.returns, [("bucket".parse().unwrap(), 3)]);
    }
}
