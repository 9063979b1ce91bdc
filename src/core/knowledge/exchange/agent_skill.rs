//! Agent Skills: a folder with a `SKILL.md`, YAML in front and Markdown behind (agentskills.io).
//!
//! Our fields travel in `metadata`, as strings; what others wrote becomes a note. Files beside it are
//! named and not read. Invariant: what is written is valid by the published rules.

use super::{Draft, ExchangeFormat, ImportFault, ImportSource, own, typed};
use crate::domain::knowledge::title;
use crate::domain::knowledge::{Body, Entry, Imported, TextNote};
use crate::knowledge::attempt_tree;
use crate::text::clean::without_hidden;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

pub const FILE: &str = "SKILL.md";
const NAME_CHARS_MAX: usize = 64;
const DESCRIPTION_CHARS_MAX: usize = 1_024;
const COMPATIBILITY_CHARS_MAX: usize = 500;
/// Our key in `metadata` that holds the whole entry as JSON.
const ENTRY: &str = "pithead-entry";

/// A folder to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    pub name: String,
    /// The text of its `SKILL.md`.
    pub text: String,
}

#[derive(Serialize, Deserialize)]
struct Front {
    name: String,
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compatibility: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    metadata: BTreeMap<String, String>,
    #[serde(
        default,
        rename = "allowed-tools",
        skip_serializing_if = "Option::is_none"
    )]
    allowed_tools: Option<Value>,
}

/// The entry as a folder.
pub fn write(entry: &Entry) -> Result<Folder, String> {
    let name = name_of(entry);
    let whole = serde_json::to_string(entry).map_err(|error| error.to_string())?;
    let fields = [
        ("pithead-id", entry.id.to_string()),
        ("pithead-kind", entry.body.kind().to_owned()),
        ("pithead-version", entry.version.to_string()),
        ("pithead-status", entry.status.name().to_owned()),
        ("pithead-author", entry.author.to_string()),
        ("pithead-confidence", format!("{:.3}", entry.confidence)),
        (ENTRY, whole),
    ];
    let front = Front {
        name: name.clone(),
        description: description(entry),
        license: None,
        compatibility: Some("Knowledge of a Minecraft agent, kept by pithead".to_owned()),
        metadata: fields.map(|(key, value)| (key.to_owned(), value)).into(),
        allowed_tools: None,
    };
    let yaml = serde_saphyr::to_string(&front).map_err(|error| error.to_string())?;
    let text = format!("---\n{}\n---\n\n{}", yaml.trim_end(), instructions(entry));
    Ok(Folder { name, text })
}

/// `k1-3-mine-iron-ore`: the id, so that no two are the same, and words for people.
fn name_of(entry: &Entry) -> String {
    let words = format!("{} {}", entry.id, title::title_of(&entry.body)).to_lowercase();
    let parts = words.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    let joined = parts
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let cut: String = joined.chars().take(NAME_CHARS_MAX).collect();
    cut.trim_end_matches('-').to_owned()
}

fn description(entry: &Entry) -> String {
    let title = title::title_of(&entry.body);
    let when = match &entry.body {
        Body::Skill(skill) => format!("Use when {} is wanted and {}", skill.goal, skill.requires),
        Body::Guardrail(rail) => format!(
            "Use before {} when {}",
            title::pattern(&rail.forbid),
            rail.trigger
        ),
        Body::TaskGuardrail(rail) => format!("Use when planning {}", title::task_scope(rail)),
        Body::Rule(rule) => format!("Use when {}", rule.when),
        Body::ReferencePlan(plan) => format!("Use when {} is wanted", plan.goal),
        Body::Note(note) => note.about.clone(),
    };
    let text = without_hidden(&format!("{title}. {when}.")).replace(['\n', '\t'], " ");
    text.chars().take(DESCRIPTION_CHARS_MAX).collect()
}

fn instructions(entry: &Entry) -> String {
    let mut text = format!("# {}\n\n", title::title_of(&entry.body).replace('\n', " "));
    let mut list = |head: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text += &format!("## {head}\n\n");
            for (n, line) in (1..).zip(lines) {
                text += &format!("{n}. {}\n", line.replace('\n', " "));
            }
            text.push('\n');
        }
    };
    let steps = |steps: &[crate::domain::plan::Subgoal]| steps.iter().map(|s| s.label()).collect();
    let remedies = |all: &[crate::domain::knowledge::Remedy]| {
        all.iter().map(title::remedy).collect::<Vec<_>>()
    };
    match &entry.body {
        Body::Skill(skill) => {
            list("Needs", vec![skill.requires.to_string()]);
            list("Steps", steps(&skill.steps));
            let done = skill.success.iter().map(|check| check.describe());
            list("Done when", done.collect());
        }
        Body::Guardrail(rail) => {
            list("When", vec![rail.trigger.to_string()]);
            list("Do not", vec![title::pattern(&rail.forbid)]);
            list("First", remedies(&rail.recovery));
            list("Otherwise", vec![rail.avoid.clone()]);
        }
        Body::TaskGuardrail(rail) => {
            list("First", remedies(&rail.missing));
            list("Otherwise", vec![rail.deadlock.clone()]);
            list(
                "Seen in",
                attempt_tree::ends_line(rail).into_iter().collect(),
            );
        }
        Body::Rule(rule) => list("Requires", vec![rule.required()]),
        Body::ReferencePlan(plan) => list("Steps", steps(&plan.steps)),
        Body::Note(note) => {
            let fence = note.language.as_deref().map_or(String::new(), |language| {
                format!("```{language}\n{}\n```\n", note.text)
            });
            text += if note.language.is_some() {
                &fence
            } else {
                &note.text
            };
        }
    }
    text
}

