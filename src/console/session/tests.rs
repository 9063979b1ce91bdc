//! The loop: when frames are drawn, and above all when they are not.

use crate::effect::InboxAction;
use crate::feed::Script;
use crate::feed::player::Player;
use crate::screens::live::state::SentAnswer;
use crate::session::*;
use crate::testing::{running, story};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{By, Subject, Verdict};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::DecisionId;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

const SIZE: Size = Size {
    width: 120,
    height: 36,
};

fn live(events: Vec<Recorded>) -> Session {
    let script = Script::of([events]);
    Session::new(
        Feed::Scripted(script),
        Keymap::default(),
        SIZE,
        Millis(1_000_000),
    )
}

/// Lets time pass as the real loop does; returns the frames drawn.
fn pass(session: &mut Session, from: u64, ms: u64) -> u32 {
    let (mut now, mut frames) = (from, 0);
    while now < from + ms {
        session.fold(Millis(now)).unwrap();
        if session.is_frame_due(Millis(now)) {
            session.drawn(Millis(now));
            frames += 1;
        }
        now += (session.wait(Millis(now)).as_millis() as u64).max(1);
    }
    frames
}

fn press(session: &mut Session, key: char) -> Option<Effect> {
    session.on_terminal(&Term::Key(KeyEvent::new(
        KeyCode::Char(key),
        KeyModifiers::NONE,
    )))
}

#[test]
fn a_run_without_events_is_drawn_only_once() {
    let mut session = live(running().events);
    assert_eq!(pass(&mut session, 2_000_000, 500), 1);
    assert_eq!(pass(&mut session, 2_000_500, 60_000), 0);
}

#[test]
fn a_recording_that_stands_still_is_not_drawn() {
    let player = Player::of_events(running().events);
    let mut session = Session::new(Feed::Recording(player), Keymap::default(), SIZE, Millis(0));
    pass(&mut session, 0, 100);
    assert_eq!(pass(&mut session, 100, 60_000), 0);
}

#[test]
fn a_count_down_is_drawn_once_a_second() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 500);
    let frames = pass(&mut session, 1_030_500, 10_000);
    assert!((9..=11).contains(&frames), "{frames}");
}

#[test]
fn a_flood_of_events_is_drawn_at_most_every_sixteen_ms() {
    let mut session = live(Vec::new());
    let events = running().events;
    if let Feed::Scripted(script) = &mut session.feed {
        for _ in 0..40 {
            script.waiting.extend(events.chunks(2).map(<[_]>::to_vec));
        }
    }
    let frames = pass(&mut session, 0, 1000);
    assert!((20..=63).contains(&frames), "{frames}");
}

#[test]
fn a_key_is_answered_with_the_next_frame() {
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 1000);
    assert_eq!(press(&mut session, '?'), None);
    assert!(session.is_frame_due(Millis(2_001_100)));
    assert_eq!(session.wait(Millis(2_001_100)), Duration::ZERO);
}

/// A key does not wait for the frame that a flood of events would have had.
#[test]
fn a_key_is_handled_before_waiting_events() {
    let mut session = live(running().events);
    session.fold(Millis(2_000_000)).unwrap();
    session.drawn(Millis(2_000_000));
    hear(&mut session, Event::WorldAsked);
    assert!(!session.is_frame_due(Millis(2_000_005)));
    press(&mut session, 'j');
    assert!(session.is_answer_due(Millis(2_000_005)));
    session.drawn(Millis(2_000_005));
    press(&mut session, 'k');
    let wait = session.wait(Millis(2_000_006)).as_millis() as u64;
    assert!((1..=4).contains(&wait), "many keys draw no more than this");
}

#[test]
fn a_run_that_goes_on_behind_a_list_draws_nothing() {
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 100);
    session.shell.go(Screen::Rules);
    session.must_redraw();
    pass(&mut session, 2_000_100, 100);
    hear(&mut session, Event::WorldAsked);
    assert!(!session.is_frame_due(Millis(2_001_000)));
    session.shell.go(Screen::Live);
    hear(&mut session, Event::WorldAsked);
    assert!(session.is_frame_due(Millis(2_001_000)));
}

#[test]
fn a_recording_that_plays_behind_a_list_draws_nothing() {
    let player = Player::of_events(running().events);
    let mut session = Session::new(Feed::Recording(player), Keymap::default(), SIZE, Millis(0));
    pass(&mut session, 0, 100);
    press(&mut session, ' ');
    assert!(pass(&mut session, 100, 1000) > 5, "it plays");
    session.shell.go(Screen::Rules);
    pass(&mut session, 1100, 100);
    let before = session.view.seq;
    assert_eq!(pass(&mut session, 1200, 1000), 0);
    assert!(session.view.seq > before, "it plays on");
}

