//! What lies over the screen of one run: a reason, a jump, a question before something is done; and the
//! keys below a question that is read.

use crate::screens::live::state::{Confirm, RunOverlay};
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::view::inbox::timeout_words;
use crate::widgets::popup::{keys, popup, read_on_bar, typing};
use crate::widgets::rich::Rich;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::clock::Millis;
use pithead_world::ids::DecisionId;
use ratatui::Frame;

pub(crate) fn draw(frame: &mut Frame<'_>, overlay: &RunOverlay, view: &View, theme: &Theme) {
    match overlay {
        RunOverlay::Veto { id, text } => {
            let title = view
                .inbox
                .get(*id)
                .map_or_else(|| id.to_string(), |open| open.title());
            let lines = [
                Rich::text(Role::Strong, format!("Veto {title}?")),
                Rich::text(Role::Faint, "The reason goes to the mind with the veto."),
                Rich::new(),
                typing("because ", text),
                Rich::new(),
                keys(&[("enter", "veto"), ("esc", "back")]),
            ];
            popup(frame, "Veto", &lines, theme);
        }
        RunOverlay::Jump { text } => {
            let lines = [
                Rich::text(Role::Faint, "An event (120) or a tick (t3400)."),
                Rich::new(),
                typing("to ", text),
                Rich::new(),
                keys(&[("enter", "jump"), ("esc", "back")]),
            ];
            popup(frame, "Jump", &lines, theme);
        }
        RunOverlay::Leave => popup(frame, "Leave", &leave(view), theme),
        RunOverlay::Say { text } => popup(frame, "Say it?", &say(text, view), theme),
        RunOverlay::Confirm(what) => popup(frame, "Sure?", &confirm(*what, view), theme),
    }
}

/// What may become of a run that has a process of its own.
fn leave(view: &View) -> Vec<Rich> {
    let (run, task) = match &view.head {
        Some(head) => (head.run.to_string(), head.task.clone()),
        None => ("?".to_owned(), String::new()),
    };
    let waiting = match view.inbox.open.len() {
        0 => String::new(),
        n => format!(
            " {} for you.",
            count_with_noun(n, "question waits", "questions wait")
        ),
    };
    vec![
        Rich::text(Role::Strong, format!("Leave run {run} · {task}?")),
        Rich::text(
            Role::Text,
            format!("It has a process of its own and goes on without this console.{waiting}"),
        ),
        Rich::text(
            Role::Faint,
            format!("`pithead watch {run}` follows it again, from any terminal."),
        ),
        Rich::new(),
        keys(&[
            ("l", "leave it running"),
            ("s", "stop it, to be resumed"),
            ("e", "end it"),
            ("esc", "stay"),
        ]),
    ]
}

fn confirm(what: Confirm, view: &View) -> Vec<Rich> {
    let (run, task) = match &view.head {
        Some(head) => (head.run.to_string(), head.task.clone()),
        None => ("?".to_owned(), String::new()),
    };
    let (question, says, yes) = match what {
        Confirm::Abort => (
            format!("Abort run {run} · {task}?"),
            "It ends now, as aborted. It cannot be resumed.".to_owned(),
            "abort it",
        ),
        Confirm::Leave => (
            format!("Leave run {run} · {task}?"),
            format!("It stops cleanly here; `pithead resume {run}` continues it."),
            "stop and leave",
        ),
    };
    vec![
        Rich::text(Role::Strong, question),
        Rich::text(Role::Text, says),
        Rich::new(),
        keys(&[("y", yes), ("esc", "no, go on")]),
    ]
}

fn say(text: &str, view: &View) -> Vec<Rich> {
    let head = view.head.as_ref();
    let server = head.and_then(|head| head.config.world.server.as_ref());
    let place = server.map_or("the server".to_owned(), ToString::to_string);
    vec![
        Rich::text(Role::Strong, format!("\"{text}\"")),
        Rich::text(
            Role::Text,
            format!("Everybody in the chat of {place} reads it, under the name of the body."),
        ),
        Rich::new(),
        keys(&[("y", "say it"), ("esc", "no, go on")]),
    ]
}

/// Count-down and keys below a question.
pub(crate) fn question_bar(id: DecisionId, seen: bool, view: &View, now: Millis) -> Rich {
    match view.inbox.get(id) {
        None => Rich::text(Role::Faint, "decided already; esc closes"),
        Some(open) if !seen => {
            let held = open.question.held.as_ref();
            let held = held.and_then(|_| timeout_words(&open.question, now));
            read_on_bar().and(
                Role::Notice,
                held.map_or(String::new(), |words| format!("   {words}")),
            )
        }
        Some(open) => {
            let mut bar = keys(&[("a", "approve"), ("e", "edit"), ("v", "veto with a reason")]);
            match timeout_words(&open.question, now) {
                Some(words) => bar.add(Role::Notice, words),
                None => bar.add(Role::Faint, open.blocks()),
            }
            bar
        }
    }
}
