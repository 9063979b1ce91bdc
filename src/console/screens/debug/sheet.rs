//! Sheets: what lies over the Debug screen: a line of text, a page in full, lists, the fork's form.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::screens::debug::bench::SearchResult;
use crate::screens::debug::inspection::{chosen, inspection, judge_anew};
use crate::screens::debug::state::{DebugOverlay, Full, LinePrompt};
use crate::screens::debug::state::{RunSearch, Stand};
use crate::screens::debug::{breaks, forking, mind, tree, update};
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::widgets::page::reading_area;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::moved;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::event::Event;
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::format_count;
use pithead_engine::runtime::run_search::{FoundMoment, Write};
use pithead_world::ids::Seq;

pub(crate) fn open_line(shell: &mut Shell, what: LinePrompt) {
    shell.cover = Cover::Debug(DebugOverlay::Line {
        what,
        text: String::new(),
    });
}

/// A message while a sheet is open.
pub fn on(context: &mut Context<'_>, sheet: DebugOverlay, msg: Msg) -> Option<Effect> {
    match sheet {
        DebugOverlay::Line { what, text } => match msg {
            Msg::Submit => match submit(context, what, text.trim()) {
                Ok(effect) => effect,
                Err(because) => {
                    context.shell.refuse(because);
                    context.shell.cover = Cover::Debug(DebugOverlay::Line { what, text });
                    None
                }
            },
            Msg::Back => {
                context.shell.cover = Cover::None;
                None
            }
            _ => None, // keys that move have no meaning in a line of text
        },
        DebugOverlay::Full { page, scroll } => on_full(context, (page, scroll), msg),
        DebugOverlay::Breaks { at } => breaks::on_breaks(context, at, msg),
        DebugOverlay::Bookmarks { at } => breaks::on_bookmarks(context, at, msg),
        DebugOverlay::Fork(form) => forking::on(context, form, msg),
        DebugOverlay::Plan(form) => forking::on_plan(context, form, msg),
    }
}

fn on_full(context: &mut Context<'_>, (page, scroll): (Full, usize), msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(page, context.shell, context.cache);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            context.shell.cover = Cover::Debug(DebugOverlay::Full { page, scroll });
            None
        }
        Msg::Suspend | Msg::Redraw => {
            crate::screens::live::update::update(context.ui, context.view, msg)
        }
        _ => {
            context.shell.cover = Cover::None;
            None
        }
    }
}

/// A text that was typed is taken, or refused with the reason.
pub fn submit(
    context: &mut Context<'_>,
    what: LinePrompt,
    text: &str,
) -> Result<Option<Effect>, String> {
    let done = match what {
        LinePrompt::Set => set(context, text)?,
        LinePrompt::Overrule => Some(overrule(context, text)?),
        LinePrompt::Where => look_for(context, text)?,
        LinePrompt::Wrote => look_back(context, text)?,
        LinePrompt::Break => Some(breaks::add(context, text)?),
        LinePrompt::Bookmark => Some(bookmark(context, text)?),
    };
    context.shell.cover = Cover::None;
    Ok(done)
}

fn set(context: &mut Context<'_>, text: &str) -> Result<Option<Effect>, String> {
    let inspection = inspection(context.shell, context.cache).ok_or("no attempt is in sight")?;
    let mut thresholds = inspection.thresholds.clone();
    thresholds.set(text).map_err(|error| error.to_string())?;
    let case = context.cache.bench.case.as_deref();
    context.shell.debug.moved = Some(thresholds);
    judge_anew(&mut context.shell.debug, case);
    Ok(None)
}

fn overrule(context: &mut Context<'_>, text: &str) -> Result<Effect, String> {
    let form = "write LABEL because REASON; others will read the reason";
    let (label, reason) = text
        .split_once(" because ")
        .or_else(|| text.split_once(char::is_whitespace))
        .ok_or(form)?;
    let label = FailureReason::named(label).ok_or_else(|| {
        let names = FailureReason::ALL.map(FailureReason::name).join(", ");
        format!("`{label}` is no label; there are {names}")
    })?;
    let reason = clean_line(reason.trim());
    if reason.is_empty() {
        return Err(form.to_owned());
    }
    let attempt = chosen(context.shell, context.cache).ok_or("no attempt is in sight")?;
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
    let (until, _) = update::moment(context).ok_or("no frame is in sight")?;
    context.shell.debug.search = Some(RunSearch::Wrote { value, until });
    context.shell.say("looking …");
    Ok(None)
}

fn bookmark(context: &mut Context<'_>, text: &str) -> Result<Effect, String> {
    let run = context.view.head.as_ref().map(|head| head.run);
    let run = run.ok_or("no run is open")?;
    let (seq, tick) = update::moment(context).ok_or("no frame is in sight")?;
    Ok(Effect::Mark(Event::BookmarkSet {
        run,
        seq,
        tick,
        note: clean_line(text),
        by: String::new(),
    }))
}

/// A search has ended: shows what it found.
pub fn found(context: &mut Context<'_>) -> Option<Effect> {
    let (words, moment) = match (
        context.cache.bench.found.clone()?,
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
                .refuse("it is true nowhere in what is recorded from there on");
            return None;
        }
        _ => return None, // of a search that was given up
    };
    context.shell.say(words);
    if let (Some(attempt), Some(elapsed)) = (moment.attempt, moment.elapsed) {
        update::choose(context.shell, context.cache, attempt);
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

/// The lines of a page in full.
#[must_use]
pub fn lines(page: Full, shell: &Shell, cache: &Cache) -> Vec<Rich> {
    let width = usize::from(reading_area(shell.size, 0).width);
    match page {
        Full::Trace => match inspection(shell, cache) {
            Some(inspection) => trace(&inspection, width),
            None => vec![Rich::of(Role::Faint, "reading …")],
        },
        Full::Asked(seq) => match &cache.bench.asked {
            Some(asked) if asked.seq == seq => mind::page(asked, width),
            _ => vec![Rich::of(Role::Faint, "reading …")],
        },
    }
}

/// Every predicate with its inputs.
fn trace(
    inspection: &crate::screens::debug::inspection::Inspection<'_>,
    width: usize,
) -> Vec<Rich> {
    let diagnosis = inspection.diagnosis;
    let label = tree::name(diagnosis.reason, diagnosis.success);
    let title = format!(
        "{} {} · {label}",
        inspection.case.row.id, inspection.case.row.words
    );
    let mut out = vec![Rich::of(Role::Strong, title).cut(width)];
    paragraph(&mut out, Rich::new(), Role::Text, &diagnosis.summary, width);
    for (n, step) in diagnosis.trace.iter().enumerate() {
        crate::screens::live::pages::trace::predicate(&mut out, n + 1, step, width);
    }
    crate::widgets::page::heading(&mut out, "What was ordered");
    for (seq, words) in &inspection.case.deeds {
        let lead = Rich::of(Role::Faint, format!("event {seq}  "));
        paragraph(&mut out, lead, Role::Text, words, width);
    }
    out
}

/// Lines of a page, and how many fit.
#[must_use]
pub fn extent(page: Full, shell: &Shell, cache: &Cache) -> (usize, usize) {
    let height = reading_area(shell.size, 0).height;
    (lines(page, shell, cache).len(), usize::from(height))
}
