//! Deciding: a question is read, its plan is edited and saved, and it does not time out meanwhile.

use crate::console::{BINARY, Console, folder};
use std::process::Command;
use std::time::Duration;

const TASK: &str = "craft a wooden pickaxe";
const ESC: &str = "\u{1b}";
const CTRL_S: &str = "\u{13}";

#[test]
fn a_passing_edit_of_a_plan_is_saved_and_run() {
    let folder = folder();
    let args = ["run", TASK, "--gate", "plan=ask", "--pace", "max"];
    let mut console = Console::start_in(folder.path(), 36, 120, &args);
    console.wait_for("waiting for the operator");
    console.press("i");
    console.wait_for("Decision d1");
    console.press("G");
    console.wait_for("veto with a reason");
    console.press("e");
    // The first step, below the line that says how to write them.
    console.press("\u{1b}[B\u{1b}[F");
    // First an error: the text stays, with the message.
    console.press(" oops");
    console.press(CTRL_S);
    console.wait_for("✗");
    console.wait_for("`oops` is not understood");
    // The cursor is where it was.
    console.press(&"\u{7f}".repeat(5));
    console.press(" roam");
    console.press(CTRL_S);
    console.wait_for("edited");
    console.wait_for("ended in success");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    let show = Command::new(BINARY)
        .args(["show", "1", "--json"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let page = String::from_utf8(show.stdout).unwrap();
    assert!(page.contains("edited"), "{page}");
}

#[test]
fn a_question_on_the_screen_does_not_time_out() {
    let args = ["run", TASK, "--gate", "plan=ask:2:approve", "--pace", "x2"];
    let mut console = Console::start(folder(), 36, 120, &args);
    console.wait_for("waiting for the operator");
    console.press("i");
    console.wait_for("held while");
    // Longer than the time-out.
    console.settle(Duration::from_secs(3));
    assert!(console.text().contains("held while"), "{}", console.text());
    console.press("G");
    console.press("e");
    console.wait_for("Edit plan");
    console.settle(Duration::from_secs(3));
    assert!(console.text().contains("Edit plan"), "{}", console.text());
    console.press(ESC);
    console.wait_for("Decision d1");
    console.press(ESC);
    console.wait_for("executing");
    console.press("qs");
    assert_eq!(console.end().exit_code(), 130);
}
