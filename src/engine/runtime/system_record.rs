//! What the phases of other systems did in a run: selections, rules, reflections, goals; a fold of its events.
//!
//! A part is there only if the run's profile switches it on. Invariant: every list is bounded.

use super::goals_record::GoalsRecord;
use pithead_core::domain::knowledge::{Body, Entry, Rule, Status};
use pithead_core::domain::mind::judge::{JudgedBy, Judgement};
use pithead_core::domain::mind::study::Reflected;
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_core::domain::run::compared_step::ComparedStep;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::profile::Selector;
use pithead_world::ids::{KnowledgeId, Seq, SubgoalId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Selections and reflections kept; a run has fewer.
const KEPT_MAX: usize = 500;
/// Rules kept; the active set of a base is smaller.
const RULES_MAX: usize = 500;

/// All of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SystemRecord {
    /// The selector `horizon` (DEPS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<SelectRecord>,
    /// Rules and judgements (Metagent-P).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesRecord>,
    /// The reflector (Metagent-P).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflector: Option<ReflectorRecord>,
    /// The goals of a system that plans goal by goal (GITM).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<GoalsRecord>,
    /// No part of what is told.
    #[serde(skip)]
    plans: KnownPlans,
}

/// Where the steps that events name are looked up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct KnownPlans {
    proposed: Plan,
    in_force: Plan,
}

/// What was selected.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SelectRecord {
    /// How often the rest was planned anew, and how often it may be.
    pub round: u32,
    pub rounds_max: u32,
    /// Oldest first.
    pub selections: Vec<Selection>,
}

/// One selection, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    pub event: Seq,
    pub selected: SubgoalId,
    /// In the order of the plan.
    pub candidates: Vec<Candidate>,
    /// How long the attempt took; none while it is under way.
    pub ticks: Option<u64>,
    pub success: Option<bool>,
}

/// A step that could have been next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub subgoal: SubgoalId,
    /// In words.
    pub step: String,
    /// Expected ticks, and those within which one and nine of ten such steps are done.
    pub ticks: u32,
    pub early: u32,
    pub late: u32,
    pub probability: f64,
}

/// Rules that take part, and how right the judgements were.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RulesRecord {
    pub admitted_above: f64,
    pub rules: Vec<RuleLine>,
    /// Steps that were judged before they ran, by rules and by the mind.
    pub judged_by_rules: u64,
    pub judged_by_mind: u64,
    /// Attempts that went as they had been judged, and those that did not.
    pub right: u64,
    pub wrong: u64,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleLine {
    pub id: KnowledgeId,
    pub status: Status,
    /// As a person would say it.
    pub requirement: String,
    /// Consistent, clear, feasible.
    pub scores: [f64; 3],
    pub total: f64,
    pub admitted: bool,
    /// Of all recorded attempts.
    pub hits: u64,
    pub misses: u64,
    /// Steps of this run that it refused.
    pub refused: u64,
}

/// What the mind saw when it looked back.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReflectorRecord {
    /// A plan with more confidence is kept.
    pub trust_min: f64,
    /// How often each trigger set it off.
    pub triggers: BTreeMap<String, u64>,
    /// Oldest first.
    pub reflections: Vec<ReflectionLine>,
}

/// One reflection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReflectionLine {
    pub event: Seq,
    pub step: String,
    pub trigger: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disturbance: Option<String>,
    /// T_e and T_h.
    pub now: String,
    pub before: String,
    /// C_history and C_LLM; none where nothing is known.
    pub history: Option<f64>,
    pub said: Option<f64>,
    /// Failed cases that were recalled for it.
    pub cases: u32,
    pub confidence: f64,
    /// `keep`, `repair` or `replan`.
    pub then: String,
    pub suggestion: String,
}

impl SystemRecord {
    /// What the record is folded on with.
    #[must_use]
    pub fn plans(&self) -> &KnownPlans {
        &self.plans
    }

