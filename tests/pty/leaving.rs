//! Leaving: the terminal is restored on every way out, and the run can be resumed.

use crate::console::{BINARY, Console, DEADLINE, folder, live, now};
use std::process::Command;
use std::time::Duration;

#[test]
fn without_a_terminal_the_console_says_what_to_do() {
    let folder = folder();
    let output = Command::new(BINARY)
        .args(["run", "craft a wooden pickaxe"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("needs a terminal") && said.contains("--headless"),
        "{said}"
    );
}

#[test]
fn a_live_run_is_paused_stepped_resumed_and_left() {
    let mut console = live(36, 120);
    for shown in [
        "Plan ·",
        "Monitor",
        "Map",
        "Events",
        "(simulated)",
        "seed 7",
    ] {
        console.wait_for(shown);
    }
    console.press(" ");
    console.wait_for("‖ paused");
    console.press("?");
    console.wait_for("pause or resume the run");
    console.press("\u{1b}");
    console.wait_for("Plan ·");
    console.press(" ");
    console.wait_for("▶ executing");
    console.press("q");
    console.wait_for("Leave run");
    console.press("s");
    assert_eq!(console.end().exit_code(), 130);
    console.assert_restored();
    assert!(
        console.text().contains("pithead resume"),
        "{}",
        console.text()
    );
}

#[test]
fn aborting_ends_the_run_and_the_screen_stays() {
    let mut console = live(36, 120);
    console.press("A");
    console.wait_for("Abort run");
    console.press("y");
    console.wait_for("■ aborted by");
    console.press("q");
    assert_eq!(console.end().exit_code(), 1);
    console.assert_restored();
}

#[test]
fn signals_restore_the_terminal() {
    for name in ["TERM", "INT", "HUP", "QUIT"] {
        let mut console = live(24, 80);
        console.signal(name);
        assert_eq!(console.end().exit_code(), 130, "SIG{name}");
        console.assert_restored();
    }
}

#[test]
fn suspending_gives_the_terminal_to_the_shell_until_the_console_returns() {
    let mut console = live(24, 80);
    console.press(" ");
    console.wait_for("‖ paused");
    console.press("\u{1a}");
    let until = now() + DEADLINE;
    while console.screen.screen().alternate_screen() {
        assert!(now() < until, "the alternate screen stays");
        console.settle(Duration::from_millis(50));
    }
    console.settle(Duration::from_millis(300));
    console.assert_restored();
    console.signal("CONT");
    console.wait_for("‖ paused");
    let screen = console.screen.screen();
    assert!(screen.alternate_screen() && screen.bracketed_paste());
    assert_ne!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    console.press("qy");
    console.end();
    console.assert_restored();
}

#[test]
fn a_terminal_that_goes_away_ends_the_program_and_an_attached_run_can_be_resumed() {
    let folder = folder();
    let args = [
        "run",
        "craft a wooden pickaxe",
        "--pace",
        "x2",
        "--attached",
    ];
    let mut console = Console::start_in(folder.path(), 24, 80, &args);
    console.wait_for("executing");
    let status = console.hang_up();
    assert_eq!(status.exit_code(), 130, "{status:?}");
    let resumed = Command::new(BINARY)
        .args(["resume", "1", "--headless", "--json"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(summary["outcome"], "success", "{resumed:?}");
}
