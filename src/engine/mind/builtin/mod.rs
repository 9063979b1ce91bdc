//! The builtin mind: a symbolic planner over imperfect beliefs, which stands in for a language model.
//!
//! It may use the ask and its own beliefs, nothing else; results name it "simulated planner".
//! Invariant: same level, seed and ask, same answer.

mod asserts;
pub mod beliefs;
mod building;
mod capsule;
mod cost;
pub mod curiosity;
mod demand;
mod descent;
mod diagnose;
mod elsewhere;
pub mod errors;
mod evidence;
mod felling;
mod following;
mod graph;
mod guess;
mod guide;
mod impossible;
mod judge;
mod learnt;
mod look_ahead;
mod one_of_several;
mod other_ways;
mod out_of_reach;
mod part_asks;
mod parts;
mod places;
mod planner;
mod price;
mod rejected;
mod requests;
mod search;
mod sequences;
mod shortage;
mod shown;
mod skills;
mod stock;
mod subgoals;
mod supplies;
mod tools;
mod ways;

#[cfg(test)]
mod asks;
#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod guess_tests;
#[cfg(test)]
mod held_tests;
#[cfg(test)]
mod nether_wood_tests;
#[cfg(test)]
mod price_tests;
#[cfg(test)]
mod shortage_tests;
#[cfg(test)]
mod sim;
#[cfg(test)]
mod tests;

use super::Mind;
use beliefs::Beliefs;
use errors::Level;
use learnt::Learnt;
use look_ahead::{LookAhead, own_steps};
use pithead_core::domain::mind::ask::{Ask, DiagnoseAsk, Lesson, PlanAsk};
use pithead_core::domain::mind::plan_part::PlanPart;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::form::PlanForm;
use pithead_world::wiki::WikiPage;
use serde_json::json;

/// A simulated planner.
#[derive(Debug, Clone)]
pub struct Builtin {
    level: Level,
    seed: u64,
    beliefs: Beliefs,
}

impl Builtin {
    /// The planner of this level; `seed` (of the run) decides which of its weak facts fail.
    #[must_use]
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            level,
            seed,
            beliefs: Beliefs::new(level, seed),
        }
    }
}

impl Builtin {
    /// A plan, or the part of one that is asked for.
    fn plan(&self, ask: &PlanAsk) -> Result<Plan, String> {
        match (ask.form, ask.part.as_deref()) {
            (PlanForm::NextStep, _) => self.next_step(ask),
            (_, Some(PlanPart::Mending { assertion, .. })) => self.mending(ask, assertion),
            (_, Some(PlanPart::Goal(part))) => self.for_goal(ask, part),
            _ => self.whole(ask, &[]),
        }
    }

    /// A whole plan, with what slips from its mind over so long an answer.
    fn whole(&self, ask: &PlanAsk, pages: &[WikiPage]) -> Result<Plan, String> {
        // Without pages what was looked up already serves again.
        let whole = match pages {
            [] => planner::plan(&self.beliefs, ask)?,
            pages => planner::plan(&self.beliefs.reading(pages), ask)?,
        };
        let steps = own_steps(&whole, ask, &Learnt::from(ask));
        Ok(self.with_slips(whole, ask, steps, pages))
    }

    /// The plan as it comes to mind in an answer that holds so many steps.
    fn with_slips(&self, whole: Plan, ask: &PlanAsk, steps: usize, pages: &[WikiPage]) -> Plan {
        let look_ahead = LookAhead::over(self.level, self.seed, ask.nonce, steps);
        let look_ahead = look_ahead.helped_by(ask);
        if !look_ahead.is_bounded() {
            return whole;
        }
        let in_mind = Beliefs::as_far_as(self.level, self.seed, look_ahead).reading(pages);
        // A slip may hide every way; nobody writes down a plan that ends nowhere.
        planner::plan(&in_mind, ask).unwrap_or(whole)
    }

    /// What it concludes from failed attempts.
    #[must_use]
    pub fn lesson(&self, ask: &DiagnoseAsk) -> Lesson {
        diagnose::lesson(&self.beliefs, ask)
    }
}

impl Mind for Builtin {
    fn name(&self) -> String {
        format!("builtin:{} (simulated planner)", self.level.name())
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, String> {
        let written = match ask {
            Ask::Plan(ask) => match self.plan(ask) {
                Ok(plan) => serde_json::to_string(&plan),
                Err(because) => serde_json::to_string(&json!({ "impossible": because })),
            },
            Ask::Diagnose(ask) => serde_json::to_string(&self.lesson(ask)),
            Ask::Capsule(ask) => serde_json::to_string(&capsule::capsule(ask)),
            Ask::Decompose(ask) => serde_json::to_string(&guide::apart(&self.beliefs, ask)?),
            Ask::Explain(ask) => serde_json::to_string(&guide::explanation(&self.beliefs, ask)),
            Ask::Summarise(ask) => serde_json::to_string(&guide::summarise_run(ask)),
            Ask::Reference(ask) => serde_json::to_string(&sequences::reference_draft(ask)),
            Ask::Judge(ask) => serde_json::to_string(&judge::judged(self.level, self.seed, ask)),
            Ask::Reflect(ask) => serde_json::to_string(&guide::reflection(&self.beliefs, ask)),
            // It says beforehand that it answers none of these, and the program distils by itself.
            Ask::Skill(_) | Ask::Guardrail(_) | Ask::Rules(_) | Ask::Score(_) => {
                return Err("the simulated planner distils nothing; the program does".to_owned());
            }
            Ask::Goal(_) => return Err("the simulated planner reads no free words".to_owned()),
        };
        written.map_err(|fault| format!("the answer could not be written: {fault}"))
    }
}
