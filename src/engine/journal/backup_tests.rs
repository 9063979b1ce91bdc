//! Tests of backups and of what is lost with a log.

use super::samples::every_kind;
use super::{BackupError, Durability, Journal, back_up, restore, verify};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples::config;
use pithead_world::clock::Millis;
use pithead_world::ids::{RunId, Seq};
use std::path::{Path, PathBuf};

fn stage() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    (folder, path)
}

fn add_run(journal: &mut Journal) -> RunId {
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let mut events = every_kind(run.0).split_off(1);
    events.retain(|event| !matches!(event, Event::RunForked { .. }));
    journal.append(run, Millis(2), events).unwrap();
    run
}

fn runs(path: &Path) -> Vec<u64> {
    let journal = Journal::look(path).unwrap();
    let runs = journal.runs().unwrap();
    runs.iter().map(|row| row.id.0).collect()
}

#[test]
fn a_backup_of_a_database_in_use_holds_what_was_committed() {
    let (folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = add_run(&mut journal);
    let mut lock = journal.lock_driver(run).unwrap();
    lock.note(journal.last_seq(run).unwrap());
    let copy = folder.path().join("copy.db");
    let made = back_up(&path, &copy).unwrap();
    assert_eq!((made.counted.runs, &made.path), (1, &copy));
    let later = add_run(&mut journal);
    assert_eq!(
        (runs(&copy), runs(&path)),
        (vec![run.0], vec![run.0, later.0])
    );
    drop(lock);
    let whole = journal.events(run, Seq(0), usize::MAX).unwrap();
    let read = Journal::open(&copy, Durability::Normal).unwrap();
    assert_eq!(read.losses().unwrap(), [], "a copy has lost nothing");
    assert_eq!(read.events(run, Seq(0), usize::MAX).unwrap(), whole);
    let again = back_up(&path, &copy).unwrap_err();
    assert!(matches!(again, BackupError::Exists { .. }), "{again}");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(left, Vec::<String>::new(), "nothing is left behind");
}

#[test]
fn a_damaged_database_gives_no_backup_and_a_damaged_backup_replaces_nothing() {
    let (folder, path) = stage();
    add_run(&mut Journal::open(&path, Durability::Normal).unwrap());
    let copy = folder.path().join("copy.db");
    back_up(&path, &copy).unwrap();
    for harmed in [&path, &copy] {
        let db = rusqlite::Connection::open(harmed).unwrap();
        db.execute("UPDATE events SET at = 9 WHERE seq = 3", [])
            .unwrap();
    }
    let other = folder.path().join("other.db");
    let refused = back_up(&path, &other).unwrap_err();
    assert!(matches!(refused, BackupError::Damaged { .. }), "{refused}");
    assert!(!other.exists());
    let before = std::fs::read(&path).unwrap();
    let refused = restore(&copy, &path, true).unwrap_err();
    assert!(matches!(refused, BackupError::Damaged { .. }), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn restoring_keeps_what_it_replaces_and_gives_no_number_twice() {
    let (folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    add_run(&mut journal);
    let copy = folder.path().join("copy.db");
    back_up(&path, &copy).unwrap();
    add_run(&mut journal);
    add_run(&mut journal);
    let refused = restore(&copy, &path, false).unwrap_err();
    assert!(matches!(refused, BackupError::InPlace { .. }), "{refused}");
    let refused = restore(&copy, &path, true).unwrap_err();
    assert!(matches!(refused, BackupError::Open { .. }), "{refused}");
    let lock = journal.lock_driver(RunId(3)).unwrap();
    let refused = restore(&copy, &path, true).unwrap_err();
    assert!(
        matches!(refused, BackupError::Driven { run } if run == RunId(3)),
        "{refused}"
    );
    drop((lock, journal));
    let done = restore(&copy, &path, true).unwrap();
    assert_eq!(runs(&path), [1]);
    assert_eq!(runs(&done.replaced.unwrap()), [1, 2, 3]);
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    assert_eq!(add_run(&mut journal), RunId(4));
    assert_eq!(journal.losses().unwrap().len(), 1);
    drop(journal);
    assert_eq!(verify(&path, true, |_| ()).unwrap().faults, []);
}

#[test]
fn a_backup_is_restored_over_a_database_that_cannot_be_read() {
    let (folder, path) = stage();
    add_run(&mut Journal::open(&path, Durability::Normal).unwrap());
    let copy = folder.path().join("copy.db");
    back_up(&path, &copy).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100..8_000].fill(0xA5);
    std::fs::write(&path, bytes).unwrap();
    assert!(Journal::look(&path).is_err());
    restore(&copy, &path, true).unwrap();
    assert_eq!(runs(&path), [1]);
    // And where there is none.
    let elsewhere = folder.path().join("new/folder/pithead.db");
    restore(&copy, &elsewhere, false).unwrap();
    assert_eq!(runs(&elsewhere), [1]);
}

/// The file as a crash leaves it, and with the log taken away.
#[test]
fn a_missing_log_is_noticed_and_no_number_is_given_twice() {
    let (folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = add_run(&mut journal);
    let mut lock = journal.lock_driver(run).unwrap();
    lock.note(journal.last_seq(run).unwrap());
    let lost = add_run(&mut journal);
    let [with, without] = ["with.db", "without.db"].map(|name| folder.path().join(name));
    for copy in [&with, &without] {
        std::fs::copy(&path, copy).unwrap();
        let lock = |path: &Path| super::companion::with_suffix(path, ".run1.lock");
        std::fs::copy(lock(&path), lock(copy)).unwrap();
    }
    let log = |path: &Path| super::companion::with_suffix(path, "-wal");
    std::fs::copy(log(&path), log(&with)).unwrap();
    // The process was killed, and its log was there: nothing is lost.
    let mut killed = Journal::open(&with, Durability::Normal).unwrap();
    assert_eq!(killed.losses().unwrap(), []);
    assert_eq!(add_run(&mut killed), RunId(lost.0 + 1));
    // Nor when the run is deleted before anyone opens the file again.
    killed.delete_runs(&[run]).unwrap();
    drop(killed);
    let without_run = Journal::open(&with, Durability::Normal).unwrap();
    assert_eq!(without_run.losses().unwrap(), []);
    // It was not there.
    let mut poorer = Journal::open(&without, Durability::Normal).unwrap();
    let losses = poorer.losses().unwrap();
    assert_eq!(losses.len(), 1);
    assert!(
        losses[0].because.contains(&format!("run {run}")),
        "{losses:?}"
    );
    assert!(add_run(&mut poorer) > lost);
    drop(poorer);
    let again = Journal::open(&without, Durability::Normal).unwrap();
    assert_eq!(again.losses().unwrap().len(), 1, "said and kept once");
    // A driver that leaves in order leaves no note, and that of a database that is gone is not of the next.
    drop((lock, journal, again));
    assert!(!super::companion::with_suffix(&path, ".run1.lock").exists());
    std::fs::remove_file(&without).unwrap();
    let next = Journal::open(&without, Durability::Normal).unwrap();
    assert_eq!(next.losses().unwrap(), []);
}

#[test]
fn a_note_of_a_stranger_does_not_use_up_the_numbers_of_runs() {
    let (_folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    add_run(&mut journal);
    for (run, note) in [
        (u64::MAX, "1 9"),
        (5_000, "1 9"),
        (2, "1"),
        (3, "a b"),
        (4, ""),
    ] {
        let file = super::companion::with_suffix(&path, &format!(".run{run}.lock"));
        std::fs::write(file, note).unwrap();
    }
    drop(journal);
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    assert_eq!(journal.losses().unwrap(), []);
    assert_eq!(add_run(&mut journal), RunId(2));
}

#[cfg(unix)]
#[test]
fn a_run_has_one_driver_by_whatever_name_its_database_is_opened() {
    let (folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = add_run(&mut journal);
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let _lock = journal.lock_driver(run).unwrap();
    let other = Journal::open(&link, Durability::Normal).unwrap();
    assert!(other.lock_driver(run).is_err());
}

/// A reader that stays in one moment keeps the log; when it is gone the log is short again.
#[test]
fn the_log_is_bounded_when_no_reader_hinders() {
    let (_folder, path) = stage();
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = add_run(&mut journal);
    let log = || {
        let log = super::companion::with_suffix(&path, "-wal");
        std::fs::metadata(log).unwrap().len()
    };
    let write = |journal: &mut Journal, bytes: u64| {
        let end = log() + bytes;
        let seen = Event::CommandRefused {
            command: "x".repeat(1 << 16),
            because: "no".to_owned(),
            decision: None,
        };
        for _ in 0..2_000 {
            journal.append(run, Millis(3), vec![seen.clone()]).unwrap();
            if log() > end || bytes == 0 {
                break;
            }
        }
    };
    journal.log_bound.bytes_max = 4 << 20;
    let kept = "PRAGMA journal_size_limit = 1048576; PRAGMA wal_autocheckpoint = 256;";
    journal.connection().execute_batch(kept).unwrap();
    let reader = Journal::look(&path).unwrap();
    reader
        .connection()
        .execute_batch("BEGIN; SELECT count(*) FROM runs;")
        .unwrap();
    write(&mut journal, 6 << 20);
    assert!(log() > 5 << 20, "{}", log());
    drop(reader);
    write(&mut journal, 1 << 20);
    write(&mut journal, 0);
    assert!(log() <= 2 << 20, "{} bytes", log());
}

/// Opening a FIFO for reading would wait for its writer.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_database_or_a_backup_is_refused_without_waiting() {
    let (folder, path) = stage();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    drop(Journal::open(&path, Durability::Normal).unwrap());
    let refused = [
        Journal::look(&pipe).err().map(|error| error.to_string()),
        Journal::open(&pipe, Durability::Normal)
            .err()
            .map(|error| error.to_string()),
        verify(&pipe, false, |_| ())
            .err()
            .map(|error| error.to_string()),
        back_up(&pipe, &folder.path().join("new"))
            .err()
            .map(|error| error.to_string()),
        restore(&pipe, &path, true)
            .err()
            .map(|error| error.to_string()),
    ];
    for because in refused.map(Option::unwrap) {
        assert!(because.contains("no regular file"), "{because}");
    }
}
