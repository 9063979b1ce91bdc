//! Select: which subgoal comes next, and whether it may be begun as things stand.

use super::state::{Node, State};
use super::turn::Turn;
use super::{attribute, execute, finish, likes, policy, similar};
use crate::domain::condition::situation::{Baseline, Situation};
use crate::domain::experience::Experience;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::hindsight;
use crate::domain::knowledge::pattern;
use crate::domain::knowledge::{Body, Entry, Use};
use crate::domain::plan::Subgoal;
use crate::domain::run::event::{Event, Outcome};
use crate::domain::run::profile::Selector;
use pithead_world::ids::{KnowledgeId, SubgoalId};
use pithead_world::rng::{Rng, Streams};

/// One step of choosing; `advance` calls again until something is under way.
pub(super) fn next(turn: &mut Turn<'_>) {
    if let Some((outcome, because)) = verdict(turn.state()) {
        finish::now(turn, outcome, because);
        return;
    }
    // The operator goes before the plan; no gate and no guardrail stands before the operator.
    if let Some(act) = turn.state().acts.first().cloned() {
        turn.say(Event::SubgoalSelected { subgoal: act.id });
        execute::begin(turn, &act);
        return;
    }
    // What the operator wants tried again is tried before anything is made of failures.
    if turn.state().next_up.is_none() {
        if let Some(failed) = failed_too_often(turn.state()) {
            attribute::begin(turn, failed);
            return;
        }
        if likes::ask(turn) {
            return;
        }
    }
    let Some(subgoal) = choose(turn.state()).cloned() else {
        attribute::dead_end(turn);
        return;
    };
    if true_already(turn.state(), &subgoal) {
        turn.say(Event::SubgoalDone {
            subgoal: subgoal.id,
        });
        return;
    }
    match forbidden_by(turn.state(), &subgoal) {
        Some(by) => attribute::blocked(turn, &subgoal, by),
        None => begin(turn, &subgoal),
    }
}

/// Whether the run is decided.
fn verdict(state: &State) -> Option<(Outcome, String)> {
    let (config, frame) = (state.config()?, state.frame.as_deref()?);
    let situation = Situation::of_run(frame);
    if config
        .task
        .success
        .iter()
        .all(|check| check.truth(&situation).is_true())
    {
        return Some((Outcome::Success, format!("{} done", config.task.text)));
    }
    if !frame.alive {
        return Some((Outcome::Failure, "the body died".to_owned()));
    }
    if frame.tick >= config.budget.ticks {
        let because = format!("the budget of {} ticks is spent", config.budget.ticks);
        return Some((Outcome::Failure, because));
    }
    None
}

/// The subgoal whose failures call for a replan.
fn failed_too_often(state: &State) -> Option<SubgoalId> {
    let k_tol = state.config()?.profile.k_tol.max(1) as usize;
    state
        .nodes
        .iter()
        .find(|(_, node)| {
            let all = node.failures.len() + node.earlier.len();
            !node.failures.is_empty() && all >= k_tol + node.kept
        })
        .map(|(id, _)| *id)
}

/// An open subgoal of the plan whose needs are met, by the system's selector.
fn choose(state: &State) -> Option<&Subgoal> {
    let done = |id: &SubgoalId| state.nodes.get(id).is_some_and(|node: &Node| node.done);
    let plan = state.plan.as_ref()?;
    let planned = |id: &SubgoalId| plan.get(*id).is_some();
    let mut open = plan.subgoals.iter().filter(|s| !done(&s.id));
    // What the operator wants tried again goes before what the system would choose.
    if let Some(wanted) = state.next_up
        && let Some(subgoal) = open.clone().find(|s| s.id == wanted)
    {
        return Some(subgoal);
    }
    let mut ready = open
        .clone()
        .filter(|s| s.needs.iter().all(|id| done(id) || !planned(id)));
    let config = state.config()?;
    let chosen = match config.profile.selector {
        Selector::First => ready.next(),
        // The first of equals, as `min_by_key` promises.
        Selector::Horizon => ready.min_by_key(|s| s.timeout_s),
        Selector::Similarity => similar::most(ready, state.frame.as_deref()?),
        Selector::Random => {
            let ready: Vec<&Subgoal> = ready.collect();
            let lot = Streams(config.world.seed).get("select").state() ^ state.counters.attempts;
            let at = Rng::new(lot).below(ready.len() as u64);
            ready.get(usize::try_from(at).unwrap_or(0)).copied()
        }
    };
    // Needs that go round in a circle: the order of the plan decides.
    chosen.or_else(|| open.next())
}

