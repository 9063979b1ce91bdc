//! The checksum of a whole simulation: one number that differs when anything does.
//!
//! Edits of the grid are summed as they happen; the rest is small and listed here, to be summed when somebody asks.
//! Invariant: equal simulations, equal sums; the order of the fields is fixed.

use super::arrows::Arrows;
use super::body::fishing_line::FishingLine;
use super::body::rest::Rest;
use super::body::vitals::Vitals;
use super::body::{PlayerBody, Touching};
use super::dropped::DroppedItems;
use super::falling::FallingBlocks;
use super::orbs::Orbs;
use super::sim::Simulation;
use super::window::Window;
use crate::checksum::{Checksum, Parts};
use crate::experience::ExperiencePoints;
use crate::inventory::{Slots, Stack};
use crate::space::{Point, Pos};

struct Sum(Parts);

impl Sum {
    fn add(&mut self, value: u64) {
        self.0.add(value);
    }

    fn add_text(&mut self, text: &'static str) {
        self.0.add_text(text);
    }

    fn int(&mut self, value: i32) {
        self.add(u64::from(value.cast_unsigned()));
    }

    fn float(&mut self, value: f64) {
        self.add(value.to_bits());
    }

    fn flags(&mut self, flags: &[bool]) {
        self.add(
            flags
                .iter()
                // Starts with 1, so that leading zeros count: no flags and one false flag
                // differ.
                .fold(1, |bits, flag| bits << 1 | u64::from(*flag)),
        );
    }

    fn point(&mut self, point: Point) {
        self.float(point.x);
        self.float(point.y);
        self.float(point.z);
    }

    fn pos(&mut self, pos: Pos) {
        self.int(pos.x);
        self.int(pos.y);
        self.int(pos.z);
    }

    fn stack(&mut self, stack: Option<Stack>) {
        let Some(stack) = stack else {
            return self.add(0);
        };
        self.add_text(stack.item.name());
        self.add(u64::from(stack.count) << 32 | u64::from(stack.damage));
        // Plain stacks add nothing, so sums from before there were extras stay the same.
        if !stack.extra.is_plain() {
            self.add(stack.extra.bits());
        }
    }

    fn slots(&mut self, slots: &Slots) {
        self.add(slots.selected as u64);
        slots.stacks.iter().for_each(|stack| self.stack(*stack));
    }
}

impl Simulation {
    /// Equal worlds have equal sums. Nothing is summed yet: frames ask for it that nobody keeps.
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        // Taken apart by name: whoever adds a field sees this list; the two dots stand for
        // what follows from the rest.
        let Self {
            grid,
            body,
            fluids,
            mobs,
            arrows,
            falling,
            orbs,
            growth,
            whims,
            clouds,
            dropped,
            furnaces,
            chests,
            window,
            line,
            rest,
            charm,
            charms,
            villagers,
            feats,
            crafted,
            luck,
            tick,
            ..
        } = self;
        let mut sum = Sum(Parts::new(*tick));
        sum.add(grid.checksum());
        sum.add(fluids.checksum());
        sum.add(mobs.checksum());
        sum.add(growth.checksum());
        sum.add(luck.state());
        sum.add(whims.state());
        clouds.state().into_iter().for_each(|part| sum.add(part));
        sum.add(*charm);
        sum.add(charms.state());
        sum.add(villagers.checksum());
        add_body(&mut sum, body);
        add_arrows(&mut sum, arrows);
        add_falling(&mut sum, falling);
        add_orbs(&mut sum, orbs);
        add_dropped(&mut sum, dropped);
        for (at, furnace) in furnaces {
            sum.pos(*at);
            [furnace.input, furnace.fuel, furnace.output]
                .into_iter()
                .for_each(|slot| sum.stack(slot));
            sum.add(u64::from(furnace.burn) << 32 | u64::from(furnace.cook));
            sum.add(u64::from(furnace.learnt));
        }
        for (at, chest) in chests {
            sum.pos(*at);
            sum.slots(&chest.slots);
        }
        add_window(&mut sum, window);
        add_rest(&mut sum, line, *rest);
        for (feat, item, count) in feats.iter() {
            sum.add(feat as u64);
            sum.add_text(item.name());
            sum.add(u64::from(count));
        }
        for (item, count) in crafted.iter() {
            sum.add_text(item.name());
            sum.add(u64::from(count));
        }
        sum.0.into()
    }
}

