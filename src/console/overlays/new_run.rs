//! Beginning runs: the form over a screen, and going on with a run from a list.

use crate::cache::Cache;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::screens::home::form::{FormContent, NewRunForm};
use crate::screens::home::launch::Launch;
use crate::shell::Shell;
use crate::widgets::table::ListItem;

/// Opens the form with what it holds at first.
pub(crate) fn open_form(shell: &mut Shell, content: FormContent<'_>) {
    match &shell.choices {
        Some(choices) => {
            let form = Box::new(NewRunForm::new(choices, content));
            shell.open_overlay(Overlay::NewRun(form));
        }
        None => shell.refuse("no run can be started from here; `pithead run` starts one"),
    }
}

/// A message while the form is open.
pub(crate) fn update_form(
    shell: &mut Shell,
    mut form: Box<NewRunForm>,
    msg: Msg,
) -> Option<Effect> {
    let mut begun = None;
    match msg {
        Msg::Back => {
            shell.close_overlay();
            return None;
        }
        Msg::FocusNext => form.go(1),
        Msg::FocusPrevious => form.go(-1),
        Msg::Move(motion) => form.change_field(motion),
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
    shell.replace_overlay(Overlay::NewRun(form));
    begun
}

/// Goes on with a run that was left; says why if it cannot.
pub(crate) fn continue_run(
    shell: &mut Shell,
    cache: &Cache,
    item: Option<ListItem>,
) -> Option<Effect> {
    let Some(ListItem::Run(run)) = item else {
        shell.refuse("select a run that was left (‖)");
        return None;
    };
    let because = match cache.run(run) {
        None => format!("run {run} is no longer in the database"),
        Some(row) if row.outcome.is_some() => format!("run {run} is over; enter plays it"),
        Some(row) if row.alive => format!("run {run} is already being driven; enter follows it"),
        Some(_) if shell.choices.is_none() => format!("`pithead resume {run}` continues it"),
        Some(_) => {
            shell.say(format!("resuming run {run} …"));
            return Some(Effect::Begin(Launch::Resume(run)));
        }
    };
    shell.refuse(because);
    None
}
