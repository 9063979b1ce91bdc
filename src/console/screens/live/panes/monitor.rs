//! The monitor pane: the running subgoal's checks beside what is observed, and how the body is.

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows, scrolled_to};
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::attempt::AttemptView;
use crate::widgets::pane::{PaneContent, Room, scrolled_content};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::Motion;
use pithead_core::diagnosis::monitor::Reading;
use pithead_core::domain::check::Truth;
use pithead_core::text::clean::pad_columns;
use pithead_core::text::numbers::{
    count_with_noun, format_ticks, format_value, share_bar, sparkline,
};
use pithead_world::action::Action;
use pithead_world::clock::TICKS_PER_SECOND;
use pithead_world::observation::Frame;
use unicode_width::UnicodeWidthStr;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

/// Columns of the bar that shows how much of the time is used.
const BAR: usize = 8;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let mut lines = Vec::new();
    let Some(frame) = &view.frame else {
        lines.push(Rich::text(Role::Faint, "the world has not been seen yet"));
        return PaneContent {
            lines,
            ..PaneContent::default()
        };
    };
    let mut title = String::new();
    match &view.attempt {
        None => lines.push(Rich::text(Role::Faint, "no step has been tried yet")),
        Some(attempt) => {
            title = format!("{} · {}", attempt.subgoal.id, attempt.id);
            lines.push(heading(attempt, view, room.width));
            lines.extend(readings(&attempt.readings(frame), room.width));
            lines.extend(deed(attempt, view).map(|line| line.cut(room.width)));
            lines.push(moving(attempt).cut(room.width));
        }
    }
    body(&mut lines, frame, room.width);
    PaneContent {
        title,
        ..scrolled_content(lines, ui.monitor_scroll, room)
    }
}

fn heading(attempt: &AttemptView, view: &View, width: usize) -> Rich {
    let label = crate::view::plan::label(&attempt.subgoal);
    if attempt.over {
        let right = Rich::text(Role::Faint, "ended");
        return Rich::text(Role::Text, label).with_right(right, width);
    }
    let elapsed = attempt.elapsed(view.tick) / TICKS_PER_SECOND;
    let limit = u64::from(attempt.subgoal.timeout_s);
    let share = elapsed as f64 / limit.max(1) as f64;
    let right = Rich::text(Role::Text, format!("{elapsed} s of {limit} "))
        .and(Role::Faint, "▕")
        .and(
            if share > 0.8 { Role::Notice } else { Role::Bar },
            share_bar(share, BAR),
        )
        .and(Role::Faint, "▏");
    Rich::text(Role::Running, label).with_right(right, width)
}

/// The checks in columns: sign, what is asked, what is the case, how it stands.
#[must_use]
pub fn readings(readings: &[Reading], width: usize) -> Vec<Rich> {
    let widest = |of: &dyn Fn(&Reading) -> usize| readings.iter().map(of).max().unwrap_or(0);
    // What is seen and how it stands is kept whole; the question gives way.
    let rest = widest(&|r| r.observed.width()) + widest(&|r| verdict(r).2.width()) + 5;
    let asked = widest(&|r| r.check.width()).min(width.saturating_sub(rest).max(8));
    readings
        .iter()
        .map(|reading| line(reading, asked, width))
        .collect()
}

fn line(reading: &Reading, asked: usize, width: usize) -> Rich {
    let (role, sign, word) = verdict(reading);
    Rich::text(role, format!("{sign} "))
        .and(Role::Text, pad_columns(&reading.check, asked))
        .and(Role::Strong, format!("  {}", reading.observed))
        .with_right(Rich::text(role, word), width)
}

/// Role, sign and words for how a check stands.
fn verdict(reading: &Reading) -> (Role, &'static str, String) {
    match reading.truth {
        Truth::True => (Role::Good, "✔", "true".to_owned()),
        Truth::Unknown => (Role::Faint, "?", "not known".to_owned()),
        Truth::False => (Role::Faint, "·", missing(reading.distance)),
    }
}

fn missing(distance: Option<f64>) -> String {
    match distance {
        Some(left) if left > 1.0 => format!("{} to go", format_value(left)),
        Some(_) | None => "not yet".to_owned(),
    }
}

fn deed(attempt: &AttemptView, view: &View) -> Option<Rich> {
    let (order, since) = attempt.order.as_ref()?;
    let words = order_words(order);
    Some(match &attempt.outcome {
        Some(outcome) => Rich::text(Role::Faint, "did ")
            .and(Role::Text, words)
            .and(Role::Faint, " → ")
            .and(Role::Text, outcome),
        None => {
            let span = format_ticks(view.tick.saturating_sub(*since));
            Rich::text(Role::Faint, "now ")
                .and(Role::Text, words)
                .and(Role::Faint, format!(" for {span}"))
        }
    })
}

