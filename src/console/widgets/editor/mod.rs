//! The editor: a decision's content as text, and the way back from text to a verdict.
//!
//! Plans are PlanJSON, knowledge is YAML. Invariant: no verdict comes out of a text that does not
//! read or does not pass; the fault names its line.

pub(crate) mod draw;

use crate::view::View;
use crate::view::inbox::{Content, Open};
use pithead_core::agent::verify::{self, KnownInRun};
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Body, Entry, Guardrail, Status};
use pithead_core::domain::plan::note::{Note, Severity};
use pithead_core::domain::plan::{Plan, json};
use pithead_core::domain::run::decision::Verdict;
use pithead_core::knowledge::reading;
use pithead_core::text::clean::{clean_block, clean_line};
use pithead_core::text::json_place;
use pithead_engine::runtime::review::remarks;
use pithead_world::ids::{KnowledgeId, SubgoalId};
use ratatui::crossterm::event::KeyEvent;
use std::sync::Arc;
use tui_textarea::{CursorMove, TextArea};

/// A text being edited.
#[derive(Debug, Clone)]
pub struct Editor {
    pub title: String,
    pub format: TextFormat,
    pub area: TextArea<'static>,
    pub fault: Option<TextFault>,
    /// Leaving was asked for once although the text was changed.
    pub leaving: bool,
    original: Vec<String>,
}

/// What the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    PlanJson,
    Yaml,
}

impl TextFormat {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PlanJson => "PlanJSON",
            Self::Yaml => "YAML",
        }
    }

    /// The ending of a file that holds it; editors know it by that.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::PlanJson => "json",
            Self::Yaml => "yaml",
        }
    }
}

/// What is wrong with the text, and in which line (from 0).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFault {
    pub line: Option<usize>,
    pub message: String,
}

impl Editor {
    /// The content of a question as text; a reason if it has none that could be edited.
    pub fn open(open: &Open) -> Result<Self, String> {
        let (format, text) = match &open.content {
            Content::Plan { proposal, .. } => {
                (TextFormat::PlanJson, json::plan_text(&proposal.plan))
            }
            Content::Knowledge(entry) => (TextFormat::Yaml, yaml(&entry.body)?),
            Content::Risk { .. } | Content::End { .. } | Content::Budget { .. } => {
                return Err(
                    "there is nothing to edit here; approve it, or veto it with a reason"
                        .to_owned(),
                );
            }
            Content::Missing => return Err("the content of this question is not known".to_owned()),
        };
        Ok(Self::with_text(open.title(), format, &text))
    }

    /// A plan as text, about which nothing is to be decided.
    #[must_use]
    pub fn plan(plan: &Plan, title: String) -> Self {
        let text = json::plan_text(plan);
        Self::with_text(title, TextFormat::PlanJson, &text)
    }

    /// An entry of the knowledge base as text, whatever gate it has passed.
    pub fn entry(entry: &Entry) -> Result<Self, String> {
        let title = format!("{} {} · {}", entry.body.kind(), entry.id, entry.title);
        let text = yaml(&entry.body)?;
        Ok(Self::with_text(title, TextFormat::Yaml, &text))
    }

