//! Projections against the events that they come from: what is projected is made again, in memory, and
//! compared row by row.
//!
//! Copies in a forked run bring nothing but the progress of its row. Entries of the knowledge base whose
//! events an older program wrote are left out: the order of those events is not known.

use super::super::append::insert_run;
use super::super::create::make_tables;
use super::super::digest::{Digest, digest_row};
use super::super::fork::{self, origins};
use super::super::key::key;
use super::super::runs::{Progress, seal};
use super::super::{
    KNOWLEDGE_LOG, codec, experience, knowledge, knowledge_order, similar_failures,
};
use super::Verification;
use super::events::{Part, each_event, each_run, place_of_run};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::{KnowledgeId, Seq};
use rusqlite::types::Value;
use rusqlite::{Connection, Transaction};
use std::collections::{BTreeMap, BTreeSet};

/// A projection, by what its rows are called, the columns that name a row, and all that are compared. What
/// lies in an order of its own (`experience.row`) is not compared.
struct Projection {
    name: &'static str,
    table: &'static str,
    key: &'static str,
    columns: &'static str,
    count: usize,
}

const PROJECTIONS: [Projection; 6] = [
    Projection {
        name: "in the list of runs",
        table: "runs",
        key: "'run ' || id",
        columns: "id, task, seed, mind, system, started, ended, outcome, because, ticks, attempts, failed",
        count: 12,
    },
    Projection {
        name: "in the index",
        table: "experience",
        key: "'experience e' || run || '.' || n",
        columns: "run, n, event, digest, outcome, reason, target, kind, tags, biome, h_cond, near, region, at, words",
        count: 15,
    },
    Projection {
        name: "among the failures that were looked into",
        table: "looked_into",
        key: "'attempt ' || run || '.' || n",
        columns: "run, n",
        count: 2,
    },
    Projection {
        name: "among what was tried",
        table: "tried",
        key: "way || ' ' || target || ' ' || context || ' ' || era",
        columns: "kind, target, way, context, era, tried, done, died, pieces, ticks",
        count: 10,
    },
    Projection {
        name: "among the forks",
        table: "forks",
        key: "'run ' || run",
        columns: "run, origin, at",
        count: 3,
    },
    Projection {
        name: "in the knowledge base",
        table: "knowledge",
        key: "'entry k' || run || '.' || n",
        columns: "run, n, kind, status, signature, version, body",
        count: 7,
    },
];

pub(super) fn projections(db: &Connection, found: &mut Verification) -> rusqlite::Result<()> {
    let mut made = Connection::open_in_memory()?;
    make_tables(&made)?;
    let tx = made.transaction()?;
    let mut unordered = BTreeSet::new();
    let ordered = knowledge_order::all(db)?;
    each_run(db, found, |run, _| {
        project_run(db, &tx, run, &ordered, &mut unordered)
    })?;
    project_knowledge(db, &tx, found)?;
    for projection in &PROJECTIONS {
        found.look(projection.table, |found| {
            compare(db, &tx, projection, &unordered, found)
        });
    }
    Ok(())
}

/// Makes the knowledge base from its events in their order.
fn project_knowledge(
    db: &Connection,
    tx: &Transaction<'_>,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    knowledge_order::each_event(db, |event| match event {
        Ok(fact) => knowledge::project(tx, fact.at, &fact.event),
        Err((run, seq)) => {
            let fault = format!("event {seq} about knowledge is missing or cannot be read");
            found.add(place_of_run(run), fault);
            Ok(())
        }
    })
}

/// Holds the rows that are stored against those that were made.
fn compare(
    db: &Connection,
    made_db: &Connection,
    projection: &Projection,
    unordered: &BTreeSet<KnowledgeId>,
    found: &mut Verification,
) -> rusqlite::Result<()> {
    let stored = digests(db, projection)?;
    let mut made = digests(made_db, projection)?;
    let left_out: BTreeSet<String> = match projection.table {
        "knowledge" => unordered.iter().map(|id| format!("entry {id}")).collect(),
        _ => BTreeSet::new(),
    };
    let mut add = |place: &str, fault: &str| {
        if !left_out.contains(place) {
            found.add(format!("{place} {}", projection.name), fault);
        }
    };
    for (place, digest) in &stored {
        match made.remove(place) {
            Some(again) if again == *digest => (),
            Some(_) => {
                let columns = columns_that_differ(db, made_db, projection, place)?;
                add(place, &format!("it is not what its events say: {columns}"));
            }
            // What a deleted run looked into is known, and its question is gone.
            None if projection.table == "looked_into" => (),
            None => add(place, "no event speaks of it"),
        }
    }
    for place in made.keys() {
        add(place, "its row is missing");
    }
    Ok(())
}

