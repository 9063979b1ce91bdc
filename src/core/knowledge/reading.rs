//! Reading the body of an entry that someone wrote: a fault says on which line, at which field.
//!
//! YAML, of which JSON is a part. Invariant: a field that is not understood is a fault, for a misspelt
//! part of a pattern would make a guardrail forbid more than was meant.

use crate::domain::knowledge::Body;
use crate::domain::knowledge::kind::EntryKind;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// Longest text that is read.
/// 1 MiB. Entries are a few kilobytes; a larger text is a wrong file.
pub const TEXT_BYTES_MAX: usize = 1 << 20;

/// Why a text is no body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyFault {
    /// From 1; none if it is unknown.
    pub line: Option<usize>,
    /// For example `recovery[1].have.count`; empty for the text as a whole.
    /// Dots and brackets as in the text itself, so that it can be searched for.
    pub path: String,
    pub message: String,
}

impl std::fmt::Display for BodyFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

const KINDS: &str = "skill, guardrail, task_guardrail, rule, reference_plan or note";

/// Reads a body.
pub fn body(text: &str) -> Result<Body, BodyFault> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(whole(format!("it is longer than {TEXT_BYTES_MAX} bytes")));
    }
    let given: Value = typed(text)?;
    // Each kind is read by itself: read as one of many, a fault would have lost its place.
    // serde reads a tagged enum through a buffer that knows no lines.
    let Some(name) = given.get("kind").and_then(Value::as_str) else {
        return Err(whole(format!("it has no `kind`; one of {KINDS}")));
    };
    let kind: EntryKind = name
        .parse()
        .map_err(|_| fault_at(text, "kind", format!("`{name}` is no kind; one of {KINDS}")))?;
    let body = match kind {
        EntryKind::Skill => Body::Skill(typed(text)?),
        EntryKind::Guardrail => Body::Guardrail(typed(text)?),
        EntryKind::TaskGuardrail => Body::TaskGuardrail(typed(text)?),
        EntryKind::Rule => Body::Rule(typed(text)?),
        EntryKind::ReferencePlan => Body::ReferencePlan(typed(text)?),
        EntryKind::Note => Body::Note(typed(text)?),
    };
    // Written out again and compared: what is not in the result was not understood.
    let taken = serde_json::to_value(&body).map_err(|error| whole(error.to_string()))?;
    match foreign(&given, &taken, "") {
        None => Ok(body),
        Some(path) => Err(fault_at(text, &path, "there is no such field".to_owned())),
    }
}

fn whole(message: String) -> BodyFault {
    BodyFault {
        line: None,
        path: String::new(),
        message,
    }
}

fn fault_at(text: &str, path: &str, message: String) -> BodyFault {
    BodyFault {
        line: line_of(text, path),
        path: path.to_owned(),
        message,
    }
}

fn typed<T: DeserializeOwned>(text: &str) -> Result<T, BodyFault> {
    let mut path = String::new();
    let read = serde_saphyr::with_deserializer_from_str(text, |de| {
        serde_path_to_error::deserialize(de).map_err(|error| {
            path = place(error.path());
            error.into_inner()
        })
    });
    read.map_err(|error| {
        let error = error.without_snippet();
        let message = message(&error.to_string());
        let said = error.location().map(|at| at.line());
        // The reader's own line is the last resort: it may point to the end of a block.
        let said = said.and_then(|line| usize::try_from(line).ok());
        // What was put aside before it was read has lost its place: it is looked for.
        let line = value_line(text, &path, &message)
            .or_else(|| line_of(text, &path))
            .or(said.filter(|line| *line > 0));
        let message = match line.and_then(|line| text.lines().nth(line - 1)) {
            // The reader of numbers does not quote what it found.
            // Its message for a number that does not fit names only the type.
            Some(given) if message.starts_with("invalid ") && !message.contains(['`', '"']) => {
                let value = given.split_once(": ").map_or(given, |(_, value)| value);
                format!(
                    "expected a whole number that fits, found `{}`",
                    value.trim()
                )
            }
            _ => message,
        };
        BodyFault {
            line,
            path,
            message,
        }
    })
}

/// A place in what was written, as far as it is known: what is read by its tag first has lost the rest.
#[must_use]
pub(crate) fn place(path: &Path) -> String {
    let known = path
        .iter()
        .take_while(|part| !matches!(part, Segment::Unknown));
    known.fold(String::new(), |place, part| match part {
        Segment::Seq { .. } => format!("{place}{part}"),
        _ if place.is_empty() => part.to_string(),
        _ => format!("{place}.{part}"),
    })
}

/// Without the place, which is distinguished from it.
fn message(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    // Two libraries, two ways to write the place.
    let cut = first.find(" at line ").or_else(|| first.find(": line "));
    cut.map_or(first, |at| &first[..at]).to_owned()
}

/// The line below a path on which the value stands that a message quotes.
fn value_line(text: &str, path: &str, message: &str) -> Option<usize> {
    let value = message
        .split('`')
        .nth(1)
        .or_else(|| message.split('"').nth(1))?;
    let from = line_of(text, path).unwrap_or(1);
    let mut lines = text.lines().enumerate().skip(from - 1);
    let found = lines.find(|(_, line)| {
        let given = line.split_once(": ").map_or(*line, |(_, given)| given);
        given.trim().trim_matches(['"', '\'', ',']) == value
    });
    found.map(|(at, _)| at + 1)
}

