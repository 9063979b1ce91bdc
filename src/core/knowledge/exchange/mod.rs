//! Exchange: entries out of and into files of our own and of other programs' formats.
//!
//! Pure: texts in, drafts or a fault out; who reads files is the command line. What comes in is
//! untrusted. Invariant: a source gives all of its drafts or a fault that says file, line and field.

pub mod agent_skill;
pub mod jarvis;
pub mod mineevolve;
pub mod own;
mod own_parts;
mod phrases;
pub mod voyager;

use super::lint::LINE_CHARS_MAX;
use super::reading::place;
use crate::domain::knowledge::{Author, Body, Entry, Imported, Outcomes, Provenance, Status};
use crate::text::clean::without_hidden;
use crate::text::json_place;
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Longest file that is read.
pub const FILE_BYTES_MAX: u64 = 16 << 20;
/// Most files of one import: a library of skills is a folder each.
pub const FILES_MAX: usize = 2_000;
/// The same for our own form, whose entries are read one by one: a base of the most entries.
pub const OWN_FILE_BYTES_MAX: u64 = 256 << 20;
/// Most entries of one import.
pub const ENTRIES_MAX: usize = 5_000;
/// The same for our own form.
pub const OWN_ENTRIES_MAX: usize = 100_000;
/// Of an original that has no place in an entry, so much is kept.
const ORIGINAL_CHARS_MAX: usize = 8_192;
/// Confidence of what others learnt: nothing is known of it here.
const FRESH: f64 = 0.5;

/// A file, or the part of one that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportSource {
    /// Its path as it was given, for messages.
    pub path: String,
    pub text: String,
    /// The name of the folder it lies in.
    pub folder: String,
    /// Other files beside it that are not read.
    pub beside: Vec<String>,
}

impl ImportSource {
    /// Longer than files of other programs may be.
    fn is_long(&self) -> bool {
        self.text.len() as u64 > FILE_BYTES_MAX
    }

    fn name(&self) -> String {
        let last = self.path.rsplit(['/', '\\']).next();
        last.unwrap_or(&self.path).to_owned()
    }
}

/// Why a source does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFault {
    pub file: String,
    /// From 1; none if it is unknown.
    pub line: Option<usize>,
    /// Empty for the file as a whole.
    pub field: String,
    pub message: String,
}

impl std::fmt::Display for ImportFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if !self.field.is_empty() {
            write!(f, ", field {}", self.field)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Content that is to become an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub body: Body,
    /// The task it was learnt in, in words; may be empty.
    pub task: String,
    pub imported: Imported,
}

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeFormat {
    Own,
    AgentSkill,
    MineEvolve,
    Voyager,
    Jarvis,
}

impl ExchangeFormat {
    pub const ALL: [Self; 5] = [
        Self::Own,
        Self::AgentSkill,
        Self::MineEvolve,
        Self::Voyager,
        Self::Jarvis,
    ];

    /// As it is typed and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "pithead",
            Self::AgentSkill => "agent-skill",
            Self::MineEvolve => "mineevolve",
            Self::Voyager => "voyager",
            Self::Jarvis => "jarvis-1",
        }
    }

    /// Most entries that one import of it may have.
    #[must_use]
    pub fn entries_max(self) -> usize {
        match self {
            Self::Own => OWN_ENTRIES_MAX,
            Self::AgentSkill | Self::MineEvolve | Self::Voyager | Self::Jarvis => ENTRIES_MAX,
        }
    }

    /// What a file looks like; none if like nothing that is known.
    #[must_use]
    pub fn recognise(source: &ImportSource) -> Option<Self> {
        // The name first: such a file is Markdown and has no other mark.
        if source.name() == agent_skill::FILE {
            return Some(Self::AgentSkill);
        }
        // Only our own form may be longer, and reading it twice would cost much.
        if source.is_long() {
            return source.text.starts_with(own::HEAD).then_some(Self::Own);
        }
        if let Ok(value) = serde_json::from_str::<Value>(&source.text) {
            // Content before name: names are easily changed.
            return of_json(&value).or_else(|| by_name(source));
        }
        let is_own = source.text.contains(own::HEAD);
        is_own.then_some(Self::Own).or_else(|| by_name(source))
    }
}

impl std::str::FromStr for ExchangeFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is no format; one of {known}")
        })
    }
}

/// By what other programs call their files: so a damaged one is refused with its line, and not as unknown.
fn by_name(source: &ImportSource) -> Option<ExchangeFormat> {
    let is_list = source.text.trim_start().starts_with('[');
    match source.name().as_str() {
        "memory.json" => Some(ExchangeFormat::Jarvis),
        "remedies.json" => Some(ExchangeFormat::MineEvolve),
        // Two programs use this name for different forms.
        "skills.json" if is_list => Some(ExchangeFormat::MineEvolve),
        "skills.json" => Some(ExchangeFormat::Voyager),
        _ => None, // other names say nothing
    }
}

fn of_json(value: &Value) -> Option<ExchangeFormat> {
    match value {
        Value::Array(items) => {
            let first = items.first();
            let fits = |item: &Value| item.get("type").is_some() && item.get("u").is_some();
            // An empty list is one too: it holds no entries.
            first.is_none_or(fits).then_some(ExchangeFormat::MineEvolve)
        }
        Value::Object(fields) if fields.contains_key(own::HEAD) => Some(ExchangeFormat::Own),
        Value::Object(fields) => {
            let first = fields.values().next()?;
            // Some files keep a list per name; its first is looked at.
            let first = first.get(0).unwrap_or(first);
            if first.get("code").is_some() {
                Some(ExchangeFormat::Voyager)
            } else {
                first
                    .get("plan")
                    .is_some()
                    .then_some(ExchangeFormat::Jarvis)
            }
        }
        _ => None, // no format is a bare value
    }
}

