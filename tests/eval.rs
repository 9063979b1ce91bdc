//! Evaluations through the real binary: killed, resumed, with the same results.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

fn eval(home: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pithead"));
    command
        .args([
            "eval",
            "--suite",
            "mcu70",
            "--tasks",
            "mcu70/wooden/0[1246789]",
        ])
        .args([
            "--seeds",
            "1..2",
            "--mind",
            "builtin:expert",
            "--jobs",
            "2",
            "--out",
        ])
        .arg(out)
        .args(more)
        .env("HOME", home);
    command
}

/// The evaluation that `pithead evals` lists first.
fn listed(home: &Path) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pithead"));
    let done = command
        .args(["evals", "--json"])
        .env("HOME", home)
        .output()
        .unwrap();
    let all: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    all[0].clone()
}

/// The episodes written down, as (task, seed).
fn episodes(out: &Path) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(out.join("episodes.jsonl")).unwrap();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().skip(1);
    lines
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            (
                line["task"].as_str().unwrap().to_owned(),
                line["seed"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn a_killed_evaluation_resumes_and_repeats_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (cut, whole) = (home.path().join("cut"), home.path().join("whole"));
    let mut child = eval(home.path(), &cut, &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (0..3).for_each(|_| drop(lines.next().unwrap().unwrap()));
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
    let before = episodes(&cut);
    assert!((3..14).contains(&before.len()), "{before:?}");
    let stopped = listed(home.path());
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert_eq!(
        (&stopped["done"], &stopped["total"]),
        (&before.len().into(), &14.into())
    );
    let command = stopped["command"].as_str().unwrap();
    assert!(command.contains("pithead eval --suite mcu70"), "{command}");

    let rest = eval(home.path(), &cut, &[]).output().unwrap();
    assert_eq!(rest.status.code(), Some(0), "{rest:?}");
    let said = String::from_utf8(rest.stdout).unwrap();
    assert!(said.contains("episodes are already finished"), "{said}");
    assert_eq!(listed(home.path())["state"], "finished");
    let after = episodes(&cut);
    assert_eq!(after[..before.len()], before);
    let distinct: BTreeSet<&(String, u64)> = after.iter().collect();
    assert_eq!((after.len(), distinct.len()), (14, 14));

    let json = eval(home.path(), &whole, &["--json"]).output().unwrap();
    assert_eq!(json.status.code(), Some(0));
    let results = |out: &Path| std::fs::read(out.join("results.json")).unwrap();
    assert!(results(&cut) == results(&whole), "the results differ");
    let printed: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(printed["overall"]["episodes"], 14);
    assert_eq!(printed["complete"], true);
    let markdown = std::fs::read_to_string(cut.join("results.md")).unwrap();
    assert!(markdown.contains("(simulated planner)"));
}

#[test]
fn frames_are_saved_at_the_end_of_each_attempt() {
    let home = tempfile::tempdir().unwrap();
    let frames = home.path().join("frames");
    let done = Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args([
            "run",
            "get 1 log",
            "--headless",
            "--mind",
            "builtin:expert",
            "--frames",
        ])
        .arg(&frames)
        .env("PITHEAD_DB", home.path().join("pithead.db"))
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let png = std::fs::read(frames.join("action-001.png")).unwrap();
    let reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .unwrap();
    assert_eq!((reader.info().width, reader.info().height), (128, 128));
}

#[test]
fn arms_are_kept_in_folders_of_their_own_and_continued_to_the_same_comparison() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("arms");
    let arms = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pithead"));
        let fixed = ["eval", "--suite", "mcu70", "--tasks", "mcu70/wooden/09"];
        let done = command
            .args(fixed)
            .args(["--seeds", "1..2", "--mind", "builtin:novice", "--out"])
            .arg(&out)
            .args(more)
            .env("HOME", home.path())
            .output()
            .unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap())
    };
    let systems = ["--systems", "steve-evolving,no-recall", "--frozen"];
    let (code, json) = arms(&[&systems[..], &["--kb", "none", "--json"]].concat());
    assert_eq!(code, Some(0), "{json}");
    let printed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&printed["schema"], &printed["complete"]),
        (&1.into(), &true.into())
    );
    let difference = &printed["differences"][0];
    assert_eq!(
        (
            &difference["arm"],
            &difference["than"],
            &difference["pairs"]
        ),
        (&"no-recall".into(), &"steve-evolving".into(), &2.into())
    );
    let kept = std::fs::read_to_string(out.join("comparison.json")).unwrap();
    assert_eq!(kept.trim(), json.trim());
    assert_eq!(episodes(&out.join("no-recall")).len(), 2);
    // A third arm is added; the others are continued, and nothing is played again.
    let systems = [
        "--systems",
        "steve-evolving,no-recall,no-skills",
        "--frozen",
    ];
    let (code, text) = arms(&systems);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(
        text.matches("2 of 2 episodes are already finished").count(),
        2,
        "{text}"
    );
    assert!(text.contains("each arm minus steve-evolving"), "{text}");
    let (code, _) = arms(&["--systems", "steve-evolving,no-recall"]);
    assert_eq!(
        code,
        Some(2),
        "a folder of frozen episodes is not continued without --frozen"
    );
}
