//! Runs: experiences and contexts that runs made, from their databases, in place of templates.
//!
//! Fewer were made than are to be searched: they are repeated, each time in worlds of their own. Invariant: same
//! databases, same rows and queries.

use super::LIMIT;
use super::words::{Attempt, QUERIES};
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::recall::RecallQuery;
use pithead_core::domain::run::event::Event;
use pithead_core::text::signature::Signature;
use pithead_engine::journal::Journal;
use pithead_engine::memory::psi::ContextKeys;
use pithead_world::ids::Seq;
use rusqlite::Row;
use std::path::Path;

/// Tells the cells of one repetition apart from those of the others.
const WORLD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What runs made.
pub(super) struct MadeByRuns {
    attempts: Vec<Attempt>,
    pub(super) queries: Vec<(&'static str, Vec<RecallQuery>)>,
}

impl MadeByRuns {
    pub(super) fn read(paths: &[&Path]) -> Self {
        let mut attempts = Vec::new();
        let (mut contexts, mut needs) = (Vec::new(), Vec::new());
        for path in paths {
            let journal = Journal::look(path).expect("a database of runs");
            read_attempts(&journal, &mut attempts);
            for run in journal.runs().expect("its runs") {
                let events = journal.events(run.id, Seq(0), usize::MAX);
                for fact in events.expect("their events") {
                    take_queries(&fact.event, &mut contexts, &mut needs);
                }
            }
        }
        let mut queries = vec![
            ("contexts of runs", spread(contexts)),
            ("needs of plans", spread(needs)),
        ];
        queries.retain(|(_, asked)| !asked.is_empty());
        assert!(
            !queries.is_empty(),
            "no run of these databases asked its memory: take runs of a system with recall"
        );
        Self { attempts, queries }
    }

    pub(super) fn attempt(&self, n: usize) -> Attempt {
        let made = &self.attempts[n % self.attempts.len()];
        let world = ((n / self.attempts.len()) as u64).wrapping_mul(WORLD);
        let elsewhere = |cells: Cells| Cells {
            near: cells.near ^ world,
            region: cells.region ^ world,
        };
        Attempt {
            keys: ContextKeys {
                condition: made.keys.condition,
                cells: made.keys.cells.map(elsewhere),
            },
            ..made.clone()
        }
    }

    pub(super) fn told(&self) -> String {
        let mut words: Vec<&str> = self.attempts.iter().map(|a| a.words.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        let (all, distinct) = (self.attempts.len(), words.len());
        format!("repeated from {all} attempts of runs, {distinct} different texts")
    }
}

fn read_attempts(journal: &Journal, attempts: &mut Vec<Attempt>) {
    let sql =
        "SELECT words, h_cond, near, region, outcome, target, biome FROM experience ORDER BY row";
    let mut statement = journal.connection().prepare(sql).expect("it is read");
    let signed = |row: &Row<'_>, at| row.get::<_, i64>(at).map(i64::cast_unsigned);
    let rows = statement.query_map([], |row| {
        Ok(Attempt {
            words: row.get(0)?,
            keys: ContextKeys {
                condition: Some(Signature(signed(row, 1)?)),
                cells: Some(Cells {
                    near: signed(row, 2)?,
                    region: signed(row, 3)?,
                }),
            },
            success: row.get(4)?,
            target: row.get(5)?,
            biome: row.get(6)?,
        })
    });
    attempts.extend(rows.expect("rows").map(|row| row.expect("an attempt")));
}

/// As the driver puts them to the store: the context as it is, each need by its step.
fn take_queries(event: &Event, contexts: &mut Vec<RecallQuery>, needs: &mut Vec<RecallQuery>) {
    let Event::RecallAsked {
        query,
        condition,
        cells,
        needs: wanted,
        ..
    } = event
    else {
        return;
    };
    let asked = |text: &str, condition| RecallQuery {
        text: text.to_owned(),
        condition,
        cells: *cells,
        seed: None,
        limit: LIMIT,
    };
    if wanted.is_empty() {
        contexts.push(asked(query, *condition));
    }
    needs.extend(
        wanted
            .iter()
            .map(|need| asked(&need.step, Some(need.condition))),
    );
}

/// So many of them, from all parts.
fn spread(all: Vec<RecallQuery>) -> Vec<RecallQuery> {
    let every = (all.len() / QUERIES).max(1);
    all.into_iter().step_by(every).take(QUERIES).collect()
}
