//! Update: what a message does on the lists of the knowledge base: its entries, and the queue of pairs.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::{go_to_screen, update_list};
use crate::msg::{CurateMsg, Msg};
use crate::overlay::PageSubject;
use crate::screen::Screen;
use crate::screens::knowledge::evidence::open_evidence;
use crate::screens::knowledge::overlay::open_history;
use crate::widgets::table::ListItem;
use pithead_world::ids::KnowledgeId;

/// One message on the list.
pub fn update_knowledge(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let id = match (msg, context.shell.item(context.cache)) {
        (Msg::Curate(CurateMsg::Queue), _) => {
            go_to_screen(context, Screen::Queue);
            return None;
        }
        (_, Some(ListItem::Entry(id))) => id,
        (msg, Some(ListItem::Pair(one, other))) => return on_pair(context, [one, other], msg),
        _ => return update_list(context, msg),
    };
    match msg {
        Msg::Curate(CurateMsg::History) => open_history(context, id),
        Msg::Evidence => return open_evidence(context, Some(ListItem::Entry(id))),
        Msg::Open => context.shell.open_page(PageSubject::Entry(id)),
        Msg::Approve
        | Msg::Veto
        | Msg::Edit
        | Msg::Curate(CurateMsg::Retire | CurateMsg::Restore) => {
            context.shell.open_page(PageSubject::Entry(id));
            context
                .shell
                .say("read it to its end, then a, e, v, x or R; h is its history");
        }
        _ => return update_list(context, msg),
    }
    None
}

/// One message on the queue: it opens the pair, where the two can be read.
fn on_pair(context: &mut Context<'_>, ids: [KnowledgeId; 2], msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Open => context.shell.open_page(PageSubject::Pair(ids)),
        Msg::Curate(_) => {
            context.shell.open_page(PageSubject::Pair(ids));
            context
                .shell
                .say("read both, then < or > merges, = keeps both, x and X retire one");
        }
        _ => return update_list(context, msg),
    }
    None
}
