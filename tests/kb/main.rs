//! The knowledge base from the command line, as somebody would type it, and under kill -9.

#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

mod commands;
mod exchange;
mod killed;
mod stage;
