//! Sheets: what lies over the knowledge base. An entry in full, its text, its history, a reason.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::msg::{CurateMsg, Msg};
use crate::screens::knowledge::state::{EntryAction, EntryRequest};
use crate::screens::knowledge::state::{KnowledgeOverlay, ReasonPrompt};
use crate::screens::knowledge::{history, pair, study};
use crate::screens::live::pages::entry;
use crate::screens::live::update as run;
use crate::screens::runs::rows::evidence;
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::update::update;
use crate::widgets::editor::Editor;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::Motion;
use crate::widgets::scroll::moved;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::decision::Verdict;
use pithead_core::knowledge::graph::Relation;
use pithead_core::text::clean::clean_line;
use pithead_world::ids::KnowledgeId;

/// Rows kept below the text for the keys that decide.
pub const BAR: u16 = 2;

/// Opens an entry to be read.
pub fn read(context: &mut Context<'_>, id: KnowledgeId) {
    context.shell.cover = Cover::Curate(KnowledgeOverlay::Read {
        id,
        scroll: 0,
        seen: false,
    });
    look(context.shell, context.cache);
}

/// Remembers that the end of what is read has been on the screen.
pub fn look(shell: &mut Shell, cache: &Cache) {
    let (lines, height) = extent(shell, cache);
    let last = lines.saturating_sub(height);
    match &mut shell.cover {
        Cover::Curate(KnowledgeOverlay::Read { id, scroll, seen }) => {
            *scroll = (*scroll).min(last);
            let Some(entry) = cache.entry(*id) else {
                return;
            };
            if height > 0 && *scroll + height >= lines {
                shell.curate.has_read(entry);
            }
            *seen = shell.curate.was_read(entry);
        }
        Cover::Curate(
            KnowledgeOverlay::History { scroll, .. } | KnowledgeOverlay::Pair { scroll, .. },
        ) => {
            *scroll = (*scroll).min(last);
        }
        _ => (), // nothing else of this is read
    }
}

/// Lines of what is read, and how many fit.
#[must_use]
pub fn extent(shell: &Shell, cache: &Cache) -> (usize, usize) {
    let area = crate::widgets::page::reading_area(shell.size, BAR);
    (lines(shell, cache).len(), usize::from(area.height))
}

/// The lines of what is read.
#[must_use]
pub fn lines(shell: &Shell, cache: &Cache) -> Vec<Rich> {
    let width = usize::from(crate::widgets::page::reading_area(shell.size, BAR).width);
    if let Cover::Curate(KnowledgeOverlay::Pair { ids, .. }) = &shell.cover {
        return pair::lines(*ids, cache, width);
    }
    let (Cover::Curate(KnowledgeOverlay::Read { id, .. })
    | Cover::Curate(KnowledgeOverlay::History { id, .. })) = &shell.cover
    else {
        return Vec::new();
    };
    let Some(known) = cache.entry(*id) else {
        return vec![Rich::of(Role::Faint, "It is not in the database any more.")];
    };
    if let Cover::Curate(KnowledgeOverlay::History { at, .. }) = &shell.cover {
        return history::lines(known, *at, cache.now, width);
    }
    let mut out = entry::whole(known, width);
    study::lines(&mut out, &shell.curate.studies, known, width);
    if let Some(record) = cache.records.get(id) {
        record.lines(&mut out, width);
    }
    let relations = cache.relations.as_ref().filter(|(of, _)| of == id);
    tree(&mut out, relations.map(|(_, all)| all.as_slice()), width);
    if let Some(asked) = cache.decisions.about(*id) {
        let words = format!(
            "asked at the gate of run {} as {}; blocks nothing",
            asked.run, asked.question.id
        );
        paragraph(&mut out, Rich::new(), Role::Faint, &words, width);
    }
    out
}

/// `├ rests on` and below it what it rests on.
fn tree(out: &mut Vec<Rich>, relations: Option<&[Relation]>, width: usize) {
    crate::widgets::page::heading(out, "What depends on what");
    let Some(relations) = relations else {
        out.push(Rich::of(Role::Faint, "reading …"));
        return;
    };
    if relations.is_empty() {
        out.push(Rich::of(
            Role::Faint,
            "It rests on no attempt and touches no other entry.",
        ));
    }
    for (at, relation) in relations.iter().enumerate() {
        let is_last = at + 1 == relations.len();
        let (branch, stem) = if is_last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        let name = Rich::of(Role::Border, branch).and(Role::Strong, relation.name);
        out.push(name.and(Role::Faint, format!(" · {}", relation.count)));
        let more = relation.count - relation.members.len();
        for (at, member) in relation.members.iter().enumerate() {
            let is_last = at + 1 == relation.members.len() && more == 0;
            let branch = if is_last { "└ " } else { "├ " };
            let line = Rich::of(Role::Border, format!("{stem}{branch}"))
                .and(Role::Key, format!("{:<8} ", member.id))
                .and(Role::Text, &member.text);
            out.push(line.cut(width));
        }
        if more > 0 {
            let line = Rich::of(Role::Border, format!("{stem}└ "));
            out.push(line.and(Role::Faint, format!("and {more} more")));
        }
    }
}

