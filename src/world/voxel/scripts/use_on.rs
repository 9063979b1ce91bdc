//! Using: a carried thing, or the bare hand, on the nearest such block or living thing.
//!
//! What a use leaves standing as a block is broken, what it lets fall is picked up. Invariant: a
//! target that refuses is not tried again, and the tries are counted.

use super::super::body::turn;
use super::super::controls::{Controls, Deed, Outcome};
use super::super::hand::{self, Dug};
use super::super::path::goal::Goal;
use super::super::senses::{Hands, Living, Senses};
use super::pick_up::pick_up;
use super::travel::{self, Manner};
use super::wanted::Wanted;
use super::{End, explore, reflex};
use crate::action::{ActionFailure, Target};
use crate::block::BlockId;
use crate::drops::drops_of;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::space::{Point, Pos};
use crate::uses;

/// Uses in one action.
const USES_MAX: u32 = 256;
/// Targets that would not have it before the action gives up.
const REFUSALS_MAX: usize = 24;
/// What a use lets fall lies within this.
const SPILL: f64 = 7.0;
/// How far off a remembered block is still worth the way.
const RANGE: f64 = 96.0;
/// Ticks of going after one living thing.
const CHASE_TICKS_MAX: u64 = 1_200;
/// A click reaches this far from the eyes.
const REACH: f64 = 2.7;
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
    hands: &Hands,
    item: Option<ItemSpec>,
    on: &Target,
    gain: Option<ItemSpec>,
    count: u32,
) -> End {
    hand::close(hands).await?;
    let mut job = Job {
        item,
        gain,
        wanted: Wanted::of(std::slice::from_ref(on)),
    };
    let goal = hands.with(|s| gain.map_or(0, |gain| s.count(gain)) + count.max(1));
    let mut done = 0;
    for _ in 0..USES_MAX {
        let held = hands.with(|s| gain.map_or(done, |gain| s.count(gain)));
        if held >= goal {
            return Ok(());
        }
        if job.waits_for_it() {
            job.await_laid(hands, goal).await?;
            continue;
        }
        if job.wanted.avoid.len() + job.wanted.spent.len() > REFUSALS_MAX {
            break;
        }
        let tool = job.tool(hands)?;
        let Some(mark) = hands.with(|s| job.mark(s)) else {
            explore::search(hands, &job.wanted, on).await?;
            continue;
        };
        done += u32::from(job.work(hands, &mark, tool).await?);
    }
    Err(ActionFailure::NoTarget {
        target: on.clone(),
        y: hands.with(|s| s.feet().y),
    })
}

