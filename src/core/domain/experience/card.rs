//! Cards: an experience in the form of the papers' cards, for models and for tools that read them.
//!
//! Derived from the document, never stored. Invariant: every fact names what it was read from.

use super::Experience;
use super::diagnosis::{FailureReason, TraceStep};
use super::state_summary::StateSummary;
use crate::text::numbers::format_blocks;
use serde::Serialize;

/// One thing that is known, and from where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CardFact {
    /// For example `biome`, `inv_delta iron_ore`, `broken stone`.
    pub k: String,
    pub v: String,
    /// The experience and its part, for example `e1.4 before`.
    pub source: String,
}

/// How the attempt failed, or may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailureMode {
    pub reason: FailureReason,
    /// The predicates that speak for it, with what they saw.
    pub evidence: Vec<String>,
}

/// One experience.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Card {
    /// The label first, then the runners-up; empty on success.
    pub failure_modes: Vec<FailureMode>,
    /// What was to be seen, without a cause; none on success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symptom: Option<String>,
    /// The cause that the diagnosis or an operator gave; none on success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    pub facts: Vec<CardFact>,
}

/// The card of an experience.
#[must_use]
pub fn card_of(experience: &Experience) -> Card {
    let diagnosis = &experience.diagnosis;
    let reasons = diagnosis.reason.into_iter();
    let reasons = reasons.chain(diagnosis.runners_up.iter().copied());
    let failed = !diagnosis.success;
    Card {
        failure_modes: reasons.map(|reason| mode(experience, reason)).collect(),
        symptom: failed.then(|| symptom(experience)),
        root_cause: diagnosis
            .reason
            .map(|reason| format!("{}: {}", reason.name(), diagnosis.summary)),
        facts: facts(experience),
    }
}

impl Card {
    /// Another label, which a person gave after the fact.
    pub fn overrule(&mut self, label: FailureReason, because: &str) {
        self.root_cause = Some(format!("{}: {because}", label.name()));
        self.failure_modes.retain(|mode| mode.reason != label);
        let mode = FailureMode {
            reason: label,
            evidence: vec![because.to_owned()],
        };
        self.failure_modes.insert(0, mode);
    }
}

fn mode(experience: &Experience, reason: FailureReason) -> FailureMode {
    let speaks = |step: &&TraceStep| step.holds && step.speaks_for == Some(reason);
    let trace = experience.diagnosis.trace.iter().filter(speaks);
    FailureMode {
        reason,
        evidence: trace
            .map(|step| format!("{}: {}", step.predicate, step.inputs))
            .collect(),
    }
}

/// `mine iron_ore ×3: 12 s, moved 4 blocks, no item changed, health -2, inventory window open`.
fn symptom(experience: &Experience) -> String {
    let delta = &experience.diagnosis.delta;
    let ticks = experience.post.tick.saturating_sub(experience.pre.tick);
    let items: Vec<String> = delta
        .inventory
        .iter()
        .map(|(item, change)| format!("{item} {change:+}"))
        .collect();
    let mut seen = vec![
        format!("{} s", ticks.div_ceil(TICKS_PER_S)),
        format!("moved {}", format_blocks(delta.moved)),
        if items.is_empty() {
            "no item changed".to_owned()
        } else {
            items.join(", ")
        },
    ];
    seen.extend((delta.health != 0.0).then(|| format!("health {:+.0}", delta.health)));
    let gui = experience.post.gui;
    seen.extend(gui.is_open().then(|| format!("{} window open", gui.name())));
    format!("{}: {}", experience.action.condition, seen.join(", "))
}

const TICKS_PER_S: u64 = 20;

fn facts(experience: &Experience) -> Vec<CardFact> {
    let id = experience.id;
    let from = |part: &str| {
        let source = format!("{id} {part}");
        move |k: String, v: String| CardFact {
            k,
            v,
            source: source.clone(),
        }
    };
    let diagnosis = &experience.diagnosis;
    let mut facts = state_facts(&experience.pre, from("before"));
    facts.extend(state_facts(&experience.post, from("after")));
    let delta = from("delta");
    let items = diagnosis.delta.inventory.iter();
    facts.extend(
        items.map(|(item, change)| delta(format!("inv_delta {item}"), format!("{change:+}"))),
    );
    let blocks = diagnosis.delta.blocks.iter();
    facts.extend(blocks.map(|(block, n)| delta(format!("broken {}", block.name()), n.to_string())));
    let used = diagnosis.delta.used.iter();
    facts.extend(used.map(|(item, n)| delta(format!("used {item}"), n.to_string())));
    let report = diagnosis.report.iter();
    facts.extend(report.map(|failure| from("report")("failure".to_owned(), failure.to_string())));
    facts
}

fn state_facts(state: &StateSummary, fact: impl Fn(String, String) -> CardFact) -> Vec<CardFact> {
    let one = |k: &str, v: String| fact(k.to_owned(), v);
    vec![
        one("position", state.position.to_string()),
        one("biome", state.biome.clone()),
        one("underground", state.underground.to_string()),
        one("time", state.time.to_string()),
        one("health", format!("{:.0}", state.health)),
        one(
            "held",
            state.held.map_or("nothing", |item| item.name()).to_owned(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples;

    #[test]
    fn a_failure_has_its_symptom_its_cause_and_facts_with_their_sources() {
        let failed = samples::experience(3, 7, "stone", false);
        let card = card_of(&failed);
        let reason = failed.diagnosis.reason.unwrap();
        assert_eq!(card.failure_modes[0].reason, reason);
        assert!(card.symptom.unwrap().starts_with(&failed.action.condition));
        assert!(card.root_cause.unwrap().starts_with(reason.name()));
        let biome = CardFact {
            k: "biome".to_owned(),
            v: failed.pre.biome,
            source: "e3.7 before".to_owned(),
        };
        assert!(card.facts.contains(&biome), "{:?}", card.facts);
        assert!(
            card.facts
                .iter()
                .all(|fact| fact.source.starts_with("e3.7 "))
        );
    }

    #[test]
    fn a_success_has_facts_and_no_failure() {
        let card = card_of(&samples::experience(1, 1, "stone", true));
        assert!(
            card.failure_modes.is_empty() && card.symptom.is_none() && card.root_cause.is_none()
        );
        assert!(!card.facts.is_empty());
    }
}
