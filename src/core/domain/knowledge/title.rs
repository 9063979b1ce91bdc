//! Titles: one line for an entry in lists, made from its content.

use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::{Body, Guardrail, Pattern, Remedy, Skill, TaskGuardrail};
use crate::text::numbers::count_with_noun;
use pithead_world::naming::with_article;

/// The line for an entry.
#[must_use]
pub fn title_of(body: &Body) -> String {
    match body {
        Body::Skill(skill) => of_skill(skill),
        Body::Guardrail(guardrail) => of_guardrail(guardrail),
        Body::TaskGuardrail(guardrail) => {
            // Not for which tasks, where it names its step: these change with the evidence, a title does not.
            let what = match guardrail.before.is_anything() {
                true => format!("for {}", pattern(&guardrail.task)),
                false => format!("before {}", pattern(&guardrail.before)),
            };
            format!("{what}: first {}", remedies(&guardrail.missing))
        }
        Body::Rule(rule) => rule.requirement(),
        Body::ReferencePlan(plan) => {
            let steps = count_with_noun(plan.steps.len(), "step", "steps");
            format!("{} in {steps}", plan.goal)
        }
        Body::Note(note) => note.name.clone(),
    }
}

fn of_skill(skill: &Skill) -> String {
    // One step is told by its own words; several by what they make.
    match skill.steps.len() {
        1 => format!("how to {}", skill.steps[0].condition),
        steps => format!("{} ×{} in {steps} steps", skill.goal, skill.count),
    }
}

fn of_guardrail(guardrail: &Guardrail) -> String {
    let what = pattern(&guardrail.forbid);
    if guardrail.recovery.is_empty() {
        format!("no {what} when {}", guardrail.trigger)
    } else {
        // The remedies are what one has to know; when it acts goes without saying unless it differs from them.
        let when = match names_another_bound(&guardrail.trigger, &guardrail.recovery) {
            true => format!(" when {}", guardrail.trigger),
            false => String::new(),
        };
        format!("{what}{when}: first {}", remedies(&guardrail.recovery))
    }
}

/// The trigger is about what a remedy brings, at another count, tier or height.
fn names_another_bound(trigger: &Condition, recovery: &[Remedy]) -> bool {
    match trigger {
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().any(|part| names_another_bound(part, recovery))
        }
        Condition::Not(part) => names_another_bound(part, recovery),
        Condition::Is(predicate) => recovery.iter().any(|remedy| differs(predicate, remedy)),
    }
}

fn differs(predicate: &Predicate, remedy: &Remedy) -> bool {
    match (predicate, remedy) {
        (
            Predicate::Check(Check::InvGe { item, count } | Check::InvLt { item, count }),
            Remedy::Have {
                item: had,
                count: n,
            },
        ) => item == had && count != n,
        (Predicate::ToolGe { kind, tier }, Remedy::Tool { kind: had, tier: t }) => {
            kind == had && tier != t
        }
        (Predicate::Check(Check::YposLe { y }), Remedy::GoBelow { y: to })
        | (Predicate::Check(Check::YposGe { y }), Remedy::GoAbove { y: to }) => y != to,
        _ => false, // about something else
    }
}

/// The tasks that a task guardrail is about, and the step in them, in words.
#[must_use]
pub fn task_scope(guardrail: &TaskGuardrail) -> String {
    let task = pattern(&guardrail.task);
    if guardrail.before.is_anything() {
        return task;
    }
    format!("{task}, before {}", pattern(&guardrail.before))
}

/// A pattern in words.
#[must_use]
pub fn pattern(pattern: &Pattern) -> String {
    let kind = pattern.kind.map(|kind| kind.name().to_owned());
    let target = pattern.target.map(|target| target.to_string());
    let text = pattern.text.clone();
    // Words of a step name its kind and target.
    if let Some(text) = &text
        && [&kind, &target].iter().all(|part| {
            part.as_ref()
                .is_some_and(|part| text.contains(part.as_str()))
        })
    {
        return text.clone();
    }
    let parts: Vec<String> = [kind, target, text].into_iter().flatten().collect();
    if parts.is_empty() {
        // An empty pattern forbids everything: the curator should see that at once.
        "anything".to_owned()
    } else {
        parts.join(" ")
    }
}

fn remedies(remedies: &[Remedy]) -> String {
    let words: Vec<String> = remedies.iter().map(remedy).collect();
    words.join(", ")
}

/// A remedy in words.
#[must_use]
pub fn remedy(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Have { item, count } => format!("have {count} {item}"),
        Remedy::Station { block } => {
            format!("have {} near or carried", with_article(block.name()))
        }
        Remedy::Tool { kind, tier } => {
            let tier = format!("{tier:?}").to_lowercase();
            format!("carry {} {} or better", with_article(&tier), kind.word())
        }
        Remedy::GoBelow { y } => format!("go down to y {y}"),
        Remedy::GoAbove { y } => format!("go up to y {y}"),
        Remedy::MoveAway { blocks } => {
            format!("try {} away", count_with_noun(*blocks, "block", "blocks"))
        }
        Remedy::Advice { text } => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::experience::diagnosis::FailureReason;

    #[test]
    fn a_title_tells_the_trigger_where_the_remedies_say_something_else() {
        let title = |trigger: &str| {
            title_of(&Body::Guardrail(Guardrail {
                trigger: trigger.parse().unwrap(),
                forbid: Pattern {
                    target: Some("iron_pickaxe".parse().unwrap()),
                    ..Pattern::default()
                },
                avoid: "it fails".to_owned(),
                recovery: vec![Remedy::Have {
                    item: "iron_ingot".parse().unwrap(),
                    count: 4,
                }],
                reason: FailureReason::ToolMissing,
            }))
        };
        let usual = "iron_pickaxe: first have 4 iron_ingot";
        assert_eq!(title("inv iron_ingot < 4"), usual);
        assert_eq!(title("not inv iron_ingot >= 4 and inv stick < 2"), usual);
        for edited in ["inv iron_ingot < 3", "inv iron_ingot < 3 and inv stick < 2"] {
            let told = format!("iron_pickaxe when {edited}: first have 4 iron_ingot");
            assert_eq!(title(edited), told);
        }
    }
}
