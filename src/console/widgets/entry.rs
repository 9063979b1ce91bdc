//! A knowledge entry in full: what it says, where it comes from, and what it has done.

use crate::theme::Role;
use crate::view::View;
use crate::widgets::effect_bar::effect_bar;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::condition::Condition;
use pithead_core::domain::knowledge::title::task_scope;
use pithead_core::domain::knowledge::{
    Author, Body, Entry, Pattern, ReferencePlan, Remedy, Rule, Status,
};
use pithead_core::domain::plan::Subgoal;
use pithead_core::knowledge::attempt_tree;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::KnowledgeId;

#[must_use]
pub fn entry_in_run_lines(id: KnowledgeId, view: &View, width: usize) -> Vec<Rich> {
    let Some(item) = view.knowledge.item(id) else {
        return vec![Rich::text(
            Role::Faint,
            format!("{id} is not in use in this run."),
        )];
    };
    let entry = &item.entry;
    let title = format!("{} {id} · {}", entry.body.kind(), entry.title);
    let mut out = vec![Rich::text(Role::Strong, title).cut(width)];
    crate::widgets::page::heading(&mut out, "In this run");
    let here = item.here;
    let uses = format!(
        "shown {} · matched {} · blocked {} · helped {} · hurt {}",
        here.shown, here.matched, here.blocked, here.helped, here.hurt
    );
    crate::widgets::page::field(&mut out, "uses", &uses, width);
    crate::widgets::page::field(&mut out, "status", status_word(item.status), width);
    if let Some(reason) = &item.reason {
        crate::widgets::page::field(&mut out, "because", reason, width);
    }
    push_entry_body(&mut out, entry, width);
    out
}

/// An entry as the knowledge base has it.
#[must_use]
pub fn entry_lines(entry: &Entry, width: usize) -> Vec<Rich> {
    let title = format!("{} {} · {}", entry.body.kind(), entry.id, entry.title);
    let mut out = vec![Rich::text(Role::Strong, title).cut(width)];
    crate::widgets::page::heading(&mut out, "Where it stands");
    crate::widgets::page::field(&mut out, "status", status_word(entry.status), width);
    push_entry_body(&mut out, entry, width);
    if !entry.history.is_empty() {
        crate::widgets::page::heading(&mut out, "History");
    }
    for change in &entry.history {
        let text = format!("{} by {}", change.reason, author(&change.by));
        crate::widgets::page::field(
            &mut out,
            &format!("version {}", change.version),
            &text,
            width,
        );
    }
    out
}

/// The status in words.
#[must_use]
pub fn status_word(status: Status) -> &'static str {
    match status {
        Status::Proposed => "proposed, waits for you",
        Status::Active => "active",
        Status::Superseded => "superseded",
        Status::Retired => "retired",
        Status::Vetoed => "vetoed",
    }
}

fn push_rule(out: &mut Vec<Rich>, rule: &Rule, width: usize) {
    crate::widgets::page::field(out, "step", &rule.step(), width);
    crate::widgets::page::field(out, "requires", &rule.required(), width);
    let [a, b, c] = rule.scores;
    let scores = format!("{a:.2} · {b:.2} · {c:.2}, together {:.2}", rule.total());
    crate::widgets::page::field(out, "scores", &scores, width);
    let (hits, misses) = (rule.record.hits(), rule.record.misses());
    let hits = count_with_noun(hits, "hit", "hits");
    let record = format!("{hits}, {}", count_with_noun(misses, "miss", "misses"));
    crate::widgets::page::field(out, "record", &record, width);
}

fn push_reference_plan(out: &mut Vec<Rich>, plan: &ReferencePlan, width: usize) {
    let mut field = |name, text: &str| crate::widgets::page::field(out, name, text, width);
    field("for", &format!("{} ×{}", plan.goal, plan.count));
    field("from", &format!("{} successes", plan.from_successes));
    if let Some(runs) = plan.runs_listed() {
        field("runs", &runs);
    }
    field("needs", &condition(&plan.requires));
    steps(out, &plan.steps, width);
}

