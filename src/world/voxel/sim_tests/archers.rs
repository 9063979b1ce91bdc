//! Archers: their arrows hit who stands and miss who walks across, and shields and walls stop them.

use super::super::body::turn::yaw_along;
use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::sim::Simulation;
use super::{HERE, action, item, scene};
use crate::armour::ArmourSlot;
use crate::block as blocks;
use crate::mob::MobKind;

/// Nineteen seconds by day of a skeleton ten blocks to the south, which burns in twenty, with these keys at each tick:
/// arrows that flew, and that hit.
fn shot_at(sim: &mut Simulation, keys: impl Fn(&Simulation) -> Controls) -> (usize, usize) {
    sim.mobs_mut()
        .add(MobKind::Skeleton, HERE.plus(0, 0, 10).floor());
    let (mut loosed, mut hits, mut flying) = (0, 0, 0);
    for _ in 0..380 {
        let keys = keys(sim);
        sim.step(&keys);
        let now = sim.arrows().iter().count();
        loosed += now.saturating_sub(flying);
        flying = now;
        // Healed at once: the dead are not shot at.
        hits += usize::from(sim.body().vitals.health < 20.0);
        sim.body_mut().vitals.health = 20.0;
    }
    (loosed, hits)
}

#[test]
fn arrows_hit_who_stands_and_miss_who_walks_across() {
    let (loosed, hits) = shot_at(&mut scene(), |_| Controls::default());
    assert!(loosed >= 5 && hits * 2 > loosed, "{hits} of {loosed}");
    let (loosed, hits) = shot_at(&mut scene(), |sim| Controls {
        // To and fro, two seconds each way.
        strafe: if (sim.tick() / 40).is_multiple_of(2) {
            1
        } else {
            -1
        },
        ..Controls::default()
    });
    assert!(loosed >= 5 && hits * 4 < loosed, "{hits} of {loosed}");
}

/// The shield up, turned so far from the archer, which sidles around the body.
fn guard(sim: &Simulation, turned: f32) -> Controls {
    let at = sim.body().at;
    let archer = sim.mobs().iter().next().map(|mob| mob.position);
    let yaw = archer.map_or(0.0, |archer| yaw_along(archer.x - at.x, archer.z - at.z));
    Controls {
        guard: true,
        yaw: yaw + turned,
        ..Controls::default()
    }
}

#[test]
fn a_shield_that_is_up_stops_arrows_and_wears() {
    let mut sim = scene();
    sim.give(item("shield"), 1);
    for what in [
        HandAction::Hold {
            item: item("shield"),
        },
        HandAction::Wear {
            item: item("shield"),
        },
    ] {
        assert_eq!(action(&mut sim, what), ControlOutcome::Done);
    }
    let mut before = sim.clone();
    let (loosed, hits) = shot_at(&mut sim, |sim| guard(sim, 0.0));
    assert!(loosed >= 5 && hits == 0, "{hits} of {loosed}");
    let worn = sim.body().worn.at(ArmourSlot::OffHand).unwrap();
    assert!(worn.damage >= 4, "{worn:?}");
    let (_, from_behind) = shot_at(&mut before, |sim| guard(sim, 180.0));
    assert!(from_behind > 0);
}

#[test]
fn a_wall_hides_from_archers() {
    let mut sim = scene();
    for at in 0..21 * 4 {
        let (along, up) = (at % 21 - 10, at / 21);
        sim.grid_mut().set(HERE.plus(along, up, 3), blocks::STONE);
    }
    assert_eq!(shot_at(&mut sim, |_| Controls::default()), (0, 0));
}
