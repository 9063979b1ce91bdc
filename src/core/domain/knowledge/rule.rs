//! Rules: what a step requires, learnt where a judgement and its outcome disagreed (Metagent-P).
//!
//! `when` names the step, `then` is what has to be so before it begins. Its record is what all recorded attempts
//! say of it. Invariant: the record is counted as a whole, and never added up from parts that overlap.

use crate::domain::check::{Check, Place};
use crate::domain::condition::{Condition, Predicate};
use pithead_world::action::Target;
use serde::{Deserialize, Deserializer, Serialize};

/// IF the step is this THEN it requires that.
/// The verifier refuses a plan whose step matches `when` and whose state does not satisfy `then`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub when: Condition,
    #[serde(deserialize_with = "condition_or_check")]
    pub then: Condition,
    /// The three scores, each 0..=1.
    /// Consistent, clear, feasible; see `knowledge::rules::score`.
    pub scores: [f64; 3],
    #[serde(default, skip_serializing_if = "RuleRecord::is_empty")]
    pub record: RuleRecord,
}

/// What the recorded attempts at a rule's step came to, with and without what it requires. Failures count where
/// something was lacking; other failures say nothing of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuleRecord {
    pub unmet_failed: u64,
    pub unmet_done: u64,
    pub met_done: u64,
    pub met_failed: u64,
}

impl RuleRecord {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Attempts of which the rule would have said what came of them.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.unmet_failed.saturating_add(self.met_done)
    }

    /// Attempts that went well without what the rule requires. One of them refutes it.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.unmet_done
    }
}

impl Rule {
    /// What the three scores weigh.
    /// Feasible counts most.
    pub const WEIGHTS: [f64; 3] = [0.3, 0.3, 0.4];
    /// A rule is kept above this.
    pub const ADMITTED_ABOVE: f64 = 0.85;

    /// The scores as one, 0 to 1.
    #[must_use]
    pub fn total(&self) -> f64 {
        let weighed = self.scores.iter().zip(Self::WEIGHTS);
        weighed.map(|(score, weight)| score * weight).sum()
    }

    #[must_use]
    pub fn is_admitted(&self) -> bool {
        self.total() > Self::ADMITTED_ABOVE
    }

    /// The step that it is about, in words.
    #[must_use]
    pub fn step(&self) -> String {
        if let Condition::All(parts) = &self.when
            && let [
                Condition::Is(Predicate::SubgoalKind(kind)),
                Condition::Is(Predicate::Target(target)),
            ] = &parts[..]
        {
            return format!("{} {target}", kind.name());
        }
        self.when.to_string()
    }

    /// What has to be so before the step, in words.
    #[must_use]
    pub fn required(&self) -> String {
        in_words(&self.then)
    }

    /// The rule as a person would say it.
    #[must_use]
    pub fn requirement(&self) -> String {
        format!("{} requires {}", self.step(), self.required())
    }
}

fn in_words(required: &Condition) -> String {
    let all = |parts: &[Condition], between: &str| {
        let words: Vec<String> = parts.iter().map(in_words).collect();
        words.join(between)
    };
    match required {
        Condition::Is(Predicate::Check(Check::InvGe { item, count })) => format!("{count} {item}"),
        Condition::Is(Predicate::Check(Check::Near {
            place: Place::Thing(Target::Block(block)),
            ..
        })) => format!("a {block} nearby"),
        Condition::Is(Predicate::ToolGe { kind, tier }) => {
            let tier = format!("{tier:?}").to_lowercase();
            format!("a {tier} {} or better", kind.word())
        }
        Condition::All(parts) if parts.len() > 1 => all(parts, " and "),
        Condition::Any(parts) if parts.len() > 1 => all(parts, " or "),
        other => other.to_string(),
    }
}

/// Rules of older builds required a single check.
fn condition_or_check<'de, D: Deserializer<'de>>(from: D) -> Result<Condition, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Condition(Condition),
        Check(Check),
    }
    Ok(match Either::deserialize(from)? {
        Either::Condition(condition) => condition,
        Either::Check(check) => Condition::from(check),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(scores: [f64; 3]) -> Rule {
        Rule {
            when: Condition::always(),
            then: Condition::from(Check::GuiClosed),
            scores,
            record: RuleRecord::default(),
        }
    }

    #[test]
    fn the_weights_are_those_of_the_design() {
        assert!((rule([1.0, 1.0, 1.0]).total() - 1.0).abs() < 1e-12);
        assert!((rule([1.0, 0.0, 0.0]).total() - 0.3).abs() < 1e-12);
        // Clear and feasible alone are not enough.
        assert!(!rule([0.5, 1.0, 1.0]).is_admitted());
    }

    #[test]
    fn rules_of_older_builds_are_read_and_say_the_same() {
        let old = r##"{"when":"subgoal is craft and target wooden_pickaxe",
            "then":{"check":"inv_ge","item":"#planks","count":3},"scores":[1.0,1.0,1.0]}"##;
        let read: Rule = serde_json::from_str(old).unwrap();
        assert_eq!(
            read.requirement(),
            "craft wooden_pickaxe requires 3 #planks"
        );
        let again = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Rule>(&again).unwrap(), read);
        assert!(serde_json::from_str::<Rule>(&old.replace("inv_ge", "inv_ger")).is_err());
    }
}
