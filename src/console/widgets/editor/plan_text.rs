//! A plan in the editor: read as an outline or as JSON, written in the other form, judged as the run will.

use super::{Editor, TextFault, TextFormat};
use crate::view::View;
use pithead_core::agent::verify::{self, KnownInRun};
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Guardrail, Status};
use pithead_core::domain::plan::note::{Note, Severity};
use pithead_core::domain::plan::{Plan, json, outline};
use pithead_core::text::json_place;
use pithead_world::ids::SubgoalId;

/// A plan that was read, what was noted, and where its steps stand.
pub(crate) struct ReadPlan {
    pub plan: Plan,
    pub notes: Vec<Note>,
    /// Of an outline only.
    lines: Vec<usize>,
}

pub(crate) fn read(text: &str, known: &Plan) -> Result<ReadPlan, TextFault> {
    if outline::is_json(text) {
        let (plan, notes) = json::parse_plan(text).map_err(|fault| TextFault {
            line: json_place::line_of(text, &fault.path),
            column: None,
            message: fault.to_string(),
        })?;
        let lines = Vec::new();
        return Ok(ReadPlan { plan, notes, lines });
    }
    let read = outline::parse_outline(text, known).map_err(|fault| TextFault {
        line: json_place::line_of(text, &fault.path),
        column: json_place::column_of(&fault.path),
        message: fault.because,
    })?;
    Ok(ReadPlan {
        plan: read.plan,
        notes: read.notes,
        lines: read.lines,
    })
}

impl ReadPlan {
    /// The line on which a step begins.
    fn line_of(&self, text: &str, id: SubgoalId) -> Option<usize> {
        let at = self.plan.subgoals.iter().position(|step| step.id == id)?;
        match self.lines.get(at) {
            Some(line) => Some(*line),
            None => json_place::line_of(text, &format!("subgoals[{at}].subgoal_id")),
        }
    }
}

/// The plan, unless the verifier finds an error in it.
pub(crate) fn judge(text: &str, read: ReadPlan, view: &View) -> Result<Plan, TextFault> {
    let verified = verify_plan(&read.plan, view);
    let notes = read.notes.iter().chain(&verified);
    let mut errors = notes.filter(|note| note.severity == Severity::Error);
    let Some(note) = errors.next() else {
        return Ok(read.plan);
    };
    let more = match errors.count() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    Err(TextFault {
        line: note.subgoal.and_then(|id| read.line_of(text, id)),
        column: None,
        message: format!("{}{more}", note.text),
    })
}

/// The verifier's word, from what the screen knows; the run itself judges again.
fn verify_plan(plan: &Plan, view: &View) -> Vec<Note> {
    let (Some(head), Some(frame)) = (&view.head, &view.frame) else {
        return Vec::new();
    };
    let active = view
        .knowledge
        .items
        .iter()
        .filter(|item| item.status == Status::Active);
    let entries = active.map(|item| &*item.entry);
    let lessons: Vec<Guardrail> = view
        .knowledge
        .lessons
        .iter()
        .map(|l| (**l).clone())
        .collect();
    let config = &head.config;
    let done = view.counts.subgoals_done as usize;
    let known = KnownInRun::new(config, entries, &view.knowledge.seen, done);
    let card = StateSummary::from_frame(frame);
    verify::verify(plan, &known.at(config, &card, &lessons))
}

impl Editor {
    /// The plan that the text stands for, and notes on it; a fault is shown where it is.
    pub(crate) fn plan_read(&mut self) -> Option<(Plan, Vec<Note>)> {
        match read(&self.text(), &self.known) {
            Ok(read) => Some((read.plan, read.notes)),
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }

    /// Writes a plan in its other form: as JSON, which says all of it, or as an outline. None if the text is no plan
    /// or has a fault, which is then shown.
    pub(crate) fn switch_form(&mut self) -> Option<&'static str> {
        if self.format != TextFormat::Plan {
            return None;
        }
        let is_json = outline::is_json(&self.text());
        let (plan, _) = self.plan_read()?;
        let text = match is_json {
            true => outline::outline_text(&plan),
            false => json::plan_text(&plan),
        };
        // What was written as JSON is not lost when the outline is read.
        self.known = plan;
        self.replace(&text);
        Some(match is_json {
            true => "one step in each line; reasons and citations are kept",
            false => "PlanJSON: all that the plan says",
        })
    }
}
