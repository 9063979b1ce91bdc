//! Primitives: the smallest things that scripts are made of, each some ticks long.
//!
//! Travelling, following a path, handling blocks, items and windows. They know the senses and no
//! script; a reflex that interrupts them comes with the body's handle.

pub(crate) mod follow;
pub(crate) mod handling;
pub(crate) mod lava;
pub(crate) mod looking;
pub(crate) mod reflexes;
mod running;
pub(crate) mod straight;
pub(crate) mod travel;
