//! Lint: what is wrong with an entry before it acts, each remark with its field.
//!
//! All remarks are collected. An error is what cannot be meant; a warning is what may be.
//! Invariant: nothing here depends on the order of the other entries.

use super::possible::{clears, together};
use super::queue;
use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::closure;
use crate::domain::knowledge::{
    Body, Entry, Guardrail, Pattern, Remedy, Skill, Status, TaskGuardrail, TextNote,
};
use crate::domain::plan::note::Severity;
use crate::domain::plan::task::COUNT_MAX;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;
use pithead_world::recipe::recipes_for;
use pithead_world::smelting::smelt_inputs;
use serde::Serialize;

/// Longest text of an entry, in characters; a program of a skill library fits in.
pub const TEXT_CHARS_MAX: usize = 64 * 1024;
/// Longest title or sentence.
pub const LINE_CHARS_MAX: usize = 2_000;
/// The world's floor and ceiling.
/// The heights of 1.16.
const HEIGHTS: std::ops::RangeInclusive<i32> = 0..=255;

/// One remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    pub severity: Severity,
    /// A short name that stays the same.
    pub code: &'static str,
    /// The field, for example `recovery[0]`.
    pub path: String,
    pub message: String,
    /// From 1, where a text was linted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// Everything that lint says of a body that would stand beside these entries; `id` is its own, if it is
/// one of them.
#[must_use]
pub fn lint<'a>(
    body: &Body,
    id: Option<pithead_world::ids::KnowledgeId>,
    base: impl IntoIterator<Item = &'a Entry>,
) -> Vec<Remark> {
    let mut report = Report(Vec::new());
    match body {
        Body::Guardrail(guardrail) => report.guardrail(guardrail),
        Body::TaskGuardrail(guardrail) => report.task_guardrail(guardrail),
        Body::Skill(skill) => report.skill(skill),
        Body::Rule(rule) => report.condition("when", &rule.when),
        Body::ReferencePlan(plan) => report.steps(&plan.steps),
        Body::Note(note) => report.note(note),
    }
    let others = base.into_iter().filter(|other| Some(other.id) != id);
    report.beside(body, others);
    report.0
}

/// Whether a remark stands against it being used.
#[must_use]
pub fn has_errors(remarks: &[Remark]) -> bool {
    remarks.iter().any(|r| r.severity == Severity::Error)
}

struct Report(Vec<Remark>);

impl Report {
    fn remark(&mut self, severity: Severity, code: &'static str, path: &str, message: String) {
        self.0.push(Remark {
            severity,
            code,
            path: path.to_owned(),
            message,
            line: None,
        });
    }

    fn error(&mut self, code: &'static str, path: &str, message: impl Into<String>) {
        self.remark(Severity::Error, code, path, message.into());
    }

    fn warn(&mut self, code: &'static str, path: &str, message: impl Into<String>) {
        self.remark(Severity::Warning, code, path, message.into());
    }

    fn guardrail(&mut self, rail: &Guardrail) {
        let before = self.0.len();
        self.condition("trigger", &rail.trigger);
        let always = rail.trigger.normalised() == Condition::always();
        let widest = rail.forbid == Pattern::default();
        match (widest, always) {
            (true, true) => self.error(
                "forbids-everything",
                "forbid",
                "it forbids every step at all times; name a kind or a target, or give it a trigger",
            ),
            (true, false) => self.warn(
                "forbids-any-step",
                "forbid",
                "while its trigger holds it forbids every step; name a kind or a target",
            ),
            // Without a way out the planner could only go round the step.
            (false, true) if rail.recovery.is_empty() => self.warn(
                "never-lifts",
                "trigger",
                "it forbids at all times and names no way out",
            ),
            (false, _) => (),
        }
        self.pattern("forbid", &rail.forbid);
        // Only if nothing was wrong so far: a broken condition would be reported twice.
        if self.0.len() == before {
            self.meets(rail);
        }
        self.recovery(rail);
        self.text("avoid", &rail.avoid, LINE_CHARS_MAX);
    }

