//! What these tests share: a folder with a base in it, and the real binary.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// `~` is a space within an argument.
pub(crate) fn pithead(folder: &Path, args: &str) -> Output {
    let args = args.split_whitespace().map(|arg| arg.replace('~', " "));
    Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args(args)
        .current_dir(folder)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder)
        .env("USER", "ann")
        .output()
        .unwrap()
}

pub(crate) fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

#[track_caller]
pub(crate) fn check(folder: &Path, args: &str, exit: i32, words: &[&str]) -> String {
    let output = pithead(folder, args);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(exit), "{args}: {text}");
    for word in words {
        assert!(text.contains(word), "{args}: no `{word}` in: {text}");
    }
    text
}

#[track_caller]
pub(crate) fn json(folder: &Path, args: &str) -> Value {
    let output = pithead(folder, &format!("{args} --json"));
    let read = serde_json::from_slice(&output.stdout);
    read.unwrap_or_else(|error| panic!("{args}: {error}: {}", said(&output)))
}

/// The status and whether anything changed.
#[track_caller]
pub(crate) fn answered(folder: &Path, args: &str, status: &str, changed: bool) {
    let answer = json(folder, args);
    assert_eq!(
        (&answer["status"], &answer["changed"]),
        (&status.into(), &changed.into()),
        "{args}: {answer}"
    );
}

const GUARDRAIL: &str = "
    kind: guardrail
    trigger: \"inv stick < COUNT\"
    forbid: {kind: craft, target: TARGET}
    avoid: it fails for want of sticks
    recovery: [{have: {item: stick, count: COUNT}}]
    reason: TOOL_MISSING";
const SKILL: &str = "
    kind: skill
    goal: stick
    count: 4
    requires: \"inv #planks >= 2\"
    steps:
    - {subgoal_id: sg_001, condition: craft sticks, task_kind: craft, executor_hint: craft, timeout_s: 60,
       checks: [{check: inv_ge, item: stick, count: 4}], goal: {object: stick, count: 4}}
    success: [{check: inv_ge, item: stick, count: 4}]
    effects: {stick: 4}";

/// A file of ours with two guardrails and a skill.
pub(crate) fn file() -> String {
    let rail =
        |target: &str, count: &str| GUARDRAIL.replace("TARGET", target).replace("COUNT", count);
    let bodies = [
        rail("stone_pickaxe", "2"),
        rail("torch", "1"),
        SKILL.to_owned(),
    ];
    let mut text = "pithead_knowledge: 1\nentries:\n".to_owned();
    for (n, body) in (1..).zip(bodies) {
        text += &format!(
            "- id: k7.{n}\n  version: 1\n  status: active\n  author: {{mind: \"builtin:competent\"}}\n  \
             title: entry {n}\n  provenance: {{run: 7, task: craft a stone pickaxe, experiences: [e7.1]}}\n  \
             confidence: 0.9\n  created: 5\n  body:{body}\n"
        );
    }
    text
}

/// A folder with a base that holds the file's entries, as k0.1 to k0.3, all waiting.
pub(crate) fn base() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kb.yaml"), file()).unwrap();
    check(
        folder.path(),
        "kb import kb.yaml",
        0,
        &["3 entries from pithead", "k0.1"],
    );
    folder
}
