//! Using: a carried thing, or the bare hand, on the nearest such block or living thing.
//!
//! What a use leaves standing as a block is broken, what it lets fall is picked up. Invariant: a
//! target that refuses is not tried again, and the tries are counted.

use super::super::body::turn;
use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling::{self, Dug};
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Living, Senses};
use super::combat::touches;
use super::pick_up::pick_up;
use super::purpose::Purpose;
use super::pursuit::come_near;
use super::wanted::{self, Wanted};
use super::{End, explore};
use crate::action::{ActionFailure, Target};
use crate::block::BlockId;
use crate::drops::drops_of;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::Pos;
use crate::uses;

/// Uses in one action.
const USES_MAX: u32 = 256;
/// Targets that would not have it before the action gives up.
const REFUSALS_MAX: usize = 24;
/// What a use lets fall lies within this.
const SPILL: f64 = 7.0;
/// Ticks of going after one living thing.
const CHASE_TICKS_MAX: u64 = 1_200;
/// An egg is waited for so long, looked for so far off, from so near the hens.
const LAID_TURNS_MAX: u32 = 1_000;
const LAID_TURN_TICKS: u32 = 20;
const LAID_RANGE: f64 = 16.0;
const NEAR_LAYERS: f64 = 8.0;

/// State of one action.
struct Job {
    item: Option<ItemSpec>,
    gain: Option<ItemSpec>,
    wanted: Wanted,
}

/// What is to be clicked.
enum Mark {
    Block(Pos, BlockId),
    Mob(Living),
}

/// Uses the item until `count` more of `gain` are held; without a gain, `count` times.
pub(crate) async fn use_on(
    body: &BodyHandle,
    item: Option<ItemSpec>,
    on: &Target,
    gain: Option<ItemSpec>,
    count: u32,
) -> End {
    handling::close(body).await?;
    let mut job = Job {
        item,
        gain,
        wanted: Wanted {
            purpose: Purpose::of_using(item, gain),
            ..Wanted::from_targets(std::slice::from_ref(on))
        },
    };
    let goal = body.with(|s| gain.map_or(0, |gain| s.count(gain)) + count.max(1));
    let mut done = 0;
    for _ in 0..USES_MAX {
        let held = body.with(|s| gain.map_or(done, |gain| s.count(gain)));
        if held >= goal {
            return Ok(());
        }
        if job.waits_for_it() {
            job.await_laid(body, on, goal).await?;
            continue;
        }
        if job.wanted.avoid.len() + job.wanted.spent.len() > REFUSALS_MAX {
            break;
        }
        let tool = job.tool(body)?;
        let Some(mark) = body.with(|s| job.mark(s)) else {
            explore::search(body, &job.wanted, on).await?;
            continue;
        };
        done += u32::from(job.work(body, &mark, tool).await?);
    }
    Err(ActionFailure::NoTarget {
        target: on.clone(),
        y: body.with(|s| s.feet().y),
    })
}

impl Job {
    /// The carried thing to use; None is the bare hand.
    fn tool(&self, body: &BodyHandle) -> Result<Option<ItemId>, ActionFailure> {
        let Some(item) = self.item else {
            return Ok(None);
        };
        let slots = body.with(|s| s.slots.clone());
        let found = slots.find(item).and_then(|slot| slots.stacks[slot]);
        match found {
            Some(stack) => Ok(Some(stack.item)),
            None => Err(ActionFailure::NotHeld { item }),
        }
    }

    /// What it lays by itself is only waited for.
    fn waits_for_it(&self) -> bool {
        let lays = |gain: ItemSpec| {
            let mut lays = self.wanted.mobs.iter().flat_map(|mob| &mob.facts().lays);
            lays.any(|drop| gain.matches(drop.item))
        };
        self.item.is_none() && self.gain.is_some_and(lays)
    }

    /// Stays near such animals and takes what they leave lying.
    async fn await_laid(&self, body: &BodyHandle, on: &Target, goal: u32) -> End {
        let Some(gain) = self.gain else {
            return Ok(());
        };
        for _ in 0..LAID_TURNS_MAX {
            pick_up(body, LAID_RANGE, &move |loose| gain.matches(loose)).await?;
            if body.with(|s| s.count(gain)) >= goal {
                return Ok(());
            }
            reflexes::watch(body).await?;
            match body.with(|s| wanted::nearest_mob(s, &self.wanted)) {
                None => explore::search(body, &self.wanted, on).await?,
                Some(mob) if body.with(|s| s.at.distance(mob.at)) > NEAR_LAYERS => {
                    come_near(body, mob, TravelMode::Dig).await?;
                }
                Some(_) => {}
            }
            for _ in 0..LAID_TURN_TICKS {
                body.idle().await;
            }
        }
        Err(ActionFailure::NoTarget {
            target: Target::Source(gain),
            y: body.with(|s| s.feet().y),
        })
    }

    /// The nearest target that has not refused.
    fn mark(&self, s: &Senses) -> Option<Mark> {
        if let Some(mob) = wanted::nearest_mob(s, &self.wanted) {
            return Some(Mark::Mob(mob));
        }
        let at = wanted::nearest_block(s, &self.wanted)?;
        s.seen.block(at).map(|block| Mark::Block(at, block))
    }

