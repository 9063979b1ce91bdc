//! `verify`, `backup` and `restore` on a database that real runs have written.

use super::{check, pithead, said};
use std::process::Command;

/// Two runs of which one is forked and one deleted, an entry approved, a label overruled.
fn played() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    for args in [
        "run craft~a~stone~pickaxe --headless --seed 3 --mind builtin:novice",
        "run obtain~a~log --headless --seed 4",
        "fork 1 --before a2 --headless",
        "explain 1 a4 --overrule NAV_STUCK --reason seen",
        "runs delete 2",
    ] {
        let output = pithead(home, args);
        let is_over = matches!(output.status.code(), Some(0 | 1));
        assert!(is_over, "{args}: {}", said(&output));
    }
    folder
}

fn change(folder: &std::path::Path, sql: &str) {
    let db = rusqlite::Connection::open(folder.join("pithead.db")).unwrap();
    assert!(db.execute(sql, []).unwrap() > 0, "{sql}");
}

#[test]
fn what_runs_have_written_is_sound_in_depth() {
    let folder = played();
    let home = folder.path();
    check(home, "verify", 0, &["2 runs", "sound"]);
    check(home, "verify --deep", 0, &["sound"]);
    check(
        home,
        "verify --deep --json",
        0,
        &["\"sound\": true", "\"faults\": []"],
    );
    check(home, "verify --db nowhere.db", 3, &["nowhere.db"]);
}

#[test]
fn damage_is_told_with_its_place_and_the_way_back() {
    let folder = played();
    let home = folder.path();
    check(
        home,
        &format!("backup {}/b.db", home.display()),
        0,
        &["verified", "2 runs"],
    );
    check(
        home,
        &format!("backup {}/b.db", home.display()),
        2,
        &["is there already"],
    );
    change(
        home,
        "UPDATE events SET at = at + 1 WHERE id = (1 << 32) + 9",
    );
    check(
        home,
        "verify",
        1,
        &[
            "run 1, event 9",
            "not those that were written",
            "pithead restore",
        ],
    );
    check(home, "verify --json", 1, &["\"sound\": false"]);
    check(
        home,
        "replay 1 --headless",
        3,
        &["event 9", "pithead verify"],
    );
    check(
        home,
        &format!("restore {}/b.db", home.display()),
        2,
        &["--replace"],
    );
    check(
        home,
        &format!("restore {}/b.db --replace", home.display()),
        0,
        &["2 runs", ".replaced-1"],
    );
    check(home, "verify --deep", 0, &["sound"]);
    check(
        home,
        &format!("verify --db {}/pithead.db.replaced-1", home.display()),
        1,
        &["event 9"],
    );
}

/// A run that is killed leaves a log; without it what is said is that something is lost.
#[test]
fn a_log_that_was_taken_from_a_killed_run_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let mut run = Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args([
            "run",
            "craft a stone pickaxe",
            "--headless",
            "--pace",
            "realtime",
        ])
        .env("PITHEAD_DB", home.join("pithead.db"))
        .env("HOME", home)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let log = home.join("pithead.db-wal");
    while std::fs::metadata(&log).map_or(0, |file| file.len()) < 40_000 {
        assert!(run.try_wait().unwrap().is_none(), "the run ended");
        std::thread::yield_now();
    }
    run.kill().unwrap();
    run.wait().unwrap();
    std::fs::remove_file(&log).unwrap();
    std::fs::remove_file(home.join("pithead.db-shm")).unwrap();
    check(home, "runs", 0, &["write-ahead log was missing", "run 1"]);
    check(
        home,
        "verify",
        0,
        &["lost before", "run 1", "101 are not given"],
    );
    check(
        home,
        "run obtain~a~log --headless",
        0,
        &["log was missing", "102\ntask"],
    );
    let again = said(&pithead(home, "run obtain~a~log --headless"));
    assert!(!again.contains("log was missing"), "said again: {again}");
    check(home, "verify", 0, &["lost before", "not given again"]);
}
