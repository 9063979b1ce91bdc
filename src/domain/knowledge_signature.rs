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
                format!("{}|{}|{}", skill.goal, normal(&skill.requires), steps(&skill.steps))
            }
            Self::Guardrail(guardrail) => format!(
                "{}|{}|{}",
                normal(&guardrail.trigger),
                pattern(&guardrail.forbid),
                guardrail.reason.name()
            ),
            Self::TaskGuardrail(guardrail) => {
                format!("{}|{}", pattern(&guardrail.task), remedies(&guardrail.missing))
            }
            Self::Rule(rule) => {
                format!("{}|{}", normal(&rule.when), normal(&Condition::from(rule.then.clone())))
            }
            Self::ReferencePlan(plan) => format!("{}|{}", plan.goal, steps(&plan.steps)),
        };
        Signature::of(&format!("{}|{content}", self.kind()))
    }
}

fn normal(condition: &Condition) -> String {
    condition.normalised().to_string()
}

fn steps(steps: &[Subgoal]) -> String {
    let each = |step: &Subgoal| {
        let object = step.goal.object.map_or_else(|| reached(&step.checks), |item| item.to_string());
        format!("{} {object}", step.task_kind.name())
    };
    steps.iter().map(each).collect::<Vec<_>>().join(";")
}

/// What a step without an object is about: its checks.
fn reached(checks: &[Check]) -> String {
    checks.iter().map(Check::describe).collect::<Vec<_>>().join(",")
}

fn pattern(pattern: &Pattern) -> String {
    let Pattern { kind, target, tool, region, text } = pattern;
    let kind = kind.map_or("", super::plan::TaskKind::name);
    let [target, tool] = [target, tool].map(|spec| spec.map_or_else(String::new, |s| s.to_string()));
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
