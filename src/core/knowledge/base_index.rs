//! An index over a base: which of its entries can say the same as a body, or contradict it.
//!
//! Whoever compares many bodies with a large base asks here first; the comparison itself is in `lint`
//! and `queue`. Invariant: what is left out would get no remark.

use crate::domain::knowledge::{Body, Entry, Guardrail};
use crate::domain::plan::{Subgoal, TaskKind};
use crate::text::signature::Signature;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use std::collections::{BTreeSet, HashMap};

/// Where entries are in the base, by what they are about.
#[derive(Debug)]
pub struct BaseIndex<'a> {
    base: &'a [Entry],
    by_signature: HashMap<Signature, Vec<usize>>,
    /// Guardrails by the kind and target that they forbid.
    guardrails: HashMap<(Option<TaskKind>, Option<ItemSpec>), Vec<usize>>,
    /// Guardrails by each item that their target can be.
    guardrails_by_item: HashMap<ItemId, Vec<usize>>,
    guardrails_without_target: Vec<usize>,
    skills_by_goal: HashMap<ItemSpec, Vec<usize>>,
    /// Skills by one item that each of their steps is about.
    skills_by_item: HashMap<ItemId, Vec<usize>>,
    skills: Vec<usize>,
}

impl<'a> BaseIndex<'a> {
    #[must_use]
    pub fn new(base: &'a [Entry]) -> Self {
        let mut index = Self {
            base,
            by_signature: HashMap::with_capacity(base.len()),
            guardrails: HashMap::new(),
            guardrails_by_item: HashMap::new(),
            guardrails_without_target: Vec::new(),
            skills_by_goal: HashMap::new(),
            skills_by_item: HashMap::new(),
            skills: Vec::new(),
        };
        for (at, entry) in base.iter().enumerate() {
            index.add(at, &entry.body);
        }
        index
    }

    fn add(&mut self, at: usize, body: &Body) {
        let same = self.by_signature.entry(body.signature()).or_default();
        same.push(at);
        match body {
            Body::Guardrail(rail) => {
                self.guardrails.entry(forbidden(rail)).or_default().push(at);
                match rail.forbid.target {
                    Some(target) => {
                        for item in target.members() {
                            self.guardrails_by_item.entry(*item).or_default().push(at);
                        }
                    }
                    None => self.guardrails_without_target.push(at),
                }
            }
            Body::Skill(skill) => {
                self.skills.push(at);
                self.skills_by_goal.entry(skill.goal).or_default().push(at);
                for item in skill.steps.iter().filter_map(one_item) {
                    self.skills_by_item.entry(item).or_default().push(at);
                }
            }
            // Only skills and guardrails are compared by more than their signature.
            Body::TaskGuardrail(_) | Body::Rule(_) | Body::ReferencePlan(_) | Body::Note(_) => (),
        }
    }

    /// An entry of the same kind with the same content.
    #[must_use]
    pub fn saying_the_same(&self, body: &Body) -> Option<&'a Entry> {
        let found = self.by_signature.get(&body.signature())?;
        let mut entries = found.iter().map(|at| &self.base[*at]);
        entries.find(|entry| entry.body.kind() == body.kind())
    }

    /// The entries that a body has to be compared with, in the order of the base.
    #[must_use]
    pub fn comparable(&self, body: &Body) -> Vec<&'a Entry> {
        let mut places: BTreeSet<usize> = BTreeSet::new();
        places.extend(listed(&self.by_signature, &body.signature()));
        match body {
            Body::Guardrail(rail) => {
                places.extend(listed(&self.guardrails, &forbidden(rail)));
                match rail.forbid.target {
                    Some(target) => {
                        for item in target.members() {
                            places.extend(listed(&self.skills_by_item, item));
                        }
                    }
                    None => places.extend(&self.skills),
                }
            }
            Body::Skill(skill) => {
                places.extend(listed(&self.skills_by_goal, &skill.goal));
                places.extend(&self.guardrails_without_target);
                for item in skill.steps.iter().filter_map(one_item) {
                    places.extend(listed(&self.guardrails_by_item, &item));
                }
            }
            Body::TaskGuardrail(_) | Body::Rule(_) | Body::ReferencePlan(_) | Body::Note(_) => (),
        }
        places.into_iter().map(|at| &self.base[at]).collect()
    }
}

fn listed<'m, K: std::hash::Hash + Eq>(map: &'m HashMap<K, Vec<usize>>, key: &K) -> &'m [usize] {
    map.get(key).map_or(&[], Vec::as_slice)
}

fn forbidden(rail: &Guardrail) -> (Option<TaskKind>, Option<ItemSpec>) {
    (rail.forbid.kind, rail.forbid.target)
}

/// A guardrail fits a step if all items that the step asks for are among its own; one is enough to
/// find it.
fn one_item(step: &Subgoal) -> Option<ItemId> {
    step.goal.object?.members().first().copied()
}

#[cfg(test)]
mod tests {
    use super::super::lint::lint;
    use super::super::queue::tests::{active, rail};
    use super::*;
    use crate::domain::condition::Condition;
    use crate::domain::knowledge::Skill;
    use crate::domain::samples::subgoal;

    fn skill(goal: &str, step: &str) -> Body {
        Body::Skill(Skill {
            goal: goal.parse().unwrap(),
            count: 1,
            requires: Condition::always(),
            steps: vec![subgoal(1, step)],
            success: Vec::new(),
            effects: std::collections::BTreeMap::new(),
            flows: Vec::new(),
        })
    }

    /// Every pair of these that lint has something to say about.
    #[test]
    fn lint_says_the_same_with_the_index_as_with_the_whole_base() {
        let bodies = [
            rail("inv stick < 8", "furnace"),
            rail("inv stick < 9", "furnace"),
            rail("inv stick < 8", "oak_log"),
            rail("inv stick < 8", "#logs"),
            skill("oak_log", "oak_log"),
            skill("oak_log", "#logs"),
            skill("furnace", "furnace"),
            skill("stick", "stone"),
        ];
        let base: Vec<Entry> = (1..)
            .zip(&bodies)
            .map(|(n, body)| active(n, body.clone()))
            .collect();
        let index = BaseIndex::new(&base);
        let mut compared = 0;
        for (entry, body) in base.iter().zip(&bodies) {
            let near = index.comparable(body);
            compared += near.len();
            let id = Some(entry.id);
            assert_eq!(lint(body, id, &base), lint(body, id, near), "{body:?}");
            let first = |e: &&Entry| e.body.signature() == body.signature();
            let same = index.saying_the_same(body).map(|e| e.id);
            assert_eq!(same, base.iter().find(first).map(|e| e.id));
        }
        assert!(
            compared < base.len() * base.len(),
            "it leaves something out"
        );
    }
}
