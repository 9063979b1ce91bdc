//! Options of another database: what was tried there, as it travels in exports and stays after an import.
//!
//! Invariant: each database has one record here, the one that rests on the most attempts, so that nothing is
//! counted twice however often and by whichever way it comes.

use super::circumstance::Circumstance;
use super::option::{OptionRecord, Tries};
use crate::text::numbers::count_with_noun;
use crate::text::signature::Signature;
use serde::{Deserialize, Serialize};

/// What was tried in one database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptionsOfOrigin {
    /// The database, by the beginning of its first run.
    pub origin: Signature,
    /// Attempts that it has counted, without regard to their age: what is newer has more.
    pub attempts: u64,
    /// As its next run would be told.
    pub records: Vec<OptionRecord>,
}

/// Options of one database: each item in each way is far below that.
pub const RECORDS_MAX: usize = 2_000;
/// Circumstances of one option.
pub const CIRCUMSTANCES_MAX: usize = 500;
/// Databases in one file, and in one base.
pub const ORIGINS_MAX: usize = 64;
/// Attempts and pieces that one database can count.
const COUNT_MAX: f64 = 1e12;
/// A biome's name.
const NAME_BYTES_MAX: usize = 64;
/// Broken counts are rounded when they are written.
const ROUNDING: f64 = 1e-6;

impl OptionsOfOrigin {
    /// Why these cannot be what attempts showed; none if they can.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        if self.records.len() > RECORDS_MAX {
            return Some(format!("more than {RECORDS_MAX} options"));
        }
        let tried: f64 = self.records.iter().map(|record| record.all.tried).sum();
        if tried > self.attempts as f64 + ROUNDING {
            let attempts = count_with_noun(self.attempts, "attempt", "attempts");
            return Some(format!("{tried} tries of {attempts}"));
        }
        let mut keys: Vec<_> = self.records.iter().map(|record| record.key).collect();
        keys.sort_unstable();
        if let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
            return Some(format!("{} stands there twice", pair[0]));
        }
        let mut records = self.records.iter();
        records.find_map(|record| Some(format!("{}: {}", record.key, fault_of(record)?)))
    }
}

fn fault_of(record: &OptionRecord) -> Option<String> {
    if record.by.len() > CIRCUMSTANCES_MAX {
        return Some(format!("more than {CIRCUMSTANCES_MAX} circumstances"));
    }
    let whole = std::iter::once((None, &record.all));
    let parts = record
        .by
        .iter()
        .map(|(circumstance, tries)| (Some(circumstance), tries));
    whole.chain(parts).find_map(|(circumstance, tries)| {
        let name = circumstance.map_or("all tries".to_owned(), ToString::to_string);
        let fault = name_fault(circumstance)
            .or_else(|| tries_fault(tries))
            .or_else(|| {
                (tries.tried > record.all.tried + ROUNDING).then_some("more tries than in all")
            });
        fault.map(|fault| format!("{name}: {fault}"))
    })
}

/// Names of biomes are words of the world, not of a person: nothing else is let in.
fn name_fault(circumstance: Option<&Circumstance>) -> Option<&'static str> {
    let Some(Circumstance::Biome(name)) = circumstance else {
        return None;
    };
    let is_plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_' || c == b':';
    let fits = !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.bytes().all(is_plain);
    (!fits).then_some("this is no name of a biome")
}

fn tries_fault(tries: &Tries) -> Option<&'static str> {
    let Tries {
        tried,
        done,
        died,
        pieces,
        ticks,
    } = *tries;
    let is_count = |count: f64| (0.0..=COUNT_MAX).contains(&count);
    if ![tried, done, died, pieces, ticks].into_iter().all(is_count) {
        return Some("a count is negative, too large or no number");
    }
    (done.max(died) > tried + ROUNDING).then_some("more was done, or died of, than tried")
}

#[cfg(test)]
mod tests {
    use super::super::option::{TriedOptions, Try};
    use super::*;
    use crate::domain::samples::experience;

    fn shared() -> OptionsOfOrigin {
        let mut options = TriedOptions::default();
        for (n, success) in [(1, true), (2, false)] {
            options.add(&Try::of_attempt(&experience(1, n, "coal", success)).unwrap());
        }
        OptionsOfOrigin {
            origin: Signature(7),
            attempts: 2,
            records: options.iter().cloned().collect(),
        }
    }

    #[test]
    fn what_attempts_cannot_have_shown_is_found() {
        assert_eq!(shared().fault(), None);
        type Change = fn(&mut OptionsOfOrigin);
        let changes: [(Change, &str); 7] = [
            (|all| all.attempts = 1, "2 tries of 1 attempt"),
            (|all| all.records[0].all.done = 3.0, "more was done"),
            (|all| all.records[0].all.ticks = f64::NAN, "no number"),
            (|all| all.records[0].all.pieces = -1.0, "negative"),
            (
                |all| all.records.push(all.records[0].clone()),
                "tries of 2 attempts",
            ),
            (
                |all| {
                    all.attempts = 9;
                    all.records.push(all.records[0].clone());
                },
                "twice",
            ),
            (
                |all| {
                    let evil = Circumstance::Biome("\u{1b}[31mred".to_owned());
                    all.records[0].by.insert(evil, Tries::default());
                },
                "no name of a biome",
            ),
        ];
        for (change, because) in changes {
            let mut all = shared();
            change(&mut all);
            let fault = all.fault().unwrap_or_default();
            assert!(fault.contains(because), "{because}: {fault}");
        }
    }
}
