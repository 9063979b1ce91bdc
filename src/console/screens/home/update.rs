//! Update: what keys do on the Home screen.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::{Effect, InboxAction};
use crate::lists::update::{go_to_screen, update_list};
use crate::msg::Msg;
use crate::overlay::PageSubject;
use crate::overlays::new_run::{continue_run, open_form};
use crate::screen::Screen;
use crate::screens::home::form::FormContent;
use crate::screens::home::{starters, tasks};
use crate::shell::Shell;
use crate::widgets::table::ListItem;

/// One message on the list of what can be begun.
pub(crate) fn update_home(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let item = context.shell.item(context.cache);
    match (msg, item) {
        (Msg::Open, Some(item @ ListItem::Group(_))) => {
            context.shell.fold_or_unfold(context.cache, item);
            None
        }
        (Msg::Open, Some(item)) if waits(context.cache, item) => open_waiting(context, item),
        (Msg::Open, Some(item)) => open_row(context.shell, context.cache, item),
        (Msg::Continue, _) => continue_run(context.shell, context.cache, item),
        _ => update_list(context, msg),
    }
}

/// It stands in the inbox too.
fn waits(cache: &Cache, item: ListItem) -> bool {
    let inbox = cache.table(Screen::Inbox);
    inbox.is_some_and(|table| table.rows.iter().any(|row| row.item == item))
}

/// A question of a run is read on its screen, knowledge in the inbox, where it is decided.
fn open_waiting(context: &mut Context<'_>, item: ListItem) -> Option<Effect> {
    if let ListItem::Question(run, decision) = item {
        return Some(Effect::Inbox(InboxAction::Open { run, decision }));
    }
    go_to_screen(context, Screen::Inbox);
    if let Some((list, _)) = context.shell.list_with(context.cache) {
        list.selected = Some(item);
    }
    None
}

/// A row of the home screen was opened.
fn open_row(shell: &mut Shell, cache: &Cache, item: ListItem) -> Option<Effect> {
    match item {
        ListItem::New => open_form(shell, FormContent::Nothing),
        ListItem::Task(at) => {
            open_form(
                shell,
                tasks::at(at).map_or(FormContent::Nothing, FormContent::Task),
            );
        }
        ListItem::Starter(at) => {
            let words = starters::words(at).unwrap_or_default();
            open_form(shell, FormContent::Words(words));
        }
        ListItem::Again(run) => match cache.run(run) {
            Some(row) => open_form(shell, FormContent::Again(row)),
            None => shell.refuse(format!("run {run} is no longer in the database")),
        },
        ListItem::Run(run) => match cache.run(run) {
            Some(row) if row.outcome.is_none() && !row.alive => {
                return continue_run(shell, cache, Some(item));
            }
            _ => return Some(Effect::OpenRun(run)),
        },
        ListItem::Entry(id) => shell.open_page(PageSubject::Entry(id)),
        ListItem::Group(_)
        | ListItem::Pair(..)
        | ListItem::Line(_)
        | ListItem::Attempt(_)
        | ListItem::Comparison
        | ListItem::Failure(..)
        | ListItem::Evaluation(_)
        | ListItem::Episode(_)
        | ListItem::Question(..)
        | ListItem::Past(..)
        | ListItem::Option(..)
        | ListItem::Lineage(_)
        | ListItem::Fold(_)
        | ListItem::Rule(_) => (),
    }
    None
}
