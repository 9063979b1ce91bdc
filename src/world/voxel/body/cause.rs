//! What hurts a body, and what it may die of.

use crate::mob::MobKind;

/// What the body died of, or was hurt by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Fall,
    Lava,
    Fire,
    Drowning,
    Suffocation,
    Starvation,
    Cactus,
    Void,
    Mob(MobKind),
}

impl Cause {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fall => "fall",
            Self::Lava => "lava",
            Self::Fire => "fire",
            Self::Drowning => "drowning",
            Self::Suffocation => "suffocation",
            Self::Starvation => "starvation",
            Self::Cactus => "cactus",
            Self::Void => "void",
            Self::Mob(kind) => kind.name(),
        }
    }
}
