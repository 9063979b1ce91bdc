//! Goals: the tree that a task was taken apart into, and how far each goal is, in systems that plan goal by goal (GITM).
//!
//! Invariant: every list is bounded, and a goal stands in the tree once.

use pithead_core::domain::experience::Experience;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::domain::mind::ask::{Ask, TakenApart};
use pithead_core::domain::mind::plan_part::PlanPart;
use pithead_core::domain::mind::sequences::SEQUENCES_WANTED;
use pithead_core::domain::plan::form::PlanForm;
use pithead_core::domain::plan::{Goal, Plan};
use pithead_core::domain::run::event::{Event, RunConfig};
use pithead_core::domain::run::outcome::Outcome;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{KnowledgeId, RunId, SubgoalId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Goals of one task.
const GOALS_MAX: usize = 256;
/// Levels that are told apart.
const DEPTH_MAX: u16 = 16;
/// Steps kept, the newest.
const STEPS_MAX: usize = 100;

/// The tree, and the actions for its goals.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GoalsRecord {
    pub questions_max: u32,
    /// In the order of the tree, the task first.
    pub goals: Vec<GoalLine>,
    /// What the run was given about goals.
    pub memory: Vec<GoalMemory>,
    /// What was expected of the steps, and what became of them, oldest first.
    pub steps: Vec<StepLine>,
}

/// One goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoalLine {
    /// Levels below the task.
    pub depth: u16,
    pub object: ItemSpec,
    pub count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ItemSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<ItemSpec>,
    /// How it is got, such as `craft`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub state: GoalState,
    /// Questions put about it.
    pub questions: u32,
}

/// How far a goal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalState {
    Waiting,
    /// It is planned for now.
    Current,
    Reached,
}

/// What the run was given about a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoalMemory {
    pub goal: ItemSpec,
    pub entry: KnowledgeId,
    /// Runs that reached it, as far as they count towards a summary.
    pub successes: u32,
    pub wanted: u32,
    /// They are summarised into a reference plan; before that the first success is the reference.
    pub summarised: bool,
}

/// A step of a plan for a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepLine {
    pub subgoal: SubgoalId,
    pub step: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<String>,
    /// None until it was tried; then how the last attempt went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

impl GoalsRecord {
    /// The record of a run that plans goal by goal.
    #[must_use]
    pub fn of_run(config: &RunConfig) -> Option<Self> {
        (config.profile.form == PlanForm::EachGoal).then(|| Self {
            questions_max: config.limits.goal_questions_max,
            goals: vec![GoalLine::new(config.task.goal, config.task.count, 0)],
            ..Self::default()
        })
    }