/// The names of the columns in which the stored row is not the one that was made.
fn columns_that_differ(
    db: &Connection,
    made: &Connection,
    projection: &Projection,
    place: &str,
) -> rusqlite::Result<String> {
    let Projection {
        table,
        key,
        columns,
        count,
        ..
    } = projection;
    let sql = format!("SELECT {columns} FROM {table} WHERE {key} = ?");
    let values = |db: &Connection| {
        db.query_row(&sql, [place], |row| {
            let values = (0..*count).map(|n| row.get::<_, Value>(n));
            values.collect::<rusqlite::Result<Vec<_>>>()
        })
    };
    let (stored, made) = (values(db)?, values(made)?);
    let pairs = columns.split(", ").zip(stored.iter().zip(&made));
    let names: Vec<&str> = pairs
        .filter(|(_, (stored, made))| stored != made)
        .map(|(name, _)| name)
        .collect();
    Ok(names.join(", "))
}

fn digests(db: &Connection, projection: &Projection) -> rusqlite::Result<BTreeMap<String, Digest>> {
    let Projection {
        table,
        key,
        columns,
        count,
        ..
    } = projection;
    if !db.table_exists(None, *table)? {
        return Ok(BTreeMap::new()); // nothing was ever stored there
    }
    let mut statement = db.prepare(&format!("SELECT {columns}, {key} FROM {table}"))?;
    let rows = statement.query_map([], |row| Ok((row.get(*count)?, digest_row(row, *count)?)))?;
    rows.collect()
}

/// Makes what is projected from the events of one run, but for the knowledge base.
fn project_run(
    db: &Connection,
    tx: &Transaction<'_>,
    (run, which): Part,
    ordered: &BTreeSet<u64>,
    unordered: &mut BTreeSet<KnowledgeId>,
) -> rusqlite::Result<()> {
    let origin = origins(db)?.get(&run).copied();
    let copied = origin.map_or(Seq(0), |(_, at)| at);
    each_event(db, (run, which), |seq, row| {
        let Ok(Recorded { at, event, .. }) = codec::fact_from_row(db, run, row)? else {
            return Ok(()); // it is a fault of its own
        };
        let key = key(run, seq);
        if let Event::RunStarted { config } = &event {
            insert_run(tx, Some(run), config, at)?;
        }
        if matches!(event, Event::RunForked { .. }) {
            // Its first event is as old as that of the other run.
            tx.execute("UPDATE runs SET started = ? WHERE id = ?", [at.0, run.0])?;
            seal(tx, run)?;
        }
        let is_copy = seq <= copied && seq > Seq(1);
        let mut progress = Progress::default();
        // The end of another run is not its own.
        if !(is_copy && matches!(event, Event::RunEnded { .. })) {
            progress.apply(&event);
        }
        progress.write(tx, run, at)?;
        if is_copy {
            return Ok(());
        }
        fork::project(tx, run, &event)?;
        // Of a deleted fork nothing says any longer that its attempts are another run's.
        if matches!(&event, Event::AttemptEnded { experience, .. } if experience.id.run == run) {
            experience::project(tx, key, row.get_ref(4)?.as_str()?, &event)?;
        }
        similar_failures::project(tx, run, &event)?;
        if !ordered.contains(&key) {
            unordered.extend(knowledge_order::entries_changed(&event));
        }
        Ok(())
    })?;
    if run != KNOWLEDGE_LOG
        && !db
            .prepare_cached("SELECT 1 FROM runs WHERE id = ?")?
            .exists([run.0])?
    {
        // It was deleted: its row was needed for its attempts only.
        tx.execute("DELETE FROM runs WHERE id = ?", [run.0])?;
    }
    Ok(())
}
