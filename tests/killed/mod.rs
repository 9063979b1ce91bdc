//! Kills at every system call that changes a file: what stays on the disk is whole.

mod campaign;
mod commands;
mod contents;
mod tracer;

use std::path::Path;
use std::process::{Command, Output};
use tracer::{Killed, held, killed_at};

const PITHEAD: &str = env!("CARGO_BIN_EXE_pithead");

/// One entry to import.
const ENTRY: &str = include_str!("entry.yaml");

/// More calls than any of these commands makes.
const CALLS_MAX: usize = 2_000;

fn pithead(args: &[&str]) -> Output {
    Command::new(PITHEAD).args(args).output().unwrap()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// A kill while a database is made leaves none or a whole one, and the next command makes it.
#[test]
fn a_database_is_made_whole_or_not_at_all() {
    let given = tempfile::tempdir().unwrap();
    let file = given.path().join("entry.yaml");
    std::fs::write(&file, ENTRY).unwrap();
    let mut calls = Vec::new();
    for nth in 1..CALLS_MAX {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/a.db");
        let db = path.to_str().unwrap();
        let import = ["kb", "import", file.to_str().unwrap(), "--db", db];
        let call = match killed_at(&mut held(Path::new(PITHEAD), &import), nth) {
            Killed::At(call) => call,
            Killed::Never { .. } => break,
            Killed::NotAllowed => {
                println!("not tested: no process can be traced here");
                return;
            }
        };
        calls.push(call);
        let looked = pithead(&["runs", "--db", db]);
        let said = String::from_utf8_lossy(&looked.stderr);
        let is_whole = looked.status.success() || said.contains("there is no database");
        assert!(is_whole, "killed at change {nth}, {call}: {said}");
        let made = pithead(&import);
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(
            made.status.success(),
            "killed at change {nth}, {call}: {said}"
        );
        let left = names(path.parent().unwrap());
        let is_clean = left.iter().all(|name| !name.contains(".new"));
        assert!(is_clean, "killed at change {nth}, {call}: {left:?}");
    }
    for needed in ["mkdir", "pwrite64", "fsync", "rename"] {
        assert!(calls.contains(&needed), "no kill at {needed}: {calls:?}");
    }
}

/// What a killed command had in the making lies beside its target until somebody writes there again.
#[test]
fn what_killed_commands_had_in_the_making_is_cleared_away_by_the_next_one() {
    let base = tempfile::tempdir().unwrap();
    let at = |folder: &Path, name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (entry, db) = (at(base.path(), "entry.yaml"), at(base.path(), "a.db"));
    std::fs::write(&entry, ENTRY).unwrap();
    assert!(
        pithead(&["kb", "import", &entry, "--db", &db])
            .status
            .success()
    );
    let is_left = |folder: &Path| {
        names(folder)
            .iter()
            .any(|name| name.starts_with(".pithead-"))
    };
    let mut left = [0; 3];
    for nth in 1..CALLS_MAX {
        let mut is_over = true;
        for (n, command) in ["backup", "restore", "export"].iter().enumerate() {
            let place = tempfile::tempdir().unwrap();
            let folder = place.path();
            let copy = at(folder, "a.db");
            std::fs::copy(&db, &copy).unwrap();
            let (new, out) = (at(folder, "b.db"), at(folder, "all.yaml"));
            let args: Vec<&str> = match *command {
                "backup" => vec!["backup", &new, "--db", &copy],
                "restore" => vec!["restore", &db, "--replace", "--db", &copy],
                _ => vec![
                    "kb", "export", "--status", "all", "--out", &out, "--db", &copy,
                ],
            };
            match killed_at(&mut held(Path::new(PITHEAD), &args), nth) {
                Killed::At(_) => is_over = false,
                Killed::Never { .. } => continue,
                Killed::NotAllowed => {
                    println!("not tested: no process can be traced here");
                    return;
                }
            }
            left[n] += u32::from(is_left(folder));
            let next = pithead(&["kb", "approve", "k0.1", "--db", &copy]);
            assert!(next.status.success(), "{command} killed at {nth}: {next:?}");
            let found = names(folder);
            assert!(!is_left(folder), "{command} killed at {nth}: {found:?}");
        }
        if is_over {
            break;
        }
    }
    assert!(
        left.iter().all(|count| *count > 0),
        "nothing was left: {left:?}"
    );
}
