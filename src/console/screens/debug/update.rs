//! Update: what keys change on the Debug screen.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::update_list;
use crate::msg::{DebugMsg, Msg, ReplayMsg};
use crate::overlay::{Overlay, PageSubject};
use crate::screen::Screen;
use crate::screens::debug::frames::{case, moment, stand_at};
use crate::screens::debug::inspection::{at, chosen, inspection, judge_anew};
use crate::screens::debug::overlay::open_line;
use crate::screens::debug::state::{
    DebugOverlay, DebugPage, DebugPart, DebugState, LinePrompt, RunSearch, Stand,
};
use crate::screens::debug::{forking, relabel, thresholds, tree};
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::experience::thresholds::KNOBS;
use pithead_world::ids::Seq;

/// Frames that the greater steps pass over.
const LEAP: usize = 10;

/// A message on the screen with nothing over it.
pub fn update_debug(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let part = context.shell.debug.part;
    match msg {
        Msg::FocusNext => focus_by(&mut context.shell.debug, 1),
        Msg::FocusPrevious => focus_by(&mut context.shell.debug, DebugPart::ALL.len() - 1),
        Msg::Zoom => context.shell.debug.zoom = !context.shell.debug.zoom,
        Msg::Debug(debug) => return on_debug(context, debug),
        Msg::Move(motion @ (Motion::Left | Motion::Right)) => sideways(context, motion),
        Msg::Move(motion) if context.shell.debug.side => {
            let scroll = &mut context.shell.debug.scroll;
            *scroll = moved(*scroll, SCROLL_MAX, 10, motion);
        }
        Msg::Move(motion) if part != DebugPart::Attempts => move_in(context, part, motion),
        Msg::Open => open(context, part),
        Msg::Back if context.shell.debug.zoom => context.shell.debug.zoom = false,
        Msg::Back if context.shell.debug.side => context.shell.debug.side = false,
        Msg::Back if context.shell.debug.moved.is_some() => reset(context),
        Msg::Back if part != DebugPart::Attempts => context.shell.debug.part = DebugPart::Attempts,
        _ => return update_list(context, msg),
    }
    None
}

/// Lines that a comparison can be scrolled; drawing stops at the last.
const SCROLL_MAX: usize = 400;

fn focus_by(ui: &mut DebugState, by: usize) {
    let place = DebugPart::ALL.iter().position(|part| *part == ui.part);
    focus_on(
        ui,
        DebugPart::ALL[(place.unwrap_or(0) + by) % DebugPart::ALL.len()],
    );
}

/// Puts the focus on a part.
pub fn focus_on(ui: &mut DebugState, part: DebugPart) {
    ui.part = part;
    ui.side = false;
    if part != DebugPart::Attempts {
        ui.shared = part;
    }
}

fn step_frames(context: &mut Context<'_>, by: isize) {
    let Some(case) = case(context) else { return };
    let from = at(&context.shell.debug, case);
    let last = case.samples.len().saturating_sub(1);
    let to = from.saturating_add_signed(by).min(last);
    if to == from {
        let end = if by < 0 { "first" } else { "last" };
        context
            .shell
            .say(format!("this is the {end} frame of the attempt"));
    }
    stand_at(&mut context.shell.debug, case, to);
}

/// To the next frame at which something turns: a check, an order, a window.
fn turn(context: &mut Context<'_>, forward: bool) {
    let Some(case) = case(context) else { return };
    let at = at(&context.shell.debug, case);
    let frames = case.samples.len();
    let turns = |n: &usize| {
        let (Some(before), Some(now)) = (case.samples.get(n.wrapping_sub(1)), case.samples.get(*n))
        else {
            return true;
        };
        let seq = case.seqs.get(*n).copied();
        let before_seq = case.seqs.get(n.wrapping_sub(1)).copied();
        let ordered = case
            .deeds
            .iter()
            .any(|(at, _)| Some(*at) > before_seq && Some(*at) <= seq);
        before.truths != now.truths || before.gui != now.gui || ordered
    };
    let found = if forward {
        (at + 1..frames).find(turns)
    } else {
        (0..at).rev().find(turns)
    };
    match found {
        Some(to) => stand_at(&mut context.shell.debug, case, to),
        None => context.shell.say("nothing changes beyond this frame"),
    }
}

