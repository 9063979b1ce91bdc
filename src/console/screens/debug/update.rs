//! Update: what keys change on the Debug screen.

use crate::cache::Desk;
use crate::msg::{DebugMsg, Effect, Motion, Msg, ReplayMsg};
use crate::screen::Screen;
use crate::screens::debug::sheet::{Full, Line, Sheet, open_line};
use crate::screens::debug::{
    DebugUi, Part, Search, Stand, at, chosen, forking, glass, judge_anew, knobs, tree,
};
use crate::shell::{Cover, Shell};
use crate::update::{Hands, on_list};
use crate::widgets::scroll::moved;
use crate::widgets::table::Item;
use pithead_core::domain::experience::thresholds::KNOBS;
use pithead_engine::runtime::case_file::CaseFile;
use pithead_world::ids::{AttemptId, Seq};

/// Frames that the greater steps pass over.
const LEAP: usize = 10;

/// A message on the screen with nothing over it.
pub fn on(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    let part = hands.shell.debug.part;
    match msg {
        Msg::FocusNext => focus_by(&mut hands.shell.debug, 1),
        Msg::FocusPrevious => focus_by(&mut hands.shell.debug, Part::ALL.len() - 1),
        Msg::Zoom => hands.shell.debug.zoom = !hands.shell.debug.zoom,
        Msg::Debug(debug) => return on_debug(hands, debug),
        Msg::Move(motion @ (Motion::Left | Motion::Right)) => sideways(hands, motion),
        Msg::Move(motion) if hands.shell.debug.side => {
            let scroll = &mut hands.shell.debug.scroll;
            *scroll = moved(*scroll, SCROLL_MAX, 10, motion);
        }
        Msg::Move(motion) if part != Part::Attempts => move_in(hands, part, motion),
        Msg::Open => open(hands, part),
        Msg::Back if hands.shell.debug.zoom => hands.shell.debug.zoom = false,
        Msg::Back if hands.shell.debug.side => hands.shell.debug.side = false,
        Msg::Back if hands.shell.debug.moved.is_some() => reset(hands),
        Msg::Back if part != Part::Attempts => hands.shell.debug.part = Part::Attempts,
        _ => return on_list(hands, msg),
    }
    None
}

/// Lines that a comparison can be scrolled; drawing stops at the last.
const SCROLL_MAX: usize = 400;

fn focus_by(ui: &mut DebugUi, by: usize) {
    let place = Part::ALL.iter().position(|part| *part == ui.part);
    focus_on(ui, Part::ALL[(place.unwrap_or(0) + by) % Part::ALL.len()]);
}

/// Puts the focus on a part.
pub fn focus_on(ui: &mut DebugUi, part: Part) {
    ui.part = part;
    ui.side = false;
    if part != Part::Attempts {
        ui.shared = part;
    }
}

/// Selects an attempt in the list.
pub fn choose(shell: &mut Shell, desk: &Desk, id: AttemptId) {
    let list = shell.lists.entry(Screen::Debug).or_default();
    let item = Item::Attempt(id);
    let hidden = desk
        .table(Screen::Debug)
        .is_some_and(|table| !list.order.iter().any(|at| table.rows[*at].item == item));
    list.selected = Some(item);
    if let (true, Some(table)) = (hidden, desk.table(Screen::Debug)) {
        // What was looked for must be seen: the filter goes.
        list.filter.clear();
        let _ = list.settle(table);
    }
}

/// Puts a frame of the attempt in sight.
pub fn stand_at(ui: &mut DebugUi, case: &CaseFile, at: usize) {
    let last = case.samples.len().saturating_sub(1);
    let first = case.samples.first().map_or(0, |sample| sample.tick);
    let at = at.min(last);
    let tick = case.samples.get(at).map(|sample| sample.tick);
    ui.stand = tick.map(|tick| Stand {
        ticks: tick - first,
        nth: at - case.at_tick(tick - first),
    });
}

/// The event and the tick in sight.
#[must_use]
pub fn moment(hands: &Hands<'_>) -> Option<(Seq, u64)> {
    if hands.shell.screen != Screen::Debug {
        return Some((hands.view.seq, hands.view.tick));
    }
    let glass = glass(hands.shell, hands.desk)?;
    let tick = glass.case.samples.get(glass.at)?.tick;
    Some((glass.case.seq_at(glass.at), tick))
}

