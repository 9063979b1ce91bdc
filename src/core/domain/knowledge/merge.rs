//! Merging: what an entry takes over from a draft with the same signature.
//!
//! The signature of a guardrail leaves its recovery out, so the same lesson learnt twice may ask for
//! more the second time; that of a skill leaves all out but what it is about, so that sightings
//! meet. Invariant: a merged guardrail never asks for less than before.

use crate::domain::knowledge::skill_merge;
use crate::domain::knowledge::{Body, Pattern, Remedy, TaskGuardrail};

/// Remedies of one guardrail; a draft that brings more is cut.
/// More remedies than these nobody reads.
const RECOVERY_MAX: usize = 8;

impl Body {
    /// True if both ask for the same and differ in their evidence at most.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        let without_evidence = |body: &Self| {
            let mut body = body.clone();
            match &mut body {
                Self::Skill(skill) => skill.flows.clear(),
                Self::ReferencePlan(plan) => {
                    plan.from_successes = 0;
                    plan.flows.clear();
                    plan.runs.clear();
                }
                Self::TaskGuardrail(guardrail) => guardrail.post_mortem = None,
                Self::Rule(rule) => {
                    rule.scores = Default::default();
                    rule.record = Default::default();
                }
                // Their evidence is in the entry.
                Self::Guardrail(_) | Self::Note(_) => (),
            }
            body
        };
        without_evidence(self) == without_evidence(other)
    }

    /// Takes over what the draft asks for beyond this; false if that is nothing.
    pub fn take_over(&mut self, draft: &Self) -> bool {
        match (self, draft) {
            (Self::Guardrail(known), Self::Guardrail(draft)) => {
                grow(&mut known.recovery, &draft.recovery)
            }
            (Self::TaskGuardrail(known), Self::TaskGuardrail(draft)) => known.take_over(draft),
            (Self::Skill(known), Self::Skill(draft)) => skill_merge::generalise(known, draft),
            // The plan that rests on more successes.
            (Self::ReferencePlan(known), Self::ReferencePlan(draft)) => {
                let better = draft.from_successes > known.from_successes;
                if better {
                    known.clone_from(draft);
                }
                better
            }
            // The draft was scored last, on all that is recorded.
            (Self::Rule(known), Self::Rule(draft)) => {
                (known.scores, known.record) = (draft.scores, draft.record);
                false
            }
            // The signatures of these hold all that they do.
            (
                Self::Skill(_)
                | Self::Guardrail(_)
                | Self::TaskGuardrail(_)
                | Self::Rule(_)
                | Self::ReferencePlan(_)
                | Self::Note(_),
                _,
            ) => false,
        }
    }
}

impl TaskGuardrail {
    /// Takes over what another run has shown of the same step; one without a step holds all that it does.
    fn take_over(&mut self, draft: &Self) -> bool {
        if self.before.is_anything() || self.before != draft.before {
            return false;
        }
        let before = self.clone();
        // Two tasks that fail at one step agree that it is the step and not the task.
        if self.task != draft.task {
            self.task = Pattern::default();
        }
        grow(&mut self.missing, &draft.missing);
        match (&mut self.post_mortem, &draft.post_mortem) {
            (Some(known), Some(draft)) => known.add(draft),
            (known @ None, Some(draft)) => *known = Some(draft.clone()),
            (_, None) => (),
        }
        *self != before
    }
}

fn grow(known: &mut Vec<Remedy>, draft: &[Remedy]) -> bool {
    let before = known.clone();
    for new in draft {
        let same = (0..).zip(known.iter());
        let same = same.filter_map(|(at, old): (usize, _)| Some((at, more_of(old, new)?)));
        // The last that fits, so that several remedies of one thing do not all grow.
        match same.last() {
            Some((at, more)) => known[at] = more,
            None if known.len() < RECOVERY_MAX => known.push(new.clone()),
            None => (),
        }
    }
    *known != before
}

/// The further-reaching of two remedies of the same thing; none if they are of different things.
fn more_of(one: &Remedy, other: &Remedy) -> Option<Remedy> {
    // The stronger demand of each kind contains the weaker one.
    use Remedy::{Advice, GoAbove, GoBelow, Have, MoveAway, Station, Tool};
    Some(match (one, other) {
        (Have { item, count }, Have { item: i, count: c }) if item == i => Have {
            item: *item,
            count: *count.max(c),
        },
        (Tool { kind, tier }, Tool { kind: k, tier: t }) if kind == k => Tool {
            kind: *kind,
            tier: *tier.max(t),
        },
        (GoBelow { y }, GoBelow { y: deeper }) => GoBelow { y: *y.min(deeper) },
        (GoAbove { y }, GoAbove { y: higher }) => GoAbove { y: *y.max(higher) },
        (MoveAway { blocks }, MoveAway { blocks: further }) => MoveAway {
            blocks: *blocks.max(further),
        },
        (Station { block }, Station { block: other }) if block == other => one.clone(),
        // Words are not compared; those that stand there were read by someone.
        (Advice { .. }, Advice { .. }) => one.clone(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::experience::diagnosis::FailureReason;
    use crate::domain::knowledge::Guardrail;

    fn guardrail(recovery: &[(&str, u32)]) -> Body {
        let have = recovery.iter().map(|(item, count)| Remedy::Have {
            item: item.parse().unwrap(),
            count: *count,
        });
        Body::Guardrail(Guardrail {
            trigger: "inv stick < 2".parse().unwrap(),
            forbid: Pattern::default(),
            avoid: String::new(),
            recovery: have.collect(),
            reason: FailureReason::ToolMissing,
        })
    }

    #[test]
    fn a_growing_need_is_kept_and_a_smaller_one_changes_nothing() {
        let mut known = guardrail(&[("stick", 2)]);
        assert!(known.take_over(&guardrail(&[("stick", 5), ("coal", 1)])));
        assert_eq!(known, guardrail(&[("stick", 5), ("coal", 1)]));
        assert!(!known.take_over(&guardrail(&[("stick", 3)])));
        assert_eq!(known, guardrail(&[("stick", 5), ("coal", 1)]));
    }

    #[test]
    fn the_list_of_remedies_stays_short() {
        let many = [
            "stick", "coal", "dirt", "sand", "gravel", "torch", "bucket", "bread", "apple", "chest",
        ];
        let mut known = guardrail(&[]);
        known.take_over(&guardrail(&many.map(|item| (item, 1))));
        let Body::Guardrail(known) = known else {
            panic!()
        };
        assert_eq!(known.recovery.len(), RECOVERY_MAX);
    }
}
