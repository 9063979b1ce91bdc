//! Our own form: YAML of whole entries, for people and for moving a base.
//!
//! Invariant: reading what was written gives the same entries, in all fields.

use super::own_parts::{self as parts, Parts};
use super::{
    Draft, EachDraft, ExchangeFormat, ImportFault, ImportSource, OWN_ENTRIES_MAX, fault, too_many,
    typed,
};
use crate::domain::experience::shared_options::{ORIGINS_MAX, OptionsOfOrigin};
use crate::domain::knowledge::kind::EntryKind;
use crate::domain::knowledge::{
    Body, Entry, Guardrail, Imported, ReferencePlan, Rule, Skill, TaskGuardrail, TextNote,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The field by which a file is known as ours; its value is the version of the form.
pub const HEAD: &str = "pithead_knowledge";
const VERSION: u64 = 1;
/// Up to this length a file is read in one piece, in whatever way its YAML is written. What is longer is read
/// entry by entry, so that the reader's bounds (nodes, depth, aliases) hold for each entry and not for a base.
const WHOLE_BYTES_MAX: usize = 1 << 20;
/// An entry has some kilobytes.
const ENTRY_BYTES_MAX: usize = 1 << 20;

/// Options stand before the entries, so that a long file can be taken apart at its entries.
#[derive(Serialize)]
struct File<'a> {
    pithead_knowledge: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    options: &'a [OptionsOfOrigin],
    entries: &'a [Entry],
}

/// The entries as a file.
pub fn write(entries: &[Entry]) -> Result<String, String> {
    write_base(entries, &[])
}

/// The entries as a file, with what was tried in their database and in those that it knows of.
pub fn write_base(entries: &[Entry], options: &[OptionsOfOrigin]) -> Result<String, String> {
    let file = File {
        pithead_knowledge: VERSION,
        options,
        entries,
    };
    serde_saphyr::to_string(&file).map_err(|error| error.to_string())
}

/// The options of a file, none if it has none; they are untrusted and refused if no attempts can have shown them.
pub fn read_options(source: &ImportSource) -> Result<Vec<OptionsOfOrigin>, ImportFault> {
    let parts = (source.text.len() > WHOLE_BYTES_MAX)
        .then(|| parts::split_entries(&source.text))
        .flatten();
    let head = parts.map_or(source.text.as_str(), |parts| parts.head);
    let file: Value = yaml(source, head, 0)?;
    check_version(source, &file)?;
    let Some(options) = file.get("options") else {
        return Ok(Vec::new());
    };
    let Value::Array(options) = options else {
        return Err(fault(source, "options", "it is not a list"));
    };
    too_many(source, options.len(), ORIGINS_MAX)?;
    let each = options.iter().enumerate();
    each.map(|(at, value)| {
        let field = format!("options[{at}]");
        let options: OptionsOfOrigin = typed(value, &field, source)?;
        match options.fault() {
            None => Ok(options),
            Some(because) => Err(fault(source, &field, because)),
        }
    })
    .collect()
}

/// What each entry of a file comes to.
type EachEntry = Result<Vec<Result<Entry, ImportFault>>, ImportFault>;

/// The entries of a file, as they were.
pub fn read_entries(source: &ImportSource) -> Result<Vec<Entry>, ImportFault> {
    each_entry(source)?.into_iter().collect()
}

fn each_entry(source: &ImportSource) -> EachEntry {
    let parts = (source.text.len() > WHOLE_BYTES_MAX)
        .then(|| parts::split_entries(&source.text))
        .flatten();
    match parts {
        Some(parts) => read_parts(source, &parts),
        None => read_whole(source),
    }
}

fn read_whole(source: &ImportSource) -> EachEntry {
    let file: Value = yaml(source, &source.text, 0)?;
    check_version(source, &file)?;
    let Some(Value::Array(entries)) = file.get("entries") else {
        return Err(fault(source, "entries", "a list of entries is missing"));
    };
    too_many(source, entries.len(), OWN_ENTRIES_MAX)?;
    let each = entries.iter().enumerate();
    Ok(each
        .map(|(at, value)| entry(value, &format!("entries[{at}]"), source))
        .collect())
}

