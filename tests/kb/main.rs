//! The knowledge base from the command line, as somebody would type it, and the database under kill -9.

#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

mod commands;
mod deleted;
mod exchange;
mod killed;
mod stage;
