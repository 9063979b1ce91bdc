//! Acting for the agent from the palette: `act mine oak_log 3`, completed and checked while it is typed.

use crate::context::Context;
use crate::effect::Effect;
use crate::overlay::Overlay;
use crate::overlays::tell;
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::take_over;
use pithead_core::domain::run::take_over::Offer;

/// What begins an act in the palette.
pub const LEAD: &str = "act ";

/// The words of an act, if that is what is typed.
#[must_use]
pub fn words(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix(LEAD)
}

/// The palette with an act begun; says why if nothing can be done in this run.
pub(crate) fn open(context: &mut Context<'_>) {
    tell::open(context, LEAD);
}

/// Enter: does it if it can be read, else takes what is offered, else says what is wrong.
pub(crate) fn submit(context: &mut Context<'_>, text: &str, at: usize) -> Option<Effect> {
    let words = words(text).unwrap_or_default().trim();
    match take_over::parse_operator_action(words) {
        Ok(subgoal) if tell::can(context) => {
            context.shell.close_overlay();
            context.shell.say(format!("{} comes next", subgoal.label()));
            let words = words.to_owned();
            Some(Effect::Send(Command::Act { words }))
        }
        Ok(_) => {
            context.shell.close_overlay();
            None
        }
        Err(fault) => {
            if !complete(context, text, at) {
                context.shell.refuse(fault.to_string());
            }
            None
        }
    }
}

/// Takes the offer at a place over into the palette; the palette stays as it is if there is none.
pub(crate) fn complete(context: &mut Context<'_>, text: &str, at: usize) -> bool {
    let offers = take_over::complete(words(text).unwrap_or_default());
    let taken = offers.get(at).map(|offer| format!("{LEAD}{}", offer.text));
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

fn offers(text: &str) -> Vec<Offer> {
    take_over::complete(words(text).unwrap_or_default())
}

/// What the palette shows below the line: how the words read, then how they may go on.
#[must_use]
pub fn lines(text: &str, at: usize) -> Vec<Rich> {
    let typed = words(text).unwrap_or_default();
    let said = match take_over::parse_operator_action(typed) {
        Ok(subgoal) => Rich::of(Role::Good, format!("✔ enter does it: {}", subgoal.label())),
        Err(_) if typed.trim().is_empty() => Rich::of(
            Role::Faint,
            "what is under way is called off; the plan goes on after it",
        ),
        Err(fault) => Rich::of(Role::Notice, format!("? {fault}")),
    };
    let mut lines = vec![said];
    for (place, offer) in offers(text).iter().enumerate() {
        let (sign, role) = if place == at {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        lines.push(
            Rich::of(Role::BorderFocus, sign)
                .and(role, format!("{:<24} ", offer.text))
                .and(Role::Faint, &offer.about),
        );
    }
    lines
}
