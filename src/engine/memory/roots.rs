//! Roots: the summaries above the lowest level, kept in memory; the way down through them to the best.
//!
//! The best few of a level are opened and their members compared in turn, so that few of many
//! thousand summaries are looked at, and only those that are found are read in full.
//! Invariant: same store, same point, same summaries.

use super::error::MemoryError;
use super::recall::cosine;
use super::store::{Known, from_bytes};
use super::summary::{SummaryHit, summary};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// Summaries opened on each level.
const OPENED: usize = 6;
/// What is read of each.
const COLUMNS: &str = "summary.id, level, vector FROM summary \
                       JOIN summary_embedding ON summary_embedding.id = summary.id + ?";

#[derive(Debug, Default)]
pub(super) struct Roots {
    /// The last summary when this was read; a summary is covered by later ones only.
    last: u64,
    /// Those that no other covers, under none, and the members of those above the first level.
    members: BTreeMap<Option<u64>, Vec<Node>>,
}

/// A summary as far as the way down needs it.
#[derive(Debug)]
struct Node {
    key: u64,
    level: u32,
    point: Vec<f32>,
}

/// A summary that was met on the way.
#[derive(Debug, Clone, Copy)]
struct Met {
    key: u64,
    level: u32,
    cosine: f64,
}

impl Roots {
    /// Takes in the summaries that were made since.
    pub(super) fn read_new(&mut self, db: &Connection, known: &Known) -> rusqlite::Result<()> {
        let last = db
            .prepare_cached("SELECT coalesce(max(id), 0) FROM summary")?
            .query_row([], |row| row.get(0))?;
        if last == self.last {
            return Ok(());
        }
        let sql = format!("SELECT parent, {COLUMNS} WHERE parent IS NULL OR level > 0");
        let mut statement = db.prepare_cached(&sql)?;
        let mut rows = statement.query([known.key(0)])?;
        let mut members = BTreeMap::<_, Vec<Node>>::new();
        while let Some(row) = rows.next()? {
            members.entry(row.get(0)?).or_default().push(node(row, 1)?);
        }
        (self.last, self.members) = (last, members);
        Ok(())
    }

    /// The summaries nearest to the point, best first, of whatever level.
    pub(super) fn nearest(
        &self,
        db: &Connection,
        known: &Known,
        point: &[f32],
        wanted: usize,
    ) -> Result<Vec<SummaryHit>, MemoryError> {
        let meet = |nodes: &[Node]| -> Vec<Met> { nodes.iter().map(|n| n.met(point)).collect() };
        let mut level = self.members.get(&None).map_or(Vec::new(), |all| meet(all));
        let mut found = Vec::new();
        while !level.is_empty() {
            sort(&mut level);
            let opened = OPENED.max(wanted);
            let mut below = Vec::new();
            for met in level.iter().filter(|met| met.level > 0).take(opened) {
                match self.members.get(&Some(met.key)) {
                    Some(members) => below.extend(meet(members)),
                    None => below.extend(meet(&members(db, known, met.key)?)),
                }
            }
            found.append(&mut level);
            level = below;
        }
        sort(&mut found);
        found.truncate(wanted);
        let mut hits = Vec::with_capacity(found.len());
        for Met { key, cosine, .. } in found {
            let hit = summary(db, key)?;
            hits.extend(hit.map(|hit| SummaryHit { cosine, ..hit }));
        }
        Ok(hits)
    }
}

impl Node {
    fn met(&self, point: &[f32]) -> Met {
        Met {
            key: self.key,
            level: self.level,
            cosine: cosine(point, &self.point),
        }
    }
}

fn sort(met: &mut [Met]) {
    met.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(b.key.cmp(&a.key)));
}

/// The members of a summary of the first level.
fn members(db: &Connection, known: &Known, parent: u64) -> rusqlite::Result<Vec<Node>> {
    let sql = format!("SELECT {COLUMNS} WHERE parent = ?");
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map(params![known.key(0), parent], |row| node(row, 0))?;
    rows.collect()
}

/// Reads `COLUMNS`, which begin at this one.
fn node(row: &Row<'_>, at: usize) -> rusqlite::Result<Node> {
    Ok(Node {
        key: row.get(at)?,
        level: row.get(at + 1)?,
        point: from_bytes(row.get_ref(at + 2)?.as_blob()?),
    })
}
