//! Counts: steps that use up more than the plan will hold when their turn comes, by what such steps were seen to use up.
//!
//! Invariant: a step of which nothing was seen is short of nothing.

use super::note;
use super::play::Play;
use crate::domain::plan::Subgoal;
use crate::domain::plan::note::{About, Note, Severity};

/// What the step is short of.
pub(super) fn miscounts(subgoal: &Subgoal, play: &Play<'_>) -> Vec<Note> {
    let taken = play.taken_by(subgoal).into_iter();
    let short = taken.filter_map(|(item, need)| {
        let have = play.most_held(item);
        if have >= need {
            return None;
        }
        // None at all is a missing step; some is a wrong number.
        let about = match have {
            0 => About::MissingPrerequisite { item, have, need },
            _ => About::WrongQuantity { item, have, need },
        };
        let text = format!(
            "\"{}\" uses up {need} {item}, as earlier successes did; {have} will be held",
            subgoal.condition
        );
        Some(note(Severity::Error, Some(subgoal), about, text))
    });
    short.collect()
}

#[cfg(test)]
mod tests {
    use crate::agent::reading::read_plan;
    use crate::agent::verify::{Known, verify};
    use crate::domain::experience::state_summary::StateSummary;
    use crate::domain::plan::Plan;
    use crate::domain::plan::note::About;
    use crate::domain::plan::task::Task;
    use crate::domain::run::budget::Limits;
    use crate::domain::samples::{crafted, item};
    use crate::knowledge::uses::StepUses;

    fn plan(steps: &[(&str, &str, u32)]) -> Plan {
        let step = |(n, (how, object, count)): (usize, &(&str, &str, u32))| {
            format!(
                r#"{{"subgoal_id":"sg_{n}","executor_hint":"{how}","goal":{{"object":"{object}","count":{count}}}}}"#
            )
        };
        let steps: Vec<String> = steps.iter().enumerate().map(step).collect();
        let text = format!(r#"{{"subgoals":[{}]}}"#, steps.join(","));
        read_plan(&text).unwrap().0.0
    }

    fn short_of(held: &str, steps: &[(&str, &str, u32)], counts: bool) -> Vec<About> {
        let seen = [
            crafted("iron_pickaxe", 1, "iron_ingot=3"),
            crafted("oak_planks", 4, "oak_log=1"),
        ];
        let (object, count) = (steps[steps.len() - 1].1, steps[steps.len() - 1].2);
        let known = Known {
            task: &Task::to_have(item(object), count),
            state: &StateSummary::holding(held.parse().unwrap()),
            knowledge: &[],
            lessons: &[],
            limits: &Limits::default(),
            uses: &StepUses::seen(&seen, &[]),
            counts,
        };
        let notes = verify(&plan(steps), &known).into_iter();
        notes.map(|note| note.about).collect()
    }

    #[test]
    fn a_step_that_uses_up_more_than_will_be_held_is_an_error() {
        let two = [("smelt", "iron_ingot", 2), ("craft", "iron_pickaxe", 1)];
        let short = About::WrongQuantity {
            item: item("iron_ingot"),
            have: 2,
            need: 3,
        };
        assert_eq!(short_of("", &two, true), [short]);
        assert_eq!(short_of("", &two, false), []);
        let three = [("smelt", "iron_ingot", 3), ("craft", "iron_pickaxe", 1)];
        assert_eq!(short_of("", &three, true), []);
        let none = About::MissingPrerequisite {
            item: item("iron_ingot"),
            have: 0,
            need: 3,
        };
        assert_eq!(short_of("", &[("craft", "iron_pickaxe", 1)], true), [none]);
        // Nothing was seen of shields.
        assert_eq!(short_of("", &[("craft", "shield", 1)], true), []);
    }

    #[test]
    fn only_the_pieces_that_are_not_held_use_anything_up() {
        let planks = [("craft", "oak_planks", 12)];
        assert_eq!(short_of("oak_planks=8, oak_log=1", &planks, true), []);
        assert_eq!(short_of("oak_planks=4, oak_log=1", &planks, true).len(), 1);
        // What one step has used up is gone for the next.
        let twice = [("craft", "oak_planks", 4), ("craft", "oak_planks", 8)];
        assert_eq!(short_of("oak_log=1", &twice, true).len(), 1);
        assert_eq!(short_of("oak_log=2", &twice, true), []);
    }
}
