//! Carry: endermen take up blocks, carry them about and put them down.
//!
//! Odds and places are those of 1.16. Invariant: no stream is drawn from, so a world without such a mob stays what it was;
//! no block is put into a body.

use super::mob::Mob;
use super::{LifeEvent, Mobs, PlayerView};
use crate::block::{self as blocks, BlockId};
use crate::rng::{Rng, mix};
use crate::space::Pos;
use crate::voxel::body::collide::{BoundingBox, height_of};
use crate::voxel::body::{HEIGHT, WIDTH};
use crate::voxel::grid::Grid;
use crate::voxel::growth::hands as garden;
use crate::voxel::ray::Ray;

/// One tick in so many it reaches for a block, and in so many it tries to put down what it carries.
const TAKE_ONE_IN: u64 = 20;
const PUT_ONE_IN: u64 = 2_000;
/// Within so many blocks to each side, and up, of its feet.
const TAKE_REACH: (f64, f64) = (2.0, 3.0);
const PUT_REACH: (f64, f64) = (1.0, 2.0);

impl Mobs {
    /// Those that carry blocks take one up, or put theirs down, if this is the tick for it.
    pub(super) fn carry(&mut self, grid: &Grid, player: &PlayerView, events: &mut Vec<LifeEvent>) {
        for i in &self.awake {
            let i = *i as usize;
            let carries = &self.mobs[i].kind.facts().carries;
            if carries.is_empty() || self.mobs[i].health <= 0.0 {
                continue;
            }
            let mut rng = Rng::new(mix(self.mobs[i].number) ^ self.tick);
            match self.mobs[i].held {
                None if rng.below(TAKE_ONE_IN) == 0 => {
                    let at = near(&self.mobs[i], TAKE_REACH, &mut rng);
                    let item = grid.block(at).item();
                    if item.is_some_and(|item| carries.contains(&item))
                        && sees(&self.mobs[i], grid, at)
                    {
                        self.mobs[i].held = item;
                        events.push(LifeEvent::TookBlock { at });
                    }
                }
                Some(item) if rng.below(PUT_ONE_IN) == 0 => {
                    let at = near(&self.mobs[i], PUT_REACH, &mut rng);
                    let Some(block) = item.facts().places else {
                        continue;
                    };
                    if may_stand(grid, at, block) && !self.is_somebody_at(at, player) {
                        self.mobs[i].held = None;
                        events.push(LifeEvent::PutBlock { at, block });
                    }
                }
                _ => {}
            }
        }
    }

    fn is_somebody_at(&self, at: Pos, player: &PlayerView) -> bool {
        let body = BoundingBox::standing(player.position, WIDTH, HEIGHT);
        let mut bodies = self.mobs.iter().map(|mob| {
            let (width, height) = mob.extent(self.tick);
            BoundingBox::standing(mob.position, width, height)
        });
        body.overlaps(at, 1.0) || bodies.any(|body| body.overlaps(at, 1.0))
    }
}

fn near(mob: &Mob, (side, up): (f64, f64), rng: &mut Rng) -> Pos {
    let mut across = || (2.0 * rng.unit() - 1.0) * side;
    let (x, z) = (across(), across());
    mob.position.plus(x, rng.unit() * up, z).block()
}

/// Nothing is between the mob, at the height of the block, and the block.
fn sees(mob: &Mob, grid: &Grid, at: Pos) -> bool {
    let feet = mob.position.block();
    let from = Pos::new(feet.x, at.y, feet.z).centre();
    let mut ray = Ray::towards(from, at.centre());
    let is_clear = |at: Pos| grid.block(at) == blocks::AIR;
    let mut cell = from.block();
    while cell != at && is_clear(cell) {
        cell = ray.advance().at;
    }
    cell == at
}

/// There is room, on firm ground on which the block holds.
fn may_stand(grid: &Grid, at: Pos, block: BlockId) -> bool {
    let is_firm = height_of(grid.block(at.down())) >= 1.0;
    grid.block(at) == blocks::AIR && is_firm && garden::can_stand(grid, at, block)
}

#[cfg(test)]
mod tests {
    use super::super::LifeEvent;
    use super::*;
    use crate::item::ItemId;
    use crate::mob::MobKind;
    use crate::space::Point;

