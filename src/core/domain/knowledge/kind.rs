//! The kinds of knowledge entries.
//!
//! Invariant: the names are those of the stored entries and never change.

use pithead_world::naming::UnknownName;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    Skill,
    Guardrail,
    TaskGuardrail,
    Rule,
    ReferencePlan,
    Note,
}

impl EntryKind {
    pub const ALL: [Self; 6] = [
        Self::Skill,
        Self::Guardrail,
        Self::TaskGuardrail,
        Self::Rule,
        Self::ReferencePlan,
        Self::Note,
    ];

    /// The name as it is stored and typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Guardrail => "guardrail",
            Self::TaskGuardrail => "task_guardrail",
            Self::Rule => "rule",
            Self::ReferencePlan => "reference_plan",
            Self::Note => "note",
        }
    }
}

impl std::str::FromStr for EntryKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| UnknownName {
            what: "kind of entry",
            given: name.to_owned(),
            nearest: Self::ALL.map(Self::name).to_vec(),
        })
    }
}
