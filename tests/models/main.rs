//! Language models as minds, against a real HTTP server in this process.

#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

mod client;
mod learning;
mod place;
mod run;
mod server;
