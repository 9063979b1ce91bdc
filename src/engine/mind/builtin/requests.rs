//! Requests: what the words of a veto say about items, kinds of wood and mobs.
//!
//! Reads names and whether they are meant or unwanted, nothing more. A request weighs heavily, but a
//! plan that has no other way goes against it and says so.

use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::item::ItemId;
use pithead_world::mob::MobKind;

/// What the operator wants and does not want.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Requests {
    /// Both lists may name the same thing if the words do; avoiding wins in `unwanted`.
    pub(super) avoid: Vec<Thing>,
    pub(super) prefer: Vec<Thing>,
}

/// Something that words can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Thing {
    Item(ItemSpec),
    Mob(MobKind),
    /// A kind of wood: all items that begin with it.
    Wood(&'static str),
}

const WOODS: [&str; 6] = ["oak", "spruce", "birch", "jungle", "acacia", "dark_oak"];
const NEGATIONS: [&str; 10] = [
    "not", "dont", "no", "never", "without", "avoid", "stop", "instead", "than", "cannot",
];
/// A negation reaches so many words ahead ("do not craft a new furnace").
/// Beyond five words a negation is mostly about something else.
const REACH: usize = 5;
/// The longest names have this many words.
/// For example `light_blue_stained_glass`.
const WORDS_MAX: usize = 4;

impl Requests {
    /// Reads the reasons of vetoes.
    #[must_use]
    pub(super) fn from_reasons(reasons: &[String]) -> Self {
        let mut requests = Self::default();
        for reason in reasons {
            requests.add_reason(reason);
        }
        requests
    }

    fn add_reason(&mut self, reason: &str) {
        // "don't" and "dont" are one word.
        let plain = reason.to_lowercase().replace('\'', "");
        // "use coal, not wood": the comma ends the reach of what is before it.
        for clause in plain.split([',', ';', '.', '!']) {
            let cut = |c: char| !(c.is_alphanumeric() || c == '_' || c == '#');
            let words: Vec<&str> = clause.split(cut).filter(|w| !w.is_empty()).collect();
            let mut at = 0;
            while at < words.len() {
                let Some((thing, length)) = thing_at(&words[at..]) else {
                    at += 1;
                    continue;
                };
                let before = &words[at.saturating_sub(REACH)..at];
                let unwanted = before.iter().any(|word| NEGATIONS.contains(word));
                if unwanted {
                    self.avoid.push(thing);
                } else {
                    self.prefer.push(thing);
                }
                // A name of several words is one thing, not several.
                at += length;
            }
        }
    }

    /// Whether getting this item goes against a request.
    #[must_use]
    pub(super) fn unwanted(&self, spec: ItemSpec) -> bool {
        self.avoid.iter().any(|thing| thing.is(spec))
            // Asking for spruce means not oak: other members of the family go against it.
            || (self.prefers_within(spec) && !self.prefer.iter().any(|thing| thing.is(spec)))
    }

    /// Whether one of the members, or one of the same family, is asked for by name.
    fn prefers_within(&self, spec: ItemSpec) -> bool {
        let family = match spec {
            ItemSpec::Item(item) => ItemSpec::family_of(item),
            ItemSpec::Family(_) => Some(spec),
        };
        let Some(family) = family else { return false };
        let named = |item: &ItemId| self.prefer.iter().any(|t| t.is(ItemSpec::Item(*item)));
        family.members().iter().any(named)
    }

    #[must_use]
    pub(super) fn unwanted_mob(&self, mob: MobKind) -> bool {
        self.avoid.contains(&Thing::Mob(mob))
    }

    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.avoid.is_empty() && self.prefer.is_empty()
    }

    /// Whether it is asked for.
    #[must_use]
    pub(super) fn wanted(&self, spec: ItemSpec) -> bool {
        self.prefer
            .iter()
            .any(|thing| matches!(thing, Thing::Item(i) if overlaps(*i, spec)))
    }
}

impl Thing {
    fn is(&self, spec: ItemSpec) -> bool {
        match self {
            Self::Item(item) => *item == spec,
            Self::Mob(_) => false,
            Self::Wood(wood) => spec
                .single()
                .is_some_and(|item| wood_of(item.name()) == Some(wood)),
        }
    }
}

fn wood_of(name: &str) -> Option<&'static str> {
    let woods = WOODS
        .into_iter()
        .filter(|wood| name.starts_with(&format!("{wood}_")));
    // The longest: `dark_oak` before `oak`.
    woods.max_by_key(|wood| wood.len())
}

fn thing_at(words: &[&str]) -> Option<(Thing, usize)> {
    // Longest names first.
    let lengths = (1..=WORDS_MAX.min(words.len())).rev();
    lengths
        .into_iter()
        .find_map(|length| Some((named(&words[..length].join("_"))?, length)))
}

fn named(name: &str) -> Option<Thing> {
    // A plural in s; names that end in s are tried as they are.
    let one = name.strip_suffix('s').unwrap_or(name);
    let item = ItemId::named(name)
        .or_else(|| ItemId::named(one))
        .map(ItemSpec::Item);
    let spec = item.or_else(|| FamilyId::named(name).map(ItemSpec::Family));
    let mob = MobKind::named(name)
        .or_else(|| MobKind::named(one))
        .map(Thing::Mob);
    let wood = WOODS
        .into_iter()
        .find(|wood| *wood == name)
        .map(Thing::Wood);
    // A kind of wood before an item of that name.
    wood.or(mob).or_else(|| spec.map(Thing::Item))
}