impl Job {
    /// The carried thing to use; None is the bare hand.
    fn tool(&self, hands: &Hands) -> Result<Option<ItemId>, ActionFailure> {
        let Some(item) = self.item else {
            return Ok(None);
        };
        let slots = hands.with(|s| s.slots.clone());
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
    async fn await_laid(&self, hands: &Hands, goal: u32) -> End {
        let Some(gain) = self.gain else {
            return Ok(());
        };
        let kinds: Vec<Target> = self
            .wanted
            .mobs
            .iter()
            .map(|mob| Target::Mob(*mob))
            .collect();
        for _ in 0..LAID_TURNS_MAX {
            pick_up(hands, LAID_RANGE, &move |loose| gain.matches(loose)).await?;
            if hands.with(|s| s.count(gain)) >= goal {
                return Ok(());
            }
            reflex::watch(hands).await?;
            let nearest = hands.with(|s| {
                let fits = |mob: &&Living| self.wanted.mobs.contains(&mob.kind) && !mob.is_baby;
                s.mobs.iter().find(fits).copied()
            });
            match nearest {
                None => explore::explore(hands, &kinds).await?,
                Some(mob) if hands.with(|s| s.at.distance(mob.at)) > NEAR_LAYERS => {
                    come_near(hands, mob).await?;
                }
                Some(_) => {}
            }
            for _ in 0..LAID_TURN_TICKS {
                hands.idle().await;
            }
        }
        Err(ActionFailure::NoTarget {
            target: Target::Source(gain),
            y: hands.with(|s| s.feet().y),
        })
    }

    /// The nearest target that has not refused.
    fn mark(&self, s: &mut Senses) -> Option<Mark> {
        let fits = |mob: &&Living| {
            self.wanted.mobs.contains(&mob.kind)
                && !self.wanted.spent.contains(&mob.id)
                && self.suits(mob)
        };
        if let Some(mob) = s.mobs.iter().find(fits) {
            return Some(Mark::Mob(*mob));
        }
        let avoid = &self.wanted.avoid;
        let near = s.seen.nearest(s.feet(), RANGE, 24 + avoid.len(), |block| {
            self.wanted.blocks.contains(&block)
        });
        let open = |(at, block): &(Pos, BlockId)| {
            !avoid.contains(at) && (!block.is_fluid() || s.seen.nature(at.up()).is_air())
        };
        let (at, block) = near.into_iter().find(open)?;
        Some(Mark::Block(at, block))
    }

    /// Shears want wool, and of the right colour; the young are of no use.
    fn suits(&self, mob: &Living) -> bool {
        let shears = self.item.and_then(ItemSpec::single);
        let is_shearing = shears.is_some_and(|item| item.name() == "shears");
        if mob.is_baby {
            return false;
        }
        if mob.kind != crate::mob::MobKind::Sheep || !is_shearing {
            return true;
        }
        mob.wool
            .is_some_and(|wool| self.gain.is_none_or(|gain| gain.matches(wool)))
    }

    /// Goes there, uses the thing and collects; true if it was of use.
    async fn work(
        &mut self,
        hands: &Hands,
        mark: &Mark,
        tool: Option<ItemId>,
    ) -> Result<bool, ActionFailure> {
        let before = hands.with(|s| s.slots.counts());
        let used = match *mark {
            Mark::Mob(mob) => on_mob(hands, mob, tool).await?,
            Mark::Block(at, block) => self.on_block(hands, at, block, tool).await?,
        };
        if !used {
            match *mark {
                Mark::Block(at, _) => self.wanted.avoid.push(at),
                Mark::Mob(mob) => self.wanted.spent.push(mob.id),
            }
            return Ok(false);
        }
        if let Some(gain) = self.gain {
            pick_up(hands, SPILL, &move |loose| gain.matches(loose)).await?;
            // Used, and nothing of what was wanted: this one will not do again.
            let is_same = hands.with(|s| s.slots.counts() == before);
            if let (true, Mark::Block(at, _)) = (is_same, mark) {
                self.wanted.avoid.push(*at);
            }
        }
        Ok(true)
    }

    async fn on_block(
        &self,
        hands: &Hands,
        at: Pos,
        block: BlockId,
        tool: Option<ItemId>,
    ) -> Result<bool, ActionFailure> {
        if !approach_block(hands, at).await? {
            return Ok(false);
        }
        if self.is_cut(block, tool) {
            return Ok(match tool {
                Some(tool) => matches!(hand::dig_with(hands, at, tool).await?, Dug::Broke(_)),
                None => matches!(hand::dig(hands, at).await?, Dug::Broke(_)),
            });
        }
        take(hands, tool).await?;
        if !hand::click(hands, at).await {
            return Ok(false);
        }
        let kind = tool
            .and_then(|tool| tool.facts().tool)
            .map(|tool| tool.kind);
        let turned = kind.and_then(|kind| uses::turned(kind, block));
        if turned.is_some_and(|turned| self.is_gained_from(turned.into, None)) {
            // The memory follows the eyes; a look or two.
            hands.idle().await;
            hand::dig(hands, at).await?;
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
pub(crate) async fn take(hands: &Hands, tool: Option<ItemId>) -> Result<(), ActionFailure> {
    match tool {
        Some(tool) => hand::hold(hands, tool).await,
        None => {
            hand::hold_nothing(hands).await;
            Ok(())
        }
    }
}

/// Goes to where the hand reaches a block; false if there is no way.
pub(crate) async fn approach_block(hands: &Hands, at: Pos) -> Result<bool, ActionFailure> {
    let goal = Goal::Reach { at };
    match travel::travel(hands, &goal, travel::manner_here(hands)).await {
        Ok(()) => Ok(true),
        Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Goes after a living thing and clicks on it; false if it got away or would not have it.
pub(crate) async fn on_mob(
    hands: &Hands,
    mob: Living,
    tool: Option<ItemId>,
) -> Result<bool, ActionFailure> {
    let start = hands.with(|s| s.tick);
    let (mut last, mut tries) = (mob, 0);
    while hands.with(|s| s.tick) < start + CHASE_TICKS_MAX && tries < 8 {
        let now = hands.with(|s| s.mobs.iter().find(|m| m.id == mob.id).copied());
        match now {
            Some(now) => last = now,
            // It is where it was last seen, or nowhere.
            None if hands.with(|s| s.at.distance(last.at)) < 3.0 => return Ok(false),
            None => {}
        }
        if !hands.with(|s| within_click(s, last)) {
            if !come_near(hands, last).await? {
                return Ok(false);
            }
            continue;
        }
        take(hands, tool).await?;
        let keys = hands.with(|s| {
            let height = f64::from(last.kind.facts().height) * 0.5;
            let (yaw, pitch) = turn::look_at(s.eyes, last.at.plus(0.0, height, 0.0));
            Controls {
                deed: Some(Deed::UseOn { mob: mob.id }),
                yaw,
                pitch,
                ..Controls::default()
            }
        });
        match hands.act(keys).await {
            Outcome::Done => return Ok(true),
            Outcome::Refused(because) if because.starts_with("out of reach") => tries += 1,
            Outcome::Refused(_) => return Ok(false),
            Outcome::Working | Outcome::Broke(..) | Outcome::Struck(_) => tries += 1,
            Outcome::Crafted(..) | Outcome::Ate(_) => tries += 1,
        }
    }
    Ok(false)
}

fn within_click(s: &Senses, mob: Living) -> bool {
    let height = f64::from(mob.kind.facts().height);
    let level = s.eyes.y.clamp(mob.at.y, mob.at.y + height);
    s.eyes.distance(Point::new(mob.at.x, level, mob.at.z)) < REACH
}

async fn come_near(hands: &Hands, mob: Living) -> Result<bool, ActionFailure> {
    let goal = Goal::Near {
        at: mob.at.block(),
        range: 1.8,
    };
    let came_close = move |s: &Senses| {
        let now = s.mobs.iter().find(|now| now.id == mob.id);
        now.is_some_and(|now| within_click(s, *now) || now.at.distance(mob.at) > 3.0)
    };
    match travel::travel_until(hands, &goal, Manner::Dig, &came_close).await {
        Ok(()) => {
            hands.idle().await;
            Ok(true)
        }
        Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(false),
        Err(failure) => Err(failure),
    }
}
