//! Summaries: the result of a run, as a fold of its events.
//!
//! The JSON form is stable; `schema` is raised when a field changes its meaning or goes away.

use pithead_core::domain::knowledge::EntryUse;
use pithead_core::domain::mind::spending::money;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::runtime::costs::{Cost, Costs};
use pithead_world::ids::KnowledgeId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

const SCHEMA: u32 = 1;
/// The outcome of a run that has not ended.
pub const OPEN: &str = "open";

/// One object per run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub schema: u32,
    pub run: u64,
    pub task: String,
    pub seed: u64,
    pub success: bool,
    /// `success`, `failure`, `aborted`, or `open` if the run has not ended.
    pub outcome: &'static str,
    pub because: String,
    pub ticks: u64,
    pub attempts: u64,
    pub failed_attempts: u64,
    pub failures_by_reason: BTreeMap<&'static str, u64>,
    pub replans: u64,
    pub system: String,
    pub mind: String,
    pub mind_calls: u64,
    pub knowledge_added: u64,
    /// Entries that were shown, matched or blocked something, each counted once.
    pub knowledge_used: usize,
    /// From the first event to the last.
    pub wall_ms: u64,
    /// The help that the run had, and the simulated parts of its body.
    pub aids: Vec<String>,
    /// Entries that the hold-out kept from the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<KnowledgeId>,
    /// What language models took, by role, phase and model; left out where none was asked.
    #[serde(skip_serializing_if = "is_free")]
    pub costs: Costs,
    #[serde(skip)]
    used: BTreeSet<KnowledgeId>,
    #[serde(skip)]
    started_ms: u64,
    /// The run ended because its world or mind was unavailable.
    #[serde(skip)]
    pub unavailable: bool,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            run: 0,
            task: String::new(),
            seed: 0,
            success: false,
            outcome: OPEN,
            because: String::new(),
            ticks: 0,
            attempts: 0,
            failed_attempts: 0,
            failures_by_reason: BTreeMap::new(),
            replans: 0,
            system: String::new(),
            mind: String::new(),
            mind_calls: 0,
            knowledge_added: 0,
            knowledge_used: 0,
            wall_ms: 0,
            aids: Vec::new(),
            withheld: Vec::new(),
            costs: Costs::default(),
            used: BTreeSet::new(),
            started_ms: 0,
            unavailable: false,
        }
    }
}

impl Summary {
    /// Takes the next event.
    pub fn apply(&mut self, fact: &Recorded) {
        self.run = fact.run.0;
        if self.started_ms == 0 {
            self.started_ms = fact.at.0;
        }
        if matches!(fact.event, Event::RunForked { .. }) {
            // What stands before was copied; the time between the two runs is neither's.
            self.started_ms = fact.at.0.saturating_sub(self.wall_ms);
        }
        self.wall_ms = fact.at.0.saturating_sub(self.started_ms);
        self.costs.apply(fact);
        match &fact.event {
            Event::RunStarted { config } => {
                self.task = config.task.text.clone();
                self.seed = config.world.seed;
                self.system = config.profile.name.clone();
                self.mind = labelled(&config.mind);
                self.aids = aids(config);
            }
            Event::WorldRejoined { frame, .. } => {
                (self.ticks, self.unavailable) = (frame.tick, false);
            }
            Event::WorldReady { frame }
            | Event::FrameSeen { frame }
            | Event::ActionEnded { frame, .. } => {
                self.ticks = frame.tick;
            }
            Event::AttemptEnded { experience, .. } => {
                self.attempts += 1;
                self.failed_attempts += u64::from(experience.is_failure());
                if let Some(reason) = experience.failure_reason() {
                    *self.failures_by_reason.entry(reason.name()).or_default() += 1;
                }
            }
            Event::ReplanStarted { .. } => self.replans += 1,
            Event::MindAsked { .. } => self.mind_calls += 1,
            Event::KnowledgeProposed { .. } => self.knowledge_added += 1,
            Event::KnowledgeUsed { id, how, .. } if *how != EntryUse::Retrieved => {
                self.used.insert(*id);
                self.knowledge_used = self.used.len();
            }
            Event::KnowledgeWithheld { ids } => self.withheld.clone_from(ids),
            Event::WorldLost { because } => {
                self.unavailable = true;
                self.because = format!("the connection to the world is lost: {because}");
            }
            Event::MindFailed { .. } => self.unavailable = true,
            Event::MindUnavailable { because, .. } => {
                self.unavailable = true;
                self.because = format!("the mind is unavailable: {because}");
            }
            Event::MindAnswered { .. } => self.unavailable = false,
            Event::RunEnded { outcome, because } => self.end(*outcome, because),
            // The summary shows nothing of the others.
            _ => (),
        }
    }

