//! Our own form: YAML of whole entries, for people and for moving a base.
//!
//! Invariant: reading what was written gives the same entries, in all fields.

use super::{Draft, ExchangeFormat, ImportFault, ImportSource, fault, too_many, typed};
use crate::domain::knowledge::kind::EntryKind;
use crate::domain::knowledge::{
    Body, Entry, Guardrail, Imported, ReferencePlan, Rule, Skill, TaskGuardrail, TextNote,
};
use serde::Serialize;
use serde_json::Value;

/// The field by which a file is known as ours; its value is the version of the form.
pub const HEAD: &str = "pithead_knowledge";
const VERSION: u64 = 1;

#[derive(Serialize)]
struct File<'a> {
    pithead_knowledge: u64,
    entries: &'a [Entry],
}

/// The entries as a file.
pub fn write(entries: &[Entry]) -> Result<String, String> {
    let file = File {
        pithead_knowledge: VERSION,
        entries,
    };
    serde_saphyr::to_string(&file).map_err(|error| error.to_string())
}

/// The entries of a file, as they were.
pub fn read_entries(source: &ImportSource) -> Result<Vec<Entry>, ImportFault> {
    let file: Value = serde_saphyr::from_str(&source.text).map_err(|error| {
        let error = error.without_snippet();
        let line = error.location().map(|at| at.line());
        ImportFault {
            file: source.path.clone(),
            line: line.and_then(|line| usize::try_from(line).ok()),
            field: String::new(),
            message: format!("it is no YAML: {error}"),
        }
    })?;
    match file.get(HEAD).and_then(Value::as_u64) {
        Some(VERSION) => (),
        Some(other) => {
            return Err(fault(
                source,
                HEAD,
                format!("version {other} is not known; this program reads {VERSION}"),
            ));
        }
        None => {
            return Err(fault(
                source,
                "",
                format!("it has no `{HEAD}: {VERSION}` and is no file of ours"),
            ));
        }
    }
    let Some(Value::Array(entries)) = file.get("entries") else {
        return Err(fault(source, "entries", "a list of entries is missing"));
    };
    too_many(source, entries.len())?;
    let each = entries.iter().enumerate();
    each.map(|(at, value)| entry(value, &format!("entries[{at}]"), source))
        .collect()
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

pub(super) fn drafts(source: &ImportSource) -> Result<Vec<Draft>, ImportFault> {
    let entries = read_entries(source)?;
    Ok(entries.into_iter().map(|e| draft(e, source)).collect())
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
