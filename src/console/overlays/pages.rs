//! Pages: what is read in full, line by line, before anything is drawn.
//!
//! Scrolling and "its end has been seen" count these lines, so drawing and keys agree on them. Invariant:
//! `settle_page` alone says that the end of a text has been on the screen.

use crate::cache::Cache;
use crate::overlay::{OpenPage, Overlay, PageSubject};
use crate::overlays::card::{blocked_lines, card_lines, study_heading, study_lines};
use crate::overlays::known::shown_entries;
use crate::overlays::{help, rows};
use crate::screens::knowledge::state::StudyKind;
use crate::screens::{debug, inbox, knowledge, live};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::mind_call::call_lines;
use crate::widgets::page::reading_area;
use crate::widgets::popup::BAR_ROWS;
use crate::widgets::rich::Rich;
use crate::widgets::scroll::{Motion, moved};
use crate::widgets::table::ListItem;
use pithead_engine::mind::watch::AnswerProgress;
use pithead_world::ids::{KnowledgeId, Seq};

/// The lines of a page.
#[must_use]
pub fn page_lines(
    subject: &PageSubject,
    (shell, cache, view): (&Shell, &Cache, &View),
) -> Vec<Rich> {
    let width = usize::from(reading_area(shell.size, 0).width);
    match subject {
        PageSubject::Help => help::help_lines(shell, width),
        PageSubject::Row(item) => rows::row_lines(*item, cache, width),
        PageSubject::Question(id) => {
            let lines = live::pages::question_lines(*id, view, width);
            with_card(lines, QUESTION_HEAD, (shell, cache, view), width)
        }
        PageSubject::Run(page) => {
            let lines = live::pages::page_lines(*page, view, width);
            with_card(lines, ENTRY_HEAD, (shell, cache, view), width)
        }
        PageSubject::Blocked { id, at } => {
            blocked_lines(*id, *at, &shell.knowledge.studies, width).0
        }
        PageSubject::Debug(page) => debug::pages::page_lines(*page, shell, cache),
        PageSubject::Asked(seq) => asked_lines(*seq, shell, cache, width),
        PageSubject::Proposals(ids) => inbox::pages::proposal_lines(ids, shell, cache, width),
        PageSubject::Entry(id) => knowledge::pages::entry_lines(*id, shell, cache, width),
        PageSubject::History { id, at } => knowledge::pages::history_lines(*id, *at, cache, width),
        PageSubject::Pair(ids) => knowledge::pair::pair_lines(*ids, cache, width),
    }
}

/// A question to the mind, with as much of its answer as has come.
fn asked_lines(seq: Seq, shell: &Shell, cache: &Cache, width: usize) -> Vec<Rich> {
    match &cache.debug.asked {
        Some(asked) if asked.seq == seq => {
            let thinking = shell.live.thinking.as_ref();
            let thinking = thinking.filter(|progress| progress.call == asked.call);
            call_lines(asked, thinking.map(AnswerProgress::said), width)
        }
        _ => vec![Rich::text(Role::Faint, "reading …")],
    }
}

/// Lines of a question, and of an entry, that stand above the card.
const QUESTION_HEAD: usize = 2;
const ENTRY_HEAD: usize = 1;

/// The lines of a page of the run with the card of the entry that it is about, if it is about one.
fn with_card(
    mut lines: Vec<Rich>,
    head: usize,
    (shell, cache, view): (&Shell, &Cache, &View),
    width: usize,
) -> Vec<Rich> {
    if let [entry] = &shown_entries(shell, cache, view)[..] {
        let card = card_lines(entry, shell, cache, width);
        let head = head.min(lines.len());
        lines.splice(head..head, card);
        study_lines(&mut lines, &shell.knowledge.studies, entry, width);
    }
    lines
}

/// The heading of a page.
#[must_use]
pub fn page_title(subject: &PageSubject, cache: &Cache, view: &View) -> String {
    match subject {
        PageSubject::Help => "Keys".to_owned(),
        PageSubject::Row(ListItem::Failure(..)) => "steps by reasons".to_owned(),
        PageSubject::Row(item) => cache.name(*item),
        PageSubject::Question(id) => format!("Decision {id} · {} open", view.inbox.open.len()),
        PageSubject::Run(page) => live::pages::page_title(*page).to_owned(),
        PageSubject::Debug(_) => "Debug".to_owned(),
        PageSubject::Asked(_) => "A question to the mind".to_owned(),
        PageSubject::Proposals(ids) => match ids[..] {
            [id] => cache.name(ListItem::Entry(id)),
            _ => format!("{} entries, each decided separately", ids.len()),
        },
        PageSubject::Entry(id) => cache.name(ListItem::Entry(*id)),
        PageSubject::History { id, .. } => {
            format!("History of {}", cache.name(ListItem::Entry(*id)))
        }
        PageSubject::Blocked { id, .. } => format!("What {id} would have blocked"),
        PageSubject::Pair([one, other]) => format!("{one} ◂▸ {other}"),
    }
}

