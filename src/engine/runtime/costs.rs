//! Costs: what a run's mind took, by role and by what the run was doing, as a fold of its events.

use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Spent, money};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::CallId;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the mind of a run took.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Costs {
    pub total: Cost,
    /// For example `planner`.
    pub by_role: BTreeMap<String, Cost>,
    /// `read the task`, `recall`, `decompose`, `first plan`, `diagnose`, `replan`, `distil`, `summarise`.
    pub by_phase: BTreeMap<&'static str, Cost>,
    pub by_model: BTreeMap<String, Cost>,
    /// Role and phase of each question, kept because the events that follow name the call
    /// only.
    #[serde(skip)]
    asked: BTreeMap<CallId, (String, &'static str)>,
    /// From the first replan on every plan is one.
    #[serde(skip)]
    replanning: bool,
    #[serde(skip)]
    is_studying: bool,
}

/// Sums over some answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Cost {
    /// One question may take several requests and still have one answer.
    pub questions: u64,
    pub answers: u64,
    pub failed: u64,
    pub withheld: u64,
    /// Answered, but nothing could be read of it.
    pub unreadable: u64,
    pub repaired: u64,
    /// Requests, tries included.
    pub requests: u64,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// Of the tokens in, those that servers had in their caches.
    pub tokens_cached: u64,
    /// Answers whose tokens are an estimate.
    pub estimated: u64,
    /// In millionths; answers of models without a price are not in it.
    pub micros: u64,
    /// A price list may miss a model; its answers are counted here so that the sum is not
    /// taken for the whole.
    pub unpriced: u64,
    pub ms: u64,
    pub ms_max: u64,
    pub first_token_ms_max: u64,
}

impl Costs {
    /// Takes the next event.
    pub fn apply(&mut self, fact: &Recorded) {
        match &fact.event {
            Event::ReplanStarted { .. } => self.replanning = true,
            Event::StudyBegun { .. } => self.is_studying = true,
            // The study ends with its look-up.
            Event::LookupAsked { .. } => self.is_studying = false,
            Event::MindAsked { call, ask } => {
                let phase = match (ask.role(), self.replanning) {
                    (MindRole::Recall, _) => "recall",
                    (MindRole::Decomposer, _) => "decompose",
                    (MindRole::Diagnosis | MindRole::Explainer, _) => "diagnose",
                    // The reflector has two purposes; the study tells which.
                    (MindRole::Reflector, _) if self.is_studying => "distil",
                    (MindRole::Reflector, _) => "diagnose",
                    (MindRole::Judge, _) => "verify",
                    (MindRole::Goal, _) => "read the task",
                    (
                        MindRole::Skill
                        | MindRole::Guardrail
                        | MindRole::RuleGenerator
                        | MindRole::RuleScorer,
                        _,
                    ) => "distil",
                    (MindRole::Summariser, _) => "summarise",
                    (MindRole::Planner, false) => "first plan",
                    (MindRole::Planner, true) => "replan",
                };
                self.asked
                    .insert(*call, (ask.role().name().to_owned(), phase));
                self.each(*call, |cost| cost.questions += 1);
            }
            Event::MindAnswered { call, ms, .. } => self.each(*call, |cost| {
                cost.answers += 1;
                cost.ms += ms;
                cost.ms_max = cost.ms_max.max(*ms);
            }),
            Event::MindFailed { call, .. } | Event::MindUnavailable { call, .. } => {
                self.each(*call, |cost| cost.failed += 1);
            }
            Event::MindWithheld { call, .. } => self.each(*call, |cost| cost.withheld += 1),
            Event::AnswerRejected { call, .. } => self.each(*call, |cost| cost.unreadable += 1),
            Event::AnswerRepaired { call, .. } => self.each(*call, |cost| cost.repaired += 1),
            Event::MindCharged { call, spent } => {
                self.each(*call, |cost| cost.charge(spent));
                let model = format!("{}/{}", spent.server, spent.model);
                let cost = self.by_model.entry(model).or_default();
                cost.charge(spent);
                // By model only charged questions are known: the event that asks does not
                // name a model.
                cost.questions += 1;
                cost.answers += u64::from(spent.first_token_ms.is_some());
                cost.ms += spent.ms;
                cost.ms_max = cost.ms_max.max(spent.ms);
            }
            // Nothing of the mind's.
            _ => (),
        }
    }

    fn each(&mut self, call: CallId, change: impl Fn(&mut Cost)) {
        change(&mut self.total);
        // A call that was asked before the recording began has no role.
        if let Some((role, phase)) = self.asked.get(&call) {
            change(self.by_role.entry(role.clone()).or_default());
            change(self.by_phase.entry(phase).or_default());
        }
    }

    /// The table for people.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<28} {:>6} {:>7} {:>6} {:>9} {:>9} {:>9} {:>10} {:>8} {:>8} {:>8}\n",
            "",
            "asked",
            "answers",
            "faults",
            "tokens in",
            "cached",
            "out",
            "money",
            "ms mean",
            "ms max",
            "1st max"
        );
        let groups = [
            self.by_role
                .iter()
                .map(|(n, c)| (format!("role {n}"), c))
                .collect::<Vec<_>>(),
            self.by_phase
                .iter()
                .map(|(n, c)| (format!("phase {n}"), c))
                .collect(),
            self.by_model
                .iter()
                .map(|(n, c)| (format!("model {n}"), c))
                .collect(),
            vec![("total".to_owned(), &self.total)],
        ];
        for (name, cost) in groups.iter().flatten() {
            text += &cost.row(name);
        }
        let total = &self.total;
        if total.unpriced > 0 {
            text += &format!(
                "{} answers came from models without a price\n",
                total.unpriced
            );
        }
        if total.estimated > 0 {
            text += &format!("the tokens of {} answers are estimates\n", total.estimated);
        }
        text
    }
}

impl Cost {
    fn charge(&mut self, spent: &Spent) {
        self.requests += u64::from(spent.tries);
        self.tokens_in += spent.tokens_in;
        self.tokens_out += spent.tokens_out;
        self.tokens_cached += spent.tokens_cached.unwrap_or(0);
        self.estimated += u64::from(!spent.counted);
        self.micros += spent.micros.unwrap_or(0);
        self.unpriced += u64::from(spent.micros.is_none());
        self.first_token_ms_max = self
            .first_token_ms_max
            .max(spent.first_token_ms.unwrap_or(0));
    }

    fn row(&self, name: &str) -> String {
        let faults = self.failed + self.withheld + self.unreadable;
        // 0 without answers.
        let mean = self.ms.checked_div(self.answers).unwrap_or(0);
        let name: String = name.chars().take(28).collect();
        format!(
            "{name:<28} {:>6} {:>7} {faults:>6} {:>9} {:>9} {:>9} {:>10} {mean:>8} {:>8} {:>8}\n",
            self.questions,
            self.answers,
            self.tokens_in,
            self.tokens_cached,
            self.tokens_out,
            money(self.micros),
            self.ms_max,
            self.first_token_ms_max
        )
    }
}
