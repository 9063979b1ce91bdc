//! Update: what keys do while something lies over the knowledge base: an entry in full, its text, its
//! history, a pair, a reason.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::{Effect, InboxAction};
use crate::msg::{CurateMsg, Msg};
use crate::overlay::{EditedText, OpenPage, Overlay, PageSubject};
use crate::overlays::outside::edit_outside;
use crate::screens::knowledge::history;
use crate::screens::knowledge::state::{EntryAction, EntryRequest, ReasonPrompt};
use crate::shell::Shell;
use crate::widgets::editor::Editor;
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::decision::Verdict;
use pithead_core::text::clean::clean_line;
use pithead_world::ids::KnowledgeId;

/// A message while two of the queue are read.
pub(crate) fn update_pair(
    context: &mut Context<'_>,
    ids: [KnowledgeId; 2],
    msg: Msg,
) -> Option<Effect> {
    let [one, other] = ids;
    let (id, what) = match msg {
        Msg::Curate(CurateMsg::MergeRight) => (one, EntryAction::MergeInto(other)),
        Msg::Curate(CurateMsg::MergeLeft) => (other, EntryAction::MergeInto(one)),
        Msg::Curate(CurateMsg::KeepBoth) => (one, EntryAction::KeepBeside(other)),
        Msg::Curate(CurateMsg::Retire) => (one, EntryAction::Retire),
        Msg::Curate(CurateMsg::RetireRight) => (other, EntryAction::Retire),
        _ => return None, // no other row holds while two are read
    };
    ask_reason(context, id, what, Vec::new());
    None
}

/// A message while an entry is read.
pub(crate) fn update_page(context: &mut Context<'_>, id: KnowledgeId, msg: Msg) -> Option<Effect> {
    let what = match msg {
        Msg::Edit | Msg::Outside if context.shell.has_seen_end() => return edit(context, id, msg),
        Msg::Approve => EntryAction::Approve,
        Msg::Veto => EntryAction::Veto,
        Msg::Curate(CurateMsg::Retire) => EntryAction::Retire,
        Msg::Curate(CurateMsg::Restore) => EntryAction::Restore,
        _ => return None, // no other row holds while an entry is read
    };
    if let Some(because) = what.refused(context.cache, id) {
        context.shell.refuse(because);
    } else if context.shell.has_seen_end() {
        if what == EntryAction::Approve {
            return Some(answer(context, id, Verdict::Approve));
        }
        ask_reason(context, id, what, Vec::new());
    }
    None
}

/// What a run may have asked is answered where it was asked.
fn answer(context: &mut Context<'_>, id: KnowledgeId, verdict: Verdict) -> Effect {
    context.shell.close_overlays();
    let ids = vec![id];
    Effect::Inbox(InboxAction::Answer { ids, verdict })
}

/// Asks for the reason of a change; says why it would change nothing.
fn ask_reason(context: &mut Context<'_>, id: KnowledgeId, what: EntryAction, remarks: Vec<String>) {
    if let Some(because) = what.refused(context.cache, id) {
        context.shell.refuse(because);
        return;
    }
    context.shell.open_overlay(Overlay::Reason(ReasonPrompt {
        id,
        also: Vec::new(),
        text: String::new(),
        what,
        remarks,
    }));
}

/// Asks once for the reason of a change of several entries; says which of them it would not change.
pub(crate) fn ask_reason_of_all(context: &mut Context<'_>, ids: &[KnowledgeId], what: EntryAction) {
    let mut refused = ids.iter();
    if let Some(because) = refused.find_map(|id| what.refused(context.cache, *id)) {
        context
            .shell
            .refuse(format!("{because}; m takes its mark off"));
        return;
    }
    if let [id, also @ ..] = ids {
        context.shell.open_overlay(Overlay::Reason(ReasonPrompt {
            id: *id,
            also: also.to_vec(),
            text: String::new(),
            what,
            remarks: Vec::new(),
        }));
    }
}

/// Its run has asked about it and waits for the answer.
#[must_use]
pub fn is_asked(cache: &Cache, entry: &Entry) -> bool {
    entry.status == Status::Proposed && cache.decisions.about(entry.id).is_some()
}

