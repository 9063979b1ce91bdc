//! Text as text: reading it, matching it, and short stable names for it.
//!
//! Nothing here knows what a text is about.

pub mod glob;
pub mod json_place;
pub mod ngrams;
pub mod signature;
pub mod utf8;
