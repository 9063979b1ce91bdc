//! Extra: what tells two pieces of the same item apart besides wear.
//!
//! Small and `Copy`, for every slot carries one. Invariant: pieces with different extras never share a slot.

use serde::{Deserialize, Serialize};

use crate::enchant::Enchants;
use crate::item::ItemId;

/// Marks a colour that is there, above its 24 bits.
const DYED: u32 = 1 << 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Extra {
    /// On the thing itself; on an enchanted book: those stored in it.
    #[serde(skip_serializing_if = "Enchants::is_empty")]
    pub enchants: Enchants,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
    /// What the next work at an anvil costs more.
    #[serde(skip_serializing_if = "is_zero")]
    pub toil: u32,
}

// Serde hands over a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(toil: &u32) -> bool {
    *toil == 0
}

impl Extra {
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Stands for the extra in checksums.
    #[must_use]
    pub fn bits(&self) -> u64 {
        let colour = self.colour.map_or(0, |colour| DYED | colour.rgb());
        self.enchants.bits() ^ (u64::from(colour) << 32 | u64::from(self.toil)).rotate_left(7)
    }
}

/// The colour of dyed leather.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Colour(pub [u8; 3]);

/// The colours that dyes give to leather.
const DYES: [(&str, u32); 16] = [
    ("white_dye", 0xF9FFFE),
    ("orange_dye", 0xF9801D),
    ("magenta_dye", 0xC74EBD),
    ("light_blue_dye", 0x3AB3DA),
    ("yellow_dye", 0xFED83D),
    ("lime_dye", 0x80C71F),
    ("pink_dye", 0xF38BAA),
    ("gray_dye", 0x474F52),
    ("light_gray_dye", 0x9D9D97),
    ("cyan_dye", 0x169C9C),
    ("purple_dye", 0x8932B8),
    ("blue_dye", 0x3C44AA),
    ("brown_dye", 0x835432),
    ("green_dye", 0x5E7C16),
    ("red_dye", 0xB02E26),
    ("black_dye", 0x1D1D21),
];

impl Colour {
    fn rgb(self) -> u32 {
        let [r, g, b] = self.0.map(u32::from);
        r << 16 | g << 8 | b
    }

    /// The colour of a dye; None for what is no dye.
    #[must_use]
    pub fn of_dye(dye: ItemId) -> Option<Self> {
        let (_, rgb) = DYES.iter().find(|(name, _)| *name == dye.name())?;
        Some(Self([(rgb >> 16) as u8, (rgb >> 8) as u8, *rgb as u8]))
    }

    /// Two colours mixed: their mean, as bright as they are on the mean.
    #[must_use]
    pub fn mixed(self, other: Self) -> Self {
        let brightest = |c: [u8; 3]| u32::from(c.into_iter().max().unwrap_or(0));
        let bright = u32::midpoint(brightest(self.0), brightest(other.0));
        let mut mean = [0_u8; 3];
        for (channel, (a, b)) in mean.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            *channel = a.midpoint(b);
        }
        let most = brightest(mean).max(1);
        Self(mean.map(|channel| (u32::from(channel) * bright / most).min(255) as u8))
    }
}

/// True for leather clothing, which takes colour and gives it back to water.
#[must_use]
pub fn takes_colour(item: ItemId) -> bool {
    matches!(
        item.name(),
        "leather_helmet"
            | "leather_chestplate"
            | "leather_leggings"
            | "leather_boots"
            | "leather_horse_armor"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dye_is_an_item_and_colours_mix_to_their_mean() {
        for (name, _) in DYES {
            let dye = ItemId::named(name).expect(name);
            let colour = Colour::of_dye(dye).expect(name);
            assert_eq!(colour.mixed(colour), colour);
        }
        let of = |name: &str| Colour::of_dye(name.parse().unwrap()).unwrap();
        assert_eq!(
            of("red_dye").mixed(of("white_dye")),
            Colour([215, 152, 148])
        );
        assert_eq!(Colour::of_dye("stick".parse().unwrap()), None);
    }

    #[test]
    fn plain_things_are_stored_without_a_word() {
        assert_eq!(serde_json::to_string(&Extra::default()).unwrap(), "{}");
        assert_eq!(
            serde_json::from_str::<Extra>("{}").unwrap(),
            Extra::default()
        );
    }
}
