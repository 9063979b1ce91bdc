//! The editor: a decision's content as text, and the way back from text to a verdict.
//!
//! Plans are PlanJSON, knowledge is YAML. Invariant: no verdict comes out of a text that does not
//! read or does not pass; the fault names its line.

use super::clean;
use super::view::View;
use super::view::inbox::{Content, Open};
use crate::agent::verify;
use crate::domain::decision::Verdict;
use crate::domain::knowledge::{Body, Entry, Guardrail, Status};
use crate::domain::note::{Note, Severity};
use crate::domain::plan::Plan;
use crate::domain::plan_json;
use crate::domain::state_card::StateCard;
use crate::ids::DecisionId;
use crate::knowledge::{lint, reading};
use tui_textarea::{CursorMove, TextArea};

/// A text being edited.
#[derive(Debug, Clone)]
pub struct Editor {
    pub decision: DecisionId,
    pub title: String,
    pub format: Format,
    pub area: TextArea<'static>,
    pub fault: Option<Fault>,
    /// Leaving was asked for once although the text was changed.
    pub leaving: bool,
    original: Vec<String>,
}

/// What the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    PlanJson,
    Yaml,
}

impl Format {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PlanJson => "PlanJSON",
            Self::Yaml => "YAML",
        }
    }
}

/// What is wrong with the text, and in which line (from 0).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub line: Option<usize>,
    pub message: String,
}

impl Editor {
    /// The content of a question as text; a reason if it has none that could be edited.
    pub fn open(open: &Open) -> Result<Self, String> {
        let (format, text) = match &open.content {
            Content::Plan { proposal, .. } => (Format::PlanJson, plan_json::write(&proposal.plan)),
            Content::Knowledge(entry) => (
                Format::Yaml,
                serde_saphyr::to_string(&entry.body)
                    .map_err(|fault| format!("this entry cannot be written as YAML: {fault}"))?,
            ),
            Content::Risk { .. } | Content::End { .. } | Content::Budget { .. } => {
                return Err(
                    "there is nothing to edit here; approve it, or veto it with a reason"
                        .to_owned(),
                );
            }
            Content::Missing => return Err("the content of this question is not known".to_owned()),
        };
        Ok(Self::of(open.question.id, open.title(), format, &text))
    }

    /// A plan as text, about which nothing is to be decided.
    #[must_use]
    pub fn plan(plan: &Plan, title: String) -> Self {
        let text = plan_json::write(plan);
        Self::of(DecisionId(0), title, Format::PlanJson, &text)
    }

    fn of(decision: DecisionId, title: String, format: Format, text: &str) -> Self {
        let lines: Vec<String> = clean::block(text).lines().map(str::to_owned).collect();
        let mut area = TextArea::new(lines.clone());
        area.set_cursor_line_style(ratatui::style::Style::new());
        area.set_line_number_style(ratatui::style::Style::new());
        Self {
            decision,
            title,
            format,
            area,
            fault: None,
            leaving: false,
            original: lines,
        }
    }

    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.area.lines() != self.original
    }

    #[must_use]
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// The verdict that the text stands for; a fault is shown at its line.
    pub fn verdict(&mut self, view: &View) -> Option<Verdict> {
        let text = self.text();
        let read = match self.format {
            Format::PlanJson => read_plan(&text, view).map(Verdict::EditPlan),
            Format::Yaml => read_body(&text).map(Verdict::EditKnowledge),
        };
        match read {
            Ok(verdict) => Some(verdict),
            Err(fault) => {
                if let Some(line) = fault.line.and_then(|line| u16::try_from(line).ok()) {
                    self.area.move_cursor(CursorMove::Jump(line, 0));
                }
                self.fault = Some(fault);
                None
            }
        }
    }
}

fn read_plan(text: &str, view: &View) -> Result<Plan, Fault> {
    let (plan, notes) = plan_json::read(text).map_err(|fault| Fault {
        line: crate::domain::locate::line_of(text, &fault.path),
        message: fault.to_string(),
    })?;
    let notes = notes.into_iter().chain(judge(&plan, view));
    let mut errors = notes.filter(|note| note.severity == Severity::Error);
    match errors.next() {
        None => Ok(plan),
        Some(note) => {
            let more = match errors.count() {
                0 => String::new(),
                n => format!(" (and {n} more)"),
            };
            let line = note
                .subgoal
                .and_then(|id| crate::domain::locate::line_of_subgoal(text, &plan, id));
            Err(Fault {
                line,
                message: format!("{}{more}", note.text),
            })
        }
    }
}

/// The verifier's word, from what the screen knows; the run itself judges again.
fn judge(plan: &Plan, view: &View) -> Vec<Note> {
    let (Some(head), Some(frame)) = (&view.head, &view.frame) else {
        return Vec::new();
    };
    let active = view
        .knowledge
        .items
        .iter()
        .filter(|item| item.status == Status::Active);
    let knowledge: Vec<Entry> = active.map(|item| (*item.entry).clone()).collect();
    let lessons: Vec<Guardrail> = view
        .knowledge
        .lessons
        .iter()
        .map(|l| (**l).clone())
        .collect();
    let config = &head.config;
    let card = StateCard::of(frame);
    verify::verify(
        plan,
        &config.task,
        &card,
        &knowledge,
        &lessons,
        &config.limits,
    )
}

fn read_body(text: &str) -> Result<Body, Fault> {
    let body = reading::body(text).map_err(|fault| Fault {
        line: fault.line.map(|line| line.saturating_sub(1)),
        message: clean::line(&fault.to_string()),
    })?;
    // What cannot be meant does not leave the editor; the command line can insist.
    let remarks = lint::lint(&body, None, &[]);
    match remarks.iter().find(|r| r.severity == Severity::Error) {
        None => Ok(body),
        Some(remark) => Err(Fault {
            line: reading::line_of(text, &remark.path).map(|line| line.saturating_sub(1)),
            message: clean::line(&format!("{}: {}", remark.path, remark.message)),
        }),
    }
}
