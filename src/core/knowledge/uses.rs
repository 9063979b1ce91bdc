//! Uses: what steps were seen to use up, in this run and in skills that it was given.
//!
//! A plan does not say what its steps consume, and the game's tables are nobody's to read; what was seen is.
//! Invariant: nothing is taken as used up that some sighting of the same step did without.

use crate::domain::experience::Experience;
use crate::domain::knowledge::inputs::Flow;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::knowledge::{Body, Entry};
use crate::domain::plan::{Subgoal, TaskKind};
use crate::knowledge::slice::flow_of_success;
use pithead_world::family::ItemSpec;
use serde::{Deserialize, Serialize};

/// Sightings by the step that they are of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepUses {
    seen: Vec<(TaskKind, ItemSpec, Flow)>,
}

impl StepUses {
    /// From these successes and the skills among these entries.
    #[must_use]
    pub fn seen(successes: &[Experience], knowledge: &[Entry]) -> Self {
        let mut uses = Self::default();
        for success in successes {
            uses.see(success);
        }
        uses.with_skills(knowledge)
    }

    /// Takes in one more success.
    pub fn see(&mut self, success: &Experience) {
        self.add(&success.action, &flow_of_success(success));
    }

    /// With the skills among these entries.
    #[must_use]
    pub fn with_skills(mut self, knowledge: &[Entry]) -> Self {
        for entry in knowledge {
            if let Body::Skill(skill) = &entry.body
                && skill.flows.len() == skill.steps.len()
            {
                for (step, flow) in skill.steps.iter().zip(&skill.flows) {
                    self.add(step, flow);
                }
            }
        }
        self
    }

    fn add(&mut self, step: &Subgoal, flow: &Flow) {
        let Some(object) = step.goal.object else {
            return;
        };
        // Only workbenches and furnaces consume; what else is lost on the way was chance.
        if !matches!(step.task_kind, TaskKind::Craft | TaskKind::Smelt) {
            return;
        }
        let known = self
            .seen
            .iter_mut()
            .find(|(kind, item, _)| *kind == step.task_kind && *item == object);
        match known {
            Some((_, _, known)) => known.add(flow),
            None => self.seen.push((step.task_kind, object, flow.clone())),
        }
    }

    /// What a step uses up for so many pieces, as far as every sighting of it agrees.
    #[must_use]
    pub fn taken_by(&self, step: &Subgoal, pieces: u32) -> Vec<(ItemSpec, u32)> {
        if pieces == 0 {
            return Vec::new();
        }
        let is_same = |(kind, item, _): &&(TaskKind, ItemSpec, Flow)| {
            let object = step.goal.object;
            *kind == step.task_kind && object.is_some_and(|object| overlaps(*item, object))
        };
        let mut all = Flow::default();
        for (_, _, flow) in self.seen.iter().filter(is_same) {
            all.add(flow);
        }
        all.common().taken_for(pieces).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::{crafted, experience, item};

    fn taken(seen: &[Experience], step: &str, pieces: u32) -> Vec<(String, u32)> {
        let asked = crafted(step, 1, "").action;
        let uses = StepUses::seen(seen, &[]);
        let taken = uses.taken_by(&asked, pieces).into_iter();
        taken.map(|(item, n)| (item.to_string(), n)).collect()
    }

    #[test]
    fn what_every_sighting_used_is_used_up_and_no_more() {
        let table = crafted("crafting_table", 1, "oak_planks=4");
        let sticks = crafted("stick", 4, "oak_planks=2");
        let seen = [table, sticks.clone()];
        let planks = |n| vec![("#planks".to_owned(), n)];
        assert_eq!(taken(&seen, "crafting_table", 1), planks(4));
        assert_eq!(taken(&seen, "stick", 8), planks(4));
        assert!(taken(&seen, "chest", 1).is_empty(), "never seen");
        // Once it was made of bamboo.
        let bamboo = crafted("stick", 1, "bamboo=2");
        assert!(taken(&[sticks, bamboo], "stick", 8).is_empty());
    }

    #[test]
    fn mining_uses_nothing_up() {
        let mut mined = experience(1, 1, "iron_ore", true);
        mined.diagnosis.delta.used = "torch=1".parse().unwrap();
        let uses = StepUses::seen(std::slice::from_ref(&mined), &[]);
        assert!(uses.taken_by(&mined.action, 1).is_empty());
        assert!(item("iron_ore").single().is_some());
    }
}
