//! Blueprints: several blocks that belong together, and what is known of one that was begun.
//!
//! A blueprint is data; `read` reads its text, three come with the program. Invariant: every block of a blueprint
//! rests on another of its blocks or on the ground, so there is an order in which it can be built.

pub mod layers;
pub mod read;

use crate::block::{self as blocks, BlockId};
use crate::counts::Counts;
use crate::family::ItemSpec;
use crate::naming::{self, UnknownName};
use crate::space::Pos;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Longest name; it stands in plans, checks and lists.
const NAME_MAX: usize = 40;

/// The name of a blueprint: small letters, digits and `_`, a letter first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BlueprintName(String);

/// Why a text names no blueprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{given}` cannot be the name of a blueprint; it is made of a-z, 0-9 and _, begins with a letter and has at most {NAME_MAX} of them"
)]
pub struct BadBlueprintName {
    pub given: String,
}

impl BlueprintName {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for BlueprintName {
    type Error = BadBlueprintName;

    fn try_from(given: String) -> Result<Self, BadBlueprintName> {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let begins = given.starts_with(|c: char| c.is_ascii_lowercase());
        if begins && given.len() <= NAME_MAX && given.chars().all(is_part) {
            Ok(Self(given))
        } else {
            let given = given.chars().take(NAME_MAX).collect();
            Err(BadBlueprintName { given })
        }
    }
}

impl std::str::FromStr for BlueprintName {
    type Err = BadBlueprintName;

    fn from_str(given: &str) -> Result<Self, BadBlueprintName> {
        Self::try_from(given.to_owned())
    }
}

impl From<BlueprintName> for String {
    fn from(name: BlueprintName) -> Self {
        name.0
    }
}

impl std::fmt::Display for BlueprintName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Blocks that belong together, at offsets from the lowest corner to the north-west.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blueprint {
    pub name: BlueprintName,
    pub about: String,
    pub blocks: Vec<(ItemSpec, [i32; 3])>,
    /// Cells that must be free in the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clear: Vec<[i32; 3]>,
}

static EMBEDDED: LazyLock<Vec<Blueprint>> = LazyLock::new(|| {
    let texts = [
        include_str!("../data/blueprints/shelter.toml"),
        include_str!("../data/blueprints/iron_golem.toml"),
        include_str!("../data/blueprints/portal_frame.toml"),
    ];
    let read = |text| read::parse_blueprint(text).expect("a test reads the embedded blueprints");
    texts.into_iter().map(read).collect()
});

impl Blueprint {
    /// The blueprints of the program.
    #[must_use]
    pub fn embedded() -> &'static [Self] {
        &EMBEDDED
    }

    /// The blueprint of a name: of the program, or else one of these.
    #[must_use]
    pub fn named<'a>(name: &BlueprintName, own: &'a [Self]) -> Option<&'a Self> {
        let all = EMBEDDED.iter().chain(own);
        all.into_iter().find(|known| known.name == *name)
    }

    /// What to say of a name that no blueprint has.
    #[must_use]
    pub fn unknown(given: &str, own: &[Self]) -> UnknownName {
        let embedded = || EMBEDDED.iter().map(|known| known.name.as_str());
        let mut nearest = naming::nearest(given, embedded());
        if nearest.is_empty() && own.is_empty() {
            nearest = embedded().collect();
        }
        UnknownName {
            what: "blueprint",
            given: given.to_owned(),
            nearest,
        }
    }

    /// What is put down, and how many of each; the most particular first, so that a family takes what is left.
    #[must_use]
    pub fn material(&self) -> Vec<(ItemSpec, u32)> {
        material(self.blocks.iter().map(|(item, _)| *item))
    }

    /// Width, height and depth: to the east, up, to the south.
    #[must_use]
    pub fn size(&self) -> [i32; 3] {
        let cells = self.blocks.iter().map(|(_, at)| at).chain(&self.clear);
        cells.fold([0; 3], |most, at| {
            [0, 1, 2].map(|axis| most[axis].max(at[axis] + 1))
        })
    }
}

/// How many of each item these are, the most particular first.
#[must_use]
pub fn material(items: impl Iterator<Item = ItemSpec>) -> Vec<(ItemSpec, u32)> {
    let mut material: Vec<(ItemSpec, u32)> = Vec::new();
    for item in items {
        match material.iter_mut().find(|(known, _)| *known == item) {
            Some((_, count)) => *count += 1,
            None => material.push((item, 1)),
        }
    }
    material.sort_by_key(|(item, _)| (item.members().len(), *item));
    material
}

