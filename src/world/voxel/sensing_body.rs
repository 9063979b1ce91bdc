//! The simulated body together with its eyes and its memory, one tick at a time.
//!
//! It carries the senses from the simulation to the script and the keys back. Invariant: this is
//! the only place where anything of the simulation reaches the senses.

use super::body::sight as clear_sight;
use super::controls::{ControlOutcome, Controls, HandAction};
use super::frame;
use super::growth;
use super::hearing::Hearing;
use super::herds::Herds;
use super::landmarks::Landmarks;
use super::lands::Lands;
use super::life::mob::Mob;
use super::seen::Seen;
use super::senses::{
    BodyHandle, DigCosts, Display, HeadOrder, Living, Loose, Reflexes, RetryAfter, Senses,
};
use super::sight::{self, Sight};
use super::sim::Simulation;
use super::stations;
use super::time;
use super::visited::VisitedPatches;
use crate::aids::SenseLevel;
use crate::block::BlockId;
use crate::counts::Counts;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::observation::{Frame, Gui};
use crate::rng::Streams;
use crate::space::{Point, Pos};
use std::collections::{BTreeMap, BTreeSet};

/// Feet positions are noted this often for the trail.
/// Half a second, the pace of frames.
const TRAIL_EVERY: u64 = 10;
/// Places of a trail between two frames; more than this is a frame that nobody asked for.
const TRAIL_MAX: usize = 256;
/// What shows of a mob, in shares of its height: a little above the middle, where most are visible over a low wall; and
/// within so many blocks the head too, as of one that stands below an edge.
const CHEST: f64 = 0.6;
const HEAD: f64 = 0.95;
const HEADS_NEAR: f64 = 6.0;
/// Loose items and mobs are looked for this often; a glance takes a moment.
/// A fifth of a second.
const GLANCE_EVERY: u64 = 4;
/// While the head turns round: what is before the eyes is 104 degrees wide and gone after three ticks.
const TURNING_EVERY: u64 = 2;

/// Arrows are made out within this distance.
const ARROW_SEEN: f64 = 16.0;
/// Blocks that fall are watched within this distance.
const FALLING_SEEN: f64 = 16.0;
/// With something alive this near, one looks all the time.
const PRESSED: f64 = 6.0;
/// Ripe and unripe crops are distinguished within this distance.
const RIPENESS_RANGE: f64 = 24.0;

/// A body in its world.
#[derive(Debug)]
pub(super) struct SensingBody {
    pub(super) sim: Simulation,
    sight: Sight,
    hearing: Hearing,
    landmarks: Landmarks,
    pub(super) handle: BodyHandle,
    trail: Vec<Pos>,
}

impl SensingBody {
    pub(super) fn new(sim: Simulation, seed: u64, reflexes: Reflexes, level: SenseLevel) -> Self {
        let handle = BodyHandle::new(first_senses(&sim, seed), reflexes);
        let mut being = Self {
            sim,
            sight: Sight::new(level),
            hearing: Hearing::new(seed),
            landmarks: Landmarks::default(),
            handle,
            trail: Vec::new(),
        };
        // Before the first action, so that a script never begins blind.
        being.sense(None, &ControlOutcome::Done);
        being
    }

    /// One tick with these keys; what was broken in it.
    pub(super) fn step(&mut self, keys: &Controls) -> Option<(Pos, BlockId)> {
        // The world moves first, then the senses are brought up to date: a script sees what
        // its keys did.
        let outcome = self.sim.step(keys);
        self.sense(touched(keys, &outcome), &outcome);
        if self.sim.tick().is_multiple_of(TRAIL_EVERY) && self.trail.len() < TRAIL_MAX {
            let feet = self.sim.body().feet();
            // Standing still adds nothing.
            if self.trail.last() != Some(&feet) {
                self.trail.push(feet);
            }
        }
        match outcome {
            ControlOutcome::Broke(at, block) => Some((at, block)),
            _ => None,
        }
    }

    /// The keys the script has pressed.
    pub(super) fn keys(&self) -> Controls {
        // Taken, so that keys last for one tick.
        self.handle.with(|s| std::mem::take(&mut s.keys))
    }

