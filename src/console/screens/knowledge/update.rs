//! Update: what a message does on the lists of the knowledge base: its entries, and the queue of pairs.

use crate::msg::{CurateMsg, Effect, Msg};
use crate::screen::Screen;
use crate::screens::knowledge::sheet::{open_history, open_pair, read};
use crate::update::{Hands, go, on_list};
use crate::widgets::table::Item;
use pithead_world::ids::KnowledgeId;

/// One message on the list.
pub fn on(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    let id = match (msg, hands.shell.item(hands.desk)) {
        (Msg::Curate(CurateMsg::Queue), _) => {
            go(hands, Screen::Queue);
            return None;
        }
        (_, Some(Item::Entry(id))) => id,
        (msg, Some(Item::Pair(one, other))) => return on_pair(hands, [one, other], msg),
        _ => return on_list(hands, msg),
    };
    match msg {
        Msg::Curate(CurateMsg::History) => open_history(hands, id),
        Msg::Open => read(hands, id),
        Msg::Approve
        | Msg::Veto
        | Msg::Edit
        | Msg::Curate(CurateMsg::Retire | CurateMsg::Restore) => {
            read(hands, id);
            hands
                .shell
                .say("read it to its end, then a, e, v, x or R; h is its history");
        }
        _ => return on_list(hands, msg),
    }
    None
}

/// One message on the queue: it opens the pair, where the two can be read.
fn on_pair(hands: &mut Hands<'_>, ids: [KnowledgeId; 2], msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Open => open_pair(hands, ids),
        Msg::Curate(_) => {
            open_pair(hands, ids);
            hands
                .shell
                .say("read both, then < or > merges, = keeps both, x and X retire one");
        }
        _ => return on_list(hands, msg),
    }
    None
}
