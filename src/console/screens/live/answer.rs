//! Answers: approving, editing and vetoing questions, and the text that is typed for it.
//!
//! Invariant: a question is answered at most once from here; an answer waits for the run's event.

use crate::effect::Effect;
use crate::screens::live::layout::Focus;
use crate::screens::live::state::{Overlay, Ui};
use crate::screens::live::update::{jump, live, open_decision, open_editor};
use crate::view::View;
use crate::view::inbox::Open;
use crate::widgets::editor::TextFault;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::text::clean::{clean_block, clean_line};
use pithead_world::ids::DecisionId;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Longest line of text taken; reasons are told to the mind and have a price.
const TYPED_MAX: usize = 500;

/// The question to be answered, if it may be: it is open, and its end has been seen.
fn question<'a>(ui: &mut Ui, view: &'a View) -> Option<&'a Open> {
    let Overlay::Decision { id, seen, .. } = ui.overlay else {
        // From the list: read first.
        if let (Focus::Inbox, Some(row)) = (
            ui.focus,
            crate::screens::live::select::question_row(view, ui),
        ) {
            open_decision(ui, view, view.inbox.open[row].question.id);
            ui.say("read it, then a, e or v");
        } else {
            ui.refuse("nothing waits for you");
        }
        return None;
    };
    let Some(open) = view.inbox.get(id) else {
        ui.refuse(format!("{id} is decided already"));
        return None;
    };
    if ui.answered.contains_key(&id) {
        ui.refuse(format!(
            "{id} is answered already; the run has not confirmed it yet"
        ));
        return None;
    }
    if !seen {
        ui.refuse("scroll to the end first (pgdn or G): only what has been seen can be decided");
        return None;
    }
    live_for_answers(ui, view).then_some(open)
}

/// Knowledge may be decided even when the run is over, as long as its driver listens.
fn live_for_answers(ui: &mut Ui, view: &View) -> bool {
    use crate::screens::live::state::RunMode;
    use pithead_engine::runtime::DriverStatus;
    let listens = matches!(
        ui.mode,
        RunMode::Live(DriverStatus::Running | DriverStatus::Over)
    );
    listens || live(ui, view)
}

fn decide(ui: &mut Ui, view: &View, id: DecisionId, verdict: Verdict, word: &str) -> Effect {
    ui.overlay = Overlay::None;
    let refused = view.inbox.get(id).map_or(0, |open| open.refused.len());
    ui.answered.insert(id, refused);
    ui.say(format!("{id} {word}"));
    Effect::Send(Command::Decide {
        decision: id,
        verdict,
    })
}

pub(crate) fn approve(ui: &mut Ui, view: &View) -> Option<Effect> {
    let id = question(ui, view)?.question.id;
    Some(decide(ui, view, id, Verdict::Approve, "approved"))
}

pub(crate) fn edit(ui: &mut Ui, view: &View) {
    if let Some(open) = question(ui, view) {
        open_editor(ui, open);
    }
}

pub(crate) fn veto(ui: &mut Ui, view: &View) {
    if let Some(open) = question(ui, view) {
        ui.overlay = Overlay::Veto {
            id: open.question.id,
            text: String::new(),
        };
    }
}

/// The run has spoken: what it confirmed is forgotten, what it refused is open again, and a text
/// that it refused comes back with its fault.
pub(crate) fn settle(ui: &mut Ui, view: &View) {
    let sent = std::mem::take(&mut ui.answered);
    for (id, refused) in sent {
        match view.inbox.get(id) {
            Some(open) if open.refused.len() == refused => {
                ui.answered.insert(id, refused);
            }
            Some(open) => refused_by_run(ui, id, open.refused.last().map_or("", String::as_str)),
            None => ui.sent = ui.sent.take().filter(|editor| editor.decision != id),
        }
    }
}

fn refused_by_run(ui: &mut Ui, id: DecisionId, because: &str) {
    let because = clean_line(because);
    ui.refuse(format!("{id}: {because}"));
    let text = ui.sent.take_if(|editor| editor.decision == id);
    if let (Some(mut editor), Overlay::None) = (text, &ui.overlay) {
        editor.fault = Some(TextFault {
            line: None,
            message: because,
        });
        ui.overlay = Overlay::Editor(editor);
    }
}

