//! PlanJSON on the wire: reading of untrusted plans with the path of faults, and writing.
//!
//! Reading is strict on types and limits, lenient on spellings of released systems; whatever was
//! left out or unknown is reported in notes. Invariant: reading what was written gives the same plan.

mod checks;
mod fields;
mod graph;
mod subgoals;

pub(in crate::domain::plan) use checks::CHECKS_MAX;
pub(in crate::domain::plan) use subgoals::{TIMEOUT_MAX_S, default_timeout_s, usual_check};

use crate::domain::plan::Plan;
use crate::domain::plan::note::{About, Note, Severity};
use fields::Object;
use pithead_world::ids::SubgoalId;
use serde_json::Value;

/// Larger texts are refused before they are parsed.
pub const TEXT_MAX: usize = 1024 * 1024;
/// More subgoals than any plan needs; the same as the default of `Limits::plan_subgoals_max`.
pub const SUBGOALS_MAX: usize = 120;

/// Why a text is not a plan: where, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {because}")]
pub struct PlanFault {
    /// For example `subgoals[3].checks[0].count`; `line 3 column 5` for text that is not JSON.
    pub path: String,
    pub because: String,
}

/// Reads a plan that nobody vouches for.
pub fn parse_plan(text: &str) -> Result<(Plan, Vec<Note>), PlanFault> {
    let fault = |path: &str, because: String| PlanFault {
        path: path.to_owned(),
        because,
    };
    if text.len() > TEXT_MAX {
        return Err(fault(
            "plan",
            format!("at most {TEXT_MAX} bytes, found {}", text.len()),
        ));
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        fault(&place, format!("not JSON: {error}"))
    })?;
    plan_from_value(&value)
}

/// As `parse_plan`, of JSON that was parsed already.
pub fn plan_from_value(value: &Value) -> Result<(Plan, Vec<Note>), PlanFault> {
    let mut notes = Vec::new();
    let mut plan = Object::new("", value)?;
    let rows = plan.array("subgoals", 1, SUBGOALS_MAX)?;
    let ids = graph::name_all(&rows)?;
    let (mut subgoals, mut faults) = (Vec::with_capacity(rows.len()), Vec::new());
    for (row, id) in rows.iter().zip(ids.in_order()) {
        // Who is told of one fault at a time has to be asked once for each.
        match subgoals::read_subgoal(row, id, &ids, &mut notes) {
            Ok(subgoal) => subgoals.push(subgoal),
            Err(fault) => faults.push(fault),
        }
    }
    if let Some(fault) = joined(faults) {
        return Err(fault);
    }
    let read = Plan {
        plan_id: plan.text("plan_id")?.unwrap_or_else(|| "p_1".to_owned()),
        subgoals,
        global_constraints: plan.texts("global_constraints")?,
        explanation: plan.text("explanation")?,
        thoughts: plan.text("thoughts")?,
    };
    plan.report_unknown(None, &mut notes);
    Ok((read, notes))
}

/// Faults that are told at once; more are of the same sort.
const FAULTS_MAX: usize = 6;

/// All faults as one, with the path of the first.
fn joined(faults: Vec<PlanFault>) -> Option<PlanFault> {
    let more = faults.len().saturating_sub(FAULTS_MAX);
    let mut faults = faults.into_iter().take(FAULTS_MAX);
    let mut first = faults.next()?;
    for fault in faults {
        first.because += &format!("; {fault}");
    }
    if more > 0 {
        first.because += &format!("; and {more} more");
    }
    Some(first)
}

/// The plan as pretty JSON, as it is shown in the editor.
#[must_use]
pub fn plan_text(plan: &Plan) -> String {
    // A plan is plain data with text keys: there is nothing in it that JSON cannot hold.
    serde_json::to_string_pretty(plan).unwrap_or_default()
}

fn note(subgoal: Option<SubgoalId>, field: &str, text: String) -> Note {
    let about = About::UnknownField {
        field: field.to_owned(),
    };
    Note {
        severity: Severity::Warning,
        subgoal,
        about,
        text,
    }
}

#[cfg(test)]
pub(in crate::domain::plan) mod tests;