    /// The trigger must be able to hold for a step that the pattern fits.
    fn meets(&mut self, rail: &Guardrail) {
        let mut about = Vec::new();
        if let Some(kind) = rail.forbid.kind {
            about.push(Condition::Is(Predicate::SubgoalKind(kind)));
        }
        if let Some(target) = rail.forbid.target {
            about.push(Condition::Is(Predicate::Target(target)));
        }
        let mut all: Vec<&Condition> = about.iter().collect();
        all.push(&rail.trigger);
        if !together(&all) {
            self.error(
                "never-fires",
                "trigger",
                "the trigger never holds for a step that the pattern fits",
            );
        }
    }

    fn recovery(&mut self, rail: &Guardrail) {
        for (at, remedy) in rail.recovery.iter().enumerate() {
            self.remedy(&format!("recovery[{at}]"), remedy);
        }
        if !rail.recovery.is_empty() && clears(&rail.recovery, &rail.trigger) == Some(false) {
            self.warn(
                "recovery-does-not-clear",
                "recovery",
                format!(
                    "when all of it is done, the trigger may still hold: {}",
                    rail.trigger
                ),
            );
        }
    }

    fn task_guardrail(&mut self, rail: &TaskGuardrail) {
        if rail.missing.is_empty() {
            self.error(
                "nothing-missing",
                "missing",
                "it names nothing that is missing",
            );
        }
        self.pattern("task", &rail.task);
        self.pattern("before", &rail.before);
        for (at, remedy) in rail.missing.iter().enumerate() {
            self.remedy(&format!("missing[{at}]"), remedy);
        }
        self.text("deadlock", &rail.deadlock, LINE_CHARS_MAX);
    }

    fn skill(&mut self, skill: &Skill) {
        if !together(&[&skill.requires]) {
            self.error("never-met", "requires", "its requirements can never be met");
        }
        self.counts("requires", &skill.requires);
        if skill.steps.is_empty() {
            self.error("no-steps", "steps", "it has no steps");
        }
        if skill.count == 0 {
            self.error("impossible-count", "count", "it makes nothing");
        }
        self.count("count", skill.count);
        self.steps(&skill.steps);
        if let Err(gap) = closure::replay(skill) {
            self.error(
                "not-closed",
                "steps",
                format!("played on paper from what it requires it does not succeed: {gap}"),
            );
        }
        let gained = skill.effects.iter().any(|(item, n)| {
            *n > 0 && crate::domain::knowledge::pattern::overlaps(*item, skill.goal)
        });
        if !skill.effects.is_empty() && !gained {
            self.warn(
                "effect-without-goal",
                "effects",
                format!("nothing of {} is gained by it", skill.goal),
            );
        }
    }

    fn steps(&mut self, steps: &[Subgoal]) {
        for (at, step) in steps.iter().enumerate() {
            if let Some(object) = step.goal.object {
                self.check_item_can_be_made(&format!("steps[{at}]"), step.task_kind, object);
            }
            self.count(&format!("steps[{at}].goal.count"), step.goal.count);
        }
    }

    fn note(&mut self, note: &TextNote) {
        if note.text.trim().is_empty() {
            self.error("empty", "text", "it says nothing");
        }
        self.text("text", &note.text, TEXT_CHARS_MAX);
        self.text("name", &note.name, LINE_CHARS_MAX);
        self.text("about", &note.about, LINE_CHARS_MAX);
    }

    fn condition(&mut self, path: &str, condition: &Condition) {
        if !together(&[condition]) {
            self.error("never-holds", path, "it can never hold");
        }
        self.counts(path, condition);
    }

