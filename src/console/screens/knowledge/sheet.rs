//! Sheets: what lies over the knowledge base. An entry in full, its text, its history, a reason.

use crate::cache::Desk;
use crate::msg::{CurateMsg, Effect, Motion, Msg};
use crate::screens::inbox;
use crate::screens::knowledge::{Act, What, history, pair, study};
use crate::screens::live::pages::entry;
use crate::screens::live::update as run;
use crate::screens::runs::rows::evidence;
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::update::{Hands, update};
use crate::widgets::editor::Editor;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::moved;
use crate::widgets::table::Item;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::decision::Verdict;
use pithead_core::knowledge::graph::Relation;
use pithead_core::text::clean::clean_line;
use pithead_world::ids::KnowledgeId;

/// Rows kept below the text for the keys that decide.
pub const BAR: u16 = 2;

/// What lies over the knowledge base.
#[derive(Debug, Clone, PartialEq)]
pub enum Sheet {
    /// An entry in full. `seen`: the end of what it says now has been on the screen.
    Read {
        id: KnowledgeId,
        scroll: usize,
        seen: bool,
    },
    /// Why? The reason stays with the entry.
    Reason(Ask),
    /// An entry in the editor; the text is the shell's.
    Edit(KnowledgeId),
    /// Two of the queue, side by side.
    Pair {
        ids: [KnowledgeId; 2],
        scroll: usize,
    },
    /// What became of it, change by change; `at` counts from the newest.
    History {
        id: KnowledgeId,
        at: usize,
        scroll: usize,
    },
}

/// What is about to be done, when its reason is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    pub id: KnowledgeId,
    pub what: What,
    pub text: String,
    /// What lint says of it, short of errors.
    pub remarks: Vec<String>,
}

/// Opens an entry to be read.
pub fn read(hands: &mut Hands<'_>, id: KnowledgeId) {
    hands.shell.cover = Cover::Curate(Sheet::Read {
        id,
        scroll: 0,
        seen: false,
    });
    look(hands.shell, hands.desk);
}

/// Remembers that the end of what is read has been on the screen.
pub fn look(shell: &mut Shell, desk: &Desk) {
    let (lines, height) = extent(shell, desk);
    let last = lines.saturating_sub(height);
    match &mut shell.cover {
        Cover::Curate(Sheet::Read { id, scroll, seen }) => {
            *scroll = (*scroll).min(last);
            let Some(entry) = desk.entry(*id) else { return };
            if height > 0 && *scroll + height >= lines {
                shell.curate.has_read(entry);
            }
            *seen = shell.curate.was_read(entry);
        }
        Cover::Curate(Sheet::History { scroll, .. } | Sheet::Pair { scroll, .. }) => {
            *scroll = (*scroll).min(last);
        }
        _ => (), // nothing else of this is read
    }
}

/// Lines of what is read, and how many fit.
#[must_use]
pub fn extent(shell: &Shell, desk: &Desk) -> (usize, usize) {
    let area = crate::widgets::page::reading_area(shell.size, BAR);
    (lines(shell, desk).len(), usize::from(area.height))
}