/// The chosen attempt; says so if it has not been read yet.
fn case<'a>(hands: &mut Hands<'a>) -> Option<&'a CaseFile> {
    let case = hands.desk.bench.case.as_deref();
    let case = case.filter(|case| chosen(hands.shell, hands.desk) == Some(case.row.id));
    if case.is_none() {
        hands.shell.refuse("the attempt has not been read yet");
    }
    case
}

fn step_frames(hands: &mut Hands<'_>, by: isize) {
    let Some(case) = case(hands) else { return };
    let from = at(&hands.shell.debug, case);
    let last = case.samples.len().saturating_sub(1);
    let to = from.saturating_add_signed(by).min(last);
    if to == from {
        let end = if by < 0 { "first" } else { "last" };
        hands
            .shell
            .say(format!("this is the {end} frame of the attempt"));
    }
    stand_at(&mut hands.shell.debug, case, to);
}

/// To the next frame at which something turns: a check, an order, a window.
fn turn(hands: &mut Hands<'_>, forward: bool) {
    let Some(case) = case(hands) else { return };
    let at = at(&hands.shell.debug, case);
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
        Some(to) => stand_at(&mut hands.shell.debug, case, to),
        None => hands.shell.say("nothing turns beyond this frame"),
    }
}

fn sideways(hands: &mut Hands<'_>, motion: Motion) {
    let up = motion == Motion::Right;
    if hands.shell.debug.part == Part::Knobs && !hands.shell.debug.side {
        turn_knob(hands, up);
    } else {
        step_frames(hands, if up { 1 } else { -1 });
    }
}

fn turn_knob(hands: &mut Hands<'_>, up: bool) {
    let Some(case) = case(hands) else { return };
    let knob = &KNOBS[hands.shell.debug.knob.min(KNOBS.len() - 1)];
    let moved = hands.shell.debug.moved.as_ref();
    let mut thresholds = moved.unwrap_or(&case.thresholds).clone();
    let to = knobs::step(knob, &case.thresholds, knob.get(&thresholds), up);
    if let Err(error) = knob.set(&mut thresholds, to) {
        hands.shell.refuse(error.to_string());
        return;
    }
    let is_own = thresholds == case.thresholds;
    hands.shell.debug.moved = (!is_own).then_some(thresholds);
    judge_anew(&mut hands.shell.debug, Some(case));
}

fn reset(hands: &mut Hands<'_>) {
    hands.shell.debug.moved = None;
    judge_anew(&mut hands.shell.debug, hands.desk.bench.case.as_deref());
}

fn move_in(hands: &mut Hands<'_>, part: Part, motion: Motion) {
    let page = usize::from(hands.shell.size.height / 3).max(1);
    let asks =
        chosen(hands.shell, hands.desk).map_or(0, |id| hands.desk.bench.index.asks_about(id).len());
    let glass = glass(hands.shell, hands.desk);
    let steps = glass.map_or(0, |glass| tree::len(glass.diagnosis));
    let charts = glass.map_or(0, |glass| glass.series.len());
    let ui = &mut hands.shell.debug;
    let (row, len) = match part {
        Part::Charts => (&mut ui.chart, charts),
        Part::Trace => (&mut ui.step, steps),
        Part::Knobs => (&mut ui.knob, KNOBS.len()),
        Part::Mind => (&mut ui.ask, asks),
        Part::Attempts | Part::Observed | Part::Checks => (&mut ui.scroll, SCROLL_MAX),
    };
    *row = moved(*row, len, page, motion);
}

fn open(hands: &mut Hands<'_>, part: Part) {
    let page = match part {
        Part::Mind => {
            let asks = chosen(hands.shell, hands.desk)
                .map_or(&[][..], |id| hands.desk.bench.index.asks_about(id));
            let at = hands.shell.debug.ask.min(asks.len().saturating_sub(1));
            match asks.get(at) {
                Some(ask) => {
                    hands.shell.debug.asked = Some(ask.seq);
                    Full::Asked(ask.seq)
                }
                None => return hands.shell.refuse("the mind was asked nothing here"),
            }
        }
        Part::Attempts | Part::Trace => Full::Trace,
        Part::Observed | Part::Checks | Part::Charts | Part::Knobs => {
            hands.shell.debug.zoom = !hands.shell.debug.zoom;
            return;
        }
    };
    hands.shell.cover = Cover::Debug(Sheet::Full { page, scroll: 0 });
}

