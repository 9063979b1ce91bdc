//! Knowledge: what experience is distilled into, the words for it, and the rules of its life.
//!
//! Pure: the entries themselves are kept by the journal and moved along by the agent's events.

pub mod active;
pub mod attempt_tree;
pub mod backtest;
pub mod base_index;
pub mod contradiction;
pub mod deadlock;
pub mod exchange;
pub mod graph;
pub mod guesses;
pub mod history;
pub mod life;
pub mod lifting;
pub mod lint;
pub mod needed;
pub mod possible;
pub mod post_mortem;
pub mod queue;
pub mod reading;
pub mod rule_scores;
pub mod rules;
pub mod sequences;
pub mod skills;
mod slice;
pub mod targets;
pub mod uses;
pub mod why;

pub use slice::flow_of_success;
