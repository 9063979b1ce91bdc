//! Update: what keys do while something lies over the Debug screen: a line of text, lists, the fork's form.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::screens::debug::inspection::{chosen, inspection, judge_anew};
use crate::screens::debug::offers::line_offers;
use crate::screens::debug::readings::SearchResult;
use crate::screens::debug::state::{DebugOverlay, LinePrompt, RunSearch, Stand};
use crate::screens::debug::{breaks, forking, frames};
use crate::shell::Shell;
use crate::widgets::scroll::moved;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::event::Event;
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::format_count;
use pithead_engine::runtime::run_search::{FoundMoment, Write};
use pithead_world::ids::Seq;

/// Asks for a line of text.
pub(crate) fn open_line(shell: &mut Shell, what: LinePrompt) {
    shell.open_overlay(Overlay::Debug(DebugOverlay::Line {
        what,
        text: String::new(),
        at: 0,
    }));
}

/// A message while something is asked.
pub(crate) fn update_overlay(
    context: &mut Context<'_>,
    overlay: DebugOverlay,
    msg: Msg,
) -> Option<Effect> {
    match overlay {
        DebugOverlay::Line { what, text, at } => update_line(context, (what, &text, at), msg),
        DebugOverlay::Breaks { at } => breaks::update_breaks(context, at, msg),
        DebugOverlay::Bookmarks { at } => breaks::update_bookmarks(context, at, msg),
        DebugOverlay::Fork(form) => forking::update_form(context, form, msg),
    }
}

fn update_line(
    context: &mut Context<'_>,
    (what, text, at): (LinePrompt, &str, usize),
    msg: Msg,
) -> Option<Effect> {
    let offers = line_offers(what, text, (context.shell, context.cache));
    let put = |context: &mut Context<'_>, text: String, at| {
        let line = DebugOverlay::Line { what, text, at };
        context.shell.replace_overlay(Overlay::Debug(line));
    };
    match (msg, offers.get(at)) {
        // What is offered is taken first; a line with none is done.
        (Msg::Submit | Msg::FocusNext, Some(offer)) => put(context, offer.line.clone(), 0),
        (Msg::Submit, None) => match submit(context, what, text.trim()) {
            Ok(effect) => {
                context.shell.close_overlay();
                return effect;
            }
            Err(because) => context.shell.refuse(because),
        },
        (Msg::Move(motion), Some(_)) => {
            put(context, text.to_owned(), moved(at, offers.len(), 1, motion));
        }
        (Msg::Back, _) => context.shell.close_overlay(),
        _ => (), // no other key has a meaning in a line of text
    }
    None
}

/// A text that was typed is taken, or refused with the reason.
pub fn submit(
    context: &mut Context<'_>,
    what: LinePrompt,
    text: &str,
) -> Result<Option<Effect>, String> {
    Ok(match what {
        LinePrompt::Set => set(context, text)?,
        LinePrompt::Overrule => Some(overrule(context, text)?),
        LinePrompt::Where => look_for(context, text)?,
        LinePrompt::Wrote => look_back(context, text)?,
        LinePrompt::Break => Some(breaks::breakpoints_with(context, text)?),
        LinePrompt::Bookmark => Some(bookmark(context, text)?),
    })
}

fn set(context: &mut Context<'_>, text: &str) -> Result<Option<Effect>, String> {
    let inspection = inspection(context.shell, context.cache).ok_or("no attempt is visible")?;
    let mut thresholds = inspection.thresholds.clone();
    thresholds.set(text).map_err(|error| error.to_string())?;
    let case = context.cache.debug.case.as_deref();
    context.shell.debug.moved = Some(thresholds);
    judge_anew(&mut context.shell.debug, case);
    Ok(None)
}

