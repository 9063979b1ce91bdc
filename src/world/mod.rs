//! The vocabulary of a body in a block world: items, blocks, recipes and the other true facts of the game.
//!
//! Facts are tables read from `data/`, each built at first use. Nothing here knows a particular world or changes one.

pub mod block;
pub mod counts;
pub mod drops;
pub mod family;
pub mod inventory;
pub mod item;
pub mod mob;
pub mod naming;
pub mod ore;
pub mod reach;
pub mod recipe;
pub mod smelting;
