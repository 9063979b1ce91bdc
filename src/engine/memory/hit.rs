//! Hits: what is shown of a row that recall has found; the only place that reads documents.

use pithead_core::domain::check::Check;
use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::mended::{Mended, change_between};
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{ExperienceId, RunId};
use pithead_world::item::ItemId;
use pithead_world::space::Pos;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// A row with its ψ and the parts of it.
pub(super) struct Scored {
    pub(super) row: u64,
    pub(super) psi: f64,
    pub(super) cosine: f64,
    pub(super) delta: f64,
    pub(super) exact: bool,
}

/// As much of a document as a hit needs.
#[derive(Deserialize)]
struct Document {
    experience: Brief,
}

#[derive(Deserialize)]
struct Brief {
    pre: StateSummary,
    action: BriefAction,
    diagnosis: BriefDiagnosis,
    post: StateSummary,
}

#[derive(Deserialize)]
struct BriefAction {
    condition: String,
    #[serde(default)]
    checks: Vec<Check>,
    goal: BriefGoal,
}

#[derive(Deserialize)]
struct BriefGoal {
    #[serde(default)]
    object: Option<ItemSpec>,
}

#[derive(Deserialize)]
struct BriefDiagnosis {
    summary: String,
    #[serde(default)]
    reason: Option<FailureReason>,
    confidence: f64,
    delta: BriefDelta,
}

#[derive(Deserialize)]
struct BriefDelta {
    #[serde(default)]
    inventory: BTreeMap<ItemId, i64>,
}

/// A row with its document.
struct Found {
    id: ExperienceId,
    success: bool,
    h_cond: i64,
    near: i64,
    brief: Brief,
}

const SELECT: &str = "SELECT experience.run, experience.n, outcome, h_cond, near, body, experience.digest \
                      FROM experience JOIN events ON events.id = event";

/// The document is read for the few rows that won only. Places are told of the world of `seed` only.
pub(super) fn hit(db: &Connection, scored: &Scored, seed: Option<u64>) -> rusqlite::Result<Hit> {
    let sql = format!("{SELECT} WHERE row = ?");
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_row(params![scored.row], found)?;
    let mended = if found.success {
        None
    } else {
        mended(db, &found)?
    };
    let Brief {
        pre,
        action,
        diagnosis,
        post,
    } = found.brief;
    let is_here = |seed: u64| cell(seed, pre.position) == found.near;
    Ok(Hit {
        id: found.id,
        score: scored.psi,
        cosine: scored.cosine,
        delta: scored.delta,
        exact: scored.exact,
        success: found.success,
        summary: format!("{}: {}", action.condition, diagnosis.summary),
        target: action.goal.object,
        reason: diagnosis.reason,
        confidence: diagnosis.confidence,
        checks: action.checks,
        at: seed.filter(|seed| is_here(*seed)).map(|_| post.position),
        inv_delta: diagnosis.delta.inventory,
        ticks: post.tick.saturating_sub(pre.tick),
        mended,
    })
}

/// As the row holds it: the cell tells worlds apart, so no second column has to.
fn cell(seed: u64, at: Pos) -> i64 {
    Cells::containing(seed, at).near.cast_signed()
}

/// The next success of the same run with the same aim.
fn mended(db: &Connection, failed: &Found) -> rusqlite::Result<Option<Mended>> {
    let sql = format!(
        "{SELECT} WHERE experience.run = ? AND experience.n > ? AND h_cond = ? AND outcome = 1 \
         ORDER BY experience.n LIMIT 1"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let key = params![failed.id.run.0, failed.id.n, failed.h_cond];
    let done = statement.query_row(key, found).optional()?;
    Ok(done.map(|done| Mended {
        by: done.id,
        change: change_between(&failed.brief.pre, &done.brief.pre),
    }))
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    let body = row.get_ref(5)?.as_str()?;
    if !Sha256::digest(body).starts_with(row.get_ref(6)?.as_blob()?) {
        let fault = "a document is not what was written; `pithead verify` says which";
        return Err(unreadable(fault.into()));
    }
    let Document { experience } =
        serde_json::from_str(body).map_err(|error| unreadable(error.into()))?;
    Ok(Found {
        id: ExperienceId {
            run: RunId(row.get(0)?),
            n: row.get(1)?,
        },
        success: row.get(2)?,
        h_cond: row.get(3)?,
        near: row.get(4)?,
        brief: experience,
    })
}

fn unreadable(why: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(5, Type::Text, why)
}
