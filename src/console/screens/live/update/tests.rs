//! Keys against screens: what each does, what it refuses, and what has to be seen first.

use crate::cache::Cache;
use crate::context::Context;
use crate::input::terminal::on_terminal;
use crate::screens::live::state::ReplayState;
use crate::screens::live::update::*;
use crate::testing::{running, shell_of, story, view_of};
use crate::view::View;
use crate::view::inbox::Content;
use crate::widgets::editor::Editor;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::event::Event;
use pithead_world::ids::{DecisionId, SubgoalId};
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use tui_textarea::CursorMove;

fn console() -> Shell {
    shell_of(RunMode::Live(DriverStatus::Running), Size::new(80, 24))
}

fn press(shell: &mut Shell, view: &View, keys: &str) -> Option<Effect> {
    let cache = Cache::default();
    let mut last = None;
    for key in keys.chars() {
        let (code, modifiers) = match key {
            '⏎' => (KeyCode::Enter, KeyModifiers::NONE),
            '⎋' => (KeyCode::Esc, KeyModifiers::NONE),
            '⇥' => (KeyCode::Tab, KeyModifiers::NONE),
            '‡' => (KeyCode::Char('t'), KeyModifiers::CONTROL),
            '«' => (KeyCode::Char('u'), KeyModifiers::CONTROL),
            '»' => (KeyCode::Char('r'), KeyModifiers::CONTROL),
            '¤' => (KeyCode::Char('g'), KeyModifiers::CONTROL),
            '§' => (KeyCode::Char('s'), KeyModifiers::CONTROL),
            '⌫' => (KeyCode::Backspace, KeyModifiers::NONE),
            c => (KeyCode::Char(c), KeyModifiers::NONE),
        };
        let mut context = Context {
            shell,
            cache: &cache,
            view,
        };
        last = on_terminal(&mut context, &Term::Key(KeyEvent::new(code, modifiers)));
    }
    last
}

fn said(shell: &Shell) -> &str {
    shell.toast.as_ref().map_or("", |toast| &toast.text)
}

/// Presses keys on the story's screen; what comes out of the last one.
#[track_caller]
#[allow(clippy::needless_pass_by_value)] // the expected values read better without `&`
fn check(keys: &str, expected: Option<Effect>) -> Shell {
    let (mut shell, view) = (console(), view_of(&story()));
    assert_eq!(
        press(&mut shell, &view, keys),
        expected,
        "{keys} said {:?}",
        shell.toast
    );
    shell
}

fn decide(n: u64, verdict: Verdict) -> Option<Effect> {
    Some(Effect::Send(Command::Decide {
        decision: DecisionId(n),
        verdict,
    }))
}

#[test]
fn keys_become_commands() {
    check(" ", Some(Effect::Send(Command::Pause)));
    check("n", Some(Effect::Send(Command::Step)));
    check(
        "[",
        Some(Effect::Send(Command::SetPace {
            times_realtime: 4.0,
        })),
    );
    check(
        "]",
        Some(Effect::Send(Command::SetPace {
            times_realtime: 20.0,
        })),
    );
    check(
        "Ay",
        Some(Effect::Send(Command::Abort {
            reason: "from the console".to_owned(),
        })),
    );
    check("An", None);
    check("qy", Some(Effect::Quit(Leaving::Left)));
}

#[test]
fn a_question_is_decided_only_after_its_end_was_seen() {
    let shell = check("ia", None);
    assert!(said(&shell).starts_with("scroll to the end first"));
    let shell = check("iGa", decide(2, Verdict::Approve));
    assert_eq!(said(&shell), "d2: sent to the run …");
}

#[test]
fn a_question_is_answered_once() {
    let (mut shell, view) = (console(), view_of(&story()));
    assert!(press(&mut shell, &view, "iGa").is_some());
    assert_eq!(press(&mut shell, &view, "iGa"), None);
    assert_eq!(
        said(&shell),
        "d2 has been answered; the run has not confirmed it yet"
    );
}

