//! From an empty folder to a run and back to it, without command-line arguments.

use crate::console::{Console, folder};
use std::path::Path;

/// The run in the console, started from its home screen.
fn begin(folder: &Path) -> Console {
    let mut console = Console::start_in(folder, 30, 100, &[]);
    console.wait_for("pithead ▸ Home");
    console.wait_for("own words");
    console.press("\r");
    console.wait_for("Start a run");
    console.press("craft an iron pickaxe");
    console.wait_for("iron_pickaxe ×1");
    console.press("\r");
    console.wait_for("executing");
    console
}

#[test]
fn a_run_is_started_left_and_resumed_from_the_home_screen() {
    let folder = folder();
    let mut console = begin(folder.path());
    console.press("qy");
    console.end();
    console.wait_for("run 1 is not over; `pithead resume 1");
    console.assert_restored();
    let mut again = Console::start_in(folder.path(), 30, 100, &[]);
    again.wait_for("‖ continue");
    again.press("j\r");
    again.wait_for("executing");
    // A second one is not driven from here.
    again.press("H");
    again.wait_for("pithead ▸ Home");
    again.press("\u{12}");
    again.wait_for("Start a run");
    again.press("craft a stick\r");
    again.wait_for("run 1 is driven from here");
    again.press("\u{1b}");
    again.signal("TERM");
    again.end();
    again.assert_restored();
}
