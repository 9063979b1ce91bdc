//! Told causes: failures whose cause the body's report names, so that no model need be asked for it.
//!
//! Invariant: nothing is concluded that the report, the step and the plan do not say.

use super::state::State;
use crate::domain::check::{Check, Place};
use crate::domain::condition::Condition;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::{Guardrail, Pattern, Remedy};
use crate::domain::mind::ask::Lesson;
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::plan::Subgoal;
use pithead_world::action::{ActionFailure, Target};
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;

/// Blocks within which a station serves.
const STATION_NEAR: u32 = 6;

/// The lesson of a step whose last failure names what was lacking; none if it leaves that open.
pub(super) fn lesson_of_report(state: &State, subgoal: SubgoalId) -> Option<Lesson> {
    let step = state.planned(subgoal)?;
    let last = state.nodes.get(&subgoal)?.failures.last()?;
    let report = last.diagnosis.report.as_ref()?;
    let lack = lack_of_report(state, step, report)?;
    let root_cause = report.to_string();
    Some(Lesson {
        constraint: lack
            .trigger
            .map(|trigger| constraint(step, last, trigger, &lack.remedy)),
        root_cause,
        next_actions: vec![lack.remedy],
        is_guess: false,
    })
}

/// What was lacking.
struct Lack {
    /// When it is lacking again; none where the report does not say how much would do.
    trigger: Option<Condition>,
    remedy: Remedy,
}

fn lack_of_report(state: &State, step: &Subgoal, report: &ActionFailure) -> Option<Lack> {
    let held = |item| Some(state.frame.as_deref()?.inventory.count(item));
    let have = |item, count| Remedy::Have { item, count };
    Some(match report {
        ActionFailure::MissingIngredient { needs, need, .. } => {
            let wider = as_planned(state, *needs);
            // Of a family each member is made from another thing, and the report names one of them.
            let is_exact = matches!(step.goal.object, Some(ItemSpec::Item(_)));
            let is_known = wider != *needs || is_exact || needs.single().is_none();
            Lack {
                trigger: is_known.then(|| below(wider, *need)),
                remedy: have(wider, *need),
            }
        }
        ActionFailure::NotHeld { item } => Lack {
            trigger: Some(below(*item, 1)),
            remedy: have(*item, 1),
        },
        ActionFailure::NoStation { station, .. } => Lack {
            trigger: Some(at_hand(*station).not()),
            remedy: Remedy::Station { block: *station },
        },
        // The plan names the fuel.
        ActionFailure::NoFuel => {
            let fuel = step.goal.material.filter(|fuel| held(*fuel) == Some(0))?;
            Lack {
                trigger: None,
                remedy: have(fuel, 1),
            }
        }
        ActionFailure::WornOut {
            held: Some(tool), ..
        } => {
            let tool = ItemSpec::Item(*tool);
            Lack {
                trigger: None,
                remedy: have(tool, held(tool)? + 1),
            }
        }
        _ => return None, // what would have helped is for someone to find out
    })
}

fn below(item: ItemSpec, count: u32) -> Condition {
    Condition::from(Check::InvLt { item, count })
}

/// Near or carried: either will do.
fn at_hand(station: BlockId) -> Condition {
    let near = Condition::from(Check::Near {
        place: Place::Thing(Target::Block(station)),
        range: STATION_NEAR,
    });
    let carried = station.item().map(|item| Check::InvGe {
        item: item.into(),
        count: 1,
    });
    carried.into_iter().fold(near, |all, check| all.or(check))
}

/// The family that the plan gets it as, if it does: the body names the wood that it was nearest to having.
fn as_planned(state: &State, needs: ItemSpec) -> ItemSpec {
    let Some(item) = needs.single() else {
        return needs;
    };
    let planned = state.plan.iter().flat_map(|plan| &plan.subgoals);
    let objects = planned
        .chain(&state.done)
        .filter_map(|step| step.goal.object);
    let families = objects.filter(|object| object.single().is_none() && object.matches(item));
    families
        .max_by_key(|object| object.members().len())
        .unwrap_or(needs)
}

