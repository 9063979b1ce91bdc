//! Attempts that break blocks and neither move nor gain anything.

use super::script::doing;
use super::{check, watched};
use crate::domain::experience::diagnosis::FailureReason as R;

#[test]
fn who_breaks_blocks_on_the_spot_is_not_stuck() {
    let dig = |executor: &str, about: &str| doing(executor, about).dig(24, 1_200);
    watched(&dig("dig_down", "40"), None);
    watched(&dig("mine", "cobblestone"), None);
    watched(&dig("attack", "leather"), None);
    watched(&dig("use", "white_wool"), None);
}

#[test]
fn who_broke_its_last_block_long_ago_is_stuck() {
    // Dirt takes no longer, so that the window is no longer than usual.
    let dug = |still: u64| doing("mine", "dirt").dig(12, 600).stand(still);
    watched(&dug(300), None);
    watched(&dug(500), Some(R::NavStuck));
    check(&dug(500).stalls(), R::NavStuck);
}

#[test]
fn breaking_blocks_on_worn_ground_is_still_going_to_and_fro() {
    let paced = doing("mine", "#logs").pace(8, 800);
    watched(&paced, Some(R::NavOscillate));
    watched(&paced.dig(1, 10).pace(8, 200), Some(R::NavOscillate));
}
