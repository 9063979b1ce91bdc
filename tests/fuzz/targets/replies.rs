//! Replies of minds: free text in which a JSON object of a shape is found and repaired.

use super::{check_json, choice, text};
use pithead_core::agent::reading::read_plan;
use pithead_core::domain::knowledge::{Guardrail, TaskGuardrail};
use pithead_core::domain::mind::ask::{Capsule, Explanation, Lesson, RunSummary};
use pithead_core::domain::mind::reply::{self, ReplyShape, read_reply};
use pithead_core::domain::mind::study::{Reflection, RuleDraft, Score, SkillDraft};
use pithead_core::domain::plan::json::{parse_plan, plan_text};

const SHAPES: [ReplyShape; 13] = [
    reply::PLAN,
    reply::CAPSULE,
    reply::LESSON,
    reply::GOAL,
    reply::APART,
    reply::EXPLANATION,
    reply::RECOUNT,
    reply::SKILL,
    reply::GUARDRAIL,
    reply::RULES,
    reply::SCORES,
    reply::JUDGED,
    reply::REFLECTION,
];

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let given = text(rest);
    let shape = SHAPES[n % SHAPES.len()];
    if shape.what == reply::PLAN.what {
        if let Ok(((plan, _), _)) = read_plan(given) {
            let (again, _) = parse_plan(&plan_text(&plan)).expect("what was written can be read");
            assert_eq!(plan, again);
        }
        return;
    }
    let Ok(found) = read_reply(given, shape) else {
        return;
    };
    assert!(found.value.is_object(), "{:?}", found.value);
    let typed = |result: serde_json::Result<()>| drop(result);
    let value = &found.value;
    typed(read::<Capsule>(value));
    typed(read::<Lesson>(value));
    typed(read::<Explanation>(value));
    typed(read::<RunSummary>(value));
    typed(read::<SkillDraft>(value));
    typed(read::<Guardrail>(value));
    typed(read::<TaskGuardrail>(value));
    typed(read::<RuleDraft>(value));
    typed(read::<Score>(value));
    typed(read::<Reflection>(value));
}

fn read<T>(value: &serde_json::Value) -> serde_json::Result<()>
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    T::deserialize(value).map(|read| check_json(&read))
}
