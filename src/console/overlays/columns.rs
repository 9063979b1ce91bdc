//! Choosing the columns of the list in sight; each change holds at once.

use crate::context::Context;
use crate::msg::Msg;
use crate::shell::Cover;
use crate::widgets::scroll::Motion;
use crate::widgets::scroll::moved;
use crate::widgets::table::columns::ColumnChoice;

pub(crate) fn open(context: &mut Context<'_>) {
    if let Some((list, table)) = context.shell.list_with(context.cache) {
        let choice = ColumnChoice::of(list, table);
        context.shell.cover = Cover::Columns(choice);
    }
}

/// A message while columns are chosen.
pub(crate) fn on(context: &mut Context<'_>, mut choice: ColumnChoice, msg: Msg) {
    match msg {
        Msg::Move(motion @ (Motion::Left | Motion::Right)) => {
            choice.shift(motion == Motion::Right);
        }
        Msg::Move(motion) => choice.at = moved(choice.at, choice.columns.len(), 1, motion),
        Msg::Mark if !choice.toggle() => context.shell.refuse("one column stays in sight"),
        Msg::Mark => (),
        Msg::Remove => {
            // All of them, as the table has them.
            if let Some((list, table)) = context.shell.list_with(context.cache) {
                list.columns.clear();
                choice = ColumnChoice::of(list, table);
            }
        }
        _ => return, // every other row closes it
    }
    if let Some((list, table)) = context.shell.list_with(context.cache) {
        choice.apply(list, table);
    }
    context.shell.cover = Cover::Columns(choice);
}
