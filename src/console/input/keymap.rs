//! The keymap: the command table with the operator's own keys put over it.
//!
//! The file is TOML: `[keys]`, then `name = "key"` or `name = ["key", "key"]` with the names of the
//! table. Invariant: in one context a key stands for one command; a file that breaks this is refused
//! with all its conflicts.

use crate::input::bindings::ROWS;
use crate::input::keys::{Binding, Key, Scope, contexts};
use crate::msg::Msg;
use pithead_core::text::nearest::nearest_names;
use ratatui::crossterm::event::KeyEvent;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which keys each row of the table has.
#[derive(Debug, Clone)]
pub struct Keymap(Arc<Vec<Vec<Key>>>);

/// What is wrong with a file of keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct KeymapError(pub Vec<String>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default)]
    keys: BTreeMap<String, OneOrMore>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl Default for Keymap {
    fn default() -> Self {
        Self(Arc::new(ROWS.iter().map(|row| row.keys.to_vec()).collect()))
    }
}

impl Keymap {
    /// The table with the keys of a file put over it.
    pub fn parse(text: &str) -> Result<Self, KeymapError> {
        let wire: Wire =
            toml::from_str(text).map_err(|error| KeymapError(vec![error.message().to_owned()]))?;
        let mut rows: Vec<Vec<Key>> = Self::default().0.to_vec();
        let mut faults = Vec::new();
        for (name, keys) in &wire.keys {
            let keys = match keys {
                OneOrMore::One(key) => std::slice::from_ref(key),
                OneOrMore::More(keys) => keys,
            };
            let Some(at) = ROWS.iter().position(|row| row.name == name) else {
                faults.push(unknown(name));
                continue;
            };
            let mut read = Vec::new();
            for key in keys {
                match key.parse() {
                    Ok(key) => read.push(key),
                    Err(fault) => faults.push(format!("{name}: {fault}")),
                }
            }
            rows[at] = read;
        }
        let map = Self(Arc::new(rows));
        faults.extend(map.conflicts());
        if faults.is_empty() {
            Ok(map)
        } else {
            Err(KeymapError(faults))
        }
    }

    /// The rows of these scopes with their keys, in the order of the scopes.
    pub fn rows<'a>(
        &'a self,
        scopes: &[Scope],
    ) -> impl Iterator<Item = (&'static Binding, &'a [Key])> {
        scopes.iter().flat_map(move |scope| {
            let rows = ROWS.iter().zip(self.0.iter());
            rows.filter(move |(row, _)| row.scope == *scope)
                .map(|(row, keys)| (row, keys.as_slice()))
        })
    }

    /// What a key press means in these scopes.
    #[must_use]
    pub fn lookup(&self, scopes: &[Scope], event: &KeyEvent) -> Option<Msg> {
        let key = Key::from_event(event);
        let mut rows = self.rows(scopes);
        rows.find(|(_, keys)| keys.contains(&key))
            .map(|(row, _)| row.msg)
    }

    /// Keys that stand for two commands in one context, and contexts without a way out.
    fn conflicts(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for context in contexts() {
            let mut seen: BTreeMap<String, &str> = BTreeMap::new();
            for (row, keys) in self.rows(&context) {
                for key in keys {
                    if let Some(other) = seen.insert(key.name(), row.name)
                        && other != row.name
                    {
                        faults.push(format!(
                            "`{}` is a key of `{other}` and for `{}`",
                            key.name(),
                            row.name
                        ));
                    }
                }
            }
        }
        for row in ROWS {
            let keys = &self.0[ROWS.iter().position(|r| r.name == row.name).unwrap_or(0)];
            let is_way_out = matches!(row.msg, Msg::Quit | Msg::Back | Msg::Submit | Msg::Yes);
            if is_way_out && keys.is_empty() {
                faults.push(format!("`{}` needs a key: it is a way out", row.name));
            }
        }
        faults.sort();
        faults.dedup();
        faults
    }
}

fn unknown(name: &str) -> String {
    let close = nearest_names(name, ROWS.iter().map(|row| row.name));
    let hint = match close.is_empty() {
        true => "docs/REFERENCE.md lists them".to_owned(),
        false => format!("did you mean {}?", close.join(", ")),
    };
    format!("there is no command `{name}`; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_itself_has_no_conflicts() {
        assert_eq!(Keymap::default().conflicts(), Vec::<String>::new());
    }

    #[test]
    fn own_keys_take_the_place_of_those_of_the_table() {
        let map = Keymap::parse("[keys]\npause = \"p\"\nstep = [\"ctrl-n\", \"x\"]").unwrap();
        let keys = |name: &str| {
            let mut rows = map.rows(&[Scope::Live]);
            rows.find(|(row, _)| row.name == name)
                .map(|(_, keys)| keys.iter().map(|key| key.name()).collect::<Vec<_>>())
                .unwrap()
        };
        assert_eq!(keys("pause"), ["p"]);
        assert_eq!(keys("step"), ["ctrl-n", "x"]);
        assert_eq!(keys("abort"), ["A"]);
    }

    #[test]
    fn every_fault_of_a_file_is_reported() {
        let text = "[keys]\npause = \"q\"\nstepp = \"x\"\nstep = \"hyper-x\"\nquit = []";
        let faults = Keymap::parse(text).unwrap_err().0;
        let has = |part: &str| faults.iter().any(|fault| fault.contains(part));
        assert!(has("did you mean step?"), "{faults:?}");
        assert!(has("`hyper-x` is not a key"), "{faults:?}");
        assert!(has("`quit` needs a key"), "{faults:?}");
        let twice = Keymap::parse("[keys]\npause = \"q\"").unwrap_err().0;
        assert_eq!(twice, ["`q` is a key of `pause` and for `quit`"]);
    }
}
