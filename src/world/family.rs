//! Families (tags) of items that do the same service, and `ItemSpec`: "this item" or "any of that family".
//!
//! Text forms: `oak_log` and `#logs`. The order of a family's members has meaning: families of one length pair member by
//! member (`oak_planks` comes from `oak_log`), a shorter one pairs with the first members of a longer one.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::item::ItemId;
use crate::naming::{self, UnknownName, named_id, serde_as_text, table};

/// A family, written with its leading `#`.
/// The position in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyId(u16);

named_id!(FamilyId, "family");

#[derive(Debug)]
pub struct Family {
    /// With the leading `#`.
    pub name: &'static str,
    pub members: Vec<ItemId>,
}

/// What is wanted or used: one item, or any of a family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemSpec {
    Item(ItemId),
    Family(FamilyId),
}

serde_as_text!(ItemSpec);

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(build);
/// All items, by row: a slice of one item, as `members()` of it hands out, must live somewhere.
static SINGLES: LazyLock<Vec<ItemId>> = LazyLock::new(|| ItemId::all().collect());

/// The narrowest family of each item, by its row: planners ask for it of every item.
static NARROWEST: LazyLock<Vec<Option<FamilyId>>> =
    LazyLock::new(|| ItemId::all().map(narrowest).collect());

fn narrowest(item: ItemId) -> Option<FamilyId> {
    let containing = FamilyId::all().filter(|family| family.members().contains(&item));
    containing.min_by_key(|family| {
        (
            family.name().ends_with("_that_burn"),
            family.members().len(),
        )
    })
}

impl FamilyId {
    /// The family of that name, with or without `#`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = naming::without_namespace(name.strip_prefix('#').unwrap_or(name));
        let at = FAMILIES
            .iter()
            .position(|family| &family.name[1..] == name)?;
        u16::try_from(at).ok().map(Self)
    }

    #[must_use]
    pub fn facts(self) -> &'static Family {
        &FAMILIES[usize::from(self.0)]
    }

    /// With the leading `#`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    #[must_use]
    pub fn members(self) -> &'static [ItemId] {
        &self.facts().members
    }

    /// Its position in the table.
    pub(crate) fn row(self) -> u16 {
        self.0
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0_u16..).take(FAMILIES.len()).map(Self)
    }

    /// Names that may have been meant by `name`, best first.
    #[must_use]
    pub fn nearest(name: &str) -> Vec<&'static str> {
        let given = format!("#{}", name.trim_start_matches('#'));
        naming::nearest(&given, FAMILIES.iter().map(|family| family.name))
    }
}

impl ItemSpec {
    #[must_use]
    pub fn matches(self, item: ItemId) -> bool {
        match self {
            Self::Item(only) => only == item,
            Self::Family(family) => family.members().contains(&item),
        }
    }

    #[must_use]
    pub fn members(self) -> &'static [ItemId] {
        match self {
            Self::Item(item) => {
                let at = usize::from(item.row());
                &SINGLES[at..=at]
            }
            Self::Family(family) => family.members(),
        }
    }

    /// The name in its text form.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Item(item) => item.name(),
            Self::Family(family) => family.name(),
        }
    }

    /// The narrowest family that contains `item`: what to ask for instead when any kind will do.
    /// Narrowest, because asking for more than is meant would change a plan. What burns of a kind is no kind of its own.
    #[must_use]
    pub fn family_of(item: ItemId) -> Option<Self> {
        NARROWEST[usize::from(item.row())].map(Self::Family)
    }

    /// The kind of thing that it stands for: the narrowest family of an item, or itself.
    #[must_use]
    pub fn kind(self) -> Self {
        match self {
            Self::Item(item) => Self::family_of(item).unwrap_or(self),
            Self::Family(_) => self,
        }
    }

    /// The item, or the only member of a family.
    #[must_use]
    pub fn single(self) -> Option<ItemId> {
        match self.members() {
            [item] => Some(*item),
            _ => None,
        }
    }
}

impl From<ItemId> for ItemSpec {
    fn from(item: ItemId) -> Self {
        Self::Item(item)
    }
}

impl From<FamilyId> for ItemSpec {
    fn from(family: FamilyId) -> Self {
        Self::Family(family)
    }
}

impl fmt::Display for ItemSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for ItemSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ItemSpec {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        if text.starts_with('#') {
            return text.parse().map(Self::Family);
        }
        match text.parse() {
            Ok(item) => Ok(Self::Item(item)),
            // "logs" without its sign: say that it is a family.
            Err(error) => match FamilyId::named(text) {
                Some(family) => Err(UnknownName {
                    nearest: vec![family.name()],
                    ..error
                }),
                None => Err(error),
            },
        }
    }
}

#[derive(Deserialize)]
struct FamilyTable {
    // A serde_json map keeps the order of the file, on which stable ids rest.
    families: Map<String, Value>,
}

fn build() -> Vec<Family> {
    let read: FamilyTable = table("families.json", include_str!("data/families.json"));
    let family = |(name, members)| Family {
        name: String::leak(name),
        members: serde_json::from_value(members)
            .expect("families.json lists known items; a test reads it"),
    };
    read.families.into_iter().map(family).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> ItemSpec {
        text.parse().unwrap()
    }

    #[test]
    fn specs_read_and_write_their_text_form() {
        for text in ["oak_log", "#logs"] {
            assert_eq!(spec(text).to_string(), text);
            assert_eq!(
                serde_json::to_string(&spec(text)).unwrap(),
                format!("\"{text}\"")
            );
        }
    }

    #[test]
    fn a_family_matches_its_members() {
        let birch = ItemId::named("birch_log").unwrap();
        assert!(spec("#logs").matches(birch));
        assert!(!spec("oak_log").matches(birch));
        assert_eq!(spec("birch_log").members(), [birch]);
        assert_eq!(spec("#logs").members().len(), 6);
    }

    #[test]
    fn the_narrowest_family_is_chosen() {
        let family = |name| ItemSpec::family_of(ItemId::named(name).unwrap());
        assert_eq!(family("oak_log"), Some(spec("#logs")));
        assert_eq!(family("stripped_oak_log"), Some(spec("#logs_that_burn")));
        assert_eq!(family("coal"), Some(spec("#coals")));
        for planks in ["oak_planks", "crimson_planks"] {
            assert_eq!(family(planks), Some(spec("#planks")));
        }
        assert_eq!(family("stripped_warped_hyphae"), Some(spec("#stems")));
        assert_eq!(family("diamond"), None);
    }

    #[test]
    fn an_unknown_family_is_answered_with_the_nearest() {
        let error = |text: &str| text.parse::<ItemSpec>().unwrap_err().to_string();
        assert!(
            error("#plank").contains("unknown family '#plank'; did you mean #planks"),
            "{}",
            error("#plank")
        );
        assert_eq!(error("logs"), "unknown item 'logs'; did you mean #logs?");
    }
}
