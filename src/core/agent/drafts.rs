//! Drafts: what the run has learnt, as entries that no gate has seen yet.
//!
//! Invariant: a draft names the attempts that it rests on, and nothing here proposes it.

use super::node::Node;
use super::transitions::study_start::is_answered;
use super::turn::Turn;
use crate::domain::experience::Experience;
use crate::domain::knowledge::{
    Author, Body, Entry, Guardrail, Outcomes, Provenance, ReferencePlan, Rule, Status,
    TaskGuardrail,
};
use crate::domain::knowledge::{closure, title};
use crate::domain::mind::role::MindRole;
use crate::domain::mind::study::Topic;
use crate::domain::run::outcome::Outcome;
use crate::knowledge::post_mortem::{self, FailedRun};
use crate::knowledge::{guesses, rules, skills};
use pithead_world::ids::{ExperienceId, KnowledgeId, RunId, SubgoalId};
use std::collections::BTreeSet;

/// The confidence of an entry that only one run has seen; later outcomes move it either way.
const FRESH: f64 = 0.5;

/// The failures of a step that a cause must explain.
pub(super) fn failures_of_step(turn: &Turn<'_>, subgoal: SubgoalId) -> Vec<ExperienceId> {
    let run = turn.config().run;
    let node = turn.state().nodes.get(&subgoal);
    let evidence = node.into_iter().flat_map(Node::evidence);
    let ids = evidence.map(|failure| ExperienceId {
        run: failure.run.unwrap_or(run),
        n: failure.attempt.0,
    });
    ids.collect()
}

/// The draft of a guardrail from a lesson, with the failures that it rests on.
pub(super) fn guardrail_draft(
    turn: &Turn<'_>,
    n: u64,
    experiences: Vec<ExperienceId>,
    constraint: Guardrail,
) -> Entry {
    new_draft(turn, n, Body::Guardrail(constraint), experiences)
}

/// The draft of a task guardrail; its evidence is every success of the run.
pub(super) fn task_guardrail_draft(turn: &Turn<'_>, n: u64, guardrail: TaskGuardrail) -> Entry {
    let experiences = turn.state().successes.iter().map(|e| e.id).collect();
    program_draft(turn, n, Body::TaskGuardrail(guardrail), experiences)
}

/// The drafts of a run at its end (skills, also of a failure; the reference plan of a success; the post-mortem of a
/// failure), and the topics that a model may be asked about besides.
pub(super) fn drafts_at_end(turn: &Turn<'_>, outcome: Outcome) -> (Vec<Topic>, Vec<Entry>) {
    let mut topics = Vec::new();
    let mut drafts: Vec<Entry> = match outcome {
        Outcome::Success => {
            let mut drafts = skill_drafts(turn, outcome);
            if let Some(draft) = draft_with_detours(turn, &drafts) {
                drafts.insert(0, draft);
                topics.push(Topic::Skill);
            }
            if !turn.config().profile.reference_plans {
                drafts.extend(reference_plan_drafts(turn, &drafts));
            }
            drafts
        }
        Outcome::Failure => {
            if is_out_of_time(turn) {
                topics.push(Topic::Deadlock);
            }
            let mut drafts = skill_drafts(turn, outcome);
            drafts.extend(post_mortem_draft(turn, drafts.len() as u64));
            drafts
        }
        Outcome::Aborted => return (Vec::new(), Vec::new()),
    };
    drafts.extend(guess_drafts(turn, drafts.len() as u64));
    drafts.extend(rule_drafts(turn, drafts.len() as u64));
    let state = turn.state();
    let is_taught = !state.corrections.is_empty() || state.counters.failed_attempts > 0;
    if turn.config().profile.learn_rules && is_taught {
        topics.push(Topic::Rules);
    }
    (topics, drafts)
}

