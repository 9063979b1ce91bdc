//! Update: what a message changes on the screen of a run, or asks of the run or the recording.
//!
//! Pure but for `Ui`. A key that can do nothing says why. Invariant: nothing is approved, edited or
//! vetoed whose end has not been on the screen.

use crate::effect::{Effect, Leaving};
use crate::msg::{Msg, ReplayMsg};
use crate::screens::live::layout::Focus;
use crate::screens::live::state::{Confirm, Overlay, Page, RunMode, Ui};
use crate::screens::live::{answer, camera, pages, select};
use crate::view::View;
use crate::widgets::editor::Editor;
use crate::widgets::scroll::Motion;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::steering::Steering;
use pithead_engine::runtime::DriverStatus;

/// One message.
pub fn update(ui: &mut Ui, view: &View, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::FocusNext => focus_by(ui, 1),
        Msg::FocusPrevious => focus_by(ui, Focus::ALL.len() - 1),
        Msg::Move(motion) => go(ui, view, motion),
        Msg::Open => open(ui, view),
        Msg::Back => answer::back(ui),
        Msg::Fold => fold(ui, view, true),
        Msg::Unfold => fold(ui, view, false),
        Msg::Zoom => ui.zoom = !ui.zoom,
        Msg::Look => camera::toggle(ui),
        Msg::Trace => open_trace(ui, view),
        Msg::Costs => open_page(ui, Page::Costs),
        Msg::Policy => open_page(ui, Page::Policy),
        Msg::Inbox => open_inbox(ui, view),
        Msg::Quit => return quit(ui, view),
        Msg::Suspend => return Some(Effect::Suspend),
        Msg::Redraw => return Some(Effect::Redraw),
        Msg::PauseOrResume => return pause_or_resume(ui, view),
        Msg::PauseSoon => return pause_soon(ui, view),
        Msg::Retry => return retry(ui, view),
        Msg::Step => return live(ui, view).then_some(Effect::Send(Command::Step)),
        Msg::Abort => abort(ui, view),
        Msg::Slower => return pace(ui, view, -1),
        Msg::Faster => return pace(ui, view, 1),
        Msg::Approve => return answer::approve(ui, view),
        Msg::Edit => answer::edit(ui, view),
        Msg::Veto => answer::veto(ui, view),
        Msg::Yes => return yes(ui, view),
        Msg::Submit => return answer::submit(ui, view),
        Msg::Replay(replay) => return Some(Effect::Replay(replay)),
        Msg::Jump => {
            ui.overlay = Overlay::Jump {
                text: String::new(),
            }
        }
        _ => (), // the shell's own, which it does not hand on; and what has a meaning in lists only
    }
    None
}

fn abort(ui: &mut Ui, view: &View) {
    if live(ui, view) {
        ui.overlay = Overlay::Confirm(Confirm::Abort);
    }
}

fn open_page(ui: &mut Ui, page: Page) {
    ui.overlay = Overlay::Page { page, scroll: 0 };
}

fn open_trace(ui: &mut Ui, view: &View) {
    match &view.diagnosis {
        Some(_) => open_page(ui, Page::Trace),
        None => ui.refuse("nothing has been diagnosed yet: no attempt has ended"),
    }
}

fn focus_by(ui: &mut Ui, by: usize) {
    // In a line of text tab completes, where there is something to complete.
    if !matches!(ui.overlay, Overlay::None) {
        return;
    }
    // From the view, which is in no row, one goes on as from the map.
    let place = |wanted| Focus::ALL.iter().position(|focus| *focus == wanted);
    let at = place(ui.focus).or(place(Focus::Map)).unwrap_or(0);
    ui.focus_on(Focus::ALL[(at + by) % Focus::ALL.len()]);
}

