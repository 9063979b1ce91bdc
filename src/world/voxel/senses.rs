//! Senses: all that a script may know, and the keys it presses.
//!
//! The world writes what the body feels and remembers, the script writes `Controls`; nothing else
//! passes between them, so a script cannot look into the grid. Invariant: the lock is held only
//! between two ticks, never across one (a guard in a script would not be `Send`).

use super::body::fishing_line::Float;
use super::body::worn::Worn;
use super::building::Building;
use super::controls::{ControlOutcome, Controls};
use super::herds::Herds;
use super::lands::Lands;
use super::seen::Seen;
use super::villagers::Deal;
use super::visited::VisitedPatches;
use crate::action::ActionFailure;
use crate::block::{BlockId, break_ticks, can_harvest};
use crate::counts::Counts;
use crate::enchanting::{EnchantingOffer, OFFERS};
use crate::family::ItemSpec;
use crate::inventory::{Slots, Stack};
use crate::item::{ItemId, Tier};
use crate::keep::FILLERS;
use crate::mob::MobKind;
use crate::observation::{FurnaceView, Gui, Pause};
use crate::powers::Factor;
use crate::rng::Rng;
use crate::space::{Point, Pos};
use crate::trade::Profession;
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

/// What a script wants of the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadOrder {
    /// One look all around.
    LookAround,
    /// One at the ground near the feet.
    LookNear,
    /// As `LookNear`, and straight down.
    LookDown,
    /// No further: what was looked for is in sight.
    Stay,
}

/// What the body feels, sees and remembers at this tick.
/// Everything here is something a player could know: what is felt, shown or was seen.
#[derive(Debug)]
pub(crate) struct Senses {
    pub(crate) tick: u64,
    pub(crate) at: Point,
    pub(crate) eyes: Point,
    /// Where the view points, degrees.
    pub(crate) view: (f32, f32),
    /// The hour, told by the sky: 0..24000.
    pub(crate) time: u32,
    pub(crate) asleep: bool,
    /// What the bobber of the rod does, while it is cast.
    pub(crate) float: Option<Float>,
    pub(crate) on_ground: bool,
    pub(crate) in_water: bool,
    pub(crate) eyes_in_water: bool,
    pub(crate) in_lava: bool,
    /// On fire, or standing in it.
    pub(crate) burning: bool,
    pub(crate) health: f32,
    /// 0 to 20, as the health.
    pub(crate) hunger: f32,
    /// Ticks since the last blow: the arm has to come back.
    pub(crate) since_blow: u32,
    pub(crate) air: i32,
    pub(crate) slots: Slots,
    pub(crate) held: Option<ItemId>,
    pub(crate) worn: Worn,
    pub(crate) window: Gui,
    /// The furnace that is open.
    pub(crate) furnace: Option<FurnaceView>,
    /// What the open chest, enchanting table or villager shows.
    pub(crate) display: Display,
    /// Levels of experience.
    pub(crate) level: u32,
    /// Living things in sight, nearest first.
    pub(crate) mobs: Vec<Living>,
    /// Where open lava or running water was heard from below ground, to within a few blocks, and which of them.
    pub(crate) heard: BTreeMap<Pos, BlockId>,
    /// Open places beside lava that was left to itself: as long as they are open it does not come.
    pub(crate) lava_rests: BTreeSet<Pos>,
    /// An arrow comes this way.
    pub(crate) is_shot_at: bool,
    /// Loose items in sight, nearest first.
    pub(crate) loose: Vec<Loose>,
    /// Cells that sand and gravel are seen to fall through.
    pub(crate) falling: Vec<Pos>,
    /// The sky is overhead.
    pub(crate) sky: bool,
    /// When and where it last was, with ground under the feet.
    pub(crate) under_sky: (u64, Pos),
    /// Where the head was last out of the water.
    pub(crate) breathed_at: Pos,
    /// Where the body last came up from below the land.
    pub(crate) came_up: Option<Pos>,
    pub(crate) seen: Seen,
    pub(crate) visited: VisitedPatches,
    pub(crate) herds: Herds,
    /// Middles of the villages that were seen from afar.
    pub(crate) villages: Vec<Pos>,
    /// Where the last villager was whose price could not be paid, and what it gives.
    pub(crate) market: Option<(ItemSpec, Pos)>,
    /// The biomes around, as far as they were seen.
    pub(crate) lands: Lands,
    /// Plants the script keeps an eye on, and which of them look ripe.
    pub(crate) watched: Vec<Pos>,
    pub(crate) ripe: Vec<Pos>,
    /// Blocks broken since the action began.
    pub(crate) broken: u32,
    /// Where blocks were broken since the world began.
    pub(crate) broken_at: BTreeSet<Pos>,
    /// What came of the last controls.
    pub(crate) outcome: ControlOutcome,
    /// Ties in searches are broken by this stream.
    /// A stream of its own, so that scripts do not move the dice of the world.
    pub(crate) chance: Rng,
    /// Keys for the next tick.
    /// Taken by the world in the next tick; default keys do nothing.
    pub(crate) keys: Controls,
    /// What the head is to do from the next tick on.
    pub(crate) head: Option<HeadOrder>,
    /// Blocks the scripts put down and mean to take along again.
    pub(crate) own: Vec<Pos>,
    /// Furnaces that were filled and not emptied: an order that is called off leaves them as they are.
    pub(crate) fires: Vec<Pos>,
    /// Until this tick a hostile that cannot be got at is left alone.
    /// Without it a body would stand before a mob behind glass for ever.
    pub(crate) truce_until: u64,
    /// A way leads on only over blocks of wood.
    pub(crate) spends_wood: bool,
    /// Where there was no way from the last time, and how many times in a row.
    pub(crate) stranded: (Pos, u32),
    /// A reflex has the body.
    pub(crate) is_minding: bool,
    /// The work is out in the open and can wait for the day.
    pub(crate) is_roaming: bool,
    /// What the work is a hunt for, if it comes out at night.
    pub(crate) monster: Option<MobKind>,
    /// Until this tick one who has just hidden from an archer fights it.
    pub(crate) hidden_until: u64,
    pub(crate) retry_after: RetryAfter,
    /// What the plan needs, which is eaten only by one who starves, and not thrown away.
    pub(crate) kept: Counts,
    /// What the action is about stays in the pockets.
    pub(crate) bare: Option<ItemSpec>,
    /// What the script lets this tick pass for.
    pub(crate) pause: Option<Pause>,
    /// What the body has begun to build by a blueprint, the oldest first.
    pub(crate) buildings: Vec<Building>,
    /// The top of the hole one hides in.
    pub(crate) burrow: Option<Pos>,
    pub(crate) dig_costs: DigCosts,
    /// How many times as fast as a player's its hands break blocks.
    pub(crate) break_speed: Factor,
}

