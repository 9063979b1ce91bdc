//! Mind specs: `builtin:competent` and its kin, as the operator types them.

use super::Mind;
use super::builtin::Builtin;
use super::builtin::errors::Level;

/// Which mind to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MindSpec {
    Builtin(Level),
}

impl MindSpec {
    /// The mind for a run of this seed.
    #[must_use]
    pub fn make(self, seed: u64) -> Box<dyn Mind> {
        match self {
            Self::Builtin(level) => Box::new(Builtin::new(level, seed)),
        }
    }
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
        }
    }
}

impl std::str::FromStr for MindSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, level) = text.split_once(':').unwrap_or((text, "competent"));
        if kind != "builtin" {
            return Err(format!("unknown mind `{text}`; use builtin:novice, builtin:competent or builtin:expert"));
        }
        let known = Level::ALL.into_iter().find(|l| l.name() == level);
        known.map(Self::Builtin).ok_or_else(|| {
            format!("`{level}` is not a level of the builtin mind; use novice, competent or expert")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_as_they_are_written() {
        for level in Level::ALL {
            let spec = MindSpec::Builtin(level);
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        assert_eq!("builtin".parse(), Ok(MindSpec::default()));
        assert!("builtin:genius".parse::<MindSpec>().is_err_and(|e| e.contains("expert")));
        assert!("gpt".parse::<MindSpec>().is_err_and(|e| e.contains("builtin:novice")));
    }
}
