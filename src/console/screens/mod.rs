//! The screens: each owns its state, its update and its drawing, and knows no other.

pub mod debug;
pub mod evaluate;
pub mod home;
pub mod inbox;
pub mod knowledge;
pub mod lineage;
pub mod live;
pub mod options;
pub mod runs;