#[test]
fn deciding_from_the_list_opens_the_question_first() {
    let shell = check("⇥⇥⇥a", None);
    assert!(shell.page().is_some());
}

#[test]
fn a_veto_needs_a_reason_to_be_sent() {
    let shell = check("iGv⏎", None);
    assert_eq!(said(&shell), "a veto needs a reason, which the mind gets");
    check(
        "iGvtoo deepX⌫⏎",
        decide(
            2,
            Verdict::Veto {
                reason: "too deep".to_owned(),
            },
        ),
    );
    let shell = check("iGvq⎋", None);
    assert!(shell.page().is_some_and(|page| page.seen));
}

#[test]
fn the_other_question_is_reached_by_moving() {
    check("⇥⇥⇥k⏎Ga", decide(1, Verdict::Approve));
}

#[test]
fn a_fault_keeps_the_editor_open_and_names_its_line() {
    let shell = check("iGe{§", None);
    let editor = shell.editor.as_ref().expect("the editor is open");
    let fault = editor.fault.clone().unwrap();
    assert!(
        fault.line.is_some() && fault.message.contains("line"),
        "{fault:?}"
    );
    let shell = check("iGex⎋", None);
    assert!(shell.editor.is_some_and(|editor| editor.leaving));
    let shell = check("iGex⎋⎋", None);
    assert!(shell.page().is_some());
}

