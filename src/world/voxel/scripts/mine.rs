//! Mining: to the nearest known source, dig, collect, again; search when none is known.
//!
//! Whether the tool harvests the block shows only by trying: blocks break and nothing drops.
//! Invariant: ends as `NoDrop` after a few such blocks instead of clearing the land.

use super::super::path::goal::{self, PathGoal};
use super::super::primitives::handling::{self, Dug};
use super::super::primitives::lava as known_lava;
use super::super::primitives::looking;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::overland::{self, is_lost_below};
use super::pick_up::{go_after, pick_up};
use super::wanted::{self, Wanted};
use super::{End, cast, depth, explore, lava};
use crate::action::{ActionFailure, Target};
use crate::block::{self as blocks, BlockId};
use crate::drops::drops_of;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Pos;

/// Blocks that broke for nothing before it is clear that the tool is wrong.
/// One may be chance, three in a row are the tool.
const FRUITLESS_MAX: u32 = 3;
/// Sources that could not be got at before the action fails.
/// A bound, or a field of ore behind bedrock would be tried block by block.
const BAFFLED_MAX: u32 = 12;
/// Blocks of one action.
const BLOCKS_MAX: u32 = 2_000;
/// Loose pieces are collected within this distance.
/// Pieces fly a few blocks, and roll down slopes.
const SPILL: f64 = 9.0;
/// How far off a remembered source is still worth the way.
const RANGE: f64 = 96.0;
/// Blocks in the way that are dug through to one source.
const OBSTACLES_MAX: u32 = 8;
/// So many times one comes up for what lies on the land, if it is farther off than this.
const CLIMBS_MAX: u32 = 3;
const NEAR: f64 = 16.0;
/// So far from a block, to the sides and down, water matters to who breaks it.
const SHORE: i32 = 3;
/// Rock near lava is as good as rock so many blocks farther off.
const LAVA_PRICE: i32 = 24;

/// State of one mining action.
struct Job {
    item: ItemSpec,
    goal: u32,
    sources: Vec<BlockId>,
    /// Sources that could not be got at.
    avoid: Vec<Pos>,
    /// Those beside lava, where there is enough of the same elsewhere.
    risky: Vec<Pos>,
    /// Lava that water was poured upon.
    pools: Vec<Pos>,
    fruitless: u32,
    /// What was carried at first got something out of some of the sources.
    could: bool,
    /// Ways up out of the rock that may still be tried, to what lies on the land.
    climbs: u32,
    last_failure: Option<ActionFailure>,
}

/// Breaks blocks until `count` more of the item are held.
pub(crate) async fn mine(body: &BodyHandle, item: ItemSpec, count: u32) -> End {
    let sources = wanted::sources(item);
    if sources.is_empty() {
        return Err(ActionFailure::Invalid {
            because: format!("no block drops {item}"),
        });
    }
    handling::close(body).await?;
    let goal = body.with(|s| s.count(item)) + count;
    let mut job = Job::of(body, item, goal, sources);
    for _ in 0..BLOCKS_MAX {
        if body.with(|s| s.count(item) >= job.goal) {
            return Ok(());
        }
        // Rubble first: a full inventory with rock in it is no failure.
        if !body.with(|s| s.has_room()) && !handling::throw_rubble(body).await {
            return Err(ActionFailure::InventoryFull);
        }
        if job.avoid.len() > BAFFLED_MAX as usize {
            break;
        }
        if job.is_worn(body) {
            // Without the tool more of it would be broken for nothing.
            return Err(depth::worn_out(body, &job.sources));
        }
        let Some((at, block)) = body.with(|s| job.next(s)) else {
            if !job.cast(body).await? {
                job.search(body).await?;
            }
            continue;
        };
        job.work(body, at, block).await?;
    }
    let y = body.with(|s| s.feet().y);
    Err(job.last_failure.unwrap_or(ActionFailure::NoTarget {
        target: Target::Source(item),
        y,
    }))
}

