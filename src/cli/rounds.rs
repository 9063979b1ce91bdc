//! Rounds: how often a system may plan anew in one run, as typed.

use pithead_core::domain::run::profile::Profile;
use std::fmt;
use std::str::FromStr;

/// The word for a system without a bound of its own.
const WITHOUT: &str = "inf";

/// A number of rounds, or none for no bound of the system's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rounds(Option<u32>);

impl Rounds {
    /// The system with this bound.
    pub(crate) fn given_to(self, profile: Profile) -> Profile {
        Profile {
            rounds: self.0,
            ..profile
        }
    }
}

impl FromStr for Rounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == WITHOUT {
            return Ok(Self(None));
        }
        let number = text
            .parse()
            .map_err(|_| format!("'{text}' is no number of rounds; say 0, 1, 2 .. or {WITHOUT}"))?;
        Ok(Self(Some(number)))
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(rounds) => write!(f, "{rounds}"),
            None => f.write_str(WITHOUT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_numbers_or_inf() {
        for text in ["0", "5", WITHOUT] {
            assert_eq!(text.parse::<Rounds>().unwrap().to_string(), text);
        }
        assert!("-1".parse::<Rounds>().unwrap_err().contains("inf"));
    }
}