    fn counts(&mut self, path: &str, condition: &Condition) {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| self.counts(path, part));
            }
            Condition::Not(part) => self.counts(path, part),
            Condition::Is(Predicate::Check(
                Check::InvGe { count, .. } | Check::InvLt { count, .. },
            )) => self.count(path, *count),
            Condition::Is(_) => (),
        }
    }

    fn count(&mut self, path: &str, count: u32) {
        if count > COUNT_MAX {
            self.error(
                "impossible-count",
                path,
                format!("{count} is more than anybody can carry ({COUNT_MAX})"),
            );
        }
    }

    fn remedy(&mut self, path: &str, remedy: &Remedy) {
        match remedy {
            Remedy::Have { count: 0, .. } => self.error(
                "impossible-count",
                &format!("{path}.have.count"),
                "to have none is no remedy",
            ),
            Remedy::Have { count, .. } => self.count(&format!("{path}.have.count"), *count),
            Remedy::GoBelow { y } | Remedy::GoAbove { y } if !HEIGHTS.contains(y) => {
                self.error(
                    "impossible-height",
                    path,
                    format!("y {y} is outside of the world (0 to 255)"),
                );
            }
            Remedy::MoveAway { blocks: 0 } => {
                self.error("impossible-count", path, "0 blocks away is the same place");
            }
            Remedy::Advice { text } => self.text(path, text, LINE_CHARS_MAX),
            Remedy::Station { .. }
            | Remedy::Tool { .. }
            | Remedy::GoBelow { .. }
            | Remedy::GoAbove { .. }
            | Remedy::MoveAway { .. } => (),
        }
    }

    fn pattern(&mut self, path: &str, pattern: &Pattern) {
        if let (Some(kind), Some(target)) = (pattern.kind, pattern.target) {
            self.check_item_can_be_made(path, kind, target);
        }
        if let Some(tool) = pattern.tool
            && tool
                .members()
                .iter()
                .all(|item| item.facts().tool.is_none())
        {
            self.warn(
                "no-tool",
                &format!("{path}.tool"),
                format!("{tool} is no tool"),
            );
        }
        if pattern.region.is_some() {
            self.warn(
                "bound-to-a-place",
                &format!("{path}.region"),
                "a place is true of one world only, and this acts in all",
            );
        }
    }

    /// Whether anything comes of doing this kind of thing for that item.
    fn check_item_can_be_made(&mut self, path: &str, kind: TaskKind, item: ItemSpec) {
        let members = item.members();
        let nothing = match kind {
            TaskKind::Craft => members.iter().all(|item| recipes_for(*item).is_empty()),
            TaskKind::Smelt => smelt_inputs(item).is_empty(),
            // A planner may name the block itself.
            TaskKind::Mine => blocks_dropping(item).is_empty() && !is_block(item),
            TaskKind::Use | TaskKind::Combat | TaskKind::Move | TaskKind::Wait => false,
        };
        if nothing {
            self.warn(
                "matches-nothing",
                path,
                format!("nothing is obtained by \"{} {item}\"", kind.name()),
            );
        }
    }

    fn text(&mut self, path: &str, text: &str, chars_max: usize) {
        let chars = text.chars().count();
        if chars > chars_max {
            self.error(
                "too-long",
                path,
                format!("{chars} characters; at most {chars_max}"),
            );
        }
    }

    /// What the base says against it.
    fn beside<'a>(&mut self, body: &Body, base: impl Iterator<Item = &'a Entry>) {
        for other in base {
            let id = other.id;
            if other.status == Status::Vetoed && body.signature() == other.body.signature() {
                self.error(
                    "vetoed-before",
                    "",
                    format!("the same was vetoed as {id}; `pithead kb restore {id}` lifts that"),
                );
            }
            // Entries out of use neither repeat nor contradict.
            if !matches!(other.status, Status::Active | Status::Proposed) {
                continue;
            }
            if let Some(because) = queue::same(body, &other.body) {
                self.warn("duplicate", "", format!("compared with {id}: {because}"));
            }
            let against = match (body, &other.body) {
                (Body::Guardrail(rail), Body::Skill(skill))
                | (Body::Skill(skill), Body::Guardrail(rail)) => queue::forbids(rail, skill),
                _ => None, // no other two can contradict each other
            };
            if let Some(because) = against.filter(|_| other.status == Status::Active) {
                self.warn(
                    "contradiction",
                    "",
                    format!("compared with {id}: {because}"),
                );
            }
        }
    }
}

