//! Runs that return to a server which went on without them: forks, and runs whose program was killed.

use super::runs::{begun, json_of, line};
use super::server::TestServer;
use super::{is_ready, pithead};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// The kinds of a run's events, in order.
fn kinds(home: &Path, run: u64) -> Vec<String> {
    let replay = format!("replay {run} --headless");
    let output = pithead(home, &replay).output().unwrap();
    let kind = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(kind).collect()
}

fn place(kinds: &[String], wanted: &str) -> usize {
    let found = kinds.iter().position(|kind| kind == wanted);
    found.unwrap_or_else(|| panic!("no {wanted} in {kinds:?}"))
}

/// How often it happened in the fork itself.
fn kinds_after_fork(home: &Path, run: u64, kind: &str) -> usize {
    let all = kinds(home, run);
    let own = &all[place(&all, "run.forked")..];
    own.iter().filter(|own| *own == kind).count()
}

/// After the point at which the run was left, nothing is begun before the body stands in the world again.
#[track_caller]
fn joins_before_it_acts(kinds: &[String]) {
    let joined = place(kinds, "world.rejoined");
    for begun in ["attempt.started", "action.issued", "mind.asked"] {
        let early = kinds[..joined].iter().any(|kind| kind == begun);
        assert!(!early, "{begun} before the run has joined: {kinds:?}");
    }
    let lost = kinds.iter().filter(|kind| *kind == "world.lost").count();
    assert_eq!(lost, 1, "left once, and not again: {kinds:?}");
}

#[test]
fn a_fork_of_a_run_on_a_server_joins_before_it_acts() {
    if !is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let port = server.port;
    let home = tempfile::tempdir().unwrap();
    let run = line("craft~a~crafting~table", port) + " --json";
    let output = pithead(home.path(), &run).output().unwrap();
    assert_eq!(json_of(&output)["outcome"], "success");
    // Between two attempts, and within one.
    let within = place(&kinds(home.path(), 1), "action.issued") + 1;
    for (number, point) in [(2, "--before a2".to_owned()), (3, format!("--at {within}"))] {
        // A server on which nothing was done yet, so that the fork has something to do.
        server.kill();
        server = TestServer::start_with(&json!({"port": port}));
        let fork = format!("fork 1 {point} --headless --json");
        let output = pithead(home.path(), &fork).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            said.contains("as it is then, which is a new world"),
            "{said}"
        );
        assert_eq!(json_of(&output)["outcome"], "success", "{point}: {said}");
        let kinds = kinds(home.path(), number);
        joins_before_it_acts(&kinds[place(&kinds, "run.forked")..]);
    }
    // On one where the body has what the task asks for, nothing is left to do.
    let output = pithead(home.path(), "fork 1 --before a2 --headless --json")
        .output()
        .unwrap();
    let summary = json_of(&output);
    assert_eq!(summary["outcome"], "success", "{summary}");
    assert_eq!(kinds_after_fork(home.path(), 4, "attempt.started"), 0);
    // One that is only made says so too, and needs no server.
    drop(server);
    let output = pithead(home.path(), "fork 1 --before a2 --only")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("as it is then, which is a new world"),
        "{said}"
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "5");
}

#[test]
fn a_run_whose_program_was_killed_joins_before_it_acts() {
    if !is_ready() {
        return;
    }
    let server = TestServer::start();
    let home = tempfile::tempdir().unwrap();
    let (mut child, _) = begun(home.path(), server.port, "→ sg_1");
    // Within the attempt, which takes seconds.
    std::thread::sleep(Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    let before = kinds(home.path(), 1).len();
    let output = pithead(home.path(), "resume 1 --headless --json")
        .output()
        .unwrap();
    let summary = json_of(&output);
    assert_eq!(summary["outcome"], "success", "{summary}");
    joins_before_it_acts(&kinds(home.path(), 1)[before..]);
}

#[test]
fn what_was_recorded_on_a_server_is_learned_from_without_it() {
    if !is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let home = tempfile::tempdir().unwrap();
    let run = line("craft~a~crafting~table", server.port) + " --json";
    let summary = json_of(&pithead(home.path(), &run).output().unwrap());
    assert_eq!(summary["outcome"], "success", "{summary}");
    server.kill();
    // A guardrail is held against the recorded attempts: it would have blocked the one that mined.
    let guardrail = home.path().join("mine.yaml");
    let body = "kind: guardrail\ntrigger: \"inv diamond < 1\"\nforbid: {kind: mine}\navoid: no\nrecovery: []\nreason: UNKNOWN\n";
    std::fs::write(&guardrail, body).unwrap();
    let backtest = format!("kb backtest --json --body {}", guardrail.display());
    let found = json_of(&pithead(home.path(), &backtest).output().unwrap());
    assert_eq!(found["attempts"], summary["attempts"], "{found}");
    assert_eq!(found["successes"]["blocked"], 1, "{found}");
    // What was learned there is tried in the embedded world, in pairs of runs of a task of its own.
    let entries = json_of(&pithead(home.path(), "kb list --json").output().unwrap());
    let id = entries[0]["id"]
        .as_str()
        .unwrap_or_else(|| panic!("{entries}"));
    let trial = format!("kb trial {id} --seeds 1..1 --jobs 1 --alone --json");
    let page = json_of(&pithead(home.path(), &trial).output().unwrap());
    assert_eq!(page["pairs"].as_array().map(Vec::len), Some(1), "{page}");
}
