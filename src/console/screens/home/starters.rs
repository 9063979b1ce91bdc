//! Three things to start with, for someone who opens the console for the first time.

use crate::screens::home::table::plain_row;
use crate::theme::Role;
use crate::widgets::table::{Cell, ListItem, TableRow};

/// What to type into the form, and what one sees then.
const STARTERS: [(&str, &str, &str); 2] = [
    (
        "craft a wooden pickaxe",
        "a first look",
        "done within a minute: a plan, its steps, a first skill",
    ),
    (
        "craft an iron pickaxe",
        "the whole loop",
        "failures and their causes, a new plan that asks you, guardrails to decide about",
    ),
];

/// The words of one of them.
#[must_use]
pub fn words(at: usize) -> Option<&'static str> {
    STARTERS.get(at).map(|(words, ..)| *words)
}

pub(super) fn rows() -> Vec<TableRow> {
    let starters = STARTERS
        .iter()
        .enumerate()
        .map(|(at, (words, name, about))| {
            plain_row(
                ListItem::Starter(at),
                Cell::text(Role::Key, "start"),
                Cell::text(Role::Text, *name),
                Cell::text(Role::Text, format!("{words} · {about}")),
            )
        });
    let own = plain_row(
        ListItem::New,
        Cell::text(Role::Key, "start"),
        Cell::text(Role::Text, "your own words"),
        Cell::text(
            Role::Text,
            "type what is to be had, for example 2 beef and a bed",
        ),
    );
    starters.chain([own]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::agent::names::task_from_words;

    #[test]
    fn each_of_them_can_be_started_as_it_is() {
        for (words, ..) in STARTERS {
            assert!(task_from_words(words).is_ok(), "{words}");
        }
        assert!(task_from_words("2 beef and a bed").is_ok());
    }
}
