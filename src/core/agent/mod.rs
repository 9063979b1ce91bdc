//! The agent: a pure, synchronous core. `decide` speaks, `State::apply` changes, nothing performs.
//!
//! One file per phase of the loop. Invariant: no I/O, no clock and no chance in here; what the
//! events ask for is performed by the runtime.

mod apply;
mod attribute;
mod decide;
mod decompose;
mod distil;
pub mod evidence;
mod execute;
mod executor;
mod explain;
mod failing;
mod finish;
pub mod fork;
mod gate;
mod guidance;
mod likes;
#[cfg(test)]
mod mind_tests;
pub mod names;
mod operator;
mod planning;
mod policy;
pub mod reading;
#[cfg(test)]
mod reading_tests;
mod recall;
mod recount;
mod reflect;
mod risk;
mod select;
mod similar;
mod spending;
pub mod state;
mod steer;
pub mod stops;
mod study;
mod study_read;
mod tree;
mod turn;
pub mod verify;

pub use decide::decide;
pub use state::State;