    /// Looks around and tells the script what the body feels.
    fn sense(&mut self, touched: Option<Pos>, outcome: &ControlOutcome) {
        let Self {
            sim,
            sight,
            hearing,
            landmarks,
            handle,
            ..
        } = self;
        handle.with(|s| {
            let eyes = sim.body().eyes();
            match s.head.take() {
                Some(HeadOrder::LookAround) => sight.look_around(),
                Some(HeadOrder::LookNear) => sight.look_at_feet(),
                Some(HeadOrder::LookDown) => sight.look_straight_down(),
                Some(HeadOrder::Stay) => sight.stay(),
                None => {}
            }
            if let Some(at) = touched {
                // Before the look: what was uncovered is then looked into.
                sight.changed(sim.grid(), eyes, at, &mut s.seen);
            }
            sight.look(sim, &mut s.seen);
            s.villages.extend(landmarks.look_for_village(sim, sight));
            landmarks.look_at_land(sim, sight, &mut s.lands);
            s.sky = sight.sky;
            feel(s, sim);
            watch_the_air(s, sim, sight);
            if !s.sky {
                hearing.listen(sim.grid(), sim.fluids(), eyes.block(), &mut s.heard);
            }
            if !s.eyes_in_water {
                s.breathed_at = s.feet();
            }
            if s.sky && s.on_ground {
                s.under_sky = (s.tick, s.feet());
            }
            let (feet, is_clear) = (s.feet(), s.sky && time::is_day(s.time));
            // Only by day and in the open does a body see the patches around it.
            s.visited.pass(feet, is_clear, s.tick);
            let is_pressed = s
                .mobs
                .first()
                .is_some_and(|mob| mob.at.distance(s.at) < PRESSED);
            // When something is near, when a block has just broken, and otherwise every few
            // ticks.
            let every = if sight.is_turning() {
                TURNING_EVERY
            } else {
                GLANCE_EVERY
            };
            if is_pressed
                || sim.tick().is_multiple_of(every)
                || matches!(outcome, ControlOutcome::Broke(..))
            {
                glance(s, sim, sight);
            }
            if let ControlOutcome::Broke(at, _) = outcome {
                s.broken += 1;
                s.broken_at.insert(*at);
            }
            s.outcome = outcome.clone();
        });
    }

    pub(super) fn frame(&mut self) -> Frame {
        let trail = std::mem::take(&mut self.trail);
        let (sim, sight) = (&self.sim, &self.sight);
        self.handle.with(|s| frame::frame(sim, sight, s, trail))
    }
}

/// The place where the handle changed the land.
/// Placing and using change a block that the outcome does not name.
fn touched(keys: &Controls, outcome: &ControlOutcome) -> Option<Pos> {
    match (outcome, &keys.action) {
        (ControlOutcome::Broke(at, _), _) => Some(*at),
        (ControlOutcome::Done, Some(HandAction::Place { against, side })) => {
            Some(against.side(*side))
        }
        (ControlOutcome::Done, Some(HandAction::Use { at })) => *at,
        _ => None,
    }
}

fn first_senses(sim: &Simulation, seed: u64) -> Senses {
    Senses {
        tick: 0,
        at: Point::default(),
        eyes: Point::default(),
        view: (0.0, 0.0),
        time: 0,
        asleep: false,
        float: None,
        on_ground: false,
        in_water: false,
        eyes_in_water: false,
        in_lava: false,
        burning: false,
        health: 20.0,
        hunger: 20.0,
        since_blow: 0,
        air: sim.body().vitals.air,
        slots: sim.body().slots.clone(),
        held: None,
        worn: sim.body().worn,
        window: sim.window().gui,
        furnace: None,
        display: Display::Nothing,
        level: 0,
        mobs: Vec::new(),
        heard: BTreeMap::new(),
        lava_rests: BTreeSet::new(),
        is_shot_at: false,
        loose: Vec::new(),
        falling: Vec::new(),
        sky: true,
        under_sky: (0, sim.body().at.block()),
        breathed_at: sim.body().at.block(),
        came_up: None,
        seen: Seen::default(),
        visited: VisitedPatches::default(),
        herds: Herds::default(),
        villages: Vec::new(),
        market: None,
        lands: Lands::default(),
        watched: Vec::new(),
        ripe: Vec::new(),
        broken: 0,
        broken_at: BTreeSet::new(),
        outcome: ControlOutcome::Done,
        chance: Streams(seed).get("scripts"),
        keys: Controls::default(),
        head: None,
        own: Vec::new(),
        fires: Vec::new(),
        buildings: Vec::new(),
        truce_until: 0,
        spends_wood: false,
        stranded: (sim.body().feet(), 0),
        is_minding: false,
        is_roaming: false,
        monster: None,
        hidden_until: 0,
        retry_after: RetryAfter::default(),
        kept: Counts::default(),
        bare: None,
        pause: None,
        burrow: None,
        dig_costs: DigCosts::default(),
        break_speed: sim.body().hands.powers.break_speed,
    }
}