/// The content, the provenance and the outcomes.
pub(crate) fn push_entry_body(out: &mut Vec<Rich>, entry: &Entry, width: usize) {
    crate::widgets::page::heading(out, "What it says");
    match &entry.body {
        Body::Guardrail(guardrail) => {
            crate::widgets::page::field(out, "when", &condition(&guardrail.trigger), width);
            crate::widgets::page::field(out, "do not", &pattern(&guardrail.forbid), width);
            crate::widgets::page::field(out, "otherwise", &guardrail.avoid, width);
            remedies(out, "first", &guardrail.recovery, width);
            crate::widgets::page::field(out, "against", guardrail.reason.name(), width);
        }
        Body::TaskGuardrail(guardrail) => {
            crate::widgets::page::field(out, "for tasks", &task_scope(guardrail), width);
            remedies(out, "first", &guardrail.missing, width);
            crate::widgets::page::field(out, "otherwise", &guardrail.deadlock, width);
            if let Some(ends) = attempt_tree::ends_line(guardrail) {
                crate::widgets::page::field(out, "ended so", &ends, width);
            }
            let names = std::iter::once("tried").chain(std::iter::repeat(""));
            for (name, line) in names.zip(attempt_tree::tree_lines(guardrail)) {
                // The level belongs to the left part: wrapped words begin below their own line.
                let level = line.len() - line.trim_start().len();
                let lead = Rich::text(Role::Faint, format!("{name:<14}{:level$}", ""));
                paragraph(out, lead, Role::Text, line.trim_start(), width);
            }
        }
        Body::Skill(skill) => {
            crate::widgets::page::field(
                out,
                "makes",
                &format!("{} ×{}", skill.goal, skill.count),
                width,
            );
            crate::widgets::page::field(out, "needs", &condition(&skill.requires), width);
            steps(out, &skill.steps, width);
            for check in &skill.success {
                crate::widgets::page::field(out, "done when", &check.describe(), width);
            }
            let effects: Vec<String> = skill
                .effects
                .iter()
                .map(|(item, n)| format!("{n:+} {item}"))
                .collect();
            crate::widgets::page::field(out, "changes", &effects.join(", "), width);
        }
        Body::Rule(rule) => {
            push_rule(out, rule, width);
        }
        Body::ReferencePlan(plan) => push_reference_plan(out, plan, width),
        Body::Note(note) => {
            crate::widgets::page::field(out, "about", &note.about, width);
            for line in note.text.lines() {
                crate::widgets::page::field(out, "", line, width);
            }
        }
    }
    evidence(out, entry, width);
}

fn evidence(out: &mut Vec<Rich>, entry: &Entry, width: usize) {
    crate::widgets::page::heading(out, "Where it comes from");
    crate::widgets::page::field(out, "author", &author(&entry.author), width);
    crate::widgets::page::field(out, "task", &entry.provenance.task, width);
    let attempts: Vec<String> = entry
        .provenance
        .experiences
        .iter()
        .map(ToString::to_string)
        .collect();
    crate::widgets::page::field(out, "evidence", &attempts.join(", "), width);
    crate::widgets::page::heading(out, "What it has done so far");
    let o = &entry.outcomes;
    let counts = format!(
        "retrieved {} · shown {} · matched {} · blocked {} · helped {} · hurt {}",
        o.retrieved, o.shown, o.matched, o.blocked, o.helped, o.hurt
    );
    crate::widgets::page::field(out, "in all", &counts, width);
    crate::widgets::page::field(
        out,
        "confidence",
        &format!("{:.2}", entry.confidence),
        width,
    );
    crate::widgets::page::field(out, "version", &entry.version.to_string(), width);
    push_effect(out, entry, width);
}

/// What hold-out has measured; nothing for an entry that took part in no draw.
fn push_effect(out: &mut Vec<Rich>, entry: &Entry, width: usize) {
    let Some(basis) = entry.outcomes.effect_basis() else {
        return;
    };
    crate::widgets::page::heading(out, "Effect");
    crate::widgets::page::field(out, "measured", &basis, width);
    let Some(effect) = entry.outcomes.effect() else {
        return;
    };
    for (name, estimate) in effect.lines() {
        crate::widgets::page::field(out, name, &estimate, width);
    }
    let bar = effect_bar(&effect.success, BAR_HALF);
    crate::widgets::page::field(out, "", &format!("-100 {bar} +100"), width);
    if effect.is_harmful() {
        let lead = Rich::text(Role::Bad, "▼ ");
        let words = "harmful: the whole interval says that fewer runs succeed with it";
        paragraph(out, lead, Role::Bad, words, width);
    }
}

/// Columns on each side of zero.
const BAR_HALF: i32 = 10;

fn author(author: &Author) -> String {
    match author {
        Author::Mind(name) => format!("the mind {name}"),
        Author::Operator(name) => format!("the operator {name}"),
        Author::Policy(name) => format!("the {name}"),
        Author::Import(name) => format!("imported from {name}"),
    }
}

fn steps(out: &mut Vec<Rich>, steps: &[Subgoal], width: usize) {
    for (at, step) in steps.iter().enumerate() {
        let label = crate::view::plan::label(step);
        crate::widgets::page::field(out, &format!("step {}", at + 1), &label, width);
    }
}

fn remedies(out: &mut Vec<Rich>, name: &str, remedies: &[Remedy], width: usize) {
    for remedy in remedies {
        crate::widgets::page::field(
            out,
            name,
            &pithead_core::domain::knowledge::title::remedy(remedy),
            width,
        );
    }
    if remedies.is_empty() {
        paragraph(out, Rich::new(), Role::Faint, "no recovery is known", width);
    }
}

fn condition(condition: &Condition) -> String {
    condition.to_string()
}

fn pattern(pattern: &Pattern) -> String {
    let parts = [
        pattern.kind.map(|kind| kind.name().to_owned()),
        pattern.target.map(|target| target.to_string()),
        pattern.tool.map(|tool| format!("with {tool}")),
        pattern
            .region
            .map(|region| format!("within {} of {}", region.radius, region.centre)),
        pattern
            .text
            .as_ref()
            .map(|text| format!("with the words `{text}`")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "anything".to_owned()
    } else {
        parts.join(" ")
    }
}
