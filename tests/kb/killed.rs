//! kill -9 between any two writes: acknowledged changes are kept, and the base is the fold of its log.
//!
//! A child changes the base as fast as it can and says so after each change; it is killed at moments
//! drawn from a seed, and continues from the file. In addition every state that the file can be left in is
//! built from its parts: the log up to each of its frames, the file up to each page of a checkpoint.

use pithead_core::domain::knowledge::{Author, Body, Entry, Imported, Status, TextNote};
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::exchange::{Draft, arrive};
use pithead_engine::journal::{Durability, EntryFilter, Journal, KNOWLEDGE_LOG};
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, Seq};
use pithead_world::rng::Rng;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const ROUNDS: u64 = 25;
const PLACE: &str = "PITHEAD_TEST_KILLED_DB";

fn entry(n: u64, text: &str) -> Entry {
    let draft = Draft {
        body: Body::Note(TextNote {
            name: format!("note {n}"),
            about: String::new(),
            text: text.to_owned(),
            language: None,
        }),
        task: String::new(),
        imported: Imported::default(),
    };
    arrive(
        draft,
        KnowledgeId {
            run: KNOWLEDGE_LOG,
            n,
        },
        Millis(n),
    )
}

/// The nth change: each entry is proposed, approved, edited, retired, then vetoed with the next's
/// proposal in the same transaction.
fn change(n: u64) -> Vec<Event> {
    let id = KnowledgeId {
        run: KNOWLEDGE_LOG,
        n: n / 4 + 1,
    };
    let moved = |id, to| Event::KnowledgeMoved {
        id,
        to,
        reason: format!("change {n}"),
        by: Author::Operator("ann".to_owned()),
        other: None,
    };
    let before = KnowledgeId {
        n: id.n.saturating_sub(1),
        ..id
    };
    match n % 4 {
        0 => vec![
            moved(before, Status::Vetoed),
            Event::KnowledgeProposed {
                entry: Box::new(entry(id.n, "first")),
            },
        ],
        1 => vec![moved(id, Status::Active)],
        2 => vec![Event::KnowledgeEdited {
            id,
            body: entry(id.n, "second").body,
            reason: format!("change {n}"),
            by: None,
        }],
        _ => vec![moved(id, Status::Retired)],
    }
}

/// How many changes are in the log: two events for each fourth, one for the others.
fn done(journal: &Journal) -> u64 {
    let events = journal.events(KNOWLEDGE_LOG, Seq(0), usize::MAX).unwrap();
    let numbers: Vec<u64> = events.iter().map(|fact| fact.seq.0).collect();
    let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, expected, "the log has gaps");
    let (fours, rest) = (numbers.len() as u64 / 5, numbers.len() as u64 % 5);
    assert_ne!(rest, 1, "half of a transaction is there");
    fours * 4 + rest.saturating_sub(1)
}

/// The child process: only the test below starts it, with a database to change.
#[test]
fn child() {
    let Some(place) = std::env::var_os(PLACE) else {
        return;
    };
    let mut journal = Journal::open(Path::new(&place), Durability::Full).unwrap();
    let mut out = std::io::stderr();
    for n in done(&journal).. {
        let written = journal.curate(Millis(n), |_| Ok(change(n))).unwrap();
        assert!(written.is_ok());
        writeln!(out, "ack {n}").unwrap();
    }
}

#[test]
fn a_base_is_intact_after_a_kill_between_any_two_writes() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("kb.db");
    let mut rng = Rng::new(7);
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "kb::killed::child",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(PLACE, &place)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        let mut acknowledged = None;
        // The first kill comes once it works; later ones after a delay of any length.
        for _ in 0..=rng.below(12) {
            line.clear();
            if told.read_line(&mut line).unwrap() == 0 {
                break;
            }
            acknowledged = number(&line).or(acknowledged);
        }
        (0..rng.below(1_000_000)).for_each(|_| std::hint::spin_loop());
        child.kill().unwrap(); // SIGKILL
        for rest in told.lines().map_while(Result::ok) {
            acknowledged = number(&rest).or(acknowledged);
        }
        child.wait().unwrap();
        let there = verified(&place);
        let said = acknowledged.map_or(0, |n| n + 1);
        assert!(
            there == said || there == said + 1,
            "round {round}: {there} changes are there, {said} were acknowledged"
        );
    }
}

fn number(line: &str) -> Option<u64> {
    line.strip_prefix("ack ")?.trim().parse().ok()
}

/// The number of changes, after comparing the rows with the fold of the log.
fn verified(place: &Path) -> u64 {
    let journal = Journal::look(place).unwrap();
    let rows = journal.knowledge(EntryFilter::default()).unwrap();
    let mut again = Journal::in_memory().unwrap();
    for fact in journal.events(KNOWLEDGE_LOG, Seq(0), usize::MAX).unwrap() {
        let event = fact.event;
        let written = again.curate(fact.at, |_| Ok(vec![event.clone()])).unwrap();
        assert!(written.is_ok());
    }
    assert_eq!(rows, again.knowledge(EntryFilter::default()).unwrap());
    done(&journal)
}

/// Changes of which every frame is tried.
const CHANGES: u64 = 8;
const HEADER: usize = 32;
const PAGE: usize = 4_096;
const FRAME: usize = 24 + PAGE;

/// The files of a base as a kill would leave them.
fn left(folder: &Path, name: &str, file: &[u8], log: &[u8]) -> std::path::PathBuf {
    let place = folder.join(name);
    std::fs::write(&place, file).unwrap();
    std::fs::write(folder.join(format!("{name}-wal")), log).unwrap();
    place
}

#[test]
fn a_base_is_intact_after_a_kill_within_any_write() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let place = folder.join("kb.db");
    let mut journal = Journal::open(&place, Durability::Full).unwrap();
    let db = journal.connection();
    db.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    for n in 0..CHANGES {
        let written = journal.curate(Millis(n), |_| Ok(change(n))).unwrap();
        assert!(written.is_ok());
    }
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let (before, log) = (read("kb.db"), read("kb.db-wal"));
    let frames = (log.len() - HEADER) / FRAME;
    assert!(frames as u64 > 3 * CHANGES, "{frames} frames");

    // Between two frames, and in the middle of one.
    let mut seen = 0;
    for at in 0..=frames {
        for within in [0, FRAME / 2] {
            let end = (HEADER + at * FRAME + within).min(log.len());
            let killed = left(folder, "cut.db", &before, &log[..end]);
            let there = settled(&killed);
            assert!(there >= seen, "frame {at}: {there} after {seen}");
            seen = there;
        }
    }
    assert_eq!(seen, CHANGES);

    // While the log is written back: some pages are new, and the log is still there.
    let db = journal.connection();
    db.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(()))
        .unwrap();
    let after = read("kb.db");
    for pages in 0..=after.len() / PAGE {
        let written = (pages * PAGE + PAGE / 3).min(after.len());
        let mut file = after[..written].to_vec();
        file.extend(before.get(written..).unwrap_or_default());
        let killed = left(folder, "back.db", &file, &log);
        assert_eq!(settled(&killed), CHANGES, "{pages} pages written back");
    }
}

/// Opened as the next program would open it, then compared with its log.
fn settled(place: &Path) -> u64 {
    drop(Journal::open(place, Durability::Normal).unwrap());
    let there = verified(place);
    let shared = format!("{}-shm", place.display());
    let _ = std::fs::remove_file(shared); // of the next state there is another
    there
}
