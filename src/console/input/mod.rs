//! Input: keys, the mouse and what they mean where.

pub mod bindings;
pub mod keymap;
pub mod keys;
pub(crate) mod mouse;
pub(crate) mod scopes;
pub mod terminal;
pub mod typed;
