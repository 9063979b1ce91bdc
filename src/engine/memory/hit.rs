//! Hits: what is shown of a row that recall has found; the only place that reads documents.

use pithead_core::domain::experience::Hit;
use pithead_world::ids::{ExperienceId, RunId};
use rusqlite::{Connection, params};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// A row with its ψ and the parts of it.
pub(super) struct Scored {
    pub(super) row: u64,
    pub(super) psi: f64,
    pub(super) cosine: f64,
    pub(super) delta: f64,
    pub(super) exact: bool,
}

/// As much of a document as one line needs.
#[derive(Deserialize)]
struct Brief {
    experience: BriefExperience,
}

#[derive(Deserialize)]
struct BriefExperience {
    action: BriefAction,
    diagnosis: BriefDiagnosis,
}

#[derive(Deserialize)]
struct BriefAction {
    condition: String,
}

#[derive(Deserialize)]
struct BriefDiagnosis {
    summary: String,
}

/// The document is read for the few rows that won only.
pub(super) fn hit(db: &Connection, scored: &Scored) -> rusqlite::Result<Hit> {
    let sql = "SELECT experience.run, experience.n, outcome, body, experience.digest FROM experience \
               JOIN events ON events.id = event WHERE row = ?";
    let mut statement = db.prepare_cached(sql)?;
    statement.query_row(params![scored.row], |row| {
        let body = row.get_ref(3)?.as_str()?;
        if !Sha256::digest(body).starts_with(row.get_ref(4)?.as_blob()?) {
            let fault = "a document is not what was written; `pithead verify` says which";
            return Err(rusqlite::Error::FromSqlConversionFailure(
                3,
                rusqlite::types::Type::Text,
                fault.into(),
            ));
        }
        let Brief { experience } = serde_json::from_str(body).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, error.into())
        })?;
        Ok(Hit {
            id: ExperienceId {
                run: RunId(row.get(0)?),
                n: row.get(1)?,
            },
            score: scored.psi,
            cosine: scored.cosine,
            delta: scored.delta,
            exact: scored.exact,
            success: row.get(2)?,
            summary: format!(
                "{}: {}",
                experience.action.condition, experience.diagnosis.summary
            ),
        })
    })
}
