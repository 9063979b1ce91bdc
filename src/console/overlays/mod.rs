//! Overlays: what lies over any screen until it is answered or closed.

pub(crate) mod card;
pub mod clipboard;
pub(crate) mod draw;
pub(crate) mod edit_card;
pub mod gate_rule;
pub mod help;
pub(crate) mod known;
pub(crate) mod new_run;
pub(crate) mod outside;
pub mod pages;
pub mod palette;
pub mod rows;
pub mod triage;
pub mod typed;