fn is_block(item: ItemSpec) -> bool {
    item.members()
        .iter()
        .any(|item| item.name().parse::<pithead_world::block::BlockId>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::entry;
    use crate::knowledge::reading;

    fn codes(yaml: &str) -> Vec<&'static str> {
        let body = reading::body(yaml).unwrap_or_else(|fault| panic!("{fault}: {yaml}"));
        lint(&body, None, &[]).iter().map(|r| r.code).collect()
    }

    fn rail(trigger: &str, forbid: &str, recovery: &str) -> String {
        format!(
            "kind: guardrail\ntrigger: \"{trigger}\"\nforbid: {forbid}\navoid: it fails\nrecovery: {recovery}\nreason: TOOL_MISSING\n"
        )
    }

    #[test]
    fn what_is_wrong_with_a_guardrail_is_said() {
        let (wide, table) = ("{}", "{kind: craft, target: furnace}");
        for (trigger, forbid, recovery, expected) in [
            (
                "inv stick < 8",
                table,
                "[{have: {item: stick, count: 8}}]",
                &[][..],
            ),
            (
                "inv stick < 8",
                table,
                "[{have: {item: stick, count: 4}}]",
                &["recovery-does-not-clear"],
            ),
            ("never", table, "[]", &["never-holds"]),
            (
                "inv stick < 2 and inv stick >= 5",
                table,
                "[]",
                &["never-holds"],
            ),
            ("subgoal is mine", table, "[]", &["never-fires"]),
            (
                "target oak_log and inv stick < 1",
                table,
                "[]",
                &["never-fires"],
            ),
            ("always", wide, "[]", &["forbids-everything"]),
            ("inv stick < 1", wide, "[]", &["forbids-any-step"]),
            ("always", table, "[]", &["never-lifts"]),
            ("inv stick < 3000", table, "[]", &["impossible-count"]),
            (
                "not y <= 9",
                table,
                "[{go_below: {y: -90}}]",
                &["impossible-height"],
            ),
            (
                "inv stick < 1",
                "{kind: smelt, target: stick}",
                "[]",
                &["matches-nothing"],
            ),
            (
                "inv stick < 1",
                "{kind: craft, target: diamond_ore}",
                "[]",
                &["matches-nothing"],
            ),
            (
                "inv stick < 1",
                "{kind: mine, target: stone, tool: stick}",
                "[]",
                &["no-tool"],
            ),
            (
                "inv stick < 1",
                "{kind: mine, target: stone, region: {centre: [0, 64, 0], radius: 9}}",
                "[]",
                &["bound-to-a-place"],
            ),
        ] {
            let yaml = rail(trigger, forbid, recovery);
            assert_eq!(codes(&yaml), expected, "{yaml}");
        }
    }

    #[test]
    fn an_entry_is_held_against_the_others() {
        let mut known = entry(1, 1, "stone");
        let body = known.body.clone();
        let said = |known: &Entry, id| -> Vec<&str> {
            let base = [known.clone()];
            lint(&body, id, &base).iter().map(|r| r.code).collect()
        };
        assert_eq!(said(&known, None), ["never-lifts", "duplicate"]);
        assert_eq!(said(&known, Some(known.id)), ["never-lifts"]);
        known.status = Status::Vetoed;
        assert_eq!(said(&known, None), ["never-lifts", "vetoed-before"]);
        known.status = Status::Retired;
        assert_eq!(said(&known, None), ["never-lifts"]);
    }
}
