//! Outlines: a plan as a short text, one line for each step; a step needs the one it is indented under.
//!
//! The grammar is in docs/FORMATS.md, "Plans as outlines". Words, citations and assertions are not in an outline:
//! a step keeps them from the plan that the outline was made of. Invariant: an outline that was not changed gives
//! that plan again.

mod keep;
mod line;
mod read;
#[cfg(test)]
mod tests;
mod words;

use crate::domain::plan::json::{self, PlanFault};
use crate::domain::plan::note::Note;
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::ids::SubgoalId;
pub use read::parse_outline;
use std::collections::BTreeSet;

/// Steps are not indented further than this many times: what needs more names what it needs.
const DEPTH_MAX: usize = 8;
const INDENT: usize = 2;
const HEAD: &str = "# One step in each line. A step needs the one that it is indented under, and those after `after`.";

/// A plan that was read, and where its steps stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    pub plan: Plan,
    pub notes: Vec<Note>,
    /// The line of each step, from 0.
    pub lines: Vec<usize>,
}

/// Whether a text is a plan in JSON; else it is an outline.
#[must_use]
pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads a plan in either form; `known` is the plan that it may be an edit of.
pub fn parse_either(text: &str, known: &Plan) -> Result<(Plan, Vec<Note>), PlanFault> {
    if is_json(text) {
        return json::parse_plan(text);
    }
    parse_outline(text, known).map(|outline| (outline.plan, outline.notes))
}

/// The plan as an outline.
#[must_use]
pub fn outline_text(plan: &Plan) -> String {
    let mut text = format!("{HEAD}\n");
    // The steps that the next line may be indented under, outermost first.
    let mut above: Vec<SubgoalId> = Vec::new();
    for step in &plan.subgoals {
        let reach = above.len().min(DEPTH_MAX - 1);
        let under = above[..reach]
            .iter()
            .rposition(|id| step.needs.contains(id));
        above.truncate(under.map_or(0, |at| at + 1));
        let named = named_needs(step, above.last().copied());
        let indent = " ".repeat(above.len() * INDENT);
        text += &format!("{indent}{}\n", line::written(step, &named));
        above.push(step.id);
    }
    text
}

/// What the step needs besides the one that it is indented under, each once.
fn named_needs(step: &Subgoal, under: Option<SubgoalId>) -> Vec<SubgoalId> {
    let mut told: BTreeSet<SubgoalId> = under.into_iter().collect();
    let needs = step.needs.iter().copied();
    needs.filter(|id| told.insert(*id)).collect()
}
