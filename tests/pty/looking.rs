//! Drawing: what is drawn, when, and at which size.

use crate::console::{BINARY, Console, DEADLINE, folder, live, now};
use portable_pty::PtySize;
use std::process::Command;
use std::time::Duration;

#[test]
fn a_paused_run_is_not_drawn() {
    let mut console = live(36, 120);
    console.press(" ");
    console.wait_for("‖ paused");
    console.settle(Duration::from_millis(500));
    let frames = console.frames();
    assert_eq!(
        console.settle(Duration::from_secs(3)),
        0,
        "something was drawn"
    );
    assert_eq!(console.frames(), frames);
    // The Debug screen and the lists are not drawn either.
    for (key, shown) in [("3", "[3 Debug]"), ("2", "[2 Inbox]"), ("5", "[5 Runs]")] {
        console.press(key);
        console.wait_for(shown);
        console.settle(Duration::from_millis(1500));
        assert_eq!(console.settle(Duration::from_secs(2)), 0, "{shown}");
    }
    console.press("qy");
    console.end();
}

/// A key costs one frame, which is drawn at once and contains only what has changed.
#[test]
fn a_key_writes_few_bytes_and_a_frame_is_shown_at_once() {
    let mut console = live(36, 120);
    console.press(" ");
    console.wait_for("‖ paused");
    for key in ["j", "k", "j", "\t", "\t", "/", "x", "\u{1b}"] {
        console.settle(Duration::from_millis(300));
        let (frames, bytes) = (console.frames(), console.written.len());
        console.press(key);
        console.settle(Duration::from_millis(300));
        let bytes = console.written.len() - bytes;
        assert!(console.frames() <= frames + 2, "{key:?} drew too often");
        assert!(bytes <= 6000, "{key:?} wrote {bytes} bytes");
    }
    let text = String::from_utf8_lossy(&console.written).into_owned();
    let count = |wanted: &str| text.matches(wanted).count();
    assert_eq!(
        count("\x1b[?2026h"),
        count("\x1b[?2026l"),
        "frames are whole"
    );
    // Erasing means drawing again; that happens only at the start.
    assert!(count("\x1b[2J") <= 2, "the screen flickers");
    console.press("qy");
    console.end();
}

#[test]
fn a_selected_text_is_copied_and_the_mouse_is_released() {
    let mut console = live(36, 120);
    console.press(" ");
    console.wait_for("‖ paused");
    console.press("c");
    console.wait_for("copied");
    let text = String::from_utf8_lossy(&console.written).into_owned();
    assert!(text.contains("\x1b]52;c;"), "nothing was copied");
    console.press("u");
    console.wait_for("the mouse is off");
    let text = String::from_utf8_lossy(&console.written).into_owned();
    assert!(text.rfind("\x1b[?1000l") > text.rfind("\x1b[?1000h"));
    console.press("qy");
    console.end();
    console.assert_restored();
}

