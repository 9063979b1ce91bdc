//! The phases of the loop: each states what follows from an input, or from the place where the run stands.
//!
//! Invariant: no phase calls another one. A phase ends by stating events, and `advance` finds the next phase in
//! the state that they give. What several phases do is in `transitions`.

pub(super) mod attribute;
pub(super) mod compare;
pub(super) mod decompose;
pub(super) mod execute;
pub(super) mod explain;
pub(super) mod judge;
pub(super) mod lookup;
pub(super) mod planning;
pub(super) mod recall;
pub(super) mod reflect;
pub(super) mod rejoin;
pub(super) mod select;
pub(super) mod study;
pub(super) mod summarise;
