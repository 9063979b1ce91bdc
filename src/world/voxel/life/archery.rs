//! Archery: how those with a bow keep their distance, draw and loose.
//!
//! The figures are those of 1.16 on Normal. Where the arrow goes is the world's affair. Invariant: an arrow is loosed
//! only at a player in sight, after the bow was drawn for a second.

use super::attack::Attack;
use super::mind::{Choice, is_walkable, sees};
use super::mob::{Mob, direction};
use super::{LifeEvent, PlayerView};
use crate::rng::Rng;
use crate::voxel::grid::Grid;

/// Ticks from taking the bow up to the shot.
const DRAW_TICKS: u8 = 20;
/// Shares of the reach: beyond the first it comes nearer, within the second it backs away.
const FAR: f64 = 0.866;
const NEAR: f64 = 0.5;
/// Sidling is half as fast as a walk; so often it may turn, with this chance.
const SIDLE: f64 = 0.5;
const TURN_TICKS: u64 = 20;
const TURNS: f64 = 0.3;
/// Height of the bow above the feet, and of what is aimed at.
const BOW: f64 = 1.64;
const AIM: f64 = 0.6;
/// Aimed higher by this share of the way over the ground, for the arrow falls.
const LIFT: f64 = 0.2;
const SPEED: f64 = 1.6;
/// Deviation of the direction, and of what an arrow does per block of its speed.
const SPREAD: f64 = 0.045;
const STRENGTH: f64 = 2.22;
const STRENGTH_SPREAD: f64 = 0.25;
/// The sum of four even draws deviates by the root of a third.
const EVEN_TO_NORMAL: f64 = 1.732;

/// What an archer does about a player whom it hunts.
pub(super) fn engage(
    mob: &mut Mob,
    grid: &Grid,
    player: &PlayerView,
    attack: &Attack,
    (tick, pace): (u64, f64),
    rng: &mut Rng,
) -> Choice {
    let away = mob.position.distance(player.position);
    let (x, z) = direction(mob.position, player.position);
    let bow = mob.position.plus(0.0, BOW, 0.0);
    let eyes = player.position.plus(0.0, BOW, 0.0);
    if away > attack.reach || !sees(grid, bow, eyes) {
        // Drawn, the bow stays drawn: who comes out from behind a corner is shot at once.
        return Choice::Step(x * pace, z * pace);
    }
    if tick > mob.strike_at {
        mob.drawn += 1;
        if mob.drawn >= DRAW_TICKS {
            mob.drawn = 0;
            mob.strike_at = tick + attack.rest;
            return Choice::Loose;
        }
    }
    if (tick + mob.number).is_multiple_of(TURN_TICKS) {
        let (ahead, right) = &mut mob.sidles;
        for way in [ahead, right] {
            if rng.chance(TURNS) {
                *way = -*way;
            }
        }
    }
    let ahead = if away > attack.reach * FAR {
        1.0
    } else if away < attack.reach * NEAR {
        -1.0
    } else {
        f64::from(mob.sidles.0)
    };
    let right = f64::from(mob.sidles.1);
    let (dx, dz) = (x * ahead - z * right, z * ahead + x * right);
    if is_walkable(mob, grid, dx, dz) {
        Choice::Step(dx * pace * SIDLE, dz * pace * SIDLE)
    } else {
        Choice::Stand
    }
}

/// The arrow of an archer that aims at where the player is now.
pub(super) fn loose(mob: &Mob, player: &PlayerView, rng: &mut Rng) -> LifeEvent {
    let at = mob.position.plus(0.0, BOW, 0.0);
    let to = player.position.plus(0.0, AIM, 0.0);
    let flat = at.distance_flat(to);
    let way = [to.x - at.x, to.y - at.y + flat * LIFT, to.z - at.z];
    let length = way
        .iter()
        .map(|along| along * along)
        .sum::<f64>()
        .sqrt()
        .max(1e-6);
    let velocity = way.map(|along| (along / length + SPREAD * normal(rng)) * SPEED);
    LifeEvent::Loosed {
        by: mob.kind,
        at,
        velocity: velocity.into(),
        strength: STRENGTH + STRENGTH_SPREAD * normal(rng),
    }
}

/// A draw with a mean of 0 and a deviation of 1; no function of the platform is asked.
fn normal(rng: &mut Rng) -> f64 {
    let sum: f64 = (0..4).map(|_| rng.unit()).sum();
    (sum - 2.0) * EVEN_TO_NORMAL
}

#[cfg(test)]
mod tests {
    use crate::mob::MobKind;
    use crate::rng::Rng;
    use crate::space::{Point, Pos};
    use crate::voxel::grid::Grid;
    use crate::voxel::life::{LifeEvent, Mobs, PlayerView};

    const NIGHT: u32 = 18_000;

    /// Ticks at which a skeleton so far off shoots within ten seconds, and how far off it is then.
    fn shots(away: f64) -> (Vec<u32>, f64) {
        let mut grid = Grid::flat(60);
        grid.ensure_around(Pos::default(), 3);
        let player = PlayerView {
            position: Point::new(0.5, 61.0, 0.5),
            alive: true,
        };
        let (mut mobs, mut rng) = (Mobs::new(), Rng::new(1));
        let number = mobs.add(MobKind::Skeleton, Point::new(0.5 + away, 61.0, 0.5));
        let mut shots = Vec::new();
        for tick in 0..200 {
            let events = mobs.step(&grid, player, NIGHT, &mut rng);
            let is_shot = |event: &LifeEvent| matches!(event, LifeEvent::Loosed { .. });
            shots.extend(events.iter().filter(|event| is_shot(event)).map(|_| tick));
        }
        let archer = mobs.get(number).unwrap();
        (shots, archer.position.distance(player.position))
    }

    #[test]
    fn an_archer_draws_for_a_second_and_shoots_every_three() {
        let (shots, _) = shots(10.0);
        // It looks for the player twice a second.
        assert!((20..30).contains(&shots[0]), "{shots:?}");
        assert_eq!(shots, [0, 60, 120].map(|later| shots[0] + later));
    }

    #[test]
    fn an_archer_keeps_its_distance() {
        assert!(shots(3.0).1 > 5.0);
        assert!((5.0..15.0).contains(&shots(14.5).1));
    }
}