fn sideways(context: &mut Context<'_>, motion: Motion) {
    let up = motion == Motion::Right;
    if context.shell.debug.part == DebugPart::Thresholds && !context.shell.debug.side {
        turn_knob(context, up);
    } else {
        step_frames(context, if up { 1 } else { -1 });
    }
}

fn turn_knob(context: &mut Context<'_>, up: bool) {
    let Some(case) = case(context) else { return };
    let knob = &KNOBS[context.shell.debug.knob.min(KNOBS.len() - 1)];
    let moved = context.shell.debug.moved.as_ref();
    let mut thresholds = moved.unwrap_or(&case.thresholds).clone();
    let to = thresholds::step(knob, &case.thresholds, knob.get(&thresholds), up);
    if let Err(error) = knob.set(&mut thresholds, to) {
        context.shell.refuse(error.to_string());
        return;
    }
    let is_own = thresholds == case.thresholds;
    context.shell.debug.moved = (!is_own).then_some(thresholds);
    judge_anew(&mut context.shell.debug, Some(case));
}

fn reset(context: &mut Context<'_>) {
    context.shell.debug.moved = None;
    judge_anew(
        &mut context.shell.debug,
        context.cache.debug.case.as_deref(),
    );
}

fn move_in(context: &mut Context<'_>, part: DebugPart, motion: Motion) {
    let page = usize::from(context.shell.size.height / 3).max(1);
    let asks = chosen(context.shell, context.cache)
        .map_or(0, |id| context.cache.debug.index.asks_about(id).len());
    let inspection = inspection(context.shell, context.cache);
    let steps = inspection.map_or(0, |inspection| tree::len(inspection.diagnosis));
    let charts = inspection.map_or(0, |inspection| inspection.series.len());
    let ui = &mut context.shell.debug;
    let (row, len) = match part {
        DebugPart::Charts => (&mut ui.chart, charts),
        DebugPart::Trace => (&mut ui.step, steps),
        DebugPart::Thresholds => (&mut ui.knob, KNOBS.len()),
        DebugPart::Mind => (&mut ui.ask, asks),
        DebugPart::Attempts | DebugPart::Observed | DebugPart::Checks => {
            (&mut ui.scroll, SCROLL_MAX)
        }
    };
    *row = moved(*row, len, page, motion);
}

fn open(context: &mut Context<'_>, part: DebugPart) {
    let page = match part {
        DebugPart::Mind => {
            let asks = chosen(context.shell, context.cache)
                .map_or(&[][..], |id| context.cache.debug.index.asks_about(id));
            let at = context.shell.debug.ask.min(asks.len().saturating_sub(1));
            match asks.get(at) {
                Some(ask) => return context.shell.open_page(PageSubject::Asked(ask.seq)),
                None => return context.shell.refuse("the mind was asked nothing here"),
            }
        }
        DebugPart::Attempts | DebugPart::Trace => DebugPage::Trace,
        DebugPart::Observed | DebugPart::Checks | DebugPart::Charts | DebugPart::Thresholds => {
            context.shell.debug.zoom = !context.shell.debug.zoom;
            return;
        }
    };
    context.shell.open_page(PageSubject::Debug(page));
}

