//! The vocabulary of a body in a block world, the World port, and the embedded world.
//!
//! Facts are tables read from `data/`, each built at first use. Nothing here knows of plans, minds
//! or knowledge; time, chance and identity come in as values.

pub mod abilities;
pub mod action;
pub mod aids;
pub mod answers;
pub mod armour;
pub mod block;
pub mod blueprint;
pub mod checksum;
pub mod clock;
pub mod counts;
pub mod drops;
pub mod enchant;
pub mod enchanting;
pub mod experience;
pub mod extra;
mod failure_words;
pub mod family;
pub mod farming;
pub mod feat;
pub mod filmed;
pub mod fishing;
pub mod fortune;
pub mod how;
pub mod ids;
pub mod infested;
pub mod inventory;
pub mod item;
pub mod keep;
pub mod keys;
pub mod loot;
pub mod mending;
pub mod mob;
pub mod mob_drop;
pub mod naming;
pub mod natural;
pub mod observation;
pub mod oracle;
pub mod ore;
pub mod port;
pub mod powers;
pub mod reach;
pub mod recipe;
pub mod reports;
pub mod rng;
pub mod seen;
pub mod smelting;
pub mod space;
pub mod start;
pub mod table18;
#[cfg(test)]
pub(crate) mod testing;
pub mod trade;
pub mod uses;
pub mod voxel;
pub mod wiki;