/// What the body knows of itself without looking.
fn feel(s: &mut Senses, sim: &Simulation) {
    let body = sim.body();
    s.tick = sim.tick();
    s.at = body.at;
    s.eyes = body.eyes();
    s.view = (body.yaw, body.pitch);
    s.time = sim.time_of_day();
    s.asleep = sim.is_asleep();
    s.float = sim.bobber().map(|bobber| bobber.float);
    s.on_ground = body.on_ground;
    s.in_water = body.touching.water > 0.0;
    s.eyes_in_water = body.touching.eyes_in_water;
    s.in_lava = body.touching.lava > 0.0;
    s.burning = body.vitals.burning > 0 || body.touching.fire;
    s.health = body.vitals.health;
    s.hunger = body.vitals.hunger as f32;
    s.since_blow = body.hands.since_blow;
    s.air = body.vitals.air;
    // Copied piece by piece: a clone would allocate every tick.
    s.slots.stacks.copy_from_slice(&body.slots.stacks);
    s.slots.selected = body.slots.selected;
    s.held = body.held();
    s.worn = body.worn;
    s.window = sim.window().gui;
    s.furnace = match (s.window, sim.window().at) {
        (Gui::Furnace, Some(at)) => frame::furnace_at(sim, at),
        _ => None,
    };
    s.level = body.experience.level;
    s.display = display(sim);
}

/// What flies or comes down.
fn watch_the_air(s: &mut Senses, sim: &Simulation, sight: &Sight) {
    s.is_shot_at = is_shot_at(sim, sight);
    watch_falling(s, sim, sight);
}

/// An arrow is near enough to be seen, and comes nearer.
fn is_shot_at(sim: &Simulation, sight: &Sight) -> bool {
    let (at, eyes) = (sim.body().at, sim.body().eyes());
    sim.arrows().iter().any(|arrow| {
        let (x, z) = (at.x - arrow.at.x, at.z - arrow.at.z);
        let comes = arrow.velocity.x * x + arrow.velocity.z * z > 0.0;
        comes && arrow.at.distance(at) < ARROW_SEEN && sight.knows(sim, eyes, arrow.at)
    })
}

/// Sand and gravel that are seen to come down nearby.
fn watch_falling(s: &mut Senses, sim: &Simulation, sight: &Sight) {
    s.falling.clear();
    let eyes = sim.body().eyes();
    let near = sim
        .falling()
        .iter()
        .map(|one| one.at.plus(0.0, 0.5, 0.0))
        .filter(|at| eyes.distance(*at) <= FALLING_SEEN);
    let in_sight = near
        .filter(|at| clear_sight::is_clear(sim.grid(), eyes, *at) && sight.knows(sim, eyes, *at));
    s.falling.extend(in_sight.map(Point::block));
}

/// What the open window shows.
fn display(sim: &Simulation) -> Display {
    let window = sim.window();
    match (window.gui, window.at, window.mob) {
        (Gui::Chest, Some(at), _) => sim.chest(at).map_or(Display::Nothing, |chest| {
            Display::Chest(chest.slots.counts())
        }),
        (Gui::EnchantingTable, ..) => Display::Offers(stations::shown(sim)),
        (Gui::Trade, _, Some(mob)) => sim
            .villagers()
            .get(mob)
            .map_or(Display::Nothing, |one| Display::Deals(one.deals().to_vec())),
        _ => Display::Nothing,
    }
}

/// The wool that is seen on a sheep.
fn fleece(mob: &Mob) -> Option<ItemId> {
    let has_wool = mob.kind == MobKind::Sheep && !mob.coat.shorn;
    mob.coat.wool().filter(|_| has_wool)
}

/// Which of the watched plants are seen to be ripe; from afar they all look alike.
fn watch_plants(s: &mut Senses, sim: &Simulation, sight: &Sight) {
    s.ripe.clear();
    if s.watched.is_empty() {
        return;
    }
    let (grid, eyes) = (sim.grid(), sim.body().eyes());
    let in_sight = |at: &&Pos| {
        let middle = at.centre();
        eyes.distance(middle) <= RIPENESS_RANGE
            && clear_sight::is_clear(grid, eyes, middle)
            && sight.knows(sim, eyes, middle)
    };
    let ripe = s.watched.iter().filter(in_sight);
    let ripe = ripe.filter(|at| growth::hands::is_ripe(grid, **at));
    s.ripe.extend(ripe);
}

