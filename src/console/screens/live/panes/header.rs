//! The two lines at the top: which run this is, and what it is doing.

use crate::screens::live::seat::seat_words;
use crate::screens::live::state::{LiveState, RunMode};
use crate::theme::Role;
use crate::view::View;
use crate::view::status::{Doing, PauseState};
use crate::widgets::rich::Rich;
use pithead_core::domain::mind::spending::money;
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::numbers::{
    format_clock, format_count, format_day_time, format_pace, format_seconds, share_bar,
};
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::TICKS_PER_SECOND;
use pithead_world::ids::SubgoalId;

/// Columns of the budget bar.
const BAR: usize = 10;

/// ` pithead ▸ run 42 ▸ obtain a diamond      steve-evolving · … · day 1 14:20   ◆ 3 waiting`
#[must_use]
pub fn title(view: &View, ui: &LiveState, width: usize) -> Rich {
    let Some(head) = &view.head else {
        return Rich::text(Role::Title, " pithead");
    };
    let place = if ui.is_replay() { "recording" } else { "run" };
    let left = Rich::text(Role::Title, " pithead")
        .and(Role::Faint, format!(" ▸ {place} {} ▸ ", head.run))
        .and(Role::Strong, &head.task);
    let simulated = if head.simulated { " (simulated)" } else { "" };
    let time = view
        .frame
        .as_ref()
        .map(|frame| format_day_time(frame.tick, frame.time));
    let mut facts = vec![head.system.clone(), format!("{}{simulated}", head.mind)];
    facts.push(format!("seed {}", head.seed));
    facts.extend(time);
    let mut right = Rich::new();
    let seat = seat_words(ui);
    let gaps = if seat.width() > 0 { 6 } else { 4 };
    // The facts give way before the task does: the least important goes first.
    while !facts.is_empty() {
        right = Rich::text(Role::Faint, facts.join(" · "));
        let others = seat.width() + waiting(view).width();
        if left.width() + right.width() + others + gaps <= width {
            break;
        }
        facts.remove(0);
        right = Rich::new();
    }
    if seat.width() > 0 && left.width() + right.width() + seat.width() + 4 <= width {
        right.add(Role::Text, "  ");
        right.append(&seat);
    }
    let waiting = waiting(view);
    if waiting.width() > 0 {
        right.add(Role::Text, "  ");
        right.add(Role::Notice, waiting.plain());
    }
    right.add(Role::Text, " ");
    left.with_right(right, width)
}

fn waiting(view: &View) -> Rich {
    match view.inbox.open.len() {
        0 => Rich::new(),
        n => Rich::text(Role::Notice, format!("◆ {n} waiting")),
    }
}

/// ` ▶ executing mine iron_ore ×3 · 42 s of 90 · attempt 2     ticks 3,418/12,000 ▕██   ▏  …`
#[must_use]
pub fn status(view: &View, ui: &LiveState, width: usize) -> Rich {
    let left = pill(view, ui);
    // The least important gives way first; the pill is kept whole as long as anything is.
    let mut parts = spent(view, ui);
    loop {
        let mut right = Rich::new();
        parts.iter().for_each(|(_, part)| right.append(part));
        if parts.is_empty() || left.width() + right.width() + 2 <= width {
            return left.cut(width).with_right(right, width);
        }
        let least = parts.iter().map(|(weight, _)| *weight).min();
        parts.retain(|(weight, _)| Some(*weight) != least);
    }
}

/// What the run is doing: one sign, one word, and what belongs to it.
#[must_use]
pub fn pill(view: &View, ui: &LiveState) -> Rich {
    if let RunMode::Live(DriverStatus::Stopped { because }) = &ui.mode
        && !view.status.is_over()
    {
        return Rich::text(Role::Bad, format!(" ■ stopped: {because}"));
    }
    let status = &view.status;
    let (role, sign, mut words) = doing(view);
    if status.runs_on_wall_time() {
        let thinking = ui.now.since(status.since) / 1000;
        if thinking > 0 {
            words.push_str(&format!(
                " · the mind thinks for {}",
                format_seconds(thinking)
            ));
        }
        if let Some(progress) = &ui.thinking {
            words.push_str(&format!(" · {}", progress.describe()));
        }
    }
    match status.hold {
        PauseState::Free if status.is_pausing => Rich::text(role, format!(" {sign} "))
            .and(Role::Notice, "pauses after this step")
            .and(role, format!(" · {words}")),
        PauseState::Free => Rich::text(role, format!(" {sign} {words}")),
        PauseState::Paused => {
            Rich::text(Role::Notice, paused(view)).and(Role::Text, format!(" · {words}"))
        }
        PauseState::Stepping => {
            Rich::text(Role::Notice, " ‖ one step").and(Role::Text, format!(" · {words}"))
        }
    }
}

/// Which pause it is, and since when: a time that stands, for a paused run is not drawn again.
fn paused(view: &View) -> String {
    let status = &view.status;
    let which = if status.is_between {
        "paused between steps"
    } else {
        "paused"
    };
    let (at, tick) = status.held_since;
    let since = format_clock(view.elapsed_at(at) / 1000);
    format!(" ‖ {which} since {since}, tick {}", format_count(tick))
}

