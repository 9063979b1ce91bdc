//! Lists: what every screen that is a list does and looks like, below the screens themselves.

pub mod draw;
pub mod update;
pub mod views;
