//! Globs: patterns with `*` and `?` over words, without regard to case, as breakpoints and policy files
//! have them. The text form is the stored form. Invariant: no pattern is longer than its bound.

use globset::{GlobBuilder, GlobMatcher};
use serde::{Deserialize, Serialize};

/// Longest pattern; it comes from outside.
const PATTERN_MAX: usize = 200;

/// One pattern, ready to be asked.
#[derive(Debug, Clone)]
pub struct Glob {
    pattern: String,
    matcher: GlobMatcher,
}

impl Glob {
    #[must_use]
    pub fn fits(&self, words: &str) -> bool {
        self.matcher.is_match(words)
    }
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl std::fmt::Display for Glob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.pattern)
    }
}

impl std::str::FromStr for Glob {
    type Err = String;

    fn from_str(pattern: &str) -> Result<Self, String> {
        if pattern.is_empty() || pattern.len() > PATTERN_MAX {
            return Err(format!("give 1 to {PATTERN_MAX} characters"));
        }
        let glob = GlobBuilder::new(pattern).case_insensitive(true).build();
        let glob = glob.map_err(|error| error.kind().to_string())?;
        Ok(Self {
            pattern: pattern.to_owned(),
            matcher: glob.compile_matcher(),
        })
    }
}

impl Serialize for Glob {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Glob {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
