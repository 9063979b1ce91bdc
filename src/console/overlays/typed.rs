//! Commands typed in full in the palette: completed and checked while they are typed.
//!
//! What is told to the run is read by the same parser as `pithead tell`.

use crate::context::Context;
use crate::effect::Effect;
use crate::input::keys::Argument;
use crate::input::typed::TypedCommand;
use crate::overlay::Overlay;
use crate::screen::Screen;
use crate::screens::debug::breaks;
use crate::screens::live::state::RunOverlay;
use crate::screens::live::update::can_command;
use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::saying::saying_in;
use pithead_core::domain::run::steering::{LIMITS, Steering, parse_steering};
use pithead_core::domain::run::take_over;
use pithead_core::domain::run::take_over::parse_operator_action;

/// A way in which the words may go on.
struct WordOffer {
    words: String,
    about: String,
}

/// The palette with a command begun; says why if the run cannot be told anything.
pub(crate) fn open_typed(context: &mut Context<'_>, name: &str) {
    if can_steer(context) {
        let text = format!("{name} ");
        context.shell.open_overlay(Overlay::Palette { text, at: 0 });
    }
}

/// Whether the run can be told anything; says why not.
fn can_steer(context: &mut Context<'_>) -> bool {
    if !context.shell.has_run {
        context.shell.refuse("no run is open");
        return false;
    }
    can_command(context.shell, context.view)
}

/// Enter: does it if it can be read, else takes what is offered, else says what is wrong.
pub(crate) fn submit_typed(
    context: &mut Context<'_>,
    typed: &TypedCommand<'_>,
    at: usize,
) -> Option<Effect> {
    if let (Argument::Action, Some(text)) = (typed.argument, saying_in(typed.words)) {
        ask_to_say(context, text);
        return None;
    }
    let read = match typed.argument {
        Argument::Action => read_action(context, typed.words.trim()),
        Argument::Steering => read_steering(context, typed),
        Argument::Breakpoint => breaks::breakpoints_with(context, typed.words).map(Some),
    };
    match read {
        Ok(effect) => {
            context.shell.close_overlay();
            effect
        }
        Err(because) => {
            if !complete_typed(context, typed, at) {
                context.shell.refuse(because);
            }
            None
        }
    }
}

/// Others would read it under the body's name: that is asked about first.
fn ask_to_say(context: &mut Context<'_>, text: Result<String, String>) {
    match text {
        Err(because) => context.shell.refuse(because),
        Ok(text) if can_steer(context) => {
            let asked = Overlay::Run(RunOverlay::Say { text });
            context.shell.replace_overlay(asked);
        }
        Ok(_) => (), // said why not
    }
}

fn read_action(context: &mut Context<'_>, words: &str) -> Result<Option<Effect>, String> {
    let subgoal = parse_operator_action(words).map_err(|fault| fault.to_string())?;
    if !can_steer(context) {
        return Ok(None);
    }
    context.shell.say(format!("{} comes next", subgoal.label()));
    let words = words.to_owned();
    Ok(Some(Effect::Send(Command::Act { words })))
}

fn read_steering(
    context: &mut Context<'_>,
    typed: &TypedCommand<'_>,
) -> Result<Option<Effect>, String> {
    let command = parse_steering(&whole(typed))?;
    Ok(can_steer(context).then_some(Effect::Send(command)))
}

fn whole(typed: &TypedCommand<'_>) -> String {
    format!("{} {}", typed.name, typed.words)
}

/// Takes the offer at a place over into the palette; false if there is none, or nothing changes.
pub(crate) fn complete_typed(
    context: &mut Context<'_>,
    typed: &TypedCommand<'_>,
    at: usize,
) -> bool {
    let offers = word_offers(typed);
    let Some(offer) = offers.get(at).filter(|offer| offer.words != typed.words) else {
        return false;
    };
    let text = format!("{} {}", typed.name, offer.words);
    context
        .shell
        .replace_overlay(Overlay::Palette { text, at: 0 });
    true
}

/// How many offers can be chosen from.
#[must_use]
pub fn offer_count(typed: &TypedCommand<'_>) -> usize {
    word_offers(typed).len()
}

fn word_offers(typed: &TypedCommand<'_>) -> Vec<WordOffer> {
    let own = |words: &str, about: &str| WordOffer {
        words: words.to_owned(),
        about: about.to_owned(),
    };
    match typed.argument {
        Argument::Action => {
            let offers = take_over::complete(typed.words);
            let offers = offers.iter().map(|offer| own(&offer.text, &offer.about));
            offers.collect()
        }
        // Limits that begin as typed, until one of them is typed with a value.
        Argument::Steering if typed.row.name == "limit" => LIMITS
            .iter()
            .map(|(example, about)| own(example, about))
            .filter(|offer| offer.words.starts_with(typed.words.trim_start()))
            .collect(),
        Argument::Steering | Argument::Breakpoint => Vec::new(),
    }
}

/// What the palette shows below the line: how the words read, then how they may go on.
#[must_use]
pub fn typed_lines(typed: &TypedCommand<'_>, at: usize) -> Vec<Rich> {
    let mut lines = vec![match typed.argument {
        Argument::Action => action_line(typed.words),
        Argument::Steering => steering_line(&whole(typed)),
        Argument::Breakpoint => Rich::new(),
    }];
    for (place, offer) in word_offers(typed).iter().enumerate() {
        let (sign, role) = if place == at {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        lines.push(
            Rich::text(Role::BorderFocus, sign)
                .and(role, format!("{:<24} ", offer.words))
                .and(Role::Faint, &offer.about),
        );
    }
    lines
}

fn action_line(words: &str) -> Rich {
    match saying_in(words) {
        Some(Ok(_)) => return Rich::text(Role::Good, "✔ enter asks, then the body says it"),
        Some(Err(fault)) => return Rich::text(Role::Notice, format!("? {fault}")),
        None => (),
    }
    match parse_operator_action(words) {
        Ok(subgoal) => Rich::text(Role::Good, format!("✔ enter does it: {}", subgoal.label())),
        Err(_) if words.trim().is_empty() => Rich::text(
            Role::Faint,
            "the current step is cancelled; the plan continues afterwards",
        ),
        Err(fault) => Rich::text(Role::Notice, format!("? {fault}")),
    }
}

fn steering_line(text: &str) -> Rich {
    match parse_steering(text) {
        Ok(Command::Steer { how }) => {
            Rich::text(Role::Good, format!("✔ enter tells the run: {how}"))
        }
        Ok(_) => Rich::text(Role::Good, "✔ enter tells the run"),
        Err(fault) => Rich::text(Role::Notice, format!("? {fault}")),
    }
}

/// Takes the last act back that is not done; where none is, goes to what was decided.
pub(crate) fn take_back_action(context: &mut Context<'_>) -> Option<Effect> {
    if !can_steer(context) {
        return None;
    }
    let Some(id) = context.view.acts.last().copied() else {
        context.shell.go(Screen::Decided);
        context.shell.say(
            "none of your actions waits; z undoes a decision, or says what can be done instead",
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
        format!("{label} is cancelled; what it has already done stays")
    } else {
        format!("{label} is withdrawn; it had not begun")
    });
    let how = Steering::Withdraw(id);
    Some(Effect::Send(Command::Steer { how }))
}