fn constraint(
    step: &Subgoal,
    last: &FailedAttempt,
    trigger: Condition,
    remedy: &Remedy,
) -> Guardrail {
    let report = last.diagnosis.report.as_ref();
    Guardrail {
        trigger,
        forbid: Pattern {
            kind: Some(step.task_kind),
            target: step.goal.object,
            // The body counts what all pieces take together.
            text: (step.goal.count > 1).then(|| step.condition.clone()),
            ..Pattern::default()
        },
        avoid: report.map_or_else(String::new, ToString::to_string),
        recovery: vec![remedy.clone()],
        reason: last.diagnosis.reason.unwrap_or(FailureReason::ToolMissing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::plan::Plan;
    use crate::domain::samples::{self, item};
    use pithead_world::ids::AttemptId;

    /// What a step that failed with this report teaches, beside a plan that fells any tree.
    fn lesson(made: ItemSpec, report: ActionFailure) -> Option<Lesson> {
        let mut state = State::new();
        state.config = Some(Box::new(samples::config()));
        state.frame = Some(samples::frame(400, 2));
        let mut step = samples::crafted("stick", 1, "").action;
        step.goal.object = Some(made);
        let mut failed = samples::experience(1, 1, "stone", false);
        failed.diagnosis.report = Some(report);
        let failure = FailedAttempt {
            suggestion: None,
            attempt: AttemptId(1),
            run: None,
            pre: failed.pre,
            diagnosis: failed.diagnosis,
        };
        state
            .nodes
            .entry(step.id)
            .or_default()
            .failures
            .push(failure);
        let id = step.id;
        let logs = samples::subgoal(id.0 + 1, "#logs");
        state.plan = Some(Plan {
            subgoals: vec![step, logs],
            ..Plan::default()
        });
        lesson_of_report(&state, id)
    }

    fn missing(needs: &str) -> ActionFailure {
        ActionFailure::MissingIngredient {
            item: item("furnace"),
            needs: item(needs),
            have: 5,
            need: 8,
        }
    }

    #[test]
    fn what_the_report_names_is_the_lesson() {
        let told = lesson(item("furnace"), missing("cobblestone")).unwrap();
        let have = |name: &str, count| {
            vec![Remedy::Have {
                item: item(name),
                count,
            }]
        };
        assert_eq!(told.next_actions, have("cobblestone", 8));
        let bound = told.constraint.unwrap();
        assert_eq!(bound.trigger.to_string(), "inv cobblestone < 8");
        assert_eq!(bound.forbid.target, Some(item("furnace")));
        let station = ActionFailure::NoStation {
            item: item("furnace"),
            station: BlockId::named("crafting_table").unwrap(),
        };
        let told = lesson(item("furnace"), station).unwrap();
        assert!(matches!(told.next_actions[..], [Remedy::Station { .. }]));
    }

    #[test]
    fn a_wood_that_the_report_names_stands_for_all_that_the_plan_would_take() {
        let told = lesson("#planks".parse().unwrap(), missing("oak_log")).unwrap();
        let bound = told.constraint.unwrap();
        assert_eq!(bound.trigger.to_string(), "inv #logs < 8");
        let told = lesson("#planks".parse().unwrap(), missing("bamboo")).unwrap();
        assert_eq!(told.constraint, None, "one of several that would do");
    }

    #[test]
    fn what_the_report_leaves_open_is_asked_about() {
        let stuck = ActionFailure::Stuck {
            at: pithead_world::space::Pos::new(0, 64, 0),
        };
        assert_eq!(lesson(item("furnace"), stuck), None);
        assert_eq!(
            lesson(item("furnace"), ActionFailure::NoFuel),
            None,
            "the plan names no fuel"
        );
    }
}
