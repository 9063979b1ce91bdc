//! The runs screen: all runs of the database, and what is done with many of them.

pub mod bulk;
pub mod comparison;
pub mod heat;
pub mod state;
pub(crate) mod update;
