//! Update: what keys do while something lies over the inbox: entries in full, a reason, an edited text, an undo.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::{Effect, InboxAction};
use crate::msg::Msg;
use crate::overlay::{EditedText, Overlay, PageSubject};
use crate::overlays::gate_rule::open_gate_rule;
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::inbox::undo;
use crate::widgets::editor::Editor;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::run::decision::{GateKind, Verdict};
use pithead_core::text::clean::clean_line;
use pithead_world::ids::{KnowledgeId, RunId};

/// Opens entries to be read.
pub fn open_proposals(context: &mut Context<'_>, ids: Vec<KnowledgeId>) {
    context.shell.open_page(PageSubject::Proposals(ids));
}

/// A message while something is asked.
pub(crate) fn update_overlay(
    context: &mut Context<'_>,
    overlay: InboxOverlay,
    msg: Msg,
) -> Option<Effect> {
    match overlay {
        InboxOverlay::Veto { ids, text } => update_veto(context, ids, &text, msg),
        InboxOverlay::Undo(undo) => confirmed(context, msg, InboxAction::TakeBack(undo.id())),
        InboxOverlay::Forget(kind) => confirmed(context, msg, InboxAction::Forget(kind)),
    }
}

fn confirmed(context: &mut Context<'_>, msg: Msg, action: InboxAction) -> Option<Effect> {
    context.shell.close_overlay();
    (msg == Msg::Yes).then_some(Effect::Inbox(action))
}

/// A message while entries are read.
pub(crate) fn update_page(
    context: &mut Context<'_>,
    ids: Vec<KnowledgeId>,
    msg: Msg,
) -> Option<Effect> {
    match msg {
        Msg::Approve if can_decide(context, &ids) => {
            context.shell.close_overlays();
            let verdict = Verdict::Approve;
            return Some(Effect::Inbox(InboxAction::Answer { ids, verdict }));
        }
        Msg::Veto if can_decide(context, &ids) => {
            let text = String::new();
            let veto = InboxOverlay::Veto { ids, text };
            context.shell.open_overlay(Overlay::Inbox(veto));
        }
        Msg::Edit if can_decide(context, &ids) => match ids[..] {
            [id] => edit(context, id),
            _ => context
                .shell
                .refuse("only one entry can be edited at a time; open it alone"),
        },
        Msg::Rule => {
            let kind = ids.first().and_then(|id| gate_of(context.cache, *id));
            let run = ids.first().map_or(RunId(0), |id| id.run);
            match kind {
                Some(kind) => open_gate_rule(context, kind, run),
                None => context
                    .shell
                    .refuse("no gate asks about entries of this kind"),
            }
        }
        _ => (), // no other row decides
    }
    None
}

/// The gate that asks about such an entry.
#[must_use]
pub fn gate_of(cache: &Cache, id: KnowledgeId) -> Option<GateKind> {
    if let Some(asked) = cache.decisions.about(id) {
        return Some(asked.question.kind);
    }
    match cache.entry(id)?.body.entry_kind() {
        EntryKind::Skill => Some(GateKind::Skill),
        EntryKind::Guardrail | EntryKind::TaskGuardrail => Some(GateKind::Guardrail),
        EntryKind::Rule => Some(GateKind::Rule),
        EntryKind::ReferencePlan => Some(GateKind::ReferencePlan),
        EntryKind::Note => None,
    }
}

/// True if all of it may be decided; says why not.
fn can_decide(context: &mut Context<'_>, ids: &[KnowledgeId]) -> bool {
    let other = ids.iter().find_map(|id| match context.cache.entry(*id) {
        None => Some(format!("{id} is no longer in the database")),
        Some(entry) if entry.status == Status::Proposed => None,
        Some(entry) => Some(format!("{id} is {} already", entry.status.name())),
    });
    let because = match other {
        Some(because) => because,
        None => return context.shell.has_seen_end(),
    };
    context.shell.refuse(because);
    false
}

fn update_veto(
    context: &mut Context<'_>,
    ids: Vec<KnowledgeId>,
    text: &str,
    msg: Msg,
) -> Option<Effect> {
    let reason = clean_line(text.trim());
    match msg {
        Msg::Back => context.shell.close_overlay(),
        Msg::Submit if reason.is_empty() => {
            context
                .shell
                .refuse("a veto needs a reason, which the mind gets");
        }
        Msg::Submit => {
            context.shell.close_overlays();
            let verdict = Verdict::Veto { reason };
            return Some(Effect::Inbox(InboxAction::Answer { ids, verdict }));
        }
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// Opens an entry in the editor.
fn edit(context: &mut Context<'_>, id: KnowledgeId) {
    let Some(entry) = context.cache.entry(id) else {
        return;
    };
    match Editor::entry(entry) {
        Ok(editor) => context.shell.open_editor(EditedText::Proposal(id), editor),
        Err(because) => context.shell.refuse(because),
    }
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
            let (body, _) = editor.body(id, &context.cache.entries)?;
            context.shell.close_overlays();
            return Some(Effect::Inbox(InboxAction::Answer {
                ids: vec![id],
                verdict: Verdict::EditKnowledge(body),
            }));
        }
        Msg::Back => context.shell.leave_editor(),
        _ => (), // no other row holds in the editor
    }
    None
}

/// Opens what taking back the selected decision would do; says why it cannot be.
pub fn open_undo(context: &mut Context<'_>, run: RunId, seq: pithead_world::ids::Seq) {
    let found = context.cache.decisions.past(run, seq);
    let undo = match found {
        Some(past) => {
            let entry = past.about.entry().and_then(|id| context.cache.entry(id));
            undo::undo_of(past, entry.map(AsRef::as_ref))
        }
        None => Err("it is no longer in the database".to_owned()),
    };
    match undo {
        Ok(undo) => context
            .shell
            .open_overlay(Overlay::Inbox(InboxOverlay::Undo(undo))),
        Err(because) => context.shell.refuse(because),
    }
}
