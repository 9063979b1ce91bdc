//! Known: the keys that look into an entry, which mean the same wherever one is shown or selected.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::msg::{CurateMsg, Msg};
use crate::overlay::{OpenPage, Overlay, PageSubject};
use crate::overlays::card::{blocked_attempts, blocked_lines};
use crate::screens::knowledge::evidence::open_attempt;
use crate::screens::knowledge::{evidence, study};
use crate::screens::live::state::RunPage;
use crate::shell::Shell;
use crate::view::View;
use crate::view::inbox::Content;
use crate::widgets::page::reading_area;
use crate::widgets::popup::BAR_ROWS;
use crate::widgets::scroll::{Motion, moved, window};
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Entry;
use pithead_world::ids::KnowledgeId;
use std::sync::Arc;

/// The entries on the page that lies on top.
#[must_use]
pub(crate) fn shown_entries(shell: &Shell, cache: &Cache, view: &View) -> Vec<Arc<Entry>> {
    let Some(page) = shell.page() else {
        return Vec::new();
    };
    match &page.subject {
        PageSubject::Entry(id) => cache.entry(*id).cloned().into_iter().collect(),
        PageSubject::Proposals(ids) => {
            let known = ids.iter().filter_map(|id| cache.entry(*id));
            known.cloned().collect()
        }
        PageSubject::Question(id) => match view.inbox.get(*id).map(|open| &open.content) {
            Some(Content::Knowledge(entry)) => vec![Arc::clone(entry)],
            _ => Vec::new(), // it asks about something else
        },
        PageSubject::Run(RunPage::Entry(id)) => {
            let item = view.knowledge.item(*id);
            item.map(|item| Arc::clone(&item.entry))
                .into_iter()
                .collect()
        }
        _ => Vec::new(), // no other page has the card of an entry
    }
}

/// The one entry whose relations are wanted; its history and its attempts are looked at from it.
#[must_use]
pub(crate) fn entry_in_sight(shell: &Shell, cache: &Cache, view: &View) -> Option<KnowledgeId> {
    match &shell.page()?.subject {
        // Asked for before it is known here.
        PageSubject::Entry(id)
        | PageSubject::History { id, .. }
        | PageSubject::Blocked { id, .. } => Some(*id),
        _ => match &shown_entries(shell, cache, view)[..] {
            [entry] => Some(entry.id),
            _ => None, // none, or several at once
        },
    }
}

/// The entry that the keys are about: the one that is shown, or else the selected one.
#[must_use]
pub(crate) fn entry_at_hand(shell: &Shell, cache: &Cache, view: &View) -> Option<Arc<Entry>> {
    if shell.page().is_some() {
        let mut shown = shown_entries(shell, cache, view).into_iter();
        return shown.next().filter(|_| shown.next().is_none());
    }
    match shell.item(cache) {
        Some(ListItem::Entry(id)) => cache.entry(id).cloned(),
        _ => None, // nothing else is an entry
    }
}

/// Looks into the entry at hand; says why if there is none.
pub(crate) fn look_into(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let Some(entry) = entry_at_hand(context.shell, context.cache, context.view) else {
        let many = shown_entries(context.shell, context.cache, context.view).len() > 1;
        context.shell.refuse(if many {
            "several entries are shown; open one of them alone"
        } else {
            "no entry is shown or selected"
        });
        return None;
    };
    if msg == Msg::Evidence {
        return evidence::open_evidence(context, &entry);
    }
    if context.shell.page().is_none() {
        context.shell.open_page(PageSubject::Entry(entry.id));
    }
    match msg {
        Msg::Curate(CurateMsg::Study(kind)) => study::begin_study(context, &entry, kind),
        _ => {
            let history = PageSubject::History {
                id: entry.id,
                at: 0,
            };
            context.shell.open_page(history);
            None
        }
    }
}

/// Opens the attempts that the entry on the page would have blocked; closes a page that has none.
pub(crate) fn open_blocked(context: &mut Context<'_>) {
    let entry = entry_at_hand(context.shell, context.cache, context.view);
    let studies = &context.shell.knowledge.studies;
    let has_some =
        |id| blocked_attempts(studies, id).is_some_and(|found| !found.attempts.is_empty());
    match entry.filter(|entry| has_some(entry.id)) {
        Some(entry) => context.shell.open_page(PageSubject::Blocked {
            id: entry.id,
            at: 0,
        }),
        None => context.shell.close_overlay(),
    }
}

/// A message while the blocked attempts are read: `enter` shows the selected one frame by frame.
pub(crate) fn update_blocked(
    context: &mut Context<'_>,
    (id, at): (KnowledgeId, usize),
    msg: Msg,
) -> Option<Effect> {
    let studies = &context.shell.knowledge.studies;
    let attempts = blocked_attempts(studies, id).map_or(&[][..], |found| &found.attempts);
    match msg {
        Msg::Open => {
            let attempt = attempts.get(at)?.id;
            open_attempt(context, attempt)
        }
        Msg::Move(motion @ (Motion::Up | Motion::Down | Motion::Top | Motion::Bottom)) => {
            let at = moved(at, attempts.len(), 1, motion);
            let area = reading_area(context.shell.size, BAR_ROWS);
            let (width, height) = (usize::from(area.width), usize::from(area.height));
            let (lines, first) = blocked_lines(id, at, studies, width);
            let page = OpenPage {
                scroll: window(first, lines.len(), height),
                ..OpenPage::new(PageSubject::Blocked { id, at })
            };
            context.shell.replace_overlay(Overlay::Page(page));
            None
        }
        _ => None, // nothing is decided about attempts
    }
}
