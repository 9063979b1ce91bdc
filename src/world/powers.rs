//! Powers: how many times as fast as a player's the body's hands break blocks, and how many times as hard they strike.
//!
//! Declared aids. GITM plays all its games with a breaking speed and a strength of 100 (appendix A), so figures that are
//! held against the paper's need both. Invariant: factors of one leave a world as it is.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What the hands can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Powers {
    /// Of breaking blocks.
    #[serde(default, skip_serializing_if = "Factor::is_one")]
    pub break_speed: Factor,
    /// Of blows.
    #[serde(default, skip_serializing_if = "Factor::is_one")]
    pub strength: Factor,
}

impl Powers {
    /// For serde, which leaves a player's own out.
    #[must_use]
    pub fn are_players(&self) -> bool {
        *self == Self::default()
    }

    /// As results show them; none of a player's own.
    #[must_use]
    pub fn line(self) -> Option<String> {
        let power = |factor: Factor, does: &str| {
            (!factor.is_one()).then(|| format!("{does} as a player does"))
        };
        let fast = power(
            self.break_speed,
            &format!("breaks blocks {} times as fast", self.break_speed),
        );
        let hard = power(
            self.strength,
            &format!("strikes {} times as hard", self.strength),
        );
        let both: Vec<String> = fast.into_iter().chain(hard).collect();
        (!both.is_empty()).then(|| format!("powers: the body {}", both.join(" and ")))
    }
}

impl fmt::Display for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "break speed {}, strength {}",
            self.break_speed, self.strength
        )
    }
}

/// A whole number from 1, a player's own, to `Factor::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct Factor(u16);

impl Factor {
    /// A player's own.
    pub const ONE: Self = Self(1);
    /// Obsidian by hand takes 5,000 ticks, and no mob has so much health, so more would mean nothing.
    pub const MAX: u16 = 5000;

    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }

    /// For serde, which leaves a player's own out.
    #[must_use]
    pub fn is_one(&self) -> bool {
        *self == Self::ONE
    }

    /// Ticks of breaking a block that takes a player so many; what comes out at one tick breaks at the first blow.
    #[must_use]
    pub fn break_ticks(self, ticks: u32) -> u32 {
        match ticks.div_ceil(u32::from(self.0)) {
            1 if !self.is_one() => 0,
            left => left,
        }
    }
}

impl Default for Factor {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// There is no such factor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a whole number from 1 to {}", Factor::MAX)]
pub struct BadFactor {
    pub given: String,
}

impl TryFrom<u16> for Factor {
    type Error = BadFactor;

    fn try_from(factor: u16) -> Result<Self, BadFactor> {
        match factor {
            1..=Self::MAX => Ok(Self(factor)),
            _ => Err(BadFactor {
                given: factor.to_string(),
            }),
        }
    }
}

impl From<Factor> for u16 {
    fn from(factor: Factor) -> Self {
        factor.0
    }
}

impl FromStr for Factor {
    type Err = BadFactor;

    fn from_str(text: &str) -> Result<Self, BadFactor> {
        let number = text.parse::<u16>().ok();
        number
            .and_then(|number| Self::try_from(number).ok())
            .ok_or_else(|| BadFactor {
                given: text.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_divides_ticks_and_one_changes_nothing() {
        let hundred: Factor = "100".parse().unwrap();
        for (ticks, own, fast) in [
            (0, 0, 0),
            (1, 1, 0),
            (23, 23, 0),
            (188, 188, 2),
            (5000, 5000, 50),
        ] {
            assert_eq!(Factor::ONE.break_ticks(ticks), own);
            assert_eq!(hundred.break_ticks(ticks), fast);
        }
    }

    #[test]
    fn a_line_names_what_is_not_a_players_own() {
        let powers = |break_speed: u16, strength: u16| Powers {
            break_speed: break_speed.try_into().unwrap(),
            strength: strength.try_into().unwrap(),
        };
        assert_eq!(powers(1, 1).line(), None);
        let line = powers(100, 1).line().unwrap();
        assert_eq!(
            line,
            "powers: the body breaks blocks 100 times as fast as a player does"
        );
        let line = powers(100, 7).line().unwrap();
        assert!(
            line.ends_with("and strikes 7 times as hard as a player does"),
            "{line}"
        );
        let text = serde_json::to_string(&powers(1, 7)).unwrap();
        assert_eq!(text, r#"{"strength":7}"#);
        assert_eq!(serde_json::from_str::<Powers>(&text).unwrap(), powers(1, 7));
    }

    #[test]
    fn what_is_no_factor_is_refused_with_the_bounds() {
        for bad in ["0", "-1", "5001", "70000", "2.5", "fast"] {
            let said = bad.parse::<Factor>().unwrap_err().to_string();
            assert!(said.contains(bad) && said.contains("1 to 5000"), "{said}");
            assert!(serde_json::from_str::<Factor>(bad).is_err(), "{bad}");
        }
    }
}
