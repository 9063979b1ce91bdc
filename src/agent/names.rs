//! Names: items that a plan names almost right, settled on the one that is clearly meant.
//!
//! Exact names and aliases are the reader's business; here, what it would refuse is compared by the
//! likeness of embeddings. Invariant: below the threshold, or with a rival near, nothing is changed.

use crate::domain::item_words;
use crate::memory::{Embedding, embed};
use crate::world::family::{FamilyId, ItemSpec};
use crate::world::item::ItemId;
use serde_json::Value;
use std::sync::LazyLock;

/// Likeness from which a name is taken for another: one letter wrong in a name of ten passes, the
/// wrong material does not.
const LIKE_MIN: f64 = 0.70;
/// By so much the best must be ahead of the second.
const LEAD_MIN: f64 = 0.06;
/// Fields of PlanJSON that name items.
const ITEM_FIELDS: [&str; 5] = ["item", "object", "material", "tool", "name"];
/// Plans are not deeper.
const DEPTH_MAX: usize = 8;

/// Every name there is, with its place.
static PLACES: LazyLock<Vec<(&'static str, Embedding)>> = LazyLock::new(|| {
    let items = ItemId::all().map(ItemId::name);
    let families = FamilyId::all().map(FamilyId::name);
    items
        .chain(families)
        .map(|name| (name, embed(&spaced(name))))
        .collect()
});

/// Settles the names in a plan; one sentence for each that was changed.
pub(super) fn settle(plan: &mut Value) -> Vec<String> {
    let mut told = Vec::new();
    walk(plan, &mut told, 0);
    told
}

fn walk(value: &mut Value, told: &mut Vec<String>, depth: usize) {
    if depth > DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                match field {
                    Value::String(name) if ITEM_FIELDS.contains(&key.as_str()) => {
                        told.extend(resettle(name));
                    }
                    other => walk(other, told, depth + 1),
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| walk(item, told, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn resettle(name: &mut String) -> Option<String> {
    if name.trim().is_empty() || item_words::named(name).is_ok() {
        return None;
    }
    let (meant, like) = nearest(name)?;
    let told = format!("`{}` taken for {meant} (likeness {like:.2})", short(name));
    *name = meant.to_string();
    Some(told)
}

fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// The item or family that these words are most like, and how much; none if that is in doubt.
#[must_use]
pub fn nearest(words: &str) -> Option<(ItemSpec, f64)> {
    let wanted = embed(&spaced(words));
    let mut best: Option<(&str, f64)> = None;
    let mut second = f64::MIN;
    for (name, place) in PLACES.iter() {
        let like = wanted.cosine(place);
        match best {
            Some((_, leader)) if like <= leader => second = second.max(like),
            _ => {
                second = best.map_or(second, |(_, leader)| leader.max(second));
                best = Some((name, like));
            }
        }
    }
    let (name, like) = best?;
    let is_clear = like >= LIKE_MIN && like - second >= LEAD_MIN;
    is_clear.then(|| Some((name.parse().ok()?, like))).flatten()
}

fn spaced(name: &str) -> String {
    let name = name.trim().trim_start_matches("minecraft:");
    name.trim_start_matches('#').replace(['_', '-'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_almost_right_is_settled_and_told() {
        let mut plan = json!({"subgoals":[{"goal":{"object":"iron_pickaxee","tool":"wood"},
            "checks":[{"check":"inv_ge","item":"craftingtable_"}]}]});
        let told = settle(&mut plan);
        assert_eq!(plan["subgoals"][0]["goal"]["object"], "iron_pickaxe");
        assert_eq!(plan["subgoals"][0]["goal"]["tool"], "wood");
        assert!(told[0].starts_with("`iron_pickaxee` taken for iron_pickaxe (likeness "));
    }

    #[test]
    fn what_could_be_several_things_is_left_alone() {
        for words in ["pickaxe", "ore", "mystic orb", "copper pickaxe", "", "🦀"] {
            assert_eq!(nearest(words), None, "{words}");
        }
    }
}
