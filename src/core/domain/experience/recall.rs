//! Recall queries: what is looked for among experiences, and the key by which likes are found.

use crate::domain::check::Check;
use crate::domain::experience::Experience;
use crate::domain::experience::cell::Cells;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::Subgoal;
use crate::text::signature::Signature;
use pithead_world::family::ItemSpec;
use serde::{Deserialize, Serialize};

/// What recall is asked: the context c_t of Eq. 9.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecallQuery {
    /// What is embedded: the task or pending subgoal, the goal, the biome, the tool in hand.
    /// One line, joined by dots.
    pub text: String,
    /// h_cond of what is to become true.
    /// None if the task has no checks.
    pub condition: Option<Signature>,
    /// Where the agent stands.
    pub cells: Option<Cells>,
    /// The world it is in: places are told of this one only.
    pub seed: Option<u64>,
    /// Hits wanted.
    pub limit: usize,
}

/// Something that a plan has to get, which memory is asked about by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    pub target: ItemSpec,
    /// The step by which it is to be got, in words.
    pub step: String,
    /// h_cond of the step.
    pub condition: Signature,
    /// The step has failed in this run, so that what failed before is asked for anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

impl Need {
    /// What a step has to get; none for a step that gets nothing.
    #[must_use]
    pub fn of_step(step: &Subgoal, failed: bool) -> Option<Self> {
        Some(Self {
            target: step.goal.object?,
            step: step.condition.clone(),
            condition: h_cond(&step.checks),
            failed,
        })
    }
}

/// The words of a context: task, goal, biome and tool in hand.
#[must_use]
pub fn context(task: &str, goal: ItemSpec, state: &StateSummary) -> String {
    let held = state.held.map(|item| item.name()).unwrap_or_default();
    let parts = [task, goal.name(), &state.biome, held];
    let spoken: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    spoken.join(" · ")
}

/// h_cond: the signature of the predicates that are to become true, whatever their order, their
/// counts and the ways in which they may be measured. Zero predicates have a signature too.
#[must_use]
pub fn h_cond(checks: &[Check]) -> Signature {
    // Sorted and without doubles: a set, not a list.
    let mut predicates: Vec<String> = checks.iter().map(Check::aim).collect();
    predicates.sort_unstable();
    predicates.dedup();
    Signature::from_normal_form(&predicates.join(" & "))
}

/// The words by which an experience is found.
#[must_use]
pub fn words(experience: &Experience) -> String {
    let action = &experience.action;
    let target = action.goal.object.map_or("", ItemSpec::name);
    let parts = [
        &experience.task,
        &action.condition,
        target,
        &experience.pre.biome,
    ];
    parts
        .into_iter()
        .chain(experience.tags.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_asks_what_becomes_true_and_not_how_it_is_measured() {
        let item = |name: &str| name.parse::<ItemSpec>().unwrap();
        let (coal, log) = (item("coal"), item("#logs"));
        let one = h_cond(&[
            Check::InvGe {
                item: coal,
                count: 3,
            },
            Check::YposLe { y: 12 },
        ]);
        let other = h_cond(&[
            Check::YposLe { y: 40 },
            Check::InvDeltaGe {
                item: coal,
                count: 1,
            },
            Check::InvGe {
                item: coal,
                count: 1,
            },
        ]);
        assert_eq!(one, other);
        assert_ne!(
            one,
            h_cond(&[Check::InvGe {
                item: log,
                count: 3
            }])
        );
        let lacking = Check::InvLt {
            item: coal,
            count: 3,
        };
        assert_ne!(one, h_cond(&[lacking, Check::YposLe { y: 12 }]));
    }
}
