//! From an empty folder to a run and back to it, without command-line arguments.

use crate::console::{Console, folder};
use pithead::config;
use pithead_core::domain::plan::task::Task;
use pithead_core::systems;
use pithead_engine::journal::{Durability, Journal};
use pithead_world::clock::Millis;
use std::path::Path;
use std::time::Duration;

/// The run in the console, started from its home screen.
fn begin(folder: &Path) -> Console {
    let mut console = Console::start_in(folder, 30, 100, &["--attached"]);
    console.wait_for("pithead ▸ Home");
    console.wait_for("a first look");
    console.press("jj\r");
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
    let mut again = Console::start_in(folder.path(), 30, 100, &["--attached"]);
    again.wait_for("‖ left");
    again.press("\r");
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

/// A database with a run that was left at once and names a file as its mind.
fn foreign_database(folder: &Path) {
    let task = Task::parse("craft a stick").unwrap();
    let profile = systems::named(systems::DEFAULT).unwrap();
    let config = config::run_config(task, 7, "recorded:/no/such/cassette", profile);
    let mut journal = Journal::open(&folder.join("pithead.db"), Durability::Full).unwrap();
    journal.create_run(config, Millis(1)).unwrap();
}

#[test]
fn the_console_asks_before_a_recorded_run_reads_a_file() {
    let folder = folder();
    foreign_database(folder.path());
    let mut console = Console::start_in(folder.path(), 30, 100, &[]);
    console.wait_for("‖ left");
    console.press("\r");
    console.wait_for("wants to read /no/such/cassette");
    console.settle(Duration::from_millis(400));
    console.press("\u{1b}");
    console.wait_for("run 1 was not resumed");
    console.press("\r");
    console.wait_for("wants to read /no/such/cassette");
    console.settle(Duration::from_millis(400));
    console.press("y");
    console.wait_for("is unavailable");
    console.signal("TERM");
    console.end();
    console.assert_restored();
}

#[test]
fn resume_asks_on_a_terminal_before_a_recorded_run_reads_a_file() {
    let folder = folder();
    foreign_database(folder.path());
    for (answer, result) in [("n\r", "--trust-recorded"), ("y\r", "is unavailable")] {
        let mut console = Console::start_in(folder.path(), 30, 100, &["resume", "1"]);
        console.wait_for("run 1 wants to read /no/such/cassette");
        console.wait_for("[y/N]");
        console.press(answer);
        console.wait_for(result);
        assert_eq!(console.end().exit_code(), 3);
    }
}

/// Each run opens a socket for other terminals, and a thread that listens there; they go with the run.
#[cfg(target_os = "linux")]
#[test]
fn a_console_that_plays_run_after_run_listens_for_the_last_one_only() {
    let folder = folder();
    let mut console = Console::start_in(folder.path(), 30, 100, &["--attached"]);
    console.wait_for("pithead ▸ Home");
    for n in 1..=4 {
        console.press("\u{12}");
        console.wait_for("Start a run");
        console.press("obtain a log\r");
        console.wait_for(&format!("run {n}"));
        console.press("]]]]]]]]");
        console.wait_for("obtain a log done");
        console.press("H");
        console.wait_for("pithead ▸ Home");
    }
    let process = console.child.process_id().unwrap();
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let names = threads.filter_map(|thread| {
        let name = thread.unwrap().path().join("comm");
        std::fs::read_to_string(name).ok()
    });
    let listening = names.filter(|name| name.trim() == "attach").count();
    assert_eq!(listening, 1);
}
