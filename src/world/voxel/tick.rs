//! The one order in which a tick happens.
//!
//! Every rule of the world is called from here and none calls another tick. Invariant: the order
//! below is part of the world: a change of it changes every checksum.

use super::body::{angling, bed, hands, harm, physics, turn, wearing};
use super::controls::{ControlOutcome, Controls};
use super::furnace::Furnace;
use super::gui;
use super::sim::Simulation;

impl Simulation {
    /// One tick (1/20 s), always in this order: look, hands, currents, feet, weather, harm and hunger, window, fluids,
    /// falling blocks, loose items, orbs, furnaces, mobs, plants, wear of what is worn. Nothing happens to a dead body, and time stands still for it.
    pub fn step(&mut self, controls: &Controls) -> ControlOutcome {
        if !self.body.alive() {
            return ControlOutcome::Refused("the body is dead");
        }
        let body = &mut self.body;
        // Look before hands: a click acts on what the body looks at in this tick.
        (body.yaw, body.pitch) = turn::tidy(controls.yaw, controls.pitch, (body.yaw, body.pitch));
        let outcome = hands::act(self, controls);
        self.drift();
        let moved = if self.window.gui.is_open() {
            // Keys go to the window; only gravity and momentum still move the body.
            physics::step(&mut self.body, &self.grid, &Controls::default())
        } else {
            physics::step(&mut self.body, &self.grid, controls)
        };
        let feet = self.body.feet();
        let chunk = (feet.x >> 4, feet.z >> 4);
        // Chunks are loaded as soon as the feet enter a new one, before anything below asks
        // for blocks there.
        if chunk != self.chunk {
            self.chunk = chunk;
            self.load_chunks();
        }
        self.clouds.step();
        // Rain puts out a burning body before the fire can hurt it in this tick.
        if self.body.vitals.burning > 0 && self.rains_on(feet) {
            self.body.vitals.burning = 0;
        }
        harm::step(&mut self.body, moved);
        gui::check(self);
        bed::step(self, controls);
        angling::step(self);
        self.let_fall();
        self.dropped.step(&self.grid, &self.fluids, &mut self.body);
        self.let_learn();
        self.furnaces.values_mut().for_each(Furnace::step);
        self.let_live();
        self.let_trade();
        self.let_grow();
        wearing::step(self);
        // The count goes up last, so that everything above belongs to one tick.
        self.tick += 1;
        if !self.body.alive() {
            self.window.close();
        }
        outcome
    }
}
