//! Finding: where in an answer the object stands, past reasoning, fences and prose.

use super::lenient::{self, Stop};
use super::wrapping::unwrap;
use super::{QUOTED_MAX, Repairs, ReplyFault, ReplyShape};
use crate::text::clean::clean_excerpt;
use serde_json::Value;

/// Tags in which models think aloud.
const TAGS: [&str; 5] = ["think", "thinking", "thought", "reasoning", "analysis"];
/// Objects looked at in one answer; prose in braces is rare.
const OBJECTS_MAX: usize = 64;
/// Openings that begin a refusal.
const REFUSALS: [&str; 12] = [
    "i can't",
    "i cannot",
    "i can not",
    "i'm sorry",
    "i am sorry",
    "sorry",
    "i won't",
    "i'm unable",
    "i am unable",
    "as an ai",
    "i must decline",
    "unfortunately, i",
];

/// The answer after its reasoning. Tags inside the object itself are its own affair.
pub(super) fn without_reasoning<'a>(
    text: &'a str,
    repairs: &mut Repairs,
) -> Result<&'a str, ReplyFault> {
    let mut body = text.trim_start_matches('\u{feff}').trim();
    for tag in TAGS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        if body.starts_with(&open) {
            // An object may stand in the reasoning: only what comes after counts.
            let Some(end) = body.find(&close) else {
                return Err(ReplyFault::OnlyReasoning);
            };
            body = body[end + close.len()..].trim_start();
            repairs.note("reasoning before the answer left out");
        } else if let Some(end) = body.find(&close)
            && body.find('{').is_none_or(|brace| brace < end)
            && !body[..end].contains(&open)
        {
            // Some chat templates write the opening tag themselves.
            body = body[end + close.len()..].trim_start();
            repairs.note("reasoning before the answer left out");
        }
    }
    if body.is_empty() {
        return Err(
            if text
                .trim_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
                .is_empty()
            {
                ReplyFault::Empty
            } else {
                ReplyFault::OnlyReasoning
            },
        );
    }
    Ok(body)
}

/// The one object in the text that is wanted.
pub(super) fn object(
    text: &str,
    wanted: ReplyShape,
    repairs: &mut Repairs,
) -> Result<Value, ReplyFault> {
    let (found, first_fault) = candidates(text, wanted);
    let mut fitting: Vec<(Value, Repairs)> = Vec::new();
    let mut foreign = false;
    for candidate in found {
        match unwrap(candidate.value, wanted) {
            Some((value, how)) => {
                let mut done = candidate.repairs;
                how.into_iter().for_each(|what| done.note(what));
                if candidate.amid {
                    done.note("text around the object left out");
                }
                // The same object twice, as in a draft and its repetition, is one answer.
                if !fitting.iter().any(|(known, _)| *known == value) {
                    fitting.push((value, done));
                }
            }
            None => foreign = true,
        }
    }
    match fitting.len() {
        1 => {
            let (value, done) = fitting.remove(0);
            repairs.merge(done);
            Ok(value)
        }
        0 => Err(match first_fault {
            Some(fault) => fault,
            None if foreign => ReplyFault::Foreign {
                what: wanted.what,
                keys: wanted.keys,
            },
            None => without_object(text),
        }),
        count => Err(ReplyFault::Several {
            count,
            what: wanted.what,
        }),
    }
}

fn without_object(text: &str) -> ReplyFault {
    let opening = text.trim().to_lowercase().replace('’', "'");
    if REFUSALS.iter().any(|refusal| opening.starts_with(refusal)) {
        ReplyFault::Refusal(clean_excerpt(text, QUOTED_MAX))
    } else {
        ReplyFault::NoObject(clean_excerpt(text, QUOTED_MAX))
    }
}

struct Candidate {
    value: Value,
    repairs: Repairs,
    /// There is other text before or after it.
    amid: bool,
}

/// Everything in the text that reads as an object or list, left to right, and the fault of the
/// first that looked like one and did not.
fn candidates(text: &str, wanted: ReplyShape) -> (Vec<Candidate>, Option<ReplyFault>) {
    let mut found = Vec::new();
    let mut fault = None;
    let mut at = 0;
    for _ in 0..OBJECTS_MAX {
        let Some(start) = next_start(text, at, wanted) else {
            break;
        };
        match lenient::read_value(text, start) {
            Ok(read) => {
                let before = text[at..start].trim();
                let after = text[read.end..].trim();
                let bare = |rest: &str| rest.trim_matches(['`', ';', '\n', ' ']).is_empty();
                let fenced = before.trim_start_matches('`').trim();
                let amid =
                    !(bare(after) && (bare(before) || matches!(fenced, "json" | "JSON" | "json5")));
                found.push(Candidate {
                    value: read.value,
                    repairs: read.repairs,
                    amid,
                });
                at = read.end;
            }
            Err(stop) => {
                if looks_meant(text, start) {
                    fault.get_or_insert_with(|| syntax(text, &stop));
                }
                // What stands inside an object that cannot be read is not the answer: a plan must
                // not be taken from its own middle.
                match stop.resume {
                    Some(end) => at = end,
                    None => at = start + 1,
                }
                if fault.is_some() {
                    break;
                }
            }
        }
    }
    // A readable object beside an unreadable one that was meant: which of them counts is not clear.
    (if fault.is_some() { Vec::new() } else { found }, fault)
}

/// The next place at which a value may begin: a brace, or a bracket or quote as the very first thing.
fn next_start(text: &str, from: usize, wanted: ReplyShape) -> Option<usize> {
    let rest = text.get(from..)?;
    let brace = rest.find('{').map(|at| from + at);
    let head = rest.trim_start_matches(['`', '\n', ' ']);
    let head = head.strip_prefix("json").unwrap_or(head).trim_start();
    let is_list = head.starts_with('[') && (wanted.list.is_some() || head.contains('{'));
    if from == 0 && (is_list || head.starts_with('"')) {
        return Some(text.len() - head.len());
    }
    brace
}

/// Prose in braces is no attempt at JSON; an opening with a key is.
fn looks_meant(text: &str, start: usize) -> bool {
    let rest = text[start + 1..].trim_start();
    rest.starts_with(['"', '\'', '“', '{', '[', '}', '/', '#'])
        || rest.split_once(':').is_some_and(|(key, _)| {
            !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
        || rest.is_empty()
}

fn syntax(text: &str, stop: &Stop) -> ReplyFault {
    let before = &text[..stop.at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    ReplyFault::Syntax {
        line,
        column,
        because: stop.because.clone(),
    }
}
