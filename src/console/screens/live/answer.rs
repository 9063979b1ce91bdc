//! Answers: approving, editing and vetoing questions of the run in sight.
//!
//! Invariant: a question is answered at most once from here, and only after its end was on the screen; an
//! answer counts when the run's event says so, not when it is sent.

use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::{EditedText, OpenPage, Overlay, PageSubject};
use crate::screen::Screen;
use crate::screens::live::layout::Focus;
use crate::screens::live::seat::seat_fault;
use crate::screens::live::select::question_row;
use crate::screens::live::state::{LiveState, RunMode, RunOverlay, SentAnswer};
use crate::screens::live::update::{can_command, command_fault};
use crate::shell::{Shell, Toast};
use crate::view::View;
use crate::view::inbox::Open;
use crate::widgets::editor::{Editor, TextFault};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::text::clean::clean_line;
use pithead_engine::runtime::DriverStatus;
use pithead_world::ids::DecisionId;

/// A key that decides, on the list of questions: it opens the question, which is read first.
pub(crate) fn open_first(shell: &mut Shell, view: &View) {
    match question_row(view, &shell.live) {
        Some(row) if shell.live.focus == Focus::Inbox => {
            shell.open_page(PageSubject::Question(view.inbox.open[row].question.id));
            shell.say("read it, then a, e or v");
        }
        Some(_) | None => shell.refuse("nothing waits for you"),
    }
}

/// A message while a question is read.
pub(crate) fn update_page(
    shell: &mut Shell,
    view: &View,
    id: DecisionId,
    msg: Msg,
) -> Option<Effect> {
    if !matches!(msg, Msg::Approve | Msg::Edit | Msg::Veto) {
        return None; // no other row decides
    }
    let open = answerable(shell, view, id)?;
    match msg {
        Msg::Approve => return Some(decide(shell, view, id, Verdict::Approve)),
        Msg::Edit => edit(shell, open),
        _ => shell.open_overlay(Overlay::Run(RunOverlay::Veto {
            id,
            text: String::new(),
        })),
    }
    None
}

/// The question, if it may be answered: it is open, and its end has been seen. Says why if not.
fn answerable<'a>(shell: &mut Shell, view: &'a View, id: DecisionId) -> Option<&'a Open> {
    let Some(open) = view.inbox.get(id) else {
        shell.refuse(format!("{id} has already been decided"));
        return None;
    };
    if shell.live.answered.contains_key(&id) {
        shell.refuse(format!(
            "{id} has been answered; the run has not confirmed it yet"
        ));
        return None;
    }
    (shell.has_seen_end() && can_answer(shell, view)).then_some(open)
}

/// The question is open, was not answered from here, and somebody listens to the answer.
pub(crate) fn is_answerable(shell: &Shell, view: &View, id: DecisionId) -> bool {
    let is_open = view.inbox.get(id).is_some() && !shell.live.answered.contains_key(&id);
    let is_heard = listens(shell) || command_fault(&shell.live, view).is_none();
    is_open && is_heard && seat_fault(&shell.live).is_none()
}

/// Knowledge may be decided even when the run is over, as long as its driver listens.
fn can_answer(shell: &mut Shell, view: &View) -> bool {
    if let Some(because) = seat_fault(&shell.live) {
        shell.refuse(because);
        return false;
    }
    listens(shell) || can_command(shell, view)
}

fn listens(shell: &Shell) -> bool {
    matches!(
        shell.live.mode,
        RunMode::Live(DriverStatus::Running | DriverStatus::Over)
    )
}

fn decide(shell: &mut Shell, view: &View, id: DecisionId, verdict: Verdict) -> Effect {
    let toast = note_sent(&mut shell.live, view, id, id.to_string());
    shell.close_overlays();
    shell.toast = Some(toast);
    Effect::Send(Command::Decide {
        decision: id,
        verdict,
    })
}

