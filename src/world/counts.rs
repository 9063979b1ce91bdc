//! How many of each item: the inventory as the mind sees it, without slots or wear.
//!
//! Text form `oak_log=3,stick=2`, JSON form `{"oak_log":3}`. Invariant: no entry is zero.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::naming::UnknownName;

// Shared until it is changed: every frame, sample and copy of a run's state holds several, and few of them differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counts(Arc<BTreeMap<ItemId, u32>>);

impl Counts {
    /// The number of pieces that `wanted` asks for.
    #[must_use]
    pub fn count(&self, wanted: impl Into<ItemSpec>) -> u32 {
        match wanted.into() {
            ItemSpec::Item(item) => self.0.get(&item).copied().unwrap_or(0),
            ItemSpec::Family(family) => family.members().iter().map(|item| self.count(*item)).sum(),
        }
    }

    pub fn add(&mut self, item: ItemId, count: u32) {
        if count > 0 {
            let held = Arc::make_mut(&mut self.0).entry(item).or_default();
            *held = held.saturating_add(count);
        }
    }

    /// Takes `count` pieces that `wanted` asks for, or nothing and answers false when there are fewer.
    pub fn remove(&mut self, wanted: impl Into<ItemSpec>, count: u32) -> bool {
        let wanted = wanted.into();
        if self.count(wanted) < count {
            return false;
        }
        let mut left = count;
        let entries = Arc::make_mut(&mut self.0);
        for item in wanted.members() {
            if let Some(held) = entries.get_mut(item) {
                let taken = left.min(*held);
                *held -= taken;
                left -= taken;
            }
        }
        entries.retain(|_, held| *held > 0);
        true
    }

    /// What has changed from `before` to `self`: gained positive, lost negative, unchanged absent.
    #[must_use]
    pub fn delta(&self, before: &Self) -> BTreeMap<ItemId, i64> {
        let items = self.0.keys().chain(before.0.keys());
        let change = |item: &ItemId| i64::from(self.count(*item)) - i64::from(before.count(*item));
        items
            .map(|item| (*item, change(item)))
            .filter(|(_, change)| *change != 0)
            .collect()
    }

    /// Pieces gained and lost since `before`, together.
    #[must_use]
    pub fn distance(&self, before: &Self) -> u64 {
        let (mut old, mut new) = (before.0.iter().peekable(), self.0.iter().peekable());
        let mut sum = 0;
        // Both run in the order of items: whatever is behind has no partner.
        loop {
            sum += u64::from(match (old.peek(), new.peek()) {
                (None, None) => return sum,
                (Some(a), Some(b)) if a.0 == b.0 => {
                    let change = a.1.abs_diff(*b.1);
                    old.next();
                    new.next();
                    change
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => *old.next().map_or(&0, |a| a.1),
                (_, _) => *new.next().map_or(&0, |b| b.1),
            });
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (ItemId, u32)> + '_ {
        self.0.iter().map(|(item, count)| (*item, *count))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All pieces together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().map(|count| u64::from(*count)).sum()
    }
}

impl FromIterator<(ItemId, u32)> for Counts {
    fn from_iter<I: IntoIterator<Item = (ItemId, u32)>>(entries: I) -> Self {
        let mut counts = Self::default();
        entries
            .into_iter()
            .for_each(|(item, count)| counts.add(item, count));
        counts
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<ItemId, u32>::deserialize(deserializer)
            .map(|counts| counts.into_iter().collect())
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (item, count)) in self.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{item}={count}")?;
        }
        Ok(())
    }
}

/// Why a list such as `oak_log=3,stick=2` was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountsError {
    #[error(transparent)]
    Item(#[from] UnknownName),
    #[error("'{entry}' is not of the form item=count")]
    Form { entry: String },
    #[error("'{count}' is not a count for {item}; it must be a whole number from 1 to 4294967295")]
    Number { item: ItemId, count: String },
    #[error("{item} is listed twice")]
    Twice { item: ItemId },
}

