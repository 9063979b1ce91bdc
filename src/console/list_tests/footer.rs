//! The footer: five keys that matter, and none of them is refused.

use super::console;
use crate::draw::footer_rows;
use crate::effect::Effect;
use crate::input::keymap::Keymap;
use crate::screen::Screen;
use crate::screens::live::state::{ReplayState, RunMode};
use crate::shell::Shell;
use crate::testing::{Console, running, story, view_of};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::runtime::DriverStatus;
use ratatui::crossterm::event::{Event as Term, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

/// The names of the commands that the footer offers.
fn offered(console: &Console) -> Vec<&'static str> {
    let rows = footer_rows(&console.sight());
    rows.iter().map(|(row, _)| row.name).collect()
}

/// Presses each key of the footer on a console of its own.
#[track_caller]
fn check(name: &str, make: impl Fn() -> Console) {
    let rows: Vec<_> = {
        let console = make();
        let rows = footer_rows(&console.sight()).into_iter();
        rows.map(|(row, keys)| (row.name, keys[0])).collect()
    };
    assert!(rows.iter().any(|(name, _)| *name != "quit"), "{name}");
    for (command, key) in rows {
        let mut console = make();
        let modifiers = if key.ctrl {
            KeyModifiers::CONTROL
        } else {
            KeyModifiers::NONE
        };
        console.take(&Term::Key(KeyEvent::new(key.code, modifiers)));
        let toast = console.shell.toast.as_ref();
        let refused = toast.filter(|toast| toast.is_fault);
        assert_eq!(refused, None, "{name}: {command} is offered and refused");
    }
}

fn on_run(mode: &RunMode, story: &crate::testing::Story) -> Console {
    let mut shell = Shell::new(Screen::Live, Keymap::default(), Size::new(120, 36));
    shell.live.mode = mode.clone();
    Console::new(shell, crate::cache::Cache::default(), view_of(story))
}

#[test]
fn no_key_of_the_footer_is_refused() {
    for screen in Screen::ALL {
        if !matches!(screen, Screen::Live | Screen::Debug) {
            check(screen.name(), || console(screen, 120, 30));
            check(screen.name(), || {
                let mut console = console(screen, 120, 30);
                console.press("G");
                console.shell.toast = None;
                console
            });
        }
    }
    for (keys, what) in [("⏎", "an entry"), ("⏎G", "an entry that was read")] {
        for below in ["", "j", "jj"] {
            check(what, || {
                let mut console = console(Screen::Knowledge, 120, 30);
                console.press(below);
                console.press(keys);
                console.shell.toast = None;
                console
            });
        }
    }
}

#[test]
fn a_run_that_is_over_offers_nothing_that_would_change_it() {
    let live = RunMode::Live(DriverStatus::Running);
    let over = RunMode::Live(DriverStatus::Over);
    let replay = RunMode::Replay(ReplayState {
        at: 10,
        len: 10,
        ..ReplayState::default()
    });
    let stopped = RunMode::Live(DriverStatus::Stopped {
        because: "it was left".to_owned(),
    });
    let mut ended = running();
    ended.say(Event::RunEnded {
        outcome: Outcome::Success,
        because: "all checks are true".to_owned(),
    });
    let under_way = on_run(&live, &running());
    assert!(offered(&under_way).contains(&"pause"));
    assert!(!offered(&under_way).contains(&"step"), "it is not paused");
    for (mode, story) in [
        (&over, &ended),
        (&live, &ended),
        (&replay, &ended),
        (&stopped, &running()),
    ] {
        let offers = offered(&on_run(mode, story));
        for command in ["pause", "step", "abort", "act", "play", "forward", "retry"] {
            assert!(!offers.contains(&command), "{mode:?}: {command}");
        }
        check("a run", || on_run(mode, story));
    }
    check("a run under way", || on_run(&live, &running()));
    check("a run that waits", || on_run(&live, &story()));
}

#[test]
fn the_footer_names_five_keys_and_the_ways_out() {
    let shown = console(Screen::Inbox, 160, 30).screen();
    let foot = shown.lines().last().unwrap_or_default();
    let keys = foot.split('│').nth(1).unwrap_or_default();
    // Each is a key, a word or two, and two blanks behind it.
    let parts = keys.split("  ").filter(|part| !part.trim().is_empty());
    assert!(parts.count() <= 9, "{foot}");
    assert!(foot.contains("? keys") && foot.contains("q quit"), "{foot}");
}

#[test]
fn a_page_is_exported_and_says_how_it_is_closed_where_it_is_narrow() {
    let mut console = console(Screen::Knowledge, 80, 24);
    assert_eq!(console.press("jj⏎E"), Some(Effect::Export));
    let footer = |console: &Console| {
        let screen = console.screen();
        screen.lines().last().unwrap_or_default().to_owned()
    };
    let before = footer(&console);
    assert!(before.contains("esc close"), "{before}");
    assert!(
        !before.contains("a approve"),
        "its end was not seen: {before}"
    );
    console.press("G");
    let read = footer(&console);
    assert!(
        read.contains("esc close") && read.contains("e edit"),
        "{read}"
    );
}
