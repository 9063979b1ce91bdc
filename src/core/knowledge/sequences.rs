//! Reference plans from sequences: what a mind made of several successes, held against what they show (GITM).
//!
//! Each step must be one that was seen; what it takes is the sum of all sightings. Invariant: a plan that does not
//! lead to its goal on paper, from what all sequences began with, is no reference plan.

use super::slice::for_pieces;
use crate::domain::condition::Condition;
use crate::domain::knowledge::inputs::{Flow, all_together};
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::knowledge::skill_merge::{parts, rename};
use crate::domain::knowledge::{ReferencePlan, closure};
use crate::domain::mind::sequences::{DraftStep, ReferenceDraft, Sequences};
use crate::domain::plan::Subgoal;

/// Steps of one reference plan; the longest way of the game has some forty.
const STEPS_MAX: usize = 80;

/// The reference plan that the draft describes, or what speaks against it.
pub fn reference_plan(seen: &Sequences, draft: &ReferenceDraft) -> Result<ReferencePlan, String> {
    if draft.steps.len() > STEPS_MAX {
        let found = draft.steps.len();
        return Err(format!("steps: {found}, at most {STEPS_MAX} are read"));
    }
    let last = draft.steps.last().and_then(|step| step.object);
    if !last.is_some_and(|object| overlaps(object, seen.goal)) {
        return Err(format!("steps: the last one must get {}", seen.goal));
    }
    let mut plan = ReferencePlan {
        goal: seen.goal,
        count: seen.count,
        requires: common_requirement(seen),
        steps: Vec::new(),
        flows: Vec::new(),
        from_successes: u32::try_from(seen.seen.len()).unwrap_or(u32::MAX),
        runs: seen.seen.iter().map(|sequence| sequence.run).collect(),
    };
    for (at, wanted) in draft.steps.iter().enumerate() {
        let (step, flow) = step_as_seen(seen, wanted).ok_or_else(|| {
            let label = wanted.label();
            format!("steps[{at}]: no sequence has the step `{label}`")
        })?;
        plan.steps.push(step);
        plan.flows.push(flow);
    }
    let played = plan
        .as_skill()
        .ok_or("steps: nothing was seen of them".to_owned())?;
    closure::replay(&played).map_err(|gap| format!("steps: {gap}"))?;
    Ok(plan)
}

/// The step in the amount wanted, with what all its sightings took; none if it was never seen.
fn step_as_seen(seen: &Sequences, wanted: &DraftStep) -> Option<(Subgoal, Flow)> {
    let ways = seen.seen.iter().map(|sequence| &sequence.way);
    let steps = ways.flat_map(|way| way.steps.iter().zip(&way.flows));
    let mut same = steps.filter(|(step, _)| is_sighting(step, wanted));
    let (first, flow) = same.next()?;
    let mut flow = flow.clone();
    for (_, other) in same {
        flow.add(other);
    }
    let mut step = first.clone();
    // Which wood it was differs from run to run; the answer says what will do.
    if let (Some(one), Some(other)) = (step.goal.object, wanted.object) {
        rename(&mut step, one, other);
    }
    Some((for_pieces(&step, wanted.count), flow))
}

fn is_sighting(step: &Subgoal, wanted: &DraftStep) -> bool {
    let about = match (step.goal.object, wanted.object) {
        (Some(one), Some(other)) => one.kind() == other.kind(),
        (None, None) => step.goal.amount == wanted.y,
        _ => false, // one has an object and the other has none
    };
    about && step.executor_hint == wanted.executor
}

/// What every sequence required: nothing else was always there.
fn common_requirement(seen: &Sequences) -> Condition {
    let mut each = seen
        .seen
        .iter()
        .map(|sequence| parts(&sequence.way.requires));
    let mut common = each.next().unwrap_or_default();
    for other in each {
        common.retain(|part| other.contains(part));
    }
    all_together(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::mind::sequences::Sequence;
    use crate::domain::samples::seen_skill;
    use pithead_world::ids::RunId;

    /// Two runs: one fuels with coal, the other with planks.
    fn sequences() -> Sequences {
        let way = |fuel: &[(&'static str, &'static str, &'static str)], smelted: &'static str| {
            let mut steps = vec![
                ("mine 4 oak_log", "", ""),
                ("craft 16 #planks", "oak_log 4", ""),
                ("craft 4 stick", "#planks 2", ""),
                ("craft 1 crafting_table", "#planks 4", ""),
                (
                    "craft 1 wooden_pickaxe",
                    "#planks 3, stick 2",
                    "crafting_table",
                ),
            ];
            steps.extend(fuel);
            steps.push(("mine 1 sand", "", ""));
            steps.push(("smelt 1 glass", smelted, ""));
            seen_skill("glass", "always", &steps)
        };
        let coal = way(&[("mine 1 coal", "", "wooden_pickaxe")], "sand 1, coal 1");
        let planks = way(&[], "sand 1, #planks 1");
        let ways = [coal, planks].into_iter();
        let seen = (1..).zip(ways).map(|(run, way)| Sequence {
            run: RunId(run),
            way,
            experiences: Vec::new(),
        });
        Sequences {
            goal: "glass".parse().unwrap(),
            count: 1,
            seen: seen.collect(),
        }
    }

    fn draft(steps: &[&str]) -> ReferenceDraft {
        let step = |words: &&str| {
            let [executor, count, object] = words.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{words}")
            };
            DraftStep {
                executor: serde_json::from_value(executor.into()).unwrap(),
                object: Some(object.parse().unwrap()),
                count: count.parse().unwrap(),
                y: None,
            }
        };
        ReferenceDraft {
            steps: steps.iter().map(step).collect(),
            because: String::new(),
        }
    }

    #[test]
    fn a_plan_of_seen_steps_that_plays_through_is_taken() {
        let steps = [
            "mine 1 #logs",
            "craft 1 #planks",
            "mine 1 sand",
            "smelt 1 glass",
        ];
        let plan = reference_plan(&sequences(), &draft(&steps)).unwrap();
        let told: Vec<&str> = plan.steps.iter().map(|s| s.condition.as_str()).collect();
        assert_eq!(
            told,
            ["mine #logs", "craft #planks", "mine sand", "smelt glass"]
        );
        assert_eq!(
            (plan.from_successes, plan.requires),
            (2, Condition::always())
        );
    }

    #[track_caller]
    fn check_refused(steps: &[&str], expected: &str) {
        let fault = reference_plan(&sequences(), &draft(steps)).unwrap_err();
        assert_eq!(fault, expected);
    }

    #[test]
    fn what_was_not_seen_or_does_not_come_out_is_refused_with_the_reason() {
        check_refused(&["mine 1 sand"], "steps: the last one must get glass");
        check_refused(
            &["mine 1 gravel", "smelt 1 glass"],
            "steps[0]: no sequence has the step `mine gravel`",
        );
        check_refused(
            &["mine 1 sand", "smelt 1 glass"],
            "steps: step 2 (\"smelt glass\") lacks 1 coal",
        );
    }
}
