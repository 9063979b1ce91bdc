//! Scenes of ore beside the way down, which later steps of a plan mine.

use crate::action::{Action, OtherOre};
use crate::block as blocks;
use crate::testing::{Scene, TOP, held, spec};

const LAYER: i32 = -6;
const BOTTOM: i32 = TOP - 12;

/// Digs through a layer of iron ore: ticks, and how much of it is held at the bottom.
fn dug(pickaxe: &str, hold: u32) -> (u64, u32) {
    let wide = (-6..=6).flat_map(|x| (-6..=6).map(move |z| (x, z)));
    let scene = wide.fold(Scene::new(&[(pickaxe, 1)]), |scene, (x, z)| {
        scene.with(x, LAYER, z, blocks::IRON_ORE)
    });
    let item = spec("iron_ore");
    let also = match hold {
        0 => Vec::new(),
        _ => vec![OtherOre { item, hold }],
    };
    let (report, frame) = scene.plays(Action::DigDown { y: BOTTOM, also });
    assert_eq!(report.failure, None);
    assert!(frame.position.y <= f64::from(BOTTOM));
    (report.ticks, held(&frame, "iron_ore"))
}

#[test]
fn ore_that_a_later_step_mines_is_taken_on_the_way_down_and_no_more_of_it() {
    let (_, in_the_way) = dug("stone_pickaxe", 0);
    assert!(in_the_way < 6, "{in_the_way}");
    let (_, taken) = dug("stone_pickaxe", 9);
    assert!((9..12).contains(&taken), "{taken}");
}

#[test]
fn ore_that_the_pickaxe_at_hand_does_not_harvest_is_no_reason_to_stop() {
    assert_eq!(dug("wooden_pickaxe", 9), dug("wooden_pickaxe", 0));
}
