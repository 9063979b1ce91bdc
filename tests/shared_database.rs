//! Many programs at one database: each waits for the others, says so, and loses nothing.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// How long a foreign program keeps the lock.
const FOREIGN: Duration = Duration::from_secs(10);
const RUNS: usize = 8;
const NOTICE: &str = "waiting for another program";

fn start(folder: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args(args)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn finish(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    ended(start(folder, args))
}

fn ended(child: Child) -> (Option<i32>, String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// What the program says first, waited for.
fn first_line(child: &mut Child) -> String {
    let mut said = String::new();
    let stderr = child.stderr.take().unwrap();
    BufReader::new(stderr).read_line(&mut said).unwrap();
    said
}

fn import(folder: &Path) -> [String; 3] {
    let file = folder.join("entry.yaml");
    std::fs::write(&file, include_str!("killed/entry.yaml")).unwrap();
    ["kb", "import", file.to_str().unwrap()].map(str::to_owned)
}

#[test]
fn a_locked_database_is_waited_for_and_the_wait_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let args = import(folder);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(finish(folder, &args).0, Some(0));
    let db = rusqlite::Connection::open(folder.join("pithead.db")).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut waits = start(folder, &["kb", "retire", "k0.1", "--reason", "old"]);
    let said = first_line(&mut waits);
    assert!(said.contains(NOTICE), "{said}");
    db.execute_batch("ROLLBACK").unwrap();
    let (code, told, _) = ended(waits);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("retired"), "{told}");
}

#[test]
fn eight_runs_and_an_import_outlast_a_lock_of_ten_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let args = import(folder);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let run = ["run", "craft a wooden pickaxe", "--headless"];
    assert_eq!(finish(folder, &run).0, Some(0));
    let db = rusqlite::Connection::open(folder.join("pithead.db")).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut children: Vec<Child> = (0..RUNS).map(|_| start(folder, &run)).collect();
    children.push(start(folder, &args));
    thread::sleep(FOREIGN);
    for child in &mut children {
        let said = first_line(child);
        assert!(said.contains(NOTICE), "{said}");
    }
    db.execute_batch("ROLLBACK").unwrap();
    for child in children {
        let (code, told, _) = ended(child);
        assert_eq!(code, Some(0), "{told}");
    }
    let (_, listed, _) = finish(folder, &["runs", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let runs = listed.as_array().unwrap();
    assert_eq!(runs.len(), RUNS + 1);
    assert!(runs.iter().all(|run| run["state"] == "success"), "{listed}");
    let (_, base, _) = finish(folder, &["kb", "list", "--text", "village chests"]);
    assert!(base.contains("village"), "{base}");
}
