//! Building: several blocks at a spot that fits, in an order in which each has something to be put against.
//!
//! Invariant: nothing is put down before all that is missing is carried; what stands of an earlier try by the same
//! blueprint is gone on with, and every failure says how much stands.

mod room;
mod shape;
mod site;
mod stand;

use super::super::building::{BUILDINGS_MAX, Building};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::looking::look_around;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::End;
use super::scaffold::Scaffold;
use crate::action::{ActionFailure, Unbuilt};
use crate::blueprint::{self, BlueprintName, layers};
use crate::counts::Counts;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Pos;
use shape::Shape;
use stand::Kind;
use std::sync::Arc;

/// Blocks of one building, and how far it may reach.
const BLOCKS_MAX: usize = 512;
const EXTENT_MAX: i32 = 32;
/// A patient player needs this long for a building, and for each of its blocks.
const TICKS_BASE: u64 = 1_200;
const TICKS_EACH: u64 = 90;
/// Ways to stand that are tried for one block before another block is taken.
const STANDS_MAX: u32 = 3;
/// Rounds over all blocks in which none could be put down.
const FRUITLESS_MAX: u32 = 3;
/// Tries in a row that got no further, until a building is given up.
const VAIN_MAX: u32 = 2;
/// Ticks for who or what is in the way to go on.
const WAIT_TICKS: u32 = 20;

/// Puts all blocks up, or goes on with what stands of them.
pub(crate) async fn build(
    body: &BodyHandle,
    blocks: &[(ItemSpec, [i32; 3])],
    clear: &[[i32; 3]],
    name: Option<&BlueprintName>,
) -> End {
    handling::close(body).await?;
    check(blocks, clear)?;
    let begun = name.and_then(|name| body.with(|s| begun(s, name)));
    let building = match begun {
        Some(building) => building,
        None => {
            let of = u32::try_from(blocks.len()).unwrap_or(u32::MAX);
            let all = blueprint::material(blocks.iter().map(|(item, _)| *item));
            body.with(|s| carries(s, &all, (0, of)))?;
            let building = site::find(body, blocks, clear, name).await?;
            body.with(|s| remember(s, &building));
            building
        }
    };
    let before = body.with(|s| building.progress(&s.seen));
    let mut work = Work::on(body, building);
    let end = work.finish(body).await;
    body.with(|s| weigh(s, &work.building, before, end.is_ok()));
    // Also after a failure nothing of it is left standing about, as far as that goes.
    let tidied = work.scaffold.take_down(body).await;
    end.and(tidied)
}

/// Forgets a building of which try after try got no further, so that the next one begins elsewhere.
fn weigh(s: &mut Senses, building: &Building, before: (u32, u32), is_done: bool) {
    let now = building.progress(&s.seen);
    let of_it =
        |known: &&mut Building| known.at == building.at && known.blueprint == building.blueprint;
    if let Some(known) = s.buildings.iter_mut().find(of_it) {
        known.vain = if is_done || now > before {
            0
        } else {
            known.vain + 1
        };
    }
    s.buildings.retain(|known| known.vain < VAIN_MAX);
}

/// What no body can build.
fn check(blocks: &[(ItemSpec, [i32; 3])], clear: &[[i32; 3]]) -> End {
    let invalid = |because: String| Err(ActionFailure::Invalid { because });
    let far = |offset: &[i32; 3]| offset.iter().any(|by| by.abs() > EXTENT_MAX);
    let offsets = blocks.iter().map(|(_, at)| at).chain(clear);
    if blocks.is_empty()
        || blocks.len() + clear.len() > BLOCKS_MAX * 4
        || offsets.into_iter().any(far)
    {
        return invalid(format!(
            "a building has 1 to {BLOCKS_MAX} blocks within {EXTENT_MAX} of each other"
        ));
    }
    match blocks
        .iter()
        .find_map(|(item, _)| layers::not_a_block(*item))
    {
        Some(because) => invalid(because),
        None => Ok(()),
    }
}

fn remember(s: &mut Senses, building: &Building) {
    if building.blueprint.is_none() {
        return;
    }
    s.buildings.push(building.clone());
    if s.buildings.len() > BUILDINGS_MAX {
        s.buildings.remove(0);
    }
}

/// The building of that name of which most stands.
fn begun(s: &mut Senses, name: &BlueprintName) -> Option<Building> {
    let of_name = s
        .buildings
        .iter()
        .filter(|known| known.blueprint.as_ref() == Some(name));
    let most = of_name.min_by_key(|known| known.missing(&s.seen).len());
    most.cloned()
}

/// An error if what is missing is not carried.
fn carries(s: &mut Senses, missing: &[(ItemSpec, u32)], (stands, of): (u32, u32)) -> End {
    let stacks = s.slots.stacks.iter().flatten();
    let held: Counts = stacks.map(|stack| (stack.item, stack.count)).collect();
    let short = blueprint::shortages(missing, &held);
    let Some(first) = short.first() else {
        return Ok(());
    };
    Err(ActionFailure::Unbuilt {
        because: Unbuilt::Short {
            item: first.item,
            have: first.have,
            need: first.need,
        },
        stands,
        of,
    })
}

/// A building under way.
struct Work {
    building: Building,
    shape: Shape,
    scaffold: Scaffold,
    until: u64,
    ticks: u64,
    /// Where it was stood in vain, and for which block.
    in_vain: Vec<(Pos, Pos)>,
}