fn on_debug(hands: &mut Hands<'_>, msg: DebugMsg) -> Option<Effect> {
    match msg {
        DebugMsg::LeapBack => step_frames(hands, -LEAP.cast_signed()),
        DebugMsg::LeapOn => step_frames(hands, LEAP.cast_signed()),
        DebugMsg::TurnBack => turn(hands, false),
        DebugMsg::TurnOn => turn(hands, true),
        DebugMsg::First => hands.shell.debug.stand = Some(Stand::default()),
        DebugMsg::Last => hands.shell.debug.stand = None,
        DebugMsg::Set => open_line(hands.shell, Line::Set),
        DebugMsg::Reset => reset(hands),
        DebugMsg::Overrule => overrule(hands),
        DebugMsg::Where => open_line(hands.shell, Line::Where),
        DebugMsg::WhereNext => search_on(hands),
        DebugMsg::Wrote => open_line(hands.shell, Line::Wrote),
        DebugMsg::Bookmark => open_line(hands.shell, Line::Bookmark),
        DebugMsg::Bookmarks => {
            hands.shell.cover = Cover::Debug(Sheet::Bookmarks { at: 0 });
        }
        DebugMsg::Break => open_line(hands.shell, Line::Break),
        DebugMsg::Breaks => hands.shell.cover = Cover::Debug(Sheet::Breaks { at: 0 }),
        DebugMsg::Side => side(hands),
        DebugMsg::Fork => forking::open(hands),
        DebugMsg::Show => return show(hands),
        DebugMsg::ForkPoint
        | DebugMsg::ForkWithout
        | DebugMsg::ForkKeep
        | DebugMsg::ForkThresholds
        | DebugMsg::ForkPlan => (), // these hold in the form only
    }
    None
}

/// Messages about breakpoints, on whatever screen.
pub fn on_breaks(hands: &mut Hands<'_>, msg: DebugMsg) -> Option<Effect> {
    if hands.shell.has_run {
        return on_debug(hands, msg);
    }
    hands.shell.refuse("no run is open that could stop");
    None
}

fn overrule(hands: &mut Hands<'_>) {
    let row = chosen(hands.shell, hands.desk).and_then(|id| hands.desk.bench.index.attempt(id));
    match row.map(|row| row.success) {
        Some(Some(false)) => open_line(hands.shell, Line::Overrule),
        Some(Some(true)) => hands
            .shell
            .refuse("it succeeded; only the reason of a failure can be overruled"),
        Some(None) => hands.shell.refuse("it has not ended; it has no label yet"),
        None => hands.shell.refuse("there is no attempt to overrule"),
    }
}

/// The next moment of the search; of what changed a value, the one before.
fn search_on(hands: &mut Hands<'_>) {
    let here = moment(hands).map(|(seq, _)| seq);
    match (&mut hands.shell.debug.search, here) {
        (Some(search), Some(here)) => {
            match search {
                Search::Becomes { after, .. } => *after = here,
                Search::Wrote { until, .. } => *until = Seq(here.0.saturating_sub(1)),
            }
            hands.shell.say("looking …");
        }
        (None, _) => hands
            .shell
            .refuse("f looks for a condition first, a for what changed a value"),
        (_, None) => hands.shell.refuse("no frame is in sight"),
    }
}

fn side(hands: &mut Hands<'_>) {
    if hands.shell.debug.side {
        hands.shell.debug.side = false;
        return;
    }
    match crate::screens::debug::beside(hands.shell, hands.desk) {
        Some(_) => {
            (hands.shell.debug.side, hands.shell.debug.scroll) = (true, 0);
        }
        None => hands
            .shell
            .refuse("no other attempt at this node; m marks the one to compare with"),
    }
}

/// The moment on the run's own screen.
fn show(hands: &mut Hands<'_>) -> Option<Effect> {
    if !hands.ui.is_replay() {
        hands
            .shell
            .refuse("the run goes on; its past is on this screen, its present on 1");
        return None;
    }
    let (seq, _) = moment(hands)?;
    hands.shell.go(Screen::Live);
    Some(Effect::Replay(ReplayMsg::ToSeq(seq.0)))
}

/// The share of the attempt that lies before the frame in sight, and the numbers of both.
#[must_use]
pub fn position(ui: &DebugUi, case: &CaseFile) -> (usize, usize) {
    (at(ui, case) + 1, case.samples.len())
}
