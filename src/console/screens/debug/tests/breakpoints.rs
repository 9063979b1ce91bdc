//! Breakpoints: typed, listed and switched, and met by a recording that plays.

use super::*;
use crate::feed::Feed;
use crate::feed::player::Player;
use crate::screens::live::state::RunMode;
use crate::session::Session;
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyModifiers};

#[test]
fn breakpoints_are_typed_listed_switched_and_taken_off() {
    let mut console = console(&running(), 100, 30);
    console.press("bphase plam⏎");
    assert!(console.said().contains("plan"), "{}", console.said());
    let set = |effect| match effect {
        Some(Effect::SetBreaks(breaks)) => breaks,
        other => panic!("{other:?}"),
    };
    console.press("⎋");
    console.shell.debug.breaks = set(console.press("btick 40⏎"));
    console.shell.debug.breaks = set(console.press(":break reason nav_stuck⏎"));
    console.press("B");
    let text = console.screen();
    assert!(text.contains("● on  tick 40"), "{text}");
    assert!(text.contains("● on  reason NAV_STUCK"), "{text}");
    console.shell.debug.breaks = set(console.press("↓ "));
    assert!(console.shell.debug.breaks[1].off);
    console.shell.debug.breaks = set(console.press("x"));
    assert_eq!(console.shell.debug.breaks.len(), 1);
    console.press("⎋");
    assert_eq!(console.shell.overlays, []);
    // A live run is asked, and its own list is shown.
    console.shell.live.mode = RunMode::Live(pithead_engine::runtime::DriverStatus::Running);
    assert_eq!(breaks::breakpoints(&console.shell, &console.view), []);
}

#[test]
fn a_recording_stops_playing_where_a_breakpoint_is_met() {
    let size = Size::new(100, 30);
    let story = running();
    let feed = Feed::Recording(Player::of_events(story.events.clone()));
    let mut session = Session::new(feed, Keymap::default(), size, Millis(0));
    let press = |session: &mut Session, keys: &str| {
        for key in keys.chars() {
            let code = if key == '⏎' {
                KeyCode::Enter
            } else {
                KeyCode::Char(key)
            };
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            session.on_terminal(&Term::Key(key));
        }
    };
    session.fold(Millis(0)).unwrap();
    press(&mut session, "breason NAV_STUCK⏎ ");
    for ms in 0..10_000 {
        session.fold(Millis(ms * 100)).unwrap();
    }
    let said = session.shell.toast.as_ref().map_or("", |toast| &toast.text);
    assert!(said.contains("stopped at reason NAV_STUCK"), "{said}");
    let seq = session.view.seq;
    let there = &story.events[seq.0 as usize - 1].event;
    assert!(
        matches!(there, Event::AttemptEnded { experience, .. }
            if experience.diagnosis.reason == Some(FailureReason::NavStuck)),
        "{there:?}"
    );
    assert!(matches!(&session.shell.live.mode, RunMode::Replay(replay) if !replay.playing));
}
