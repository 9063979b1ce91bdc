//! Slots of the roles that learn: what happened, brief and capped as all slots are.

use super::attempt_slots::{failure, hits, success};
use super::plan_slots::{brief, plan_with_marks, rejected};
use super::slots::{
    PromptContext, Slot, capped, each_once, entries, entry, guardrail, in_words, is_demonstration,
    requirement_in_words, task,
};
use super::state_slot::state;
use pithead_core::domain::knowledge::kind::EntryKind;
use pithead_core::domain::knowledge::{Rule, Skill};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::evidence::Rejected;
use pithead_core::domain::mind::judge::{JudgeAsk, StepToJudge};
use pithead_core::domain::mind::sequences::{DraftStep, ReferenceAsk, Sequence, Sequences};
use pithead_core::domain::mind::study::{
    GuardrailAsk, PlanCorrection, ReflectAsk, RulesAsk, ScoreAsk, SkillAsk, Worked,
};
use pithead_core::domain::plan::{Plan, Subgoal};
use serde_json::{Value, json};

/// The slots of a question about what there is to learn; none for any other.
pub(super) fn of_ask(ask: &Ask) -> Vec<Slot> {
    match ask {
        Ask::Reference(ask) => of_reference(ask),
        Ask::Skill(ask) => of_skill(ask),
        Ask::Guardrail(ask) => of_guardrail(ask),
        Ask::Rules(ask) => of_rules(ask),
        Ask::Score(ask) => of_score(ask),
        Ask::Reflect(ask) => of_reflecting(ask),
        Ask::Judge(ask) => of_judging(ask),
        _ => Vec::new(), // `slots` has the others
    }
}

fn of_reference(ask: &ReferenceAsk) -> Vec<Slot> {
    let Sequences { goal, count, seen } = &ask.sequences;
    vec![
        ("goal", json!({"object": goal, "count": count})),
        ("sequences", seen.iter().map(sequence).collect()),
        ("faults", each_once(&ask.faults)),
    ]
}

/// One run: what each step is, in the words of the answer, and what it took for how many pieces.
fn sequence(seen: &Sequence) -> Value {
    let steps = seen.way.steps.iter().zip(&seen.way.flows);
    let steps = steps.map(|(step, flow)| {
        let mut told = json!(DraftStep::of_step(step));
        let inputs = flow.inputs.iter();
        let took = inputs.map(|i| json!({"used": i.used, "made": i.made}));
        told["took"] = took.collect();
        told["had"] = json!(flow.held);
        told
    });
    json!({"run": seen.run.to_string(), "began_with": in_words(&seen.way.requires), "steps": steps.collect::<Vec<_>>()})
}

