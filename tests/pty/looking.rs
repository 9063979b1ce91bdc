//! Looking: what is drawn, when, and at which size.

use crate::console::{BINARY, Console, folder, live};
use portable_pty::PtySize;
use std::process::Command;
use std::time::Duration;

#[test]
fn a_paused_run_is_not_drawn() {
    let mut console = live(24, 80);
    console.press(" ");
    console.wait_for("‖ paused");
    console.settle(Duration::from_millis(500));
    assert_eq!(
        console.settle(Duration::from_secs(3)),
        0,
        "something was drawn"
    );
    console.press("qy");
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
    console.press("qy");
    assert_eq!(console.end().exit_code(), 130);
}

#[test]
fn a_recorded_run_is_played_forth_and_back() {
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