/// An order to the body in a few words.
#[must_use]
pub fn order_words(order: &Action) -> String {
    let name = order.name();
    match order {
        Action::Explore { targets } => {
            let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
            format!("{name} for {}", names.join(", "))
        }
        Action::Approach { target, range } => {
            let blocks = count_with_noun(*range, "block", "blocks");
            format!("{name} {target} to {blocks}")
        }
        Action::Goto { at, .. } => format!("{name} {at}"),
        Action::Mine { item, count } | Action::Craft { item, count, .. } => {
            format!("{name} {item} ×{count}")
        }
        Action::Smelt {
            item,
            count,
            fuel: Some(fuel),
            ..
        } => {
            format!("{name} {item} ×{count} with {fuel}")
        }
        Action::Smelt {
            item,
            count,
            fuel: None,
            ..
        } => format!("{name} {item} ×{count}"),
        Action::Attack { mob, also, .. } => {
            let also = on_the_way(also.iter().map(|prey| prey.mob.name().to_owned()));
            format!("{name} {mob}{also}")
        }
        Action::Equip { item } | Action::Place { item, .. } => format!("{name} {item}"),
        Action::DigDown { y, also } => {
            let also = on_the_way(also.iter().map(|ore| ore.item.to_string()));
            format!("{name} to y {y}{also}")
        }
        Action::GoUp { y } => format!("{name} to y {y}"),
        Action::Use { item, on, .. } => match item {
            Some(item) => format!("{name} {item} on {on}"),
            None => format!("{name} {on}"),
        },
        Action::Fish { item, count }
        | Action::Grow { item, count }
        | Action::Trade { item, count }
        | Action::Take { item, count }
        | Action::Put { item, count } => format!("{name} {item} ×{count}"),
        Action::Breed { mob } => format!("{name} {mob}"),
        Action::Dye { item, dye } => format!("{name} {item} with {dye}"),
        Action::Enchant { item } | Action::Repair { item } => format!("{name} {item}"),
        Action::Build {
            blocks, blueprint, ..
        } => {
            let of = count_with_noun(blocks.len(), "block", "blocks");
            match blueprint {
                Some(blueprint) => format!("{name} {blueprint}, {of}"),
                None => format!("{name} {of}"),
            }
        }
        Action::Raw { keys } => {
            format!("{name} {}", count_with_noun(keys.len(), "tick", "ticks"))
        }
        Action::Sleep | Action::Eat => name.to_owned(),
        Action::Wait { ticks } => format!("{name} {}", count_with_noun(*ticks, "tick", "ticks")),
    }
}

/// What the order takes beside, if anything.
fn on_the_way(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", on the way {}", names.join(", ")),
    }
}

fn moving(attempt: &AttemptView) -> Rich {
    let steps = &attempt.steps;
    let total: f32 = steps.iter().sum();
    let line = sparkline(steps.iter().map(|step| f64::from(*step)), 24);
    Rich::text(Role::Faint, "moved ").and(Role::Bar, line).and(
        Role::Faint,
        format!(
            " {} blocks in {}",
            format_value(f64::from(total)),
            count_with_noun(steps.len(), "frame", "frames")
        ),
    )
}

fn body(lines: &mut Vec<Rich>, frame: &Frame, width: usize) {
    let health = if frame.health < 8.0 {
        Role::Bad
    } else {
        Role::Text
    };
    let hunger = if frame.hunger < 6.0 {
        Role::Bad
    } else {
        Role::Text
    };
    let held = frame.held.map_or("bare hand", |item| item.name());
    let depth = if frame.underground {
        " underground"
    } else {
        ""
    };
    let line = Rich::text(health, format!("♥ {:.0}/20  ", frame.health))
        .and(hunger, format!("food {:.0}/20  ", frame.hunger))
        .and(
            Role::Text,
            format!("y {} {}{depth}  ", frame.position.block().y, frame.biome),
        )
        .and(Role::Faint, "holds ")
        .and(Role::Text, held);
    lines.push(line.cut(width));
    let items: Vec<String> = frame
        .inventory
        .iter()
        .map(|(item, n)| format!("{n} {item}"))
        .collect();
    let carried = if items.is_empty() {
        "nothing".to_owned()
    } else {
        items.join(" · ")
    };
    let lead = Rich::text(Role::Faint, "carries ");
    crate::widgets::rich::paragraph(lines, lead, Role::Text, &carried, width);
}

fn move_selection(shell: &mut Shell, _: &View, motion: Motion) {
    let page = page_rows(shell);
    shell.live.monitor_scroll = scrolled_to(shell.live.monitor_scroll, page, motion);
}

fn open(shell: &mut Shell, view: &View) {
    let attempt = view.attempt.as_ref();
    open_selected(
        shell,
        attempt.map(|attempt| RunPage::Node(attempt.subgoal.id)),
    );
}
