//! Voyager's skill library: `skills.json`, names with program text and a description.
//!
//! Programs are kept as text and never run; each becomes a note.

use super::{
    Draft, EachDraft, ExchangeFormat, ImportFault, ImportSource, fault, json, too_many, typed,
};
use crate::domain::knowledge::{Body, Imported, TextNote};
use serde::Deserialize;
use serde_json::Value;

/// The two fields of the format that mean anything here; others are passed over.
#[derive(Deserialize)]
struct Skill {
    code: String,
    description: String,
}

pub(super) fn each_draft(source: &ImportSource) -> EachDraft {
    let Value::Object(skills) = json(source)? else {
        return Err(fault(
            source,
            "",
            "a skill library is an object of skills by name",
        ));
    };
    too_many(source, skills.len(), super::ENTRIES_MAX)?;
    let skills = skills.into_iter();
    Ok(skills
        .map(|(name, value)| draft(name, &value, source))
        .collect())
}

fn draft(name: String, value: &Value, source: &ImportSource) -> Result<Draft, ImportFault> {
    let skill: Skill = typed(value, &name, source)?;
    Ok(Draft {
        body: Body::Note(TextNote {
            about: described(&skill.description),
            text: skill.code,
            language: Some("javascript".to_owned()),
            // The name is the key of the object, not a field.
            name: name.clone(),
        }),
        task: String::new(),
        imported: Imported {
            format: ExchangeFormat::Voyager.name().to_owned(),
            source: source.name(),
            name,
            label: None,
            original: None,
        },
    })
}

/// Descriptions are written as a program that is all comment; what counts is the comment.
fn described(description: &str) -> String {
    let comment = description
        .lines()
        .filter_map(|line| line.trim().strip_prefix("//"));
    let words: Vec<&str> = comment.map(str::trim).collect();
    if words.is_empty() {
        description.trim().to_owned()
    } else {
        words.join(" ")
    }
}
