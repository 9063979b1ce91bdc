//! Similar: the subgoal whose words are most like what is seen and held (the selector DEPS compares with).
//!
//! Words are points of the built-in embedder, so nothing is asked and the same scene gives the same
//! choice. Invariant: the first of equals.

use crate::domain::experience::state_card::StateCard;
use crate::domain::plan::Subgoal;
use crate::text::ngrams::ngram_vector;
use pithead_world::observation::Frame;

/// Things in sight that the scene names.
const SIGHTS_MAX: usize = 32;

/// The subgoal most like the scene.
pub(super) fn most<'a>(
    ready: impl Iterator<Item = &'a Subgoal>,
    frame: &Frame,
) -> Option<&'a Subgoal> {
    let scene = ngram_vector(&scene(frame));
    let mut best: Option<(&Subgoal, f64)> = None;
    for subgoal in ready {
        let like = cosine(&scene, &ngram_vector(&words(subgoal)));
        if best.is_none_or(|(_, most)| like > most) {
            best = Some((subgoal, like));
        }
    }
    best.map(|(subgoal, _)| subgoal)
}

fn scene(frame: &Frame) -> String {
    let card = StateCard::of(frame);
    let sights = card.notable.iter().take(SIGHTS_MAX);
    let mut words: Vec<String> = sights.map(|sight| spaced(sight.block.name())).collect();
    words.extend(card.inventory.iter().map(|(item, _)| spaced(item.name())));
    words.extend(card.held.map(|item| spaced(item.name())));
    words.push(spaced(&card.biome));
    words.join(" ")
}

fn words(subgoal: &Subgoal) -> String {
    let goal = &subgoal.goal;
    let items = [goal.object, goal.material, goal.tool];
    let names = items.into_iter().flatten().map(|item| spaced(item.name()));
    std::iter::once(subgoal.condition.clone())
        .chain(names)
        .collect::<Vec<_>>()
        .join(" ")
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// Points are of length one.
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
        most(steps.iter(), &frame).unwrap().condition.clone()
    }

    #[test]
    fn what_is_held_and_seen_decides() {
        assert_eq!(chosen("iron_ingot=2,iron_sword=1"), "mine a iron_ore");
        assert_eq!(chosen("wheat_seeds=3"), "mine a wheat");
    }

    #[test]
    fn where_nothing_is_to_choose_nothing_is_chosen() {
        assert!(most(std::iter::empty(), &samples::frame(0, 1)).is_none());
    }
}