/// A field of `given` that is not in what was taken from it, and is not empty.
fn foreign(given: &Value, taken: &Value, path: &str) -> Option<String> {
    let join = |key: &str| {
        let dot = if path.is_empty() { "" } else { "." };
        format!("{path}{dot}{key}")
    };
    match (given, taken) {
        (Value::Object(given), Value::Object(taken)) => {
            given.iter().find_map(|(key, value)| match taken.get(key) {
                Some(known) => foreign(value, known, &join(key)),
                // An empty field that is not known says nothing and does no harm.
                None if is_empty(value) => None,
                None => Some(join(key)),
            })
        }
        (Value::Array(given), Value::Array(taken)) => {
            let mut both = given.iter().zip(taken).enumerate();
            both.find_map(|(at, (given, taken))| foreign(given, taken, &format!("{path}[{at}]")))
        }
        // A condition in words, for example, was taken as its structure.
        // A text that stands for a structure cannot be compared field by field.
        _ => None,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The line (from 1) on which the longest known part of a path stands in a block of YAML or JSON.
#[must_use]
pub fn line_of(text: &str, path: &str) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut from, mut until, mut found) = (0, lines.len(), None);
    // One step of the path at a time, each within the block of the one before.
    for step in path.split('.').filter(|step| !step.is_empty()) {
        let (key, index) = step.split_once('[').map_or((step, None), |(key, at)| {
            (key, at.trim_end_matches(']').parse::<usize>().ok())
        });
        let Some(at) = (from..until).find(|at| is_key(lines[*at], key)) else {
            break;
        };
        found = Some(at);
        until = end_of(&lines, at, until);
        from = at;
        if let Some(index) = index {
            let mut items = (at + 1..until).filter(|at| lines[*at].trim_start().starts_with("- "));
            let first = items.next();
            let depth = first.map(|at| indent(lines[at]));
            // Items of a nested list are indented further and do not count.
            let same = |at: &usize| Some(indent(lines[*at])) == depth;
            let item = first.into_iter().chain(items).filter(same).nth(index);
            let Some(item) = item else {
                break;
            };
            found = Some(item);
            until = end_of(&lines, item, until);
            from = item;
        }
    }
    found.map(|at| at + 1)
}

fn is_key(line: &str, key: &str) -> bool {
    let line = line
        .trim_start()
        .trim_start_matches("- ")
        .trim_start_matches('{');
    let line = line.trim_start().trim_start_matches('"');
    line.strip_prefix(key)
        .is_some_and(|rest| rest.trim_start_matches('"').starts_with(':'))
}

/// Where the block that begins at a line ends: the next line that is no deeper. Items of a list may
/// stand as far out as its key.
fn end_of(lines: &[&str], at: usize, until: usize) -> usize {
    let depth = indent(lines[at]);
    let is_item = lines[at].trim_start().starts_with("- ");
    let ends = |line: &str| {
        let dash = line.trim_start().starts_with("- ");
        !line.trim().is_empty()
            // YAML allows the dashes of a list at the column of its key.
            && (indent(line) < depth || (indent(line) == depth && (is_item || !dash)))
    };
    (at + 1..until).find(|at| ends(lines[*at])).unwrap_or(until)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::entry;

    const GOOD: &str = "kind: guardrail\ntrigger: \"inv stick < 8\"\nforbid:\n  kind: craft\n  target: furnace\n\
                        avoid: no sticks\nrecovery:\n- have:\n    item: stick\n    count: 8\n- go_below:\n    y: 12\nreason: TOOL_MISSING\n";

    #[test]
    fn a_body_is_read_and_what_was_written_is_read_back() {
        assert_eq!(body(GOOD).unwrap().kind(), "guardrail");
        let known = entry(1, 1, "stone").body;
        let yaml = serde_saphyr::to_string(&known).unwrap();
        assert_eq!(body(&yaml).unwrap(), known);
        let json = serde_json::to_string_pretty(&known).unwrap();
        assert_eq!(body(&json).unwrap(), known);
    }

    #[test]
    fn a_fault_says_its_line() {
        for (from, to, line, word) in [
            ("count: 8", "count: many", 10, "many"),
            ("count: 8", "count: -8", 10, "8"),
            ("item: stick", "item: stik", 9, "stick"),
            ("inv stick < 8", "inv stick < x", 2, "number"),
            ("y: 12", "y: deep", 12, "deep"),
            (
                "  target: furnace",
                "  tragets: furnace",
                5,
                "no such field",
            ),
            ("kind: craft", "kind: krafft", 4, "krafft"),
            ("kind: guardrail", "kind: gard", 1, "task_guardrail"),
            ("reason: TOOL_MISSING", "reason: BAD", 13, "BAD"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            let fault = body(&text).unwrap_err();
            assert_eq!(fault.line, Some(line), "{to}: {fault}");
            assert!(fault.message.contains(word), "{to}: {fault}");
            assert!(!fault.path.contains('?'), "{to}: {fault}");
        }
        let fault = body(&GOOD.replacen("stick < 8", "stick < x", 1)).unwrap_err();
        assert_eq!(fault.path, "trigger");
        assert!(body("").is_err());
        assert!(body("[1, 2]").is_err());
        assert!(body("kind: note\nname: [").is_err());
    }
}