/// Moves in the overlay if there is one, else in the focused pane.
fn go(ui: &mut Ui, view: &View, motion: Motion) {
    let (lines, height) = pages::extent(ui, view);
    let top_max = lines.saturating_sub(height);
    match &mut ui.overlay {
        Overlay::Page { scroll, .. } | Overlay::Decision { scroll, .. } => {
            *scroll = crate::widgets::scroll::moved(
                *scroll,
                top_max + 1,
                height.saturating_sub(1),
                motion,
            );
            look_at_decision(ui, view);
        }
        Overlay::None => select::move_in_pane(ui, view, motion),
        Overlay::Veto { .. } | Overlay::Editor(_) | Overlay::Confirm(_) | Overlay::Jump { .. } => {}
    }
}

/// Remembers that the end of the question on the screen has been shown.
pub(crate) fn look_at_decision(ui: &mut Ui, view: &View) {
    let (lines, height) = pages::extent(ui, view);
    if let Overlay::Decision { scroll, seen, .. } = &mut ui.overlay {
        *scroll = (*scroll).min(lines.saturating_sub(height));
        *seen = *seen || (height > 0 && *scroll + height >= lines);
    }
}

pub(crate) fn open_decision(ui: &mut Ui, view: &View, id: pithead_world::ids::DecisionId) {
    ui.overlay = Overlay::Decision {
        id,
        scroll: 0,
        seen: false,
    };
    look_at_decision(ui, view);
}

fn open_inbox(ui: &mut Ui, view: &View) {
    ui.focus_on(Focus::Inbox);
    match select::question_row(view, ui) {
        Some(row) => open_decision(ui, view, view.inbox.open[row].question.id),
        None => ui.refuse("nothing waits for you"),
    }
}

fn open(ui: &mut Ui, view: &View) {
    let page = match ui.focus {
        Focus::Plan => {
            let nodes = select::nodes(view, ui);
            select::node_row(view, ui, &nodes).map(|row| Page::Node(nodes[row].id))
        }
        Focus::Inbox => {
            match select::question_row(view, ui) {
                Some(row) => open_decision(ui, view, view.inbox.open[row].question.id),
                None => ui.refuse("nothing waits for you"),
            }
            return;
        }
        Focus::Knowledge => {
            select::entry_row(view, ui).map(|row| Page::Entry(view.knowledge.items[row].id))
        }
        Focus::Timeline => {
            select::line_row(view, ui).map(|row| Page::Event(view.timeline.lines[row].seq))
        }
        Focus::Monitor => view
            .attempt
            .as_ref()
            .map(|attempt| Page::Node(attempt.subgoal.id)),
        Focus::Diagnosis => view.diagnosis.as_ref().map(|_| Page::Trace),
        Focus::Map | Focus::View => {
            ui.zoom = !ui.zoom;
            return;
        }
    };
    match page {
        Some(page) => ui.overlay = Overlay::Page { page, scroll: 0 },
        None => ui.refuse("there is nothing to open here yet"),
    }
}

fn fold(ui: &mut Ui, view: &View, fold: bool) {
    let nodes = select::nodes(view, ui);
    let Some(row) = select::node_row(view, ui, &nodes) else {
        return;
    };
    let id = nodes[row].id;
    if !view
        .plan
        .nodes
        .iter()
        .any(|node| node.subgoal.parent == Some(id))
    {
        ui.refuse("this node has nothing below it; enter opens it");
    } else if fold {
        ui.folded.insert(id);
    } else {
        ui.folded.remove(&id);
    }
}

/// True if the run can be spoken to; says why if it cannot.
pub(crate) fn live(ui: &mut Ui, view: &View) -> bool {
    let because = match &ui.mode {
        RunMode::Replay(_) => "this is a recording; nothing in it can be changed".to_owned(),
        _ if view.status.is_over() => "the run is over".to_owned(),
        RunMode::Live(DriverStatus::Running) => return true,
        RunMode::Live(DriverStatus::Over) => "the run is over".to_owned(),
        RunMode::Live(DriverStatus::Stopped { because }) => {
            format!("the run has stopped: {because}")
        }
    };
    ui.refuse(because);
    false
}

