//! The corpus of malformed answers: none causes a panic, and none becomes a plan that the text does not hold.

use super::read_plan;
use crate::domain::plan::Plan;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    name: String,
    text: String,
    /// A part repeated so many times after the text, so that a megabyte need not be kept in the file.
    repeat: Option<(String, usize)>,
    #[serde(default)]
    after: String,
    expect: Expect,
    /// What the fault must say.
    word: Option<String>,
}

#[derive(Deserialize, PartialEq, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
enum Expect {
    /// The plan of two steps that every text of the corpus stems from.
    Plan,
    Fault,
    /// Either, but no other plan than one of its steps.
    Any,
}

const WHOLE: [&str; 2] = ["mine #logs ×3", "craft #planks ×12"];

fn rows() -> Vec<Row> {
    let text = include_str!("../../../../tests/data/malformed_plans.jsonl");
    let rows: Vec<Row> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(rows.len() > 400);
    rows
}

fn labels(plan: &Plan) -> Vec<String> {
    plan.subgoals.iter().map(|step| step.label()).collect()
}

#[test]
fn every_malformed_answer_is_repaired_or_refused_as_expected() {
    let mut wrong = Vec::new();
    for row in rows() {
        let (part, times) = row.repeat.unwrap_or_default();
        let text = row.text + &part.repeat(times) + &row.after;
        let read = read_plan(&text);
        let found = match &read {
            Ok(((plan, _), _)) => labels(plan).join("; "),
            Err(fault) => format!("fault: {fault}"),
        };
        let fits = match (row.expect, &read) {
            (Expect::Plan, Ok(((plan, _), _))) => labels(plan) == WHOLE,
            (Expect::Fault, Err(fault)) => {
                let word = row.word.as_deref().unwrap_or("");
                fault.contains(word) && fault.len() < 600
            }
            (Expect::Any, Ok(((plan, _), _))) => labels(plan).len() <= WHOLE.len(),
            (Expect::Any, Err(_)) => true,
            (Expect::Plan, Err(_)) | (Expect::Fault, Ok(_)) => false,
        };
        if !fits {
            wrong.push(format!("{} ({:?}): {found}", row.name, row.expect));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn repairs_are_reported_and_a_valid_answer_has_none() {
    let sound = &rows()
        .into_iter()
        .find(|row| row.name == "amid english")
        .unwrap()
        .text;
    let (start, end) = (sound.find('{').unwrap(), sound.rfind('}').unwrap());
    let (_, repairs) = read_plan(&sound[start..=end]).unwrap();
    assert_eq!(repairs, Vec::<String>::new());
    let (_, repairs) = read_plan(sound).unwrap();
    assert_eq!(repairs, ["text around the object left out"]);
}
