//! Telling the run in words, from the palette: `limit ticks 24000`, `replan the cave is flooded`.
//!
//! Checked while it is typed, by the same reader as `pithead tell`.

use crate::context::Context;
use crate::effect::Effect;
use crate::overlay::Overlay;
use crate::screen::Screen;
use crate::screens::live::update::can_command;
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::steering;
use pithead_core::domain::run::steering::{LIMITS, Steering};

/// What begins such words in the palette.
pub const LIMIT: &str = "limit ";
pub const REPLAN: &str = "replan ";
const LEADS: [&str; 4] = [LIMIT, REPLAN, "retry ", "withdraw "];

/// Whether the run is being told something.
#[must_use]
pub fn is(text: &str) -> bool {
    LEADS.iter().any(|lead| text.trim_start().starts_with(lead))
}

/// The palette with the words begun; says why if the run cannot be told anything.
pub(crate) fn open(context: &mut Context<'_>, lead: &str) {
    if can(context) {
        context.shell.open_overlay(Overlay::Palette {
            text: lead.to_owned(),
            at: 0,
        });
    }
}

/// Whether the run can be told anything; says why not.
pub(crate) fn can(context: &mut Context<'_>) -> bool {
    if !context.shell.has_run {
        context
            .shell
            .refuse("no run is open that could be told anything");
        return false;
    }
    can_command(context.shell, context.view)
}

/// Enter: tells it if it can be read, else takes what is offered, else says what is wrong.
pub(crate) fn submit(context: &mut Context<'_>, text: &str, at: usize) -> Option<Effect> {
    match steering::parse_steering(text) {
        Ok(command) => {
            context.shell.close_overlay();
            can(context).then_some(Effect::Send(command))
        }
        Err(fault) => {
            if !complete(context, text, at) {
                context.shell.refuse(fault);
            }
            None
        }
    }
}

/// Takes the offer at a place over into the palette; false if there is none, or nothing changes.
pub(crate) fn complete(context: &mut Context<'_>, text: &str, at: usize) -> bool {
    let taken = offers(text)
        .get(at)
        .map(|(words, _)| format!("{LIMIT}{words}"));
    let changed = taken.as_deref().is_some_and(|taken| taken != text);
    if changed {
        let text = taken.unwrap_or_default();
        context
            .shell
            .replace_overlay(Overlay::Palette { text, at: 0 });
    }
    changed
}

/// How many can be chosen from.
#[must_use]
pub fn len(text: &str) -> usize {
    offers(text).len()
}

/// Limits that begin as typed, until one of them is typed with a value.
fn offers(text: &str) -> Vec<(&'static str, &'static str)> {
    let Some(typed) = text.trim_start().strip_prefix(LIMIT) else {
        return Vec::new();
    };
    let mut known = LIMITS.to_vec();
    known.retain(|(example, _)| example.starts_with(typed.trim_start()));
    known
}

/// What the palette shows below the line: how the words read, then how they may go on.
#[must_use]
pub fn lines(text: &str, at: usize) -> Vec<Rich> {
    let mut lines = vec![match steering::parse_steering(text) {
        Ok(Command::Steer { how }) => Rich::of(Role::Good, format!("✔ enter tells the run: {how}")),
        Ok(_) => Rich::of(Role::Good, "✔ enter tells the run"),
        Err(fault) => Rich::of(Role::Notice, format!("? {fault}")),
    }];
    for (place, (words, about)) in offers(text).iter().enumerate() {
        let (sign, role) = if place == at {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        lines.push(
            Rich::of(Role::BorderFocus, sign)
                .and(role, format!("{words:<24} "))
                .and(Role::Faint, *about),
        );
    }
    lines
}

/// Takes the last act back that is not done; where none is, goes to what was decided.
pub(crate) fn take_back(context: &mut Context<'_>) -> Option<Effect> {
    if !can(context) {
        return None;
    }
    let Some(id) = context.view.acts.last().copied() else {
        context.shell.go(Screen::Decided);
        context.shell.say(
            "no act of yours waits; z takes a decision back, or says what can be done in its place",
        );
        return None;
    };
    let label = context
        .view
        .plan
        .node(id)
        .map_or(String::new(), |node| node.label.clone());
    let running = context
        .view
        .attempt
        .as_ref()
        .is_some_and(|a| a.subgoal.id == id && !a.over);
    context.shell.say(if running {
        format!("{label} is called off; what it did already stays")
    } else {
        format!("{label} is taken back; nothing of it was done")
    });
    let how = Steering::Withdraw(id);
    Some(Effect::Send(Command::Steer { how }))
}
