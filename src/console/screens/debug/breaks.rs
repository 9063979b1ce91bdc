//! Breakpoints and bookmarks as lists: what stands in them, and what keys do there.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::{Msg, ReplayMsg};
use crate::overlay::Overlay;
use crate::screens::debug::state::DebugOverlay;
use crate::shell::Shell;
use crate::theme::Role;
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
pub fn breakpoints<'a>(shell: &'a Shell, view: &'a View) -> &'a [Breakpoint] {
    if shell.live.is_replay() {
        &shell.debug.breaks
    } else {
        &view.breaks
    }
}

/// Adds one that was typed.
pub fn breakpoints_with(context: &mut Context<'_>, text: &str) -> Result<Effect, String> {
    let on: BreakOn = text
        .parse()
        .map_err(|error: pithead_core::domain::run::breakpoint::BadBreakpoint| error.to_string())?;
    let mut breaks = breakpoints(context.shell, context.view).to_vec();
    if breaks.len() >= BREAKPOINTS_MAX {
        return Err(format!(
            "there are {BREAKPOINTS_MAX} breakpoints; B removes some"
        ));
    }
    breaks.retain(|known| known.on != on);
    breaks.push(Breakpoint::new(on));
    Ok(Effect::SetBreaks(breaks))
}

/// A message on the list of breakpoints.
pub(crate) fn update_breaks(context: &mut Context<'_>, at: usize, msg: Msg) -> Option<Effect> {
    let mut breaks = breakpoints(context.shell, context.view).to_vec();
    let at = at.min(breaks.len().saturating_sub(1));
    let page = usize::from(context.shell.size.height / 2);
    match msg {
        Msg::Move(motion) => {
            let at = moved(at, breaks.len(), page, motion);
            context
                .shell
                .replace_overlay(Overlay::Debug(DebugOverlay::Breaks { at }));
        }
        Msg::Mark if !breaks.is_empty() => {
            breaks[at].off = !breaks[at].off;
            return Some(Effect::SetBreaks(breaks));
        }
        Msg::Remove if !breaks.is_empty() => {
            breaks.remove(at);
            return Some(Effect::SetBreaks(breaks));
        }
        Msg::Mark | Msg::Remove | Msg::Open => context.shell.refuse("b sets a breakpoint"),
        _ => context.shell.close_overlay(),
    }
    None
}

/// A message on the list of bookmarks.
pub(crate) fn update_bookmarks(context: &mut Context<'_>, at: usize, msg: Msg) -> Option<Effect> {
    let marks = &context.cache.debug.bookmarks;
    let at = at.min(marks.len().saturating_sub(1));
    match (msg, marks.get(at)) {
        (Msg::Move(motion), _) => {
            let page = usize::from(context.shell.size.height / 2);
            let at = moved(at, marks.len(), page, motion);
            context
                .shell
                .replace_overlay(Overlay::Debug(DebugOverlay::Bookmarks { at }));
            None
        }
        (Msg::Open, Some(mark)) => {
            context.shell.close_overlay();
            go_to(context, mark.seq)
        }
        (Msg::Remove, Some(mark)) => {
            let run = context.view.head.as_ref()?.run;
            Some(Effect::Mark(Event::BookmarkRemoved {
                run,
                seq: mark.seq,
                by: String::new(),
            }))
        }
        (Msg::Open | Msg::Remove | Msg::Mark, _) => {
            context.shell.refuse("w marks the visible frame");
            None
        }
        _ => {
            context.shell.close_overlay();
            None
        }
    }
}

/// Shows the attempt and the frame that an event belongs to; a recording is moved there too.
pub fn go_to(context: &mut Context<'_>, seq: Seq) -> Option<Effect> {
    let index = &context.cache.debug.index;
    let row = index.attempts.iter().rev().find(|row| row.from <= seq);
    if let Some(row) = row {
        crate::screens::debug::frames::choose(context.shell, context.cache, row.id);
        let case = context.cache.debug.case.as_deref();
        let case = case.filter(|case| case.row.id == row.id);
        if let Some(case) = case {
            let at = case.seqs.partition_point(|s| *s <= seq).saturating_sub(1);
            crate::screens::debug::frames::stand_at(&mut context.shell.debug, case, at);
        }
    }
    context
        .shell
        .live
        .is_replay()
        .then_some(Effect::Replay(ReplayMsg::ToSeq(seq.0)))
}

/// The lines of the list of breakpoints.
#[must_use]
pub fn breakpoint_lines(breaks: &[Breakpoint]) -> Vec<Rich> {
    let line = |breakpoint: &Breakpoint| {
        let (role, sign) = if breakpoint.off {
            (Role::Faint, "○ off ")
        } else {
            (Role::Notice, "● on  ")
        };
        Rich::text(role, sign).and(Role::Text, breakpoint.on.to_string())
    };
    if breaks.is_empty() {
        return vec![Rich::text(Role::Faint, "none yet; b sets one")];
    }
    breaks.iter().map(line).collect()
}

/// The lines of the list of bookmarks.
#[must_use]
pub fn bookmark_lines(marks: &[Bookmark]) -> Vec<Rich> {
    if marks.is_empty() {
        return vec![Rich::text(
            Role::Faint,
            "none yet; w marks the visible frame",
        )];
    }
    let line = |mark: &Bookmark| {
        Rich::text(
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
