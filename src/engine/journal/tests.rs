//! Tests of the journal as a whole: what goes in comes out, and what must not be touched is not.

use super::samples::every_kind;
use super::{Durability, EntryFilter, Journal, JournalError};
use pithead_core::domain::condition::Condition;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::knowledge::{Author, Body, ReferencePlan, Skill, Status};
use pithead_core::domain::run::decision::By;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::samples::{config, entry, frame, seen_skill};
use pithead_world::aids::SenseLevel;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sub/pithead.db");
    Place {
        _folder: folder,
        path,
    }
}

fn open(path: &Path) -> Journal {
    Journal::open(path, Durability::Normal).unwrap()
}

/// A journal file with one run in it.
fn one_run(path: &Path) -> RunId {
    let mut journal = open(path);
    let run = journal.create_run(config(), Millis(1)).unwrap();
    journal
        .append(run, Millis(2), every_kind(run.0).split_off(1))
        .unwrap();
    run
}

#[test]
fn every_kind_of_event_is_read_back_as_it_was_written() {
    let place = place();
    let run = one_run(&place.path);
    let journal = Journal::look(&place.path).unwrap();
    let read = journal.events(run, Seq(0), usize::MAX).unwrap();
    let events: Vec<Event> = read.iter().map(|fact| fact.event.clone()).collect();
    assert_eq!(events[1..], every_kind(run.0)[1..]);
    let Event::RunStarted { config: started } = &events[0] else {
        panic!("{:?}", events[0])
    };
    assert_eq!(started.run, run);
    let numbers: Vec<u64> = read.iter().map(|fact| fact.seq.0).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    assert_eq!(journal.last_seq(run).unwrap(), read.last().unwrap().seq);
}

#[test]
fn pages_of_events_join_without_gap_or_overlap() {
    let place = place();
    let run = one_run(&place.path);
    let journal = Journal::look(&place.path).unwrap();
    let all = journal.events(run, Seq(0), usize::MAX).unwrap();
    let mut paged = Vec::new();
    while let Some(page) =
        Some(journal.events(run, Seq(paged.len() as u64), 7).unwrap()).filter(|p| !p.is_empty())
    {
        paged.extend(page);
    }
    assert_eq!(paged, all);
}

#[test]
fn the_run_row_follows_the_events() {
    let place = place();
    let run = one_run(&place.path);
    let row = open(&place.path).run(run).unwrap();
    assert_eq!((row.ticks, row.attempts, row.failed), (40, 1, 1));
    assert_eq!((row.seed, row.events), (u64::MAX - 3, 77));
    assert_eq!(
        (row.ended, row.outcome, row.alive),
        (Some(Millis(2)), Some(Outcome::Aborted), false)
    );
}

#[test]
fn the_run_row_names_the_senses_and_none_where_they_cannot_be_read() {
    let place = place();
    let mut journal = open(&place.path);
    let mut player = config();
    player.world.aids.senses = SenseLevel::Player;
    let scout = journal.create_run(config(), Millis(1)).unwrap();
    let player = journal.create_run(player, Millis(1)).unwrap();
    let senses = |journal: &Journal, run| journal.run(run).unwrap().senses;
    assert_eq!(senses(&journal, scout), Some(SenseLevel::Scout));
    assert_eq!(senses(&journal, player), Some(SenseLevel::Player));
    drop(journal);
    rusqlite::Connection::open(&place.path)
        .unwrap()
        .execute_batch("UPDATE events SET body = '{' WHERE run = 2")
        .unwrap();
    assert_eq!(senses(&open(&place.path), player), None);
}

