//! Beginning runs: the form over a screen, and going on with a run from a list.

use crate::cache::Cache;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::screens::home::form::NewRunForm;
use crate::screens::home::launch::Launch;
use crate::screens::home::tasks;
use crate::shell::{Cover, Shell};
use crate::widgets::table::ListItem;
use pithead_engine::suites::SuiteTask;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Opens the form; empty, or with a published task.
pub(crate) fn open(shell: &mut Shell, task: Option<&'static SuiteTask>) {
    match &shell.choices {
        Some(choices) => shell.cover = Cover::Start(Box::new(NewRunForm::new(choices, task))),
        None => shell.refuse("no run can be started from here; `pithead run` starts one"),
    }
}

/// A key that no command has, in the form.
pub(crate) fn typed(form: &mut NewRunForm, key: &KeyEvent) {
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
pub(crate) fn on(shell: &mut Shell, mut form: Box<NewRunForm>, msg: Msg) -> Option<Effect> {
    let mut begun = None;
    match msg {
        Msg::Back => return None,
        Msg::FocusNext => form.go(1),
        Msg::FocusPrevious => form.go(-1),
        Msg::Move(motion) => form.on(motion),
        Msg::Submit => match form.submit() {
            Ok(Some(wanted)) => {
                shell.say("starting …");
                begun = Some(Effect::Begin(Launch::Start(Box::new(wanted))));
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
pub(crate) fn chosen(shell: &mut Shell, cache: &Cache, item: ListItem) -> Option<Effect> {
    match item {
        ListItem::New => open(shell, None),
        ListItem::Task(at) => open(shell, tasks::at(at)),
        ListItem::Run(run) if cache.run(run).is_some_and(|row| row.alive) => {
            return Some(Effect::OpenRun(run));
        }
        ListItem::Run(_) => return go_on(shell, cache, Some(item)),
        ListItem::Entry(_)
        | ListItem::Pair(..)
        | ListItem::Line(_)
        | ListItem::Attempt(_)
        | ListItem::Comparison
        | ListItem::Failure(..)
        | ListItem::Evaluation(_)
        | ListItem::Episode(_)
        | ListItem::Question(..)
        | ListItem::Past(..)
        | ListItem::Rule(_) => (),
    }
    None
}

/// Goes on with a run that was left; says why if it cannot.
pub(crate) fn go_on(shell: &mut Shell, cache: &Cache, item: Option<ListItem>) -> Option<Effect> {
    let Some(ListItem::Run(run)) = item else {
        shell.refuse("select a run that was left (‖)");
        return None;
    };
    let because = match cache.run(run) {
        None => format!("run {run} is not in the database any more"),
        Some(row) if row.outcome.is_some() => format!("run {run} is over; enter plays it"),
        Some(row) if row.alive => format!("run {run} is driven already; enter follows it"),
        Some(_) if shell.choices.is_none() => format!("`pithead resume {run}` goes on with it"),
        Some(_) => {
            shell.say(format!("going on with run {run} …"));
            return Some(Effect::Begin(Launch::Resume(run)));
        }
    };
    shell.refuse(because);
    None
}
