//! The editor: a decision's content as text, and the way back from text to a verdict.
//!
//! Plans are outlines or, on demand, PlanJSON; knowledge is YAML. Invariant: no verdict comes out of a text that does
//! not read or does not pass; the fault names its line, and the cursor stays where it is.

pub(crate) mod draw;
mod plan_text;

use crate::view::View;
use crate::view::inbox::{Content, Open};
use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::plan::outline;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::knowledge::reading;
use pithead_core::text::clean::{clean_block, clean_line};
use pithead_engine::runtime::review::remarks;
use pithead_world::ids::KnowledgeId;
use ratatui::crossterm::event::KeyEvent;
use std::sync::Arc;
use tui_textarea::{CursorMove, TextArea};

/// A text being edited.
#[derive(Debug, Clone)]
pub struct Editor {
    pub title: String,
    pub format: TextFormat,
    /// The plan that the text is an edit of: steps keep from it what an outline does not say.
    known: Plan,
    /// The entry that the text is an edit of.
    pub entry: Option<Arc<Entry>>,
    pub area: TextArea<'static>,
    pub fault: Option<TextFault>,
    /// Leaving was asked for once although the text was changed.
    pub leaving: bool,
    original: Vec<String>,
}

/// What the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// An outline or PlanJSON: the text itself says which.
    Plan,
    Yaml,
}

/// What is wrong with the text, and where (from 0).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextFault {
    pub line: Option<usize>,
    /// Within the line, in characters.
    pub column: Option<usize>,
    pub message: String,
}

impl Editor {
    /// The content of a question as text; a reason if it has none that could be edited.
    pub fn open(open: &Open) -> Result<Self, String> {
        match &open.content {
            Content::Plan { proposal, .. } => Ok(Self::plan(&proposal.plan, open.title())),
            Content::Knowledge(entry) => {
                let text = yaml(&entry.body)?;
                let mut editor = Self::with_text(open.title(), TextFormat::Yaml, &text);
                editor.entry = Some(Arc::clone(entry));
                Ok(editor)
            }
            Content::Risk { .. } | Content::End { .. } | Content::Budget { .. } => Err(
                "there is nothing to edit here; approve it, or veto it with a reason".to_owned(),
            ),
            Content::Missing => Err("the content of this question is not known".to_owned()),
        }
    }

    /// A plan as an outline.
    #[must_use]
    pub fn plan(plan: &Plan, title: String) -> Self {
        let text = outline::outline_text(plan);
        let mut editor = Self::with_text(title, TextFormat::Plan, &text);
        editor.known = plan.clone();
        editor
    }

    /// An entry of the knowledge base as text, whatever gate it has passed.
    pub fn entry(entry: &Entry) -> Result<Self, String> {
        let title = format!("{} {} · {}", entry.body.kind(), entry.id, entry.title);
        let text = yaml(&entry.body)?;
        let mut editor = Self::with_text(title, TextFormat::Yaml, &text);
        editor.entry = Some(Arc::new(entry.clone()));
        Ok(editor)
    }

    fn with_text(title: String, format: TextFormat, text: &str) -> Self {
        let lines: Vec<String> = clean_block(text).lines().map(str::to_owned).collect();
        Self {
            title,
            format,
            known: Plan::default(),
            entry: None,
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

    /// Takes over a text that was written elsewhere; undo brings back the one before.
    pub fn replace(&mut self, text: &str) {
        self.area.select_all();
        self.area
            .insert_str(clean_block(text).trim_end_matches('\n'));
        self.area.move_cursor(CursorMove::Top);
        (self.fault, self.leaving) = (None, false);
    }

    /// What the text is called.
    #[must_use]
    pub fn format_name(&self) -> &'static str {
        match self.format {
            TextFormat::Plan if outline::is_json(&self.text()) => "PlanJSON",
            TextFormat::Plan => "one step in each line",
            TextFormat::Yaml => "YAML",
        }
    }

    /// The ending of a file that holds it; editors know it by that.
    #[must_use]
    pub fn ending(&self) -> &'static str {
        match self.format {
            TextFormat::Plan if outline::is_json(&self.text()) => "json",
            TextFormat::Plan => "txt",
            TextFormat::Yaml => "yaml",
        }
    }

    /// Takes the last change back, or makes it again; false if there is none.
    pub fn undo(&mut self, again: bool) -> bool {
        (self.fault, self.leaving) = (None, false);
        let turn = |area: &mut TextArea<'static>| match again {
            true => area.redo(),
            false => area.undo(),
        };
        let turned = turn(&mut self.area);
        // A text that was replaced as a whole was empty in between.
        if turned && self.area.is_empty() {
            turn(&mut self.area);
        }
        turned
    }

    /// Moves to the fault, if there is one with a place.
    pub fn go_to_fault(&mut self) -> bool {
        let fault = self.fault.as_ref();
        let place = fault.and_then(|fault| Some((fault.line?, fault.column.unwrap_or(0))));
        let Some((line, column)) = place else {
            return false;
        };
        let within = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let place = CursorMove::Jump(within(line), within(column));
        self.area.move_cursor(place);
        true
    }

    /// The text was read and is not taken all the same.
    pub fn refuse(&mut self, because: &str) {
        self.fault = Some(TextFault {
            message: clean_line(because),
            ..TextFault::default()
        });
    }

    /// The body that the text stands for beside these entries, and what lint says of it short of
    /// errors; a fault is shown at its line.
    pub fn body(&mut self, id: KnowledgeId, base: &[Arc<Entry>]) -> Option<(Body, Vec<String>)> {
        let base: Vec<Entry> = base.iter().map(|entry| (**entry).clone()).collect();
        match read_body(&self.text(), Some(id), &base) {
            Ok(read) => Some(read),
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }

    /// True if the text reads as this body.
    #[must_use]
    pub fn says(&self, body: &Body) -> bool {
        reading::body(&self.text()).is_ok_and(|read| read == *body)
    }

    /// The entry as the text has it, if that is a guardrail other than the saved one.
    #[must_use]
    pub fn edited_guardrail(&self) -> Option<Entry> {
        let saved = self.entry.as_ref().filter(|_| self.is_changed())?;
        let body = reading::body(&self.text()).ok()?;
        let is_other = matches!(body, Body::Guardrail(_)) && body != saved.body;
        is_other.then(|| Entry {
            body,
            ..(**saved).clone()
        })
    }

    /// The verdict that the text stands for; a fault is shown at its line.
    pub fn verdict(&mut self, view: &View) -> Option<Verdict> {
        let text = self.text();
        let read = match self.format {
            TextFormat::Plan => plan_text::read(&text, &self.known)
                .and_then(|read| plan_text::judge(&text, read, view))
                .map(Verdict::EditPlan),
            TextFormat::Yaml => {
                read_body(&text, None, &[]).map(|(body, _)| Verdict::EditKnowledge(body))
            }
        };
        match read {
            Ok(verdict) => Some(verdict),
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }
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
        column: None,
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
            column: None,
            message: said(&remark.path, &remark.message),
        }),
    }
}