fn overrule(context: &mut Context<'_>, text: &str) -> Result<Effect, String> {
    let form = "write LABEL because REASON; others will read the reason";
    let (label, rest) = text.split_once(char::is_whitespace).ok_or(form)?;
    let rest = rest.trim();
    let reason = match rest.split_once(char::is_whitespace) {
        Some(("because", reason)) => reason,
        None if rest == "because" => "", // a label that was taken, and no reason yet
        _ => rest,
    };
    let label = FailureReason::named(label).ok_or_else(|| {
        let names = FailureReason::ALL.map(FailureReason::name).join(", ");
        format!("`{label}` is not a label; the labels are {names}")
    })?;
    let reason = clean_line(reason.trim());
    if reason.is_empty() {
        return Err(form.to_owned());
    }
    let attempt = chosen(context.shell, context.cache).ok_or("no attempt is visible")?;
    let run = context.view.head.as_ref().map(|head| head.run);
    Ok(Effect::Overrule {
        run: run.ok_or("no run is open")?,
        attempt,
        label,
        reason,
    })
}

fn look_for(context: &mut Context<'_>, text: &str) -> Result<Option<Effect>, String> {
    let condition = text.parse().map_err(
        |error: pithead_core::domain::condition::text::ConditionError| error.to_string(),
    )?;
    context.shell.debug.search = Some(RunSearch::Becomes {
        condition,
        after: Seq(0),
    });
    context.shell.say("looking …");
    Ok(None)
}

fn look_back(context: &mut Context<'_>, text: &str) -> Result<Option<Effect>, String> {
    let value = text.parse()?;
    let (until, _) = frames::moment(context).ok_or("no frame is visible")?;
    context.shell.debug.search = Some(RunSearch::Wrote { value, until });
    context.shell.say("looking …");
    Ok(None)
}

fn bookmark(context: &mut Context<'_>, text: &str) -> Result<Effect, String> {
    let run = context.view.head.as_ref().map(|head| head.run);
    let run = run.ok_or("no run is open")?;
    let (seq, tick) = frames::moment(context).ok_or("no frame is visible")?;
    Ok(Effect::Mark(Event::BookmarkSet {
        run,
        seq,
        tick,
        note: clean_line(text),
        by: String::new(),
    }))
}

/// A search has ended: shows what it found.
pub fn show_found(context: &mut Context<'_>) -> Option<Effect> {
    let (words, moment) = match (
        context.cache.debug.found.clone()?,
        &context.shell.debug.search,
    ) {
        (SearchResult::Becomes(moment), Some(RunSearch::Becomes { condition, .. })) => {
            let words = format!("{condition} {} · ; looks for the next", from(&moment));
            (words, moment)
        }
        (SearchResult::Wrote(write), Some(RunSearch::Wrote { value, .. })) => {
            (wrote(&value.to_string(), &write), write.moment)
        }
        (SearchResult::Nowhere, Some(RunSearch::Wrote { value, .. })) => {
            let words = format!("no frame before this one shows {value}");
            context.shell.refuse(words);
            return None;
        }
        (SearchResult::Nowhere, _) => {
            context
                .shell
                .refuse("it is not true anywhere in the recording from there on");
            return None;
        }
        _ => return None, // of a search that was given up
    };
    context.shell.say(words);
    if let (Some(attempt), Some(elapsed)) = (moment.attempt, moment.elapsed) {
        frames::choose(context.shell, context.cache, attempt);
        context.shell.debug.stand = Some(Stand {
            ticks: elapsed,
            nth: 0,
        });
        return None;
    }
    breaks::go_to(context, moment.seq)
}

fn from(moment: &FoundMoment) -> String {
    format!(
        "from tick {} on (event {})",
        format_count(moment.tick),
        format_count(moment.seq.0)
    )
}

/// What changed a value, and in the course of what.
fn wrote(value: &str, write: &Write) -> String {
    let (to, moment) = (&write.to, &write.moment);
    let Some(before) = &write.from else {
        return format!("{value} is {to} since the run began; nothing has changed it");
    };
    let by = match (&moment.subgoal, &moment.action) {
        (Some(subgoal), Some(action)) => format!(", in {subgoal} ({action})"),
        (Some(subgoal), None) => format!(", in {subgoal}"),
        (None, _) => ", in no attempt".to_owned(),
    };
    let from = from(moment);
    let text = format!("{value} {before} → {to} {from}{by} · ; goes to the change before it");
    clean_line(&text)
}
