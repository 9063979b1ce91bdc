//! Furnaces: three slots, a fire and a clock, by the rules of 1.16.
//!
//! Invariant: an item leaves a slot only into another slot, the fire or the product.

use super::controls::FurnaceSlot;
use crate::inventory::Stack;
use crate::item::ItemId;
use crate::smelting::{COOK_TICKS, burn_ticks, smelting_xp, smelts_to};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Furnace {
    pub input: Option<Stack>,
    pub fuel: Option<Stack>,
    /// Holds one kind only; a full or foreign output stops the work.
    pub output: Option<Stack>,
    /// Ticks the fire still burns.
    /// Set to the burn time of a piece when that is lit; the piece is gone at once.
    pub burn: u32,
    /// Ticks the present piece has cooked, of 200.
    /// The fire goes down first: a piece lit in the last tick burns its full time.
    pub cook: u32,
    /// Experience in what was cooked and not taken out yet, in hundredths of a point.
    pub learnt: u32,
}

impl Furnace {
    #[must_use]
    pub fn is_lit(&self) -> bool {
        self.burn > 0
    }

    #[must_use]
    pub fn slot(&self, slot: FurnaceSlot) -> Option<Stack> {
        match slot {
            FurnaceSlot::Input => self.input,
            FurnaceSlot::Fuel => self.fuel,
            FurnaceSlot::Output => self.output,
        }
    }

    pub(super) fn slot_mut(&mut self, slot: FurnaceSlot) -> &mut Option<Stack> {
        match slot {
            FurnaceSlot::Input => &mut self.input,
            FurnaceSlot::Fuel => &mut self.fuel,
            FurnaceSlot::Output => &mut self.output,
        }
    }

    /// All pieces in it.
    #[must_use]
    pub fn items(&self) -> u32 {
        self.stacks().map(|stack| stack.count).sum()
    }

    pub(super) fn stacks(&self) -> impl Iterator<Item = Stack> {
        [self.input, self.fuel, self.output].into_iter().flatten()
    }

    /// One tick of burning and cooking.
    pub(super) fn step(&mut self) {
        self.burn = self.burn.saturating_sub(1);
        let product = self.product();
        // A new piece is lit only if there is something to cook, so no fuel is wasted.
        if self.burn == 0 && product.is_some() {
            self.stoke();
        }
        match product {
            Some(product) if self.burn > 0 => {
                self.cook += 1;
                if self.cook >= COOK_TICKS {
                    self.cook = 0;
                    self.finish(product);
                }
            }
            // With nothing to cook the progress is lost at once while the fire burns.
            None if self.burn > 0 => self.cook = 0,
            // What the fire left goes cold, twice as fast as it cooked.
            _ => self.cook = self.cook.saturating_sub(2),
        }
    }

    /// What the input becomes, if the output slot has room for it.
    fn product(&self) -> Option<ItemId> {
        let product = smelts_to(self.input?.item)?;
        let fits = self
            .output
            .is_none_or(|out| out.item == product && out.count < product.facts().stack_max);
        fits.then_some(product)
    }

    fn stoke(&mut self) {
        let Some(fuel) = self.fuel else { return };
        let Some(ticks) = burn_ticks(fuel.item) else {
            return;
        };
        self.burn = ticks;
        self.fuel = less_one(fuel);
        // The bucket stays behind, as in the game.
        if self.fuel.is_none() && fuel.item.name() == "lava_bucket" {
            self.fuel = ItemId::named("bucket").map(|bucket| Stack::new(bucket, 1));
        }
    }

    fn finish(&mut self, product: ItemId) {
        if let Some(input) = self.input {
            // In hundredths, because most smelting gives a fraction of a point.
            self.learnt += (smelting_xp(input.item) * 100.0).round() as u32;
        }
        self.input = self.input.and_then(less_one);
        let made = self.output.map_or(0, |out| out.count);
        self.output = Some(Stack::new(product, made + 1));
    }
}

fn less_one(stack: Stack) -> Option<Stack> {
    (stack.count > 1).then(|| Stack {
        count: stack.count - 1,
        ..stack
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(name: &str, count: u32) -> Option<Stack> {
        Some(Stack::new(name.parse().unwrap(), count))
    }

    #[test]
    fn one_coal_smelts_eight_in_eighty_seconds() {
        let mut furnace = Furnace {
            input: stack("iron_ore", 9),
            fuel: stack("coal", 1),
            ..Furnace::default()
        };
        (0..1599).for_each(|_| furnace.step());
        assert_eq!(furnace.output, stack("iron_ingot", 7));
        furnace.step();
        assert_eq!(
            (furnace.output, furnace.input, furnace.fuel),
            (stack("iron_ingot", 8), stack("iron_ore", 1), None)
        );
        (0..1000).for_each(|_| furnace.step());
        assert_eq!((furnace.items(), furnace.burn, furnace.cook), (9, 0, 0));
    }

    #[test]
    fn a_full_output_stops_the_cooking_and_keeps_the_fuel() {
        let mut furnace = Furnace {
            input: stack("sand", 5),
            fuel: stack("coal", 2),
            output: stack("glass", 64),
            ..Furnace::default()
        };
        (0..500).for_each(|_| furnace.step());
        assert_eq!(
            (furnace.fuel, furnace.input, furnace.burn),
            (stack("coal", 2), stack("sand", 5), 0)
        );
    }

    #[test]
    fn lava_leaves_its_bucket() {
        let mut furnace = Furnace {
            input: stack("sand", 1),
            fuel: stack("lava_bucket", 1),
            ..Furnace::default()
        };
        furnace.step();
        assert_eq!((furnace.fuel, furnace.burn), (stack("bucket", 1), 20_000));
    }
}