/// The tick before which each reflex that has just failed is not tried again.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RetryAfter {
    /// To look for water while burning.
    pub(crate) quench: u64,
    /// To look for a hole to hide in.
    pub(crate) burrow: u64,
    /// To run after an animal for a meal.
    pub(crate) forage: u64,
    /// To put armour on.
    pub(crate) dress: u64,
}

/// A living thing in sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Living {
    pub(crate) id: u64,
    pub(crate) kind: MobKind,
    pub(crate) at: Point,
    /// A young animal gives nothing and must grow first.
    pub(crate) is_baby: bool,
    /// The wool on a sheep that is not shorn.
    pub(crate) wool: Option<ItemId>,
    /// What it carries in its hands, apart from the bows of archers.
    pub(crate) held: Option<ItemId>,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// A creeper that hisses.
    pub(crate) is_lit: bool,
    /// An enderman that was hit screams and comes.
    pub(crate) is_angry: bool,
    /// Ticks for which an archer has been drawing its bow, as its arms show.
    pub(crate) drawn: u8,
    /// What a villager wears tells its trade.
    pub(crate) profession: Option<Profession>,
}

impl Living {
    /// It attacks the body; endermen let those be who let them be.
    pub(crate) fn is_enemy(&self) -> bool {
        self.kind.facts().hostile && (self.kind != MobKind::Enderman || self.is_angry)
    }
}

/// What an open window shows besides the body's own slots.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Display {
    #[default]
    Nothing,
    Chest(Counts),
    Offers([Option<EnchantingOffer>; OFFERS]),
    Deals(Vec<Deal>),
}

/// A loose item in sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Loose {
    pub(crate) item: ItemId,
    pub(crate) at: Point,
}

/// Uses of the best tool that are kept for what only it can break: two veins, and what stands before them. More
/// would be rock that a lesser tool digs half as fast again.
const USES_SPARED: u32 = 20;
/// A floor may lie so much lower than the top of its cell: that of a chest does by an eighth.
const LOW_BLOCK: f64 = 0.126;

