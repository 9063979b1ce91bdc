//! State of the options: which items they are about, and whether circumstances have rows of their own.

use pithead_core::domain::experience::option::OptionRecord;
use pithead_world::family::ItemSpec;

/// What the list is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionsSubject {
    /// An entry, an attempt or a step, in words; empty for all options.
    pub name: String,
    /// Ways to get one of these; all ways if none is named.
    pub targets: Vec<ItemSpec>,
    pub by_circumstance: bool,
}

/// What was read, and for which subject.
#[derive(Debug, Clone)]
pub struct OptionsReading {
    pub subject: OptionsSubject,
    pub records: Vec<OptionRecord>,
}