fn doing(view: &View) -> (Role, &'static str, String) {
    let name = |id: &SubgoalId| {
        view.plan
            .node(*id)
            .map_or_else(|| id.to_string(), |node| node.label.clone())
    };
    match &view.status.doing {
        Doing::Opening => (Role::Running, "◌", "opening the world".to_owned()),
        Doing::Recalling => (Role::Running, "◌", "recalling".to_owned()),
        Doing::Planning => (Role::Running, "◌", "planning".to_owned()),
        Doing::Replanning { subgoal } => (
            Role::Running,
            "↻",
            format!("replanning after {}", name(subgoal)),
        ),
        Doing::Diagnosing { subgoal } => {
            (Role::Running, "◌", format!("diagnosing {}", name(subgoal)))
        }
        Doing::Waiting { decision } => {
            let title = view.inbox.get(*decision).map(|open| open.title());
            let title = title.unwrap_or_else(|| decision.to_string());
            (
                Role::Notice,
                "◆",
                format!("waiting for the operator: {title}"),
            )
        }
        Doing::Choosing => (Role::Running, "◌", "choosing the next step".to_owned()),
        Doing::Executing {
            label,
            attempt,
            timeout_s,
            ..
        } => {
            let seconds = view.tick.saturating_sub(view.status.since_tick) / TICKS_PER_SECOND;
            let text =
                format!("executing {label} · {seconds} s of {timeout_s} · attempt {attempt}");
            (Role::Running, "▶", text)
        }
        Doing::Distilling => (Role::Running, "◌", "comparing what was learned".to_owned()),
        Doing::Ended { outcome, because } => match outcome {
            Outcome::Success => (Role::Good, "✔", format!("ended in success: {because}")),
            Outcome::Failure => (Role::Bad, "✗", format!("ended without success: {because}")),
            Outcome::Aborted => (Role::Bad, "■", because.clone()),
        },
    }
}

/// What gives way where there is no room for all that is spent; the last one goes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Ends,
    Failed,
    Bar,
    Cost,
    Ticks,
    Mind,
    Pace,
}

/// What has been spent, from left to right.
fn spent(view: &View, ui: &LiveState) -> Vec<(Weight, Rich)> {
    let Some(head) = &view.head else {
        return Vec::new();
    };
    let used = view.budget_used();
    let of = format!(
        "{}/{} ",
        format_count(view.tick),
        format_count(head.budget.ticks)
    );
    let bar = Rich::text(Role::Faint, "▕")
        .and(
            if used > 0.9 { Role::Bad } else { Role::Bar },
            share_bar(used, BAR),
        )
        .and(Role::Faint, "▏ ");
    let calls = format!("{}/{}  ", view.counts.mind_calls, head.budget.mind_calls);
    let failed = format!("{}/{}  ", view.counts.failed, view.counts.attempts);
    let goes_on = !view.status.is_over() && matches!(ui.mode, RunMode::Live(_));
    let named = |name: &str, value: String| Rich::text(Role::Faint, name).and(Role::Text, value);
    let mut parts = vec![(Weight::Ticks, named("ticks ", of)), (Weight::Bar, bar)];
    parts.extend(
        ends(view)
            .filter(|_| goes_on)
            .map(|ends| (Weight::Ends, ends)),
    );
    parts.push((Weight::Failed, named(" failed ", failed)));
    parts.push((Weight::Mind, named("mind ", calls)));
    if view.counts.tokens > 0 {
        parts.push((Weight::Cost, cost(view, head.budget)));
    }
    if let (RunMode::Live(_), Some(pace)) = (&ui.mode, view.pace) {
        let pace = format!("{} ", format_pace(pace));
        parts.push((Weight::Pace, named("pace ", pace)));
    }
    parts
}

/// `ends in ≈3 m` at this pace, and where the mind's budget ends if that is sooner.
fn ends(view: &View) -> Option<Rich> {
    if let Some(tick) = view.mind_ends_at() {
        let text = format!("mind ends at ≈tick {}  ", format_count(tick));
        return Some(Rich::text(Role::Notice, text));
    }
    let text = format!("ends in ≈{}  ", format_seconds(view.ticks_end_in()?));
    Some(Rich::text(Role::Faint, text))
}

/// Questions before a projected stop from which it is told.
const STOP_NEAR: u64 = 20;

/// Tokens and money, with their bounds where there are any.
fn cost(view: &View, budget: Budget) -> Rich {
    let of = |spent: String, bound: Option<String>| match bound {
        Some(bound) => format!("{spent}/{bound}  "),
        None => format!("{spent}  "),
    };
    let tokens = of(
        format_count(view.counts.tokens),
        budget.tokens.map(format_count),
    );
    let mut line = Rich::text(Role::Faint, "tokens ").and(Role::Text, tokens);
    if view.counts.micros > 0 {
        let spent = of(money(view.counts.micros), budget.micros.map(money));
        line = line.and(Role::Faint, "money ").and(Role::Text, spent);
    }
    // Told when it is near; far away it is a guess that only takes room.
    match view.projected_stop() {
        Some(stop) if stop.questions <= STOP_NEAR => {
            let text = format!("stops in ≈{}  ", stop.questions);
            line.and(Role::Notice, text)
        }
        Some(_) | None => line,
    }
}
