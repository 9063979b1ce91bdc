//! What other programs get: bookmarks and views as JSON, runs as traces and logs, plans as outlines.

use super::{check, pithead};
use serde_json::Value;
use std::path::Path;

fn json(folder: &Path, args: &str) -> Value {
    let output = pithead(folder, args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args}: {error}: {text}"))
}

fn played(folder: &Path) {
    pithead(folder, "run craft~a~crafting~table --seed 3 --headless");
}

#[test]
fn bookmarks_and_views_are_kept_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    check(
        folder,
        "runs bookmarks 1",
        0,
        &["no event of run 1 is marked"],
    );
    check(
        folder,
        "runs bookmarks 1 --set 9 --note odd~here",
        0,
        &["odd here"],
    );
    let marks = json(folder, "runs bookmarks 1 --json");
    assert_eq!(marks["bookmarks"][0]["event"], 9);
    check(folder, "runs bookmarks 1 --set 99999", 2, &["not 99999"]);
    check(
        folder,
        "runs bookmarks 1 --remove 8",
        2,
        &["event 8 of run 1 is not marked"],
    );
    check(
        folder,
        "runs bookmarks 1 --remove 9",
        0,
        &["no event of run 1"],
    );
    let save =
        "config views runs --save stuck --filter label:NAV_STUCK --sort -failed --show run,task";
    check(folder, save, 0, &["Runs", "stuck", "/label:NAV_STUCK"]);
    let views = json(folder, "config views --json");
    assert_eq!(views["views"]["Runs"]["stuck"]["sort"][1], true, "{views}");
    check(folder, "config views inbox", 0, &["no view is saved"]);
    check(folder, "config views rums", 2, &["`rums` is no list"]);
    check(
        folder,
        "config views runs --remove other",
        2,
        &["no view `other`"],
    );
    check(
        folder,
        "config views runs --remove stuck",
        0,
        &["no view is saved"],
    );
}

#[test]
fn a_run_is_exported_as_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let attempts = json(folder, "show 1 --json")["attempts"]
        .as_array()
        .unwrap()
        .len();
    let trace = json(folder, "runs export 1 --as otel --out -");
    let spans = trace["resourceSpans"][0]["scopeSpans"][0]["spans"]
        .as_array()
        .unwrap();
    let of = |name: &str| -> Vec<&Value> {
        let begins = |span: &&Value| span["name"].as_str().unwrap().starts_with(name);
        spans.iter().filter(begins).collect()
    };
    assert_eq!(
        (of("invoke_agent").len(), of("execute_tool").len()),
        (1, attempts)
    );
    let root = of("invoke_agent")[0];
    assert_eq!(root["status"]["code"], 1, "{root}");
    let nanos = |span: &Value, end: &str| span[end].as_str().unwrap().parse::<u128>().unwrap();
    let mut ids = std::collections::BTreeSet::new();
    for span in spans {
        assert_eq!(span["traceId"], root["traceId"]);
        assert!(
            ids.insert(span["spanId"].as_str().unwrap()),
            "an id twice: {span}"
        );
        assert!(nanos(span, "startTimeUnixNano") <= nanos(span, "endTimeUnixNano"));
        assert!(nanos(root, "startTimeUnixNano") <= nanos(span, "startTimeUnixNano"));
        assert!(nanos(span, "endTimeUnixNano") <= nanos(root, "endTimeUnixNano"));
    }
    assert!(!of("chat").is_empty());
    // What was asked and answered stays here.
    assert!(!trace.to_string().contains("subgoal_id"), "{trace}");
    assert_eq!(
        trace,
        json(folder, "runs export 1 --as otel --out -"),
        "the same trace"
    );
}

#[test]
fn a_run_is_exported_as_a_log_of_inspect() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let file = folder.join("log.json").display().to_string();
    check(
        folder,
        &format!("runs export 1 --as inspect --out {file}"),
        0,
        &["log.json"],
    );
    check(
        folder,
        &format!("runs export 1 --as inspect --out {file}"),
        2,
        &["--force"],
    );
    let log: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(
        (&log["version"], &log["status"]),
        (&2.into(), &"success".into())
    );
    let sample = &log["samples"][0];
    assert_eq!(sample["scores"]["task"]["value"], "C");
    let events = sample["events"].as_array().unwrap();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    let attempts = json(folder, "show 1 --json")["attempts"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(
        (count("span_begin"), count("span_end")),
        (attempts, attempts)
    );
    let model = events
        .iter()
        .find(|event| event["event"] == "model")
        .unwrap();
    let asked = model["input"][1]["content"].as_str().unwrap();
    assert!(asked.contains("crafting table"), "{asked}");
    let answer = model["output"]["completion"].as_str().unwrap();
    assert!(answer.contains("subgoals"), "{answer}");
}

#[test]
fn a_plan_is_printed_edited_and_forked_as_an_outline() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let printed = pithead(folder, "show 1 --plan");
    let text = String::from_utf8(printed.stdout).unwrap();
    assert!(text.starts_with("# One step in each line"), "{text}");
    let file = folder.join("plan.txt");
    let line = format!("fork 1 --before a1 --only --plan {}", file.display());
    std::fs::write(&file, text.clone() + "mine irn_ore\n").unwrap();
    check(
        folder,
        &line,
        2,
        &["plan.txt: line ", "did you mean iron_ore"],
    );
    std::fs::write(&file, text + "mine oak_log ×2 77s\n").unwrap();
    check(folder, &line, 0, &["2"]);
    let plan = pithead(folder, "show 2 --plan --json");
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    let steps = plan["subgoals"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["timeout_s"], 77, "{plan}");
    // What the outline does not say was kept.
    assert!(steps[0]["rationale"].is_string(), "{plan}");
    check(
        folder,
        "plan craft~a~stick --outline",
        0,
        &["craft stick", "after"],
    );
    // One run alone stands beside its forks.
    check(
        folder,
        "runs compare 2",
        0,
        &["forked from", "left out", "Steps that"],
    );
    check(folder, "run craft~a~stick --headless", 0, &[]);
    check(folder, "runs compare 3", 2, &["has no forks and is none"]);
}
