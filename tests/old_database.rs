//! A database written by an older build can be opened, read and continued.
//!
//! tests/data/before-the-crates.db.gz holds two runs and the knowledge from the first, written by the last
//! build before the split into crates. Invariant: stored names and formats stay, so no byte of its events changes.

use pithead_engine::journal::{Durability, Journal};
use pithead_world::ids::{RunId, Seq};
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

const PACKED: &[u8] = include_bytes!("data/before-the-crates.db.gz");

fn unpack(folder: &Path) {
    let mut bytes = Vec::new();
    let mut packed = flate2::read::GzDecoder::new(PACKED);
    packed.read_to_end(&mut bytes).unwrap();
    std::fs::write(folder.join("pithead.db"), bytes).unwrap();
}

fn pithead(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pithead"));
    command
        .args(args)
        .arg("--json")
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder);
    command.output().unwrap()
}

#[track_caller]
fn json(folder: &Path, args: &[&str]) -> Value {
    let output = pithead(folder, args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The rows of the two runs as they are stored in the file.
fn stored_events(folder: &Path) -> Vec<(i64, i64, String, u32, String)> {
    rows(&Journal::look(&folder.join("pithead.db")).unwrap())
}

fn rows(journal: &Journal) -> Vec<(i64, i64, String, u32, String)> {
    let sql = "SELECT id, at, kind, version, body FROM events WHERE run IN (1, 2) ORDER BY id";
    let mut statement = journal.connection().prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let (id, at, kind) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((id, at, kind, row.get(3)?, row.get(4)?))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_database_of_the_build_before_the_crates_is_read_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    unpack(folder);
    let before = stored_events(folder);
    assert_eq!(before.len(), 760 + 158);

    let runs = json(folder, &["runs"]);
    let tasks: Vec<_> = runs
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["task"])
        .collect();
    assert_eq!(tasks, ["craft an iron pickaxe", "craft a wooden pickaxe"]);
    for (run, ticks, attempts, replans) in [("1", 6262, 15, 1), ("2", 676, 11, 2)] {
        let summary = json(folder, &["replay", run]);
        let counts = ["ticks", "attempts", "replans"].map(|name| summary[name].as_u64());
        assert_eq!(counts, [ticks, attempts, replans].map(Some), "run {run}");
        assert_eq!(summary["outcome"], "success");
        assert_eq!(summary["failures_by_reason"]["TOOL_MISSING"], 2);
    }
    let known = json(folder, &["kb", "list"]);
    assert_eq!(known.as_array().unwrap().len(), 10);

    // Today's land is another one: what begins from a recorded moment says so.
    for attempt in ["a1", "a5"] {
        let refused = pithead(folder, &["fork", "1", "--before", attempt]);
        let because = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && because.contains("can be replayed but not resumed"));
    }
    // In a run of its own today's mind goes by what it knew, and what recall brings.
    let run = json(folder, &["run", "craft a wooden pickaxe", "--headless"]);
    assert_eq!(run["outcome"], "success");
    // New decisions are appended to the old events.
    let vetoed = json(folder, &["kb", "veto", "k1.2", "--reason", "not any more"]);
    assert_eq!(vetoed["status"], "vetoed");
    assert!(
        stored_events(folder) == before,
        "an old event was rewritten"
    );
}

/// Kinds, fields, labels and words that are stored: written again by this build, not a byte differs.
#[test]
fn events_of_the_build_before_the_crates_are_written_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    unpack(folder);
    let old = Journal::look(&folder.join("pithead.db")).unwrap();
    let mut new = Journal::open(&folder.join("new.db"), Durability::Normal).unwrap();
    for run in [1, 2] {
        let events = old.events(RunId(run), Seq(0), usize::MAX).unwrap();
        new.adopt(events).unwrap();
    }
    for (before, after) in rows(&old).iter().zip(rows(&new)) {
        assert_eq!(*before, after);
    }
    assert_eq!(rows(&old).len(), rows(&new).len());
}

#[test]
fn an_older_database_is_verified_and_backed_up_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    unpack(folder);
    let before = std::fs::read(folder.join("pithead.db")).unwrap();
    let found = json(folder, &["verify", "--deep"]);
    assert_eq!(found["sound"], true, "{found}");
    assert!(found["counted"]["events_without_digest"].as_u64().unwrap() >= 918);
    let copy = folder.join("copy.db").display().to_string();
    let made = json(folder, &["backup", &copy]);
    assert_eq!(made["counted"]["runs"], 2, "{made}");
    assert_eq!(std::fs::read(folder.join("pithead.db")).unwrap(), before);
    let runs = json(folder, &["runs", "--db", &copy]);
    assert_eq!(runs.as_array().unwrap().len(), 2);
}
