//! Headless: runs without a console, and the summary that scripts read.
//!
//! A sibling of the console: it holds the same link and sees the same events.

mod follow;
mod inspect;
mod lines;
mod otel;
mod spans;
mod summary;

pub use follow::{FollowEnd, Followed, follow};
pub use inspect::inspect_log;
pub use lines::{fields, headline, line};
pub use otel::otel_trace;
pub use spans::{CallSpan, RunMark, RunSpan, RunSpans, SpanKind, spans_of};
pub use summary::{OPEN, Summary};