/// All steps of a run with failures whose slice did not play through, for a model to leave out detours. A slice that
/// does play through is whole already: it holds nothing that its product does not take.
fn draft_with_detours(turn: &Turn<'_>, drafts: &[Entry]) -> Option<Entry> {
    let (state, task) = (turn.state(), &turn.config().task);
    let is_whole = |entry: &Entry| matches!(&entry.body, Body::Skill(skill) if skill.goal == task.goal && skill.count == task.count);
    let is_asked = turn.config().profile.distil_skills && is_answered(state, MindRole::Skill);
    if !is_asked || state.counters.failed_attempts == 0 || drafts.iter().any(is_whole) {
        return None;
    }
    let steps: Vec<_> = state.successes.iter().map(|e| e.action.clone()).collect();
    let made = skills::from_steps(task, &steps, &state.successes).ok()?;
    closure::replay(&made.skill)
        .ok()
        .filter(|_| steps.len() > 1)?;
    let n = drafts.len() as u64 + 1;
    let body = Body::Skill(made.skill);
    Some(program_draft(turn, n, body, made.experiences))
}

/// Guesses that the run bore out.
fn guess_drafts(turn: &Turn<'_>, before: u64) -> Vec<Entry> {
    if !turn.config().profile.distil_guardrails {
        return Vec::new();
    }
    let state = turn.state();
    let known = state.guesses.iter().filter_map(|guess| {
        let rests = guesses::borne_out(guess, &state.failed, &state.successes)?;
        Some((guess.clone(), rests))
    });
    let numbered = (before + 1..).zip(known);
    numbered
        .map(|(n, (guess, rests))| guardrail_draft(turn, n, rests, guess))
        .collect()
}

/// Rules that the run's surprises and corrections show, and those that it was given and has something to say about:
/// both are counted on the record of all runs when the knowledge base is asked.
fn rule_drafts(turn: &Turn<'_>, before: u64) -> Vec<Entry> {
    if !turn.config().profile.learn_rules {
        return Vec::new();
    }
    let state = turn.state();
    let attempts = attempts_in_full(turn);
    let corrections = state.corrections.iter();
    let corrections = corrections.map(|talk| (&talk.rejected, &talk.passed));
    let mut learnt = rules::rules_from_run(corrections, &attempts);
    let known = state.in_use().filter_map(|entry| match &entry.body {
        Body::Rule(rule) => Some(rule),
        _ => None, // the others are no rules
    });
    let is_new = |rule: &Rule| {
        !learnt
            .iter()
            .any(|r| (&r.when, &r.then) == (&rule.when, &rule.then))
    };
    let counted: Vec<Rule> = rules::touched(known, &attempts).filter(is_new).collect();
    learnt.extend(counted);
    let numbered = (before + 1..).zip(learnt);
    let drafted = numbered.map(|(n, rule)| {
        let rests = rules::attempts_about(&rule, &attempts);
        program_draft(turn, n, Body::Rule(rule), rests)
    });
    drafted.collect()
}

/// What a rule is scored by: the attempts of the run.
pub(super) fn attempts_in_full(turn: &Turn<'_>) -> Vec<Experience> {
    let state = turn.state();
    state
        .successes
        .iter()
        .chain(&state.failed)
        .cloned()
        .collect()
}

fn is_out_of_time(turn: &Turn<'_>) -> bool {
    let (state, config) = (turn.state(), turn.config());
    let is_spent = state.last_tick() >= config.budget.ticks;
    config.profile.distil_guardrails && is_spent && state.counters.failed_attempts == 0
}

/// What the run as a whole failed by, as a task guardrail.
fn post_mortem_draft(turn: &Turn<'_>, before: u64) -> Option<Entry> {
    let (state, config) = (turn.state(), turn.config());
    if !config.profile.distil_guardrails {
        return None;
    }
    let found = post_mortem::look_into(&FailedRun {
        task: &config.task,
        budget: config.budget.ticks,
        tick: state.last_tick(),
        alive: state.frame.as_ref().is_none_or(|frame| frame.alive),
        plan: state.plan.as_ref(),
        successes: &state.successes,
        failures: &state.failed,
    })?;
    let body = Body::TaskGuardrail(found.guardrail);
    Some(program_draft(turn, before + 1, body, found.experiences))
}

