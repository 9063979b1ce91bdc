//! Text as text: what files hold and how alike two texts are.
//!
//! Nothing here knows what a text is about.

pub mod ngrams;
pub mod utf8;
