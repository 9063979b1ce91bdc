//! Guide: goals taken apart, failures explained and runs summed up, all from the same beliefs.
//!
//! The simulated planner needs none of these to plan; they stand in for a model's answers where a
//! system asks for them. Invariant: nothing is said that beliefs or the ask do not hold.

use super::beliefs::Beliefs;
use super::demand::{Step, Want, steps};
use super::diagnose;
use super::learnt::Learnt;
use super::requests::Requests;
use super::ways::{Knowing, Way};
use pithead_core::domain::experience::option::TriedOptions;
use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::mind::ask::{
    Cited, DecomposeAsk, DiagnoseAsk, ExplainAsk, Explanation, RunSummary, SummariseAsk, TakenApart,
};
use pithead_core::domain::mind::study::{ReflectAsk, Reflection};
use pithead_core::domain::plan::Goal;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::family::ItemSpec;
use std::cell::OnceCell;

/// Facts in a summary.
const FACTS_MAX: usize = 6;

/// What the planner would get directly before this goal.
pub(super) fn apart(beliefs: &Beliefs, ask: &DecomposeAsk) -> Result<TakenApart, String> {
    let object = ask.goal.object.ok_or("the goal names no item")?;
    let beliefs = &beliefs.reading(&ask.pages);
    let knowing = Knowing {
        beliefs,
        learnt: Learnt::default(),
        requests: Requests::default(),
        stock: &ask.state.inventory,
        stations: &[],
        options: &TriedOptions::default(),
        notable: &ask.state.notable,
        here: ask.state.position,
        goes_far: false,
        buys_scattered: false,
        hunts_many: false,
        meets_night: true,
        daylight: 0,
        ticks_left: None,
        fuels: OnceCell::new(),
    };
    let want = Want {
        item: object,
        count: ask.goal.count,
        // What is held is subtracted below, part by part.
        fresh: true,
    };
    let steps =
        steps(&knowing, &[want]).map_err(|item| format!("no way is known to get {item}"))?;
    let step = steps.iter().rev().find(|step| step.item == object);
    // Where any kind will do, the kind chosen comes last.
    let step = step.or(steps.last());
    let needs = step.map(needs).unwrap_or_default();
    let lacking = needs
        .into_iter()
        // Only what is lacking becomes a goal.
        .filter(|(item, count)| ask.state.inventory.count(*item) < *count);
    let goal = Goal {
        material: step.and_then(|step| step.uses.keys().next().copied()),
        tool: step.and_then(tool),
        info: step.map(|step| step.way.kind().name().to_owned()),
        ..ask.goal.clone()
    };
    let before = lacking.map(|(item, count)| part(item, count)).collect();
    Ok(TakenApart { goal, before })
}

fn needs(step: &Step) -> Vec<(ItemSpec, u32)> {
    let used = step.uses.iter().map(|(item, count)| (*item, *count));
    used.chain(step.holds.iter().map(|item| (*item, 1)))
        .collect()
}

fn tool(step: &Step) -> Option<ItemSpec> {
    match &step.way {
        Way::Mine { tool, .. } => tool.map(ItemSpec::Item),
        _ => step.holds.first().copied(), // a station or whatever else has to be there
    }
}

fn part(item: ItemSpec, count: u32) -> Goal {
    Goal {
        object: Some(item),
        count,
        material: None,
        tool: None,
        amount: None,
        info: None,
    }
}

/// The lesson that the planner would draw, as words.
pub(super) fn explanation(beliefs: &Beliefs, ask: &ExplainAsk) -> Explanation {
    let lesson = diagnose::lesson(
        beliefs,
        &DiagnoseAsk {
            around: None,
            task: ask.task.clone(),
            state: ask.state.clone(),
            subgoal: ask.subgoal.clone(),
            attempts: ask.attempts.clone(),
            knowledge: Vec::new(),
            done: ask.done.clone(),
            lessons: Vec::new(),
            faults: Vec::new(),
        },
    );
    let last = ask.attempts.last();
    Explanation {
        observed: last.map_or(String::new(), |failure| failure.diagnosis.summary.clone()),
        explanation: lesson.root_cause,
        missing: lesson.next_actions,
        wrong_step: Some(ask.subgoal.id.to_string()),
    }
}

/// What the lesson would be, and how far the plan is trusted: not at all if it lacked something.
pub(super) fn reflection(beliefs: &Beliefs, ask: &ReflectAsk) -> Reflection {
    let Some(subgoal) = &ask.subgoal else {
        return Reflection {
            deadlock: "all steps are done and the task is not".to_owned(),
            ..Reflection::default()
        };
    };
    let lesson = diagnose::lesson(
        beliefs,
        &DiagnoseAsk {
            around: None,
            task: ask.task.clone(),
            state: ask.state.clone(),
            subgoal: subgoal.clone(),
            attempts: ask.failures.clone(),
            knowledge: Vec::new(),
            done: ask.done.clone(),
            lessons: Vec::new(),
            faults: Vec::new(),
        },
    );
    let is_lacking =
        // Advice and moving away name nothing that was lacking.
        |remedy: &Remedy| !matches!(remedy, Remedy::MoveAway { .. } | Remedy::Advice { .. });
    // What the monitor saw counts as if the step had failed for it.
    let is_alarmed = !ask.lost.is_empty();
    let lacks = is_alarmed || lesson.next_actions.iter().any(is_lacking);
    let cases = ask.failures.iter().filter(|failure| failure.run.is_some());
    let cases: Vec<_> = cases.collect();
    let confidence = if lacks {
        0.0
    } else {
        // Half of it with a similar plan's share decides; see `phases::reflect`. What has failed like this in other
        // runs may well fail like this again.
        TRUST_AGAIN * TRUST_KEPT_PER_CASE.powi(i32::try_from(cases.len()).unwrap_or(i32::MAX))
    };
    let (deadlock, missing) = match is_alarmed {
        true => (
            "what the step takes is not there any more".to_owned(),
            ask.lost.clone(),
        ),
        false => (lesson.root_cause, lesson.next_actions),
    };
    let alike = count_with_noun(cases.len(), "case", "cases");
    let before = match cases.iter().find_map(|case| case.suggestion.clone()) {
        _ if cases.is_empty() => "nothing like this is remembered".to_owned(),
        Some(said) => format!("{alike} like this; then: {said}"),
        None => format!("{alike} like this"),
    };
    Reflection {
        now: deadlock.clone(),
        before,
        deadlock,
        missing,
        next_time: Vec::new(),
        confidence: Some(confidence),
    }
}

/// What each remembered case of the same failure leaves of the trust that trying again is enough.
const TRUST_KEPT_PER_CASE: f64 = 0.8;

/// Nothing is known to be wrong with the plan: the world was in the way, and may not be again.
const TRUST_AGAIN: f64 = 0.6;

/// How many attempts there were, and what the last failures were.
pub(super) fn summarise_run(ask: &SummariseAsk) -> RunSummary {
    // Newest first below.
    let failed: Vec<_> = ask.attempts.iter().filter(|told| !told.success).collect();
    let facts = failed.iter().rev().take(FACTS_MAX).map(|told| Cited {
        text: format!("{}: {}", told.step, told.summary),
        src: vec![told.id.to_string()],
    });
    RunSummary {
        summary: format!(
            "{}: {} of {} failed; {}",
            ask.task.text,
            failed.len(),
            count_with_noun(ask.attempts.len(), "attempt", "attempts"),
            ask.because
        ),
        facts: facts.collect(),
    }
}
