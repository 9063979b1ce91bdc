//! The roles of a mind: who it is in a question, from the planner to the summariser.
//!
//! Prompts, settings, recordings and runs name a role by `name()`. Invariant: a stored name never
//! changes, whatever the variant is called.

use pithead_world::naming::UnknownName;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One role; each has its prompt, and may have its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MindRole {
    Planner,
    Recall,
    Diagnosis,
    Goal,
    Skill,
    Guardrail,
    Decomposer,
    Explainer,
    Judge,
    RuleGenerator,
    RuleScorer,
    Reflector,
    Summariser,
    ReferencePlan,
}

impl MindRole {
    /// In the order in which people read about them: as the loop asks them, the optional ones last.
    pub const ALL: [Self; 14] = [
        Self::Planner,
        Self::Recall,
        Self::Diagnosis,
        Self::Goal,
        Self::Skill,
        Self::Guardrail,
        Self::Decomposer,
        Self::Explainer,
        Self::Judge,
        Self::RuleGenerator,
        Self::RuleScorer,
        Self::Reflector,
        Self::Summariser,
        Self::ReferencePlan,
    ];

    /// The name in prompts, settings and stored runs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Recall => "recall",
            Self::Diagnosis => "diagnosis",
            Self::Goal => "goal",
            Self::Skill => "skill",
            Self::Guardrail => "guardrail",
            Self::Decomposer => "decomposer",
            Self::Explainer => "explainer",
            Self::Judge => "judge",
            Self::RuleGenerator => "rule_generator",
            Self::RuleScorer => "rule_scorer",
            Self::Reflector => "reflector",
            Self::Summariser => "summariser",
            Self::ReferencePlan => "reference_plan",
        }
    }

    /// True for roles that distil knowledge; the program does itself what no model was given.
    #[must_use]
    pub fn is_distiller(self) -> bool {
        match self {
            Self::Skill
            | Self::Guardrail
            | Self::RuleGenerator
            | Self::RuleScorer
            | Self::Reflector => true,
            Self::Planner
            | Self::Recall
            | Self::Diagnosis
            | Self::Goal
            | Self::Decomposer
            | Self::Explainer
            | Self::Judge
            | Self::Summariser
            | Self::ReferencePlan => false,
        }
    }

    /// True for roles that are asked while the body stands where the question is about, so that a
    /// picture of what it sees can help. The others judge texts and records.
    #[must_use]
    pub fn can_use_picture(self) -> bool {
        match self {
            Self::Planner | Self::Recall | Self::Diagnosis | Self::Explainer | Self::Reflector => {
                true
            }
            Self::Goal
            | Self::Skill
            | Self::Guardrail
            | Self::Decomposer
            | Self::Judge
            | Self::RuleGenerator
            | Self::RuleScorer
            | Self::Summariser
            | Self::ReferencePlan => false,
        }
    }

    /// The roles that distil.
    pub fn distillers() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|role| role.is_distiller())
    }

    /// The names of some roles as a message lists them.
    #[must_use]
    pub fn list_names(roles: impl IntoIterator<Item = Self>) -> String {
        let names: Vec<&str> = roles.into_iter().map(Self::name).collect();
        names.join(", ")
    }
}

impl std::fmt::Display for MindRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for MindRole {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|role| role.name() == name);
        known.ok_or_else(|| UnknownName {
            what: "role",
            given: name.to_owned(),
            nearest: Self::ALL.map(Self::name).to_vec(),
        })
    }
}

impl Serialize for MindRole {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for MindRole {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_is_read_back_from_its_name() {
        for role in MindRole::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
        let error = "plannner".parse::<MindRole>().unwrap_err().to_string();
        assert!(error.contains("planner, recall"), "{error}");
    }
}