/// Opens the content of a question in the editor.
fn edit(shell: &mut Shell, open: &Open) {
    match Editor::open(open) {
        Ok(editor) => shell.open_editor(EditedText::Question(open.question.id), editor),
        Err(because) => shell.refuse(because),
    }
}

/// The reason of a veto is taken.
pub(crate) fn veto(shell: &mut Shell, view: &View, id: DecisionId, text: &str) -> Option<Effect> {
    if text.trim().is_empty() {
        shell.refuse("a veto needs a reason, which the mind gets");
        return None;
    }
    if view.inbox.get(id).is_none() {
        shell.close_overlays();
        shell.refuse(format!("{id} was decided in the meantime"));
        return None;
    }
    let reason = clean_line(text.trim());
    Some(decide(shell, view, id, Verdict::Veto { reason }))
}

/// A message while the content of a question is edited.
pub(crate) fn update_editor(
    shell: &mut Shell,
    view: &View,
    id: DecisionId,
    msg: Msg,
) -> Option<Effect> {
    match msg {
        Msg::Back => shell.leave_editor(),
        Msg::Submit if view.inbox.get(id).is_none() => {
            shell.refuse(format!("{id} was decided in the meantime; esc leaves"));
        }
        Msg::Submit => {
            let mut editor = shell.editor.take()?;
            let Some(verdict) = editor.verdict(view) else {
                shell.editor = Some(editor);
                return None;
            };
            shell.live.sent = Some((id, editor));
            return Some(decide(shell, view, id, verdict));
        }
        _ => (), // no other row holds in the editor
    }
    None
}

/// Remembers that an answer is on its way; the word for that. Only the run says that it holds.
pub(crate) fn note_sent(live: &mut LiveState, view: &View, id: DecisionId, about: String) -> Toast {
    let refused = view.inbox.get(id).map_or(0, |open| open.refused.len());
    let toast = Toast::word(format!("{about}: sent to the run …"));
    live.answered.insert(id, SentAnswer { about, refused });
    toast
}

/// Takes in what the run has said about sent answers: confirmed ones are reported, refused ones are open again.
pub(crate) fn settle_answers(live: &mut LiveState, view: &View) -> Option<Toast> {
    let mut toast = None;
    for (id, sent) in std::mem::take(&mut live.answered) {
        match view.inbox.get(id) {
            Some(open) if open.refused.len() == sent.refused => {
                live.answered.insert(id, sent);
            }
            Some(open) => {
                let because = clean_line(open.refused.last().map_or("", String::as_str));
                toast = Some(Toast::fault(format!("{}: {because}", sent.about)));
                return_text(live, id, because);
            }
            None => {
                live.sent.take_if(|(of, _)| *of == id);
                let mut past = view.inbox.history.iter();
                let decided = past.find(|decided| decided.id == id);
                let word = decided.map(|decided| format!("{} {}", sent.about, decided.verdict));
                toast = word.map(Toast::word).or(toast);
            }
        }
    }
    toast
}

fn return_text(live: &mut LiveState, id: DecisionId, because: String) {
    if let Some((id, mut editor)) = live.sent.take_if(|(of, _)| *of == id) {
        editor.fault = Some(TextFault {
            message: because,
            ..TextFault::default()
        });
        live.returned = Some((id, editor));
    }
}

/// Opens a text that the run has refused, as soon as nothing else lies over its screen.
pub(crate) fn show_returned_text(shell: &mut Shell) -> bool {
    if shell.screen != Screen::Live || !shell.overlays.is_empty() {
        return false;
    }
    let Some((id, editor)) = shell.live.returned.take() else {
        return false;
    };
    // The question below it was read before the text was written.
    shell.open_overlay(Overlay::Page(OpenPage {
        seen: true,
        ..OpenPage::new(PageSubject::Question(id))
    }));
    shell.open_editor(EditedText::Question(id), *editor);
    true
}
