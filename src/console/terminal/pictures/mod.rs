//! Pictures: what the body sees at full resolution, written beside the frame by the terminal's owner.
//!
//! The cells below a picture stay blank, so that no cell holds anything but what can be printed.
//! Invariant: nothing but our own numbers, base64 and sixels is written, and no terminal is asked anything.

pub(crate) mod kitty;
pub(crate) mod placement;
pub(crate) mod sixel;
pub(crate) mod writer;

#[cfg(test)]
pub(crate) mod tests;