/// A message while the reason of a change is typed.
pub(crate) fn update_reason(
    context: &mut Context<'_>,
    prompt: ReasonPrompt,
    msg: Msg,
) -> Option<Effect> {
    let typed = clean_line(prompt.text.trim());
    let reason = if typed.is_empty() {
        prompt.what.reason().to_owned()
    } else {
        typed
    };
    match msg {
        // The text, the history or the pair that it is about lies below.
        Msg::Back => context.shell.close_overlay(),
        Msg::Submit if reason.is_empty() => {
            let word = prompt.what.word();
            context
                .shell
                .refuse(format!("to {word} needs a reason; it stays with the entry"));
        }
        Msg::Submit => {
            let (id, also, what) = (prompt.id, prompt.also, prompt.what);
            if matches!(what, EntryAction::Edit(_)) {
                context.shell.knowledge.sent = context.shell.editor.take().map(|text| (id, text));
            }
            context.shell.close_overlays();
            let entry = context.cache.entry(id)?;
            return Some(match what {
                EntryAction::Veto => answer(context, id, Verdict::Veto { reason }),
                EntryAction::Edit(body) if is_asked(context.cache, entry) => {
                    answer(context, id, Verdict::EditKnowledge(*body))
                }
                what => Effect::Curate(EntryRequest {
                    id,
                    also,
                    what,
                    reason,
                }),
            });
        }
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// Opens an entry in the editor, and hands its text on at once if that is asked for.
fn edit(context: &mut Context<'_>, id: KnowledgeId, msg: Msg) -> Option<Effect> {
    let entry = context.cache.entry(id)?;
    if entry.status == Status::Vetoed {
        context
            .shell
            .refuse(format!("{id} is vetoed; R lifts that first"));
        return None;
    }
    match Editor::entry(entry) {
        Ok(mut editor) => {
            // A text that was sent and never answered for is still the operator's.
            let sent = context.shell.knowledge.sent.take_if(|(of, _)| *of == id);
            if let Some((_, sent)) = sent.filter(|(_, text)| !text.says(&entry.body)) {
                editor.replace(&sent.text());
            }
            context.shell.open_editor(EditedText::Entry(id), editor);
            if msg == Msg::Outside {
                return edit_outside(context.shell);
            }
        }
        Err(because) => context.shell.refuse(because),
    }
    None
}

/// A message while an entry is edited.
pub(crate) fn update_editor(
    context: &mut Context<'_>,
    id: KnowledgeId,
    msg: Msg,
) -> Option<Effect> {
    match msg {
        Msg::Submit => {
            let editor = context.shell.editor.as_mut()?;
            let (body, remarks) = editor.body(id, &context.cache.entries)?;
            ask_reason(context, id, EntryAction::Edit(Box::new(body)), remarks);
        }
        Msg::Back => context.shell.leave_editor(),
        _ => (), // no other row holds in the editor
    }
    None
}

/// A message while the history of an entry is read.
pub(crate) fn update_history(
    context: &mut Context<'_>,
    (id, at): (KnowledgeId, usize),
    msg: Msg,
) -> Option<Effect> {
    let entry = context.cache.entry(id);
    match msg {
        Msg::Move(motion @ (Motion::Up | Motion::Down)) => {
            let known = entry.map_or(1, |entry| entry.history.len() + 1);
            let at = moved(at, known, 1, motion);
            let page = OpenPage::new(PageSubject::History { id, at });
            context.shell.replace_overlay(Overlay::Page(page));
        }
        Msg::Curate(CurateMsg::RollBack) => {
            let what = EntryAction::RollBack(history::version_at(entry?, at));
            ask_reason(context, id, what, Vec::new());
        }
        _ => (), // no other row holds while the history is read
    }
    None
}

/// An answer about a text that was saved: it is forgotten, or comes back with its fault.
pub fn settle_sent_text(shell: &mut Shell, fault: Option<&str>) {
    let Some((id, mut editor)) = shell.knowledge.sent.take() else {
        return;
    };
    if let Some(because) = fault {
        editor.refuse(because);
        shell.close_overlays();
        shell.open_page(PageSubject::Entry(id));
        shell.open_editor(EditedText::Entry(id), *editor);
    }
}
