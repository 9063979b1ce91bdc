//! Review: all that is to be said of an entry's body before it is taken, by lint and by the game's own
//! tables, each remark at its line.
//!
//! The command line and the console ask here, so that both refuse the same.

use pithead_core::agent::verify::verify_facts;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{Body, Entry, Skill, closure};
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

/// What the game's own tables say against a skill: its steps carried out with what it requires. Of a skill that was
/// seen, what its steps took and gave is known better: lint plays it on paper.
fn facts(body: &Body) -> Vec<Remark> {
    let Body::Skill(skill) = body else {
        return Vec::new();
    };
    if closure::is_seen(skill) {
        return Vec::new();
    }
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
    for (item, count) in closure::at_hand(&skill.requires) {
        if let Some(member) = item.members().first() {
            inventory.add(*member, count);
        }
    }
    StateSummary::holding(inventory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::seen_skill;

    fn told(skill: Skill) -> Vec<String> {
        let remarks = remarks(&Body::Skill(skill), None, [], None);
        remarks.into_iter().map(|remark| remark.message).collect()
    }

    #[test]
    fn a_skill_begins_with_any_of_the_things_that_it_may_begin_with() {
        let mut written = seen_skill(
            "stone_pickaxe",
            "inv stick >= 2 and inv cobblestone >= 3 and (near crafting_table 4 or inv crafting_table >= 1)",
            &[("craft 1 stone_pickaxe", "", "")],
        );
        written.flows.clear();
        assert_eq!(told(written.clone()), Vec::<String>::new());
        written.requires = "inv stick >= 2 and inv cobblestone >= 3".parse().unwrap();
        assert_eq!(
            told(written),
            ["\"craft 1 stone_pickaxe\" takes a crafting_table"]
        );
    }

    #[test]
    fn what_a_seen_step_took_is_not_asked_of_the_tables() {
        let mut seen = seen_skill(
            "stone_pickaxe",
            "inv stick >= 2 and inv crafting_table >= 1",
            &[
                ("mine 1 coal", "", ""),
                (
                    "craft 1 stone_pickaxe",
                    "cobblestone 3, stick 2",
                    "crafting_table",
                ),
            ],
        );
        // Stone came along with the coal.
        let stone = "cobblestone".parse().unwrap();
        seen.flows[0].by_products.insert(stone, 3);
        assert_eq!(told(seen.clone()), Vec::<String>::new());
        seen.flows[0].by_products.clear();
        assert!(told(seen)[0].contains("lacks 3 cobblestone"));
    }
}
