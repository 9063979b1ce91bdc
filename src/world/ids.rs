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
macro_rules! run_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub run: RunId,
            /// From 1 within the run.
            pub n: u64,
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}.{}"), self.run, self.n)
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let fault = || format!(concat!("`{}` is not an id of the form ", $prefix, "RUN.N"), text);
                let (run, n) =
                    text.strip_prefix($prefix).and_then(|t| t.split_once('.')).ok_or_else(fault)?;
                match (run.parse(), n.parse()) {
                    (Ok(run), Ok(n)) => Ok(Self { run: RunId(run), n }),
                    _ => Err(fault()),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

run_id!(
    /// One recorded experience, unique within the database: the run and its number there.
    ExperienceId, "e"
);
run_id!(
    /// One entry of the knowledge base, unique within the database without coordination between
    /// runs: the run that proposed it (0 for operators and imports) and its number there.
    KnowledgeId, "k"
);
