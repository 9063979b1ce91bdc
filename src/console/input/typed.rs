//! Commands that are typed in full in the palette: a command of the table, and the words behind its name.

use crate::input::bindings::ROWS;
use crate::input::keys::{Argument, Binding};

/// A command as it is typed.
#[derive(Debug, Clone, Copy)]
pub struct TypedCommand<'a> {
    pub row: &'static Binding,
    pub argument: Argument,
    /// The name as it was typed.
    pub name: &'a str,
    /// The words behind it.
    pub words: &'a str,
}

/// Names that `pithead tell` knows besides those of the table.
const OTHER_NAMES: [(&str, &str); 1] = [("withdraw", "takeback")];

/// Reads a command with the words behind its name; none while a command is looked for by its letters.
#[must_use]
pub fn parse_typed(text: &str) -> Option<TypedCommand<'_>> {
    let (name, words) = text.trim_start().split_once(' ')?;
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    let id = other.map_or(name, |(_, id)| id);
    let row = ROWS.iter().find(|row| row.name == id)?;
    Some(TypedCommand {
        row,
        argument: row.argument?,
        name,
        words,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_by_its_name_and_the_rest_is_its_argument() {
        for (text, id, argument, words) in [
            (
                "act mine oak_log 3",
                "act",
                Argument::Action,
                "mine oak_log 3",
            ),
            (
                "  limit ticks 24000",
                "limit",
                Argument::Steering,
                "ticks 24000",
            ),
            ("withdraw sg_12", "takeback", Argument::Steering, "sg_12"),
            ("retry sg_3", "retry", Argument::Steering, "sg_3"),
            ("break tick 9", "break", Argument::Breakpoint, "tick 9"),
        ] {
            let typed = parse_typed(text).unwrap();
            let read = (typed.row.name, typed.argument, typed.words);
            assert_eq!(read, (id, argument, words));
        }
        for text in ["act", "actor mine", "pause now", "breaks 3", ""] {
            assert!(parse_typed(text).is_none(), "{text}");
        }
    }
}