fn of_skill(ask: &SkillAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("worked", ask.worked.iter().map(worked).collect()),
        ("draft", skill(&ask.draft)),
        ("skills", entries(&ask.knowledge, is_demonstration)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_guardrail(ask: &GuardrailAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("subgoal", json!(ask.subgoal)),
        ("attempts", ask.attempts.iter().map(failure).collect()),
        ("worked", ask.worked.iter().map(worked).collect()),
        ("draft", ask.draft.as_ref().map_or(Value::Null, guardrail)),
        (
            "guardrails",
            entries(&ask.knowledge, |e| !is_demonstration(e)),
        ),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_rules(ask: &RulesAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("talks", ask.corrections.iter().map(talk).collect()),
        ("attempts", json!(ask.attempts)),
        ("knowledge", entries(&ask.knowledge, |_| true)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_score(ask: &ScoreAsk) -> Vec<Slot> {
    vec![
        ("rules", ask.rules.iter().map(rule).collect()),
        ("attempts", json!(ask.attempts)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_reflecting(ask: &ReflectAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("state", state(&ask.state)),
        ("plan", plan_with_marks(&ask.plan, &ask.done)),
        ("subgoal", ask.subgoal.as_ref().map_or(Value::Null, brief)),
        ("failures", ask.failures.iter().map(failure).collect()),
        ("attempts", json!(ask.attempts)),
        ("hits", hits(&ask.hits)),
        ("trigger", json!(ask.trigger.name())),
        ("lost", json!(ask.lost)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn of_judging(ask: &JudgeAsk) -> Vec<Slot> {
    vec![
        ("task", task(&ask.task)),
        ("state", state(&ask.state)),
        ("steps", ask.steps.iter().map(step_to_judge).collect()),
        ("rules", json!(ask.rules)),
        ("faults", each_once(&ask.faults)),
    ]
}

fn step_to_judge(asked: &StepToJudge) -> Value {
    let mut step = brief(&asked.step);
    step["held_before"] = json!(asked.held);
    step["height_before"] = json!(asked.y);
    step
}

/// The slots that any role may name, of a run that has not asked it.
pub(super) fn of_scene(scene: &PromptContext) -> Vec<Slot> {
    let failures: Vec<Value> = scene.failures.iter().map(failure).collect();
    let successes: Vec<Value> = scene.successes.iter().map(success).collect();
    let all: Vec<Value> = successes.iter().chain(&failures).cloned().collect();
    let attempts = if failures.is_empty() {
        all
    } else {
        failures.clone()
    };
    let known = scene
        .knowledge
        .iter()
        .find(|e| e.body.entry_kind() == EntryKind::Rule);
    let corrections = scene.rejected.iter();
    let corrections = corrections.map(|rejected| correction(rejected, &scene.plan));
    let done: Vec<Worked> = scene
        .successes
        .iter()
        .map(Worked::from_experience)
        .collect();
    let goal = json!({"object": scene.task.goal, "count": scene.task.count});
    capped(vec![
        ("task", task(&scene.task)),
        ("goal", goal),
        ("pages", Value::Null),
        ("state", state(&scene.state)),
        ("plan", plan_with_marks(&scene.plan, &scene.done)),
        ("attempts", Value::from(attempts)),
        ("failures", Value::from(failures)),
        ("worked", done.iter().map(worked).collect()),
        ("talks", corrections.collect()),
        ("hits", hits(&scene.hits)),
        ("knowledge", entries(&scene.knowledge, |_| true)),
        ("skills", entries(&scene.knowledge, is_demonstration)),
        (
            "guardrails",
            entries(&scene.knowledge, |e| !is_demonstration(e)),
        ),
        ("rules", known.map(entry).into_iter().collect()),
        ("steps", scene.plan.subgoals.iter().map(brief).collect()),
        // Of a run that is looked at, nothing has ended, is drafted or was misunderstood.
        ("subgoal", Value::Null),
        ("trigger", Value::Null),
        ("lost", Value::Null),
        ("draft", Value::Null),
        ("ended", Value::Null),
        ("sequences", Value::Null),
        ("faults", Value::Null),
    ])
}

fn worked(worked: &Worked) -> Value {
    let mut step = brief(&worked.step);
    step["held_before"] = json!(worked.held_before);
    step["changed"] = json!(worked.changed);
    step["ticks"] = json!(worked.ticks);
    step
}

fn skill(skill: &Skill) -> Value {
    let steps: Vec<String> = skill.steps.iter().map(|s| s.id.to_string()).collect();
    json!({"requires": in_words(&skill.requires), "steps": steps})
}

fn rule(rule: &Rule) -> Value {
    json!({"when": in_words(&rule.when), "requires": requirement_in_words(rule), "record": rule.record})
}

fn talk(talk: &PlanCorrection) -> Value {
    correction(&talk.rejected, &talk.passed)
}

fn correction(before: &Rejected, passed: &Plan) -> Value {
    let labels: Vec<String> = passed.subgoals.iter().map(Subgoal::label).collect();
    let mut told = rejected(before);
    told["plan"] = before.plan.subgoals.iter().map(brief).collect();
    told["passed"] = Value::from(labels);
    told
}
