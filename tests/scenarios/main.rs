//! Scenarios: the core driven by scripts, without world, mind or disk.
//!
//! A script is lines of `plan`, `lesson`, `acts`, `at`, `opened`, `say` and `gate`; the outcome is one line
//! of words that says what happened, in order.

mod acts;
mod ends;
mod gates;
mod lessons;
mod plans;
mod script;
mod stage;
mod words;
