//! Tests of recall over a journal: three tiers, crashes between any two writes, embedders kept apart.

use crate::journal::{Durability, Journal};
use crate::memory::{
    EmbedError, Embedder, ExperienceStore, Hashed, MemoryError, Recollection, reindex, stats,
    summary,
};
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::recall::{RecallQuery, h_cond};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::samples;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId, RunId};
use pithead_world::space::Pos;
use std::path::Path;

const TARGETS: [&str; 4] = ["oak_log", "coal", "iron_ore", "coal"];

fn ended(run: RunId, n: u64) -> Event {
    let target = TARGETS[(n as usize - 1) % TARGETS.len()];
    Event::AttemptEnded {
        attempt: AttemptId(n),
        experience: Box::new(samples::experience(run.0, n, target, n != 2)),
    }
}

/// A run with so many attempts.
fn play(journal: &mut Journal, attempts: u64) -> RunId {
    let run = journal.create_run(samples::config(), Millis(1)).unwrap();
    for n in 1..=attempts {
        journal.append(run, Millis(2), vec![ended(run, n)]).unwrap();
    }
    run
}

fn end(journal: &mut Journal, run: RunId) {
    let over = Event::RunEnded {
        outcome: Outcome::Success,
        because: "done".to_owned(),
    };
    journal.append(run, Millis(3), vec![over]).unwrap();
}

fn open(journal: &Journal) -> ExperienceStore {
    ExperienceStore::open(journal.connection(), journal.file(), Box::new(Hashed)).unwrap()
}

fn query(text: &str, limit: usize) -> RecallQuery {
    RecallQuery {
        text: text.to_owned(),
        condition: None,
        cells: None,
        seed: None,
        limit,
    }
}

fn ask(journal: &Journal, query: &RecallQuery) -> Recollection {
    let db = journal.connection();
    open(journal).recall(db, query).unwrap()
}