/// Nothing to do: its checks hold as things stand.
fn true_already(state: &State, subgoal: &Subgoal) -> bool {
    let Some(frame) = state.frame.as_deref() else {
        return false;
    };
    let baseline = Baseline::of(frame);
    let situation = Situation::of(frame).since(&baseline).pursuing(subgoal);
    !subgoal.checks.is_empty() && subgoal.checks.iter().all(|c| c.truth(&situation).is_true())
}

/// The active guardrail that forbids the subgoal as things stand.
fn forbidden_by(state: &State, subgoal: &Subgoal) -> Option<KnowledgeId> {
    let frame = state.frame.as_deref()?;
    let situation = Situation::of(frame).pursuing(subgoal);
    state.visible().find_map(|entry| match &entry.body {
        Body::Guardrail(guardrail) => pattern::forbids(guardrail, subgoal, &situation)
            .is_true()
            .then_some(entry.id),
        Body::Skill(_)
        | Body::TaskGuardrail(_)
        | Body::Rule(_)
        | Body::ReferencePlan(_)
        | Body::Note(_) => None,
    })
}

fn begin(turn: &mut Turn<'_>, subgoal: &Subgoal) {
    if policy::holds(turn, subgoal) {
        return;
    }
    turn.say(Event::SubgoalSelected {
        subgoal: subgoal.id,
    });
    for id in matching(turn.state(), subgoal) {
        turn.say(Event::KnowledgeUsed {
            id,
            how: Use::Matched,
            subgoal: Some(subgoal.id),
        });
    }
    execute::begin(turn, subgoal);
}

/// Skills of one step that a failure gives the lie: what they require was there, and something was
/// missing all the same. Of a longer skill one failure does not say which step is wrong.
pub(super) fn belied(state: &State, failed: &Experience) -> Vec<KnowledgeId> {
    let lacked = matches!(
        failed.diagnosis.reason,
        Some(FailureReason::ToolMissing | FailureReason::ActionInvalid)
    );
    if !lacked {
        return Vec::new();
    }
    let now = hindsight::situation(&failed.pre, &failed.action);
    let is_belied = |entry: &&Entry| match &entry.body {
        Body::Skill(skill) => {
            skill.steps.len() == 1
                && failed.action.goal.object == Some(skill.goal)
                && skill.steps[0].task_kind == failed.action.task_kind
                && skill.requires.truth(&now).is_true()
        }
        Body::Guardrail(_)
        | Body::TaskGuardrail(_)
        | Body::Rule(_)
        | Body::ReferencePlan(_)
        | Body::Note(_) => false,
    };
    let belied = state.visible().filter(is_belied);
    belied.map(|entry| entry.id).collect()
}

/// Entries in use that are about this subgoal.
pub(super) fn matching(state: &State, subgoal: &Subgoal) -> Vec<KnowledgeId> {
    let about = |body: &Body| match body {
        Body::Guardrail(guardrail) => pattern::fits(&guardrail.forbid, subgoal),
        Body::Skill(skill) => subgoal.goal.object == Some(skill.goal),
        Body::TaskGuardrail(_) | Body::Rule(_) | Body::ReferencePlan(_) | Body::Note(_) => false,
    };
    state
        .visible()
        .filter(|entry| about(&entry.body))
        .map(|entry| entry.id)
        .collect()
}