/// What moves and lies about in sight.
fn glance(s: &mut Senses, sim: &Simulation, sight: &Sight) {
    let (grid, eyes) = (sim.grid(), sim.body().eyes());
    let range = sight::range(sim, s.sky);
    s.mobs.clear();
    for mob in sim.mobs().iter() {
        // Most are far off, and that is told without a root.
        let (x, z) = (mob.position.x - eyes.x, mob.position.z - eyes.z);
        if x * x + z * z > range * range + 1.0 {
            continue;
        }
        let (width, height) = mob.extent(sim.mobs().tick());
        let shows = |share: f64| {
            let part = mob.position.plus(0.0, height * share, 0.0);
            eyes.distance(part) <= range
                && sight::is_in_sight(grid, eyes, part)
                && sight.notices(sim, eyes, part)
        };
        let is_near = x * x + z * z < HEADS_NEAR * HEADS_NEAR;
        if shows(CHEST) || (is_near && shows(HEAD)) {
            s.mobs.push(Living {
                id: mob.number,
                kind: mob.kind,
                at: mob.position,
                is_baby: mob.is_baby(sim.mobs().tick()),
                wool: fleece(mob),
                held: mob.held,
                width,
                height,
                is_lit: mob.fuse > 0,
                is_angry: mob.is_angry(),
                drawn: mob.drawn,
                profession: sim.villagers().get(mob.number).map(|one| one.profession),
            });
        }
    }
    // Nearest first; ties by number.
    s.mobs.sort_by(|a, b| {
        eyes.distance(a.at)
            .total_cmp(&eyes.distance(b.at))
            .then(a.id.cmp(&b.id))
    });
    s.herds.note(&s.mobs, s.at, s.tick);
    watch_plants(s, sim, sight);
    s.loose.clear();
    if !sim.dropped().is_empty() {
        let known = sim.drops_in_sight().into_iter();
        let known = known.filter(|drop| sight.knows(sim, eyes, drop.at));
        s.loose.extend(known.map(|drop| Loose {
            item: drop.stack.item,
            at: drop.at,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{block, land};
    use crate::voxel::arrows::Arrow;
    use crate::voxel::controls::AimTarget;
    use crate::voxel::scripts::REFLEXES;

    /// What is known of an arrow, falling sand and ripe wheat ten blocks to the south.
    fn known(level: SenseLevel, yaw: f32) -> (bool, bool, bool) {
        let mut sim = land(&[(0, -1, 10, "farmland"), (0, 0, 10, "wheat")], &[]);
        sim.body_mut().yaw = yaw;
        let at = sim.body().feet();
        let plant = at.plus(0, 0, 10);
        sim.grid_mut().set_stage(plant, None);
        let mut being = SensingBody::new(sim, 1, REFLEXES, level);
        being.handle.with(|s| s.watched.push(plant));
        let keys = Controls {
            yaw,
            ..Controls::default()
        };
        // The first look goes all around.
        for _ in 0..40 {
            being.step(&keys);
        }
        being.sim.falling.release(at.plus(1, 6, 10), block("sand"));
        being.sim.arrows.loose(Arrow {
            at: at.plus(-1, 2, 10).centre(),
            velocity: Point::new(0.0, 0.0, -0.1),
            strength: 2.0,
            by: MobKind::Skeleton,
        });
        for _ in 0..4 {
            being.step(&keys);
        }
        let sees = |s: &mut Senses| (s.is_shot_at, !s.falling.is_empty(), !s.ripe.is_empty());
        being.handle.with(sees)
    }

    #[test]
    fn a_player_knows_what_flies_falls_and_ripens_before_its_eyes_only() {
        assert_eq!(known(SenseLevel::Player, 0.0), (true, true, true));
        assert_eq!(known(SenseLevel::Player, 180.0), (false, false, false));
        assert_eq!(known(SenseLevel::Scout, 180.0), (true, true, true));
    }

    #[test]
    fn a_frame_counts_each_place_once_at_which_the_body_broke_a_block() {
        let sim = land(&[(0, 1, 2, "dirt"), (0, 1, 3, "dirt")], &[]);
        let first = sim.body().feet().plus(0, 1, 2);
        let second = first.plus(0, 0, 1);
        let mut being = SensingBody::new(sim, 1, REFLEXES, SenseLevel::Player);
        let mut broken = Vec::new();
        let mut counted = Vec::new();
        while broken.len() < 3 && being.sim.tick() < 200 {
            let at = if broken.len() < 2 { first } else { second };
            let keys = Controls {
                attack: true,
                aim: Some(AimTarget::Block(at)),
                ..Controls::default()
            };
            let Some((at, what)) = being.step(&keys) else {
                continue;
            };
            // The first one comes back once.
            if broken.is_empty() {
                being.sim.grid_mut().set(at, what);
            }
            broken.push(at);
            counted.push(being.frame().broken);
        }
        assert_eq!(broken, [first, first, second]);
        assert_eq!(counted, [1, 1, 2]);
    }
}
