//! A wiki: what the game's tables say of a thing, in sentences, for systems that are given text to read (GITM).
//!
//! What is not asked about is not told. Invariant: a page says nothing that the tables do not.

use crate::block::BlockId;
use crate::drops::blocks_dropping;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::mob::mobs_dropping;
use crate::natural::lie;
use crate::ore::{best_height, ores};
use crate::recipe::{Recipe, recipes_for_spec};
use crate::smelting::smelt_inputs;
use serde::{Deserialize, Serialize};

/// Recipes, blocks and animals that a page names of each.
const NAMED_MAX: usize = 3;

/// A page about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WikiPage {
    /// By which it is cited, such as `wiki:wooden_pickaxe`.
    pub id: String,
    pub about: ItemSpec,
    pub text: String,
}

/// The page about this thing; none if the tables say nothing of how it is had.
#[must_use]
pub fn page_about(item: ItemSpec) -> Option<WikiPage> {
    let mut said: Vec<String> = Vec::new();
    let plain = recipes_for_spec(item).iter().filter(|r| !r.reversible);
    said.extend(plain.take(NAMED_MAX).map(|recipe| crafting(item, recipe)));
    let inputs = smelt_inputs(item);
    if let Some(input) = inputs
        .iter()
        .find(|input| input.facts().durability.is_none())
    {
        said.push(format!(
            "Smelting 1 {input} in a furnace gives 1 {item}; that takes fuel, such as coal or planks."
        ));
    }
    said.extend(mining(item));
    let mobs = mobs_dropping(item);
    if !mobs.is_empty() {
        let names: Vec<&str> = mobs
            .iter()
            .take(NAMED_MAX)
            .map(|(mob, _)| mob.name())
            .collect();
        let carries = mobs.iter().all(|(mob, _)| mob.facts().may_carry(item));
        let condition = if carries { ", if one carries it" } else { "" };
        said.push(format!("Dropped by {}{condition}.", names.join(", ")));
    }
    (!said.is_empty()).then(|| WikiPage {
        id: format!("wiki:{}", item.to_string().trim_start_matches('#')),
        about: item,
        text: said.join(" "),
    })
}

fn crafting(item: ItemSpec, recipe: &Recipe) -> String {
    let parts = recipe.ingredients.iter();
    let parts: Vec<String> = parts.map(|(part, n)| format!("{n} {part}")).collect();
    let place = match recipe.needs_table {
        true => "at a crafting table",
        false => "by hand, without a crafting table",
    };
    format!(
        "Crafting {place}: {} give {} {item}.",
        parts.join(" and "),
        recipe.count
    )
}

fn mining(item: ItemSpec) -> Vec<String> {
    let wild = blocks_dropping(item).iter();
    let wild = wild.filter(|source| lie(source.block).is_some() && source.drop.expected() > 0.0);
    let tell = |source: &crate::drops::DropSource| {
        let with = match source.harvest {
            None => "with any tool or none".to_owned(),
            Some(harvest) => {
                let tool = ItemId::of_tool(harvest.kind, harvest.tier);
                let tool = tool.map_or(harvest.kind.word(), ItemId::name);
                format!("with {tool} or better")
            }
        };
        format!(
            "Mined from {} {with}{}.",
            source.block.name(),
            height(source.block)
        )
    };
    wild.take(NAMED_MAX).map(tell).collect()
}

/// Where an ore lies; nothing is said of what lies everywhere.
fn height(block: BlockId) -> String {
    let tops = ores()
        .iter()
        .filter(|ore| ore.block == block && ore.biome.is_none());
    let Some(top) = tops.map(|ore| ore.y_max).max() else {
        return String::new();
    };
    let best = best_height(block).map_or(String::new(), |y| format!(", most often around y {y}"));
    format!("; it lies at and below y {top}{best}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_how_a_thing_is_had_and_only_what_the_tables_say() {
        let text = |name: &str| page_about(name.parse().unwrap()).unwrap().text;
        assert_eq!(
            text("wooden_pickaxe"),
            "Crafting at a crafting table: 3 #planks and 2 stick give 1 wooden_pickaxe."
        );
        let ingot = text("iron_ingot");
        assert!(
            ingot.contains("Smelting 1 iron_ore in a furnace gives 1 iron_ingot"),
            "{ingot}"
        );
        let diamond = text("diamond");
        assert!(
            diamond.contains("with iron_pickaxe or better; it lies at and below y 15"),
            "{diamond}"
        );
        assert!(text("beef").contains("Dropped by cow"));
        assert!(text("#logs").contains("Mined from"), "{}", text("#logs"));
        assert_eq!(page_about("bedrock".parse().unwrap()), None);
    }
}
