//! Reading: the answers of the mind, found leniently and validated strictly.
//!
//! Invariant: an answer leaves here as a valid value or as one fault, and every repair is an event.

#[cfg(test)]
mod answers_tests;
pub(super) mod guidance;
#[cfg(test)]
mod reading_tests;
pub(super) mod sequences;
pub(super) mod study;
pub(super) mod verdicts;

use super::names;
use super::turn::Turn;
use crate::domain::mind::ask::{Capsule, Cited, Lesson};
use crate::domain::mind::reply::ParsedReply;
use crate::domain::mind::reply::{self, Repairs, ReplyShape};
use crate::domain::plan::json as plan_json;
use crate::domain::plan::note::Note;
use crate::domain::plan::{Plan, Subgoal};
use crate::domain::run::event::Event;
use pithead_world::ids::{CallId, SubgoalId};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;

/// Statements of one sort in a capsule; the rest is dropped, so that a talkative mind cannot crowd the prompt.
const STATEMENTS_MAX: usize = 16;
/// Characters of one statement or sentence; what is longer is cut, because it is shown again in later prompts.
const WORDS_MAX: usize = 1_000;
/// Remedies in one lesson.
const REMEDIES_MAX: usize = 16;

/// The value and the repairs that were made, or what is wrong with the answer.
pub type ReadAnswer<T> = Result<(T, Vec<String>), String>;

/// A plan with the reader's notes.
pub fn read_plan(text: &str) -> ReadAnswer<(Plan, Vec<Note>)> {
    read_plan_after(text, &[])
}

/// A plan made when these subgoals were done already; needs for them are met.
fn read_plan_after(text: &str, done: &[Subgoal]) -> ReadAnswer<(Plan, Vec<Note>)> {
    let (mut reply, mut repairs) = json_object(text, reply::PLAN)?;
    reply::coerce_plan(&mut reply.value, &mut reply.repairs);
    repairs.extend(drop_met_needs(&mut reply.value, done));
    repairs.extend(names::correct_names(&mut reply.value));
    repairs.extend(reply.repairs.descriptions());
    let plan = plan_json::plan_from_value(&reply.value).map_err(|fault| fault.to_string())?;
    Ok((plan, repairs))
}

/// Why there is no plan, if that is what the answer says: `{"impossible": "…"}` in place of steps.
#[must_use]
pub fn read_refusal(text: &str) -> Option<String> {
    let (reply, _) = json_object(text, reply::PLAN).ok()?;
    let has_steps = reply.value["subgoals"]
        .as_array()
        .is_some_and(|steps| !steps.is_empty());
    let because = reply.value["impossible"].as_str()?.trim();
    (!has_steps && !because.is_empty()).then(|| {
        let mut because = because.to_owned();
        shorten(&mut because);
        because
    })
}

/// A plan; the fault becomes an event if there is none.
pub(in crate::agent) fn plan_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<(Plan, Vec<Note>)> {
    let read = read_plan_after(text, &turn.state().done);
    record_reading(turn, call, read)
}

/// Leaves out needs for steps that are done and that the plan does not hold; says how many.
fn drop_met_needs(plan: &mut Value, done: &[Subgoal]) -> Option<String> {
    let rows = plan.get_mut("subgoals")?.as_array_mut()?;
    let ids: BTreeSet<String> = rows
        .iter()
        .filter_map(|row| row.get("subgoal_id")?.as_str().map(str::to_owned))
        .collect();
    let is_done = |id: &Value| {
        let id = id.as_str().and_then(|id| id.parse::<SubgoalId>().ok());
        id.is_some_and(|id| done.iter().any(|step| step.id == id))
    };
    let mut dropped = 0;
    for row in rows {
        if let Some(Value::Array(needs)) = row.get_mut("needs") {
            let before = needs.len();
            needs.retain(|id| id.as_str().is_none_or(|name| ids.contains(name)) || !is_done(id));
            dropped += before - needs.len();
        }
    }
    (dropped > 0).then(|| format!("{dropped} needs for steps that are done left out"))
}

