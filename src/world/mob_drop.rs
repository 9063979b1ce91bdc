//! What a mob may leave: a drop, to whom it falls and what looting does to it.
//!
//! How it is drawn is in `voxel::life::remains`.

use serde::Deserialize;

use crate::drops::Drop;

/// A row of what a mob leaves.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct MobDrop {
    #[serde(flatten)]
    pub drop: Drop,
    /// Only to the player who killed it; all else falls whoever did.
    #[serde(default)]
    pub players: bool,
    #[serde(default)]
    pub looting: Looting,
    /// A miss is as likely none, one short of none and so on, so many numbers in all; what looting adds makes up for it.
    #[serde(default)]
    pub misses: u32,
}

/// What each level of looting gains.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looting {
    /// Up to one piece more.
    #[default]
    Pieces,
    /// So much more chance.
    Chance(f32),
    Nothing,
}

impl MobDrop {
    /// The chance that the row falls at all.
    #[must_use]
    pub fn chance_at(&self, looting: u8) -> f64 {
        let more = match self.looting {
            Looting::Chance(each) => f64::from(each) * f64::from(looting),
            Looting::Pieces | Looting::Nothing => 0.0,
        };
        f64::from(self.drop.chance) + more
    }
}
