//! Scaffolds: a pillar of earth or rubble to work from, taken down again.

use super::super::path::goal::PathGoal;
use super::super::path::{MoveKind, PathStep};
use super::super::primitives::follow::{self, Halt};
use super::super::primitives::handling::{self, Dug};
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::BodyHandle;
use super::{End, mine};
use crate::action::ActionFailure;
use crate::item::ItemId;
use crate::space::Pos;

/// Earth that is dug for a scaffold beyond what it takes, for the next one.
const MORE: u32 = 2;
/// Ticks to fall by one block.
const FALL_TICKS: u32 = 12;

/// The blocks of a scaffold that stand.
#[derive(Debug, Default)]
pub(super) struct Scaffold {
    cells: Vec<Pos>,
}

impl Scaffold {
    /// Climbs so many blocks; false if that could not be done.
    pub(super) async fn climb(
        &mut self,
        body: &BodyHandle,
        height: i32,
    ) -> Result<bool, ActionFailure> {
        let from = body.with(|s| s.feet());
        let need = u32::try_from(height).unwrap_or(0);
        if body.with(|s| s.filler_count()) < need {
            fetch_earth(body, need + MORE).await?;
            // The way back is found by whoever asked.
            return Ok(false);
        }
        for level in 0..height {
            let at = from.plus(0, level, 0);
            let step = PathStep {
                from: at,
                to: at.up(),
                way: MoveKind::Pillar,
            };
            match follow::step(body, &step, None).await {
                Ok(()) => self.cells.push(at),
                Err(Halt::Failed(failure)) => return Err(failure),
                Err(Halt::Changed | Halt::Stuck) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Digs what is under the feet away as long as it is of the scaffold; false if it is not.
    pub(super) async fn come_down(&mut self, body: &BodyHandle) -> Result<bool, ActionFailure> {
        let mut any = false;
        while let Some(top) = self.cells.iter().copied().max_by_key(|at| at.y) {
            if body.with(|s| s.feet().down() != top) {
                break;
            }
            if !matches!(handling::dig(body, top).await?, Dug::Broke(_) | Dug::Gone) {
                break;
            }
            any = true;
            self.cells.retain(|at| *at != top);
            for _ in 0..FALL_TICKS {
                body.idle().await;
            }
        }
        Ok(any)
    }

    /// Takes down what still stands, as far as it can be reached on foot.
    pub(super) async fn take_down(&mut self, body: &BodyHandle) -> End {
        self.come_down(body).await?;
        self.cells.sort_by_key(|at| std::cmp::Reverse(at.y));
        for at in std::mem::take(&mut self.cells) {
            if !body.with(|s| s.seen.nature(at).is_solid()) {
                continue;
            }
            let there = travel::travel(body, &PathGoal::Reach { at }, TravelMode::Walk).await;
            if travel::went(there)? {
                handling::dig(body, at).await?;
            }
        }
        Ok(())
    }
}

async fn fetch_earth(body: &BodyHandle, count: u32) -> End {
    let Some(earth) = ItemId::named("dirt") else {
        return Ok(());
    };
    mine::mine(body, earth.into(), count).await
}
