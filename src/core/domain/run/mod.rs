//! A run: its events, and what an operator may ask of it and decide in it.

pub mod breakpoint;
pub mod breakpoint_match;
pub mod budget;
pub mod command;
pub mod compared_step;
pub mod decision;
pub mod event;
pub mod fork;
pub mod input;
pub mod outcome;
pub mod profile;
pub mod rulebook;
pub mod saying;
pub mod steering;
pub mod take_over;
pub mod triage;
