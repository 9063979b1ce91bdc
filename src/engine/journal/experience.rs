//! Experience rows: one per ended attempt, for recall to search.
//!
//! The row is what an index can use; the document is the event, which the row points to. Its digest
//! is its address and proves it. Invariant: rows are numbered without gaps and never change.

use super::codec;
use super::{Journal, JournalError};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::recall::{h_cond, words};
use pithead_core::domain::run::event::Event;
use pithead_world::ids::ExperienceId;
use rusqlite::{OptionalExtension, Transaction, params};
use sha2::{Digest as _, Sha256};

/// Bytes of a digest that are kept: enough that no two documents ever share one.
const DIGEST_BYTES: usize = 16;

/// A document with its address.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub experience: Experience,
    /// Hexadecimal.
    pub digest: String,
}

/// Writes the row of an ended attempt, whose event has this key and body; other events leave the
/// table alone.
pub(super) fn project(
    tx: &Transaction<'_>,
    key: u64,
    body: &str,
    event: &Event,
) -> rusqlite::Result<()> {
    let Event::AttemptEnded { experience: e, .. } = event else {
        return Ok(());
    };
    let seed: Option<i64> = tx
        .prepare_cached("SELECT seed FROM runs WHERE id = ?")?
        .query_row([e.id.run.0], |row| row.get(0))
        .optional()?;
    let cells = Cells::containing(seed.unwrap_or_default().cast_unsigned(), e.pre.position);
    tx.prepare_cached(
        "INSERT INTO experience(run, n, event, digest, outcome, reason, target, kind, tags, biome, \
         h_cond, near, region, at, words) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    )?
    .execute(params![
        e.id.run.0,
        e.id.n,
        key,
        digest(body),
        e.diagnosis.success,
        // None of an attempt that is neither a success nor a failure.
        e.failure_reason().map(|reason| reason.name()),
        e.action.goal.object.map(|item| item.name()),
        e.action.task_kind.name(),
        e.tags.join(" "),
        e.pre.biome,
        h_cond(&e.action.checks).0.cast_signed(),
        cells.near.cast_signed(),
        cells.region.cast_signed(),
        e.at.0,
        words(e),
    ])?;
    super::hindsight::project(tx, tx.last_insert_rowid(), e)?;
    super::tried_options::project(tx, e)
}

impl Journal {
    /// The document of an experience, in full and under the label that is in force; none if there is no such experience. A document that
    /// is not the one whose digest was taken is refused.
    pub fn document(&self, id: ExperienceId) -> Result<Option<Document>, JournalError> {
        let found = self.read("read an experience", |db| {
            db.prepare_cached(
                "SELECT experience.digest, events.kind, events.version, events.body FROM experience \
                     JOIN events ON events.id = experience.event \
                     WHERE experience.run = ? AND experience.n = ?",
            )?
            .query_row(params![id.run.0, id.n], |row| {
                Ok((
                    row.get::<_, Vec<u8>>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, u32>(2)?,
                    row.get::<_, String>(3)?,
                ))
            })
            .optional()
        })?;
        let Some((kept, kind, version, body)) = found else {
            return Ok(None);
        };
        let bad = |fault: &str| JournalError::BadExperience {
            id,
            path: self.path(),
            fault: fault.to_owned(),
        };
        if !is_document(&body, &kept) {
            return Err(bad("it is not what was written"));
        }
        match codec::decode(&kind, version, &body) {
            Ok(Event::AttemptEnded { mut experience, .. }) => Ok(Some(Document {
                experience: {
                    if let Some(label) = self.overruled_label(id)? {
                        experience.diagnosis.overrule(label);
                    }
                    *experience
                },
                digest: kept.iter().map(|byte| format!("{byte:02x}")).collect(),
            })),
            Ok(_) => Err(bad("its event is of another kind")),
            Err(unread) => Err(bad(&format!("{unread:?}"))),
        }
    }
}

/// True if the digest was taken of this document.
pub(super) fn is_document(body: &str, kept: &[u8]) -> bool {
    digest(body) == kept
}

fn digest(body: &str) -> Vec<u8> {
    Sha256::digest(body.as_bytes())[..DIGEST_BYTES].to_vec()
}