    /// The record as it was told, to be folded on with.
    #[must_use]
    pub fn with_plans(self, plans: KnownPlans) -> Self {
        Self { plans, ..self }
    }

    /// Takes the next event.
    pub fn apply(&mut self, fact: &Recorded) {
        if let Some(goals) = &mut self.goals {
            goals.apply(&fact.event);
        }
        match &fact.event {
            Event::RunStarted { config } => self.begin(config),
            Event::PlanProposed { plan, .. } => self.plans.proposed = plan.clone(),
            Event::PlanAdopted { .. } => {
                self.plans.in_force = self.plans.proposed.clone();
                if let Some(goals) = &mut self.goals {
                    goals.adopted(&self.plans.in_force);
                }
            }
            Event::ReplanStarted { .. } => {
                if let Some(select) = &mut self.select {
                    select.round = select.round.saturating_add(1);
                }
            }
            Event::SubgoalSelected {
                subgoal,
                candidates,
            } => self.selected(fact.seq, *subgoal, candidates),
            Event::AttemptEnded { experience, .. } => {
                self.attempt_ended(experience);
            }
            Event::PlanJudged { judged, .. } => self.judged(judged),
            Event::PlanReflected { reflected } => self.reflected(fact.seq, reflected),
            event => self.apply_knowledge(event),
        }
    }

    fn begin(&mut self, config: &RunConfig) {
        let profile = &config.profile;
        let predicts = profile.selector == Selector::Horizon;
        self.select = predicts.then(|| SelectRecord {
            rounds_max: profile.replans_max(config.limits.replans_max),
            ..SelectRecord::default()
        });
        let judges = profile.judge || profile.uses_rules();
        self.rules = judges.then(|| RulesRecord {
            admitted_above: Rule::ADMITTED_ABOVE,
            ..RulesRecord::default()
        });
        self.goals = GoalsRecord::of_run(config);
        self.reflector = profile.reflect.then(|| ReflectorRecord {
            trust_min: Reflected::TRUST_MIN,
            ..ReflectorRecord::default()
        });
    }

    fn words(&self, id: SubgoalId) -> String {
        let plans = [&self.plans.in_force, &self.plans.proposed];
        let step = plans.into_iter().find_map(|plan| plan.get(id));
        step.map_or_else(|| id.to_string(), Subgoal::label)
    }

    fn selected(&mut self, event: Seq, selected: SubgoalId, candidates: &[ComparedStep]) {
        let candidates: Vec<Candidate> = candidates
            .iter()
            .map(|step| Candidate {
                subgoal: step.subgoal,
                step: self.words(step.subgoal),
                ticks: step.horizon.ticks,
                early: step.horizon.early,
                late: step.horizon.late,
                probability: step.probability,
            })
            .collect();
        if let Some(select) = self.select.as_mut().filter(|_| !candidates.is_empty()) {
            keep(
                &mut select.selections,
                Selection {
                    event,
                    selected,
                    candidates,
                    ticks: None,
                    success: None,
                },
            );
        }
    }

    fn attempt_ended(&mut self, experience: &pithead_core::domain::experience::Experience) {
        let success = experience.diagnosis.success;
        let last = self.select.as_mut();
        let last = last.and_then(|select| select.selections.last_mut());
        let is_it =
            |last: &&mut Selection| last.ticks.is_none() && last.selected == experience.action.id;
        if let Some(last) = last.filter(is_it) {
            (last.ticks, last.success) = (Some(experience.ticks()), Some(success));
        }
        if let (Some(rules), Some(judged)) = (&mut self.rules, &experience.judged)
            && experience.no_failure().is_none()
        {
            if judged.success == success {
                rules.right += 1;
            } else {
                rules.wrong += 1;
            }
        }
    }

