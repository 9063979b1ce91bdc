//! Sheets: what lies over the Debug screen: a line of text, a page in full, lists, the fork's form.

use crate::cache::Desk;
use crate::msg::{Effect, Msg};
use crate::screens::debug::bench::Found;
use crate::screens::debug::forking::Form;
use crate::screens::debug::{
    Search, Stand, breaks, chosen, forking, glass, judge_anew, mind, tree, update,
};
use crate::shell::{Cover, Shell};
use crate::theme::Role;
use crate::update::Hands;
use crate::widgets::page::reading_area;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::moved;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::event::Event;
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::format_count;
use pithead_engine::runtime::run_search::{FoundMoment, Write};
use pithead_world::ids::Seq;

/// What lies over the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Sheet {
    Line {
        what: Line,
        text: String,
    },
    /// The diagnosis with every input, or a question to the mind.
    Full {
        page: Full,
        scroll: usize,
    },
    Breaks {
        at: usize,
    },
    Bookmarks {
        at: usize,
    },
    Fork(Form),
    /// The plan of a fork in the editor.
    Plan(Form),
}

/// What a line of text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    Set,
    Overrule,
    Where,
    Wrote,
    Break,
    Bookmark,
}

/// What is read in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    Trace,
    Asked(Seq),
}

impl Line {
    /// Heading, hint, and what stands before the text.
    #[must_use]
    pub fn words(self) -> [&'static str; 3] {
        match self {
            Self::Set => [
                "Move a threshold",
                "NAME=VALUE, for example nav_variance=0.5",
                "set ",
            ],
            Self::Overrule => [
                "Overrule the label",
                "LABEL because REASON, for example NAV_STUCK because it stood in gravel",
                "the label is ",
            ],
            Self::Where => [
                "First tick where",
                "a condition, for example inv iron_ore >= 3 or health < 8",
                "first where ",
            ],
            Self::Wrote => [
                "What wrote it",
                "a value: health, hunger, y, gui, held, …, an item, or crafted ITEM",
                "what wrote ",
            ],
            Self::Break => [
                "Break",
                "phase NAME, subgoal PATTERN, reason NAME, guardrail [ID], check CONDITION, tick N",
                "stop at ",
            ],
            Self::Bookmark => [
                "Bookmark",
                "A note; it stays with the run and changes nothing in it",
                "note ",
            ],
        }
    }
}

pub(crate) fn open_line(shell: &mut Shell, what: Line) {
    shell.cover = Cover::Debug(Sheet::Line {
        what,
        text: String::new(),
    });
}

/// A message while a sheet is open.
pub fn on(hands: &mut Hands<'_>, sheet: Sheet, msg: Msg) -> Option<Effect> {
    match sheet {
        Sheet::Line { what, text } => match msg {
            Msg::Submit => match submit(hands, what, text.trim()) {
                Ok(effect) => effect,
                Err(because) => {
                    hands.shell.refuse(because);
                    hands.shell.cover = Cover::Debug(Sheet::Line { what, text });
                    None
                }
            },
            Msg::Back => {
                hands.shell.cover = Cover::None;
                None
            }
            _ => None, // keys that move have no meaning in a line of text
        },
        Sheet::Full { page, scroll } => on_full(hands, (page, scroll), msg),
        Sheet::Breaks { at } => breaks::on_breaks(hands, at, msg),
        Sheet::Bookmarks { at } => breaks::on_bookmarks(hands, at, msg),
        Sheet::Fork(form) => forking::on(hands, form, msg),
        Sheet::Plan(form) => forking::on_plan(hands, form, msg),
    }
}

fn on_full(hands: &mut Hands<'_>, (page, scroll): (Full, usize), msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Move(motion) => {
            let (lines, height) = extent(page, hands.shell, hands.desk);
            let last = lines.saturating_sub(height);
            let scroll = moved(scroll, last + 1, height.saturating_sub(1), motion);
            hands.shell.cover = Cover::Debug(Sheet::Full { page, scroll });
            None
        }
        Msg::Suspend | Msg::Redraw => {
            crate::screens::live::update::update(hands.ui, hands.view, msg)
        }
        _ => {
            hands.shell.cover = Cover::None;
            None
        }
    }
}

/// A text that was typed is taken, or refused with the reason.
pub fn submit(hands: &mut Hands<'_>, what: Line, text: &str) -> Result<Option<Effect>, String> {
    let done = match what {
        Line::Set => set(hands, text)?,
        Line::Overrule => Some(overrule(hands, text)?),
        Line::Where => look_for(hands, text)?,
        Line::Wrote => look_back(hands, text)?,
        Line::Break => Some(breaks::add(hands, text)?),
        Line::Bookmark => Some(bookmark(hands, text)?),
    };
    hands.shell.cover = Cover::None;
    Ok(done)
}