    /// Goes there, uses the thing and collects; true if it was of use.
    async fn work(
        &mut self,
        body: &BodyHandle,
        mark: &Mark,
        tool: Option<ItemId>,
    ) -> Result<bool, ActionFailure> {
        let before = body.with(|s| s.slots.counts());
        let used = match *mark {
            Mark::Mob(mob) => on_mob(body, mob, tool).await?,
            Mark::Block(at, block) => self.on_block(body, at, block, tool).await?,
        };
        if !used {
            match *mark {
                Mark::Block(at, _) => self.wanted.avoid.push(at),
                Mark::Mob(mob) => self.wanted.spent.push(mob.id),
            }
            return Ok(false);
        }
        if let Some(gain) = self.gain {
            pick_up(body, SPILL, &move |loose| gain.matches(loose)).await?;
            // Used, and nothing of what was wanted: this one will not do again.
            let is_same = body.with(|s| s.slots.counts() == before);
            if let (true, Mark::Block(at, _)) = (is_same, mark) {
                self.wanted.avoid.push(*at);
            }
        }
        Ok(true)
    }

    async fn on_block(
        &self,
        body: &BodyHandle,
        at: Pos,
        block: BlockId,
        tool: Option<ItemId>,
    ) -> Result<bool, ActionFailure> {
        if !approach_block(body, at).await? {
            return Ok(false);
        }
        if self.is_cut(block, tool) {
            return Ok(match tool {
                Some(tool) => matches!(handling::dig_with(body, at, tool).await?, Dug::Broke(_)),
                None => matches!(handling::dig(body, at).await?, Dug::Broke(_)),
            });
        }
        hold_tool(body, tool).await?;
        if !handling::click(body, at).await {
            return Ok(false);
        }
        let kind = tool
            .and_then(|tool| tool.facts().tool)
            .map(|tool| tool.kind);
        let turned = kind.and_then(|kind| uses::turned(kind, block));
        if turned.is_some_and(|turned| self.is_gained_from(turned.into, None)) {
            // The memory follows the eyes; a look or two.
            body.idle().await;
            handling::dig(body, at).await?;
        }
        Ok(true)
    }

    /// True if the thing gives what is wanted by breaking the block with it, not by a click.
    fn is_cut(&self, block: BlockId, tool: Option<ItemId>) -> bool {
        let kind = tool
            .and_then(|tool| tool.facts().tool)
            .map(|tool| tool.kind);
        kind.is_some_and(|kind| uses::turned(kind, block).is_none())
            && self.is_gained_from(block, tool)
    }

    fn is_gained_from(&self, block: BlockId, tool: Option<ItemId>) -> bool {
        let mut drops = drops_of(block, tool).iter();
        self.gain
            .is_some_and(|gain| drops.any(|drop| gain.matches(drop.item)))
    }
}

/// Takes the thing, or nothing, into the hand.
pub(crate) async fn hold_tool(
    body: &BodyHandle,
    tool: Option<ItemId>,
) -> Result<(), ActionFailure> {
    match tool {
        Some(tool) => handling::hold(body, tool).await,
        None => {
            handling::hold_nothing(body).await;
            Ok(())
        }
    }
}

/// Goes to where the hand reaches a block; false if there is no way.
pub(crate) async fn approach_block(body: &BodyHandle, at: Pos) -> Result<bool, ActionFailure> {
    let goal = PathGoal::Reach { at };
    travel::went(travel::travel(body, &goal, travel::manner_here(body)).await)
}

/// Goes after a living thing and clicks on it; false if it got away or would not have it.
pub(crate) async fn on_mob(
    body: &BodyHandle,
    mob: Living,
    tool: Option<ItemId>,
) -> Result<bool, ActionFailure> {
    let start = body.with(|s| s.tick);
    let (mut last, mut tries) = (mob, 0);
    while body.with(|s| s.tick) < start + CHASE_TICKS_MAX && tries < 8 {
        let now = body.with(|s| s.mob(mob.id));
        match now {
            Some(now) => last = now,
            // It is where it was last seen, or nowhere.
            None if body.with(|s| s.at.distance(last.at)) < 3.0 => return Ok(false),
            None => {}
        }
        if !body.with(|s| touches(s, last)) {
            if !come_near(body, last, TravelMode::Dig).await? {
                return Ok(false);
            }
            continue;
        }
        hold_tool(body, tool).await?;
        let keys = body.with(|s| {
            let height = f64::from(last.kind.facts().height) * 0.5;
            let (yaw, pitch) = turn::look_at(s.eyes, last.at.plus(0.0, height, 0.0));
            Controls {
                action: Some(HandAction::UseOn { mob: mob.id }),
                yaw,
                pitch,
                ..Controls::default()
            }
        });
        match body.act(keys).await {
            ControlOutcome::Done => return Ok(true),
            ControlOutcome::Refused(because) if because.starts_with("out of reach") => tries += 1,
            ControlOutcome::Refused(_) => return Ok(false),
            ControlOutcome::Working | ControlOutcome::Broke(..) | ControlOutcome::Struck(_) => {
                tries += 1;
            }
            ControlOutcome::Crafted(..) | ControlOutcome::Ate(_) => tries += 1,
        }
    }
    Ok(false)
}
