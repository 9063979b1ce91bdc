//! All tests of the whole program except those in a pseudo-terminal, in one binary, because linking is slow.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)] // a test may stop at the first surprise, print what one reads when it fails, and wait

mod architecture;
mod cli;
mod diagnosis;
mod docs;
mod eval;
mod fuzz;
mod kb;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod killed;
mod learning;
mod minecraft;
mod models;
mod old_database;
mod resume;
mod scenarios;
mod shared_database;
#[cfg(unix)]
mod telling;