fn pause_or_resume(ui: &mut Ui, view: &View) -> Option<Effect> {
    use crate::view::status::PauseState;
    let command = match view.status.hold {
        PauseState::Free => Command::Pause,
        PauseState::Paused | PauseState::Stepping => Command::Resume,
    };
    live(ui, view).then_some(Effect::Send(command))
}

/// A pause between two steps; asked for already, it is taken back.
fn pause_soon(ui: &mut Ui, view: &View) -> Option<Effect> {
    let command = if view.status.is_pausing {
        Command::Resume
    } else {
        let how = Steering::PauseSoon;
        Command::Steer { how }
    };
    live(ui, view).then_some(Effect::Send(command))
}

fn retry(ui: &mut Ui, view: &View) -> Option<Effect> {
    if !live(ui, view) {
        return None;
    }
    let nodes = select::nodes(view, ui);
    let Some(row) = select::node_row(view, ui, &nodes) else {
        ui.refuse("there is no step to try again yet");
        return None;
    };
    let how = Steering::Retry(nodes[row].id);
    Some(Effect::Send(Command::Steer { how }))
}

/// Paces that the keys step through; 0 is as fast as it can.
const PACES: [f64; 9] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0, 100.0, 0.0];

fn pace(ui: &mut Ui, view: &View, by: isize) -> Option<Effect> {
    if !live(ui, view) {
        return None;
    }
    let Some(now) = view.pace else {
        ui.refuse("the run has not told its pace yet");
        return None;
    };
    let Some(times_realtime) = next_pace(now, by) else {
        ui.refuse(if by < 0 {
            "it does not go slower; pause it and step"
        } else {
            "it goes as fast as it can"
        });
        return None;
    };
    Some(Effect::Send(Command::SetPace { times_realtime }))
}

/// The next pace of the row in that direction, from whatever pace it is.
fn next_pace(now: f64, by: isize) -> Option<f64> {
    // As fast as it can is written as 0 and stands behind all others.
    let rank = |pace: f64| if pace == 0.0 { f64::INFINITY } else { pace };
    let mut paces = PACES.into_iter();
    if by > 0 {
        paces.find(|pace| rank(*pace) > rank(now))
    } else {
        paces.rev().find(|pace| rank(*pace) < rank(now))
    }
}

fn quit(ui: &mut Ui, view: &View) -> Option<Effect> {
    let running = matches!(ui.mode, RunMode::Live(DriverStatus::Running)) && !view.status.is_over();
    if running && !ui.is_guest {
        ui.overlay = Overlay::Confirm(Confirm::Leave);
        return None;
    }
    Some(Effect::Quit(Leaving::Over))
}

fn yes(ui: &mut Ui, view: &View) -> Option<Effect> {
    let Overlay::Confirm(confirm) = std::mem::take(&mut ui.overlay) else {
        return None;
    };
    match confirm {
        Confirm::Leave => Some(Effect::Quit(Leaving::Left)),
        Confirm::Abort => live(ui, view).then(|| {
            Effect::Send(Command::Abort {
                reason: "from the console".to_owned(),
            })
        }),
    }
}

/// A jump as it is typed: `120` is an event, `t3400` a tick.
pub fn jump(text: &str) -> Result<ReplayMsg, String> {
    let text = text.trim();
    let (kind, digits) = match text.strip_prefix(['t', 'T']) {
        Some(digits) => ("tick", digits.trim()),
        None => ("event", text),
    };
    let number = digits.replace([',', '_'], "").parse();
    match (kind, number) {
        ("tick", Ok(tick)) => Ok(ReplayMsg::ToTick(tick)),
        (_, Ok(seq)) => Ok(ReplayMsg::ToSeq(seq)),
        (_, Err(_)) => Err(format!(
            "`{text}` is neither an event (120) nor a tick (t3400)"
        )),
    }
}

/// Opens the editor on a question.
pub(crate) fn open_editor(ui: &mut Ui, open: &crate::view::inbox::Open) {
    match Editor::open(open) {
        Ok(editor) => ui.overlay = Overlay::Editor(Box::new(editor)),
        Err(because) => ui.refuse(because),
    }
}

#[cfg(test)]
mod tests;