#[test]
fn knowledge_rows_follow_the_events() {
    let mut journal = Journal::in_memory().unwrap();
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let id = KnowledgeId { run, n: 1 };
    let stone = entry(run.0, 1, "stone");
    let mut take = |event| journal.append(run, Millis(2), vec![event]).unwrap();
    take(Event::KnowledgeProposed {
        entry: Box::new(stone.clone()),
    });
    take(Event::KnowledgeMerged {
        into: id,
        draft: Box::new(entry(run.0, 9, "stone")),
    });
    take(Event::KnowledgeActivated {
        id,
        by: Some(By::Timeout),
    });
    let active = EntryFilter {
        status: Some(Status::Active),
        kind: Some(EntryKind::Guardrail),
    };
    let found = journal.knowledge(active).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].provenance.experiences.len(), 2);
    assert_eq!(
        journal.entry_saying_the_same(&stone.body).unwrap(),
        Some((id, Status::Active))
    );
    journal
        .append(
            run,
            Millis(3),
            vec![Event::KnowledgeVetoed {
                by: Some(By::Operator("ann".to_owned())),
                id,
                reason: "no".to_owned(),
            }],
        )
        .unwrap();
    assert_eq!(journal.knowledge(active).unwrap(), []);
    let vetoed = journal.knowledge(EntryFilter::default()).unwrap().remove(0);
    let by: Vec<&Author> = vetoed.history.iter().map(|change| &change.by).collect();
    assert_eq!(
        by,
        [
            &Author::Policy("time-out".to_owned()),
            &Author::Operator("ann".to_owned())
        ],
        "an approval and a veto, each with its author"
    );
    assert_eq!(
        journal.entry_saying_the_same(&stone.body).unwrap(),
        Some((id, Status::Vetoed))
    );
    assert_eq!(
        journal
            .entry_saying_the_same(&entry(1, 1, "coal").body)
            .unwrap(),
        None
    );
}

#[test]
fn a_reader_in_memory_sees_what_the_writer_committed() {
    let mut journal = Journal::in_memory().unwrap();
    let reader = journal.reader().unwrap();
    let run = journal.create_run(config(), Millis(1)).unwrap();
    journal
        .append(run, Millis(2), vec![Event::WorldAsked])
        .unwrap();
    assert_eq!(reader.events(run, Seq(1), 10).unwrap().len(), 1);
}

/// Opens the file in both ways, expects both to be refused with these words, and that not a byte
/// of it has changed.
#[track_caller]
fn refused(path: &Path, words: &str) {
    let before = std::fs::read(path).unwrap();
    for error in [
        Journal::open(path, Durability::Full).unwrap_err(),
        Journal::look(path).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(
            text.contains(words) && text.contains("pithead.db"),
            "{text}"
        );
    }
    assert!(
        std::fs::read(path).unwrap() == before,
        "the file was rewritten"
    );
}

#[test]
fn a_newer_file_is_refused_and_left_alone() {
    let place = place();
    one_run(&place.path);
    let db = rusqlite::Connection::open(&place.path).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    refused(&place.path, "written by a newer pithead (format 99");
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let place = place();
    std::fs::create_dir_all(place.path.parent().unwrap()).unwrap();
    std::fs::write(&place.path, "dear diary, ".repeat(500)).unwrap();
    refused(&place.path, "is not a pithead database");
    std::fs::remove_file(&place.path).unwrap();
    rusqlite::Connection::open(&place.path)
        .unwrap()
        .execute_batch("CREATE TABLE recipes(x)")
        .unwrap();
    refused(&place.path, "another program's SQLite file");
}

#[test]
fn damaged_files_are_refused_and_left_alone() {
    let place = place();
    let run = one_run(&place.path);
    let mut journal = open(&place.path);
    for tick in 0..200 {
        journal
            .append(
                run,
                Millis(3),
                vec![Event::FrameSeen {
                    frame: frame(tick, 1),
                }],
            )
            .unwrap();
    }
    drop(journal);
    let whole = std::fs::read(&place.path).unwrap();
    let mut overwritten = whole.clone();
    overwritten[4096..].fill(0xAA);
    std::fs::write(&place.path, overwritten).unwrap();
    refused(&place.path, "is damaged");
    std::fs::write(&place.path, &whole[..whole.len() / 2]).unwrap();
    refused(&place.path, "is damaged");
}

