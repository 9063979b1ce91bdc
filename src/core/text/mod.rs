//! Text as text: cleaning, matching and naming it, numbers for people, and files written whole.
//!
//! Invariant: nothing here knows what a text is about.

pub mod atomic_file;
pub mod clean;
pub mod glob;
pub mod hostile;
pub mod json_place;
pub mod nearest;
pub mod ngrams;
pub mod numbers;
pub mod signature;
pub mod temporary;
pub mod untrusted_file;
pub mod utf8;
