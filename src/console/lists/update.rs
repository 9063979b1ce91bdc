//! Update: what keys do on any list: moving, sorting, filtering, marking, choosing columns.
//!
//! What a row leads to is the matter of its screen; a screen hands on what it does not know itself.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::{Overlay, PageSubject};
use crate::screen::Screen;
use crate::screens::live;
use crate::widgets::scroll::{Motion, moved};
use crate::widgets::table::columns::ColumnChoice;
use pithead_core::text::numbers::count_with_noun;

/// Goes to a screen; says why if there is nothing to show there.
pub(crate) fn go_to_screen(context: &mut Context<'_>, screen: Screen) {
    if matches!(screen, Screen::Live | Screen::Debug) && !context.shell.has_run {
        context
            .shell
            .refuse("no run is open; ctrl-r starts one, 5 lists them all, enter opens one");
    } else {
        context.shell.go(screen);
    }
}

/// A message on a screen that is a list.
pub(crate) fn update_list(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let page = usize::from(context.shell.size.height / 2);
    let Some((list, table)) = context.shell.list_with(context.cache) else {
        context.shell.refuse("nothing has been read yet");
        return None;
    };
    match msg {
        Msg::Move(motion) => list.go(table, page, motion),
        Msg::Columns => {
            let choice = ColumnChoice::from_list(list, table);
            context.shell.open_overlay(Overlay::Columns(choice));
            return None;
        }
        Msg::Sort => list.sort_next(table),
        Msg::SortReverse => list.sort_reverse(),
        Msg::Mark => list.mark(table),
        Msg::MarkAll => list.mark_all(table),
        Msg::MarkRange => {
            let n = list.mark_range(table);
            let words = count_with_noun(n, "row is", "rows are");
            context
                .shell
                .say(format!("{words} marked, from the last mark to here"));
        }
        Msg::Filter => {
            let before = list.filter.clone();
            let text = before.clone();
            context.shell.open_overlay(Overlay::Filter { text, before });
        }
        Msg::Back if !list.filter.is_empty() => list.filter.clear(),
        Msg::Back if !list.marks.is_empty() => list.marks.clear(),
        Msg::Back => {
            context.shell.go_back();
            return None;
        }
        Msg::Open | Msg::Sheet => match list.item(table) {
            Some(item) => context.shell.open_page(PageSubject::Row(item)),
            None => context.shell.refuse("there is no row to open"),
        },
        _ => return None, // no other row holds on a list
    }
    if let Some((list, table)) = context.shell.list_with(context.cache)
        && let Err(because) = list.settle(table)
    {
        context.shell.refuse(because);
    }
    None
}

/// Shows only what fits a filter, in the list or among the events of the run in sight.
pub(crate) fn filter_list(context: &mut Context<'_>, text: String) {
    if context.shell.screen == Screen::Live {
        live::update::filter_events(context.shell, text);
    } else if let Some((list, table)) = context.shell.list_with(context.cache) {
        list.filter = text;
        if let Err(because) = list.settle(table) {
            context.shell.refuse(because);
        }
    }
}

/// A message while a filter is typed; it holds at once.
pub(crate) fn update_filter(context: &mut Context<'_>, text: String, before: String, msg: Msg) {
    let kept = match msg {
        Msg::Back => before,
        Msg::Submit => text,
        _ => return, // keys that move have no meaning in a line of text
    };
    context.shell.close_overlay();
    filter_list(context, kept);
}

/// A message while columns are chosen; each change holds at once.
pub(crate) fn update_columns(context: &mut Context<'_>, mut choice: ColumnChoice, msg: Msg) {
    match msg {
        Msg::Move(motion @ (Motion::Left | Motion::Right)) => {
            choice.shift(motion == Motion::Right);
        }
        Msg::Move(motion) => choice.at = moved(choice.at, choice.columns.len(), 1, motion),
        Msg::Mark if !choice.toggle() => context.shell.refuse("one column must stay visible"),
        Msg::Mark => (),
        Msg::Remove => {
            // All of them, as the table has them.
            if let Some((list, table)) = context.shell.list_with(context.cache) {
                list.columns.clear();
                choice = ColumnChoice::from_list(list, table);
            }
        }
        _ => return context.shell.close_overlay(), // every other row closes it
    }
    if let Some((list, table)) = context.shell.list_with(context.cache) {
        choice.apply(list, table);
    }
    context.shell.replace_overlay(Overlay::Columns(choice));
}
