//! Reading an outline: lines, ids, and what each step needs.

use super::line::{self, Line};
use super::words::Words;
use super::{Outline, keep};
use crate::domain::plan::json::{PlanFault, SUBGOALS_MAX, TEXT_MAX};
use crate::domain::plan::{Plan, Subgoal, label};
use pithead_world::ids::SubgoalId;
use std::collections::BTreeSet;

/// A step as its line has it, and where.
#[derive(Debug)]
struct Row {
    line: Line,
    id: SubgoalId,
    at: usize,
    /// The step that it is indented under.
    under: Option<SubgoalId>,
}

/// Reads an outline that nobody vouches for. What it does not say is taken from the steps of `known`.
pub fn parse_outline(text: &str, known: &Plan) -> Result<Outline, PlanFault> {
    let whole = |because: String| PlanFault {
        path: "plan".to_owned(),
        because,
    };
    if text.len() > TEXT_MAX {
        let because = format!("at most {TEXT_MAX} bytes, found {}", text.len());
        return Err(whole(because));
    }
    let rows = name_rows(read_lines(text)?, known)?;
    if rows.is_empty() {
        return Err(whole(
            "expected at least one step, such as `mine oak_log ×4`".to_owned(),
        ));
    }
    let ids: BTreeSet<SubgoalId> = rows.iter().map(|row| row.id).collect();
    let lines = rows.iter().map(|row| row.at).collect();
    let steps = rows.into_iter().map(|row| step_of(row, &ids));
    let steps = steps.collect::<Result<Vec<Subgoal>, _>>()?;
    let (plan, notes) = keep::kept(steps, known);
    Ok(Outline { plan, notes, lines })
}

/// A line that was read, its number and how far it is indented.
type Indented = (Line, usize, usize);

fn read_lines(text: &str) -> Result<Vec<Indented>, PlanFault> {
    let mut read = Vec::new();
    for (at, text) in text.lines().enumerate() {
        let content = text.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let mut words = Words::of(at, text);
        let indent = words.column() - 1;
        if read.len() == SUBGOALS_MAX {
            let because = format!("expected at most {SUBGOALS_MAX} steps");
            return Err(words.fault(indent + 1, &because));
        }
        read.push((line::read(&mut words)?, at, indent));
    }
    Ok(read)
}

/// Gives every line its id, and the step that it is indented under.
fn name_rows(read: Vec<Indented>, known: &Plan) -> Result<Vec<Row>, PlanFault> {
    let said = read.iter().filter_map(|(line, ..)| line.id);
    let there = known.subgoals.iter().map(|step| step.id);
    // Above all that are known: an id that a finished step has had is not given again.
    let mut last = said.chain(there).max().unwrap_or_default();
    let mut used = BTreeSet::new();
    let mut above: Vec<(usize, SubgoalId)> = Vec::new();
    let mut rows = Vec::with_capacity(read.len());
    for (line, at, indent) in read {
        let id = match line.id {
            Some(id) => id,
            None => fresh(&mut last, at)?,
        };
        if !used.insert(id) {
            return Err(fault_at(
                at,
                indent + 1,
                &format!("{id} stands in two lines"),
            ));
        }
        while above.last().is_some_and(|(other, _)| *other >= indent) {
            above.pop();
        }
        let under = above.last().map(|(_, id)| *id);
        above.push((indent, id));
        rows.push(Row {
            line,
            id,
            at,
            under,
        });
    }
    Ok(rows)
}

fn fresh(last: &mut SubgoalId, at: usize) -> Result<SubgoalId, PlanFault> {
    let next = last.0.checked_add(1).map(SubgoalId);
    *last = next.ok_or_else(|| fault_at(at, 1, "there is no id left for a new step; name it"))?;
    Ok(*last)
}

fn fault_at(line: usize, column: usize, because: &str) -> PlanFault {
    PlanFault {
        path: format!("line {} column {column}", line + 1),
        because: because.to_owned(),
    }
}

fn step_of(row: Row, ids: &BTreeSet<SubgoalId>) -> Result<Subgoal, PlanFault> {
    let Row {
        line,
        id,
        at,
        under,
    } = row;
    for (named, column) in line.after.iter().chain(&line.parent) {
        if !ids.contains(named) {
            return Err(fault_at(
                at,
                *column,
                &format!("no line has the step {named}"),
            ));
        }
        if *named == id {
            return Err(fault_at(at, *column, "a step cannot come after itself"));
        }
    }
    let mut told = BTreeSet::new();
    let needs = under
        .into_iter()
        .chain(line.after.iter().map(|(id, _)| *id));
    Ok(Subgoal {
        id,
        condition: label(line.executor, &line.goal, &line.checks),
        task_kind: line.kind,
        executor_hint: line.executor,
        mode: line.mode,
        timeout_s: line.timeout_s,
        checks: line.checks,
        needs: needs.filter(|id| told.insert(*id)).collect(),
        parent: line.parent.map(|(id, _)| id),
        alternatives: line.alternatives,
        goal: line.goal,
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    })
}
