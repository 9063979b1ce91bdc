//! kill -9 while runs are deleted: the database opens, and holds either all of the runs or none of them.
//!
//! Every state that the file can be left in is made from its parts, as in `killed`; and the real program
//! is killed at moments drawn from a seed.

use crate::kb::stage::check;
use pithead_engine::journal::{Durability, Journal};
use pithead_world::ids::{RunId, Seq};
use pithead_world::rng::Rng;
use std::path::Path;
use std::process::{Command, Stdio};

const GONE: [RunId; 2] = [RunId(1), RunId(2)];
const KEPT: RunId = RunId(3);
const HEADER: usize = 32;
const PAGE: usize = 4_096;
const FRAME: usize = 24 + PAGE;
const ROUNDS: u64 = 12;

/// Three runs, all in the file and nothing in its log.
fn filled(folder: &Path) -> std::path::PathBuf {
    for seed in 1..=3 {
        let line = format!("run get~1~oak_log --headless --seed {seed} --budget 900");
        let output = crate::kb::stage::pithead(folder, &line);
        assert!(output.status.code().is_some_and(|code| code <= 1));
    }
    let place = folder.join("pithead.db");
    let journal = Journal::open(&place, Durability::Full).unwrap();
    journal
        .connection()
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    place
}

/// What can be seen of the runs: events of each, experiences, entries.
#[derive(Debug, PartialEq)]
struct Seen {
    runs: Vec<RunId>,
    events: Vec<usize>,
    experiences: u64,
    entries: usize,
    is_sound: bool,
}

fn seen(place: &Path) -> Seen {
    // As the next program would open it.
    drop(Journal::open(place, Durability::Normal).unwrap());
    let journal = Journal::look(place).unwrap();
    let runs: Vec<RunId> = journal.runs().unwrap().iter().map(|row| row.id).collect();
    let of = |run: &RunId| {
        journal
            .events(*run, Seq(0), usize::MAX)
            .map_or(0, |e| e.len())
    };
    let number = |sql: &str| journal.connection().query_row(sql, [], |row| row.get(0));
    let sound: String = journal
        .connection()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    Seen {
        events: [GONE[0], GONE[1], KEPT].iter().map(of).collect(),
        runs,
        experiences: number("SELECT count(*) FROM experience").unwrap(),
        entries: journal
            .knowledge(pithead_engine::journal::EntryFilter::default())
            .unwrap()
            .len(),
        is_sound: sound == "ok",
    }
}

fn copy(folder: &Path, name: &str, file: &[u8], log: &[u8]) -> std::path::PathBuf {
    let place = folder.join(name);
    std::fs::write(&place, file).unwrap();
    std::fs::write(folder.join(format!("{name}-wal")), log).unwrap();
    let _ = std::fs::remove_file(folder.join(format!("{name}-shm"))); // another state, another one
    place
}

#[test]
fn a_deletion_killed_at_any_write_leaves_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let place = filled(folder);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let before = read("pithead.db");
    let whole = seen(&copy(folder, "whole.db", &before, &[]));
    assert_eq!(whole.runs.len(), 3);

    let mut journal = Journal::open(&place, Durability::Full).unwrap();
    let db = journal.connection();
    db.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    journal.delete_runs(&GONE).unwrap();
    let log = read("pithead.db-wal");
    let deleted = seen(&copy(folder, "done.db", &before, &log));
    assert_eq!(deleted.runs, [KEPT]);
    assert_eq!(
        deleted.experiences, whole.experiences,
        "what was taught stays"
    );
    assert_eq!(deleted.events[2], whole.events[2]);
    assert!(deleted.events[0] < whole.events[0]);

    // Between two frames of the log, and in the middle of one.
    let frames = (log.len() - HEADER) / FRAME;
    let (mut is_gone, mut changes) = (false, 0);
    for at in 0..=frames {
        for within in [0, FRAME / 2] {
            let end = (HEADER + at * FRAME + within).min(log.len());
            let left = seen(&copy(folder, "cut.db", &before, &log[..end]));
            let now = left == deleted;
            assert!(now || left == whole, "frame {at}: {left:?}");
            assert!(now || !is_gone, "frame {at}: the runs are there again");
            changes += usize::from(now != is_gone);
            is_gone = now;
        }
    }
    assert!(
        is_gone && changes == 1,
        "{changes} changes in {frames} frames"
    );

    // While the log is written back.
    let db = journal.connection();
    db.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(()))
        .unwrap();
    let after = read("pithead.db");
    for pages in (0..=after.len() / PAGE).step_by(3) {
        let written = (pages * PAGE + PAGE / 3).min(after.len());
        let mut file = after[..written].to_vec();
        file.extend(before.get(written..).unwrap_or_default());
        let left = seen(&copy(folder, "back.db", &file, &log));
        assert_eq!(left, deleted, "{pages} pages written back");
    }
}

#[test]
fn a_killed_deletion_has_deleted_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let before = std::fs::read(filled(folder)).unwrap();
    let whole = seen(&copy(folder, "whole.db", &before, &[]));
    let mut rng = Rng::new(11);
    let mut states = Vec::new();
    for round in 0..ROUNDS {
        let place = copy(folder, "killed.db", &before, &[]);
        let mut child = Command::new(env!("CARGO_BIN_EXE_pithead"))
            .args(["runs", "delete", "1", "2", "--db"])
            .arg(&place)
            .env("HOME", folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // The first rounds are killed at once, the last ones when it is done.
        let patience = rng.below(1 << (12 + round.min(11)));
        (0..patience).for_each(|_| std::hint::spin_loop());
        if round + 2 < ROUNDS {
            child.kill().unwrap(); // SIGKILL
        }
        child.wait().unwrap();
        let left = seen(&place);
        assert!(left.is_sound, "round {round}");
        if left.runs.len() == 3 {
            assert_eq!(left, whole, "round {round}");
        } else {
            assert_eq!(left.runs, [KEPT], "round {round}");
            assert_eq!(left.experiences, whole.experiences, "round {round}");
        }
        states.push(left.runs.len());
        // What was not deleted can be deleted now.
        if states.last() == Some(&3) {
            let line = format!("runs delete 1 2 --db {}", place.display());
            check(folder, &line, 0, &["run 1", "run 2"]);
            assert_eq!(seen(&place).runs, [KEPT], "round {round}");
        }
    }
    assert!(states.contains(&1), "{states:?}");
}
