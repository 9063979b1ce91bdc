//! A tree as a value: its kind, where its lowest log stands and how high its trunk is.
//!
//! Biomes name kinds of trees and `trees` places them by biome, so both build on this file, which
//! knows neither.

use crate::block::{self as blocks, BlockId};
use crate::rng::Rng;

/// A kind of tree; giant mushrooms count as trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeKind {
    Oak,
    BigOak,
    SwampOak,
    Birch,
    Spruce,
    Jungle,
    JungleBush,
    BigJungle,
    Acacia,
    DarkOak,
    BrownMushroom,
    RedMushroom,
}

impl TreeKind {
    pub(crate) fn log(self) -> BlockId {
        match self {
            Self::Oak | Self::BigOak | Self::SwampOak => blocks::OAK_LOG,
            Self::Birch => blocks::BIRCH_LOG,
            Self::Spruce => blocks::SPRUCE_LOG,
            Self::Jungle | Self::JungleBush | Self::BigJungle => blocks::JUNGLE_LOG,
            Self::Acacia => blocks::ACACIA_LOG,
            Self::DarkOak => blocks::DARK_OAK_LOG,
            Self::BrownMushroom | Self::RedMushroom => blocks::MUSHROOM_STEM,
        }
    }

    pub(crate) fn leaves(self) -> BlockId {
        match self {
            Self::Oak | Self::BigOak | Self::SwampOak | Self::JungleBush => blocks::OAK_LEAVES,
            Self::Birch => blocks::BIRCH_LEAVES,
            Self::Spruce => blocks::SPRUCE_LEAVES,
            Self::Jungle | Self::BigJungle => blocks::JUNGLE_LEAVES,
            Self::Acacia => blocks::ACACIA_LEAVES,
            Self::DarkOak => blocks::DARK_OAK_LEAVES,
            Self::BrownMushroom => blocks::BROWN_MUSHROOM_BLOCK,
            Self::RedMushroom => blocks::RED_MUSHROOM_BLOCK,
        }
    }

    pub(crate) fn has_vines(self) -> bool {
        matches!(self, Self::SwampOak | Self::Jungle | Self::BigJungle)
    }

    /// Shortest trunk and how many heights there are.
    /// The second number counts heights: oak (4, 3) has trunks of 4, 5 or 6.
    pub(crate) fn trunk(self) -> (i32, u64) {
        match self {
            Self::Oak => (4, 3),
            Self::BigOak => (7, 4),
            Self::SwampOak | Self::Birch | Self::Acacia => (5, 3),
            Self::Spruce => (6, 4),
            Self::Jungle => (5, 6),
            Self::JungleBush => (1, 1),
            Self::BigJungle => (12, 10),
            Self::DarkOak => (6, 3),
            Self::BrownMushroom | Self::RedMushroom => (5, 3),
        }
    }
}

/// A tree that stands somewhere.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) kind: TreeKind,
    /// The lowest log.
    pub(crate) base: [i32; 3],
    pub(crate) trunk: i32,
    /// Carries on from the draw that placed the tree; the shape is drawn from here.
    pub(crate) rng: Rng,
}
