//! Orders: an action in names that the side process can work with, families and sources written out.
//!
//! Which blocks give an item and where they lie is every player's knowledge, as in the embedded body; whether the tool is
//! right shows only by trying.

use crate::trades;
use pithead_world::action::{Action, Target};
use pithead_world::block::BlockId;
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::mob::mobs_dropping;
use pithead_world::natural::{Lie, lie};
use pithead_world::ore::best_height;
use pithead_world::smelting::{burn_ticks, smelt_inputs};
use serde_json::{Value, json};

/// Rock that lies everywhere is met on the way to here.
const ROCK_Y: i32 = 11;

/// The order for the side process. Actions that it cannot carry out are refused before this is asked.
pub(crate) fn order_for_bridge(action: &Action) -> Value {
    let mut order = arguments(action);
    order["do"] = json!(action.name());
    order
}

fn arguments(action: &Action) -> Value {
    match action {
        Action::Explore { targets } => {
            json!({"targets": targets.iter().flat_map(target_names).collect::<Vec<_>>()})
        }
        Action::Approach { target, range } => {
            json!({"target": first_target(target), "range": range})
        }
        Action::Goto { at, range } => json!({"at": at, "range": range}),
        Action::Mine { item, count } => mine(*item, *count),
        // A server's body takes the prey that it was sent for.
        Action::Attack {
            mob, gain, count, ..
        } => {
            json!({"mob": mob.name(), "gain": gain.map(names).unwrap_or_default(), "count": count})
        }
        // A server's body takes its table along each time.
        Action::Craft { item, count, .. } => {
            let is_family = matches!(item, ItemSpec::Family(_));
            json!({"makes": names(*item), "count": count, "is_family": is_family})
        }
        Action::Smelt {
            item, count, fuel, ..
        } => {
            let inputs: Vec<&str> = smelt_inputs(*item).into_iter().map(ItemId::name).collect();
            json!({"makes": names(*item), "count": count, "inputs": inputs, "fuels": fuels(*fuel)})
        }
        Action::Equip { item } => json!({"items": names(*item)}),
        Action::Place { item, at } => json!({"items": names(*item), "at": at}),
        // A server's body takes nothing on its way down.
        Action::DigDown { y, .. } | Action::GoUp { y } => json!({"y": y}),
        Action::Use {
            item,
            on,
            gain,
            count,
        } => json!({
            "items": item.map(names).unwrap_or_default(), "on": first_target(on),
            "gain": gain.map(names).unwrap_or_default(), "count": count,
        }),
        Action::Take { item, count } | Action::Put { item, count } => {
            json!({"items": names(*item), "count": count})
        }
        Action::Sleep => json!({"beds": beds()}),
        Action::Build {
            blocks,
            clear,
            blueprint,
        } => json!({
            "blocks": blocks.iter().map(|(item, at)| block_to_put(*item, *at)).collect::<Vec<_>>(),
            "clear": clear, "blueprint": blueprint,
        }),
        Action::Raw { keys } => json!({"keys": keys}),
        Action::Eat => json!({"foods": foods()}),
        Action::Wait { ticks } => json!({"ticks": ticks}),
        Action::Fish { .. }
        | Action::Grow { .. }
        | Action::Breed { .. }
        | Action::Trade { .. }
        | Action::Enchant { .. }
        | Action::Dye { .. }
        | Action::Repair { .. } => trades::arguments(action),
    }
}

pub(crate) fn names(item: ItemSpec) -> Vec<&'static str> {
    item.members().iter().map(|item| item.name()).collect()
}

/// One block of a building: what may be put there, and the blocks that stand then.
fn block_to_put(item: ItemSpec, offset: [i32; 3]) -> Value {
    let places = item.members().iter().filter_map(|item| item.facts().places);
    let stands = places.flat_map(|block| {
        // A torch beside a wall is another block.
        let name = block.name();
        let on_wall = name
            .ends_with("torch")
            .then(|| name.replace("torch", "wall_torch"));
        std::iter::once(name.to_owned()).chain(on_wall)
    });
    json!({"items": names(item), "stands": stands.collect::<Vec<_>>(), "offset": offset})
}

/// The blocks that drop an item, those that do so for sure first.
fn sources(item: ItemSpec) -> Vec<BlockId> {
    let mut blocks: Vec<BlockId> = Vec::new();
    for source in blocks_dropping(item) {
        if !blocks.contains(&source.block) {
            blocks.push(source.block);
        }
    }
    blocks
}

