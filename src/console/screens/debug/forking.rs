//! Forking: the form in which the point of a fork and what is different in it are chosen.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::{EditedText, Overlay};
use crate::screens::debug::inspection::{at, chosen, inspection};
use crate::screens::debug::state::{DebugOverlay, ForkForm};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::editor::Editor;
use crate::widgets::popup::keys;
use crate::widgets::rich::Rich;
use pithead_core::domain::plan::note::Severity;
use pithead_engine::runtime::fork::{ForkPoint, ForkRequest};

/// Opens the form for the attempt and the frame in sight.
pub(crate) fn open_fork(context: &mut Context<'_>) {
    let (shell, cache) = (&*context.shell, context.cache);
    let run = context.view.head.as_ref().map(|head| head.run);
    let (Some(run), Some(attempt)) = (run, chosen(shell, cache)) else {
        context.shell.refuse("there is no attempt to fork at yet");
        return;
    };
    let case = inspection(shell, cache).map(|inspection| inspection.case);
    let from = cache.debug.index.attempt(attempt).map(|row| row.from);
    let frame = case
        .map(|case| case.seq_at(at(&shell.debug, case)))
        .or(from);
    let form = ForkForm {
        run,
        attempt,
        frame: frame.unwrap_or_default(),
        at_frame: false,
        without: None,
        keep: false,
        moved: shell.debug.moved.as_ref().map(|_| true),
        plan: None,
    };
    context
        .shell
        .open_overlay(Overlay::Debug(DebugOverlay::Fork(form)));
}

/// A message on the form.
pub(crate) fn update_form(
    context: &mut Context<'_>,
    mut form: ForkForm,
    msg: Msg,
) -> Option<Effect> {
    use crate::msg::DebugMsg as D;
    match msg {
        Msg::Debug(D::ForkPoint) => form.at_frame = !form.at_frame,
        Msg::Debug(D::ForkWithout) => {
            let used = &context.cache.debug.index.used;
            // From none through all of them and back.
            form.without = match form.without {
                None => used.first().copied(),
                Some(id) => used.range(id..).nth(1).copied(),
            };
            if used.is_empty() {
                context.shell.refuse("no entry was used in this run");
            }
        }
        Msg::Debug(D::ForkKeep) => form.keep = !form.keep,
        Msg::Debug(D::ForkThresholds) => match form.moved {
            Some(on) => form.moved = Some(!on),
            None => context
                .shell
                .refuse("no threshold was changed; the Thresholds part changes them"),
        },
        Msg::Debug(D::ForkPlan) => {
            edit(context, &form);
            return None;
        }
        Msg::Yes => {
            context.shell.close_overlay();
            return Some(Effect::Fork(Box::new(fork_request(context.shell, form))));
        }
        _ => {
            context.shell.close_overlay();
            return None;
        }
    }
    context
        .shell
        .replace_overlay(Overlay::Debug(DebugOverlay::Fork(form)));
    None
}

fn fork_request(shell: &Shell, form: ForkForm) -> ForkRequest {
    let thresholds = shell.debug.moved.clone();
    ForkRequest {
        from: form.run,
        at: if form.at_frame {
            ForkPoint::Event(form.frame)
        } else {
            ForkPoint::Before(form.attempt)
        },
        without: form.without.into_iter().collect(),
        thresholds: thresholds.filter(|_| form.moved == Some(true)),
        plan: form.plan,
        keep_decisions: form.keep,
        by: String::new(),
    }
}

/// Opens the plan in force at the point in the editor.
fn edit(context: &mut Context<'_>, form: &ForkForm) {
    let row = context.cache.debug.index.attempt(form.attempt);
    let from = row.map_or(form.frame, |row| row.from);
    let known = context.cache.debug.index.plan_at(from);
    match form.plan.as_ref().or(known) {
        Some(plan) => {
            let title = format!("the plan of the fork before {}", form.attempt);
            let editor = Editor::plan(plan, title);
            context.shell.open_editor(EditedText::ForkPlan, editor);
        }
        None => context.shell.refuse("no plan was in force there"),
    }
}

/// A message while the plan of the form below is edited.
pub(crate) fn update_editor(shell: &mut Shell, msg: Msg) {
    match msg {
        Msg::Back => shell.leave_editor(),
        Msg::Submit => match shell.editor.as_mut().map(|open| open.plan_read()) {
            Some(Some((plan, notes))) => {
                // What a note finds wrong is found again, in full, when the fork is made.
                let bad = notes.iter().find(|note| note.severity == Severity::Error);
                if let Some(note) = bad {
                    shell.refuse(note.text.clone());
                }
                shell.close_overlay();
                if let Some(Overlay::Debug(DebugOverlay::Fork(form))) = shell.overlays.last_mut() {
                    // A plan is changed between attempts only.
                    (form.plan, form.at_frame) = (Some(plan), false);
                }
            }
            Some(None) => (), // its fault is shown
            None => shell.close_overlay(),
        },
        _ => (), // no other row holds in the editor
    }
}

/// The lines of the form.
#[must_use]
pub fn fork_lines(form: &ForkForm, view: &View) -> Vec<Rich> {
    let task = view.head.as_ref().map_or("", |head| head.task.as_str());
    let point = if form.at_frame {
        format!("at event {}, the visible frame", form.frame)
    } else {
        format!("before {} begins", form.attempt)
    };
    let yes = |on: bool| if on { "yes" } else { "no" };
    let without = form
        .without
        .map_or("none left out".to_owned(), |id| format!("without {id}"));
    let thresholds = match form.moved {
        None => "as the run has them".to_owned(),
        Some(on) => format!("as moved here: {}", yes(on)),
    };
    let plan = if form.plan.is_some() {
        "edited"
    } else {
        "as it is"
    };
    let row = |key: &str, name: &str, value: &str| {
        Rich::text(Role::Key, format!("{key} "))
            .and(Role::Faint, format!("{name:<28}"))
            .and(Role::Strong, value)
    };
    vec![
        Rich::text(Role::Strong, format!("Fork run {} · {task}", form.run)),
        Rich::text(
            Role::Text,
            "A new run with the past of this one up to the point.",
        ),
        Rich::new(),
        row("m", "point", &point),
        row("k", "repeat later decisions", yes(form.keep)),
        row("w", "knowledge", &without),
        row("t", "thresholds", &thresholds),
        row("p", "plan", plan),
        Rich::new(),
        keys(&[("y", "fork and continue there"), ("esc", "leave")]),
    ]
}