/// Reads a `SKILL.md`.
pub(super) fn read_draft(source: &ImportSource) -> Result<Draft, ImportFault> {
    let text = source
        .text
        .trim_start_matches('\u{FEFF}')
        .replace("\r\n", "\n");
    let split = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"));
    let Some((front, rest)) = split else {
        return Err(fault_in_field(
            source,
            Some(1),
            "",
            "it does not begin with YAML between two lines of `---`",
        ));
    };
    let front: Front = front_matter(front, source)?;
    check(&front, source)?;
    if let Some(entry) = front.metadata.get(ENTRY) {
        let field = format!("metadata.{ENTRY}");
        let value: Value = serde_json::from_str(entry).map_err(|error| {
            fault_in_field(source, None, &field, &format!("it is no JSON: {error}"))
        })?;
        let entry = own::entry(&value, &field, source)?;
        return Ok(own::draft(entry, source));
    }
    let text = rest.split_once('\n').map_or("", |(_, body)| body).trim();
    let beside = (!source.beside.is_empty()).then(|| {
        format!(
            "other files of the folder, not imported: {}",
            source.beside.join(", ")
        )
    });
    Ok(Draft {
        body: Body::Note(TextNote {
            name: front.name.clone(),
            about: front.description,
            text: text.to_owned(),
            language: None,
        }),
        task: String::new(),
        imported: Imported {
            format: ExchangeFormat::AgentSkill.name().to_owned(),
            source: source.folder.clone(),
            name: front.name,
            label: None,
            original: beside,
        },
    })
}

fn front_matter(front: &str, source: &ImportSource) -> Result<Front, ImportFault> {
    let value: Value = serde_saphyr::from_str(front).map_err(|error| {
        let error = error.without_snippet();
        let line = error.location().map(|at| at.line());
        // The fence is the first line of the file.
        let line = line
            .and_then(|line| usize::try_from(line).ok())
            .map(|n| n + 1);
        fault_in_field(
            source,
            line,
            "",
            &format!("its front matter is no YAML: {error}"),
        )
    })?;
    typed(&textual(value), "", source)
}

/// In `metadata` every value is a string; `version: 1.0` is meant as one.
fn textual(mut value: Value) -> Value {
    if let Some(Value::Object(fields)) = value.get_mut("metadata") {
        for field in fields.values_mut() {
            if matches!(field, Value::Number(_) | Value::Bool(_)) {
                *field = Value::String(field.to_string());
            }
        }
    }
    value
}

/// The published rules.
fn check(front: &Front, source: &ImportSource) -> Result<(), ImportFault> {
    let refuse = |field: &str, message: String| {
        let line = super::super::reading::line_of(&source.text, field);
        Err(fault_in_field(source, line, field, &message))
    };
    let name = &front.name;
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || !name.chars().all(allowed) {
        return refuse(
            "name",
            format!("`{name}` is not 1 to {NAME_CHARS_MAX} of a-z, 0-9 and -"),
        );
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return refuse(
            "name",
            format!("`{name}` begins or ends with a hyphen, or has two in a row"),
        );
    }
    if *name != source.folder {
        return refuse(
            "name",
            format!(
                "`{name}` is not the name of its folder, `{}`",
                source.folder
            ),
        );
    }
    let length = front.description.chars().count();
    if front.description.trim().is_empty() || length > DESCRIPTION_CHARS_MAX {
        return refuse(
            "description",
            format!("it has {length} characters; 1 to {DESCRIPTION_CHARS_MAX} are allowed"),
        );
    }
    let compatibility = front
        .compatibility
        .as_ref()
        .map(|text| text.chars().count());
    if let Some(length @ (0 | COMPATIBILITY_OVER..)) = compatibility {
        return refuse(
            "compatibility",
            format!("it has {length} characters; 1 to {COMPATIBILITY_CHARS_MAX} are allowed"),
        );
    }
    Ok(())
}

const COMPATIBILITY_OVER: usize = COMPATIBILITY_CHARS_MAX + 1;

fn fault_in_field(
    source: &ImportSource,
    line: Option<usize>,
    field: &str,
    message: &str,
) -> ImportFault {
    ImportFault {
        file: source.path.clone(),
        line,
        field: field.to_owned(),
        message: without_hidden(message),
    }
}
