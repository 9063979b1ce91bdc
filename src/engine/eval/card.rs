//! Cards: which evaluations keep something in a folder, listed beside the database, one small file each.
//!
//! A card says what is evaluated, where, and how to go on with it; the folder itself stays the truth about what
//! came of it. Invariant: whoever evaluates holds a lock on the card, so that a kill is seen as one.

use super::plan::{Globbed, Plan, Seeds};
use crate::suites::SuiteName;
use pithead_core::text::atomic_file::replace_file;
use pithead_world::aids::Controller;
use pithead_world::clock::Millis;
use pithead_world::rng::Streams;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Raised when a field changes its meaning.
pub const SCHEMA: u32 = 1;
/// A card is some hundred bytes; a longer file is none.
const BYTES_MAX: u64 = 64 << 10;
/// Cards looked at; more would be a folder of something else.
const CARDS_MAX: usize = 500;
/// Tries for the lock: whoever looks holds it for an instant.
const TRIES_MAX: u32 = 1_000;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Success on the tasks of a suite.
    Suite,
    /// Learning, system by system.
    Curve,
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub schema: u32,
    pub kind: Kind,
    /// In full.
    pub folder: PathBuf,
    /// Where the command was given, and the command: given there again it goes on.
    pub cwd: PathBuf,
    pub command: Vec<String>,
    pub suite: SuiteName,
    /// The pattern over tasks, if one was given.
    pub tasks: Option<String>,
    /// `A..B`, both included.
    pub seeds: String,
    pub mind: String,
    pub systems: Vec<String>,
    pub controller: Controller,
    pub learn: bool,
    /// Of a curve: passes of each life.
    pub passes: u32,
    /// When it was last begun or gone on with, and how much was there then.
    pub began: Millis,
    pub found: u64,
}

impl Card {
    /// What is played, as the command line would read it.
    pub fn plan(&self) -> Result<Plan, String> {
        let seeds: Seeds = self.seeds.parse().map_err(|e| format!("{e}"))?;
        let glob = self.tasks.as_deref().map(str::parse::<Globbed>);
        let glob = glob.transpose().map_err(|e| e.to_string())?;
        Plan::of(self.suite.suite(), glob.as_ref(), seeds).map_err(|e| e.to_string())
    }
}

/// A card as it lies there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The same for one folder at all times.
    pub id: u64,
    /// Some process is at it.
    pub runs: bool,
    /// The card, or what is wrong with which file.
    pub card: Result<Card, String>,
}

/// Where the cards of a database lie.
#[derive(Debug, Clone)]
pub struct Cards(PathBuf);

/// Held while an evaluation goes on.
#[derive(Debug)]
pub struct Pulse {
    _held: File,
}

impl Cards {
    #[must_use]
    pub fn beside(database: &Path) -> Self {
        let mut name = database.as_os_str().to_owned();
        name.push(".evals");
        Self(PathBuf::from(name))
    }

    /// Puts the card there, in place of an older one of the same folder. The evaluation goes on as long as the
    /// pulse is held.
    pub fn put(&self, card: &Card) -> std::io::Result<Pulse> {
        std::fs::create_dir_all(&self.0)?;
        let id = Streams(0).salt(&card.folder.to_string_lossy());
        let path = self.0.join(format!("{id:016x}.json"));
        let text = serde_json::to_string_pretty(card)?;
        // Locked before it can be seen.
        let file = replace_file(&path, |file| {
            file.write_all(text.as_bytes())?;
            lock(file)
        })?;
        Ok(Pulse { _held: file })
    }

    /// All cards, by when they were last begun; none where no evaluation was ever kept.
    pub fn all(&self) -> std::io::Result<Vec<Found>> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "json"))
            .take(CARDS_MAX)
            .collect();
        paths.sort_unstable();
        let mut found: Vec<Found> = paths.iter().map(|path| look(path)).collect();
        let began = |found: &Found| found.card.as_ref().map_or(Millis(0), |card| card.began);
        found.sort_by_key(|found| std::cmp::Reverse(began(found)));
        Ok(found)
    }
}