fn on_debug(context: &mut Context<'_>, msg: DebugMsg) -> Option<Effect> {
    match msg {
        DebugMsg::LeapBack => step_frames(context, -LEAP.cast_signed()),
        DebugMsg::LeapOn => step_frames(context, LEAP.cast_signed()),
        DebugMsg::TurnBack => turn(context, false),
        DebugMsg::TurnOn => turn(context, true),
        DebugMsg::First => context.shell.debug.stand = Some(Stand::default()),
        DebugMsg::Last => context.shell.debug.stand = None,
        DebugMsg::Set => open_line(context.shell, LinePrompt::Set),
        DebugMsg::Reset => reset(context),
        DebugMsg::Relabel => relabel::open(context),
        DebugMsg::Overrule => overrule(context),
        DebugMsg::Where => open_line(context.shell, LinePrompt::Where),
        DebugMsg::WhereNext => search_on(context),
        DebugMsg::Wrote => open_line(context.shell, LinePrompt::Wrote),
        DebugMsg::Bookmark => open_line(context.shell, LinePrompt::Bookmark),
        DebugMsg::Bookmarks => {
            let bookmarks = DebugOverlay::Bookmarks { at: 0 };
            context.shell.open_overlay(Overlay::Debug(bookmarks));
        }
        DebugMsg::Break | DebugMsg::Breaks => open_breaks(context, msg),
        DebugMsg::Side => side(context),
        DebugMsg::Fork => forking::open_fork(context),
        DebugMsg::Show => return show(context),
        DebugMsg::ForkPoint
        | DebugMsg::ForkWithout
        | DebugMsg::ForkKeep
        | DebugMsg::ForkThresholds
        | DebugMsg::ForkPlan => (), // these hold in the form only
    }
    None
}

/// Asks for a breakpoint, or shows them, on whatever screen.
pub fn open_breaks(context: &mut Context<'_>, msg: DebugMsg) {
    if !context.shell.has_run {
        context.shell.refuse("no run is open that could stop");
    } else if msg == DebugMsg::Break {
        open_line(context.shell, LinePrompt::Break);
    } else {
        let breaks = DebugOverlay::Breaks { at: 0 };
        context.shell.open_overlay(Overlay::Debug(breaks));
    }
}

fn overrule(context: &mut Context<'_>) {
    let row =
        chosen(context.shell, context.cache).and_then(|id| context.cache.debug.index.attempt(id));
    match row.map(|row| row.success) {
        Some(Some(false)) => open_line(context.shell, LinePrompt::Overrule),
        Some(Some(true)) => context
            .shell
            .refuse("it succeeded; only the reason of a failure can be overruled"),
        Some(None) => context
            .shell
            .refuse("it has not ended; it has no label yet"),
        None => context.shell.refuse("there is no attempt to overrule"),
    }
}

/// The next moment of the search; of what changed a value, the one before.
fn search_on(context: &mut Context<'_>) {
    let here = moment(context).map(|(seq, _)| seq);
    match (&mut context.shell.debug.search, here) {
        (Some(search), Some(here)) => {
            match search {
                RunSearch::Becomes { after, .. } => *after = here,
                RunSearch::Wrote { until, .. } => *until = Seq(here.0.saturating_sub(1)),
            }
            context.shell.say("looking …");
        }
        (None, _) => context
            .shell
            .refuse("f looks for a condition first, a for what changed a value"),
        (_, None) => context.shell.refuse("no frame is visible"),
    }
}

fn side(context: &mut Context<'_>) {
    if context.shell.debug.side {
        context.shell.debug.side = false;
        return;
    }
    match crate::screens::debug::inspection::beside(context.shell, context.cache) {
        Some(_) => {
            (context.shell.debug.side, context.shell.debug.scroll) = (true, 0);
        }
        None => context
            .shell
            .refuse("no other attempt at this step; m marks the one to compare with"),
    }
}

/// The moment on the run's own screen.
fn show(context: &mut Context<'_>) -> Option<Effect> {
    if !context.shell.live.is_replay() {
        context
            .shell
            .refuse("the run continues; its past is on this screen, its present on 1");
        return None;
    }
    let (seq, _) = moment(context)?;
    context.shell.go(Screen::Live);
    Some(Effect::Replay(ReplayMsg::ToSeq(seq.0)))
}
