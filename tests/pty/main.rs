//! The real binary in a pseudo-terminal: what is on the screen, what keys do, and how it ends.

#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

mod console;
mod debugging;
mod deciding;
mod editor;
mod jobs;
mod leaving;
mod looking;
mod outliving;
mod pictures;
mod soak;
mod starting;
mod streaming;
mod watching;