/// Breaks this source and those within reach of it, until so many of the item are held; what cannot be got at is left.
pub(super) async fn mine_at(body: &BodyHandle, item: ItemSpec, hold: u32, at: Pos) -> End {
    let Some(block) = body.with(|s| s.seen.block(at)) else {
        return Ok(());
    };
    handling::make_room(body).await;
    let mut job = Job::of(body, item, hold, wanted::sources(item));
    job.work(body, at, block).await
}

impl Job {
    fn of(body: &BodyHandle, item: ItemSpec, goal: u32, sources: Vec<BlockId>) -> Self {
        Self {
            item,
            goal,
            could: body.with(|s| s.can_harvest_any(&sources)),
            climbs: match Wanted::blocks(&sources, &[]).is_rock() {
                true => 0,
                false => CLIMBS_MAX,
            },
            sources,
            avoid: Vec::new(),
            risky: Vec::new(),
            pools: Vec::new(),
            fruitless: 0,
            last_failure: None,
        }
    }

    /// The nearest source that is worth a try; height counts double, for it has to be climbed.
    fn next(&mut self, s: &Senses) -> Option<(Pos, BlockId)> {
        let feet = s.feet();
        // Enough to have some left once the known bad ones are taken out.
        let count = 12 + self.avoid.len() + self.risky.len();
        let near = s
            .seen
            .nearest(feet, RANGE, count, |block| self.sources.contains(&block));
        let is_new =
            |at: &Pos| !self.avoid.contains(at) && !self.risky.contains(at) && !s.own.contains(at);
        let (risky, fit): (Vec<_>, Vec<_>) = near
            .into_iter()
            .filter(|(at, _)| is_new(at))
            .partition(|(at, block)| is_forbidden(s, *at, *block));
        self.risky.extend(risky.into_iter().map(|(at, _)| at));
        let price = |at: Pos, block: BlockId| {
            let risk = i32::from(wanted::is_plenty(block) && known_lava::is_near(s, at));
            // Up and down counts twice; the block at eye height is the easiest.
            at.manhattan(feet) + 2 * (at.y - feet.y - 1).abs() + risk * LAVA_PRICE
        };
        fit.into_iter()
            .min_by_key(|(at, block)| (price(*at, *block), *at))
    }

    /// The tool that got something out of the sources broke.
    fn is_worn(&self, body: &BodyHandle) -> bool {
        self.could && !body.with(|s| s.can_harvest_any(&self.sources))
    }

    /// Obsidian can be made where lava stands open, by one who carries water.
    fn casts(&self, s: &Senses) -> bool {
        self.sources.contains(&blocks::OBSIDIAN) && cast::can(s)
    }

    /// Makes a source where that is possible; false if it is not.
    async fn cast(&mut self, body: &BodyHandle) -> Result<bool, ActionFailure> {
        let pool = body.with(|s| match self.casts(s) {
            true => cast::pools(s, &self.pools).0,
            false => None,
        });
        let Some(pool) = pool else {
            return Ok(false);
        };
        self.pools.push(pool);
        cast::cast(body, pool).await?;
        looking::look_around(body).await;
        Ok(true)
    }

    async fn search(&mut self, body: &BodyHandle) -> End {
        let target = Target::Source(self.item);
        let avoid = self.avoid.iter().chain(&self.risky).chain(&self.pools);
        let mut avoid: Vec<Pos> = avoid.copied().collect();
        let mut sources = self.sources.clone();
        if body.with(|s| self.casts(s)) {
            // New lava is as good as what is made of it.
            sources.push(blocks::LAVA);
            avoid.extend(body.with(|s| cast::pools(s, &self.pools).1));
        }
        let wanted = Wanted::blocks(&sources, &avoid);
        match explore::search(body, &wanted, &target).await {
            // That a known one cannot be got at says more than that there is no other.
            // The last failure explains more than an empty search.
            Err(ActionFailure::NoTarget { .. }) if self.last_failure.is_some() => {
                Err(self.last_failure.take().unwrap_or(ActionFailure::Cancelled))
            }
            end => end,
        }
    }

