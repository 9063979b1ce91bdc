//! Key presses: what a player's keyboard and mouse say in one tick (Table 3 of Steve-Evolving).
//!
//! The raw level of the body for whoever plays by hand or learns to. Invariant: one `KeyPresses` a tick.

use serde::{Deserialize, Serialize};

/// One tick of keyboard and mouse; everything unset is a key that is not down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyPresses {
    pub forward: bool,
    pub back: bool,
    pub left: bool,
    pub right: bool,
    pub jump: bool,
    pub sneak: bool,
    pub sprint: bool,
    /// Left button: hit, break.
    pub attack: bool,
    /// Right button: place, open, use.
    pub r#use: bool,
    /// Throw away one of what is in hand.
    pub drop: bool,
    /// Open or close the inventory.
    pub inventory: bool,
    /// Hotbar slot to select, 1 to 9.
    pub hotbar: Option<u8>,
    /// Degrees to turn the view, right and down positive.
    pub camera: [f32; 2],
}
