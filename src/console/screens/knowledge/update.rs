//! Update: what a message does on the lists of the knowledge base: its entries, and the queue of pairs.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::{CurateMsg, Msg};
use crate::screen::Screen;
use crate::screens::knowledge::sheet::{open_history, open_pair, read};
use crate::update::{go, on_list};
use crate::widgets::table::ListItem;
use pithead_world::ids::KnowledgeId;

/// One message on the list.
pub fn on(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let id = match (msg, context.shell.item(context.cache)) {
        (Msg::Curate(CurateMsg::Queue), _) => {
            go(context, Screen::Queue);
            return None;
        }
        (_, Some(ListItem::Entry(id))) => id,
        (msg, Some(ListItem::Pair(one, other))) => return on_pair(context, [one, other], msg),
        _ => return on_list(context, msg),
    };
    match msg {
        Msg::Curate(CurateMsg::History) => open_history(context, id),
        Msg::Open => read(context, id),
        Msg::Approve
        | Msg::Veto
        | Msg::Edit
        | Msg::Curate(CurateMsg::Retire | CurateMsg::Restore) => {
            read(context, id);
            context
                .shell
                .say("read it to its end, then a, e, v, x or R; h is its history");
        }
        _ => return on_list(context, msg),
    }
    None
}

/// One message on the queue: it opens the pair, where the two can be read.
fn on_pair(context: &mut Context<'_>, ids: [KnowledgeId; 2], msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Open => open_pair(context, ids),
        Msg::Curate(_) => {
            open_pair(context, ids);
            context
                .shell
                .say("read both, then < or > merges, = keeps both, x and X retire one");
        }
        _ => return on_list(context, msg),
    }
    None
}