    fn end(&mut self, outcome: Outcome, because: &str) {
        self.success = outcome == Outcome::Success;
        self.because = because.to_owned();
        self.outcome = match outcome {
            Outcome::Success => "success",
            Outcome::Failure => "failure",
            Outcome::Aborted => "aborted",
        };
    }

    /// The summary for people.
    #[must_use]
    pub fn text(&self) -> String {
        super::lines::fields(&self.fields())
    }

    /// What it says, by name, in the order in which people read it.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let reasons: Vec<String> = self
            .failures_by_reason
            .iter()
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        let rows = [
            ("run", self.run.to_string()),
            ("task", self.task.clone()),
            ("seed", self.seed.to_string()),
            ("system", self.system.clone()),
            ("mind", self.mind.clone()),
            ("outcome", self.outcome.to_owned()),
            ("because", self.because.clone()),
            ("ticks", self.ticks.to_string()),
            (
                "attempts",
                format!("{}, {} failed", self.attempts, self.failed_attempts),
            ),
            (
                "failures",
                if reasons.is_empty() {
                    "none".to_owned()
                } else {
                    reasons.join(", ")
                },
            ),
            ("replans", self.replans.to_string()),
            ("mind calls", self.mind_calls.to_string()),
            (
                "knowledge",
                format!(
                    "{} added, {} used",
                    self.knowledge_added, self.knowledge_used
                ),
            ),
            ("wall time", format!("{} ms", self.wall_ms)),
        ];
        let aids = self.aids.iter().map(|aid| ("aid", aid.clone()));
        let withheld = (!self.withheld.is_empty())
            .then(|| ("withheld", super::lines::ids_text(&self.withheld)));
        let tokens = (!is_free(&self.costs)).then(|| ("tokens", tokens_text(&self.costs.total)));
        let rows = rows.into_iter().chain(tokens);
        rows.chain(aids).chain(withheld).collect()
    }
}

/// The help that a run has, one line each.
fn aids(config: &RunConfig) -> Vec<String> {
    let world = &config.world.aids;
    // Named of a scout too, who sees more than a player would.
    let scout = world.senses.is_scout().then(|| world.senses.line());
    let lines = world.lines().into_iter().chain(scout);
    lines.chain(config.profile.aid_line()).collect()
}

/// No model was asked.
fn is_free(costs: &Costs) -> bool {
    costs.total.requests == 0
}

fn tokens_text(total: &Cost) -> String {
    let mut text = format!("{} in, {} out", total.tokens_in, total.tokens_out);
    if total.micros > 0 {
        text += &format!(", money {}", money(total.micros));
    }
    text
}

/// The builtin mind is never shown without saying what it is.
fn labelled(mind: &str) -> String {
    if mind.starts_with("builtin:") && !mind.contains(' ') {
        format!("{mind} (simulated planner)")
    } else {
        mind.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_engine::journal::samples::every_kind;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{RunId, Seq};

    #[test]
    fn the_json_has_the_fields_that_scripts_rely_on() {
        let mut summary = Summary::default();
        let events = every_kind(3);
        // One event a millisecond, whatever kinds there are; the one before a fork is neither run's.
        let took = events.len() - 2;
        for (at, event) in events.into_iter().enumerate() {
            let (run, seq, at) = (RunId(3), Seq(at as u64 + 1), Millis(100 + at as u64));
            summary.apply(&Recorded {
                run,
                seq,
                at,
                event,
            });
        }
        let expected = r#"{"schema":1,"run":3,"task":"get a log","seed":18446744073709551612,"success":false,"outcome":"aborted","because":"so","ticks":40,"attempts":1,"failed_attempts":1,"failures_by_reason":{"TOOL_MISSING":1},"replans":1,"system":"steve-evolving","mind":"builtin:competent (simulated planner)","mind_calls":1,"knowledge_added":1,"knowledge_used":1,"wall_ms":TOOK,"aids":["senses scout: the body sees all around at once, also in the dark"],"withheld":["k3.3"]}"#;
        let expected = expected.replace("TOOK", &took.to_string());
        let mut written = serde_json::to_value(&summary).unwrap();
        let costs = written.as_object_mut().unwrap().remove("costs").unwrap();
        let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(written, expected);
        let total = ["questions", "tokens_in", "tokens_out", "micros"];
        let total = total.map(|name| costs["total"][name].as_u64());
        assert_eq!(total, [1, 1200, 300, 4500].map(Some));
        for name in ["by_role", "by_phase", "by_model"] {
            assert!(costs[name].is_object(), "{name}");
        }
    }

    #[test]
    fn the_text_lets_no_control_characters_through() {
        let because = "\u{1b}[2J\u{202e}bad\nrow".to_owned();
        let summary = Summary {
            because,
            ..Summary::default()
        };
        assert!(summary.text().contains("because     "));
        assert!(!summary.text().contains(['\u{1b}', '\u{202e}']));
        assert_eq!(summary.text().lines().count(), 14);
    }
}