impl Senses {
    /// The block the feet are in.
    pub(crate) fn feet(&self) -> Pos {
        // A hair up: feet that sank a rounding error into the floor still stand on it. Trodden
        // paths, fields and chests are a little lower than other blocks, and one stands on them,
        // not in them.
        let up = if self.on_ground { LOW_BLOCK } else { 1e-4 };
        self.at.plus(0.0, up, 0.0).block()
    }

    /// In lava or fire: nothing else matters until it is out.
    pub(crate) fn is_harmed(&self) -> bool {
        self.in_lava || self.seen.nature(self.feet()).is_harmful()
    }

    pub(crate) fn count(&self, item: ItemSpec) -> u32 {
        self.slots.count(item)
    }

    /// The carried tool that is best for the block; `None` is the bare hand.
    pub(crate) fn tool_for(&self, block: BlockId) -> Option<ItemId> {
        let slot = self.slots.best_tool_for(block)?;
        let best = self.slots.stacks[slot]?;
        Some(self.lesser_tool_for(block, &best).unwrap_or(best.item))
    }

    /// Something carried, or the bare hand, gets something out of some of these.
    pub(crate) fn can_harvest_any(&self, blocks: &[BlockId]) -> bool {
        let mut blocks = blocks.iter();
        blocks.any(|block| can_harvest(*block, self.tool_for(*block)))
    }

    /// A cheaper tool that harvests the block too, once little is left of the best: what only the
    /// best can break is still to come.
    fn lesser_tool_for(&self, block: BlockId, best: &Stack) -> Option<ItemId> {
        let tier = |item: ItemId| item.facts().tool.map(|tool| tool.tier.level());
        let durability = best.item.facts().durability?;
        // At least iron: stone tools are not worth sparing.
        let left = durability.saturating_sub(best.damage);
        if left > USES_SPARED || tier(best.item)? < Tier::Iron.level() {
            return None;
        }
        let quick = |item: ItemId| {
            break_ticks(block, Some(item), false, true) < break_ticks(block, None, false, true)
        };
        let others = self.slots.stacks.iter().flatten().map(|stack| stack.item);
        others
            .filter(|item| {
                tier(*item) < tier(best.item) && can_harvest(block, Some(*item)) && quick(*item)
            })
            .min_by_key(|item| (break_ticks(block, Some(*item), false, true), *item))
    }

    /// The window that is open.
    pub(crate) fn gui(&self) -> Gui {
        self.window
    }

    /// Blocks to build ways with: stone and earth, and wood where nothing else helps.
    pub(crate) fn filler(&self) -> Option<ItemId> {
        let earth = || FILLERS.into_iter().filter_map(ItemId::named);
        // What the plan needs last of all.
        let found = earth()
            .find(|item| self.has_spare(*item))
            .or_else(|| earth().find(|item| self.slots.count(*item) > 0));
        let mut carried = self.slots.stacks.iter().flatten().map(|stack| stack.item);
        let is_wood = |item: &ItemId| ["_planks", "_log"].iter().any(|w| item.name().ends_with(w));
        found.or_else(|| carried.find(|item| self.spends_wood && is_wood(item)))
    }

    pub(crate) fn filler_count(&self) -> u32 {
        self.filler().map_or(0, |item| self.slots.count(item))
    }

    /// The living thing of this number, if it is in sight.
    pub(crate) fn mob(&self, id: u64) -> Option<Living> {
        self.mobs.iter().find(|mob| mob.id == id).copied()
    }

    /// The enemies in sight, nearest first.
    pub(crate) fn enemies(&self) -> impl Iterator<Item = Living> {
        self.mobs.iter().filter(|mob| mob.is_enemy()).copied()
    }

    /// Uses left of all tools that harvest some of these.
    pub(crate) fn uses_left(&self, blocks: &[BlockId]) -> u32 {
        let left = |stack: &Stack| {
            let durability = stack.item.facts().durability?;
            let mut blocks = blocks.iter();
            let harvests = blocks.any(|block| can_harvest(*block, Some(stack.item)));
            harvests.then(|| durability.saturating_sub(stack.damage))
        };
        self.slots.stacks.iter().flatten().filter_map(left).sum()
    }

    /// There is more of it than the plan needs.
    pub(crate) fn has_spare(&self, item: ItemId) -> bool {
        self.slots.count(item) > self.kept.count(item)
    }

    pub(crate) fn has_room(&self) -> bool {
        self.slots.stacks.iter().any(Option::is_none)
    }
}

