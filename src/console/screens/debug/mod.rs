//! Debug: one attempt in full, what the operator has chosen of it, and where that is shown.
//!
//! The evidence is read by a thread of its own (`loader`); drawing and keys work on what it has brought.
//! Invariant: nothing here changes a run; what is to be changed is asked for as an effect.

pub mod breaks;
pub mod charts;
pub mod compare;
pub(crate) mod draw;
pub(crate) mod draw_overlay;
pub mod forking;
pub mod frames;
pub mod inspection;
pub mod loader;
pub mod mind;
pub mod observed;
pub(crate) mod offers;
pub mod overlay;
pub mod pages;
pub mod parts;
pub mod place;
pub mod readings;
pub(crate) mod relabel;
pub mod state;
pub mod strips;
pub mod thresholds;
pub mod tree;
pub mod update;

#[cfg(test)]
mod tests;