impl FromStr for Counts {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Self, CountsError> {
        let mut counts = Self::default();
        if text.trim().is_empty() {
            return Ok(counts);
        }
        for entry in text.split(',') {
            let (item, count) = read_entry(entry.trim())?;
            if counts.count(item) > 0 {
                return Err(CountsError::Twice { item });
            }
            counts.add(item, count);
        }
        Ok(counts)
    }
}

fn read_entry(entry: &str) -> Result<(ItemId, u32), CountsError> {
    let form = || CountsError::Form {
        entry: entry.to_owned(),
    };
    let (item, count) = entry.split_once('=').ok_or_else(form)?;
    let item: ItemId = item.trim().parse()?;
    let number = || CountsError::Number {
        item,
        count: count.trim().to_owned(),
    };
    match count.trim().parse() {
        Ok(0) | Err(_) => Err(number()),
        Ok(count) => Ok((item, count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Counts {
        text.parse().unwrap()
    }

    #[test]
    fn counts_read_and_write_both_forms() {
        let held = counts("stick=2, oak_log=3");
        assert_eq!(held.to_string(), "oak_log=3,stick=2");
        let json = serde_json::to_string(&held).unwrap();
        assert_eq!(json, r#"{"oak_log":3,"stick":2}"#);
        assert_eq!(serde_json::from_str::<Counts>(&json).unwrap(), held);
        assert!(counts("").is_empty());
    }

    #[test]
    fn a_bad_list_says_what_is_wrong() {
        let error = |text: &str| text.parse::<Counts>().unwrap_err().to_string();
        assert_eq!(
            error("oak_lgo=1"),
            "unknown item 'oak_lgo'; did you mean oak_log?"
        );
        assert_eq!(error("oak_log"), "'oak_log' is not of the form item=count");
        assert!(error("oak_log=three").starts_with("'three' is not a count for oak_log"));
        assert!(error("oak_log=0").starts_with("'0' is not a count"));
        assert_eq!(error("stick=1,stick=2"), "stick is listed twice");
        let json = serde_json::from_str::<Counts>(r#"{"oak_lgo":1}"#)
            .unwrap_err()
            .to_string();
        assert!(json.contains("did you mean oak_log"), "{json}");
    }

    #[test]
    fn families_are_counted_and_taken_together() {
        let mut held = counts("oak_log=3,birch_log=2");
        let logs: ItemSpec = "#logs".parse().unwrap();
        assert_eq!(held.count(logs), 5);
        assert!(!held.remove(logs, 6));
        assert!(held.remove(logs, 4));
        assert_eq!(held.to_string(), "birch_log=1");
    }

    #[test]
    fn a_copy_does_not_change_with_the_original() {
        let mut held = counts("oak_log=3");
        let before = held.clone();
        held.add(ItemId::named("stick").unwrap(), 2);
        assert!(held.remove(ItemId::named("oak_log").unwrap(), 1));
        assert_eq!(
            (before.to_string(), held.to_string()),
            ("oak_log=3".to_owned(), "oak_log=2,stick=2".to_owned())
        );
    }

    #[test]
    fn distance_is_the_size_of_delta() {
        for (before, after) in [
            ("", ""),
            ("", "stick=2"),
            ("stick=2,oak_log=3", "stick=1,oak_log=3,dirt=4"),
            ("dirt=1,torch=5", "stick=9"),
        ] {
            let (before, after) = (counts(before), counts(after));
            let sum = after
                .delta(&before)
                .values()
                .map(|by| by.unsigned_abs())
                .sum::<u64>();
            assert_eq!(after.distance(&before), sum);
            assert_eq!(before.distance(&after), sum);
        }
    }

    #[test]
    fn delta_tells_gains_and_losses() {
        let change = counts("oak_planks=4,stick=1").delta(&counts("oak_log=1,stick=1"));
        let written: Vec<String> = change
            .iter()
            .map(|(item, count)| format!("{item}{count:+}"))
            .collect();
        assert_eq!(written, ["oak_planks+4", "oak_log-1"]);
    }
}
