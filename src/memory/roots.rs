//! Roots: the summaries that no other covers, kept in memory; the way down from them to the best.
//!
//! The best few of a level are opened and their members compared in turn, so that few of many
//! thousand summaries are looked at. Invariant: same store, same point, same summaries.

use super::error::MemoryError;
use super::recall::cosine;
use super::store::{Known, from_bytes};
use super::summary::{COLUMNS, SummaryHit};
use rusqlite::{Connection, params};

/// Summaries opened on each level.
const OPENED: usize = 6;

#[derive(Debug, Default)]
pub(super) struct Roots(Vec<Vectored>);

#[derive(Debug, Clone)]
struct Vectored {
    hit: SummaryHit,
    point: Vec<f32>,
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
        let mut level: Vec<SummaryHit> = self.0.iter().map(|root| scored(root, point)).collect();
        let mut found = Vec::new();
        while !level.is_empty() {
            sort(&mut level);
            let opened = OPENED.max(wanted);
            let mut below = Vec::new();
            for hit in level.iter().filter(|hit| hit.level > 0).take(opened) {
                let members = read(db, known, Some(hit.key))?;
                below.extend(members.iter().map(|member| scored(member, point)));
            }
            found.append(&mut level);
            level = below;
        }
        sort(&mut found);
        found.truncate(wanted);
        Ok(found)
    }
}

fn scored(summary: &Vectored, point: &[f32]) -> SummaryHit {
    SummaryHit {
        cosine: cosine(point, &summary.point),
        ..summary.hit.clone()
    }
}

fn sort(hits: &mut [SummaryHit]) {
    hits.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(b.key.cmp(&a.key)));
}

/// The members of a summary, or those that are members of none.
fn read(db: &Connection, known: &Known, parent: Option<u64>) -> rusqlite::Result<Vec<Vectored>> {
    let sql = format!(
        "SELECT {COLUMNS}, vector FROM summary \
         JOIN summary_embedding ON summary_embedding.id = summary.id + ? WHERE parent IS ?"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let rows = statement.query_map(params![known.key(0), parent], |row| {
        Ok(Vectored {
            hit: SummaryHit::read(row)?,
            point: from_bytes(row.get_ref(10)?.as_blob()?),
        })
    })?;
    rows.collect()
}
