//! Item words: what people and planners call items, and the items they mean.
//!
//! Exact names win, then the aliases below, then families, each also in the plural.

use crate::text::nearest::did_you_mean;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::item::ItemId;

/// Words that stand for no item that is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no item{}", did_you_mean(.nearest))]
pub struct UnknownItem {
    pub given: String,
    /// At most three, best first.
    pub nearest: Vec<&'static str>,
}

/// What is said, and what is meant.
const ALIASES: [(&str, &str); 50] = [
    ("wood", "#logs"),
    ("log", "#logs"),
    ("tree", "#logs"),
    ("plank", "#planks"),
    ("wooden_plank", "#planks"),
    ("wood_plank", "#planks"),
    ("sapling", "#saplings"),
    ("leaf", "#leaves"),
    ("wooden_slab", "#wooden_slabs"),
    ("wooden_button", "#wooden_buttons"),
    ("wooden_pressure_plate", "#wooden_pressure_plates"),
    ("trapdoor", "#wooden_trapdoors"),
    ("wooden_trapdoor", "#wooden_trapdoors"),
    ("door", "#wooden_doors"),
    ("wooden_door", "#wooden_doors"),
    ("fence", "#wooden_fences"),
    ("wooden_fence", "#wooden_fences"),
    ("fence_gate", "#fence_gates"),
    ("stair", "#wooden_stairs"),
    ("wooden_stair", "#wooden_stairs"),
    ("boat", "#boats"),
    ("wooden_boat", "#boats"),
    ("sign", "#signs"),
    ("wooden_sign", "#signs"),
    ("bed", "#beds"),
    ("carpet", "#carpets"),
    ("banner", "#banners"),
    ("flower", "#small_flowers"),
    ("fish", "#fishes"),
    ("cobble", "cobblestone"),
    ("workbench", "crafting_table"),
    ("table", "crafting_table"),
    ("oven", "furnace"),
    ("iron", "iron_ingot"),
    ("gold", "gold_ingot"),
    ("iron_bar", "iron_bars"),
    ("redstone_dust", "redstone"),
    ("lapis", "lapis_lazuli"),
    ("netherite", "netherite_ingot"),
    ("seed", "wheat_seeds"),
    ("wheat_seed", "wheat_seeds"),
    ("steak", "cooked_beef"),
    ("meat", "beef"),
    ("reed", "sugar_cane"),
    ("reeds", "sugar_cane"),
    ("lighter", "flint_and_steel"),
    ("daylight_sensor", "daylight_detector"),
    ("golden_ingot", "gold_ingot"),
    ("golden_ore", "gold_ore"),
    ("web", "cobweb"),
];

/// Words within a name that the game writes otherwise.
const WORDS: [(&str, &str); 6] = [
    ("pick", "pickaxe"),
    ("spade", "shovel"),
    ("pants", "leggings"),
    ("tunic", "chestplate"),
    ("gold", "golden"),
    ("wood", "wooden"),
];

/// The item or family that `name` stands for.
pub fn named(name: &str) -> Result<ItemSpec, UnknownItem> {
    let plain = plain(name);
    let bare = plain.trim_start_matches('#');
    let family_first = plain
        .starts_with('#')
        .then(|| FamilyId::named(bare))
        .flatten();
    if let Some(family) = family_first {
        return Ok(family.into());
    }
    let mut spellings = vec![bare.to_owned()];
    spellings.extend(respelled(bare));
    let forms: Vec<String> = spellings.iter().flat_map(|name| endings(name)).collect();
    let found = forms.iter().find_map(|form| exact(form));
    let found = found.or_else(|| forms.iter().find_map(|form| family(form)));
    found.ok_or_else(|| UnknownItem {
        given: name.trim().to_owned(),
        nearest: nearest(&forms),
    })
}

fn plain(name: &str) -> String {
    let lower = name.trim().to_lowercase();
    let lower = lower.strip_prefix("minecraft:").unwrap_or(&lower);
    let words: Vec<&str> = lower
        .split([' ', '-', '_', '\t'])
        .filter(|word| !word.is_empty())
        .collect();
    words.join("_")
}

/// The item of that name or alias. A family's own name is not an item's: `#planks` has no alias
/// of its own spelling, so that exact items always win.
fn exact(form: &str) -> Option<ItemSpec> {
    if let Some(item) = ItemId::named(form) {
        return Some(item.into());
    }
    let (_, meant) = ALIASES.iter().find(|(said, _)| *said == form)?;
    meant.parse().ok()
}

