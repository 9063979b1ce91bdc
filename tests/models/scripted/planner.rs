//! The planner of the scripted model: backwards from what is wanted, counting what is used up.
//!
//! It knows the recipes up to iron, as any language model does, and of the world only what it is given.

use std::collections::BTreeMap;

/// What one craft gives, what it takes, and whether it needs a table.
struct Recipe {
    gives: u32,
    takes: &'static [(&'static str, u32)],
    at_table: bool,
}

const fn recipe(gives: u32, takes: &'static [(&'static str, u32)], at_table: bool) -> Recipe {
    Recipe {
        gives,
        takes,
        at_table,
    }
}

static RECIPES: [(&str, Recipe); 9] = [
    ("#planks", recipe(4, &[("#logs", 1)], false)),
    ("stick", recipe(4, &[("#planks", 2)], false)),
    ("crafting_table", recipe(1, &[("#planks", 4)], false)),
    (
        "wooden_pickaxe",
        recipe(1, &[("#planks", 3), ("stick", 2)], true),
    ),
    (
        "stone_pickaxe",
        recipe(1, &[("cobblestone", 3), ("stick", 2)], true),
    ),
    ("furnace", recipe(1, &[("cobblestone", 8)], true)),
    (
        "iron_pickaxe",
        recipe(1, &[("iron_ingot", 3), ("stick", 2)], true),
    ),
    ("bucket", recipe(1, &[("iron_ingot", 3)], true)),
    (
        "shield",
        recipe(1, &[("#planks", 6), ("iron_ingot", 1)], true),
    ),
];
/// What is mined with which pickaxe or a better one.
static MINED: [(&str, &str); 3] = [
    ("cobblestone", "wooden_pickaxe"),
    ("coal", "wooden_pickaxe"),
    ("iron_ore", "stone_pickaxe"),
];
const PICKAXES: [&str; 3] = ["wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"];
const SMELTS_PER_COAL: u32 = 8;

fn row<'a, T>(table: &'a [(&str, T)], item: &str) -> Option<&'a T> {
    let row = table.iter().find(|(name, _)| *name == item);
    row.map(|(_, what)| what)
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) how: &'static str,
    pub(super) item: String,
    /// To be held afterwards.
    pub(super) total: u32,
    pub(super) fuel: Option<&'static str>,
}

/// A plan in the making.
#[derive(Debug, Default)]
pub(super) struct Planner {
    held: BTreeMap<String, u32>,
    stock: BTreeMap<String, u32>,
    pub(super) steps: Vec<Step>,
}

impl Planner {
    pub(super) fn holding(held: BTreeMap<String, u32>) -> Self {
        Self {
            held,
            ..Self::default()
        }
    }

    fn have(&mut self, item: &str) -> u32 {
        let fits = |name: &str| match item {
            "#logs" => name.ends_with("_log"),
            "#planks" => name.ends_with("_planks"),
            item => name == item,
        };
        let held = self.held.iter().filter(|(name, _)| fits(name));
        let held = held.map(|(_, count)| count).sum();
        *self.stock.entry(item.to_owned()).or_insert(held)
    }

    fn take(&mut self, item: &str, count: u32) {
        let left = self.have(item) - count;
        self.stock.insert(item.to_owned(), left);
    }

    /// Plans for so many to be held; what it does not know how to make, it mines.
    pub(super) fn need(&mut self, item: &str, count: u32) {
        let missing = count.saturating_sub(self.have(item));
        if missing == 0 {
            return;
        }
        if let Some(recipe) = row(&RECIPES, item) {
            self.craft(item, recipe, missing);
        } else if item == "iron_ingot" {
            let coal = missing.div_ceil(SMELTS_PER_COAL);
            self.need("iron_ore", missing);
            self.need("furnace", 1);
            self.need("coal", coal);
            self.take("iron_ore", missing);
            self.take("coal", coal);
            self.step("smelt", item, missing, Some("coal"));
        } else {
            if let Some(least) = row(&MINED, item) {
                self.tool(least);
            }
            self.step("mine", item, missing, None);
        }
    }

    fn craft(&mut self, item: &str, recipe: &Recipe, missing: u32) {
        let times = missing.div_ceil(recipe.gives);
        if recipe.at_table {
            self.need("crafting_table", 1);
        }
        // One part may use up another, so until all are there.
        while recipe
            .takes
            .iter()
            .any(|(part, n)| self.have(part) < n * times)
        {
            for (part, n) in recipe.takes {
                self.need(part, n * times);
            }
        }
        for (part, n) in recipe.takes {
            self.take(part, n * times);
        }
        self.step("craft", item, recipe.gives * times, None);
    }

    fn tool(&mut self, least: &str) {
        let from = PICKAXES.iter().position(|name| *name == least);
        let good = &PICKAXES[from.unwrap_or_default()..];
        if !good.iter().any(|tool| self.have(tool) > 0) {
            self.need(least, 1);
        }
    }

    fn step(&mut self, how: &'static str, item: &str, more: u32, fuel: Option<&'static str>) {
        let total = self.have(item) + more;
        self.stock.insert(item.to_owned(), total);
        self.steps.push(Step {
            how,
            item: item.to_owned(),
            total,
            fuel,
        });
    }
}

/// How so many of an item are got, and what is needed directly before.
pub(super) fn before(item: &str, count: u32) -> (&'static str, Vec<(&'static str, u32)>) {
    if let Some(recipe) = row(&RECIPES, item) {
        let times = count.div_ceil(recipe.gives);
        let parts = recipe.takes.iter().map(|(name, n)| (*name, n * times));
        let table = recipe.at_table.then_some(("crafting_table", 1));
        return ("craft", parts.chain(table).collect());
    }
    if item == "iron_ingot" {
        let coal = count.div_ceil(SMELTS_PER_COAL);
        let parts = [("iron_ore", count), ("furnace", 1), ("coal", coal)];
        return ("smelt", parts.to_vec());
    }
    let tool = row(&MINED, item).map(|tool| (*tool, 1));
    ("mine", tool.into_iter().collect())
}
