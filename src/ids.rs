//! Typed ids: a number can only be used for the noun it was made for.
//!
//! Ids are handed out by the fold that owns the noun (or by the journal, for runs), never drawn
//! at random, so that a replayed run names everything as the first time.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The id after this one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            /// Reads the bare number or the number with its prefix.
            fn from_str(text: &str) -> Result<Self, String> {
                let digits = text.strip_prefix($prefix).unwrap_or(text);
                digits.parse().map(Self).map_err(|_| {
                    format!(concat!("`{}` is not an id of the form ", $prefix, "N"), text)
                })
            }
        }
    };
}

id!(
    /// One episode: one task attempted once in one world.
    RunId, ""
);
id!(
    /// Position of an event in its run, from 1 without gaps.
    Seq, ""
);
id!(
    /// A node of the plan tree; stable over replans of one run.
    SubgoalId, "sg_"
);
id!(
    /// A revision of the plan within its run, from 1.
    Revision, "r"
);
id!(
    /// One execution of one subgoal.
    AttemptId, "a"
);
id!(
    /// One action sent to the world.
    ActionId, "x"
);
id!(
    /// One question to the mind.
    CallId, "q"
);
id!(
    /// One question to the operator, unique within its run.
    DecisionId, "d"
);
id!(
    /// One recorded experience, unique within the database.
    ExperienceId, "e"
);
id!(
    /// One entry of the knowledge base, unique within the database.
    KnowledgeId, "k"
);
