//! The closest step: the subgoal whose words are most similar to what is in sight and in the inventory.
//!
//! This is the selector that DEPS compares with. The vectors are those of the built-in embedder, so no model is
//! asked. Invariant: the same scene gives the same choice, and the first of equals wins.

use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::Subgoal;
use crate::text::ngrams::ngram_vector;
use pithead_world::observation::Frame;

/// Things in sight that the scene names.
/// A bound, so that the inventory still counts beside what is in sight.
const SIGHTS_MAX: usize = 32;

/// The subgoal most like the scene.
pub(super) fn closest_step<'a>(
    ready: impl Iterator<Item = &'a Subgoal>,
    frame: &Frame,
) -> Option<&'a Subgoal> {
    let scene = ngram_vector(&scene_words(frame));
    let mut best: Option<(&Subgoal, f64)> = None;
    for subgoal in ready {
        // Strictly more, so that the first of equals stays.
        let like = cosine(&scene, &ngram_vector(&step_words(subgoal)));
        if best.is_none_or(|(_, most)| like > most) {
            best = Some((subgoal, like));
        }
    }
    best.map(|(subgoal, _)| subgoal)
}

fn scene_words(frame: &Frame) -> String {
    let card = StateSummary::from_frame(frame);
    let sights = card.notable.iter().take(SIGHTS_MAX);
    let mut words: Vec<String> = sights.map(|sight| spaced(sight.block.name())).collect();
    words.extend(card.inventory.iter().map(|(item, _)| spaced(item.name())));
    words.extend(card.held.map(|item| spaced(item.name())));
    words.push(spaced(&card.biome));
    words.join(" ")
}

fn step_words(subgoal: &Subgoal) -> String {
    let goal = &subgoal.goal;
    let items = [goal.object, goal.material, goal.tool];
    let names = items.into_iter().flatten().map(|item| spaced(item.name()));
    std::iter::once(subgoal.condition.clone())
        .chain(names)
        .collect::<Vec<_>>()
        .join(" ")
}

fn spaced(name: &str) -> String {
    // The embedder works on words; underscores would hide them.
    name.replace('_', " ")
}

/// The vectors have length one.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples;
    use pithead_world::counts::Counts;

    fn chosen(inventory: &str) -> String {
        let steps = ["oak_log", "iron_ore", "wheat"].map(|item| samples::subgoal(1, item));
        let frame = Frame {
            inventory: inventory.parse::<Counts>().unwrap(),
            ..*samples::frame(0, 1)
        };
        closest_step(steps.iter(), &frame)
            .unwrap()
            .condition
            .clone()
    }

    #[test]
    fn inventory_and_sight_decide() {
        assert_eq!(chosen("iron_ingot=2,iron_sword=1"), "mine a iron_ore");
        assert_eq!(chosen("wheat_seeds=3"), "mine a wheat");
    }

    #[test]
    fn without_candidates_no_step_is_chosen() {
        assert!(closest_step(std::iter::empty(), &samples::frame(0, 1)).is_none());
    }
}