impl Work {
    fn on(body: &BodyHandle, building: Building) -> Self {
        let ticks = TICKS_BASE + TICKS_EACH * building.blocks.len() as u64;
        Self {
            shape: Shape::of(&building),
            scaffold: Scaffold::default(),
            until: body.with(|s| s.tick) + ticks,
            ticks,
            in_vain: Vec::new(),
            building,
        }
    }

    fn stopped(&self, body: &BodyHandle, because: Unbuilt) -> ActionFailure {
        let (stands, of) = body.with(|s| self.building.progress(&s.seen));
        ActionFailure::Unbuilt {
            because,
            stands,
            of,
        }
    }

    async fn finish(&mut self, body: &BodyHandle) -> End {
        self.come_near(body).await?;
        let mut fruitless = 0;
        while !body.with(|s| self.building.is_whole(&s.seen)) {
            let missing = body.with(|s| self.building.missing(&s.seen));
            let material = blueprint::material(missing.iter().map(|(item, _)| *item));
            let progress = body.with(|s| self.building.progress(&s.seen));
            body.with(|s| carries(s, &material, progress))?;
            room::clear(body, &self.building, &self.shape).await?;
            if self.round(body).await? {
                fruitless = 0;
                continue;
            }
            if missing.is_empty() {
                // Only what is in the way is left, such as the scaffold.
                self.scaffold.take_down(body).await?;
            }
            fruitless += 1;
            if fruitless > FRUITLESS_MAX {
                let because = body.with(|s| self.obstacle(s));
                return Err(self.stopped(body, because));
            }
            self.in_vain.clear();
            look_around(body).await;
            for _ in 0..WAIT_TICKS {
                body.idle().await;
            }
        }
        Ok(())
    }

    /// What was seen of it from far off may have changed.
    async fn come_near(&self, body: &BodyHandle) -> End {
        let near = |s: &mut Senses| self.building.at.distance(s.feet()) < f64::from(EXTENT_MAX);
        if body.with(near) {
            return Ok(());
        }
        let goal = PathGoal::Near {
            at: self.building.at,
            range: 8.0,
        };
        travel::travel(body, &goal, TravelMode::Dig).await
    }

    /// What is in the way of the first block that is missing.
    fn obstacle(&self, s: &mut Senses) -> Unbuilt {
        let missing = self.building.missing(&s.seen);
        let first = missing.first().map(|(_, at)| *at);
        let at = first.or_else(|| self.building.filled(&s.seen).first().copied());
        let at = at.unwrap_or(self.building.at);
        let by = s.seen.block(at).filter(|_| !Building::is_free(&s.seen, at));
        Unbuilt::Blocked { at, by }
    }

    /// Puts down what can be put down, one after the other; false if that was nothing.
    async fn round(&mut self, body: &BodyHandle) -> Result<bool, ActionFailure> {
        let mut deferred: Vec<Pos> = Vec::new();
        let mut any = false;
        while let Some((spec, at)) = body.with(|s| {
            self.shape
                .next(s, &self.building.missing(&s.seen), &deferred)
        }) {
            if body.with(|s| s.tick) > self.until {
                let ticks = self.ticks;
                return Err(self.stopped(body, Unbuilt::OutOfTime { ticks }));
            }
            let Some(item) = body.with(|s| carried(s, spec)) else {
                return Ok(any);
            };
            if self.put(body, item, spec, at).await? {
                any = true;
                // What could not be reached may have something to be put against now.
                deferred.clear();
            } else {
                deferred.push(at);
            }
        }
        Ok(any)
    }

    /// Goes where the block can be put from, and puts it there.
    async fn put(
        &mut self,
        body: &BodyHandle,
        item: ItemId,
        spec: ItemSpec,
        at: Pos,
    ) -> Result<bool, ActionFailure> {
        for kind in [Kind::Standing, Kind::Jumping, Kind::Scaffolded] {
            for _ in 0..STANDS_MAX {
                let places = body.with(|s| stand::places(s, &self.shape, at, kind, &self.in_vain));
                if places.is_empty() {
                    break;
                }
                if !self.go_to_one(body, places).await? {
                    break;
                }
                let feet = body.with(|s| s.feet());
                if kind == Kind::Scaffolded && !self.climb_for(body, at).await? {
                    self.in_vain.push((feet, at));
                    continue;
                }
                // A block that does not fill its cell is down without being solid.
                let is_down = |s: &mut Senses| Building::stands(&s.seen, spec, at);
                let done = handling::put_at(body, item, at).await?
                    || body.with(is_down)
                    || stand::put_in_a_jump(body, item, at).await?
                    || body.with(is_down);
                if done {
                    return Ok(true);
                }
                self.in_vain.push((feet, at));
            }
        }
        Ok(false)
    }

    /// Walks to one of the places; down from the scaffold first where that is in the way.
    async fn go_to_one(
        &mut self,
        body: &BodyHandle,
        places: Vec<Pos>,
    ) -> Result<bool, ActionFailure> {
        let goal = PathGoal::OneOf {
            places: Arc::from(places),
        };
        for _ in 0..2 {
            if travel::went(travel::travel(body, &goal, TravelMode::Walk).await)? {
                return Ok(true);
            }
            if !self.scaffold.come_down(body).await? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// As high as it takes to put the block down from here.
    async fn climb_for(&mut self, body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
        let Some(height) = body.with(|s| stand::height_for(s, &self.shape, s.feet(), at)) else {
            return Ok(false);
        };
        self.scaffold.climb(body, height).await
    }
}

fn carried(s: &mut Senses, spec: ItemSpec) -> Option<ItemId> {
    let slot = s.slots.find(spec)?;
    s.slots.stacks[slot].map(|stack| stack.item)
}