/// A material of which there is too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    pub item: ItemSpec,
    pub have: u32,
    pub need: u32,
}

/// What of the material is short; one piece serves once, also where two families have it.
#[must_use]
pub fn shortages(material: &[(ItemSpec, u32)], held: &Counts) -> Vec<Shortage> {
    let mut left = held.clone();
    let take = |(item, need): &(ItemSpec, u32)| {
        let have = left.count(*item);
        left.remove(*item, have.min(*need));
        (have < *need).then_some(Shortage {
            item: *item,
            have,
            need: *need,
        })
    };
    material.iter().filter_map(take).collect()
}

/// Whether a block is what a blueprint asks for.
#[must_use]
pub fn is_as_asked(item: ItemSpec, block: BlockId) -> bool {
    // Grass grows over bare earth.
    let block = if block == blocks::GRASS_BLOCK {
        blocks::DIRT
    } else {
        block
    };
    block.item().is_some_and(|made| item.matches(made))
}

/// A building by a blueprint, as the body knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuildSight {
    pub blueprint: BlueprintName,
    /// Its lowest corner to the north-west.
    pub at: Pos,
    /// Blocks that are as they have to be, and how many there are.
    pub stands: u32,
    pub of: u32,
    /// Cells that have to be free and are not known to be.
    #[serde(default, skip_serializing_if = "is_none")]
    pub filled: u32,
    /// What is still to be put down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<(ItemSpec, u32)>,
}

impl BuildSight {
    /// Cells that are not as they have to be.
    #[must_use]
    pub fn missing(&self) -> u32 {
        self.of
            .saturating_sub(self.stands)
            .saturating_add(self.filled)
    }

    /// What is still missing of the building that is nearest to being whole; none if none was begun.
    #[must_use]
    pub fn of_name<'a>(builds: &'a [Self], name: &BlueprintName) -> Option<&'a Self> {
        let of_name = builds.iter().filter(|build| build.blueprint == *name);
        of_name.min_by_key(|build| build.missing())
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_none(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> &'static Blueprint {
        let name = name.parse().unwrap();
        Blueprint::named(&name, &[]).unwrap()
    }

    fn written(material: &[(ItemSpec, u32)]) -> String {
        let words = material.iter().map(|(item, n)| format!("{n} {item}"));
        words.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_embedded_blueprints_read_and_say_what_they_take() {
        let all = [
            ("shelter", "38 #planks", [4, 3, 4]),
            ("iron_golem", "4 iron_block, 1 carved_pumpkin", [3, 3, 1]),
            ("portal_frame", "14 obsidian", [4, 5, 1]),
        ];
        assert_eq!(Blueprint::embedded().len(), all.len());
        for (name, material, size) in all {
            let blueprint = named(name);
            let mut words: Vec<String> = written(&blueprint.material())
                .split(", ")
                .map(str::to_owned)
                .collect();
            let mut expected: Vec<String> = material.split(", ").map(str::to_owned).collect();
            words.sort();
            expected.sort();
            assert_eq!((words, blueprint.size()), (expected, size), "{name}");
        }
    }

    #[test]
    fn one_piece_serves_once() {
        let item = |name: &str| -> ItemSpec { name.parse().unwrap() };
        let asked = [item("#planks"), item("oak_planks"), item("#planks")];
        let material = material(asked.into_iter());
        assert_eq!(written(&material), "1 oak_planks, 2 #planks");
        let short = |held: &str| shortages(&material, &held.parse().unwrap());
        assert_eq!(short("oak_planks=2,birch_planks=1"), []);
        let lack = Shortage {
            item: item("#planks"),
            have: 1,
            need: 2,
        };
        assert_eq!(short("oak_planks=2"), [lack]);
        assert_eq!(short("birch_planks=3").len(), 1, "the oak is missing");
    }

    #[test]
    fn names_are_plain() {
        for bad in ["", "Hut", "../hut", "9", "a b", &"a".repeat(41)] {
            assert!(bad.parse::<BlueprintName>().is_err(), "{bad}");
        }
        assert_eq!("hut_2".parse::<BlueprintName>().unwrap().as_str(), "hut_2");
        let text = Blueprint::unknown("sheltr", &[]).to_string();
        assert!(text.contains("did you mean shelter"), "{text}");
    }
}
