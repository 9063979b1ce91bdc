//! Names: items that a plan or a person names almost right, settled on the one clearly meant.
//!
//! Exact names and aliases are the reader's business; what it would refuse is compared here as points
//! made of letter triples, which a wrong letter moves little and another word moves far.
//! Invariant: below the threshold, or with a rival near, nothing is changed.

use crate::domain::plan::item_words;
use crate::domain::plan::task::{Task, TaskError};
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::item::ItemId;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Likeness from which a name is taken for another: one letter wrong in a name of ten passes, two
/// do not.
const LIKE_MIN: f64 = 0.76;
/// By so much the best must be ahead of the second.
const LEAD_MIN: f64 = 0.06;
/// What a form is worth from which a letter was taken.
const SINGULAR: f64 = 0.95;
/// Letters of a name that are looked at.
const LETTERS_MAX: usize = 64;
/// Fields of PlanJSON that name items.
const ITEM_FIELDS: [&str; 5] = ["item", "object", "material", "tool", "name"];
/// Plans are not deeper.
const DEPTH_MAX: usize = 8;

/// How often each letter triple occurs.
type Place = BTreeMap<[char; 3], u32>;

/// Every name there is, with its place.
static PLACES: LazyLock<Vec<(&'static str, Place)>> = LazyLock::new(|| {
    let items = ItemId::all().map(ItemId::name);
    let families = FamilyId::all().map(FamilyId::name);
    items
        .chain(families)
        .map(|name| (name, place(name)))
        .collect()
});

fn place(name: &str) -> Place {
    let name = name.trim().to_lowercase();
    let name = name
        .trim_start_matches("minecraft:")
        .trim_start_matches('#');
    let inner = name.chars().take(LETTERS_MAX);
    let letters: Vec<char> = std::iter::once('<')
        .chain(inner.map(|c| if matches!(c, '_' | '-') { ' ' } else { c }))
        .chain(std::iter::once('>'))
        .collect();
    let mut place = Place::new();
    for triple in letters.windows(3) {
        *place.entry([triple[0], triple[1], triple[2]]).or_default() += 1;
    }
    place
}

/// The cosine of the angle between two places.
fn likeness(a: &Place, b: &Place) -> f64 {
    let square = |place: &Place| place.values().map(|n| f64::from(n * n)).sum::<f64>();
    let shared: f64 = a
        .iter()
        .filter_map(|(triple, n)| Some(f64::from(n * b.get(triple)?)))
        .sum();
    let whole = (square(a) * square(b)).sqrt();
    if whole > 0.0 { shared / whole } else { 0.0 }
}

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

/// The task that a person's words ask for; what was read by likeness stands in its note.
pub fn task(words: &str) -> Result<Task, TaskError> {
    Task::parse_by(words, |name| {
        let (meant, like) = nearest(name)?;
        Some((
            meant,
            format!("`{name}` taken for {meant} (likeness {like:.2})"),
        ))
    })
}

/// The item or family that these words are most like, and how much; none if that is in doubt.
#[must_use]
pub fn nearest(words: &str) -> Option<(ItemSpec, f64)> {
    // The game's names are in the singular, people's often are not.
    let words = words.trim();
    let singular = words.strip_suffix('s').unwrap_or(words);
    let forms = [(place(words), 1.0), (place(singular), SINGULAR)];
    let mut best: Option<(&str, f64)> = None;
    let mut second = f64::MIN;
    for (name, place) in PLACES.iter() {
        let like = forms
            .iter()
            .map(|(form, worth)| likeness(form, place) * worth)
            .fold(0.0, f64::max);
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
