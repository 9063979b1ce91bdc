//! Signatures of knowledge: two entries with the same signature are the same entry.
//!
//! Words (avoid, rationale, titles) do not count, what an entry does counts.

use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::knowledge::{Body, Pattern, Remedy, Skill};
use crate::domain::plan::Subgoal;
use crate::text::signature::Signature;

impl Body {
    /// What makes this content the same as another.
    /// Changing a form below changes stored signatures: vetoes would no longer be
    /// recognised.
    #[must_use]
    pub fn signature(&self) -> Signature {
        let content = match self {
            Self::Skill(skill) => of_skill(skill),
            Self::Guardrail(guardrail) => format!(
                "{}|{}|{}",
                normal(&guardrail.trigger),
                pattern(&guardrail.forbid),
                // The same ban for another reason is another lesson.
                guardrail.reason.name()
            ),
            Self::TaskGuardrail(guardrail) if guardrail.before.is_anything() => {
                format!(
                    "{}|{}",
                    pattern(&guardrail.task),
                    remedies(&guardrail.missing)
                )
            }
            // Neither task nor amounts: the same learnt for another task is the same, and more of it too.
            Self::TaskGuardrail(guardrail) => {
                format!(
                    "before {}|{}",
                    pattern(&guardrail.before),
                    kinds_of(&guardrail.missing)
                )
            }
            Self::Rule(rule) => {
                format!(
                    "{}|{}",
                    normal(&rule.when),
                    normal(&rule.then) // Normalised, so that order and spelling of conditions do not matter.
                )
            }
            // One for each goal: the best that is known.
            Self::ReferencePlan(plan) => plan.goal.kind().to_string(),
            // Of words nothing but the words can be compared.
            Self::Note(note) => format!("{}|{}", note.name, note.text),
        };
        Signature::from_normal_form(&format!("{}|{content}", self.kind()))
    }
}

fn normal(condition: &Condition) -> String {
    condition.normalised().to_string()
}

/// What it gets and how it gets it in the end, and whether it is one step or a whole way. The rest varies
/// from run to run, and sightings that differ in it are merged.
fn of_skill(skill: &Skill) -> String {
    // The last step only: ways to the same end are merged into one skill, see
    // `skill_merge`.
    let last = skill.steps.last().map_or_else(String::new, step);
    let whole = skill.steps.len() > 1;
    format!("{}|{last}|{whole}", skill.goal.kind())
}

fn step(step: &Subgoal) -> String {
    let object = step.goal.object;
    let object = object.map_or_else(|| reached(&step.checks), |item| item.kind().to_string());
    format!("{} {object}", step.task_kind.name())
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
    // Destructured, so that a new field cannot be forgotten here.
    let kind = kind.map_or("", crate::domain::plan::TaskKind::name);
    let [target, tool] =
        [target, tool].map(|spec| spec.map_or_else(String::new, |s| s.to_string()));
    let region = region.map_or_else(String::new, |r| format!("{} {}", r.centre, r.radius));
    let text = text.as_deref().unwrap_or_default().to_lowercase();
    format!("{kind},{target},{tool},{region},{text}")
}

fn remedies(remedies: &[Remedy]) -> String {
    let mut sorted: Vec<String> = remedies.iter().map(remedy).collect();
    // Order and repetition of remedies mean nothing.
    sorted.sort();
    sorted.dedup();
    sorted.join(";")
}

/// Remedies without their amounts.
fn kinds_of(remedies: &[Remedy]) -> String {
    let kind = |one: &Remedy| match one {
        Remedy::Have { item, .. } => format!("have {item}"),
        Remedy::Tool { kind, .. } => format!("tool {}", kind.word()),
        Remedy::GoBelow { .. } => "below".to_owned(),
        Remedy::GoAbove { .. } => "above".to_owned(),
        Remedy::MoveAway { .. } => "away".to_owned(),
        Remedy::Station { .. } | Remedy::Advice { .. } => remedy(one),
    };
    let mut sorted: Vec<String> = remedies.iter().map(kind).collect();
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
    use crate::domain::experience::diagnosis::FailureReason;
    use crate::domain::knowledge::Guardrail;
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
    fn skills_that_get_the_same_in_the_same_way_are_the_same() {
        let plan =
            r#"{"subgoals":[{"task_kind":"KIND","goal":{"object":"log"},"condition":"WORDS"}]}"#;
        let skill = |kind: &str, words: &str, requires: &str| {
            let plan = plan.replace("WORDS", words).replace("KIND", kind);
            let (plan, _) = crate::domain::plan::json::parse_plan(&plan).unwrap();
            Body::Skill(Skill {
                goal: "#logs".parse().unwrap(),
                count: 1,
                requires: requires.parse().unwrap(),
                steps: plan.subgoals,
                success: Vec::new(),
                effects: BTreeMap::new(),
                flows: Vec::new(),
            })
        };
        assert_eq!(
            skill("mine", "chop", "always").signature(),
            skill("mine", "cut", "inv stick >= 1").signature()
        );
        assert_ne!(
            skill("mine", "chop", "always").signature(),
            skill("craft", "chop", "always").signature()
        );
    }
}