pub(super) fn read_parts(source: &ImportSource, parts: &Parts<'_>) -> EachEntry {
    check_version(source, &yaml(source, parts.head, 0)?)?;
    too_many(source, parts.entries.len(), OWN_ENTRIES_MAX)?;
    let each = parts.entries.iter().enumerate();
    let read = |(at, (line, text)): (usize, &(usize, &str))| {
        let field = format!("entries[{at}]");
        if text.len() > ENTRY_BYTES_MAX {
            let because = format!("it has more than {ENTRY_BYTES_MAX} bytes");
            return Err(at_line(source, *line, &field, because));
        }
        // By itself it is a list of one.
        match yaml::<Value>(source, text, *line)? {
            Value::Array(one) if one.len() == 1 => entry(&one[0], &field, source),
            _ => Err(at_line(
                source,
                *line,
                &field,
                "it is not one entry".to_owned(),
            )),
        }
    };
    Ok(each.map(read).collect())
}

/// A part of the file that begins after so many lines.
fn yaml<T: DeserializeOwned>(
    source: &ImportSource,
    text: &str,
    lines_before: usize,
) -> Result<T, ImportFault> {
    serde_saphyr::from_str(text).map_err(|error| {
        let error = error.without_snippet();
        let line = error.location().map(|at| at.line());
        let line = line.and_then(|line| usize::try_from(line).ok());
        ImportFault {
            file: source.path.clone(),
            line: line.map(|line| line + lines_before),
            field: String::new(),
            message: format!("it is no YAML: {error}"),
        }
    })
}

fn at_line(
    source: &ImportSource,
    lines_before: usize,
    field: &str,
    message: String,
) -> ImportFault {
    ImportFault {
        file: source.path.clone(),
        line: Some(lines_before + 1),
        field: field.to_owned(),
        message,
    }
}

fn check_version(source: &ImportSource, file: &Value) -> Result<(), ImportFault> {
    match file.get(HEAD).and_then(Value::as_u64) {
        Some(VERSION) => Ok(()),
        Some(other) => Err(fault(
            source,
            HEAD,
            format!("version {other} is not known; this program reads {VERSION}"),
        )),
        None => Err(fault(
            source,
            "",
            format!("it has no `{HEAD}: {VERSION}` and is no file of ours"),
        )),
    }
}

/// One entry. Its body is read by kind, for a fault in one of many kinds has no place.
pub(super) fn entry(value: &Value, at: &str, source: &ImportSource) -> Result<Entry, ImportFault> {
    let Some(body) = value.get("body") else {
        return Err(fault(source, at, "it has no `body`"));
    };
    self::body(body, &format!("{at}.body"), source)?;
    typed(value, at, source)
}

fn body(value: &Value, at: &str, source: &ImportSource) -> Result<Body, ImportFault> {
    let Some(name) = value.get("kind").and_then(Value::as_str) else {
        return Err(fault(source, at, "it has no `kind`"));
    };
    let kind: EntryKind = name.parse().map_err(|_| {
        let field = format!("{at}.kind");
        fault(source, &field, format!("`{name}` is no kind of entry"))
    })?;
    Ok(match kind {
        EntryKind::Skill => Body::Skill(typed::<Skill>(value, at, source)?),
        EntryKind::Guardrail => Body::Guardrail(typed::<Guardrail>(value, at, source)?),
        EntryKind::TaskGuardrail => Body::TaskGuardrail(typed::<TaskGuardrail>(value, at, source)?),
        EntryKind::Rule => Body::Rule(typed::<Rule>(value, at, source)?),
        EntryKind::ReferencePlan => Body::ReferencePlan(typed::<ReferencePlan>(value, at, source)?),
        EntryKind::Note => Body::Note(typed::<TextNote>(value, at, source)?),
    })
}

pub(super) fn each_draft(source: &ImportSource) -> EachDraft {
    let entries = each_entry(source)?.into_iter();
    Ok(entries.map(|of| of.map(|e| draft(e, source))).collect())
}

/// What another base's entry brings: its content, and where it was.
pub(super) fn draft(entry: Entry, source: &ImportSource) -> Draft {
    let imported = entry.provenance.imported.map(|known| *known);
    let imported = imported.unwrap_or_else(|| Imported {
        format: ExchangeFormat::Own.name().to_owned(),
        source: source.name(),
        name: entry.id.to_string(),
        label: None,
        original: None,
    });
    Draft {
        body: entry.body,
        task: entry.provenance.task,
        imported,
    }
}