#[test]
fn a_mouse_that_only_moves_draws_nothing() {
    use ratatui::crossterm::event::{MouseEvent, MouseEventKind};
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 1000);
    let moved = Term::Mouse(MouseEvent {
        kind: MouseEventKind::Moved,
        column: 4,
        row: 4,
        modifiers: KeyModifiers::NONE,
    });
    session.on_terminal(&moved);
    assert_eq!(pass(&mut session, 2_001_000, 1000), 0);
}

/// Every look costs: a run in which nothing happens is looked at less and less, until a key comes.
#[test]
fn a_run_in_which_nothing_happens_is_seldom_looked_at() {
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 2_000);
    let soon = session.wait(Millis(2_002_000));
    pass(&mut session, 2_002_000, 60_000);
    let late = session.wait(Millis(2_062_000));
    assert!(
        soon < late && late >= Duration::from_millis(200),
        "{late:?}"
    );
    press(&mut session, 'j');
    session.drawn(Millis(2_062_001));
    assert!(session.wait(Millis(2_062_001)) < soon);
}

#[test]
fn keys_become_commands_and_leaving_asks_first() {
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 100);
    press(&mut session, ' ');
    assert_eq!(press(&mut session, 'q'), None);
    assert_eq!(press(&mut session, 'n'), None);
    assert_eq!(press(&mut session, 'q'), None);
    assert_eq!(press(&mut session, 'y'), Some(Effect::Quit(Leaving::Left)));
    let Feed::Scripted(script) = &session.feed else {
        panic!()
    };
    assert_eq!(script.sent, [Command::Pause]);
}

#[test]
fn a_driver_that_is_gone_is_said_and_refuses_keys() {
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 100);
    if let Feed::Scripted(script) = &mut session.feed {
        script.status = DriverStatus::Stopped {
            because: "the disk is full".to_owned(),
        };
    }
    assert_eq!(pass(&mut session, 2_000_100, 1000), 1);
    press(&mut session, ' ');
    let toast = session.shell.toast.clone().unwrap();
    assert_eq!(toast.text, "the run has stopped: the disk is full");
    assert_eq!(press(&mut session, 'q'), Some(Effect::Quit(Leaving::Over)));
}

fn sent(session: &mut Session) -> Vec<Command> {
    let Feed::Scripted(script) = &mut session.feed else {
        panic!("no script is played")
    };
    std::mem::take(&mut script.sent)
}

/// The next event of the story, as the run would say it.
fn hear(session: &mut Session, event: Event) {
    let (seq, at) = (session.view.seq.next(), session.view.at);
    let run = pithead_world::ids::RunId(42);
    let Feed::Scripted(script) = &mut session.feed else {
        panic!("no script is played")
    };
    script.waiting.push_back(vec![Recorded {
        run,
        seq,
        at,
        event,
    }]);
    session.fold(at).unwrap();
}

const REPLAN: DecisionId = DecisionId(2);
const HOLD: Command = Command::HoldDecision { decision: REPLAN };
const RELEASE: Command = Command::ReleaseDecision { decision: REPLAN };

fn held(session: &mut Session) {
    hear(
        session,
        Event::DecisionHeld {
            decision: REPLAN,
            by: "ada".to_owned(),
        },
    );
}

#[test]
fn a_question_with_a_clock_is_held_from_opening_to_closing_and_not_beyond() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 100);
    press(&mut session, 'i');
    assert_eq!(sent(&mut session), [HOLD]);
    held(&mut session);
    // Still on the screen: read, edited, about to be vetoed.
    for key in ['G', 'v', 'x'] {
        press(&mut session, key);
    }
    assert_eq!(sent(&mut session), []);
    let escape = Term::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    session.on_terminal(&escape);
    assert_eq!(sent(&mut session), []);
    session.on_terminal(&escape);
    assert_eq!(sent(&mut session), [RELEASE]);
}

#[test]
fn an_answer_needs_no_release_and_a_refused_one_does() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 100);
    press(&mut session, 'i');
    held(&mut session);
    press(&mut session, 'G');
    press(&mut session, 'a');
    let approve = Command::Decide {
        decision: REPLAN,
        verdict: Verdict::Approve,
    };
    assert_eq!(sent(&mut session), [HOLD, approve]);
    hear(
        &mut session,
        Event::CommandRefused {
            command: "decide".to_owned(),
            decision: Some(REPLAN),
            because: "it does not pass".to_owned(),
        },
    );
    assert_eq!(sent(&mut session), [RELEASE]);
    let toast = session.shell.toast.clone().unwrap();
    assert!(toast.is_fault && toast.text.contains("it does not pass"));
    assert!(
        session.shell.live.answered.is_empty(),
        "it may be answered again"
    );
}

