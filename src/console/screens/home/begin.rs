//! Beginning runs: the form over a screen, and going on with a run from a list.

use crate::cache::Desk;
use crate::msg::{Effect, Msg};
use crate::screens::home::form::Form;
use crate::screens::home::{Errand, tasks};
use crate::shell::{Cover, Shell};
use crate::widgets::table::Item;
use pithead_engine::suites::SuiteTask;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Opens the form; empty, or with a published task.
pub(crate) fn open(shell: &mut Shell, task: Option<&'static SuiteTask>) {
    match &shell.choices {
        Some(choices) => shell.cover = Cover::Start(Box::new(Form::new(choices, task))),
        None => shell.refuse("no run can be started from here; `pithead run` starts one"),
    }
}

/// A key that no command has, in the form.
pub(crate) fn typed(form: &mut Form, key: &KeyEvent) {
    let ctrl = key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('u') if ctrl => form.wipe(true),
        KeyCode::Char(c) if !ctrl => form.type_in(&c.to_string()),
        KeyCode::Backspace => form.wipe(false),
        _ => (), // other keys mean nothing in a form
    }
}

/// A message while the form is open.
pub(crate) fn on(shell: &mut Shell, mut form: Box<Form>, msg: Msg) -> Option<Effect> {
    let mut begun = None;
    match msg {
        Msg::Back => return None,
        Msg::FocusNext => form.go(1),
        Msg::FocusPrevious => form.go(-1),
        Msg::Move(motion) => form.on(motion),
        Msg::Submit => match form.submit() {
            Ok(Some(wanted)) => {
                shell.say("starting …");
                begun = Some(Effect::Begin(Errand::Start(Box::new(wanted))));
            }
            Ok(None) => (),
            Err(because) => shell.refuse(because),
        },
        _ => (), // no other row holds in a form
    }
    // It stays until the run is there, so that nothing typed is lost if it cannot be started.
    shell.cover = Cover::Start(form);
    begun
}

/// A row of the home screen was opened.
pub(crate) fn chosen(shell: &mut Shell, desk: &Desk, item: Item) -> Option<Effect> {
    match item {
        Item::New => open(shell, None),
        Item::Task(at) => open(shell, tasks::at(at)),
        Item::Run(run) if desk.run(run).is_some_and(|row| row.alive) => {
            return Some(Effect::OpenRun(run));
        }
        Item::Run(_) => return go_on(shell, desk, Some(item)),
        Item::Entry(_)
        | Item::Pair(..)
        | Item::Line(_)
        | Item::Attempt(_)
        | Item::Comparison
        | Item::Failure(..)
        | Item::Evaluation(_)
        | Item::Episode(_)
        | Item::Question(..)
        | Item::Past(..)
        | Item::Rule(_) => (),
    }
    None
}

/// Goes on with a run that was left; says why if it cannot.
pub(crate) fn go_on(shell: &mut Shell, desk: &Desk, item: Option<Item>) -> Option<Effect> {
    let Some(Item::Run(run)) = item else {
        shell.refuse("select a run that was left (‖)");
        return None;
    };
    let because = match desk.run(run) {
        None => format!("run {run} is not in the database any more"),
        Some(row) if row.outcome.is_some() => format!("run {run} is over; enter plays it"),
        Some(row) if row.alive => format!("run {run} is driven already; enter follows it"),
        Some(_) if shell.choices.is_none() => format!("`pithead resume {run}` goes on with it"),
        Some(_) => {
            shell.say(format!("going on with run {run} …"));
            return Some(Effect::Begin(Errand::Resume(run)));
        }
    };
    shell.refuse(because);
    None
}
