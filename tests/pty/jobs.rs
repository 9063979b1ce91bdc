//! Five jobs in the real program: the keys that docs/CONSOLE.md tells for each lead there, and are as many as it says.

use crate::console::{BINARY, Console, folder};
use std::path::Path;
use std::process::Command;

const TABLE: &str = include_str!("../../docs/CONSOLE.md");

/// The keys of a job, as the table has them.
fn keys_of(job: &str) -> Vec<String> {
    let row = TABLE
        .lines()
        .find(|line| line.starts_with(&format!("| {job}")));
    let row = row.unwrap_or_else(|| panic!("docs/CONSOLE.md has no row for `{job}`"));
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let keys: Vec<String> = cells[2]
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|key| key.replace("enter", "\r"))
        .collect();
    let told = cells[3].split(|c: char| !c.is_ascii_digit()).next();
    assert_eq!(told, Some(keys.len().to_string().as_str()), "{row}");
    keys
}

/// Presses the keys of a job; after each of them these words are on the screen.
fn do_job(console: &mut Console, job: &str, shown: &[&str]) {
    let keys = keys_of(job);
    assert_eq!(keys.len(), shown.len(), "{job}");
    for (key, words) in keys.iter().zip(shown) {
        console.press(key);
        console.wait_for(words);
    }
}

fn pithead(folder: &Path, args: &[&str]) {
    let mut command = Command::new(BINARY);
    command.args(args);
    command.env("PITHEAD_DB", folder.join("pithead.db"));
    command.env("HOME", folder);
    let output = command.output().unwrap();
    // A run that fails ends with 1.
    let is_done = output.status.code().is_some_and(|code| code <= 1);
    assert!(is_done, "{args:?}: {output:?}");
}

#[test]
fn a_plan_is_read_and_approved_with_the_keys_that_are_told() {
    let args = [
        "run",
        "craft a wooden pickaxe",
        "--gate",
        "plan=ask",
        "--pace",
        "max",
    ];
    let mut console = Console::start(folder(), 36, 120, &args);
    console.wait_for("waiting for the operator");
    let shown = ["Decision d1", "veto with a reason", "ended in success"];
    do_job(&mut console, "supervise", &shown);
    console.press("qq");
    console.end();
}

/// A run that fails twice at a step and then spends its budget; what it proposes waits. In a world of words, so that
/// no land decides how it goes.
fn run_that_fails(folder: &Path, gate: &str) {
    let task = ["run", "obtain an iron pickaxe", "--seed", "1"];
    let with = ["--mind", "builtin:novice", "--controller", "oracle"];
    let until = ["--budget", "12", "--headless", "--gate", gate];
    pithead(folder, &[&task[..], &with[..], &until[..]].concat());
}

#[test]
fn an_entry_is_read_with_its_backtest_and_approved_with_the_keys_that_are_told() {
    let folder = folder();
    run_that_fails(folder.path(), "guardrail=ask");
    let mut console = Console::start(folder, 36, 120, &[]);
    console.wait_for("Waits for you");
    let shown = [
        "would have blocked 2 of 2",
        "What it says",
        "veto with a reason",
        "k1.1 approved",
    ];
    do_job(&mut console, "curate", &shown);
    console.press("qq");
    console.end();
}

#[test]
fn the_evidence_of_the_last_failure_is_reached_with_the_keys_that_are_told() {
    let folder = folder();
    run_that_fails(folder.path(), "guardrail=auto");
    let mut console = Console::start(folder, 36, 120, &[]);
    console.wait_for("Failed last");
    let shown = ["recording 1", "◀ the label"];
    do_job(&mut console, "debug", &shown);
    let label = "✗ TOOL_MISSING";
    assert!(console.text().contains(label), "{}", console.text());
    console.press("qq");
    console.end();
}

#[test]
fn a_run_stands_beside_its_forks_with_the_keys_that_are_told() {
    let folder = folder();
    let task = "craft a wooden pickaxe";
    pithead(folder.path(), &["run", task, "--headless"]);
    let fork = ["fork", "1", "--before", "a2", "--headless"];
    pithead(folder.path(), &fork);
    let mut console = Console::start(folder, 36, 120, &[]);
    console.wait_for("Tasks of late");
    do_job(
        &mut console,
        "compare",
        &["forked from", "Steps that are alike"],
    );
    console.press("qq");
    console.end();
}

#[test]
fn the_rates_of_an_evaluation_are_read_with_the_keys_that_are_told() {
    let folder = folder();
    let kept = folder.path().join("kept");
    let args = [
        "eval",
        "--suite",
        "mcu70",
        "--tasks",
        "mcu70/wooden/09",
        "--seeds",
        "1..2",
        "--mind",
        "builtin:expert",
        "--jobs",
        "1",
        "--out",
        kept.to_str().unwrap(),
    ];
    pithead(folder.path(), &args);
    let mut console = Console::start(folder, 36, 120, &[]);
    console.wait_for("Published tasks");
    let shown = ["2 of 2 episodes", "Aids and what is simulated"];
    do_job(&mut console, "evaluate", &shown);
    for told in ["95 %", "Compared with the papers"] {
        assert!(console.text().contains(told), "{}", console.text());
    }
    console.press("qq");
    console.end();
}
