//! The live screen: one run, live or recorded.

pub(crate) mod answer;
pub(crate) mod camera;
pub(crate) mod draw;
pub mod event_filter;
pub mod layout;
pub(crate) mod overlay;
pub mod pages;
pub mod panes;
pub mod scenery;
pub(crate) mod seat;
pub mod select;
pub mod state;
pub mod update;

#[cfg(test)]
mod mind_tests;
#[cfg(test)]
mod system_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_tests;
