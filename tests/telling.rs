//! The inbox and the operator's commands without a console: a run in another process is answered,
//! paused, steered and ended from the command line; a run that no process drives is answered in the database.

use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pithead"));
    command
        .args(args)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn pithead(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

/// What a command prints as JSON; it must have done what it was asked.
#[track_caller]
fn json(folder: &Path, args: &[&str]) -> Value {
    let output = pithead(folder, &[args, &["--json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Refused by the run with 1, or for the words themselves with 2.
#[track_caller]
fn refused(folder: &Path, args: &[&str], exit: i32, words: &str) {
    let output = pithead(folder, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit), "{args:?}: {said}");
    assert!(said.contains(words), "{args:?}: no `{words}` in {said}");
}

/// A run whose plan waits for an answer, in a process of its own.
fn waiting_run(folder: &Path) -> Child {
    let task = "craft a wooden pickaxe";
    let gate = ["--gate", "plan=ask:600:veto", "--pace", "x20"];
    let args = [&["run", task, "--seed", "7", "--headless"], &gate[..]].concat();
    let mut run = command(folder, &args).spawn().unwrap();
    for _ in 0..600 {
        let inbox = pithead(folder, &["inbox", "1", "--json"]);
        if String::from_utf8_lossy(&inbox.stdout).contains("\"question\"") {
            return run;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    run.kill().unwrap();
    panic!(
        "the run has not asked about its plan: {:?}",
        run.wait_with_output()
    );
}

#[test]
fn a_run_in_another_process_is_answered_and_ended() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut run = waiting_run(folder);
    let inbox = json(folder, &["inbox"]);
    let first = &inbox["waiting"][0];
    assert_eq!(first["question"]["id"], 1);
    assert_eq!(first["blocks_run"], true);

    let whole = pithead(folder, &["inbox", "1", "d1"]);
    let whole = String::from_utf8(whole.stdout).unwrap();
    assert!(whole.contains("craft wooden_pickaxe"), "{whole}");
    let text = pithead(folder, &["inbox", "1", "d1", "--text"]).stdout;
    let outline = String::from_utf8_lossy(&text);
    assert!(outline.contains("craft wooden_pickaxe"), "{outline}");

    // A text that is no plan is refused with its place, and the question stays open.
    let broken = folder.join("broken.json");
    std::fs::write(&broken, "{\n  \"subgoals\": 3\n}").unwrap();
    let broken = broken.to_str().unwrap();
    refused(folder, &["tell", "1", "edit", "d1", broken], 2, "line 2");
    refused(folder, &["tell", "1", "edit", "d9", broken], 2, "d9");
    refused(folder, &["tell", "1", "approve", "d9"], 1, "d9");
    refused(folder, &["tell", "1", "veto", "d1"], 1, "needs a reason");
    refused(folder, &["tell", "1", "step"], 1, "only a paused run");

    assert_eq!(json(folder, &["tell", "1", "pause"])["taken"], "driver");
    refused(folder, &["tell", "1", "pause"], 1, "paused already");
    let good = folder.join("plan.txt");
    std::fs::write(&good, &text).unwrap();
    let good = good.to_str().unwrap();
    let told = json(folder, &["tell", "1", "edit", "d1", good]);
    assert_eq!(told["taken"], "driver", "{told}");
    refused(
        folder,
        &["tell", "1", "approve", "d1"],
        1,
        "decided already",
    );
    json(folder, &["tell", "1", "resume"]);

    json(folder, &["tell", "1", "act", "mine", "oak_log", "1"]);
    json(folder, &["tell", "1", "pace", "x2"]);
    json(folder, &["tell", "1", "gate", "replan=ask:60:veto"]);
    json(folder, &["tell", "1", "break", "tick=999999"]);
    refused(folder, &["tell", "1", "pace", "fast"], 2, "realtime");
    json(folder, &["tell", "1", "abort", "seen enough"]);
    assert_eq!(run.wait().unwrap().code(), Some(1));
    refused(folder, &["tell", "1", "resume"], 1, "the run is over");
    refused(folder, &["tell", "7", "pause"], 2, "7");
    let played = pithead(folder, &["replay", "1", "--headless"]).stdout;
    let played = String::from_utf8(played).unwrap();
    for what in [
        "d1 edited by",
        "run.taken_over",
        "pace.set",
        "policy.set",
        "breaks.set",
        "seen enough",
    ] {
        assert!(played.contains(what), "no {what} in {played}");
    }
}

#[test]
fn a_run_that_nobody_drives_is_answered_and_then_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut run = waiting_run(folder);
    run.kill().unwrap();
    run.wait().unwrap();
    let told = json(folder, &["tell", "1", "approve", "d1"]);
    assert_eq!(told["taken"], "left", "{told}");
    assert_eq!(
        json(folder, &["inbox", "1"])["waiting"],
        Value::Array(Vec::new())
    );
    let resumed = pithead(folder, &["resume", "1", "--headless", "--pace", "max"]);
    assert!(resumed.status.success(), "{resumed:?}");
}
