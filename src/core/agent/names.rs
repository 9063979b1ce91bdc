//! Names: misspelt item names in plans and tasks, replaced by the item that is clearly meant.
//!
//! Exact names and aliases are resolved elsewhere. A name that would be refused is compared by its letter
//! triples, of which a wrong letter changes few and another word many.
//! Invariant: below the threshold, or with a second item close behind, nothing is changed.

use crate::domain::plan::item_words;
use crate::domain::plan::task::{Task, TaskError};
use crate::text::clean::clean_excerpt;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::item::ItemId;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Characters of an unknown name that a note quotes: the longest of the game has 34.
const NAME_CHARS_MAX: usize = 40;

/// The least similarity: one wrong letter in a name of ten passes, two do not.
const SIMILARITY_MIN: f64 = 0.76;
/// By so much the best must lead the second, or the name is ambiguous.
const LEAD_MIN: f64 = 0.06;
/// The weight of the singular, so that an exact plural of one item goes before another item's singular.
const SINGULAR: f64 = 0.95;
/// Characters of a name that are compared; no item has a longer name.
const LETTERS_MAX: usize = 64;
/// Fields of PlanJSON that name items.
const ITEM_FIELDS: [&str; 5] = ["item", "object", "material", "tool", "name"];
/// Plans are not nested more deeply.
/// A bound for hostile plans; PlanJSON nests less.
const DEPTH_MAX: usize = 8;

/// How often each letter triple occurs.
type Triples = BTreeMap<[char; 3], u32>;

/// Every name of an item or a family, with its letter triples.
static NAMES: LazyLock<Vec<(&'static str, Triples)>> = LazyLock::new(|| {
    let items = ItemId::all().map(ItemId::name);
    let families = FamilyId::all().map(FamilyId::name);
    items
        .chain(families)
        .map(|name| (name, letter_triples(name)))
        .collect()
});

fn letter_triples(name: &str) -> Triples {
    let name = name.trim().to_lowercase();
    let name = name
        .trim_start_matches("minecraft:")
        .trim_start_matches('#');
    let inner = name.chars().take(LETTERS_MAX);
    // Marks for begin and end, so that the first and the last letter count as much as the
    // others.
    let letters: Vec<char> = std::iter::once('<')
        .chain(inner.map(|c| if matches!(c, '_' | '-') { ' ' } else { c }))
        .chain(std::iter::once('>'))
        .collect();
    let mut triples = Triples::new();
    for triple in letters.windows(3) {
        *triples
            .entry([triple[0], triple[1], triple[2]])
            .or_default() += 1;
    }
    triples
}

/// The cosine of the angle between the two vectors of counts.
fn similarity(a: &Triples, b: &Triples) -> f64 {
    let square = |triples: &Triples| triples.values().map(|n| f64::from(n * n)).sum::<f64>();
    let shared: f64 = a
        .iter()
        .filter_map(|(triple, n)| Some(f64::from(n * b.get(triple)?)))
        .sum();
    let whole = (square(a) * square(b)).sqrt();
    if whole > 0.0 { shared / whole } else { 0.0 }
}

/// Corrects the names in a plan; one sentence for each that was changed.
pub(super) fn correct_names(plan: &mut Value) -> Vec<String> {
    let mut repairs = Vec::new();
    correct_names_below(plan, &mut repairs, 0);
    repairs
}

fn correct_names_below(value: &mut Value, repairs: &mut Vec<String>, depth: usize) {
    if depth > DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                match field {
                    Value::String(name) if ITEM_FIELDS.contains(&key.as_str()) => {
                        repairs.extend(correct_name(name));
                    }
                    other => correct_names_below(other, repairs, depth + 1),
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| correct_names_below(item, repairs, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn correct_name(name: &mut String) -> Option<String> {
    if name.trim().is_empty() || item_words::named(name).is_ok() {
        // A name that is known stays as it is, however close another one is.
        return None;
    }
    let (meant, score) = nearest_item(name)?;
    let repairs = format!(
        "`{}` read as {meant} (similarity {score:.2})",
        clean_excerpt(name, NAME_CHARS_MAX)
    );
    *name = meant.to_string();
    Some(repairs)
}

/// The task that a person's words ask for; a corrected name is reported in its note.
pub fn task_from_words(words: &str) -> Result<Task, TaskError> {
    Task::parse_by(words, |name| {
        let (meant, score) = nearest_item(name)?;
        Some((
            meant,
            format!("`{name}` read as {meant} (similarity {score:.2})"),
        ))
    })
}

/// The item or family with the most similar name, and the similarity; none if that is in doubt.
#[must_use]
pub fn nearest_item(words: &str) -> Option<(ItemSpec, f64)> {
    // The game's names are in the singular, people's often are not.
    let words = words.trim();
    let singular = words.strip_suffix('s').unwrap_or(words);
    let forms = [
        (letter_triples(words), 1.0),
        (letter_triples(singular), SINGULAR),
    ];
    let mut best: Option<(&str, f64)> = None;
    let mut second = f64::MIN;
    for (name, triples) in NAMES.iter() {
        let score = forms
            .iter()
            .map(|(form, worth)| similarity(form, triples) * worth)
            .fold(0.0, f64::max);
        match best {
            Some((_, leader)) if score <= leader => second = second.max(score),
            _ => {
                second = best.map_or(second, |(_, leader)| leader.max(second));
                best = Some((name, score));
            }
        }
    }
    let (name, score) = best?;
    let is_clear = score >= SIMILARITY_MIN && score - second >= LEAD_MIN;
    is_clear
        .then(|| Some((name.parse().ok()?, score)))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_misspelt_name_is_corrected_and_reported() {
        let mut plan = json!({"subgoals":[{"goal":{"object":"iron_pickaxee","tool":"wood"},
            "checks":[{"check":"inv_ge","item":"craftingtable_"}]}]});
        let repairs = correct_names(&mut plan);
        assert_eq!(plan["subgoals"][0]["goal"]["object"], "iron_pickaxe");
        assert_eq!(plan["subgoals"][0]["goal"]["tool"], "wood");
        assert!(repairs[0].starts_with("`iron_pickaxee` read as iron_pickaxe (similarity "));
    }

    #[test]
    fn an_ambiguous_name_is_left_alone() {
        for words in ["pickaxe", "ore", "mystic orb", "copper pickaxe", "", "🦀"] {
            assert_eq!(nearest_item(words), None, "{words}");
        }
    }
}
