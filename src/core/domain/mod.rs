//! The nouns of the loop: plain data that every layer above speaks of.

pub mod check;
pub mod condition;
pub mod experience;
pub mod horizon;
pub mod knowledge;
pub mod mind;
pub mod plan;
pub mod run;
pub mod samples;