fn lock(file: &File) -> std::io::Result<()> {
    for _ in 0..TRIES_MAX {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(())
}

fn look(path: &Path) -> Found {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let id = u64::from_str_radix(&name, 16).unwrap_or_else(|_| Streams(0).salt(&name));
    let (card, runs) = match File::open(path) {
        Ok(file) => {
            let runs = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
            (read(&file), runs)
        }
        Err(error) => (Err(error.to_string()), false),
    };
    let card = card.map_err(|because| format!("{}: {because}", path.display()));
    Found { id, runs, card }
}

fn read(file: &File) -> Result<Card, String> {
    let mut text = String::new();
    let mut some = file.take(BYTES_MAX + 1);
    some.read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > BYTES_MAX {
        return Err("it is too long to be a card of an evaluation".to_owned());
    }
    let card: Card = serde_json::from_str(&text)
        .map_err(|error| format!("no card of an evaluation: {error}; remove it if it is none"))?;
    if card.schema == SCHEMA {
        Ok(card)
    } else {
        Err(format!("it is of format {}, not {SCHEMA}", card.schema))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(folder: &str, began: u64) -> Card {
        Card {
            schema: SCHEMA,
            kind: Kind::Suite,
            folder: PathBuf::from(folder),
            cwd: PathBuf::from("/here"),
            command: vec!["pithead".to_owned(), "eval".to_owned()],
            suite: SuiteName::Mcu70,
            tasks: None,
            seeds: "1..2".to_owned(),
            mind: "builtin:expert".to_owned(),
            systems: vec!["steve-evolving".to_owned()],
            controller: Controller::Scripted,
            learn: false,
            passes: 1,
            began: Millis(began),
            found: 0,
        }
    }

    #[test]
    fn a_card_is_alive_while_its_pulse_is_held_and_one_folder_has_one() {
        let home = tempfile::tempdir().unwrap();
        let cards = Cards::beside(&home.path().join("p.db"));
        assert_eq!(cards.all().unwrap(), []);
        let first = cards.put(&card("/a", 5)).unwrap();
        let second = cards.put(&card("/b", 9)).unwrap();
        let told = |cards: &Cards| -> Vec<(PathBuf, bool)> {
            let all = cards.all().unwrap();
            all.into_iter()
                .map(|found| (found.card.unwrap().folder, found.runs))
                .collect()
        };
        assert_eq!(told(&cards), [("/b".into(), true), ("/a".into(), true)]);
        drop((first, second));
        assert_eq!(told(&cards), [("/b".into(), false), ("/a".into(), false)]);
        let again = cards.put(&card("/a", 11)).unwrap();
        assert_eq!(told(&cards), [("/a".into(), true), ("/b".into(), false)]);
        drop(again);
    }

    #[test]
    fn what_is_no_card_is_told_with_its_place_and_hides_no_other() {
        let home = tempfile::tempdir().unwrap();
        let cards = Cards::beside(&home.path().join("p.db"));
        drop(cards.put(&card("/a", 5)).unwrap());
        for (name, text) in [
            ("x.json", "{\"schema\": 1"),
            ("y.json", "\u{1b}[31m"),
            ("z.txt", "not looked at"),
        ] {
            std::fs::write(cards.0.join(name), text).unwrap();
        }
        let other = serde_json::to_string(&Card {
            schema: 9,
            ..card("/c", 1)
        });
        std::fs::write(cards.0.join("w.json"), other.unwrap()).unwrap();
        std::fs::write(cards.0.join("v.json"), " ".repeat(70_000)).unwrap();
        let all = cards.all().unwrap();
        assert_eq!(all.len(), 5);
        assert!(all[0].card.is_ok());
        let faults: Vec<String> = all.into_iter().filter_map(|f| f.card.err()).collect();
        assert!(faults.iter().any(|f| f.contains("v.json: it is too long")));
        assert!(
            faults
                .iter()
                .any(|f| f.contains("w.json: it is of format 9"))
        );
        assert!(faults.iter().any(|f| f.contains("x.json: no card")));
    }
}