    fn judged(&mut self, judged: &[Judgement]) {
        let Some(rules) = &mut self.rules else { return };
        for judgement in judged {
            match &judgement.by {
                JudgedBy::Mind => rules.judged_by_mind += 1,
                JudgedBy::Rules(ids) => {
                    rules.judged_by_rules += 1;
                    let refused =
                        |line: &&mut RuleLine| !judgement.success && ids.contains(&line.id);
                    for line in rules.rules.iter_mut().filter(refused) {
                        line.refused += 1;
                    }
                }
            }
        }
    }

    fn reflected(&mut self, event: Seq, reflected: &Reflected) {
        let step = self.words(reflected.subgoal);
        let Some(record) = &mut self.reflector else {
            return;
        };
        let trigger = reflected.trigger.name().to_owned();
        *record.triggers.entry(trigger.clone()).or_default() += 1;
        keep(
            &mut record.reflections,
            ReflectionLine {
                event,
                step,
                trigger,
                disturbance: reflected
                    .disturbance
                    .map(|disturbance| disturbance.name().to_owned()),
                now: reflected.reflection.now.clone(),
                before: reflected.reflection.before.clone(),
                history: reflected.history,
                said: reflected.said,
                cases: reflected.cases,
                confidence: reflected.confidence,
                then: match (reflected.keeps, reflected.repairs) {
                    (true, _) => "keep",
                    (false, true) => "repair",
                    (false, false) => "replan",
                }
                .to_owned(),
                suggestion: reflected.reflection.suggestion(),
            },
        );
    }

    fn apply_knowledge(&mut self, event: &Event) {
        let Some(rules) = &mut self.rules else { return };
        match event {
            Event::Recalled { knowledge, .. } => {
                knowledge.iter().for_each(|entry| rules.add(entry));
            }
            Event::KnowledgeProposed { entry } => rules.add(entry),
            Event::KnowledgeActivated { id, .. } => {
                rules.change(*id, |line| line.status = Status::Active);
            }
            Event::KnowledgeVetoed { id, .. } => {
                rules.change(*id, |line| line.status = Status::Vetoed);
            }
            Event::KnowledgeMoved { id, to, .. } => rules.change(*id, |line| line.status = *to),
            Event::KnowledgeEdited {
                id,
                body: Body::Rule(rule),
                ..
            } => rules.change(*id, |line| line.says(rule)),
            Event::KnowledgeMerged { into, draft } => {
                if let Body::Rule(rule) = &draft.body {
                    rules.change(*into, |line| line.says(rule));
                }
            }
            _ => (), // nothing else changes a rule
        }
    }
}

impl RulesRecord {
    fn add(&mut self, entry: &Entry) {
        let Body::Rule(rule) = &entry.body else {
            return;
        };
        let mut line = RuleLine {
            id: entry.id,
            status: entry.status,
            requirement: String::new(),
            scores: [0.0; 3],
            total: 0.0,
            admitted: false,
            hits: 0,
            misses: 0,
            refused: 0,
        };
        line.says(rule);
        match self.rules.iter().position(|known| known.id == entry.id) {
            Some(at) => {
                line.refused = self.rules[at].refused;
                self.rules[at] = line;
            }
            None if self.rules.len() < RULES_MAX => self.rules.push(line),
            None => (),
        }
    }

    fn change(&mut self, id: KnowledgeId, change: impl FnOnce(&mut RuleLine)) {
        if let Some(line) = self.rules.iter_mut().find(|line| line.id == id) {
            change(line);
        }
    }
}

impl RuleLine {
    fn says(&mut self, rule: &Rule) {
        self.requirement = rule.requirement();
        (self.scores, self.total) = (rule.scores, rule.total());
        self.admitted = rule.is_admitted();
        (self.hits, self.misses) = (rule.record.hits(), rule.record.misses());
    }
}

fn keep<T>(list: &mut Vec<T>, item: T) {
    if list.len() == KEPT_MAX {
        list.remove(0);
    }
    list.push(item);
}