fn add_arrows(sum: &mut Sum, arrows: &Arrows) {
    for arrow in arrows.iter() {
        sum.point(arrow.at);
        sum.point(arrow.velocity);
        sum.float(arrow.strength);
    }
}

/// Nothing falls: nothing is added, as with all that is rarely there.
fn add_falling(sum: &mut Sum, falling: &FallingBlocks) {
    for one in falling.iter() {
        sum.add_text(one.block.name());
        sum.point(one.at);
        sum.float(one.speed);
    }
}

fn add_orbs(sum: &mut Sum, orbs: &Orbs) {
    if let Some((rest, chance)) = orbs.private_state() {
        sum.add(u64::from(rest));
        sum.add(chance);
    }
    for orb in orbs.iter() {
        sum.point(orb.at);
        sum.point(orb.velocity);
        sum.add(u64::from(orb.points) << 32 | u64::from(orb.age));
    }
}

fn add_dropped(sum: &mut Sum, dropped: &DroppedItems) {
    for item in &dropped.items {
        sum.add(item.id);
        sum.stack(Some(item.stack));
        sum.point(item.at);
        sum.point(item.velocity);
        sum.add(u64::from(item.age) << 8 | u64::from(item.delay));
    }
}

fn add_rest(sum: &mut Sum, line: &FishingLine, rest: Rest) {
    let (chance, bobber) = line.state();
    sum.add(chance);
    if let Some((at, float)) = bobber {
        sum.point(at);
        sum.add(float);
    }
    sum.add(rest.slept);
    if let Some((at, ticks)) = rest.asleep {
        sum.pos(at);
        sum.add(u64::from(ticks));
    }
}

fn add_window(sum: &mut Sum, window: &Window) {
    sum.add_text(window.gui.name());
    sum.add(u64::from(window.opened) << 32 | u64::from(window.closed));
    sum.add(window.clicks.map_or(0, |(_, ticks)| u64::from(ticks)));
    // One more than the number: none and number 0 must differ.
    sum.add(window.mob.map_or(0, |mob| mob + 1));
    sum.add(window.laid.map_or(0, |slot| slot as u64 + 1));
    sum.add(
        window
            .busy
            .as_ref()
            .map_or(0, |(_, ticks)| u64::from(*ticks)),
    );
}

fn add_body(sum: &mut Sum, body: &PlayerBody) {
    let (vitals, hands) = (&body.vitals, &body.hands);
    sum.point(body.at);
    sum.point(body.velocity);
    sum.add(u64::from(body.yaw.to_bits()) << 32 | u64::from(body.pitch.to_bits()));
    let gait = [body.on_ground, body.bumped, body.sprinting, body.sneaking];
    sum.flags(&gait);
    add_touching(sum, body.touching);
    sum.float(body.fallen);
    add_vitals(sum, vitals);
    sum.slots(&body.slots);
    let (worn, wear) = body.worn.state();
    // Nothing worn adds nothing, so sums from before there was armour stay the same.
    if worn.iter().any(Option::is_some) {
        worn.iter().for_each(|stack| sum.stack(*stack));
        sum.add(wear);
    }
    sum.add(u64::from(hands.rest) << 32 | u64::from(hands.eating));
    sum.add(u64::from(hands.since_blow) << 8 | u64::from(body.jump_delay));
    if let Some(work) = hands.digging {
        sum.pos(work.at);
        sum.float(work.progress);
    }
    sum.add_text(body.death.map_or("", |cause| cause.name()));
    let ExperiencePoints { level, points } = body.experience;
    sum.add(u64::from(level) << 32 | u64::from(points));
}

fn add_touching(sum: &mut Sum, touching: Touching) {
    let Touching {
        water,
        lava,
        eyes_in_water,
        climbable,
        fire,
        cactus,
        web,
        head_in_block,
    } = touching;
    sum.float(water);
    sum.float(lava);
    sum.flags(&[eyes_in_water, climbable, fire, cactus, web, head_in_block]);
}

fn add_vitals(sum: &mut Sum, vitals: &Vitals) {
    let Vitals {
        health,
        hunger,
        saturation,
        exhaustion,
        air,
        burning,
        shield,
        last_hurt,
        food_timer,
    } = *vitals;
    for value in [health, saturation, exhaustion, last_hurt] {
        sum.add(u64::from(value.to_bits()));
    }
    sum.int(air);
    sum.add(u64::from(hunger) << 32 | u64::from(burning));
    sum.add(u64::from(food_timer) << 8 | u64::from(shield));
}