fn family(form: &str) -> Option<ItemSpec> {
    FamilyId::named(form)
        .or_else(|| FamilyId::named(&format!("{form}s")))
        .map(ItemSpec::from)
}

/// `wood_pick` as `wooden_pickaxe`, if that changes anything.
fn respelled(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('_').collect();
    // `wood` alone is an alias, and a last `gold` is no adjective.
    let respell = |(at, part): (usize, &&str)| -> String {
        let adjective = matches!(*part, "gold" | "wood");
        let other = WORDS
            .iter()
            .find(|(said, _)| *said == *part || (!adjective && format!("{said}s") == *part));
        match other {
            Some((_, meant)) if !adjective || (at == 0 && parts.len() > 1) => (*meant).to_owned(),
            _ => (*part).to_owned(),
        }
    };
    let other = parts
        .iter()
        .enumerate()
        .map(respell)
        .collect::<Vec<_>>()
        .join("_");
    (other != name).then_some(other)
}

/// The name as it stands, then with other endings.
fn endings(name: &str) -> Vec<String> {
    let mut forms = vec![name.to_owned()];
    if let Some(stem) = name.strip_suffix("ves") {
        forms.push(format!("{stem}f"));
    }
    if let Some(stem) = name.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    }
    if let Some(stem) = name.strip_suffix("es") {
        forms.push(stem.to_owned());
    }
    if let Some(stem) = name.strip_suffix('s') {
        forms.push(stem.to_owned());
    }
    // "blocks of iron", "buckets of water": the plural is in the first word.
    if let Some((first, rest)) = name.split_once("_of_") {
        let first = first.strip_suffix('s').unwrap_or(first);
        forms.push(format!("{rest}_{first}"));
        forms.push(rest.to_owned());
    }
    // Some items are plural themselves: an oak plank is oak_planks.
    forms.push(format!("{name}s"));
    forms
}

fn nearest(forms: &[String]) -> Vec<&'static str> {
    let of_form = |form: &String| {
        let items = ItemId::nearest(form);
        if items.is_empty() {
            FamilyId::nearest(form)
        } else {
            items
        }
    };
    forms
        .iter()
        .map(of_form)
        .find(|names| !names.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, expected: &str) {
        assert_eq!(
            named(words).map(|spec| spec.to_string()),
            Ok(expected.to_owned()),
            "{words}"
        );
    }

    #[test]
    fn exact_names_win_over_aliases_and_families() {
        for (words, expected) in [
            ("iron_pickaxe", "iron_pickaxe"),
            ("minecraft:oak_log", "oak_log"),
            ("Iron Pickaxe", "iron_pickaxe"),
            ("oak wood", "oak_wood"),
            ("sand", "sand"),
            ("terracotta", "terracotta"),
            ("#sand", "#sand"),
            ("stone", "stone"),
        ] {
            check(words, expected);
        }
    }

    #[test]
    fn words_of_people_are_understood() {
        for (words, expected) in [
            ("logs", "#logs"),
            ("log", "#logs"),
            ("wood", "#logs"),
            ("planks", "#planks"),
            ("wooden pick", "wooden_pickaxe"),
            ("wood pickaxe", "wooden_pickaxe"),
            ("gold swords", "golden_sword"),
            ("gold ore", "gold_ore"),
            ("gold ingots", "gold_ingot"),
            ("iron picks", "iron_pickaxe"),
            ("torches", "torch"),
            ("diamonds", "diamond"),
            ("sticks", "stick"),
            ("leaves", "#leaves"),
            ("beds", "#beds"),
            ("bucket of water", "water_bucket"),
            ("pieces of coal", "coal"),
            ("wool", "#wool"),
            ("bookshelves", "bookshelf"),
            ("iron bars", "iron_bars"),
            ("cobble", "cobblestone"),
            ("oak plank", "oak_planks"),
            ("stone brick", "stone_bricks"),
        ] {
            check(words, expected);
        }
    }

    #[test]
    fn unknown_words_are_answered_with_the_nearest() {
        assert_eq!(named("iron_pickax").unwrap_err().nearest, ["iron_pickaxe"]);
        assert_eq!(named("pickaxe").unwrap_err().nearest.len(), 3);
        assert!(
            named("flying carpet machine")
                .unwrap_err()
                .nearest
                .is_empty()
        );
    }

    #[test]
    fn every_alias_names_something() {
        for (said, meant) in ALIASES {
            assert!(meant.parse::<ItemSpec>().is_ok(), "{said} -> {meant}");
            assert!(ItemId::named(said).is_none(), "{said} is an item itself");
        }
    }
}