/// Longer than any time-out of the database library that we know.
#[test]
fn a_locked_file_is_waited_for_until_it_is_free() {
    let place = place();
    one_run(&place.path);
    let holder = rusqlite::Connection::open(&place.path).unwrap();
    holder
        .pragma_update(None, "locking_mode", "exclusive")
        .unwrap();
    holder
        .execute_batch("BEGIN EXCLUSIVE; UPDATE runs SET task = task;")
        .unwrap();
    let is_free = Arc::new(AtomicBool::new(false));
    let freed = Arc::clone(&is_free);
    let other = std::thread::spawn(move || {
        std::thread::park_timeout(std::time::Duration::from_secs(3));
        freed.store(true, Ordering::SeqCst);
        drop(holder);
    });
    let mut journal = Journal::open(&place.path, Durability::Full).unwrap();
    assert!(is_free.load(Ordering::SeqCst), "it did not wait");
    other.join().unwrap();
    journal
        .append(RunId(1), Millis(3), vec![Event::WorldAsked])
        .unwrap();
}

/// As a program that was killed in the middle of making the tables leaves it.
#[test]
fn what_a_killed_program_left_half_written_is_rolled_back() {
    let place = place();
    std::fs::create_dir_all(place.path.parent().unwrap()).unwrap();
    let torn = place.path.with_extension("torn");
    let writer = rusqlite::Connection::open(&torn).unwrap();
    writer
        .execute_batch("PRAGMA cache_size = 1; BEGIN; CREATE TABLE t(x);")
        .unwrap();
    for _ in 0..200 {
        writer
            .execute_batch("INSERT INTO t VALUES(randomblob(2000))")
            .unwrap();
    }
    let beside = |path: &Path| PathBuf::from(format!("{}-journal", path.display()));
    std::fs::copy(&torn, &place.path).unwrap();
    std::fs::copy(beside(&torn), beside(&place.path)).unwrap();
    assert!(
        std::fs::metadata(&place.path).unwrap().len() > 0,
        "nothing was torn"
    );
    assert!(matches!(
        Journal::look(&place.path),
        Err(JournalError::Missing { .. })
    ));
    one_run(&place.path);
    assert_eq!(open(&place.path).runs().unwrap().len(), 1);
}

#[test]
fn what_is_written_into_a_file_that_is_gone_is_not_acknowledged() {
    for vanish in [
        |path: &Path| std::fs::remove_file(path).unwrap(),
        |path: &Path| std::fs::remove_dir_all(path.parent().unwrap()).unwrap(),
        |path: &Path| std::fs::rename(path, path.with_extension("moved")).unwrap(),
    ] {
        let place = place();
        let run = one_run(&place.path);
        let mut journal = open(&place.path);
        journal
            .append(run, Millis(3), vec![Event::WorldAsked])
            .unwrap();
        vanish(&place.path);
        let refused = journal.append(run, Millis(4), vec![Event::WorldAsked]);
        assert!(matches!(refused, Err(JournalError::Gone { .. })));
    }
}

#[test]
fn a_missing_file_is_not_made_by_looking() {
    let place = place();
    assert!(matches!(
        Journal::look(&place.path),
        Err(JournalError::Missing { .. })
    ));
    assert!(!place.path.exists());
    // One without tables, as a full disk leaves it, is as good as missing.
    std::fs::create_dir_all(place.path.parent().unwrap()).unwrap();
    std::fs::write(&place.path, "").unwrap();
    assert!(matches!(
        Journal::look(&place.path),
        Err(JournalError::Missing { .. })
    ));
}

#[test]
fn a_full_disk_leaves_the_last_whole_event() {
    let place = place();
    let run = one_run(&place.path);
    let mut journal = open(&place.path);
    let pages: i64 = journal
        .db
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .unwrap();
    journal.limit_pages(u32::try_from(pages + 4).unwrap());
    let mut written = journal.last_seq(run).unwrap();
    let error = loop {
        match journal.append(
            run,
            Millis(3),
            vec![Event::FrameSeen { frame: frame(1, 1) }],
        ) {
            Ok(recorded) => written = recorded[0].seq,
            Err(error) => break error,
        }
    };
    assert!(
        error.is_full() && error.to_string().contains("pithead resume"),
        "{error}"
    );
    drop(journal);
    let mut journal = open(&place.path);
    assert_eq!(
        journal.events(run, Seq(0), usize::MAX).unwrap().len() as u64,
        written.0
    );
    let next = journal
        .append(run, Millis(4), vec![Event::WorldAsked])
        .unwrap();
    assert_eq!(next[0].seq, written.next());
}

