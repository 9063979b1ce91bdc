//! Update: what keys change on the screen of one run, and what they ask of the run.
//!
//! A key that can do nothing says why.

use crate::effect::{Effect, Leaving};
use crate::msg::{Msg, ReplayMsg};
use crate::overlay::{Overlay, PageSubject};
use crate::screens::live::event_filter::EventFilter;
use crate::screens::live::layout::Focus;
use crate::screens::live::panes::pane_of;
use crate::screens::live::panes::view::toggle;
use crate::screens::live::state::{Confirm, LiveState, RunMode, RunOverlay, RunPage};
use crate::screens::live::{answer, panes, seat, select};
use crate::shell::Shell;
use crate::view::View;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::steering::Steering;
use pithead_engine::runtime::DriverStatus;

/// One message.
pub fn update_run(shell: &mut Shell, view: &View, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::FocusNext => focus_by(shell, 1),
        Msg::FocusPrevious => focus_by(shell, -1),
        Msg::Move(motion) => (pane_of(shell.live.focus).move_selection)(shell, view, motion),
        Msg::Open => (pane_of(shell.live.focus).open)(shell, view),
        Msg::Back => leave(&mut shell.live),
        Msg::Filter => open_filter(shell),
        Msg::Fold => fold(shell, view, true),
        Msg::Unfold => fold(shell, view, false),
        Msg::Zoom => shell.live.zoom = !shell.live.zoom,
        Msg::Look => toggle(shell),
        Msg::Trace => open_trace(shell, view),
        Msg::Mind => panes::mind::open(shell, view),
        Msg::Costs => open_page(shell, RunPage::Costs),
        Msg::Policy => open_page(shell, RunPage::Policy),
        Msg::Inbox => open_inbox(shell, view),
        Msg::PauseOrResume => return pause_or_resume(shell, view),
        Msg::PauseSoon => return pause_soon(shell, view),
        Msg::Retry => return retry(shell, view),
        Msg::Step => return can_command(shell, view).then_some(Effect::Send(Command::Step)),
        Msg::Abort => abort(shell, view),
        Msg::Seat => return seat::give_or_ask(shell),
        Msg::Slower => return pace(shell, view, -1),
        Msg::Faster => return pace(shell, view, 1),
        Msg::Approve | Msg::Edit | Msg::Veto => answer::open_first(shell, view),
        Msg::Replay(replay) => return Some(Effect::Replay(replay)),
        Msg::Jump => shell.open_overlay(Overlay::Run(RunOverlay::Jump {
            text: String::new(),
        })),
        _ => (), // what works everywhere is done before; the rest has a meaning in lists or over a screen
    }
    None
}

fn abort(shell: &mut Shell, view: &View) {
    if can_command(shell, view) {
        shell.open_overlay(Overlay::Run(RunOverlay::Confirm(Confirm::Abort)));
    }
}

fn open_page(shell: &mut Shell, page: RunPage) {
    shell.open_page(PageSubject::Run(page));
}

fn open_trace(shell: &mut Shell, view: &View) {
    match &view.diagnosis {
        Some(_) => open_page(shell, RunPage::Trace),
        None => shell.refuse("nothing has been diagnosed yet: no attempt has ended"),
    }
}

fn focus_by(shell: &mut Shell, by: isize) {
    let panes: Vec<Focus> = shell.live.panes().collect();
    // From the view, which is in no row, one goes on as from the map.
    let place = |wanted| panes.iter().position(|focus| *focus == wanted);
    let at = place(shell.live.focus).or(place(Focus::Map)).unwrap_or(0);
    let next = (at + panes.len()).wrapping_add_signed(by) % panes.len();
    shell.live.focus_on(panes[next]);
}

fn open_inbox(shell: &mut Shell, view: &View) {
    shell.live.focus_on(Focus::Inbox);
    panes::inbox::open(shell, view);
}

/// Types a filter for the events, which come into sight.
fn open_filter(shell: &mut Shell) {
    shell.live.focus_on(Focus::Timeline);
    let before = shell.live.events.text().to_owned();
    let text = before.clone();
    shell.open_overlay(Overlay::Filter { text, before });
}

/// Shows only the events that fit a filter.
pub(crate) fn filter_events(shell: &mut Shell, text: String) {
    let (filter, fault) = EventFilter::typed(text);
    shell.live.events = filter;
    if let Some(because) = fault {
        shell.refuse(because);
    }
}

/// Leaves the full screen, then the filter, then the selection.
fn leave(live: &mut LiveState) {
    if live.zoom {
        live.zoom = false;
        return;
    }
    if !live.events.text().is_empty() {
        live.events = EventFilter::default();
        return;
    }
    (live.node, live.line, live.entry, live.question) = (None, None, None, None);
    (live.asked, live.candidate, live.rule) = (None, None, None);
    (live.reflector_scroll, live.goals_scroll) = (0, 0);
    (live.monitor_scroll, live.diagnosis_scroll, live.map_shift) = (0, 0, (0, 0));
}

fn fold(shell: &mut Shell, view: &View, fold: bool) {
    let nodes = select::nodes(view, &shell.live);
    let Some(row) = select::node_row(view, &shell.live, &nodes) else {
        return;
    };
    let node = nodes[row];
    let has_tries = !node.tries.is_empty();
    let mut nodes = view.plan.nodes.iter();
    let has_nodes = nodes.any(|below| below.subgoal.parent == Some(node.id));
    let live = &mut shell.live;
    // Its attempts stand nearest to it: they are folded away first and come last.
    let done = match fold {
        true => live.opened.remove(&node.id) || (has_nodes && live.folded.insert(node.id)),
        false => live.folded.remove(&node.id) || (has_tries && live.opened.insert(node.id)),
    };
    if !done {
        shell.refuse(match (has_nodes || has_tries, fold) {
            (false, _) => "this step has nothing below it; enter opens it",
            (true, true) => "nothing below this step is open",
            (true, false) => "all below this step is open",
        });
    }
}