/// A message while a sheet is open.
pub fn on(context: &mut Context<'_>, sheet: KnowledgeOverlay, msg: Msg) -> Option<Effect> {
    if matches!(msg, Msg::Suspend | Msg::Redraw) {
        return run::update(context.ui, context.view, msg);
    }
    match sheet {
        KnowledgeOverlay::Read { id, scroll, seen } => on_read(context, id, (scroll, seen), msg),
        KnowledgeOverlay::Reason(ask) => on_reason(context, ask, msg),
        KnowledgeOverlay::Edit(id) => on_edit(context, id, msg),
        KnowledgeOverlay::History { id, at, scroll } => on_history(context, id, (at, scroll), msg),
        KnowledgeOverlay::Pair { ids, scroll } => on_pair(context, ids, scroll, msg),
    }
}

/// Opens two of the queue.
pub(crate) fn open_pair(context: &mut Context<'_>, ids: [KnowledgeId; 2]) {
    context.shell.cover = Cover::Curate(KnowledgeOverlay::Pair { ids, scroll: 0 });
}

fn on_pair(
    context: &mut Context<'_>,
    ids: [KnowledgeId; 2],
    scroll: usize,
    msg: Msg,
) -> Option<Effect> {
    let [one, other] = ids;
    let (id, what) = match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(context.shell, context.cache);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            context.shell.cover = Cover::Curate(KnowledgeOverlay::Pair { ids, scroll });
            return None;
        }
        Msg::Back => {
            context.shell.cover = Cover::None;
            return None;
        }
        Msg::Curate(CurateMsg::MergeRight) => (one, EntryAction::MergeInto(other)),
        Msg::Curate(CurateMsg::MergeLeft) => (other, EntryAction::MergeInto(one)),
        Msg::Curate(CurateMsg::KeepBoth) => (one, EntryAction::KeepBeside(other)),
        Msg::Curate(CurateMsg::Retire) => (one, EntryAction::Retire),
        Msg::Curate(CurateMsg::RetireRight) => (other, EntryAction::Retire),
        _ => return None, // no other row holds while two are read
    };
    match what.refused(context.cache, id) {
        Some(because) => context.shell.refuse(because),
        None => ask(context, id, what, Vec::new()),
    }
    None
}

fn on_read(
    context: &mut Context<'_>,
    id: KnowledgeId,
    (scroll, seen): (usize, bool),
    msg: Msg,
) -> Option<Effect> {
    let what = match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(context.shell, context.cache);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            context.shell.cover = Cover::Curate(KnowledgeOverlay::Read { id, scroll, seen });
            look(context.shell, context.cache);
            return None;
        }
        Msg::Back => {
            context.shell.cover = Cover::None;
            return None;
        }
        Msg::Evidence => return evidence(context, Some(ListItem::Entry(id))),
        Msg::Curate(CurateMsg::History) => {
            open_history(context, id);
            return None;
        }
        Msg::Curate(CurateMsg::Study(kind)) => {
            return study::begin(context, id, kind);
        }
        Msg::Edit | Msg::Outside if is_read(context, seen) => return edit(context, id, msg),
        Msg::Approve => EntryAction::Approve,
        Msg::Veto => EntryAction::Veto,
        Msg::Curate(CurateMsg::Retire) => EntryAction::Retire,
        Msg::Curate(CurateMsg::Restore) => EntryAction::Restore,
        _ => return None, // no other row holds while an entry is read
    };
    if let Some(because) = what.refused(context.cache, id) {
        context.shell.refuse(because);
    } else if is_read(context, seen) {
        if what == EntryAction::Approve {
            return answer(context, id, Verdict::Approve);
        }
        ask(context, id, what, Vec::new());
    }
    None
}

/// True if its end has been on the screen; says so if not.
fn is_read(context: &mut Context<'_>, seen: bool) -> bool {
    if !seen {
        context
            .shell
            .refuse("scroll to the end first (pgdn or G): only what has been seen can be decided");
    }
    seen
}

/// What a run may have asked is answered where it was asked.
fn answer(context: &mut Context<'_>, id: KnowledgeId, verdict: Verdict) -> Option<Effect> {
    context.shell.cover = Cover::None;
    let ids = vec![id];
    Some(Effect::Inbox(crate::effect::InboxAction::Answer {
        ids,
        verdict,
    }))
}

/// Asks for the reason.
pub(crate) fn ask(
    context: &mut Context<'_>,
    id: KnowledgeId,
    what: EntryAction,
    remarks: Vec<String>,
) {
    context.shell.cover = Cover::Curate(KnowledgeOverlay::Reason(ReasonPrompt {
        id,
        text: what.reason().to_owned(),
        what,
        remarks,
    }));
}