#[test]
fn an_answer_is_called_approved_when_the_run_says_so_and_not_before() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 100);
    for key in ['i', 'G', 'a'] {
        press(&mut session, key);
    }
    let said = |session: &Session| session.shell.toast.as_ref().map(|toast| toast.text.clone());
    assert_eq!(said(&session).as_deref(), Some("d2: sent to the run …"));
    hear(
        &mut session,
        Event::DecisionMade {
            decision: REPLAN,
            verdict: Verdict::Approve,
            by: By::Operator("ada".to_owned()),
        },
    );
    assert_eq!(said(&session).as_deref(), Some("d2 approved"));
}

#[test]
fn an_entry_answered_from_the_inbox_is_called_approved_when_its_run_says_so() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 100);
    let id = session.view.inbox.open[0].question.subject.clone();
    let Subject::Knowledge(id) = id else {
        panic!("the first question is about an entry")
    };
    let answer = InboxAction::Answer {
        ids: vec![id],
        verdict: Verdict::Approve,
    };
    assert_eq!(session.perform(Effect::Inbox(answer)), None);
    let said = |session: &Session| session.shell.toast.as_ref().map(|toast| toast.text.clone());
    assert_eq!(said(&session), Some(format!("{id}: sent to the run …")));
    hear(
        &mut session,
        Event::DecisionMade {
            decision: DecisionId(1),
            verdict: Verdict::Approve,
            by: By::Operator("ada".to_owned()),
        },
    );
    assert_eq!(said(&session), Some(format!("{id} approved")));
}

#[test]
fn a_text_that_the_run_refuses_comes_back_with_its_fault() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 100);
    for key in ['i', 'G', 'e'] {
        press(&mut session, key);
    }
    let id = question_in_hand(&session.shell.overlays).unwrap();
    // The console's own check would keep it here; the run's comes after the sending.
    let editor = session.shell.editor.take().expect("the editor is open");
    let text = editor.text();
    session.shell.live.sent = Some((id, editor));
    session.shell.close_overlays();
    let sent = SentAnswer {
        about: id.to_string(),
        refused: 0,
    };
    session.shell.live.answered.insert(id, sent);
    hear(
        &mut session,
        Event::CommandRefused {
            command: "decide".to_owned(),
            decision: Some(id),
            because: "the goal is not reached".to_owned(),
        },
    );
    let editor = session.shell.editor.as_ref().expect("the text is there");
    assert_eq!(editor.text(), text);
    assert_eq!(
        editor.fault.as_ref().unwrap().message,
        "the goal is not reached"
    );
}

/// What comes by itself takes no key that was meant for something else.
#[test]
fn a_new_question_takes_no_keys_meant_for_something_else() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 500);
    assert!(session.shell.overlays.is_empty(), "it opened itself");
    assert_eq!(press(&mut session, 'a'), None);
    let run = session.view.head.as_ref().unwrap().run;
    session.shell.go(Screen::Inbox);
    session.decide(InboxAction::Open {
        run,
        decision: DecisionId(2),
    });
    session.fold(Millis(1_031_000)).unwrap();
    assert!(session.shell.page().is_some());
    press(&mut session, 'q');
    assert!(session.shell.page().is_some());
    session.fold(Millis(1_031_000 + 301)).unwrap();
    press(&mut session, 'q');
    assert!(session.shell.overlays.is_empty());
    assert_eq!(
        session.shell.screen,
        Screen::Inbox,
        "back where it was chosen"
    );
}

#[test]
fn a_run_is_looked_at_again_as_it_was_left() {
    let mut session = live(running().events);
    pass(&mut session, 2_000_000, 100);
    press(&mut session, '+');
    session.note_look();
    let mut again = live(running().events);
    again.memory = session.memory.clone();
    assert!(!again.shell.live.zoom);
    pass(&mut again, 2_000_000, 100);
    assert!(again.shell.live.zoom);
}

#[test]
fn a_question_comes_in_sight_though_its_run_was_left_on_the_debug_screen() {
    let mut session = live(story().events);
    pass(&mut session, 1_030_000, 500);
    let run = session.view.head.as_ref().unwrap().run;
    session.shell.go(Screen::Debug);
    session.note_look();
    let mut again = live(Vec::new());
    again.memory = session.memory.clone();
    again.shell.go(Screen::Inbox);
    let decision = DecisionId(2);
    let order = again.decide(InboxAction::Open { run, decision });
    assert_eq!(order, Some(Effect::OpenRun(run)));
    again.show(live(story().events).feed, Millis(1_031_000));
    again.fold(Millis(1_031_000)).unwrap();
    assert_eq!(again.shell.screen, Screen::Live);
    assert!(again.shell.page().is_some());
}