    const NIGHT: u32 = 18_000;
    const FLOOR: i32 = 60;
    const FAR: PlayerView = PlayerView {
        position: Point::new(30.5, 61.0, 0.5),
        alive: true,
    };

    /// A meadow with one enderman, and what is built on it.
    fn scene(built: &[(Pos, BlockId)]) -> (Grid, Mobs) {
        let mut grid = Grid::flat(FLOOR);
        grid.ensure_around(Pos::default(), 3);
        for (at, block) in built {
            grid.set(*at, *block);
        }
        let mut mobs = Mobs::new();
        mobs.add(MobKind::Enderman, Point::new(0.5, 61.0, 0.5));
        (grid, mobs)
    }

    /// Lets the mobs live, changes the blocks as they say, and says where.
    fn live(grid: &mut Grid, mobs: &mut Mobs, ticks: u32) -> Vec<LifeEvent> {
        let mut events = Vec::new();
        for _ in 0..ticks {
            for mob in &mut mobs.mobs {
                // It stays where it is.
                mob.mood = super::super::mob::Mood::Idle { until: u64::MAX };
            }
            for event in mobs.step(grid, FAR, NIGHT, &mut Rng::new(1)) {
                let (at, block) = match event {
                    LifeEvent::TookBlock { at } => (at, blocks::AIR),
                    LifeEvent::PutBlock { at, block } => (at, block),
                    _ => continue,
                };
                grid.set(at, block);
                events.push(event);
            }
        }
        events
    }

    fn held(mobs: &Mobs) -> Option<&'static str> {
        mobs.mobs[0].held.map(ItemId::name)
    }

    #[test]
    fn an_enderman_takes_up_what_it_sees_at_its_feet_and_above_and_no_stone() {
        let around = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let ring = |block| around.map(|(x, z)| (Pos::new(x, FLOOR + 1, z), block));
        let (mut grid, mut mobs) = scene(&ring(blocks::GRASS_BLOCK));
        let events = live(&mut grid, &mut mobs, 400);
        assert!(
            matches!(events[0], LifeEvent::TookBlock { .. }),
            "{events:?}"
        );
        assert_eq!(held(&mobs), Some("grass_block"));
        // The grass that it stands on is below its reach.
        let (mut grid, mut mobs) = scene(&ring(blocks::STONE));
        assert_eq!(live(&mut grid, &mut mobs, 2_000), []);
    }

    #[test]
    fn it_puts_the_block_down_again_on_firm_ground_and_drops_it_when_it_dies() {
        let (mut grid, mut mobs) = scene(&[]);
        mobs.mobs[0].held = Some(ItemId::named("sand").unwrap());
        let drops = mobs.mobs[0].drops(50, &mut Rng::new(1));
        assert!(
            drops
                .iter()
                .any(|stack| stack.item.name() == "sand" && stack.count == 1)
        );
        let events = live(&mut grid, &mut mobs, 40_000);
        let [
            LifeEvent::PutBlock {
                at,
                block: blocks::SAND,
            },
            ..,
        ] = events[..]
        else {
            panic!("{events:?}");
        };
        assert_eq!(
            (at.y, grid.block(at.down())),
            (FLOOR + 1, blocks::GRASS_BLOCK)
        );
        // It took it up again afterwards, or it lies there.
        assert_eq!(events.len().is_multiple_of(2), held(&mobs).is_some());
    }

    #[test]
    fn who_carries_something_does_not_vanish() {
        let (grid, mut mobs) = scene(&[]);
        let far = Point::new(500.5, 61.0, 0.5);
        let player = PlayerView {
            position: far,
            ..FAR
        };
        mobs.mobs[0].held = Some(ItemId::named("dirt").unwrap());
        mobs.add(MobKind::Zombie, Point::new(2.5, 61.0, 0.5));
        for _ in 0..40 {
            mobs.step(&grid, player, NIGHT, &mut Rng::new(1));
        }
        let kinds: Vec<_> = mobs.iter().map(|mob| mob.kind).collect();
        assert_eq!(kinds, [MobKind::Enderman]);
    }
}
