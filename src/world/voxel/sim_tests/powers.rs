//! Powers that were declared: blocks break and mobs fall as many times as fast as they say.

use super::super::controls::{AimTarget, Controls};
use super::{HERE, dig, idle, item, scene};
use crate::block as blocks;
use crate::mob::MobKind;
use crate::powers::Powers;

fn powers(break_speed: u16, strength: u16) -> Powers {
    Powers {
        break_speed: break_speed.try_into().unwrap(),
        strength: strength.try_into().unwrap(),
    }
}

#[test]
fn blocks_break_as_many_times_as_fast_and_leave_no_rest_at_the_first_blow() {
    for (speed, stone, next) in [(1, 23, 6 + 23), (2, 12, 6 + 12), (100, 1, 1)] {
        let mut sim = scene();
        sim.empower(powers(speed, 1));
        sim.give(item("wooden_pickaxe"), 1);
        let first = HERE.plus(1, 0, 0);
        for at in [first, first.up()] {
            sim.grid_mut().set(at, blocks::STONE);
        }
        idle(&mut sim, 5);
        assert_eq!(dig(&mut sim, first), Ok(stone), "{speed}");
        // The tick of the break belongs to the rest.
        assert_eq!(
            dig(&mut sim, first.up()),
            Ok(next - 1).map(|ticks| ticks.max(1)),
            "{speed}"
        );
    }
}

#[test]
fn a_blow_takes_as_many_times_as_much() {
    for (strength, falls) in [(1, false), (100, true)] {
        let mut sim = scene();
        sim.empower(powers(1, strength));
        let pig = sim.mobs_mut().add(MobKind::Pig, HERE.plus(0, 0, 2).floor());
        idle(&mut sim, 20);
        sim.step(&Controls {
            attack: true,
            aim: Some(AimTarget::Mob(pig)),
            ..Controls::default()
        });
        let is_gone = sim.mobs().get(pig).is_none_or(|mob| mob.health <= 0.0);
        assert_eq!(is_gone, falls, "{strength}");
    }
}
