//! Costs: what a run's mind took, by role and by what the run was doing, as a fold of its events.

use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Spent, money};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::CallId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the mind of a run took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    pub total: Cost,
    /// For example `planner`.
    pub by_role: BTreeMap<String, Cost>,
    /// `read the task`, `recall`, `decompose`, `first plan`, `diagnose`, `replan`, `distil`, `summarise`.
    pub by_phase: BTreeMap<String, Cost>,
    pub by_model: BTreeMap<String, Cost>,
    /// No part of what is told.
    #[serde(skip)]
    state: CostState,
}

/// What the fold has to remember beside the sums.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CostState {
    /// Role and phase of each question, kept because the events that follow name the call
    /// only.
    asked: BTreeMap<CallId, (String, String)>,
    /// From the first replan on every plan is one.
    replanning: bool,
    is_studying: bool,
}

/// Sums over some answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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
    /// What the sums are folded on with.
    #[must_use]
    pub fn state(&self) -> &CostState {
        &self.state
    }

    /// The sums as they were told, to be folded on with.
    #[must_use]
    pub fn with_state(self, state: CostState) -> Self {
        Self { state, ..self }
    }

    /// Takes the next event.
    pub fn apply(&mut self, fact: &Recorded) {
        match &fact.event {
            Event::ReplanStarted { .. } => self.state.replanning = true,
            Event::StudyBegun { .. } => self.state.is_studying = true,
            // The study ends with its look-up.
            Event::LookupAsked { .. } => self.state.is_studying = false,
            Event::MindAsked { call, ask } => {
                let phase = match (ask.role(), self.state.replanning) {
                    (MindRole::Recall, _) => "recall",
                    (MindRole::Decomposer, _) => "decompose",
                    (MindRole::Diagnosis | MindRole::Explainer, _) => "diagnose",
                    // The reflector has two purposes; the study tells which.
                    (MindRole::Reflector, _) if self.state.is_studying => "distil",
                    (MindRole::Reflector, _) => "diagnose",
                    (MindRole::Judge, _) => "verify",
                    (MindRole::Goal, _) => "read the task",
                    (
                        MindRole::ReferencePlan
                        | MindRole::Skill
                        | MindRole::Guardrail
                        | MindRole::RuleGenerator
                        | MindRole::RuleScorer,
                        _,
                    ) => "distil",
                    (MindRole::Summariser, _) => "summarise",
                    (MindRole::Planner, false) => "first plan",
                    (MindRole::Planner, true) => "replan",
                };
                let names = (ask.role().name().to_owned(), phase.to_owned());
                self.state.asked.insert(*call, names);
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
        if let Some((role, phase)) = self.state.asked.get(&call) {
            change(self.by_role.entry(role.clone()).or_default());
            change(self.by_phase.entry(phase.clone()).or_default());
        }
    }

    /// The table for people.
    #[must_use]
    pub fn table(&self) -> String {
        self.table_within(usize::MAX)
    }

    /// The table with as many of its columns as have room; the first are the most important.
    #[must_use]
    pub fn table_within(&self, width: usize) -> String {
        let named = |kind: &str, name: &str, cost: &Cost| (format!("{kind} {name}"), cost.clone());
        let roles = self.by_role.iter().map(|(n, c)| named("role", n, c));
        let phases = self.by_phase.iter().map(|(n, c)| named("phase", n, c));
        let models = self.by_model.iter().map(|(n, c)| named("model", n, c));
        let mut rows: Vec<(String, Cost)> = roles.chain(phases).chain(models).collect();
        rows.push(("total".to_owned(), self.total.clone()));
        let columns = COLUMNS.iter().scan(NAME_WIDTH, |used, column| {
            *used += column.width + 1;
            (*used <= width).then_some(column)
        });
        let columns: Vec<&CostColumn> = columns.collect();
        let mut text = " ".repeat(NAME_WIDTH);
        for column in &columns {
            text += &format!(" {:>1$}", column.name, column.width);
        }
        text.push('\n');
        for (name, cost) in &rows {
            let name: String = name.chars().take(NAME_WIDTH).collect();
            text += &format!("{name:<NAME_WIDTH$}");
            for column in &columns {
                text += &format!(" {:>1$}", (column.cell)(cost), column.width);
            }
            text.push('\n');
        }
        text + &self.remarks()
    }

    fn remarks(&self) -> String {
        let (total, mut text) = (&self.total, String::new());
        if total.unpriced > 0 {
            text += &format!(
                "{} from models without a price\n",
                count_with_noun(total.unpriced, "answer came", "answers came")
            );
        }
        if total.estimated > 0 {
            let answers = count_with_noun(total.estimated, "answer", "answers");
            text += &format!("the tokens of {answers} are estimates\n");
        }
        text
    }
}

/// A column of the table for people.
struct CostColumn {
    name: &'static str,
    width: usize,
    cell: fn(&Cost) -> String,
}

/// Of the column with the names.
const NAME_WIDTH: usize = 28;

/// The most important first; a narrow terminal shows only these.
const COLUMNS: [CostColumn; 12] = [
    column("asked", 5, |cost| cost.questions.to_string()),
    column("tokens in", 9, |cost| cost.tokens_in.to_string()),
    column("out", 8, |cost| cost.tokens_out.to_string()),
    column("money", 9, |cost| money(cost.micros)),
    column("seconds", 8, |cost| seconds(cost.ms)),
    column("faults", 6, |cost| {
        (cost.failed + cost.withheld + cost.unreadable).to_string()
    }),
    column("cached", 9, |cost| cost.tokens_cached.to_string()),
    column("answers", 7, |cost| cost.answers.to_string()),
    column("requests", 8, |cost| cost.requests.to_string()),
    // 0 without answers.
    column("ms mean", 8, |cost| {
        let mean = cost.ms.checked_div(cost.answers);
        mean.unwrap_or(0).to_string()
    }),
    column("ms max", 8, |cost| cost.ms_max.to_string()),
    column("1st max", 8, |cost| cost.first_token_ms_max.to_string()),
];

const fn column(name: &'static str, width: usize, cell: fn(&Cost) -> String) -> CostColumn {
    CostColumn { name, width, cell }
}

/// Tenths of a second are as fine as a person asks.
fn seconds(ms: u64) -> String {
    format!("{}.{}", ms / 1000, ms % 1000 / 100)
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
}