/// Its run has asked about it and waits for the answer.
#[must_use]
pub fn is_asked(cache: &Cache, entry: &Entry) -> bool {
    entry.status == Status::Proposed && cache.decisions.about(entry.id).is_some()
}

fn on_reason(context: &mut Context<'_>, ask: ReasonPrompt, msg: Msg) -> Option<Effect> {
    let reason = clean_line(ask.text.trim());
    match msg {
        Msg::Back => match ask.what {
            // The text is still there.
            EntryAction::Edit(_) => {
                context.shell.cover = Cover::Curate(KnowledgeOverlay::Edit(ask.id));
            }
            EntryAction::RollBack(_) => open_history(context, ask.id),
            _ => match context.shell.item(context.cache) {
                Some(ListItem::Pair(one, other)) => open_pair(context, [one, other]),
                _ => read(context, ask.id),
            },
        },
        Msg::Submit if reason.is_empty() => {
            let word = ask.what.word();
            context
                .shell
                .refuse(format!("to {word} needs a reason; it stays with the entry"));
        }
        Msg::Submit => {
            context.shell.cover = Cover::None;
            let (id, what) = (ask.id, ask.what);
            if matches!(what, EntryAction::Edit(_)) {
                context.shell.curate.sent = context.shell.editor.take().map(|text| (id, text));
            }
            let entry = context.cache.entry(id)?;
            return match what {
                EntryAction::Veto => answer(context, id, Verdict::Veto { reason }),
                EntryAction::Edit(body) if is_asked(context.cache, entry) => {
                    answer(context, id, Verdict::EditKnowledge(*body))
                }
                what => Some(Effect::Curate(EntryRequest { id, what, reason })),
            };
        }
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// Opens an entry in the editor, and hands its text on at once if that is wished.
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
            let sent = context.shell.curate.sent.take_if(|(of, _)| *of == id);
            if let Some((_, sent)) = sent.filter(|(_, text)| !text.says(&entry.body)) {
                editor.replace(&sent.text());
            }
            context.shell.editor = Some(Box::new(editor));
            context.shell.cover = Cover::Curate(KnowledgeOverlay::Edit(id));
            if msg == Msg::Outside {
                return update(context, msg);
            }
        }
        Err(because) => context.shell.refuse(because),
    }
    None
}

fn on_edit(context: &mut Context<'_>, id: KnowledgeId, msg: Msg) -> Option<Effect> {
    let mut editor = context.shell.editor.take()?;
    match msg {
        Msg::Submit => {
            let read = editor.body(id, &context.cache.entries);
            context.shell.editor = Some(editor);
            let (body, remarks) = read?;
            let what = EntryAction::Edit(Box::new(body));
            match what.refused(context.cache, id) {
                Some(because) => context.shell.refuse(because),
                None => ask(context, id, what, remarks),
            }
            return None;
        }
        Msg::Back => match editor.stays_open() {
            Some(because) => context.shell.refuse(because),
            None => {
                read(context, id);
                return None;
            }
        },
        _ => (), // no other row holds in the editor
    }
    context.shell.editor = Some(editor);
    None
}

pub(crate) fn open_history(context: &mut Context<'_>, id: KnowledgeId) {
    context.shell.cover = Cover::Curate(KnowledgeOverlay::History {
        id,
        at: 0,
        scroll: 0,
    });
}

fn on_history(
    context: &mut Context<'_>,
    id: KnowledgeId,
    (at, scroll): (usize, usize),
    msg: Msg,
) -> Option<Effect> {
    let known = context
        .cache
        .entry(id)
        .map_or(1, |entry| entry.history.len() + 1);
    let (at, scroll) = match msg {
        Msg::Move(motion @ (Motion::Up | Motion::Down)) => (moved(at, known, 1, motion), 0),
        Msg::Move(motion) => {
            let (lines, height) = extent(context.shell, context.cache);
            let last = lines.saturating_sub(height);
            (
                at,
                moved(scroll, last + 1, height.saturating_sub(1), motion),
            )
        }
        Msg::Curate(CurateMsg::RollBack) => {
            let entry = context.cache.entry(id)?;
            let what = EntryAction::RollBack(history::version_at(entry, at));
            match what.refused(context.cache, id) {
                Some(because) => context.shell.refuse(because),
                None => ask(context, id, what, Vec::new()),
            }
            return None;
        }
        Msg::Back => {
            read(context, id);
            return None;
        }
        _ => return None, // no other row holds while the history is read
    };
    context.shell.cover = Cover::Curate(KnowledgeOverlay::History { id, at, scroll });
    look(context.shell, context.cache);
    None
}

/// An answer about a text that was saved: it is forgotten, or comes back with its fault.
pub fn settle(shell: &mut Shell, fault: Option<&str>) {
    let Some((id, mut editor)) = shell.curate.sent.take() else {
        return;
    };
    if let Some(because) = fault {
        editor.refuse(because);
        shell.editor = Some(editor);
        shell.cover = Cover::Curate(KnowledgeOverlay::Edit(id));
    }
}