    /// The goal that is planned for.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        let is_current = |line: &GoalLine| line.state == GoalState::Current;
        self.goals.iter().position(is_current)
    }

    /// What is remembered of a goal: its reference plan, or its successes.
    #[must_use]
    pub fn memory_of(&self, line: &GoalLine) -> Option<&GoalMemory> {
        let about = |memory: &&GoalMemory| overlaps(memory.goal, line.object);
        let all = self.memory.iter().filter(about);
        all.max_by_key(|memory| (memory.summarised, memory.successes))
    }

    /// `question 2 of 30 · memory 3 of 5 (k1.7)`, as far as there is something to say.
    #[must_use]
    pub fn describe_effort(&self, line: &GoalLine) -> String {
        let mut parts = Vec::new();
        if line.questions > 0 {
            parts.push(format!(
                "question {} of {}",
                line.questions, self.questions_max
            ));
        }
        if let Some(memory) = self.memory_of(line) {
            let plan = if memory.summarised {
                ", summarised"
            } else {
                ""
            };
            parts.push(format!(
                "memory {} of {} ({}{plan})",
                memory.successes, memory.wanted, memory.entry
            ));
        }
        parts.join(" · ")
    }

    /// Takes the next event.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::GoalTakenApart { apart } => self.taken_apart(apart),
            Event::MindAsked { ask, .. } => {
                if let Ask::Plan(ask) = &**ask
                    && let Some(PlanPart::Goal(part)) = ask.part.as_deref()
                {
                    self.asked_about(&part.goal, part.question);
                }
            }
            Event::GoalReached { goal } => {
                for line in self.about(goal) {
                    line.state = GoalState::Reached;
                }
            }
            Event::Recalled { knowledge, .. } => {
                knowledge.iter().for_each(|entry| self.remember(entry));
            }
            Event::AttemptEnded { experience, .. } => self.attempt_ended(experience),
            // The checks of the task decide about the last goal, and nothing else says that it is reached.
            Event::RunEnded {
                outcome: Outcome::Success,
                ..
            } => {
                for line in &mut self.goals {
                    line.state = GoalState::Reached;
                }
            }
            _ => (), // nothing else is about goals
        }
    }

    /// A plan is in force: its steps are to be tried.
    pub(super) fn adopted(&mut self, plan: &Plan) {
        for step in &plan.subgoals {
            if self.steps.iter().any(|known| known.subgoal == step.id) {
                continue;
            }
            if self.steps.len() == STEPS_MAX {
                self.steps.remove(0);
            }
            self.steps.push(StepLine {
                subgoal: step.id,
                step: step.label(),
                expectation: step.expectation.clone(),
                success: None,
                feedback: None,
            });
        }
    }

    fn about<'a>(&'a mut self, goal: &'a Goal) -> impl Iterator<Item = &'a mut GoalLine> {
        let is_it = move |line: &&mut GoalLine| Some(line.object) == goal.object;
        self.goals.iter_mut().filter(is_it)
    }

    /// A goal has goals of its own, which come below it.
    fn taken_apart(&mut self, apart: &TakenApart) {
        let Some(object) = apart.goal.object else {
            return;
        };
        let known = self.goals.iter().position(|line| line.object == object);
        if known.is_none() && self.goals.len() >= GOALS_MAX {
            return;
        }
        let at = known.unwrap_or_else(|| {
            self.goals.push(GoalLine::new(object, apart.goal.count, 1));
            self.goals.len() - 1
        });
        let line = &mut self.goals[at];
        (line.tool, line.material) = (apart.goal.tool, apart.goal.material);
        line.source.clone_from(&apart.goal.info);
        let depth = line.depth.saturating_add(1).min(DEPTH_MAX);
        for goal in apart.before.iter().rev() {
            let Some(object) = goal.object else { continue };
            let is_known = self.goals.iter().any(|line| line.object == object);
            if !is_known && self.goals.len() < GOALS_MAX {
                self.goals
                    .insert(at + 1, GoalLine::new(object, goal.count, depth));
            }
        }
    }

    fn asked_about(&mut self, goal: &Goal, question: u32) {
        if let Some(before) = self.current() {
            self.goals[before].state = GoalState::Waiting;
        }
        for line in self.about(goal) {
            // Amounts of several goals are added up only when it is their turn.
            (line.count, line.questions) = (goal.count, question);
            line.state = GoalState::Current;
        }
    }

    fn remember(&mut self, entry: &Entry) {
        let runs: BTreeSet<RunId> = entry.provenance.experiences.iter().map(|e| e.run).collect();
        let runs = u32::try_from(runs.len()).unwrap_or(u32::MAX);
        let wanted = u32::try_from(SEQUENCES_WANTED).unwrap_or(u32::MAX);
        let (goal, successes, summarised) = match &entry.body {
            Body::Skill(skill) if skill.steps.len() > 1 => (skill.goal, runs, false),
            Body::ReferencePlan(plan) => (plan.goal, plan.from_successes, true),
            _ => return, // no other kind is a way to a goal
        };
        let memory = GoalMemory {
            goal,
            entry: entry.id,
            successes: successes.min(wanted),
            wanted,
            summarised,
        };
        let rank = |memory: &GoalMemory| (memory.summarised, memory.successes);
        match self.memory.iter().position(|known| known.goal == goal) {
            Some(at) if rank(&self.memory[at]) < rank(&memory) => self.memory[at] = memory,
            Some(_) => (),
            None if self.memory.len() < GOALS_MAX => self.memory.push(memory),
            None => (),
        }
    }

    fn attempt_ended(&mut self, experience: &Experience) {
        let id = experience.action.id;
        let tried = self.steps.iter_mut().find(|step| step.subgoal == id);
        if let Some(step) = tried {
            step.success = Some(experience.diagnosis.success);
            step.feedback = Some(experience.diagnosis.summary.clone());
        }
    }
}

impl GoalLine {
    fn new(object: ItemSpec, count: u32, depth: u16) -> Self {
        Self {
            depth,
            object,
            count,
            tool: None,
            material: None,
            source: None,
            state: GoalState::Waiting,
            questions: 0,
        }
    }

    /// In a few words: `iron_pickaxe ×1 · craft with crafting_table of iron_ingot`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut words = format!("{} ×{}", self.object, self.count);
        if let Some(source) = &self.source {
            words += &format!(" · {source}");
        }
        if let Some(tool) = self.tool {
            words += &format!(" with {tool}");
        }
        if let Some(material) = self.material {
            words += &format!(" of {material}");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::item::ItemId;

    #[test]
    fn goals_beyond_the_bound_are_left_out() {
        let mut record = GoalsRecord::default();
        for item in ItemId::all() {
            let goal = Goal {
                object: Some(ItemSpec::Item(item)),
                count: 1,
                material: None,
                tool: None,
                amount: None,
                info: None,
            };
            let before = vec![goal.clone()];
            record.taken_apart(&TakenApart { goal, before });
        }
        assert_eq!(record.goals.len(), GOALS_MAX);
        let mut known = BTreeSet::new();
        assert!(record.goals.iter().all(|line| known.insert(line.object)));
    }
}
