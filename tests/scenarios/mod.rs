//! Scenarios: the core driven by scripts, without world, mind or disk.
//!
//! A script is lines of `plan`, `lesson`, `acts`, `at`, `opened`, `say`, `gate` and `rule`; the outcome is one line
//! of words that says what happened, in order.

mod acts;
mod ends;
mod gates;
mod lessons;
mod plans;
mod policy;
mod script;
mod stage;
mod steering;
mod verifier;
mod words;