/// Successful runs of one skill that make a reference plan (GITM).
const PLAN_SUCCESSES: usize = 5;

/// The plan of each goal that was reached often enough: what the ways of all these runs have in common, played on paper
/// before it counts.
fn reference_plan_drafts(turn: &Turn<'_>, drafts: &[Entry]) -> Vec<Entry> {
    let goals = drafts.iter().filter_map(|draft| {
        let (plan, experiences) = reference_plan(turn, draft)?;
        Some((Body::ReferencePlan(plan), experiences))
    });
    let numbered = (drafts.len() as u64 + 1..).zip(goals);
    numbered
        .map(|(n, (plan, experiences))| program_draft(turn, n, plan, experiences))
        .collect()
}

fn reference_plan(turn: &Turn<'_>, draft: &Entry) -> Option<(ReferencePlan, Vec<ExperienceId>)> {
    let Body::Skill(own) = &draft.body else {
        return None;
    };
    let like = |entry: &&Entry| entry.body.signature() == draft.body.signature();
    let known = turn.state().knowledge.iter().find(like)?;
    let mut runs: BTreeSet<RunId> = known.provenance.experiences.iter().map(|e| e.run).collect();
    runs.insert(turn.config().run);
    if own.steps.len() < 2 || runs.len() < PLAN_SUCCESSES {
        return None;
    }
    let mut common = known.body.clone();
    common.take_over(&draft.body);
    let Body::Skill(common) = common else {
        return None;
    };
    closure::replay(&common).ok()?;
    let plan = ReferencePlan {
        goal: common.goal,
        count: common.count,
        requires: common.requires,
        steps: common.steps,
        from_successes: u32::try_from(runs.len()).unwrap_or(u32::MAX),
        // Shown as it stands: what each step takes is told by the skill.
        flows: Vec::new(),
        runs: Vec::new(),
    };
    Some((plan, draft.provenance.experiences.clone()))
}

/// The drafts of skills from the run's successes, also where the task failed; none if the profile does not
/// distil them.
fn skill_drafts(turn: &Turn<'_>, outcome: Outcome) -> Vec<Entry> {
    let successes = &turn.state().successes;
    if !turn.config().profile.distil_skills || successes.is_empty() {
        return Vec::new();
    }
    let is_done = outcome == Outcome::Success;
    let distilled = skills::from_run(&turn.config().task, is_done, successes);
    let numbered = (1..).zip(distilled);
    numbered
        .map(|(n, skill)| program_draft(turn, n, Body::Skill(skill.skill), skill.experiences))
        .collect()
}

/// A draft of the program's own distiller. In a run planned by a model it must not carry the model's name.
pub(super) fn program_draft(
    turn: &Turn<'_>,
    n: u64,
    body: Body,
    experiences: Vec<ExperienceId>,
) -> Entry {
    let mut entry = new_draft(turn, n, body, experiences);
    if turn.config().mind.starts_with("llm") {
        entry.author = Author::Mind(PROGRAM_AUTHOR.to_owned());
    }
    entry
}

/// The author of drafts that the program distils while a model plans.
const PROGRAM_AUTHOR: &str = "builtin:distiller";

/// A draft of the run's mind.
pub(super) fn new_draft(
    turn: &Turn<'_>,
    n: u64,
    body: Body,
    experiences: Vec<ExperienceId>,
) -> Entry {
    let config = turn.config();
    let id = KnowledgeId {
        run: config.run,
        n: turn.state().counters.entries + n,
    };
    Entry {
        id,
        version: 1,
        status: Status::Proposed,
        author: Author::Mind(config.mind.clone()),
        title: title::title_of(&body),
        body,
        provenance: Provenance {
            run: Some(config.run),
            task: config.task.text.clone(),
            experiences,
            ..Provenance::default()
        },
        outcomes: Outcomes::default(),
        confidence: FRESH,
        created: turn.now,
        history: Vec::new(),
    }
}