    fn with_text(title: String, format: TextFormat, text: &str) -> Self {
        let lines: Vec<String> = clean_block(text).lines().map(str::to_owned).collect();
        Self {
            title,
            format,
            area: area(lines.clone()),
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

    /// Why it stays open when it is asked to close: of a changed text that is asked for twice.
    pub fn stays_open(&mut self) -> Option<&'static str> {
        let stays = self.is_changed() && !self.leaving;
        self.leaving = stays;
        stays.then_some("the text was changed; esc again leaves it unsaved")
    }

    /// Takes a key. What the editor does not know changes nothing.
    pub fn typed(&mut self, key: KeyEvent) {
        self.leaving = false;
        if self.area.input(key) {
            self.fault = None;
        }
    }

    /// Takes over a text that was written elsewhere.
    pub fn replace(&mut self, text: &str) {
        self.area = area(clean_block(text).lines().map(str::to_owned).collect());
        (self.fault, self.leaving) = (None, false);
    }

    /// The text was read and is not taken all the same.
    pub fn refuse(&mut self, because: &str) {
        self.fault = Some(TextFault {
            line: None,
            message: clean_line(because),
        });
    }

    /// The body that the text stands for beside these entries, and what lint says of it short of
    /// errors; a fault is shown at its line.
    pub fn body(&mut self, id: KnowledgeId, base: &[Arc<Entry>]) -> Option<(Body, Vec<String>)> {
        let base: Vec<Entry> = base.iter().map(|entry| (**entry).clone()).collect();
        match read_body(&self.text(), Some(id), &base) {
            Ok(read) => Some(read),
            Err(fault) => {
                self.show(fault);
                None
            }
        }
    }

    /// True if the text reads as this body.
    #[must_use]
    pub fn says(&self, body: &Body) -> bool {
        reading::body(&self.text()).is_ok_and(|read| read == *body)
    }

    fn show(&mut self, fault: TextFault) {
        if let Some(line) = fault.line.and_then(|line| u16::try_from(line).ok()) {
            self.area.move_cursor(CursorMove::Jump(line, 0));
        }
        self.fault = Some(fault);
    }

    /// The verdict that the text stands for; a fault is shown at its line.
    pub fn verdict(&mut self, view: &View) -> Option<Verdict> {
        let text = self.text();
        let read = match self.format {
            TextFormat::PlanJson => read_plan(&text, view).map(Verdict::EditPlan),
            TextFormat::Yaml => {
                read_body(&text, None, &[]).map(|(body, _)| Verdict::EditKnowledge(body))
            }
        };
        match read {
            Ok(verdict) => Some(verdict),
            Err(fault) => {
                self.show(fault);
                None
            }
        }
    }
}

/// The line on which a node of the plan begins.
fn line_of_subgoal(text: &str, plan: &Plan, id: SubgoalId) -> Option<usize> {
    let at = plan.subgoals.iter().position(|subgoal| subgoal.id == id)?;
    json_place::line_of(text, &format!("subgoals[{at}].subgoal_id"))
}

fn read_plan(text: &str, view: &View) -> Result<Plan, TextFault> {
    let (plan, notes) = json::parse_plan(text).map_err(|fault| TextFault {
        line: json_place::line_of(text, &fault.path),
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
            let line = note.subgoal.and_then(|id| line_of_subgoal(text, &plan, id));
            Err(TextFault {
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

fn area(lines: Vec<String>) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_cursor_line_style(ratatui::style::Style::new());
    area.set_line_number_style(ratatui::style::Style::new());
    area
}

fn yaml(body: &Body) -> Result<String, String> {
    serde_saphyr::to_string(body)
        .map_err(|fault| format!("this entry cannot be written as YAML: {fault}"))
}

/// A body and what is to be said of it, short of errors.
fn read_body(
    text: &str,
    id: Option<KnowledgeId>,
    base: &[Entry],
) -> Result<(Body, Vec<String>), TextFault> {
    let said = |path: &str, message: &str| match path {
        "" => clean_line(message),
        path => clean_line(&format!("{path}: {message}")),
    };
    // The line is told beside the message.
    let body = reading::body(text).map_err(|fault| TextFault {
        line: fault.line.map(|line| line.saturating_sub(1)),
        message: said(&fault.path, &fault.message),
    })?;
    // What cannot be meant does not leave the editor; the command line can insist.
    let remarks = remarks(&body, id, base, Some(text));
    match remarks.iter().find(|r| r.severity == Severity::Error) {
        None => {
            let each = remarks.iter().map(|r| said(&r.path, &r.message));
            Ok((body, each.collect()))
        }
        Some(remark) => Err(TextFault {
            line: remark.line.map(|line| line.saturating_sub(1)),
            message: said(&remark.path, &remark.message),
        }),
    }
}