/// The lines of what is read.
#[must_use]
pub fn lines(shell: &Shell, desk: &Desk) -> Vec<Rich> {
    let width = usize::from(crate::widgets::page::reading_area(shell.size, BAR).width);
    if let Cover::Curate(Sheet::Pair { ids, .. }) = &shell.cover {
        return pair::lines(*ids, desk, width);
    }
    let (Cover::Curate(Sheet::Read { id, .. }) | Cover::Curate(Sheet::History { id, .. })) =
        &shell.cover
    else {
        return Vec::new();
    };
    let Some(known) = desk.entry(*id) else {
        return vec![Rich::of(Role::Faint, "It is not in the database any more.")];
    };
    if let Cover::Curate(Sheet::History { at, .. }) = &shell.cover {
        return history::lines(known, *at, desk.now, width);
    }
    let mut out = entry::whole(known, width);
    study::lines(&mut out, &shell.curate.studies, known, width);
    if let Some(record) = desk.records.get(id) {
        record.lines(&mut out, width);
    }
    let relations = desk.relations.as_ref().filter(|(of, _)| of == id);
    tree(&mut out, relations.map(|(_, all)| all.as_slice()), width);
    if let Some(asked) = desk.decisions.about(*id) {
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
pub fn on(hands: &mut Hands<'_>, sheet: Sheet, msg: Msg) -> Option<Effect> {
    if matches!(msg, Msg::Suspend | Msg::Redraw) {
        return run::update(hands.ui, hands.view, msg);
    }
    match sheet {
        Sheet::Read { id, scroll, seen } => on_read(hands, id, (scroll, seen), msg),
        Sheet::Reason(ask) => on_reason(hands, ask, msg),
        Sheet::Edit(id) => on_edit(hands, id, msg),
        Sheet::History { id, at, scroll } => on_history(hands, id, (at, scroll), msg),
        Sheet::Pair { ids, scroll } => on_pair(hands, ids, scroll, msg),
    }
}

/// Opens two of the queue.
pub(crate) fn open_pair(hands: &mut Hands<'_>, ids: [KnowledgeId; 2]) {
    hands.shell.cover = Cover::Curate(Sheet::Pair { ids, scroll: 0 });
}

fn on_pair(
    hands: &mut Hands<'_>,
    ids: [KnowledgeId; 2],
    scroll: usize,
    msg: Msg,
) -> Option<Effect> {
    let [one, other] = ids;
    let (id, what) = match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(hands.shell, hands.desk);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            hands.shell.cover = Cover::Curate(Sheet::Pair { ids, scroll });
            return None;
        }
        Msg::Back => {
            hands.shell.cover = Cover::None;
            return None;
        }
        Msg::Curate(CurateMsg::MergeRight) => (one, What::MergeInto(other)),
        Msg::Curate(CurateMsg::MergeLeft) => (other, What::MergeInto(one)),
        Msg::Curate(CurateMsg::KeepBoth) => (one, What::KeepBeside(other)),
        Msg::Curate(CurateMsg::Retire) => (one, What::Retire),
        Msg::Curate(CurateMsg::RetireRight) => (other, What::Retire),
        _ => return None, // no other row holds while two are read
    };
    match what.refused(hands.desk, id) {
        Some(because) => hands.shell.refuse(because),
        None => ask(hands, id, what, Vec::new()),
    }
    None
}

fn on_read(
    hands: &mut Hands<'_>,
    id: KnowledgeId,
    (scroll, seen): (usize, bool),
    msg: Msg,
) -> Option<Effect> {
    let what = match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(hands.shell, hands.desk);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            hands.shell.cover = Cover::Curate(Sheet::Read { id, scroll, seen });
            look(hands.shell, hands.desk);
            return None;
        }
        Msg::Back => {
            hands.shell.cover = Cover::None;
            return None;
        }
        Msg::Evidence => return evidence(hands, Some(Item::Entry(id))),
        Msg::Curate(CurateMsg::History) => {
            open_history(hands, id);
            return None;
        }
        Msg::Curate(CurateMsg::Study(kind)) => {
            return study::begin(hands, id, kind);
        }
        Msg::Edit | Msg::Outside if is_read(hands, seen) => return edit(hands, id, msg),
        Msg::Approve => What::Approve,
        Msg::Veto => What::Veto,
        Msg::Curate(CurateMsg::Retire) => What::Retire,
        Msg::Curate(CurateMsg::Restore) => What::Restore,
        _ => return None, // no other row holds while an entry is read
    };
    if let Some(because) = what.refused(hands.desk, id) {
        hands.shell.refuse(because);
    } else if is_read(hands, seen) {
        if what == What::Approve {
            return answer(hands, id, Verdict::Approve);
        }
        ask(hands, id, what, Vec::new());
    }
    None
}

/// True if its end has been on the screen; says so if not.
fn is_read(hands: &mut Hands<'_>, seen: bool) -> bool {
    if !seen {
        hands
            .shell
            .refuse("scroll to the end first (pgdn or G): only what has been seen can be decided");
    }
    seen
}

/// What a run may have asked is answered where it was asked.
fn answer(hands: &mut Hands<'_>, id: KnowledgeId, verdict: Verdict) -> Option<Effect> {
    hands.shell.cover = Cover::None;
    let ids = vec![id];
    Some(Effect::Inbox(inbox::Act::Answer { ids, verdict }))
}

/// Asks for the reason.
pub(crate) fn ask(hands: &mut Hands<'_>, id: KnowledgeId, what: What, remarks: Vec<String>) {
    hands.shell.cover = Cover::Curate(Sheet::Reason(Ask {
        id,
        text: what.reason().to_owned(),
        what,
        remarks,
    }));
}

/// Its run has asked about it and waits for the answer.
#[must_use]
pub fn is_asked(desk: &Desk, entry: &Entry) -> bool {
    entry.status == Status::Proposed && desk.decisions.about(entry.id).is_some()
}

