//! Names and the ids that stand for them: parsing with a did-you-mean, text and serde forms.
//!
//! Invariant: an id is written as its name and read back from it, so stored data survives a change of table order.

use std::fmt;

/// How many suggestions a message carries; more is noise.
const SUGGESTIONS_MAX: usize = 3;

/// A name that no table knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{given}'{}", Suggestion(.nearest))]
pub struct UnknownName {
    pub what: &'static str,
    pub given: String,
    pub nearest: Vec<&'static str>,
}

struct Suggestion<'a>(&'a [&'static str]);

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, "; did you mean {}?", self.0.join(", "))
    }
}

/// Names come with or without the game's namespace.
#[must_use]
pub fn without_namespace(name: &str) -> &str {
    name.strip_prefix("minecraft:").unwrap_or(name)
}

/// The form of a noun, or of a noun with its verb, that follows a count.
#[must_use]
pub fn noun(count: u64, one: &'static str, more: &'static str) -> &'static str {
    if count == 1 { one } else { more }
}

/// A noun with `a` or `an` before it, by the first letter; the game's names have no silent ones.
#[must_use]
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// The names closest to `given` by edit distance, best first; none if all are far off.
#[must_use]
pub fn nearest(given: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let given = without_namespace(given)
        .trim()
        .to_lowercase()
        .replace([' ', '-'], "_");
    // One typing error in three letters: more would suggest names that only happen to be as short.
    let limit = (given.len() / 3).clamp(1, 4);
    let letters = given.chars().count();
    let mut close: Vec<(usize, &'static str)> = names
        .filter_map(|name| {
            // A name that contains what was typed is what people mean most often ("pickaxe").
            let small = name.to_lowercase();
            let contains = given.len() >= 3 && small.contains(given.as_str());
            // Counting edits takes the product of both lengths, and what was given may be a megabyte.
            let is_like = letters.abs_diff(small.chars().count()) <= limit;
            let distance = is_like.then(|| strsim::levenshtein(&given, &small));
            let distance = distance.filter(|distance| *distance <= limit);
            let distance = distance.or_else(|| contains.then_some(limit));
            distance.map(|distance| (distance, name))
        })
        .collect();
    close.sort_by_key(|(distance, name)| (*distance, name.len()));
    close
        .into_iter()
        .take(SUGGESTIONS_MAX)
        .map(|(_, name)| name)
        .collect()
}

/// Text and serde forms for an id that has `named(&str) -> Option<Self>`, `name()` and `nearest(&str)`.
macro_rules! named_id {
    ($id:ty, $what:literal) => {
        impl std::fmt::Display for $id {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::fmt::Debug for $id {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $id {
            type Err = $crate::naming::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::named(text).ok_or_else(|| $crate::naming::UnknownName {
                    what: $what,
                    given: text.to_owned(),
                    nearest: Self::nearest(text),
                })
            }
        }

        $crate::naming::serde_as_text!($id);
    };
}

/// Serde through `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($id:ty) => {
        impl serde::Serialize for $id {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $id {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text =
                    <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use named_id;
pub(crate) use serde_as_text;

/// Reads one of the tables compiled into the program.
///
/// # Panics
/// If the table is malformed; a test reads every table, so this cannot reach a user.
pub(crate) fn table<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> T {
    serde_json::from_str(text)
        .unwrap_or_else(|error| panic!("world/data/{file} does not read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_answered_with_the_name_that_was_meant() {
        let names = ["oak_log", "oak_leaves", "iron_pickaxe", "stone_pickaxe"];
        assert_eq!(nearest("oak_lgo", names.into_iter()), ["oak_log"]);
        assert_eq!(
            nearest("Iron Pickaxe", names.into_iter())[0],
            "iron_pickaxe"
        );
        assert_eq!(
            nearest("pickaxe", names.into_iter()),
            ["iron_pickaxe", "stone_pickaxe"]
        );
        assert!(nearest("xyzzy", names.into_iter()).is_empty());
    }

    /// Found by fuzzing: an import with a name of a megabyte took half a minute. Were edits counted, this
    /// would not end.
    #[test]
    fn a_name_of_any_length_is_answered_at_once() {
        let long = "q".repeat(16 << 20);
        let names = std::iter::repeat_n("oak_log", 2_000);
        assert!(nearest(&long, names).is_empty());
    }

    #[test]
    fn the_message_says_what_was_unknown() {
        let error = UnknownName {
            what: "item",
            given: "oak_lgo".into(),
            nearest: vec!["oak_log"],
        };
        assert_eq!(
            error.to_string(),
            "unknown item 'oak_lgo'; did you mean oak_log?"
        );
    }
}
