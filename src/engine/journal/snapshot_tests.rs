//! Snapshots: what is believed, what is not, and what is left of them.

use super::snapshot::snapshots_of;
use super::{Durability, Journal, Snapshot, SnapshotBound, back_up, restore};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::config;
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FOLD: &str = "a fold";

/// A database with a run of eleven events that ends at `at`.
fn stage(at: u64) -> (TempDir, PathBuf, Journal, RunId) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = add_run(&mut journal, at);
    (folder, path, journal, run)
}

fn add_run(journal: &mut Journal, at: u64) -> RunId {
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let refused = Event::CommandRefused {
        command: "x".to_owned(),
        because: "no".to_owned(),
        decision: None,
    };
    let events = vec![refused; 10];
    journal.append(run, Millis(at), events).unwrap();
    run
}

fn snapshot(seq: u64, body: &[u8]) -> Snapshot {
    Snapshot {
        seq: Seq(seq),
        tick: seq * 10,
        body: body.to_vec(),
    }
}

fn last(journal: &Journal, run: RunId, bound: SnapshotBound) -> Option<u64> {
    let found = journal.last_snapshot(run, FOLD, bound).unwrap();
    found.map(|snapshot| snapshot.seq.0)
}

const END: SnapshotBound = SnapshotBound::Event(Seq(11));

fn change(path: &Path, sql: &str) {
    let db = Connection::open(snapshots_of(path)).unwrap();
    db.execute_batch(sql).unwrap();
}

#[test]
fn the_last_snapshot_within_a_bound_is_handed_out() {
    let (_folder, path, journal, run) = stage(2);
    assert_eq!(last(&journal, run, END), None);
    for seq in [3, 7] {
        let kept = journal.keep_snapshot(run, FOLD, &snapshot(seq, b"body"));
        kept.unwrap();
    }
    let read = journal.last_snapshot(run, FOLD, END).unwrap();
    assert_eq!(read, Some(snapshot(7, b"body")));
    for (bound, expected) in [
        (SnapshotBound::Event(Seq(7)), Some(7)),
        (SnapshotBound::Event(Seq(6)), Some(3)),
        (SnapshotBound::Event(Seq(2)), None),
        (SnapshotBound::Tick(70), Some(3)),
        (SnapshotBound::Tick(71), Some(7)),
    ] {
        assert_eq!(last(&journal, run, bound), expected, "{bound:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = std::fs::metadata(snapshots_of(&path)).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_snapshot_of_another_fold_run_or_file_is_not_believed() {
    let (_folder, path, mut journal, run) = stage(2);
    let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, b"body"));
    kept.unwrap();
    let foreign = journal.last_snapshot(run, "another fold", END).unwrap();
    assert_eq!(foreign, None);
    let other = add_run(&mut journal, 3);
    assert_eq!(last(&journal, other, END), None);
    // Bytes that were changed, and rows that were moved to other events or runs.
    for change_it in [
        "UPDATE snapshots SET body = x'00'",
        "UPDATE snapshots SET seq = 8",
        "UPDATE snapshots SET tick = 1",
    ] {
        let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, b"body"));
        kept.unwrap();
        assert_eq!(last(&journal, run, END), Some(7));
        change(&path, change_it);
        assert_eq!(last(&journal, run, END), None, "{change_it}");
        change(&path, "DELETE FROM snapshots");
    }
    // A database of the same name in which a run of that number went differently.
    let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, b"body"));
    kept.unwrap();
    let (_elsewhere, other_path, other, _) = stage(3);
    std::fs::copy(snapshots_of(&path), snapshots_of(&other_path)).unwrap();
    assert_eq!(last(&other, run, END), None);
    // What is no database is left alone, and harms nobody.
    std::fs::write(snapshots_of(&path), b"no database at all").unwrap();
    assert!(journal.last_snapshot(run, FOLD, END).is_err());
    let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, b"body"));
    assert!(kept.is_err());
    let left = std::fs::read(snapshots_of(&path)).unwrap();
    assert_eq!(left, b"no database at all");
}

#[test]
fn snapshots_of_one_run_are_bounded_and_stay_spread() {
    let (_folder, _path, mut journal, run) = stage(2);
    let refused = Event::CommandRefused {
        command: "x".to_owned(),
        because: "no".to_owned(),
        decision: None,
    };
    let events = vec![refused; 200];
    journal.append(run, Millis(3), events).unwrap();
    for seq in (2..200).step_by(2) {
        let kept = journal.keep_snapshot(run, FOLD, &snapshot(seq, b"body"));
        kept.unwrap();
    }
    let at = |seq| last(&journal, run, SnapshotBound::Event(Seq(seq)));
    assert_eq!(at(200), Some(198), "the last one stays");
    let kept: std::collections::BTreeSet<u64> = (2..200).filter_map(at).collect();
    assert!(kept.len() <= 24, "{kept:?}");
    let gap = |seqs: &[&u64]| seqs[1] - seqs[0];
    let kept: Vec<&u64> = kept.iter().collect();
    assert!(kept.windows(2).all(|pair| gap(pair) <= 40), "{kept:?}");
}

/// A deletion that was killed is carried on by whoever opens the database next, and so are its snapshots.
#[test]
fn a_deleted_run_leaves_no_snapshot_and_gets_none() {
    let (_folder, path, mut journal, run) = stage(2);
    let secret = b"what nobody may read any more";
    let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, secret));
    kept.unwrap();
    let holds_it = |path: &Path| {
        let bytes = std::fs::read(snapshots_of(path)).unwrap();
        bytes.windows(secret.len()).any(|window| window == secret)
    };
    assert!(holds_it(&path));
    let (_, locks) = journal.take_off_list(&[run]).unwrap();
    drop((locks, journal));
    let journal = Journal::open(&path, Durability::Normal).unwrap();
    assert!(!holds_it(&path));
    // A console that still has the run in sight.
    let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, secret));
    kept.unwrap();
    assert!(!holds_it(&path));
}

#[test]
fn a_restored_backup_has_the_events_and_no_snapshots() {
    let (folder, path, journal, run) = stage(2);
    let kept = journal.keep_snapshot(run, FOLD, &snapshot(7, b"body"));
    kept.unwrap();
    drop(journal);
    let copy = folder.path().join("copy.db");
    back_up(&path, &copy).unwrap();
    assert!(!snapshots_of(&copy).exists());
    restore(&copy, &path, true).unwrap();
    assert!(!snapshots_of(&path).exists());
}