#[test]
fn one_driver_per_run() {
    let place = place();
    let run = one_run(&place.path);
    let (one, two) = (open(&place.path), open(&place.path));
    let lock = one.lock_driver(run).unwrap();
    let text = two.lock_driver(run).unwrap_err().to_string();
    assert!(
        text.contains(&format!(
            "run 1 is being driven by process {}",
            std::process::id()
        )),
        "{text}"
    );
    drop(lock);
    two.lock_driver(run).unwrap();
    assert_eq!(
        std::fs::read_dir(place.path.parent().unwrap())
            .unwrap()
            .filter(|f| {
                f.as_ref()
                    .unwrap()
                    .file_name()
                    .to_string_lossy()
                    .ends_with(".lock")
            })
            .count(),
        0,
        "locks leave no litter"
    );
}

#[test]
fn unknown_kinds_and_runs_are_named() {
    let place = place();
    let run = one_run(&place.path);
    let journal = open(&place.path);
    journal
        .db
        .execute(
            "UPDATE events SET kind = 'dream.dreamt', digest = NULL WHERE seq = 3",
            [],
        )
        .unwrap();
    let text = journal.events(run, Seq(0), 10).unwrap_err().to_string();
    assert!(
        text.contains("event 3 of run 1 is of an unknown kind `dream.dreamt`"),
        "{text}"
    );
    journal
        .db
        .execute(
            "UPDATE events SET kind = 'frame.seen', body = '{' WHERE seq = 3",
            [],
        )
        .unwrap();
    let text = journal.events(run, Seq(0), 10).unwrap_err().to_string();
    assert!(
        text.contains("event 3 of run 1 (`frame.seen`) cannot be read"),
        "{text}"
    );
    let text = journal.last_seq(RunId(8)).unwrap_err().to_string();
    assert!(text.contains("there is no run 8"), "{text}");
}

/// A thousand runs that learn the same must not leave a thousand copies of it.
#[test]
fn evidence_alone_makes_no_version() {
    let mut journal = Journal::in_memory().unwrap();
    let run = journal.create_run(config(), Millis(1)).unwrap();
    let seen = seen_skill(
        "furnace",
        "inv cobblestone >= 8",
        &[("craft 1 furnace", "cobblestone 8", "")],
    );
    let effects = seen.flows[0].effects(seen.goal, 1);
    let mut draft = entry(run.0, 1, "stone");
    draft.body = Body::Skill(Skill { effects, ..seen });
    let proposed = Event::KnowledgeProposed {
        entry: Box::new(draft.clone()),
    };
    let again = Event::KnowledgeMerged {
        into: draft.id,
        draft: Box::new(draft.clone()),
    };
    let events = vec![proposed, again.clone(), again];
    journal.append(run, Millis(2), events).unwrap();
    let all = journal.knowledge(EntryFilter::default()).unwrap();
    let known = all.iter().find(|entry| entry.id == draft.id).unwrap();
    let Body::Skill(skill) = &known.body else {
        panic!("{known:?}");
    };
    assert_eq!((skill.flows[0].common().times, known.version), (3, 1));
    assert_eq!(known.history, []);
    let plan = |from_successes| {
        Body::ReferencePlan(ReferencePlan {
            goal: skill.goal,
            steps: skill.steps.clone(),
            count: 1,
            requires: Condition::always(),
            flows: Vec::new(),
            runs: Vec::new(),
            from_successes,
        })
    };
    assert!(plan(5).says_the_same(&plan(6)));
}
