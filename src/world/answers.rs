//! Answers: what the tables say about an item or a family, worked out when somebody first asks.
//!
//! Planners and diagnoses ask the same all the time. Invariant: the tables do not change, so no answer does.

use crate::family::{FamilyId, ItemSpec};
use crate::item::ItemId;
use std::sync::OnceLock;

/// The answers to one question, by row of the table of items and of that of families.
#[derive(Debug)]
pub struct Answers<T> {
    work_out: fn(ItemSpec) -> Vec<T>,
    items: Vec<OnceLock<Vec<T>>>,
    families: Vec<OnceLock<Vec<T>>>,
}

impl<T> Answers<T> {
    /// The question. Working out an answer must not ask for the same one.
    #[must_use]
    pub fn new(work_out: fn(ItemSpec) -> Vec<T>) -> Self {
        Self {
            work_out,
            items: ItemId::all().map(|_| OnceLock::new()).collect(),
            families: FamilyId::all().map(|_| OnceLock::new()).collect(),
        }
    }

    /// What the tables say about it.
    #[must_use]
    pub fn about(&self, wanted: ItemSpec) -> &[T] {
        let answer = match wanted {
            ItemSpec::Item(item) => &self.items[usize::from(item.row())],
            ItemSpec::Family(family) => &self.families[usize::from(family.row())],
        };
        answer.get_or_init(|| (self.work_out)(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn each_answer_is_worked_out_once_and_belongs_to_what_was_asked_about() {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let answers = Answers::new(|wanted| {
            ASKED.fetch_add(1, Ordering::Relaxed);
            vec![wanted]
        });
        let items = ItemId::all().map(ItemSpec::Item);
        let all: Vec<ItemSpec> = items.chain(FamilyId::all().map(ItemSpec::Family)).collect();
        for wanted in all.iter().chain(&all) {
            assert_eq!(answers.about(*wanted), [*wanted]);
        }
        assert_eq!(ASKED.load(Ordering::Relaxed) as usize, all.len());
    }
}
