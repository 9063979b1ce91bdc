//! Headless: runs without a console, and the summary that scripts read.
//!
//! A sibling of the console: it holds the same link and sees the same events.

mod follow;
mod lines;
mod summary;

pub use follow::{FollowEnd, Followed, follow};
pub use lines::{fields, headline, line};
pub use summary::{OPEN, Summary};
