//! Mind specs: `builtin:competent` and its kin, as the operator types them.

use super::builtin::errors::Level;
use pithead_core::text::nearest::nearest_names;
use pithead_world::ids::RunId;
use std::path::PathBuf;

/// Which mind to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MindSpec {
    Builtin(Level),
    /// The language models of the config, with this model instead of the one of `roles.default`.
    Llm(Option<String>),
    /// The answers of a run of the database.
    Recorded(RunId),
    /// The answers of a file.
    Cassette(PathBuf),
}

/// What can be typed, for suggestions.
const KINDS: [&str; 5] = [
    "builtin:novice",
    "builtin:competent",
    "builtin:expert",
    "llm",
    "recorded:RUN",
];

/// Words that name no mind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown mind `{given}`; use {}", .known.join(", "))]
pub struct UnknownMind {
    pub given: String,
    pub known: Vec<&'static str>,
}

impl Default for MindSpec {
    fn default() -> Self {
        Self::Builtin(Level::Competent)
    }
}

impl std::fmt::Display for MindSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Builtin(level) => write!(f, "builtin:{}", level.name()),
            Self::Llm(None) => f.write_str("llm"),
            Self::Llm(Some(model)) => write!(f, "llm:{model}"),
            Self::Recorded(run) => write!(f, "recorded:{run}"),
            Self::Cassette(path) => write!(f, "recorded:{}", path.display()),
        }
    }
}

impl std::str::FromStr for MindSpec {
    type Err = UnknownMind;

    fn from_str(text: &str) -> Result<Self, UnknownMind> {
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest.trim()).filter(|rest| !rest.is_empty())),
            None => (text, None),
        };
        let found = match (kind, rest) {
            ("builtin", None) => Some(Self::default()),
            ("builtin", Some(level)) => Level::ALL
                .into_iter()
                .find(|known| known.name() == level)
                .map(Self::Builtin),
            ("llm", model) => Some(Self::Llm(model.map(str::to_owned))),
            ("recorded", Some(from)) => Some(match from.parse() {
                Ok(run) => Self::Recorded(run),
                Err(_) => Self::Cassette(PathBuf::from(from)),
            }),
            _ => None,
        };
        found.ok_or_else(|| {
            let close = nearest_names(text, KINDS.into_iter());
            UnknownMind {
                given: text.to_owned(),
                known: if close.is_empty() {
                    KINDS.to_vec()
                } else {
                    close
                },
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_as_they_are_written() {
        let mut specs: Vec<MindSpec> = Level::ALL.into_iter().map(MindSpec::Builtin).collect();
        specs.extend([
            MindSpec::Llm(None),
            MindSpec::Llm(Some("qwen2.5:7b".to_owned())),
            MindSpec::Recorded(RunId(3)),
            MindSpec::Cassette(PathBuf::from("a/b.cassette.gz")),
        ]);
        for spec in specs {
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        assert_eq!("builtin".parse(), Ok(MindSpec::default()));
    }

    #[test]
    fn an_unknown_mind_is_answered_with_what_would_do() {
        let told = |text: &str| text.parse::<MindSpec>().unwrap_err().to_string();
        assert_eq!(
            told("builtin:novise"),
            "unknown mind `builtin:novise`; use builtin:novice"
        );
        for text in ["gpt", "builtin:genius"] {
            assert!(told(text).contains("builtin:"), "{}", told(text));
        }
    }
}
