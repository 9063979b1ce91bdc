//! Runs that outlive their consoles: closed terminals, killed consoles, killed drivers, hand-over.

use crate::console::{BINARY, Console, DEADLINE, folder, now};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

fn pithead(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.args(args);
    command.env("PITHEAD_DB", folder.join("pithead.db"));
    command.env("HOME", folder);
    command.output().unwrap()
}

fn told(folder: &Path, args: &[&str]) -> String {
    let output = pithead(folder, args);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A run of a minute, in the console that started it: a busy machine must not see its end before the console does.
fn started(folder: &Path) -> Console {
    let args = ["run", "craft a stone pickaxe", "--pace", "x1"];
    let mut console = Console::start_in(folder, 36, 120, &args);
    console.wait_for("executing");
    console
}

/// The process that drives run 1, as a command that wants to drive it too is told.
fn driver(folder: &Path) -> String {
    let refused = pithead(folder, &["resume", "1", "--headless"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    let (_, rest) = said
        .split_once("by process ")
        .unwrap_or_else(|| panic!("{said}"));
    rest.chars().take_while(char::is_ascii_digit).collect()
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = now() + DEADLINE;
    while !holds() {
        assert!(now() < until, "{what}");
        std::thread::park_timeout(Duration::from_millis(50));
    }
}

#[test]
fn a_run_outlives_the_console_that_started_it() {
    let folder = folder();
    let console = started(folder.path());
    assert_eq!(console.hang_up().exit_code(), 130);
    assert!(told(folder.path(), &["status"]).contains("running"));
    let mut again = Console::start_in(folder.path(), 36, 120, &["watch", "1"]);
    again.wait_for("executing");
    again.press("]]]]]]]]");
    again.wait_for("ended in success");
    // Its process stays for the console that is attached, and so does the way to it.
    let followed = pithead(folder.path(), &["watch", "1", "--headless"]);
    assert_eq!(followed.status.code(), Some(0), "{followed:?}");
    again.press("q");
    assert_eq!(again.end().exit_code(), 0);
    wait_until("its process stays", || {
        !told(folder.path(), &["runs", "--json"]).contains("\"running\"")
    });
    assert_eq!(told(folder.path(), &["status", "--short"]).trim(), "");
}

#[test]
fn leaving_asks_what_becomes_of_the_run() {
    for (key, code, said, state) in [
        ("l", 0, "goes on in its own process", "running"),
        ("s", 130, "`pithead resume 1", "left"),
        ("e", 1, "", "aborted"),
    ] {
        let folder = folder();
        let mut console = started(folder.path());
        console.press("q");
        console.wait_for("leave it running");
        console.press("\u{1b}");
        console.wait_for("Plan ·");
        console.press("q");
        console.wait_for("leave it running");
        console.press(key);
        assert_eq!(console.end().exit_code(), code, "{key}: {}", console.text());
        console.assert_restored();
        assert!(console.text().contains(said), "{key}: {}", console.text());
        wait_until(state, || told(folder.path(), &["runs"]).contains(state));
    }
}

#[test]
fn killed_consoles_and_killed_drivers_lose_nothing() {
    let folder = folder();
    let console = started(folder.path());
    console.signal("KILL");
    let mut watching = Console::start_in(folder.path(), 36, 120, &["watch", "1"]);
    watching.wait_for("executing");
    let killed = Command::new("kill")
        .args(["-KILL", &driver(folder.path())])
        .status();
    assert!(killed.unwrap().success());
    watching.wait_for("no process drives it any more");
    watching.press("q");
    watching.end();
    let resumed = pithead(folder.path(), &["resume", "1", "--headless", "--json"]);
    let summary: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(summary["outcome"], "success", "{resumed:?}");
}

#[test]
fn what_keeps_a_driver_from_starting_is_told_by_the_console() {
    let folder = folder();
    let path = folder.path().join("pithead.db");
    std::fs::write(
        &path,
        "this is no database, and long enough to be looked at",
    )
    .unwrap();
    let mut console = Console::start_in(folder.path(), 24, 100, &["run", "craft a stick"]);
    assert_eq!(console.end().exit_code(), 3);
    assert!(console.text().contains("not a"), "{}", console.text());
    let asked = pithead(folder.path(), &["drive"]);
    let said = String::from_utf8_lossy(&asked.stdout).into_owned();
    assert!(said.contains("this is no order of a run"), "{asked:?}");
    assert_eq!(asked.status.code(), Some(2));
}

#[test]
fn command_is_asked_for_and_handed_over_between_consoles() {
    let folder = folder();
    let mut first = started(folder.path());
    let mut second = Console::start_in(folder.path(), 36, 120, &["watch", "1"]);
    second.wait_for("commands");
    first.wait_for("1 other watches");
    second.press(" ");
    second.wait_for("commands this run; K asks for it");
    second.press("K");
    first.wait_for("asks for command");
    first.press("K");
    second.wait_for("you command this run now");
    second.press(" ");
    first.wait_for("‖ paused");
    // What the body sees reaches a console of another process.
    second.press("w");
    second.wait_for("what the body sees");
    wait_until("no picture came", || {
        second.settle(Duration::from_millis(100));
        !second.text().contains("nothing seen yet")
    });
    second.press("q");
    second.end();
    // The process that drives the run notices a moment later that the seat is free.
    first.wait_for("nobody commands");
    first.press("qe");
    assert_eq!(first.end().exit_code(), 1);
}
