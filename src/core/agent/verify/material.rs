//! Material: a building that takes more than the plan will hold when its turn comes.
//!
//! Invariant: of a building that was begun only what is missing is asked for.

use super::note;
use super::play::Play;
use crate::domain::plan::Subgoal;
use crate::domain::plan::note::{About, Note, Severity};
use pithead_world::blueprint;

/// What the step is short of; nothing of a step that builds by no blueprint.
pub(super) fn shortages(subgoal: &Subgoal, play: &Play<'_>) -> Vec<Note> {
    let material = play.put_down_by(subgoal);
    let short = blueprint::shortages(&material, play.inventory()).into_iter();
    let notes = short.map(|short| {
        let blueprint::Shortage { item, have, need } = short;
        // None at all is a missing step; some is a wrong number.
        let about = match have {
            0 => About::MissingPrerequisite { item, have, need },
            _ => About::WrongQuantity { item, have, need },
        };
        let text = format!(
            "\"{}\" puts down {need} {item}; {have} will be held",
            subgoal.condition
        );
        note(Severity::Error, Some(subgoal), about, text)
    });
    notes.collect()
}

#[cfg(test)]
mod tests {
    use crate::agent::reading::read_plan;
    use crate::agent::verify::{Known, verify};
    use crate::domain::experience::state_summary::StateSummary;
    use crate::domain::plan::note::Severity;
    use crate::domain::plan::task::Task;
    use crate::domain::run::budget::Limits;
    use crate::knowledge::uses::StepUses;
    use pithead_world::blueprint::BuildSight;
    use pithead_world::space::Pos;

    fn errors(held: &str, steps: &str, begun: Option<u32>) -> Vec<String> {
        let plan = read_plan(&format!(r#"{{"subgoals":[{steps}]}}"#))
            .unwrap()
            .0
            .0;
        let mut state = StateSummary::holding(held.parse().unwrap());
        state.builds.extend(begun.map(|missing| BuildSight {
            blueprint: "shelter".parse().unwrap(),
            at: Pos::new(0, 64, 0),
            stands: 38 - missing,
            of: 38,
            filled: 0,
            lacks: vec![("#planks".parse().unwrap(), missing)],
        }));
        let known = Known {
            task: &Task::parse("build a shelter").unwrap(),
            state: &state,
            knowledge: &[],
            lessons: &[],
            limits: &Limits::default(),
            uses: &StepUses::default(),
            counts: false,
        };
        let notes = verify(&plan, &known).into_iter();
        notes
            .filter(|note| note.severity == Severity::Error)
            .map(|note| note.text)
            .collect()
    }

    const BUILD: &str =
        r#"{"subgoal_id":"sg_2","executor_hint":"build","goal":{"blueprint":"shelter"}}"#;

    fn planks(count: u32) -> String {
        format!(
            r##"{{"subgoal_id":"sg_1","executor_hint":"craft","goal":{{"object":"#planks","count":{count}}}}},{BUILD}"##
        )
    }

    #[test]
    fn a_building_without_its_material_is_refused_with_the_count() {
        let short = "\"build shelter\" puts down 38 #planks; 20 will be held".to_owned();
        assert_eq!(errors("", &planks(20), None), [short]);
        assert_eq!(errors("", &planks(38), None), [""; 0]);
        assert_eq!(errors("birch_planks=38", BUILD, None), [""; 0]);
        let twice = format!(
            r#"{BUILD},{{"subgoal_id":"sg_3","executor_hint":"build","goal":{{"blueprint":"iron_golem"}}}}"#
        );
        assert_eq!(
            errors("oak_planks=38", &twice, None).len(),
            2,
            "iron and a pumpkin"
        );
    }

    #[test]
    fn of_what_was_begun_only_the_rest_is_asked_for() {
        assert_eq!(errors("oak_planks=9", BUILD, Some(9)), [""; 0]);
        assert_eq!(errors("oak_planks=8", BUILD, Some(9)).len(), 1);
    }

    #[test]
    fn a_blueprint_that_nobody_knows_is_named() {
        let step = BUILD.replace("shelter", "sheltr");
        let errors = errors("oak_planks=38", &step, None);
        assert!(errors[0].contains("did you mean shelter?"), "{errors:?}");
    }
}
