//! Several runs: the lists, going from screen to screen, and a second terminal on a run of another
//! process.

use crate::console::{BINARY, Console, DEADLINE, folder, now};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn pithead(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(args);
    command.env("PITHEAD_DB", folder.join("pithead.db"));
    command.env("HOME", folder);
    command
}

fn headless(folder: &Path, pace: &str, gate: &str) -> Child {
    let args = [
        "run",
        "craft a wooden pickaxe",
        "--headless",
        "--json",
        "--pace",
        pace,
        "--gate",
        gate,
    ];
    let mut command = pithead(folder, &args);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// The run as lines, one per event, without wall times.
fn journal(folder: &Path) -> String {
    let told = pithead(folder, &["replay", "1", "--headless"])
        .output()
        .unwrap();
    assert!(told.status.success(), "{told:?}");
    let told = String::from_utf8(told.stdout).unwrap();
    told.lines().map(without_wall_time).collect()
}

/// How long the mind took depends on the machine and differs from run to run.
fn without_wall_time(line: &str) -> String {
    let timed = line.contains("mind.answered") && line.ends_with(" ms");
    let end = line.rfind(" in ").filter(|_| timed);
    format!("{}\n", &line[..end.unwrap_or(line.len())])
}

/// Until the run is in the database.
fn wait_for_run(folder: &Path) {
    let until = now() + DEADLINE;
    loop {
        let listed = pithead(folder, &["runs", "--json"]).output().unwrap();
        if String::from_utf8_lossy(&listed.stdout).contains("\"running\"") {
            return;
        }
        assert!(now() < until, "the run never began");
    }
}

#[test]
fn a_console_that_dies_leaves_no_trace_in_the_run() {
    let (alone, watched) = (folder(), folder());
    headless(alone.path(), "x40", "plan=auto").wait().unwrap();
    let mut run = headless(watched.path(), "x40", "plan=auto");
    wait_for_run(watched.path());
    let mut console = Console::start_in(watched.path(), 30, 110, &["watch", "1"]);
    console.wait_for("Plan ·");
    console.signal("KILL");
    assert!(run.wait().unwrap().success());
    assert_eq!(journal(watched.path()), journal(alone.path()));
}

#[test]
fn a_second_terminal_decides_in_a_run_without_a_console() {
    let folder = folder();
    // It would be vetoed in the end; the test does not wait that long.
    let mut run = headless(folder.path(), "x40", "plan=ask:600:veto");
    wait_for_run(folder.path());
    let mut console = Console::start_in(folder.path(), 40, 120, &["watch", "1"]);
    console.wait_for("waiting for the operator");
    console.press("iG");
    console.wait_for("a approve");
    console.press("a");
    console.wait_for("executing");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    console.assert_restored();
    assert!(run.wait().unwrap().success());
    let told = journal(folder.path());
    assert!(told.contains("decision.made"), "{told}");
}

#[test]
fn the_lists_lead_to_a_run_and_back() {
    let folder = folder();
    headless(folder.path(), "max", "plan=auto").wait().unwrap();
    let mut console = Console::start(folder, 30, 120, &[]);
    console.wait_for("pithead ▸ Home");
    console.press("5");
    console.wait_for("craft a wooden pickaxe");
    console.press("/nothing");
    console.wait_for("no row fits the filter");
    console.press("\u{1b}");
    console.wait_for("✔ success");
    console.press("\r");
    console.wait_for("recording 1");
    console.press(":knowl\r");
    console.wait_for("pithead ▸ Knowledge");
    console.press("<<");
    console.wait_for("pithead ▸ Runs");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    console.assert_restored();
}

#[test]
fn a_run_that_nobody_drives_cannot_be_watched() {
    let folder = folder();
    headless(folder.path(), "max", "plan=auto").wait().unwrap();
    let refused = pithead(folder.path(), &["watch", "1", "--headless"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("`pithead replay 1` replays it"), "{said}");
}

#[test]
fn a_watcher_sets_a_breakpoint_that_stops_the_run_in_the_other_process() {
    let folder = folder();
    let mut run = headless(folder.path(), "x20", "plan=ask:600:approve");
    wait_for_run(folder.path());
    let mut console = Console::start_in(folder.path(), 40, 120, &["watch", "1"]);
    console.wait_for("waiting for the operator");
    console.press(":break phase execute\r");
    console.press("B");
    console.wait_for("phase execute");
    console.press("\u{1b}");
    console.press("iG");
    console.wait_for("a approve");
    console.press("a");
    // A run without a console is left where a breakpoint is met.
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let told = journal(folder.path());
    assert!(told.contains("break.hit"), "{told}");
    console.press("q");
    console.end();
}

#[test]
fn a_question_of_another_process_is_answered_from_the_inbox() {
    let folder = folder();
    let mut run = headless(folder.path(), "x40", "plan=ask:600:veto");
    wait_for_run(folder.path());
    let mut console = Console::start_in(folder.path(), 40, 120, &[]);
    console.wait_for("pithead ▸ Home");
    console.press("2");
    console.wait_for("vetoes in");
    console.wait_for("◆ run 1");
    console.press("\r");
    console.wait_for("What changes");
    console.settle(std::time::Duration::from_millis(500));
    console.press("G");
    console.wait_for("a approve");
    console.press("a");
    console.wait_for("pithead ▸ Inbox");
    console.wait_for("nothing waits for you");
    console.press("d");
    console.wait_for("approved");
    console.press("z");
    console.wait_for("the plan came into force at once");
    console.press("q");
    console.end();
    assert!(run.wait().unwrap().success());
}

#[test]
fn a_wait_for_the_database_is_shown_while_it_lasts_and_the_console_stays_alive() {
    let folder = folder();
    let args = ["run", "craft a wooden pickaxe", "--pace", "x2"];
    let mut console = Console::start_in(folder.path(), 36, 120, &args);
    console.wait_for("executing");
    let db = rusqlite::Connection::open(folder.path().join("pithead.db")).unwrap();
    db.busy_timeout(Duration::from_secs(20)).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    console.wait_for("waiting for another program");
    console.press("?");
    console.wait_for("pause or resume the run");
    console.press("\u{1b}");
    console.wait_for("Plan ·");
    db.execute_batch("ROLLBACK").unwrap();
    let until = now() + DEADLINE;
    while console.text().contains("waiting for another program") {
        assert!(now() < until, "{}", console.text());
        console.settle(Duration::from_millis(50));
    }
    console.press("qy");
    console.end();
    console.assert_restored();
}
