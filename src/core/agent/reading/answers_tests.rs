//! The corpus of malformed answers of the roles that do not plan: each is read as what it holds, or refused.

use super::{ReadAnswer, parse_typed};
use crate::domain::knowledge::Guardrail;
use crate::domain::mind::ask::{Capsule, Explanation, Lesson, RunSummary};
use crate::domain::mind::reply;
use crate::domain::mind::study::SkillDraft;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Deserialize)]
struct Row {
    role: Role,
    name: String,
    text: String,
    /// A part repeated so many times before the text, so that it need not be kept in the file.
    before: Option<(String, usize)>,
    expect: Expect,
}

#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Role {
    Capsule,
    Lesson,
    Explanation,
    Summary,
    Skill,
    Guardrail,
    Apart,
}

#[derive(Deserialize, PartialEq, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
enum Expect {
    /// What the answer `sound` of the role holds.
    Same,
    Fault,
    Any,
}

/// What an answer holds, in the words of the debugger.
fn held<T: Debug>(read: ReadAnswer<T>) -> Result<String, String> {
    read.map(|(value, _)| format!("{value:?}"))
}

fn read(role: Role, text: &str) -> Result<String, String> {
    match role {
        Role::Capsule => held(parse_typed::<Capsule>(text, reply::CAPSULE)),
        Role::Lesson => held(parse_typed::<Lesson>(text, reply::LESSON)),
        Role::Explanation => held(parse_typed::<Explanation>(text, reply::EXPLANATION)),
        Role::Summary => held(parse_typed::<RunSummary>(text, reply::RECOUNT)),
        Role::Skill => held(parse_typed::<SkillDraft>(text, reply::SKILL)),
        Role::Guardrail => held(parse_typed::<Guardrail>(text, reply::GUARDRAIL)),
        Role::Apart => held(super::guidance::parse_taken_apart(
            text,
            &super::guidance::tests::asked(),
        )),
    }
}

#[test]
fn every_malformed_answer_is_read_as_what_it_holds_or_refused() {
    let text = include_str!("../../../../tests/data/malformed_answers.jsonl");
    let rows: Vec<Row> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(rows.len() > 450);
    let sound = rows.iter().filter(|row| row.name == "sound");
    let sound: BTreeMap<Role, String> = sound
        .map(|row| (row.role, read(row.role, &row.text).unwrap()))
        .collect();
    let mut wrong = Vec::new();
    for row in &rows {
        let (part, times) = row.before.clone().unwrap_or_default();
        let found = read(row.role, &(part.repeat(times) + &row.text));
        let fits = match (row.expect, &found) {
            (Expect::Same, Ok(held)) => *held == sound[&row.role],
            // A fault is one sentence that goes back to the model.
            (Expect::Fault, Err(fault)) => !fault.is_empty() && fault.len() < 600,
            (Expect::Any, _) => true,
            (Expect::Same, Err(_)) | (Expect::Fault, Ok(_)) => false,
        };
        if !fits {
            let found: String = format!("{found:?}").chars().take(300).collect();
            wrong.push(format!(
                "{:?}, {} ({:?}): {found}",
                row.role, row.name, row.expect
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
