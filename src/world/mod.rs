//! The vocabulary of the body: space, items, blocks, recipes, actions, observations, and the port.
//!
//! Facts are tables read from `data/`, each built at first use. Nothing here knows a particular
//! world or changes one.

pub mod action;
pub mod aids;
pub mod armour;
pub mod block;
pub mod counts;
pub mod drops;
pub mod enchant;
pub mod enchanting;
pub mod experience;
pub mod extra;
pub mod family;
pub mod farming;
pub mod feat;
pub mod fishing;
pub mod fortune;
pub mod how;
pub mod inventory;
pub mod item;
pub mod keys;
pub mod loot;
pub mod mending;
pub mod mob;
pub mod naming;
pub mod natural;
pub mod observation;
pub mod ore;
pub mod port;
pub mod reach;
pub mod recipe;
pub mod seen;
pub mod smelting;
pub mod space;
pub mod trade;
pub mod uses;
