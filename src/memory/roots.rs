//! Roots: the summaries that no other covers, kept in memory; the way down from them to the best.
//!
//! The best few of a level are opened and their members compared in turn, so that few of many
//! thousand summaries are looked at, and only those that are found are read in full.
//! Invariant: same store, same point, same summaries.

use super::error::MemoryError;
use super::recall::cosine;
use super::store::{Known, from_bytes};
use super::summary::{SummaryHit, summary};
use rusqlite::{Connection, params};

/// Summaries opened on each level.
const OPENED: usize = 6;

#[derive(Debug, Default)]
pub(super) struct Roots(Vec<Node>);

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
    pub(super) fn read(db: &Connection, known: &Known) -> rusqlite::Result<Self> {
        read(db, known, None).map(Self)
    }

    /// The summaries nearest to the point, best first, of whatever level.
    pub(super) fn nearest(
        &self,
        db: &Connection,
        known: &Known,
        point: &[f32],
        wanted: usize,
    ) -> Result<Vec<SummaryHit>, MemoryError> {
        let mut level: Vec<Met> = self.0.iter().map(|root| root.met(point)).collect();
        let mut found = Vec::new();
        while !level.is_empty() {
            sort(&mut level);
            let opened = OPENED.max(wanted);
            let mut below = Vec::new();
            for met in level.iter().filter(|met| met.level > 0).take(opened) {
                let members = read(db, known, Some(met.key))?;
                below.extend(members.iter().map(|member| member.met(point)));
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

/// The members of a summary, or those that are members of none.
fn read(db: &Connection, known: &Known, parent: Option<u64>) -> rusqlite::Result<Vec<Node>> {
    let sql = "SELECT summary.id, level, vector FROM summary \
               JOIN summary_embedding ON summary_embedding.id = summary.id + ? WHERE parent IS ?";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params![known.key(0), parent], |row| {
        Ok(Node {
            key: row.get(0)?,
            level: row.get(1)?,
            point: from_bytes(row.get_ref(2)?.as_blob()?),
        })
    })?;
    rows.collect()
}