/// The keys that stand below a page; none below one that decides nothing.
pub(crate) fn page_bar(
    page: &OpenPage,
    (shell, cache, view): (&Shell, &Cache, &View),
) -> Option<Rich> {
    Some(match &page.subject {
        PageSubject::Question(id) => {
            live::overlay::question_bar(*id, page.seen, view, shell.live.now)
        }
        PageSubject::Proposals(ids) => inbox::draw::proposals_bar(ids, page.seen, cache),
        PageSubject::Entry(id) => knowledge::draw::entry_bar(*id, page.seen, cache),
        PageSubject::History { .. } => knowledge::draw::history_bar(),
        PageSubject::Blocked { .. } => knowledge::draw::blocked_bar(),
        PageSubject::Pair(_) => knowledge::draw::pair_bar(),
        PageSubject::Help
        | PageSubject::Row(_)
        | PageSubject::Run(_)
        | PageSubject::Debug(_)
        | PageSubject::Asked(_) => return None,
    })
}

/// Rows that the keys take below a page.
#[must_use]
pub fn bar_rows(subject: &PageSubject) -> u16 {
    match subject {
        PageSubject::Question(_)
        | PageSubject::Proposals(_)
        | PageSubject::Entry(_)
        | PageSubject::History { .. }
        | PageSubject::Blocked { .. }
        | PageSubject::Pair(_) => BAR_ROWS,
        PageSubject::Help
        | PageSubject::Row(_)
        | PageSubject::Run(_)
        | PageSubject::Debug(_)
        | PageSubject::Asked(_) => 0,
    }
}

/// Lines of a page, and how many of them fit on the screen.
pub(crate) fn page_extent(subject: &PageSubject, state: (&Shell, &Cache, &View)) -> (usize, usize) {
    let height = reading_area(state.0.size, bar_rows(subject)).height;
    (page_lines(subject, state).len(), usize::from(height))
}

/// Moves within the page on top.
pub(crate) fn scroll_page(shell: &mut Shell, cache: &Cache, view: &View, motion: Motion) {
    let Some(Overlay::Page(page)) = shell.overlay() else {
        return;
    };
    let (lines, height) = page_extent(&page.subject, (shell, cache, view));
    let tops = lines.saturating_sub(height) + 1;
    let to = moved(page.scroll, tops, height.saturating_sub(1), motion);
    if let Some(Overlay::Page(page)) = shell.overlays.last_mut() {
        page.scroll = to;
    }
}

/// Brings what a study has found into sight, if the page on top is about that entry alone.
pub(crate) fn show_study(
    shell: &mut Shell,
    (cache, view): (&Cache, &View),
    (id, kind): (KnowledgeId, StudyKind),
) {
    let Some(subject) = shell.page().map(|page| page.subject.clone()) else {
        return;
    };
    if !matches!(&shown_entries(shell, cache, view)[..], [entry] if entry.id == id) {
        return;
    }
    let heading = study_heading(kind);
    let lines = page_lines(&subject, (shell, cache, view));
    let at = lines.iter().position(|line| line.plain() == heading);
    let height = page_extent(&subject, (shell, cache, view)).1;
    if let (Some(at), Some(Overlay::Page(page))) = (at, shell.overlays.last_mut())
        && !(page.scroll..page.scroll + height / 2).contains(&at)
    {
        page.scroll = at;
    }
}

/// Keeps the page on top in sight, which may have become shorter, and remembers whether its end has been
/// on the screen.
pub(crate) fn settle_page(shell: &mut Shell, cache: &Cache, view: &View) {
    let Some(page) = shell.page() else {
        return;
    };
    let (lines, height) = page_extent(&page.subject, (shell, cache, view));
    let scroll = page.scroll.min(lines.saturating_sub(height));
    let shows_end = height > 0 && scroll + height >= lines;
    let seen = match page.subject {
        // Another text under the name of an entry was not read by reading the one before it.
        PageSubject::Entry(id) => match cache.entry(id).cloned() {
            Some(entry) => {
                if shows_end {
                    shell.knowledge.has_read(&entry);
                }
                shell.knowledge.was_read(&entry)
            }
            None => page.seen,
        },
        _ => page.seen || shows_end,
    };
    if let Some(Overlay::Page(page)) = shell.overlays.last_mut() {
        (page.scroll, page.seen) = (scroll, seen);
    }
}
