//! What a body begins with, where an operator gives it something: a declared aid.
//!
//! Invariant: what is given fits into the inventory of a player, or the world is not made.

use crate::counts::{Counts, CountsError};
use crate::inventory::{SLOTS, Slots, Stack};
use crate::item::ItemId;
use crate::naming::UnknownName;

/// Why a body cannot begin with this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Item(#[from] UnknownName),
    #[error(transparent)]
    Counts(#[from] CountsError),
    #[error("'{entry}' is not an item with its count; write `4 oak_log, 1 crafting_table`")]
    Form { entry: String },
    #[error("'{entry}' names a family; name one item of it, such as oak_log for #logs")]
    Family { entry: String },
    #[error("'{count}' is not a count for {item}; it must be a whole number from 1 on")]
    Number { item: ItemId, count: String },
    #[error("{item} is listed twice")]
    Twice { item: ItemId },
    #[error(
        "{count} {item} do not fit: an inventory has {SLOTS} slots, and a slot holds {} of it",
        item.facts().stack_max
    )]
    TooMany { item: ItemId, count: u32 },
}

/// Reads `4 oak_log, 1 crafting_table`; `oak_log=4` is read too.
pub fn parse_start_inventory(text: &str) -> Result<Counts, StartError> {
    let mut given = Counts::default();
    for entry in text.split(',').map(str::trim) {
        let (item, count) = read_entry(entry)?;
        if given.count(item) > 0 {
            return Err(StartError::Twice { item });
        }
        given.add(item, count);
    }
    check_room(&given)?;
    Ok(given)
}

fn read_entry(entry: &str) -> Result<(ItemId, u32), StartError> {
    let form = || StartError::Form {
        entry: entry.to_owned(),
    };
    let (count, name) = match entry.split_once('=') {
        Some((name, count)) => (count.trim(), name.trim()),
        None => entry.split_once(char::is_whitespace).ok_or_else(form)?,
    };
    let name = name.trim();
    if name.starts_with('#') {
        return Err(StartError::Family {
            entry: entry.to_owned(),
        });
    }
    let item: ItemId = name.parse()?;
    match count.parse() {
        Ok(0) | Err(_) => Err(StartError::Number {
            item,
            count: count.to_owned(),
        }),
        Ok(count) => Ok((item, count)),
    }
}

/// Whether all of it fits into an empty inventory.
pub fn check_room(given: &Counts) -> Result<(), StartError> {
    let mut slots = Slots::with_size(SLOTS);
    for (item, count) in given.iter() {
        if slots.add(Stack::new(item, count)).is_some() {
            return Err(StartError::TooMany { item, count });
        }
    }
    Ok(())
}

/// As people write it: `4 oak_log, 1 crafting_table`.
#[must_use]
pub fn start_inventory_text(given: &Counts) -> String {
    let entries = given.iter().map(|(item, count)| format!("{count} {item}"));
    entries.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_read_in_both_forms_and_written_in_one() {
        let given = parse_start_inventory("4 oak_log,  1 crafting_table").unwrap();
        assert_eq!(given, "oak_log=4,crafting_table=1".parse().unwrap());
        assert_eq!(
            given,
            parse_start_inventory("crafting_table=1, oak_log=4").unwrap()
        );
        assert_eq!(
            parse_start_inventory(&start_inventory_text(&given)).unwrap(),
            given
        );
    }

    #[test]
    fn what_cannot_be_given_is_refused_with_what_to_write_instead() {
        let refused = |text: &str| parse_start_inventory(text).unwrap_err().to_string();
        let cases = [
            ("4 oak_lgo", "unknown item 'oak_lgo'; did you mean oak_log?"),
            ("oak_log", "write `4 oak_log, 1 crafting_table`"),
            ("", "write `4 oak_log, 1 crafting_table`"),
            ("4 oak_log,", "write `4 oak_log, 1 crafting_table`"),
            ("0 oak_log", "'0' is not a count for oak_log"),
            ("-1 oak_log", "'-1' is not a count"),
            ("99999999999 oak_log", "is not a count"),
            ("some oak_log", "'some' is not a count"),
            ("4 #logs", "name one item of it"),
            ("1 stick, 2 stick", "stick is listed twice"),
            ("2305 oak_log", "a slot holds 64 of it"),
            ("37 iron_pickaxe", "36 slots, and a slot holds 1 of it"),
            ("36 iron_pickaxe, 1 stick", "do not fit"),
        ];
        for (text, expected) in cases {
            let said = refused(text);
            assert!(said.contains(expected), "{text}: {said}");
        }
        assert!(parse_start_inventory("2304 oak_log").is_ok());
    }
}