/// Why the run cannot be spoken to, if it cannot.
pub(crate) fn command_fault(live: &LiveState, view: &View) -> Option<String> {
    Some(match &live.mode {
        RunMode::Replay(_) => "this is a recording; nothing in it can be changed".to_owned(),
        _ if view.status.is_over() => "the run is over".to_owned(),
        RunMode::Live(DriverStatus::Running) => return seat::seat_fault(live),
        RunMode::Live(DriverStatus::Over) => "the run is over".to_owned(),
        RunMode::Live(DriverStatus::Stopped { because }) => {
            format!("the run has stopped: {because}")
        }
    })
}

/// True if the run can be spoken to; says why if it cannot.
pub(crate) fn can_command(shell: &mut Shell, view: &View) -> bool {
    match command_fault(&shell.live, view) {
        Some(because) => {
            shell.refuse(because);
            false
        }
        None => true,
    }
}

fn pause_or_resume(shell: &mut Shell, view: &View) -> Option<Effect> {
    use crate::view::status::PauseState;
    let command = match view.status.hold {
        PauseState::Free => Command::Pause,
        PauseState::Paused | PauseState::Stepping => Command::Resume,
    };
    can_command(shell, view).then_some(Effect::Send(command))
}

/// A pause between two steps; asked for already, it is taken back.
fn pause_soon(shell: &mut Shell, view: &View) -> Option<Effect> {
    let command = if view.status.is_pausing {
        Command::Resume
    } else {
        let how = Steering::PauseSoon;
        Command::Steer { how }
    };
    can_command(shell, view).then_some(Effect::Send(command))
}

fn retry(shell: &mut Shell, view: &View) -> Option<Effect> {
    if !can_command(shell, view) {
        return None;
    }
    let nodes = select::nodes(view, &shell.live);
    let selected = if shell.live.focus == Focus::Select {
        panes::select::candidate(view, &shell.live)
    } else {
        select::node_row(view, &shell.live, &nodes).map(|row| nodes[row].id)
    };
    let Some(step) = selected else {
        shell.refuse("there is no step to try again yet");
        return None;
    };
    let how = Steering::Retry(step);
    Some(Effect::Send(Command::Steer { how }))
}

/// Paces that the keys step through; 0 is as fast as it can.
const PACES: [f64; 9] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0, 100.0, 0.0];

fn pace(shell: &mut Shell, view: &View, by: isize) -> Option<Effect> {
    if !can_command(shell, view) {
        return None;
    }
    let Some(now) = view.pace else {
        shell.refuse("the run has not told its pace yet");
        return None;
    };
    let Some(times_realtime) = next_pace(now, by) else {
        shell.refuse(if by < 0 {
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

/// Leaves the console; asks first where that stops a run, or leaves one alone.
pub(crate) fn quit(shell: &mut Shell, view: &View) -> Option<Effect> {
    let running =
        matches!(shell.live.mode, RunMode::Live(DriverStatus::Running)) && !view.status.is_over();
    if running && !shell.live.is_guest {
        shell.open_overlay(Overlay::Run(RunOverlay::Confirm(Confirm::Leave)));
        return None;
    }
    if running && shell.live.is_own_process {
        shell.open_overlay(Overlay::Run(RunOverlay::Leave));
        return None;
    }
    Some(Effect::Quit(Leaving::Over))
}

/// A message while something about the run is asked.
pub(crate) fn update_overlay(
    shell: &mut Shell,
    view: &View,
    overlay: RunOverlay,
    msg: Msg,
) -> Option<Effect> {
    match (overlay, msg) {
        (_, Msg::Back) => shell.close_overlay(),
        (RunOverlay::Veto { id, text }, Msg::Submit) => {
            return answer::veto(shell, view, id, &text);
        }
        (RunOverlay::Jump { text }, Msg::Submit) => match parse_jump(&text) {
            Ok(to) => {
                shell.close_overlay();
                return Some(Effect::Replay(to));
            }
            Err(because) => shell.refuse(because),
        },
        (RunOverlay::Confirm(confirm), Msg::Yes) => {
            shell.close_overlay();
            return confirmed(shell, view, confirm);
        }
        (RunOverlay::Say { text }, Msg::Yes) => {
            shell.close_overlay();
            return can_command(shell, view).then_some(Effect::Send(Command::Say { text }));
        }
        (RunOverlay::Leave, Msg::Leave(choice)) => {
            shell.close_overlay();
            return Some(Effect::Leave(choice));
        }
        // No other row holds in a line of text or a question.
        (
            RunOverlay::Veto { .. }
            | RunOverlay::Jump { .. }
            | RunOverlay::Confirm(_)
            | RunOverlay::Say { .. }
            | RunOverlay::Leave,
            _,
        ) => (),
    }
    None
}

fn confirmed(shell: &mut Shell, view: &View, confirm: Confirm) -> Option<Effect> {
    match confirm {
        Confirm::Leave => Some(Effect::Quit(Leaving::Left)),
        Confirm::Abort => can_command(shell, view).then(|| {
            Effect::Send(Command::Abort {
                reason: "from the console".to_owned(),
            })
        }),
    }
}

/// A jump as it is typed: `120` is an event, `t3400` a tick.
pub fn parse_jump(text: &str) -> Result<ReplayMsg, String> {
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

#[cfg(test)]
mod tests;
