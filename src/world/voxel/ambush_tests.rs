//! Tests of hunts in which one waits for the prey: for the dark in a swamp.

use super::sim::Simulation;
use super::terrain::biome::Biome;
use super::world::VoxelWorld;
use crate::action::Action;
use crate::mob::MobKind;
use crate::observation::{Frame, Pause};
use crate::testing::{spec, watch};

/// What came of a hunt, in frames.
struct Hunt {
    /// In which the body waited for the dark, and all since it first did.
    waiting: usize,
    since: usize,
    in_swamp: usize,
    all: usize,
}

/// Hunts slimes in such land of a seed, from this time of day on for so many ticks.
fn hunts_slimes(seed: u64, biome: Biome, time: u32, ticks: u64) -> Hunt {
    let mut sim = Simulation::new_in(seed, biome).unwrap();
    sim.pass_hours(time);
    for (name, count) in [("cooked_beef", 16), ("iron_sword", 1), ("shield", 1)] {
        sim.give(name.parse().unwrap(), count);
    }
    let action = Action::Attack {
        mob: MobKind::Slime,
        gain: Some(spec("slime_ball")),
        count: 64,
        also: Vec::new(),
    };
    let (frames, report) = watch(&mut VoxelWorld::from_simulation(sim, 20), action, ticks);
    assert_eq!(report, None);
    let waits = |frame: &Frame| frame.pause == Some(Pause::Dusk);
    let first = frames.iter().position(waits).unwrap_or(frames.len());
    Hunt {
        waiting: frames.iter().filter(|frame| waits(frame)).count(),
        since: frames.len() - first,
        in_swamp: frames.iter().filter(|frame| frame.biome == "swamp").count(),
        all: frames.len(),
    }
}

#[test]
fn who_hunts_slimes_waits_in_the_swamp_for_the_dark_and_then_goes_around_in_it() {
    const MORNING: u32 = 6_000;
    const NIGHT: u32 = 14_000;
    for seed in [22, 26, 27] {
        let day = hunts_slimes(seed, Biome::Swamp, MORNING, 6_000);
        assert!(
            day.in_swamp * 4 > day.all * 3,
            "{} of {}",
            day.in_swamp,
            day.all
        );
        assert!(day.waiting * 2 > day.all, "{} of {}", day.waiting, day.all);
        // It looks for a large swamp first, and then stays where it is.
        assert!(
            day.waiting * 4 > day.since * 3,
            "{} of {}",
            day.waiting,
            day.since
        );
    }
    let night = hunts_slimes(18, Biome::Swamp, NIGHT, 3_000);
    assert_eq!(night.waiting, 0);
    assert!(
        night.in_swamp * 2 > night.all,
        "{} of {}",
        night.in_swamp,
        night.all
    );
    let dry = hunts_slimes(18, Biome::Plains, MORNING, 1_000);
    assert_eq!(dry.waiting, 0, "no slimes come there");
}
