//! Signatures of knowledge: two entries with the same signature are the same entry.
//!
//! Words (avoid, rationale, titles) do not count, what an entry does counts.

use super::check::Check;
use super::condition::Condition;
use super::knowledge::{Body, Pattern, Remedy};
use super::plan::Subgoal;
use super::signature::Signature;

impl Body {
    /// What makes this content the same as another.
    #[must_use]
    pub fn signature(&self) -> Signature {
        let content = match self {
            Self::Skill(skill) => {
                format!(
                    "{}|{}|{}",
                    skill.goal,
                    normal(&skill.requires),
                    steps(&skill.steps)
                )
            }
            Self::Guardrail(guardrail) => format!(
                "{}|{}|{}",
                normal(&guardrail.trigger),
                pattern(&guardrail.forbid),
                guardrail.reason.name()
            ),
            Self::TaskGuardrail(guardrail) => {
                format!(
                    "{}|{}",
                    pattern(&guardrail.task),
                    remedies(&guardrail.missing)
                )
            }
            Self::Rule(rule) => {
                format!(
                    "{}|{}",
                    normal(&rule.when),
                    normal(&Condition::from(rule.then.clone()))
                )
            }
            Self::ReferencePlan(plan) => format!("{}|{}", plan.goal, steps(&plan.steps)),
            // Of words nothing but the words can be compared.
            Self::Note(note) => format!("{}|{}", note.name, note.text),
        };
        Signature::of(&format!("{}|{content}", self.kind()))
    }
}

fn normal(condition: &Condition) -> String {
    condition.normalised().to_string()
}

fn steps(steps: &[Subgoal]) -> String {
    let each = |step: &Subgoal| {
        let object = step
            .goal
            .object
            .map_or_else(|| reached(&step.checks), |item| item.to_string());
        format!("{} {object}", step.task_kind.name())
    };
    steps.iter().map(each).collect::<Vec<_>>().join(";")
}

/// What a step without an object is about: its checks.
fn reached(checks: &[Check]) -> String {
    checks
        .iter()
        .map(Check::describe)
        .collect::<Vec<_>>()
        .join(",")
}

fn pattern(pattern: &Pattern) -> String {
    let Pattern {
        kind,
        target,
        tool,
        region,
        text,
    } = pattern;
    let kind = kind.map_or("", super::plan::TaskKind::name);
    let [target, tool] =
        [target, tool].map(|spec| spec.map_or_else(String::new, |s| s.to_string()));
    let region = region.map_or_else(String::new, |r| format!("{} {}", r.centre, r.radius));
    let text = text.as_deref().unwrap_or_default().to_lowercase();
    format!("{kind},{target},{tool},{region},{text}")
}

fn remedies(remedies: &[Remedy]) -> String {
    let mut sorted: Vec<String> = remedies.iter().map(remedy).collect();
    sorted.sort();
    sorted.dedup();
    sorted.join(";")
}

fn remedy(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Have { item, count } => format!("have {item} {count}"),
        Remedy::Station { block } => format!("station {block}"),
        Remedy::Tool { kind, tier } => format!("tool {} {}", kind.word(), tier.level()),
        Remedy::GoBelow { y } => format!("below {y}"),
        Remedy::GoAbove { y } => format!("above {y}"),
        Remedy::MoveAway { blocks } => format!("away {blocks}"),
        Remedy::Advice { text } => format!("advice {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::diagnosis::FailureReason;
    use crate::domain::knowledge::{Guardrail, Skill};
    use crate::domain::plan::TaskKind;
    use std::collections::BTreeMap;

    fn guardrail(trigger: &str, target: &str, avoid: &str) -> Body {
        Body::Guardrail(Guardrail {
            trigger: trigger.parse().unwrap(),
            forbid: Pattern {
                kind: Some(TaskKind::Craft),
                target: Some(target.parse().unwrap()),
                ..Pattern::default()
            },
            avoid: avoid.to_owned(),
            recovery: vec![Remedy::Advice {
                text: avoid.to_owned(),
            }],
            reason: FailureReason::ToolMissing,
        })
    }

    #[test]
    fn guardrails_that_do_the_same_are_the_same() {
        let one = guardrail(
            "not near crafting_table 4 and inv crafting_table < 1",
            "bucket",
            "no table",
        );
        let other = guardrail(
            "not (inv crafting_table >= 1 or near crafting_table 4)",
            "bucket",
            "table!",
        );
        assert_eq!(one.signature(), other.signature());
        let third = guardrail(
            "not (inv crafting_table >= 1 or near crafting_table 4)",
            "chest",
            "table!",
        );
        assert_ne!(one.signature(), third.signature());
    }

    #[test]
    fn skills_that_do_the_same_are_the_same() {
        let plan =
            r#"{"subgoals":[{"task_kind":"mine","goal":{"object":"log"},"condition":"WORDS"}]}"#;
        let skill = |words: &str, requires: &str| {
            let (plan, _) = crate::domain::plan_json::read(&plan.replace("WORDS", words)).unwrap();
            Body::Skill(Skill {
                goal: "#logs".parse().unwrap(),
                count: 1,
                requires: requires.parse().unwrap(),
                steps: plan.subgoals,
                success: Vec::new(),
                effects: BTreeMap::new(),
            })
        };
        assert_eq!(
            skill("chop", "always").signature(),
            skill("cut", "on_ground or always").signature()
        );
        assert_ne!(
            skill("chop", "always").signature(),
            skill("chop", "on_ground").signature()
        );
    }
}
