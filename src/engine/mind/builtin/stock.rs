//! Stock: what will be held when the steps planned so far are done.

use super::demand::Step;
use pithead_core::domain::knowledge::pattern::within;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::smelting::burn_ticks;
use std::collections::BTreeMap;

/// What will be held, by thing: "any log" is kept apart from oak logs.
#[derive(Debug, Clone, Default)]
pub(super) struct Stock(BTreeMap<ItemSpec, u32>);

impl Stock {
    pub(super) fn of(counts: &Counts) -> Self {
        Self(
            counts
                .iter()
                .map(|(item, count)| (item.into(), count))
                .collect(),
        )
    }

    /// What is held when these steps are done.
    pub(super) fn after(held: &Counts, path: &[Step]) -> Counts {
        let mut stock = Self::of(held);
        path.iter().for_each(|step| stock.go_on(step));
        stock.counts()
    }

    pub(super) fn held(&self, wanted: ItemSpec) -> u32 {
        self.0
            .iter()
            .filter(|(item, _)| within(**item, wanted))
            .map(|(_, count)| count)
            .sum()
    }

    pub(super) fn add(&mut self, item: ItemSpec, count: u32) {
        *self.0.entry(item).or_default() += count;
    }

    pub(super) fn take(&mut self, wanted: ItemSpec, count: u32) {
        let mut left = count;
        // What was got for this very purpose goes first.
        // Exactly this thing before others of its family, so that "any log" stays
        // available.
        let exact = self.0.get_mut(&wanted).into_iter();
        for held in exact {
            let taken = left.min(*held);
            (*held, left) = (*held - taken, left - taken);
        }
        // Then as the body does: what does not burn, then the most plentiful kind; of equals the first of the family.
        let mut kinds: Vec<ItemSpec> = self.0.keys().copied().collect();
        kinds.retain(|item| within(*item, wanted));
        let place = |item: &ItemSpec| {
            let members = wanted.members().iter();
            members
                .copied()
                .position(|member| ItemSpec::Item(member) == *item)
        };
        let burns = |item: &ItemSpec| {
            let mut members = item.members().iter();
            members.any(|item| burn_ticks(*item).is_some())
        };
        kinds.sort_by_key(|item| (burns(item), std::cmp::Reverse(self.0[item]), place(item)));
        for item in kinds {
            if let Some(held) = self.0.get_mut(&item) {
                let taken = left.min(*held);
                (*held, left) = (*held - taken, left - taken);
            }
        }
        self.0.retain(|_, held| *held > 0);
    }

    /// As it is once the step is done.
    pub(super) fn go_on(&mut self, step: &Step) {
        for (item, count) in &step.uses {
            self.take(*item, *count);
        }
        self.add(step.item, step.make);
    }

    /// As pieces: of "any log" the first kind stands for all.
    pub(super) fn counts(&self) -> Counts {
        // A family has no piece of its own; any member will do for counting.
        let piece = |(item, count): (&ItemSpec, &u32)| Some((*item.members().first()?, *count));
        self.0.iter().filter_map(piece).collect()
    }
}
