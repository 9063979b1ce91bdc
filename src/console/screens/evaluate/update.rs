//! Update: what keys do on the lists of evaluations and of their episodes.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::update_list;
use crate::msg::Msg;
use crate::widgets::table::ListItem;

/// One message on either list.
pub(crate) fn update_evaluate(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    match (msg, context.shell.item(context.cache)) {
        (Msg::Open, Some(ListItem::Evaluation(id))) => {
            context.shell.open_evaluation(id);
            context.shell.settle(context.cache);
            None
        }
        _ => update_list(context, msg),
    }
}