fn set(hands: &mut Hands<'_>, text: &str) -> Result<Option<Effect>, String> {
    let glass = glass(hands.shell, hands.desk).ok_or("no attempt is in sight")?;
    let mut thresholds = glass.thresholds.clone();
    thresholds.set(text).map_err(|error| error.to_string())?;
    let case = hands.desk.bench.case.as_deref();
    hands.shell.debug.moved = Some(thresholds);
    judge_anew(&mut hands.shell.debug, case);
    Ok(None)
}

fn overrule(hands: &mut Hands<'_>, text: &str) -> Result<Effect, String> {
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
    let attempt = chosen(hands.shell, hands.desk).ok_or("no attempt is in sight")?;
    let run = hands.view.head.as_ref().map(|head| head.run);
    Ok(Effect::Overrule {
        run: run.ok_or("no run is open")?,
        attempt,
        label,
        reason,
    })
}

fn look_for(hands: &mut Hands<'_>, text: &str) -> Result<Option<Effect>, String> {
    let condition = text.parse().map_err(
        |error: pithead_core::domain::condition::text::ConditionError| error.to_string(),
    )?;
    hands.shell.debug.search = Some(Search::Becomes {
        condition,
        after: Seq(0),
    });
    hands.shell.say("looking …");
    Ok(None)
}

fn look_back(hands: &mut Hands<'_>, text: &str) -> Result<Option<Effect>, String> {
    let value = text.parse()?;
    let (until, _) = update::moment(hands).ok_or("no frame is in sight")?;
    hands.shell.debug.search = Some(Search::Wrote { value, until });
    hands.shell.say("looking …");
    Ok(None)
}

fn bookmark(hands: &mut Hands<'_>, text: &str) -> Result<Effect, String> {
    let run = hands.view.head.as_ref().map(|head| head.run);
    let run = run.ok_or("no run is open")?;
    let (seq, tick) = update::moment(hands).ok_or("no frame is in sight")?;
    Ok(Effect::Mark(Event::BookmarkSet {
        run,
        seq,
        tick,
        note: clean_line(text),
        by: String::new(),
    }))
}

/// A search has ended: shows what it found.
pub fn found(hands: &mut Hands<'_>) -> Option<Effect> {
    let (words, moment) = match (hands.desk.bench.found.clone()?, &hands.shell.debug.search) {
        (Found::Becomes(moment), Some(Search::Becomes { condition, .. })) => {
            let words = format!("{condition} {} · ; looks for the next", from(&moment));
            (words, moment)
        }
        (Found::Wrote(write), Some(Search::Wrote { value, .. })) => {
            (wrote(&value.to_string(), &write), write.moment)
        }
        (Found::Nowhere, Some(Search::Wrote { value, .. })) => {
            let words = format!("no frame before this one shows {value}");
            hands.shell.refuse(words);
            return None;
        }
        (Found::Nowhere, _) => {
            hands
                .shell
                .refuse("it is true nowhere in what is recorded from there on");
            return None;
        }
        _ => return None, // of a search that was given up
    };
    hands.shell.say(words);
    if let (Some(attempt), Some(elapsed)) = (moment.attempt, moment.elapsed) {
        update::choose(hands.shell, hands.desk, attempt);
        hands.shell.debug.stand = Some(Stand {
            ticks: elapsed,
            nth: 0,
        });
        return None;
    }
    breaks::go_to(hands, moment.seq)
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
pub fn lines(page: Full, shell: &Shell, desk: &Desk) -> Vec<Rich> {
    let width = usize::from(reading_area(shell.size, 0).width);
    match page {
        Full::Trace => match glass(shell, desk) {
            Some(glass) => trace(&glass, width),
            None => vec![Rich::of(Role::Faint, "reading …")],
        },
        Full::Asked(seq) => match &desk.bench.asked {
            Some(asked) if asked.seq == seq => mind::page(asked, width),
            _ => vec![Rich::of(Role::Faint, "reading …")],
        },
    }
}

/// Every predicate with its inputs.
fn trace(glass: &crate::screens::debug::Glass<'_>, width: usize) -> Vec<Rich> {
    let diagnosis = glass.diagnosis;
    let label = tree::name(diagnosis.reason, diagnosis.success);
    let title = format!("{} {} · {label}", glass.case.row.id, glass.case.row.words);
    let mut out = vec![Rich::of(Role::Strong, title).cut(width)];
    paragraph(&mut out, Rich::new(), Role::Text, &diagnosis.summary, width);
    for (n, step) in diagnosis.trace.iter().enumerate() {
        crate::screens::live::pages::trace::predicate(&mut out, n + 1, step, width);
    }
    crate::widgets::page::heading(&mut out, "What was ordered");
    for (seq, words) in &glass.case.deeds {
        let lead = Rich::of(Role::Faint, format!("event {seq}  "));
        paragraph(&mut out, lead, Role::Text, words, width);
    }
    out
}

/// Lines of a page, and how many fit.
#[must_use]
pub fn extent(page: Full, shell: &Shell, desk: &Desk) -> (usize, usize) {
    let height = reading_area(shell.size, 0).height;
    (lines(page, shell, desk).len(), usize::from(height))
}
