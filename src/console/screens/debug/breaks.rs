//! Breakpoints and bookmarks as lists: what stands in them, and what keys do there.

use crate::msg::{Effect, Msg, ReplayMsg};
use crate::screens::debug::sheet::Sheet;
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::ui::Ui;
use crate::update::Hands;
use crate::view::View;
use crate::widgets::rich::Rich;
use crate::widgets::scroll::moved;
use pithead_core::domain::run::breakpoint::{BREAKPOINTS_MAX, BreakOn, Breakpoint};
use pithead_core::domain::run::event::Event;
use pithead_core::text::numbers::format_count;
use pithead_engine::journal::Bookmark;
use pithead_world::ids::Seq;

/// The breakpoints that hold: those of a live run are the run's own.
#[must_use]
pub fn list<'a>(shell: &'a Shell, ui: &Ui, view: &'a View) -> &'a [Breakpoint] {
    if ui.is_replay() {
        &shell.debug.breaks
    } else {
        &view.breaks
    }
}

/// Adds one that was typed.
pub fn add(hands: &mut Hands<'_>, text: &str) -> Result<Effect, String> {
    let on: BreakOn = text
        .parse()
        .map_err(|error: pithead_core::domain::run::breakpoint::BadBreakpoint| error.to_string())?;
    let mut breaks = list(hands.shell, hands.ui, hands.view).to_vec();
    if breaks.len() >= BREAKPOINTS_MAX {
        return Err(format!(
            "there are {BREAKPOINTS_MAX} breakpoints; B takes some off"
        ));
    }
    breaks.retain(|known| known.on != on);
    breaks.push(Breakpoint::new(on));
    Ok(Effect::SetBreaks(breaks))
}

/// A message on the list of breakpoints.
pub(crate) fn on_breaks(hands: &mut Hands<'_>, at: usize, msg: Msg) -> Option<Effect> {
    let mut breaks = list(hands.shell, hands.ui, hands.view).to_vec();
    let at = at.min(breaks.len().saturating_sub(1));
    let page = usize::from(hands.shell.size.height / 2);
    match msg {
        Msg::Move(motion) => {
            let at = moved(at, breaks.len(), page, motion);
            hands.shell.cover = Cover::Debug(Sheet::Breaks { at });
        }
        Msg::Mark if !breaks.is_empty() => {
            breaks[at].off = !breaks[at].off;
            return Some(Effect::SetBreaks(breaks));
        }
        Msg::Remove if !breaks.is_empty() => {
            breaks.remove(at);
            return Some(Effect::SetBreaks(breaks));
        }
        Msg::Mark | Msg::Remove | Msg::Open => hands.shell.refuse("b sets a breakpoint"),
        _ => hands.shell.cover = Cover::None,
    }
    None
}

/// A message on the list of bookmarks.
pub(crate) fn on_bookmarks(hands: &mut Hands<'_>, at: usize, msg: Msg) -> Option<Effect> {
    let marks = &hands.desk.bench.bookmarks;
    let at = at.min(marks.len().saturating_sub(1));
    match (msg, marks.get(at)) {
        (Msg::Move(motion), _) => {
            let page = usize::from(hands.shell.size.height / 2);
            let at = moved(at, marks.len(), page, motion);
            hands.shell.cover = Cover::Debug(Sheet::Bookmarks { at });
            None
        }
        (Msg::Open, Some(mark)) => {
            hands.shell.cover = Cover::None;
            go_to(hands, mark.seq)
        }
        (Msg::Remove, Some(mark)) => {
            let run = hands.view.head.as_ref()?.run;
            Some(Effect::Mark(Event::BookmarkRemoved {
                run,
                seq: mark.seq,
                by: String::new(),
            }))
        }
        (Msg::Open | Msg::Remove | Msg::Mark, _) => {
            hands.shell.refuse("w marks the frame in sight");
            None
        }
        _ => {
            hands.shell.cover = Cover::None;
            None
        }
    }
}

/// Shows the attempt and the frame that an event belongs to; a recording is moved there too.
pub fn go_to(hands: &mut Hands<'_>, seq: Seq) -> Option<Effect> {
    let index = &hands.desk.bench.index;
    let row = index.attempts.iter().rev().find(|row| row.from <= seq);
    if let Some(row) = row {
        crate::screens::debug::update::choose(hands.shell, hands.desk, row.id);
        let case = hands.desk.bench.case.as_deref();
        let case = case.filter(|case| case.row.id == row.id);
        if let Some(case) = case {
            let at = case.seqs.partition_point(|s| *s <= seq).saturating_sub(1);
            crate::screens::debug::update::stand_at(&mut hands.shell.debug, case, at);
        }
    }
    hands
        .ui
        .is_replay()
        .then_some(Effect::Replay(ReplayMsg::ToSeq(seq.0)))
}

/// The lines of the list of breakpoints.
#[must_use]
pub fn lines(breaks: &[Breakpoint]) -> Vec<Rich> {
    let line = |breakpoint: &Breakpoint| {
        let (role, sign) = if breakpoint.off {
            (Role::Faint, "○ off ")
        } else {
            (Role::Notice, "● on  ")
        };
        Rich::of(role, sign).and(Role::Text, breakpoint.on.to_string())
    };
    if breaks.is_empty() {
        return vec![Rich::of(Role::Faint, "none yet; b sets one")];
    }
    breaks.iter().map(line).collect()
}

/// The lines of the list of bookmarks.
#[must_use]
pub fn bookmark_lines(marks: &[Bookmark]) -> Vec<Rich> {
    if marks.is_empty() {
        return vec![Rich::of(
            Role::Faint,
            "none yet; w marks the frame in sight",
        )];
    }
    let line = |mark: &Bookmark| {
        Rich::of(
            Role::Strong,
            format!("event {:<8}", format_count(mark.seq.0)),
        )
        .and(
            Role::Faint,
            format!(" tick {:<8} ", format_count(mark.tick)),
        )
        .and(Role::Text, &mark.note)
        .and(Role::Faint, format!("  {}", mark.by))
    };
    marks.iter().map(line).collect()
}
