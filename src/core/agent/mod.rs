//! The agent: a pure, synchronous core. `decide` speaks, `State::apply` changes, nothing performs.
//!
//! `phases` holds one file per phase of the loop, `operator` what commands do; both state events by way
//! of `transitions`. Invariants: no I/O, no clock and no chance in here; only `decide` calls a phase.

mod apply;
mod breakpoints;
mod budget;
mod closest_step;
mod decide;
mod drafts;
pub mod evidence;
mod executor;
pub mod fork;
pub mod goal_progress;
mod goal_tree;
pub mod hold_out;
#[cfg(test)]
mod hold_out_tests;
mod keep;
#[cfg(test)]
mod mind_tests;
mod monitor;
pub mod names;
mod node;
mod on_the_way;
mod operator;
#[cfg(test)]
mod parts_tests;
mod phases;
mod plan_ids;
pub mod reading;
#[cfg(test)]
mod rejoin_tests;
mod relevant;
mod repair;
mod repeated_plan;
mod risk;
mod selector;
mod similar_failures;
pub mod state;
mod stations_stay;
#[cfg(test)]
mod switch_tests;
mod told_cause;
mod transitions;
mod turn;
pub mod verify;

pub use decide::decide;
pub use state::State;