/// Number, equal condition, δ, success.
fn told(found: &Recollection) -> Vec<(u64, bool, f64, bool)> {
    let scores: Vec<f64> = found.hits.iter().map(|hit| hit.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let hits = found.hits.iter();
    hits.map(|hit| (hit.id.n, hit.exact, hit.delta, hit.success))
        .collect()
}

#[test]
fn the_like_comes_first_and_the_newer_of_equals() {
    let mut journal = Journal::in_memory().unwrap();
    play(&mut journal, 4);
    let mut query = query("get a coal", 2);
    assert_eq!(
        told(&ask(&journal, &query)),
        [(4, false, 0.0, true), (2, false, 0.0, false)]
    );
    query.text = "what is wanted".to_owned();
    query.condition = Some(h_cond(&samples::subgoal(9, "iron_ore").checks));
    query.limit = 1;
    assert_eq!(told(&ask(&journal, &query)), [(3, true, 0.75, true)]);
    query.cells = Some(Cells::containing(
        samples::config().world.seed,
        Pos::default(),
    ));
    assert_eq!(told(&ask(&journal, &query)), [(3, true, 1.0, true)]);
    query.cells = Some(Cells::containing(1, Pos::default()));
    assert_eq!(told(&ask(&journal, &query)), [(3, true, 0.75, true)]);
}

#[test]
fn what_is_written_later_is_taken_in() {
    let mut journal = Journal::in_memory().unwrap();
    let mut memory = open(&journal);
    let look = |memory: &mut ExperienceStore, journal: &Journal| {
        memory.take_in(journal.connection()).unwrap();
        let found = memory.recall(journal.connection(), &query("coal", 9));
        found.unwrap().hits.len()
    };
    assert_eq!(look(&mut memory, &journal), 0);
    play(&mut journal, 3);
    assert_eq!(look(&mut memory, &journal), 3);
    play(&mut journal, 2);
    assert_eq!(look(&mut memory, &journal), 5);
}

#[test]
fn summaries_cite_their_members_and_are_summarised_again() {
    let mut journal = Journal::in_memory().unwrap();
    for _ in 0..30 {
        let run = play(&mut journal, 33);
        end(&mut journal, run);
    }
    let mut memory = open(&journal);
    let db = journal.connection();
    let counts = stats(db).unwrap().summaries;
    let told: Vec<(&str, u64)> = counts.iter().map(|(k, n)| (k.as_str(), *n)).collect();
    assert_eq!(
        told,
        [
            ("task 0", 30),
            ("task 1", 1),
            ("window 0", 30),
            ("window 1", 1)
        ]
    );
    let first = summary(db, 1).unwrap().unwrap();
    assert_eq!((first.count, first.members.len()), (32, 32));
    assert_eq!(first.members[31], "e1.32");
    let found = memory.recall(db, &query("get a log coal", 5)).unwrap();
    assert_eq!((found.hits.len(), found.summaries.len()), (5, 3));
    assert_eq!(summary(db, 999).unwrap(), None);
    // Asked again, nothing is made twice.
    memory.take_in(db).unwrap();
    assert_eq!(stats(db).unwrap().summaries, counts);
}

/// With all documents destroyed but those that are shown, recall says the same: it read no others.
#[test]
fn documents_are_read_for_what_is_shown_and_nothing_else() {
    let mut journal = Journal::in_memory().unwrap();
    for _ in 0..30 {
        let run = play(&mut journal, 33);
        end(&mut journal, run);
    }
    let query = query("get a coal", 4);
    let mut memory = open(&journal);
    let db = journal.connection();
    let whole = memory.recall(db, &query).unwrap();
    assert_eq!(whole.hits.len(), 4);
    let kept: Vec<String> = whole
        .hits
        .iter()
        .map(|hit| format!("(run = {} AND n = {})", hit.id.run.0, hit.id.n))
        .collect();
    let destroy = format!(
        "SAVEPOINT whole; UPDATE events SET body = 'gone' WHERE id IN \
             (SELECT event FROM experience WHERE NOT ({}))",
        kept.join(" OR ")
    );
    db.execute_batch(&destroy).unwrap();
    let gone: u64 = db
        .query_row(
            "SELECT count(*) FROM events WHERE body = 'gone'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(gone, 30 * 33 - 4);
    let narrow = memory.recall(db, &query).unwrap();
    assert_eq!(narrow.hits, whole.hits);
    assert_eq!(narrow.summaries, whole.summaries);
    db.execute_batch("ROLLBACK TO whole; RELEASE whole")
        .unwrap();
}

/// Another embedder, of another width.
#[derive(Debug)]
struct Letters(bool);

impl Embedder for Letters {
    fn name(&self) -> &'static str {
        "test:letters"
    }

    fn dims(&self) -> Option<usize> {
        None
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.0 {
            return Err(EmbedError::Unreachable {
                url: "test".to_owned(),
                because: "away".to_owned(),
            });
        }
        let share = |text: &str, letter: char| {
            let found = text.chars().filter(|c| *c == letter).count();
            found as f32 / text.len().max(1) as f32
        };
        let point = |text: &&str| ('a'..='z').map(|letter| share(text, letter)).collect();
        Ok(texts.iter().map(point).collect())
    }
}

#[test]
fn vectors_of_two_embedders_are_never_mixed() {
    let mut journal = Journal::in_memory().unwrap();
    play(&mut journal, 5);
    let db = journal.connection();
    drop(open(&journal));
    let refused = ExperienceStore::open(db, None, Box::new(Letters(false))).unwrap_err();
    assert!(matches!(refused, MemoryError::OtherEmbedder { .. }));
    assert!(refused.to_string().contains("pithead memory reindex"));
    // A server that is away costs nothing.
    reindex(db, None, Box::new(Letters(true)), false).unwrap_err();
    assert_eq!(stats(db).unwrap().embedded, 5);

    assert_eq!(
        reindex(db, None, Box::new(Letters(false)), false).unwrap(),
        5
    );
    let now = stats(db).unwrap();
    assert_eq!(
        (now.embedder.as_deref(), now.dims, now.embedded),
        (Some("test:letters"), 26, 5)
    );
    let vectors: u64 = db
        .query_row(
            "SELECT count(DISTINCT length(vector)) FROM embedding",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(vectors, 1);
    ExperienceStore::open(db, None, Box::new(Hashed)).unwrap_err();
    // Without its server a store still goes by hashes.
    let mut away = ExperienceStore::open(db, None, Box::new(Letters(true))).unwrap();
    let mut like = query("coal", 1);
    like.condition = Some(h_cond(&samples::subgoal(9, "oak_log").checks));
    let found = away.recall(db, &like).unwrap();
    assert_eq!(told(&found), [(5, true, 0.75, true)]);
}

#[test]
fn reindexing_twice_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = play(&mut journal, 70);
    end(&mut journal, run);
    let before = ask(&journal, &query("coal in the forest", 7));
    let db = journal.connection();
    let again = |force| reindex(db, journal.file(), Box::new(Hashed), force).unwrap();
    assert_eq!((again(false), again(true), again(false)), (0, 70, 0));
    assert_eq!(ask(&journal, &query("coal in the forest", 7)), before);
}

#[test]
fn a_document_is_proven_by_its_digest() {
    let mut journal = Journal::in_memory().unwrap();
    let run = play(&mut journal, 2);
    let id = ExperienceId { run, n: 2 };
    let document = journal.document(id).unwrap().unwrap();
    assert_eq!(
        (document.experience, document.digest.len()),
        (samples::experience(run.0, 2, "coal", false), 32)
    );
    assert_eq!(journal.document(ExperienceId { run, n: 3 }).unwrap(), None);
    let forge =
        "UPDATE events SET body = replace(body, 'coal', 'gold') WHERE kind = 'attempt.ended'";
    journal.connection().execute(forge, []).unwrap();
    let refused = journal.document(id).unwrap_err().to_string();
    assert!(
        refused.contains("e1.2") && refused.contains("damaged"),
        "{refused}"
    );
}

/// The database as a kill would leave it: the file, and the log up to some frame.
fn copy(from: &Path, to: &Path, log_bytes: usize) {
    std::fs::copy(from, to).unwrap();
    let log =
        |path: &Path| path.with_file_name(format!("{}-wal", path.file_name().unwrap().display()));
    let whole = std::fs::read(log(from)).unwrap();
    std::fs::write(log(to), &whole[..log_bytes.min(whole.len())]).unwrap();
}

/// Every prefix of the log is a moment at which the program may have been killed: between any two
/// transactions, and within each.
#[test]
fn a_store_killed_between_any_two_writes_continues() {
    const HEADER: usize = 32;
    const FRAME: usize = 24 + 4096;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    journal
        .connection()
        .pragma_update(None, "wal_autocheckpoint", 0)
        .unwrap();
    let mut memory = open(&journal);
    for _ in 0..3 {
        let run = play(&mut journal, 14);
        memory.take_in(journal.connection()).unwrap();
        end(&mut journal, run);
        memory.take_in(journal.connection()).unwrap();
    }
    let whole = ask(&journal, &query("get a coal", 9));
    let log = std::fs::metadata(folder.path().join("pithead.db-wal"))
        .unwrap()
        .len() as usize;
    let frames = (log - HEADER) / FRAME;
    assert!(frames > 60, "{frames}");
    let mut seen = 0;
    for frames in (0..=frames).step_by(3).chain([frames]) {
        let killed = folder.path().join(format!("killed{frames}.db"));
        copy(&path, &killed, HEADER + frames * FRAME + frames % 7);
        let journal = Journal::open(&killed, Durability::Normal).unwrap();
        let found = ask(&journal, &query("get a coal", 9));
        let after = stats(journal.connection()).unwrap();
        assert_eq!(after.experiences, after.embedded, "{frames}");
        assert!(after.experiences >= seen, "{frames}");
        seen = after.experiences;
        let due = after.experiences / 32;
        assert_eq!(after.summaries.get("window 0").copied().unwrap_or(0), due);
        if seen == 42 {
            assert_eq!(found.hits, whole.hits, "{frames}");
        }
    }
    assert_eq!(seen, 42);
}