#[test]
fn a_plan_is_edited_as_one_step_in_each_line_and_its_fault_marked_where_it_is() {
    let (mut shell, view) = (console(), view_of(&story()));
    press(&mut shell, &view, "iGe");
    let text = |shell: &Shell| shell.editor.as_ref().unwrap().text();
    let cursor = |shell: &Shell| shell.editor.as_ref().unwrap().area.cursor();
    let first = text(&shell);
    assert!(first.starts_with("# One step in each line"), "{first}");
    assert!(
        first.lines().skip(1).all(|line| line.contains("sg_")),
        "{first}"
    );
    // A word that is no item, in the last line; then the cursor goes back up.
    let editor = shell.editor.as_mut().unwrap();
    editor.area.move_cursor(CursorMove::Bottom);
    editor.area.move_cursor(CursorMove::End);
    editor.area.insert_str("\nmine irn_ore");
    editor.area.move_cursor(CursorMove::Jump(0, 0));
    assert_eq!(press(&mut shell, &view, "§"), None);
    let fault = shell.editor.as_ref().unwrap().fault.clone().unwrap();
    let last = text(&shell).lines().count() - 1;
    assert_eq!(
        (fault.line, fault.column),
        (Some(last), Some(5)),
        "{fault:?}"
    );
    assert!(fault.message.contains("did you mean iron_ore"), "{fault:?}");
    assert_eq!(cursor(&shell), (0, 0));
    press(&mut shell, &view, "¤");
    assert_eq!(cursor(&shell), (last, 5));
    // The change is taken back, made again, and taken back.
    press(&mut shell, &view, "«");
    assert_eq!(text(&shell), first);
    press(&mut shell, &view, "»");
    assert!(text(&shell).ends_with("irn_ore"));
    press(&mut shell, &view, "«");
    // As JSON it says all of it, and nothing of that is lost on the way back.
    press(&mut shell, &view, "‡");
    assert!(
        text(&shell).contains("\"condition\": \"get"),
        "{}",
        text(&shell)
    );
    press(&mut shell, &view, "‡");
    assert_eq!(text(&shell), first);
    let Some(Effect::Send(Command::Decide { verdict, .. })) = press(&mut shell, &view, "§") else {
        panic!("{:?}", shell.editor.map(|editor| editor.fault));
    };
    let proposed = match &view.inbox.get(DecisionId(2)).unwrap().content {
        Content::Plan { proposal, .. } => proposal.plan.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(verdict, Verdict::EditPlan(proposed));
}

#[test]
fn knowledge_survives_the_editor_unchanged() {
    let view = view_of(&story());
    let open = view.inbox.get(DecisionId(1)).unwrap();
    let crate::view::inbox::Content::Knowledge(entry) = &open.content else {
        panic!()
    };
    let mut editor = Editor::open(open).unwrap();
    assert_eq!(
        editor.verdict(&view),
        Some(Verdict::EditKnowledge(entry.body.clone()))
    );
    editor.area.insert_str("nonsense: [");
    assert_eq!(editor.verdict(&view), None);
    assert!(editor.fault.is_some());
}

#[test]
fn selections_stay_on_their_node_over_a_replan() {
    let before = view_of(&story());
    let mut shell = console();
    press(&mut shell, &before, "j");
    assert_eq!(shell.live.node, Some(SubgoalId(7)));
    shell.live.folded.insert(SubgoalId(4));
    let mut replanned = running();
    let breaks = vec![Breakpoint {
        on: "subgoal mine *iron*".parse().unwrap(),
        off: false,
    }];
    let mut set = story();
    set.say(Event::BreaksSet {
        breaks: breaks.clone(),
        by: "ann".to_owned(),
    });
    assert_eq!(view_of(&set).breaks, breaks);
    replanned.events.insert(
        replanned.events.len() - 1,
        set.events.last().unwrap().clone(),
    );
    let after = view_of(&replanned);
    assert_eq!(after.breaks, breaks, "they name no node");
    assert!(shell.live.folded.contains(&SubgoalId(4)));
    let nodes = select::nodes(&after, &shell.live);
    let row = select::node_row(&after, &shell.live, &nodes).unwrap();
    assert_eq!(nodes[row].id, SubgoalId(7));
    press(&mut shell, &after, "⎋");
    assert_eq!(shell.live.node, None);
}

#[test]
fn a_recording_refuses_commands_and_jumps() {
    let view = view_of(&story());
    let mut shell = console();
    shell.live.mode = RunMode::Replay(ReplayState::default());
    assert_eq!(
        press(&mut shell, &view, " "),
        Some(Effect::Replay(ReplayMsg::PlayOrPause))
    );
    assert_eq!(
        press(&mut shell, &view, "Jt3,400⏎"),
        Some(Effect::Replay(ReplayMsg::ToTick(3400)))
    );
    assert_eq!(
        press(&mut shell, &view, "J12⏎"),
        Some(Effect::Replay(ReplayMsg::ToSeq(12)))
    );
    assert_eq!(press(&mut shell, &view, "Jx⏎"), None);
    assert_eq!(
        said(&shell),
        "`x` is neither an event (120) nor a tick (t3400)"
    );
    press(&mut shell, &view, "⎋");
    assert_eq!(press(&mut shell, &view, "iGa"), None);
    assert_eq!(
        said(&shell),
        "this is a recording; nothing in it can be changed"
    );
    assert_eq!(
        press(&mut shell, &view, "⎋q"),
        Some(Effect::Quit(Leaving::Over))
    );
}

#[test]
fn panes_are_reached_by_tab() {
    assert_eq!(check("⇥⇥", None).live.focus, Focus::Diagnosis);
    assert_eq!(check("⇥⇥⇥⇥⇥⇥⇥", None).live.focus, Focus::Timeline);
    assert!(check("⇥⇥⇥⇥+", None).live.zoom);
    assert!(!check("⇥⇥⇥⇥+⎋", None).live.zoom);
}

#[test]
fn paces_are_stepped_through_from_whatever_pace_it_is() {
    for (from, slower, faster) in [
        (0.0, Some(100.0), None),
        (0.25, None, Some(0.5)),
        (3.0, Some(2.0), Some(4.0)),
        (1e5, Some(100.0), Some(0.0)),
    ] {
        assert_eq!(
            (next_pace(from, -1), next_pace(from, 1)),
            (slower, faster),
            "×{from}"
        );
    }
    let mut unsaid = view_of(&story());
    unsaid.pace = None;
    let mut shell = console();
    assert_eq!(press(&mut shell, &unsaid, "]"), None);
    assert_eq!(said(&shell), "the run has not told its pace yet");
}
