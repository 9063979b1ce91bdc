//! Update: what keys do on the Home screen.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::update_list;
use crate::msg::Msg;
use crate::overlays::new_run::{continue_run, open_form};
use crate::screens::home::tasks;
use crate::shell::Shell;
use crate::widgets::table::ListItem;

/// One message on the list of what can be begun.
pub(crate) fn update_home(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let item = context.shell.item(context.cache);
    match (msg, item) {
        (Msg::Open, Some(item)) => open_row(context.shell, context.cache, item),
        (Msg::Continue, _) => continue_run(context.shell, context.cache, item),
        _ => update_list(context, msg),
    }
}

/// A row of the home screen was opened.
fn open_row(shell: &mut Shell, cache: &Cache, item: ListItem) -> Option<Effect> {
    match item {
        ListItem::New => open_form(shell, None),
        ListItem::Task(at) => open_form(shell, tasks::at(at)),
        ListItem::Run(run) if cache.run(run).is_some_and(|row| row.alive) => {
            return Some(Effect::OpenRun(run));
        }
        ListItem::Run(_) => return continue_run(shell, cache, Some(item)),
        ListItem::Entry(_)
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
        | ListItem::Rule(_) => (),
    }
    None
}
