//! Update: what a message does on the three lists of the inbox.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::{Effect, InboxAction};
use crate::lists::update::{go_to_screen, update_list};
use crate::msg::Msg;
use crate::overlay::{Overlay, PageSubject};
use crate::overlays::gate_rule::open_gate_rule;
use crate::screen::Screen;
use crate::screens::inbox::overlay::{gate_of, open_proposals, open_undo};
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::inbox::tables::likeness;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_world::ids::{KnowledgeId, RunId};

/// One message on a list of the inbox.
pub fn update_inbox(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let item = context.shell.item(context.cache);
    match (msg, item) {
        (Msg::Open | Msg::Approve | Msg::Veto | Msg::Edit, Some(_))
            if context.shell.screen == Screen::Inbox =>
        {
            open(context, msg)
        }
        (Msg::Open, Some(ListItem::Past(run, seq))) => {
            let past = context.cache.decisions.past(run, seq);
            match past.and_then(|past| past.about.entry()) {
                Some(id) => open_proposals(context, vec![id]),
                None => open_undo(context, run, seq),
            }
            None
        }
        (Msg::Open, Some(ListItem::Rule(kind))) => {
            open_gate_rule(context, kind, RunId(0));
            None
        }
        (Msg::Alike, Some(item)) => {
            mark_alike(context, item);
            None
        }
        (Msg::Rule, Some(item)) => {
            rule(context, item);
            None
        }
        (Msg::Undo, Some(ListItem::Past(run, seq))) => {
            open_undo(context, run, seq);
            None
        }
        (Msg::Remove, Some(ListItem::Rule(kind))) => {
            if context.cache.rules.0.contains_key(&kind) {
                context
                    .shell
                    .open_overlay(Overlay::Inbox(InboxOverlay::Forget(kind)));
            } else {
                context
                    .shell
                    .refuse("this is the program's own; nothing was saved about it");
            }
            None
        }
        (Msg::Decided, _) => {
            go_to_screen(context, Screen::Decided);
            None
        }
        (Msg::Rules, _) => {
            go_to_screen(context, Screen::Rules);
            None
        }
        _ => update_list(context, msg),
    }
}

/// Opens what is marked, or selected: entries here, one question of a run on that run's screen.
fn open(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let (list, table) = context.shell.list_with(context.cache)?;
    let chosen = list.chosen(table);
    if let [ListItem::Question(run, decision)] = chosen[..] {
        return Some(Effect::Inbox(InboxAction::Open { run, decision }));
    }
    let ids: Option<Vec<KnowledgeId>> = chosen.iter().map(|item| entry(*item)).collect();
    let Some(ids) = ids else {
        context
            .shell
            .refuse("a question that blocks a run is read and answered alone; unmark it");
        return None;
    };
    // What is active already is no proposal: it is retired, vetoed or edited on its own page.
    let is_proposed = |id: &KnowledgeId| {
        let entry = context.cache.entry(*id);
        entry.is_none_or(|entry| entry.status == Status::Proposed)
    };
    match (ids.iter().find(|id| !is_proposed(id)).copied(), &ids[..]) {
        (None, _) => (),
        (Some(id), [_]) => {
            context.shell.open_page(PageSubject::Entry(id));
            return None;
        }
        (Some(id), _) => {
            let because =
                format!("{id} is active already; it is read and decided alone, unmark it");
            context.shell.refuse(because);
            return None;
        }
    }
    // A clock stands while its question is read, and the run's own screen holds it.
    let clocked = ids.iter().find_map(|id| {
        let asked = context.cache.decisions.about(*id)?;
        (asked.question.deadline.is_some() || asked.question.held.is_some()).then_some(asked)
    });
    match (clocked, ids.len()) {
        (Some(asked), 1) => {
            return Some(Effect::Inbox(InboxAction::Open {
                run: asked.run,
                decision: asked.question.id,
            }));
        }
        (Some(asked), _) => {
            let because = format!(
                "{} of run {} has a time-out; open it alone",
                asked.question.id, asked.run
            );
            context.shell.refuse(because);
            return None;
        }
        (None, _) => (),
    }
    open_proposals(context, ids);
    if msg != Msg::Open {
        context.shell.say("read it to its end, then a, e or v");
    }
    None
}

fn entry(item: ListItem) -> Option<KnowledgeId> {
    match item {
        ListItem::Entry(id) => Some(id),
        _ => None, // everything else is no entry
    }
}

fn mark_alike(context: &mut Context<'_>, item: ListItem) {
    let marks = alike(context.cache, item);
    let n = marks.len();
    if let Some((list, _)) = context.shell.list_with(context.cache) {
        list.marks = marks.into_iter().collect();
    }
    if n > 1 {
        context.shell.say(format!(
            "{n} similar ones are marked; enter shows them all, m unmarks one"
        ));
    } else {
        context.shell.refuse("nothing similar is waiting");
    }
}

fn rule(context: &mut Context<'_>, item: ListItem) {
    let found = match item {
        ListItem::Rule(kind) => Some((kind, RunId(0))),
        ListItem::Entry(id) => gate_of(context.cache, id).map(|kind| (kind, id.run)),
        ListItem::Question(run, id) => {
            let asked = context.cache.decisions.asked(run, id);
            asked.map(|asked| (asked.question.kind, run))
        }
        _ => None, // no gate asks about anything else
    };
    match found {
        Some((kind, run)) => open_gate_rule(context, kind, run),
        None => context.shell.refuse("no gate asks about this"),
    }
}

/// The rows that wait and are alike this one, itself among them.
#[must_use]
pub fn alike(cache: &Cache, item: ListItem) -> Vec<ListItem> {
    let words = |item: ListItem| match item {
        ListItem::Entry(id) => cache
            .entry(id)
            .filter(|entry| entry.status == Status::Proposed)
            .map(|entry| likeness(entry.body.kind(), &entry.title)),
        _ => None, // questions that block a run are read one by one
    };
    let Some(wanted) = words(item) else {
        return vec![item];
    };
    let rows = cache.table(Screen::Inbox).into_iter();
    let rows = rows.flat_map(|table| &table.rows).map(|row| row.item);
    rows.filter(|other| words(*other).as_deref() == Some(&wanted))
        .collect()
}