/// A capsule whose statements cite what was recalled; those that cite anything else are left out.
pub(in crate::agent) fn capsule_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Capsule> {
    let state = turn.state();
    let known: Vec<String> = state
        .hits
        .iter()
        .map(|hit| hit.id.to_string())
        .chain(state.knowledge.iter().map(|entry| entry.id.to_string()))
        .collect();
    let read = parse_typed::<Capsule>(text, reply::CAPSULE).map(|(mut capsule, mut repairs)| {
        for list in [
            &mut capsule.facts,
            &mut capsule.constraints,
            &mut capsule.next_actions,
        ] {
            let said = list.len();
            list.iter_mut()
                .for_each(|cited| keep_known_sources(cited, &known));
            list.retain(|cited| !cited.src.is_empty() && !cited.text.is_empty());
            list.truncate(STATEMENTS_MAX);
            if list.len() < said {
                let lost = said - list.len();
                repairs.push(format!("{lost} statements without a known source left out"));
            }
        }
        (capsule, repairs)
    });
    record_reading(turn, call, read)
}

fn keep_known_sources(cited: &mut Cited, known: &[String]) {
    shorten(&mut cited.text);
    cited.src.retain(|source| known.contains(source));
    cited.src.dedup();
}

/// The lesson drawn from repeated failure.
pub(in crate::agent) fn lesson_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Lesson> {
    let read = parse_typed::<Lesson>(text, reply::LESSON).and_then(|(mut lesson, repairs)| {
        if lesson.root_cause.trim().is_empty() {
            return Err("root_cause: expected a sentence, found nothing".to_owned());
        }
        shorten(&mut lesson.root_cause);
        lesson.next_actions.truncate(REMEDIES_MAX);
        if let Some(constraint) = &mut lesson.constraint {
            shorten(&mut constraint.avoid);
            constraint.recovery.truncate(REMEDIES_MAX);
            if constraint.forbid == Default::default() {
                // It would forbid everything.
                return Err(
                    "constraint.forbid: expected at least one of kind, target, tool, text; found none"
                        .to_owned(),
                );
            }
        }
        Ok((lesson, repairs))
    });
    record_reading(turn, call, read)
}

/// Faults as one sentence: each once, with how often it occurred.
pub(in crate::agent) fn list_faults(faults: &[String]) -> String {
    let mut each: Vec<(&str, u32)> = Vec::new();
    for fault in faults {
        match each.iter_mut().find(|(known, _)| known == fault) {
            Some((_, times)) => *times += 1,
            None => each.push((fault, 1)),
        }
    }
    let tell = |(fault, times): (&str, u32)| match times {
        1 => fault.to_owned(),
        times => format!("{fault} ({times} times)"),
    };
    each.into_iter().map(tell).collect::<Vec<_>>().join("; ")
}

pub(in crate::agent) fn shorten(text: &mut String) {
    if let Some((at, _)) = text.char_indices().nth(WORDS_MAX) {
        text.truncate(at);
    }
}

pub(in crate::agent) fn json_object(text: &str, wanted: ReplyShape) -> ReadAnswer<ParsedReply> {
    let reply = reply::read_reply(text, wanted).map_err(|fault| fault.to_string())?;
    Ok((reply, Vec::new()))
}

pub(in crate::agent) fn parse_typed<T: DeserializeOwned>(
    text: &str,
    wanted: ReplyShape,
) -> ReadAnswer<T> {
    let (reply, _) = json_object(text, wanted)?;
    let repairs = Repairs::descriptions(&reply.repairs);
    let value = serde_path_to_error::deserialize(&reply.value).map_err(|error| {
        let path = error.path().to_string();
        format!("{path}: {}", error.into_inner())
    })?;
    Ok((value, repairs))
}

/// Records the repairs, or the fault.
pub(in crate::agent) fn record_reading<T>(
    turn: &mut Turn<'_>,
    call: CallId,
    read: ReadAnswer<T>,
) -> Option<T> {
    match read {
        Ok((value, repairs)) => {
            if !repairs.is_empty() {
                turn.say(Event::AnswerRepaired { call, repairs });
            }
            Some(value)
        }
        Err(fault) => {
            turn.say(Event::AnswerRejected { call, fault });
            None
        }
    }
}