/// What each entry of a source comes to; a fault of the source as a whole leaves none.
pub type EachDraft = Result<Vec<Result<Draft, ImportFault>>, ImportFault>;

/// Reads a source of a format, up to its first fault.
pub fn read_source(
    format: ExchangeFormat,
    source: &ImportSource,
) -> Result<Vec<Draft>, ImportFault> {
    read_each_draft(format, source)?.into_iter().collect()
}

/// Reads a source of a format, entry by entry: a fault in one of them hides none in another.
pub fn read_each_draft(format: ExchangeFormat, source: &ImportSource) -> EachDraft {
    if source.is_long() && format != ExchangeFormat::Own {
        let because = format!("it has more than {FILE_BYTES_MAX} bytes");
        return Err(fault(source, "", because));
    }
    let drafts = match format {
        ExchangeFormat::Own => own::each_draft(source)?,
        ExchangeFormat::AgentSkill => vec![agent_skill::read_draft(source)],
        ExchangeFormat::MineEvolve => mineevolve::each_draft(source)?,
        ExchangeFormat::Voyager => voyager::each_draft(source)?,
        ExchangeFormat::Jarvis => jarvis::each_draft(source)?,
    };
    // After every reader, so that none can forget it.
    Ok(drafts.into_iter().map(|of| of.map(cleaned)).collect())
}

/// The entry that a draft becomes: it waits for approval, and nothing of its record elsewhere counts.
#[must_use]
pub fn arrive(draft: Draft, id: KnowledgeId, now: Millis) -> Entry {
    let author = Author::Import(draft.imported.format.clone());
    Entry {
        id,
        version: 1,
        status: Status::Proposed,
        author,
        title: crate::domain::knowledge::title::title_of(&draft.body),
        body: draft.body,
        provenance: Provenance {
            run: None,
            task: draft.task,
            experiences: Vec::new(), // those of another database are not ours
            imported: Some(Box::new(draft.imported)),
        },
        outcomes: Outcomes::default(),
        confidence: FRESH,
        created: now,
        history: Vec::new(),
    }
}

fn cleaned(draft: Draft) -> Draft {
    let Draft {
        body,
        task,
        imported,
    } = draft;
    // By way of JSON, which reaches every text in it without a list of fields.
    let body = serde_json::to_value(&body)
        .ok()
        .and_then(|value| serde_json::from_value(clean_value(value)).ok())
        // Never met, since a body can be read back.
        .unwrap_or(body);
    let line =
        |text: &str| -> String { without_hidden(text).chars().take(LINE_CHARS_MAX).collect() };
    Draft {
        body,
        task: line(&task),
        imported: Imported {
            format: imported.format,
            source: line(&imported.source),
            name: line(&imported.name),
            label: imported.label.map(|label| line(&label)),
            original: imported.original.map(|text| {
                without_hidden(&text)
                    .chars()
                    .take(ORIGINAL_CHARS_MAX)
                    .collect()
            }),
        },
    }
}

fn clean_value(value: Value) -> Value {
    match value {
        // Hidden characters could carry instructions that no reviewer sees.
        Value::String(text) => Value::String(without_hidden(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(clean_value).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(key, value)| (key, clean_value(value)))
                .collect(),
        ),
        other => other,
    }
}

/// Reads a value as what it should be; a fault says where in the source it stands.
fn typed<T: DeserializeOwned>(
    value: &Value,
    at: &str,
    source: &ImportSource,
) -> Result<T, ImportFault> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let inner = place(error.path());
        let field = match (at, inner.as_str()) {
            (at, "") => at.to_owned(),
            ("", inner) => inner.to_owned(),
            (at, inner) if inner.starts_with('[') => format!("{at}{inner}"),
            (at, inner) => format!("{at}.{inner}"),
        };
        fault(source, &field, error.into_inner().to_string())
    })
}

fn fault(source: &ImportSource, field: &str, message: impl Into<String>) -> ImportFault {
    let json = source.text.trim_start().starts_with(['{', '[']);
    let line = if json {
        // Line numbers from 0 there, from 1 here.
        json_place::line_of(&source.text, field).map(|line| line + 1)
    } else {
        super::reading::line_of(&source.text, field)
    };
    ImportFault {
        file: source.path.clone(),
        line,
        field: field.to_owned(),
        message: without_hidden(&message.into()),
    }
}

/// The whole of a JSON source.
fn json(source: &ImportSource) -> Result<Value, ImportFault> {
    serde_json::from_str(&source.text).map_err(|error| ImportFault {
        file: source.path.clone(),
        line: Some(error.line()),
        field: String::new(),
        message: format!("it is no JSON: {error}"),
    })
}

fn too_many(source: &ImportSource, count: usize, max: usize) -> Result<(), ImportFault> {
    if count <= max {
        return Ok(());
    }
    Err(fault(
        source,
        "",
        format!("it holds {count} entries; at most {max} are taken at a time"),
    ))
}

#[cfg(test)]
mod tests;
