//! Choosing the columns of the list in sight; each change holds at once.

use crate::msg::{Motion, Msg};
use crate::shell::Cover;
use crate::update::Hands;
use crate::widgets::scroll::moved;
use crate::widgets::table::columns::Choice;

pub(crate) fn open(hands: &mut Hands<'_>) {
    if let Some((list, table)) = hands.shell.list_with(hands.desk) {
        let choice = Choice::of(list, table);
        hands.shell.cover = Cover::Columns(choice);
    }
}

/// A message while columns are chosen.
pub(crate) fn on(hands: &mut Hands<'_>, mut choice: Choice, msg: Msg) {
    match msg {
        Msg::Move(motion @ (Motion::Left | Motion::Right)) => {
            choice.shift(motion == Motion::Right);
        }
        Msg::Move(motion) => choice.at = moved(choice.at, choice.columns.len(), 1, motion),
        Msg::Mark if !choice.toggle() => hands.shell.refuse("one column stays in sight"),
        Msg::Mark => (),
        Msg::Remove => {
            // All of them, as the table has them.
            if let Some((list, table)) = hands.shell.list_with(hands.desk) {
                list.columns.clear();
                choice = Choice::of(list, table);
            }
        }
        _ => return, // every other row closes it
    }
    if let Some((list, table)) = hands.shell.list_with(hands.desk) {
        choice.apply(list, table);
    }
    hands.shell.cover = Cover::Columns(choice);
}