fn mine(item: ItemSpec, count: u32) -> Value {
    let sources = sources(item);
    let lies: Vec<Lie> = sources.iter().filter_map(|block| lie(*block)).collect();
    let is_open = lies.contains(&Lie::Surface);
    let heights = sources.iter().filter_map(|block| best_height(*block));
    // Where it lies open one looks for it by eye; what lies only in the rock is dug for.
    let dig_to = if is_open || lies.is_empty() {
        None
    } else {
        Some(heights.max().unwrap_or(ROCK_Y))
    };
    let blocks: Vec<&str> = sources.into_iter().map(BlockId::name).collect();
    // Three of these that give nothing say nothing about the tool.
    let uncertain = blocks_dropping(item).iter();
    let uncertain: Vec<&str> = uncertain
        .filter(|source| source.drop.chance < 1.0 || source.drop.min == 0)
        .map(|source| source.block.name())
        .collect();
    json!({
        "gain": names(item), "count": count, "sources": blocks, "uncertain": uncertain, "dig_to": dig_to,
    })
}

/// A target as blocks, and as a mob if one drops it.
fn target_names(target: &Target) -> Vec<Value> {
    match target {
        Target::Block(block) => vec![json!({"blocks": [block.name()]})],
        Target::Mob(mob) => vec![json!({"mob": mob.name()})],
        Target::Source(item) => {
            let blocks: Vec<&str> = sources(*item).into_iter().map(BlockId::name).collect();
            let mobs = mobs_dropping(*item).iter();
            let mobs = mobs.map(|(mob, _)| json!({"mob": mob.name()}));
            let blocks = (!blocks.is_empty()).then(|| json!({"blocks": blocks}));
            blocks.into_iter().chain(mobs).collect()
        }
    }
}

fn first_target(target: &Target) -> Value {
    let first = target_names(target).into_iter().next();
    first.unwrap_or_else(|| json!({"blocks": []}))
}

/// What burns, in the order in which it is burnt: what was named, else raw material before anything made.
fn fuels(named: Option<ItemSpec>) -> Vec<Value> {
    let usual = ["#coals", "#planks", "#logs", "stick"];
    let usual = usual.iter().filter_map(|name| name.parse().ok());
    let specs: Vec<ItemSpec> = named.map_or_else(|| usual.collect(), |fuel| vec![fuel]);
    let items = specs.into_iter().flat_map(ItemSpec::members);
    let burning = items.filter_map(|item| Some((item, burn_ticks(*item)?)));
    burning
        .map(|(item, ticks)| json!({"name": item.name(), "ticks": ticks}))
        .collect()
}

/// What can be eaten, the most filling first; what may make sick is left to hunger.
pub(crate) fn foods() -> Vec<&'static str> {
    let harmful = [
        "rotten_flesh",
        "spider_eye",
        "poisonous_potato",
        "pufferfish",
        "chicken",
    ];
    let mut foods: Vec<ItemId> = ItemId::all()
        .filter(|item| item.facts().food.is_some() && !harmful.contains(&item.name()))
        .collect();
    foods.sort_by_key(|item| std::cmp::Reverse(item.facts().food.map(|food| food.points)));
    foods.into_iter().map(ItemId::name).collect()
}

pub(crate) fn beds() -> Vec<&'static str> {
    let beds = ItemId::all().map(ItemId::name);
    beds.filter(|name| name.ends_with("_bed")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(action: &Action, expected: &str) {
        assert_eq!(order_for_bridge(action).to_string(), expected);
    }

    #[test]
    fn families_and_sources_are_written_out() {
        let item = |name: &str| name.parse().unwrap();
        check(
            &Action::Mine {
                item: item("cobblestone"),
                count: 3,
            },
            r#"{"gain":["cobblestone"],"count":3,"sources":["stone","cobblestone"],"uncertain":[],"dig_to":11,"do":"mine"}"#,
        );
        check(
            &Action::Mine {
                item: item("oak_log"),
                count: 1,
            },
            r#"{"gain":["oak_log"],"count":1,"sources":["oak_log"],"uncertain":[],"dig_to":null,"do":"mine"}"#,
        );
        check(
            &Action::smelt(item("iron_ingot"), 1, Some(item("coal"))),
            r#"{"makes":["iron_ingot"],"count":1,"inputs":["iron_ore"],"fuels":[{"name":"coal","ticks":1600}],"do":"smelt"}"#,
        );
        check(&Action::GoUp { y: 70 }, r#"{"y":70,"do":"go_up"}"#);
    }
}
