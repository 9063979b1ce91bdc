//! Overlays: what lies over any screen until it is answered or closed.

pub mod act;
pub(crate) mod columns;
pub(crate) mod draw;
pub mod help;
pub mod pages;
pub mod palette;
pub mod tell;
