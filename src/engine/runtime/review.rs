//! Review: all that is to be said of an entry's body before it is taken, by lint and by the game's own
//! tables, each remark at its line.
//!
//! The command line and the console ask here, so that both refuse the same.

use pithead_core::agent::verify::verify_facts;
use pithead_core::domain::check::Check;
use pithead_core::domain::condition::{Condition, Predicate};
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Body, Entry, Skill};
use pithead_core::domain::plan::Plan;
use pithead_core::domain::plan::note::{About, Severity};
use pithead_core::knowledge::lint::{self, Remark, has_errors};
use pithead_core::knowledge::reading;
use pithead_world::counts::Counts;
use pithead_world::ids::KnowledgeId;

/// What is to be said of a body that would stand beside these entries, with lines where it was read
/// from a text.
#[must_use]
pub fn remarks<'a>(
    body: &Body,
    id: Option<KnowledgeId>,
    base: impl IntoIterator<Item = &'a Entry>,
    text: Option<&str>,
) -> Vec<Remark> {
    let mut remarks = lint::lint(body, id, base);
    remarks.extend(facts(body));
    for remark in &mut remarks {
        remark.line = text.and_then(|text| reading::line_of(text, &remark.path));
    }
    remarks
}

/// What the game's own tables say against a skill: its steps carried out with what it requires.
fn facts(body: &Body) -> Vec<Remark> {
    let Body::Skill(skill) = body else {
        return Vec::new();
    };
    let plan = Plan {
        subgoals: skill.steps.clone(),
        ..Plan::default()
    };
    let notes = verify_facts(&plan, &beginning(skill));
    let each = notes.into_iter().map(|note| {
        let at = skill
            .steps
            .iter()
            .position(|step| Some(step.id) == note.subgoal);
        Remark {
            // A warning only: the tables know nothing of worlds that differ from the plain
            // game.
            severity: Severity::Warning,
            code: match note.about {
                About::WrongToolTier { .. } => "missing-tool",
                About::Unobtainable { .. } => "unobtainable",
                _ => "missing-prerequisite",
            },
            path: at.map_or("steps".to_owned(), |at| format!("steps[{at}]")),
            message: note.text,
            line: None,
        }
    });
    let found: Vec<Remark> = each.collect();
    debug_assert!(!has_errors(&found));
    found
}

/// The least state in which the skill may begin.
/// From the requirements alone: a skill must work with no more than it asks for.
fn beginning(skill: &Skill) -> StateSummary {
    let mut inventory = Counts::default();
    let parts = match &skill.requires {
        Condition::All(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    for part in parts {
        if let Condition::Is(Predicate::Check(Check::InvGe { item, count })) = part
            && let Some(member) = item.members().first()
        {
            inventory.add(*member, *count);
        }
    }
    StateSummary::holding(inventory)
}