/// Ticks to break each kind of block with the best tool carried; kept as long as the tools stay.
#[derive(Debug, Clone, Default)]
pub(crate) struct DigCosts {
    tools: Vec<ItemId>,
    ticks: Vec<u16>,
}

impl DigCosts {
    /// Marks blocks that no tool breaks.
    /// Larger than any break time.
    pub(crate) const NEVER: u16 = u16::MAX;

    /// Computes the costs anew if the tools carried have changed.
    pub(crate) fn refresh(&mut self, slots: &Slots, break_speed: Factor) {
        let carried = slots.stacks.iter().flatten().map(|stack| stack.item);
        let mut tools: Vec<ItemId> = carried.filter(|item| item.facts().tool.is_some()).collect();
        tools.sort_unstable();
        tools.dedup();
        // Searches ask for every block, so the table is kept until the tools change.
        if tools == self.tools && !self.ticks.is_empty() {
            return;
        }
        let best = |block: BlockId| {
            let with = |held| {
                let ticks = break_ticks(block, held, false, true)?;
                Some(break_speed.break_ticks(ticks))
            };
            let all = tools
                .iter()
                .filter_map(|tool| with(Some(*tool)))
                .chain(with(None));
            all.min().map_or(Self::NEVER, |ticks| {
                u16::try_from(ticks).unwrap_or(Self::NEVER - 1)
            })
        };
        self.ticks = BlockId::all().map(best).collect();
        self.tools = tools;
    }

    /// The tools by which the costs were computed.
    pub(crate) fn tools(&self) -> &[ItemId] {
        &self.tools
    }

    pub(crate) fn ticks(&self, block: BlockId) -> u16 {
        self.ticks
            .get(usize::from(block.row()))
            .copied()
            .unwrap_or(Self::NEVER)
    }
}

/// A script's hold on the body. The second owner of the senses is the world, which lends them
/// to the running script between two ticks; both live on one thread.
#[derive(Debug, Clone)]
pub(crate) struct BodyHandle {
    senses: Arc<Mutex<Senses>>,
    reflexes: Reflexes,
}

/// What the body does unbidden between the steps of any script.
///
/// It comes in as two functions, because reflexes are made of the same primitives that call them:
/// `scripts` knows the primitives, and the primitives know only this.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reflexes {
    /// The reflex that is needed now; called at every step, so it must not allocate without a need.
    pub(crate) start: fn(&BodyHandle) -> Option<Script>,
    /// True if something cannot wait for the end of a long action.
    pub(crate) is_threatened: fn(&Senses) -> bool,
}

/// How a script ends.
pub(crate) type End = Result<(), ActionFailure>;

/// A script under way.
pub(crate) type Script = Pin<Box<dyn Future<Output = End> + Send>>;

impl BodyHandle {
    pub(crate) fn new(senses: Senses, reflexes: Reflexes) -> Self {
        Self {
            senses: Arc::new(Mutex::new(senses)),
            reflexes,
        }
    }

    /// The reflex that the body needs now.
    pub(crate) fn reflex(&self) -> Option<Script> {
        (self.reflexes.start)(self)
    }

    /// True if something cannot wait for the end of a long action.
    pub(crate) fn is_threatened(&self) -> bool {
        self.with(|s| (self.reflexes.is_threatened)(s))
    }

    /// Looks at the senses.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&mut Senses) -> R) -> R {
        look(&mut self.senses.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Presses keys for one tick and returns what came of it.
    pub(crate) async fn act(&self, keys: Controls) -> ControlOutcome {
        self.with(|senses| (senses.keys, senses.pause) = (keys, None));
        // Here the script stops until the world has made its tick.
        NextTick(false).await;
        self.with(|senses| senses.outcome.clone())
    }

    /// Lets one tick pass.
    pub(crate) async fn idle(&self) {
        self.act(Controls::default()).await;
    }

    /// Lets one tick pass and says what for.
    pub(crate) async fn pause(&self, what_for: Pause) {
        self.with(|senses| senses.pause = Some(what_for));
        NextTick(false).await;
    }

    /// Does the work, and says at each of its ticks what it is for.
    pub(crate) async fn pause_during<T>(
        &self,
        what_for: Pause,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let poll = work.as_mut().poll(context);
            if poll.is_pending() {
                self.with(|senses| senses.pause = Some(what_for));
            }
            poll
        })
        .await
    }
}

/// Ready at the second poll: the world polls a script once per tick.
/// The first poll hands over to the world, the second comes one tick later.
struct NextTick(bool);

impl Future for NextTick {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}