    /// Comes up to what lies on the land and goes near it there.
    async fn come_up(&mut self, body: &BodyHandle, at: Pos) -> End {
        let goal = PathGoal::Flat {
            x: at.x,
            z: at.z,
            range: NEAR,
        };
        let is_below = |s: &Senses| is_lost_below(s) && !goal.is_met(&s.seen, s.feet());
        if self.climbs == 0 || !body.with(|s| is_below(s)) {
            return Ok(());
        }
        self.climbs -= 1;
        travel::went(overland::walk(body, &goal, &|_| false).await).map(|_| ())
    }

    /// Goes to one source, breaks it and what else is within reach, and collects.
    async fn work(&mut self, body: &BodyHandle, at: Pos, block: BlockId) -> End {
        self.come_up(body, at).await?;
        let goal = match body.with(|s| s.seen.nature(at.down()).is_floor()) {
            true => PathGoal::Reach { at },
            false => PathGoal::ReachBeside { at },
        };
        let mut end = Err(ActionFailure::Stuck { at });
        let dry = PathGoal::ReachDry { at };
        let (sky, by_water) = body.with(|s| (s.sky, is_by_water(s, at)));
        // Under the open sky a way without tunnels is tried first, and by water one to dry ground: a swimmer breaks
        // things in five times the time, and they drift away.
        let ways = [
            (&dry, TravelMode::Dig, sky && by_water),
            (&goal, TravelMode::Dig, sky),
            (&goal, TravelMode::Burrow, true),
        ];
        for (goal, mode, _) in ways.into_iter().filter(|(_, _, is_open)| *is_open) {
            end = travel::travel(body, goal, mode).await;
            if !matches!(
                end,
                Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. })
            ) {
                break;
            }
        }
        match end {
            Ok(()) => {}
            Err(failure @ (ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. })) => {
                self.avoid.push(at);
                self.last_failure = Some(failure);
                return Ok(());
            }
            Err(failure) => return Err(failure),
        }
        let before = body.with(|s| s.count(self.item));
        // Everything within reach is broken before anything is picked up.
        let mut next = Some((at, block));
        let (mut broken, mut swam) = (0, false);
        while let Some((at, block)) = next {
            swam |= body.with(|s| s.in_water);
            match self.break_one(body, at).await? {
                true => {
                    broken += 1;
                    self.judge(body, block)?;
                }
                false => {
                    self.avoid.push(at);
                    if body.with(|s| s.in_water && s.seen.block(at) == Some(block)) {
                        self.last_failure = Some(ActionFailure::InWater { block, lost: 0 });
                    }
                }
            }
            let loose = body.with(|s| self.loose(s));
            let enough =
                // What lies about counts as good as held.
                body.with(|s| s.count(self.item)) + loose.max(broken) >= self.goal.max(before);
            next = if enough || self.is_worn(body) {
                None
            } else {
                body.with(|s| self.within_reach(s))
            };
        }
        let due = before + broken;
        self.collect(body, at, block, due, swam).await
    }

    /// Picks up what fell, until so many are held if they fell for sure; a swimmer may lose some of it.
    async fn collect(
        &mut self,
        body: &BodyHandle,
        at: Pos,
        block: BlockId,
        due: u32,
        swam: bool,
    ) -> End {
        let item = self.item;
        pick_up(body, SPILL, &move |loose| item.matches(loose)).await?;
        let is_short = body.with(|s| s.count(item)) < due;
        let fell = drops_of(block, body.with(|s| s.held))
            .iter()
            .find(|drop| item.matches(drop.item));
        // Only for sure drops: of the others nobody knows whether one fell.
        let Some(drop) = fell.filter(|drop| is_short && drop.chance >= 1.0) else {
            return Ok(());
        };
        go_after(body, at, drop.item).await?;
        let lost = due.saturating_sub(body.with(|s| s.count(item)));
        if swam && lost > 0 {
            self.last_failure = Some(ActionFailure::InWater { block, lost });
        }
        Ok(())
    }

    /// Breaks the block, and first what stands before it; false if that did not work.
    async fn break_one(&self, body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
        if body.with(|s| known_lava::touches(s, at)) && !lava::shut_out(body, at).await? {
            return Ok(false);
        }
        // Leaves and grass in front of the block are taken away one by one.
        for _ in 0..OBSTACLES_MAX {
            let cut = body.with(|s| self.cutter(s, at));
            let dug = match cut {
                Some(shears) => handling::dig_with(body, at, shears).await?,
                None => handling::dig_anyway(body, at).await?,
            };
            match dug {
                Dug::Broke(_) => return Ok(true),
                Dug::Gone => return Ok(false),
                Dug::OutOfReach => {}
            }
            let Some(obstacle) = body.with(|s| goal::first_in_way(&s.seen, s.eyes, at)) else {
                break;
            };
            if !matches!(handling::dig(body, obstacle).await?, Dug::Broke(_)) {
                break;
            }
        }
        Ok(false)
    }

    /// The carried thing that gives what is wanted of this block where the quickest tool does not.
    fn cutter(&self, s: &Senses, at: Pos) -> Option<ItemId> {
        let block = s.seen.block(at)?;
        let gives = |held: Option<ItemId>| {
            let drops = drops_of(block, held).iter();
            let wanted = drops.filter(|drop| self.item.matches(drop.item));
            wanted.map(|drop| drop.expected()).fold(0.0, f32::max)
        };
        let plain = gives(s.tool_for(block));
        let carried = s.slots.stacks.iter().flatten().map(|stack| stack.item);
        let tools = carried.filter(|item| item.facts().tool.is_some());
        // Only tools: anything else in hand would be worn for nothing.
        tools
            .filter(|item| gives(Some(*item)) > plain)
            .max_by(|a, b| gives(Some(*a)).total_cmp(&gives(Some(*b))))
    }

    /// Counts what broke for nothing.
    fn judge(&mut self, body: &BodyHandle, block: BlockId) -> End {
        let held = body.with(|s| s.held);
        if !drops_of(block, held).is_empty() {
            return Ok(());
        }
        self.fruitless += 1;
        if self.fruitless >= FRUITLESS_MAX {
            return Err(ActionFailure::NoDrop {
                block,
                held,
                broken: self.fruitless,
            });
        }
        Ok(())
    }

    fn loose(&self, s: &Senses) -> u32 {
        s.loose
            .iter()
            .filter(|loose| self.item.matches(loose.item))
            .count() as u32
    }

    /// Another source that can be broken from where the body stands.
    fn within_reach(&self, s: &Senses) -> Option<(Pos, BlockId)> {
        let near = s.seen.nearest(s.feet().up(), 5.0, 12, |block| {
            self.sources.contains(&block)
        });
        let fits = |(at, _): &&(Pos, BlockId)| {
            let in_reach = s.eyes.distance(at.centre()) < 4.1
                && goal::first_in_way(&s.seen, s.eyes, *at).is_none();
            // Not the floor one stands on.
            in_reach && !self.avoid.contains(at) && !s.own.contains(at) && *at != s.feet().down()
        };
        let is_allowed = |(at, block): &&(Pos, BlockId)| !is_forbidden(s, *at, *block);
        near.iter().filter(is_allowed).find(fits).copied()
    }
}

/// The body swims, or might be led to swim where it is within reach of the block.
fn is_by_water(s: &mut Senses, at: Pos) -> bool {
    let cells = |side: i32| -side..=side;
    let mut around = cells(SHORE).flat_map(|x| cells(SHORE).map(move |z| (x, z)));
    let mut is_wet = |(x, z)| (-SHORE..=1).any(|y| s.seen.nature(at.plus(x, y, z)).is_water());
    s.in_water || around.any(&mut is_wet)
}

/// What there is enough of elsewhere is not taken from beside lava.
fn is_forbidden(s: &Senses, at: Pos, block: BlockId) -> bool {
    wanted::is_plenty(block) && known_lava::touches(s, at)
}