fn on_reason(hands: &mut Hands<'_>, ask: Ask, msg: Msg) -> Option<Effect> {
    let reason = clean_line(ask.text.trim());
    match msg {
        Msg::Back => match ask.what {
            // The text is still there.
            What::Edit(_) => hands.shell.cover = Cover::Curate(Sheet::Edit(ask.id)),
            What::RollBack(_) => open_history(hands, ask.id),
            _ => match hands.shell.item(hands.desk) {
                Some(Item::Pair(one, other)) => open_pair(hands, [one, other]),
                _ => read(hands, ask.id),
            },
        },
        Msg::Submit if reason.is_empty() => {
            let word = ask.what.word();
            hands
                .shell
                .refuse(format!("to {word} needs a reason; it stays with the entry"));
        }
        Msg::Submit => {
            hands.shell.cover = Cover::None;
            let (id, what) = (ask.id, ask.what);
            if matches!(what, What::Edit(_)) {
                hands.shell.curate.sent = hands.shell.curate.editor.take().map(|text| (id, text));
            }
            let entry = hands.desk.entry(id)?;
            return match what {
                What::Veto => answer(hands, id, Verdict::Veto { reason }),
                What::Edit(body) if is_asked(hands.desk, entry) => {
                    answer(hands, id, Verdict::EditKnowledge(*body))
                }
                what => Some(Effect::Curate(Act { id, what, reason })),
            };
        }
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// Opens an entry in the editor, and hands its text on at once if that is wished.
fn edit(hands: &mut Hands<'_>, id: KnowledgeId, msg: Msg) -> Option<Effect> {
    let entry = hands.desk.entry(id)?;
    if entry.status == Status::Vetoed {
        hands
            .shell
            .refuse(format!("{id} is vetoed; R lifts that first"));
        return None;
    }
    match Editor::entry(entry) {
        Ok(mut editor) => {
            // A text that was sent and never answered for is still the operator's.
            let sent = hands.shell.curate.sent.take_if(|(of, _)| *of == id);
            if let Some((_, sent)) = sent.filter(|(_, text)| !text.says(&entry.body)) {
                editor.replace(&sent.text());
            }
            hands.shell.curate.editor = Some(Box::new(editor));
            hands.shell.cover = Cover::Curate(Sheet::Edit(id));
            if msg == Msg::Outside {
                return update(hands, msg);
            }
        }
        Err(because) => hands.shell.refuse(because),
    }
    None
}

fn on_edit(hands: &mut Hands<'_>, id: KnowledgeId, msg: Msg) -> Option<Effect> {
    let mut editor = hands.shell.curate.editor.take()?;
    match msg {
        Msg::Submit => {
            let read = editor.body(id, &hands.desk.entries);
            hands.shell.curate.editor = Some(editor);
            let (body, remarks) = read?;
            let what = What::Edit(Box::new(body));
            match what.refused(hands.desk, id) {
                Some(because) => hands.shell.refuse(because),
                None => ask(hands, id, what, remarks),
            }
            return None;
        }
        Msg::Back => match editor.stays_open() {
            Some(because) => hands.shell.refuse(because),
            None => {
                read(hands, id);
                return None;
            }
        },
        _ => (), // no other row holds in the editor
    }
    hands.shell.curate.editor = Some(editor);
    None
}

pub(crate) fn open_history(hands: &mut Hands<'_>, id: KnowledgeId) {
    hands.shell.cover = Cover::Curate(Sheet::History {
        id,
        at: 0,
        scroll: 0,
    });
}

fn on_history(
    hands: &mut Hands<'_>,
    id: KnowledgeId,
    (at, scroll): (usize, usize),
    msg: Msg,
) -> Option<Effect> {
    let known = hands
        .desk
        .entry(id)
        .map_or(1, |entry| entry.history.len() + 1);
    let (at, scroll) = match msg {
        Msg::Move(motion @ (Motion::Up | Motion::Down)) => (moved(at, known, 1, motion), 0),
        Msg::Move(motion) => {
            let (lines, height) = extent(hands.shell, hands.desk);
            let last = lines.saturating_sub(height);
            (
                at,
                moved(scroll, last + 1, height.saturating_sub(1), motion),
            )
        }
        Msg::Curate(CurateMsg::RollBack) => {
            let entry = hands.desk.entry(id)?;
            let what = What::RollBack(history::version_at(entry, at));
            match what.refused(hands.desk, id) {
                Some(because) => hands.shell.refuse(because),
                None => ask(hands, id, what, Vec::new()),
            }
            return None;
        }
        Msg::Back => {
            read(hands, id);
            return None;
        }
        _ => return None, // no other row holds while the history is read
    };
    hands.shell.cover = Cover::Curate(Sheet::History { id, at, scroll });
    look(hands.shell, hands.desk);
    None
}

/// An answer about a text that was saved: it is forgotten, or comes back with its fault.
pub fn settle(shell: &mut Shell, fault: Option<&str>) {
    let Some((id, mut editor)) = shell.curate.sent.take() else {
        return;
    };
    if let Some(because) = fault {
        editor.refuse(because);
        shell.curate.editor = Some(editor);
        shell.cover = Cover::Curate(Sheet::Edit(id));
    }
}