#[test]
#[cfg(unix)]
fn the_desktops_clipboard_program_gets_the_text_through_a_pipe() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let program = folder.path().join("wl-copy");
    let taken = folder.path().join("taken");
    std::fs::write(&program, format!("#!/bin/sh\ncat > {}\n", taken.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let desktop = [("PATH", path.as_str()), ("WAYLAND_DISPLAY", "w")];
    let mut console = Console::start_with(folder.path(), 24, 80, &[], &desktop);
    console.wait_for("own words");
    console.press("c");
    console.wait_for("copied");
    let until = now() + DEADLINE;
    let text = || std::fs::read_to_string(&taken).unwrap_or_default();
    while !text().contains("a first look") {
        assert!(now() < until, "{:?}", text());
        console.settle(Duration::from_millis(50));
    }
    console.press("q");
    console.end();
}

#[test]
fn a_terminal_without_colour_gets_none() {
    let folder = folder();
    let mut console = Console::start_with(folder.path(), 24, 80, &[], &[("NO_COLOR", "1")]);
    console.wait_for("own words");
    console.settle(Duration::from_millis(200));
    let text = String::from_utf8_lossy(&console.written).into_owned();
    for colour in ["\x1b[38;", "\x1b[48;", ";38;5;", ";38;2;"] {
        assert!(!text.contains(colour), "{colour:?}");
    }
    console.press("q");
    console.end();
}

#[test]
fn the_view_of_a_run_is_restored_the_next_time() {
    let folder = folder();
    let run = Command::new(BINARY)
        .args(["run", "craft a wooden pickaxe", "--headless"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(run.status.code().is_some_and(|code| code <= 1), "{run:?}");
    let mut console = Console::start_in(folder.path(), 36, 120, &["replay", "1"]);
    console.wait_for("recording 1");
    console.press("G");
    console.wait_for("ended");
    assert!(console.text().contains("Monitor"));
    console.press("+");
    console.wait_for("[Plan] Monitor");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    let mut console = Console::start_in(folder.path(), 36, 120, &["replay", "1"]);
    console.wait_for("recording 1");
    console.wait_for("[Plan] Monitor");
    console.press("q");
    console.end();
}

#[test]
fn resizing_down_to_one_cell_and_back_does_no_harm() {
    let mut console = live(24, 80);
    console.press(" ");
    console.wait_for("‖ paused");
    for (rows, cols) in [(1, 1), (3, 200), (60, 5), (46, 60), (36, 120)] {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        console.screen.screen_mut().set_size(rows, cols);
        console.master.resize(size).unwrap();
        console.settle(Duration::from_millis(150));
    }
    console.wait_for("Inbox");
    console.press("qs");
    assert_eq!(console.end().exit_code(), 130);
}

#[test]
fn a_recorded_run_is_played_forward_and_back() {
    let folder = folder();
    let run = Command::new(BINARY)
        .args(["run", "craft a wooden pickaxe", "--headless", "--json"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(run.status.code().is_some_and(|code| code <= 1), "{run:?}");
    let mut console = Console::start(folder, 36, 120, &["replay", "1"]);
    console.wait_for("recording 1");
    console.press("G");
    console.wait_for("ended");
    console.press("g");
    console.wait_for("event 0 of");
    console.press("n");
    console.wait_for("event 1 of");
    console.press("N");
    console.wait_for("proposed");
    console.press("Jt40\r");
    console.wait_for("‖ stopped");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    console.assert_restored();
}

/// A recording that keeps an emulated terminal busy for minutes.
fn slow_recording() -> String {
    let header = r#"{"version":3,"term":{"cols":1000,"rows":1000}}"#;
    let busy = serde_json::json!([0.1, "o", "\u{1b}[65535@\u{1b}[65535L\u{1b}c".repeat(300)]);
    let begin = serde_json::json!([0.0, "o", "begin"]);
    let end = "[9.0,\"o\",\"end\"]\n";
    format!(
        "{header}\n{begin}\n{}{end}",
        format!("{busy}\n").repeat(200)
    )
}

type Leave = fn(&mut Console);

#[test]
fn keys_and_signals_are_obeyed_while_a_recording_keeps_the_terminal_busy() {
    let press = |console: &mut Console| console.press("q");
    let terminate = |console: &mut Console| console.signal("TERM");
    let interrupt = |console: &mut Console| console.signal("INT");
    let ways: [(&str, Leave, u32); 3] = [
        ("q", press, 0),
        ("SIGTERM", terminate, 130),
        ("SIGINT", interrupt, 130),
    ];
    for (way, leave, code) in ways {
        let folder = folder();
        let file = folder.path().join("slow.cast");
        std::fs::write(&file, slow_recording()).unwrap();
        let file = file.to_str().unwrap().to_owned();
        let mut console = Console::start(folder, 24, 100, &["play", &file]);
        console.wait_for("begin");
        console.press("G");
        console.wait_for("going there: ");
        leave(&mut console);
        assert_eq!(console.end().exit_code(), code, "{way}");
        console.assert_restored();
        let text = String::from_utf8_lossy(&console.written);
        assert!(
            !text.contains("100 %"),
            "{way} waited for the end of the jump"
        );
    }
}
