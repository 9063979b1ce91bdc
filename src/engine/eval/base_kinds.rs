//! Which kinds of knowledge a base of an evaluation is to hold, as they are typed and stored.
//!
//! Skills of one step and skills of several are told apart, because they act differently: the one says how
//! a thing is got, the other repeats a whole run.

use pithead_core::domain::knowledge::Body;
use pithead_world::naming::UnknownName;
use std::collections::BTreeSet;

/// A kind of entry, with skills divided by their length; or what was tried, which is no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseKind {
    OneStepSkill,
    WholeSkill,
    Guardrail,
    TaskGuardrail,
    Rule,
    ReferencePlan,
    Note,
    Option,
}

/// The kinds that a base is made of; never none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseKinds(BTreeSet<BaseKind>);

/// Everything.
const ALL: &str = "all";
/// Skills of any length.
const SKILL: &str = "skill";

impl BaseKind {
    const ALL: [Self; 8] = [
        Self::OneStepSkill,
        Self::WholeSkill,
        Self::Guardrail,
        Self::TaskGuardrail,
        Self::Rule,
        Self::ReferencePlan,
        Self::Note,
        Self::Option,
    ];
    const SKILLS: [Self; 2] = [Self::OneStepSkill, Self::WholeSkill];

    #[must_use]
    pub fn of_body(body: &Body) -> Self {
        match body {
            Body::Skill(skill) if skill.steps.len() > 1 => Self::WholeSkill,
            Body::Skill(_) => Self::OneStepSkill,
            Body::Guardrail(_) => Self::Guardrail,
            Body::TaskGuardrail(_) => Self::TaskGuardrail,
            Body::Rule(_) => Self::Rule,
            Body::ReferencePlan(_) => Self::ReferencePlan,
            Body::Note(_) => Self::Note,
        }
    }

    /// The name as it is typed and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneStepSkill => "one_step_skill",
            Self::WholeSkill => "whole_skill",
            Self::Guardrail => "guardrail",
            Self::TaskGuardrail => "task_guardrail",
            Self::Rule => "rule",
            Self::ReferencePlan => "reference_plan",
            Self::Note => "note",
            Self::Option => "option",
        }
    }
}

impl BaseKinds {
    #[must_use]
    pub fn all() -> Self {
        Self(BaseKind::ALL.into())
    }

    /// Whether what was tried to get things belongs to it.
    #[must_use]
    pub fn holds_options(&self) -> bool {
        self.0.contains(&BaseKind::Option)
    }

    #[must_use]
    pub fn holds(&self, body: &Body) -> bool {
        self.0.contains(&BaseKind::of_body(body))
    }
}

impl std::str::FromStr for BaseKinds {
    type Err = UnknownName;

    /// Names with commas; `-` is read as `_`.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut kinds = BTreeSet::new();
        for given in text.split(',') {
            let name = given.trim().replace('-', "_");
            match name.as_str() {
                ALL => kinds.extend(BaseKind::ALL),
                SKILL => kinds.extend(BaseKind::SKILLS),
                name => kinds.extend([kind_named(name).ok_or_else(|| unknown(given))?]),
            };
        }
        Ok(Self(kinds))
    }
}

fn kind_named(name: &str) -> Option<BaseKind> {
    BaseKind::ALL.into_iter().find(|kind| kind.name() == name)
}

fn unknown(given: &str) -> UnknownName {
    let names = BaseKind::ALL.map(BaseKind::name);
    UnknownName {
        what: "kind of entry",
        given: given.to_owned(),
        nearest: [ALL, SKILL].into_iter().chain(names).collect(),
    }
}

/// In one order, whatever the order in which they were typed.
impl std::fmt::Display for BaseKinds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::all() {
            return f.write_str(ALL);
        }
        let both = BaseKind::SKILLS.iter().all(|kind| self.0.contains(kind));
        let alone = |kind: &&BaseKind| !(both && BaseKind::SKILLS.contains(kind));
        let names = both.then_some(SKILL).into_iter();
        let names = names.chain(self.0.iter().filter(alone).map(|kind| kind.name()));
        f.write_str(&names.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_in_any_order_and_written_in_one() {
        for (typed, written) in [
            ("all", "all"),
            ("guardrail", "guardrail"),
            ("guardrail, one-step-skill", "one_step_skill,guardrail"),
            ("whole_skill,one_step_skill,guardrail", "skill,guardrail"),
            (
                "skill,guardrail,task-guardrail,rule,reference_plan,note,option",
                "all",
            ),
        ] {
            let kinds: BaseKinds = typed.parse().unwrap();
            assert_eq!(kinds.to_string(), written, "{typed}");
            assert_eq!(kinds.to_string().parse::<BaseKinds>().unwrap(), kinds);
        }
        for bad in ["", "skills", "guardrail,"] {
            let error = bad.parse::<BaseKinds>().unwrap_err().to_string();
            assert!(error.contains("one_step_skill"), "{error}");
        }
    }
}
