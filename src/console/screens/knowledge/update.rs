//! Update: what a message does on the lists of the knowledge base: its entries, and the queue of pairs.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::{go_to_screen, update_list};
use crate::msg::{CurateMsg, Msg};
use crate::overlay::PageSubject;
use crate::screen::Screen;
use crate::screens::knowledge::overlay::ask_reason_of_all;
use crate::screens::knowledge::state::EntryAction;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_world::ids::KnowledgeId;

/// One message on the list.
pub fn update_knowledge(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    if let Some(ids) = marked_entries(context)
        && is_change(msg)
    {
        change_marked(context, ids, msg);
        return None;
    }
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

/// The entries that are marked, if several are.
fn marked_entries(context: &mut Context<'_>) -> Option<Vec<KnowledgeId>> {
    let (list, table) = context.shell.list_with(context.cache)?;
    let entry = |item: &ListItem| match item {
        ListItem::Entry(id) => Some(*id),
        _ => None, // a pair is looked at alone
    };
    let ids: Vec<KnowledgeId> = list.chosen(table).iter().filter_map(entry).collect();
    (ids.len() > 1).then_some(ids)
}

fn is_change(msg: Msg) -> bool {
    use CurateMsg::{Restore, Retire};
    let is_curated = matches!(msg, Msg::Curate(Retire | Restore));
    is_curated || matches!(msg, Msg::Approve | Msg::Veto | Msg::Edit)
}

/// What is marked is changed together: what can be brought back at once, what waits for an answer after it
/// was read.
fn change_marked(context: &mut Context<'_>, ids: Vec<KnowledgeId>, msg: Msg) {
    let status = |id: &KnowledgeId| context.cache.entry(*id).map(|entry| entry.status);
    match msg {
        Msg::Curate(CurateMsg::Retire) => ask_reason_of_all(context, &ids, EntryAction::Retire),
        Msg::Curate(_) => ask_reason_of_all(context, &ids, EntryAction::Restore),
        Msg::Edit => context
            .shell
            .refuse("one entry is edited at a time; M takes all marks off"),
        _ => match ids.iter().find(|id| status(id) != Some(Status::Proposed)) {
            None => {
                context.shell.open_page(PageSubject::Proposals(ids));
                context.shell.say("read them to the end, then a or v");
            }
            Some(id) => {
                let is = status(id).map_or("gone", Status::name);
                context.shell.refuse(format!(
                    "{id} is {is}; only proposed entries are answered together, x retires and R brings back"
                ));
            }
        },
    }
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