/// The text on the screen is taken.
pub(crate) fn submit(ui: &mut Ui, view: &View) -> Option<Effect> {
    match std::mem::take(&mut ui.overlay) {
        Overlay::Veto { id, text } if text.trim().is_empty() => {
            ui.overlay = Overlay::Veto { id, text };
            ui.refuse("a veto needs a reason; the mind is told it");
            None
        }
        Overlay::Veto { id, text } => {
            if view.inbox.get(id).is_none() {
                ui.refuse(format!("{id} was decided in the meantime"));
                return None;
            }
            let reason = clean_line(text.trim());
            Some(decide(ui, view, id, Verdict::Veto { reason }, "vetoed"))
        }
        Overlay::Jump { text } => match jump(&text) {
            Ok(to) => Some(Effect::Replay(to)),
            Err(because) => {
                ui.overlay = Overlay::Jump { text };
                ui.refuse(because);
                None
            }
        },
        Overlay::Editor(mut editor) => {
            let id = editor.decision;
            if view.inbox.get(id).is_none() {
                ui.overlay = Overlay::Editor(editor);
                ui.refuse(format!("{id} was decided in the meantime; esc leaves"));
                return None;
            }
            match editor.verdict(view) {
                Some(verdict) => {
                    ui.sent = Some(editor);
                    Some(decide(ui, view, id, verdict, "edited and approved"))
                }
                None => {
                    ui.overlay = Overlay::Editor(editor);
                    None
                }
            }
        }
        other => {
            ui.overlay = other;
            None
        }
    }
}

/// Leaves the overlay, then the full screen, then the selection.
pub(crate) fn back(ui: &mut Ui) {
    match std::mem::take(&mut ui.overlay) {
        Overlay::Editor(mut editor) => {
            if let Some(because) = editor.stays_open() {
                ui.overlay = Overlay::Editor(editor);
                ui.refuse(because);
            } else {
                ui.overlay = Overlay::Decision {
                    id: editor.decision,
                    scroll: 0,
                    seen: true,
                };
            }
        }
        // Back to the question, whose end has been seen.
        Overlay::Veto { id, .. } => {
            ui.overlay = Overlay::Decision {
                id,
                scroll: 0,
                seen: true,
            };
        }
        Overlay::None if ui.zoom => ui.zoom = false,
        Overlay::None => {
            (ui.node, ui.line, ui.entry, ui.question) = (None, None, None, None);
            (ui.monitor_scroll, ui.diagnosis_scroll, ui.map_shift) = (0, 0, (0, 0));
        }
        Overlay::Decision { .. }
        | Overlay::Confirm(_)
        | Overlay::Jump { .. }
        | Overlay::Page { .. } => (),
    }
}

/// A key that stands in no row: text, where text is being written.
pub(crate) fn typed(ui: &mut Ui, key: &KeyEvent) {
    let ctrl = key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match &mut ui.overlay {
        Overlay::Veto { text, .. } | Overlay::Jump { text } => match key.code {
            KeyCode::Char('u') if ctrl => text.clear(),
            KeyCode::Char(c) if !ctrl && text.chars().count() < TYPED_MAX => {
                text.push_str(&clean_line(&c.to_string()));
            }
            KeyCode::Backspace => {
                text.pop();
            }
            _ => (), // other keys mean nothing in a line of text
        },
        Overlay::Editor(editor) => editor.typed(*key),
        Overlay::None | Overlay::Decision { .. } | Overlay::Confirm(_) | Overlay::Page { .. } => (),
    }
}

/// Text came from the clipboard.
pub(crate) fn paste(ui: &mut Ui, pasted: &str) {
    match &mut ui.overlay {
        Overlay::Veto { text, .. } | Overlay::Jump { text } => {
            let room = TYPED_MAX.saturating_sub(text.chars().count());
            text.extend(clean_line(pasted).chars().take(room));
        }
        Overlay::Editor(editor) => {
            editor.fault = None;
            editor.area.insert_str(clean_block(pasted));
        }
        Overlay::None | Overlay::Decision { .. } | Overlay::Confirm(_) | Overlay::Page { .. } => (),
    }
}
