//! Skills of DEPS Table 18: how often the learned controller managed each within one episode.
//!
//! The rows are the paper's; which action is which skill is ours. Invariant: an action belongs to
//! at most one row, and what the table does not list belongs to none.

use crate::action::Action;
use crate::family::ItemSpec;
use crate::mob::MobKind;
use crate::recipe::takes_table;
use crate::rng::Rng;

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkillRate {
    pub name: &'static str,
    /// Share of episodes in which it was managed.
    pub rate: f64,
    /// Length of an episode, ticks.
    pub ticks: u64,
    /// The body stays where it is meanwhile.
    pub on_the_spot: bool,
}

const fn afield(name: &'static str, rate: f64, ticks: u64) -> SkillRate {
    SkillRate {
        name,
        rate,
        ticks,
        on_the_spot: false,
    }
}

const fn on_the_spot(name: &'static str, rate: f64) -> SkillRate {
    SkillRate {
        name,
        rate,
        ticks: 600,
        on_the_spot: true,
    }
}

/// Mining, by the item that is wanted and from how many on.
const MINED: [(&[&str], u32, SkillRate); 11] = [
    (&["#logs", "oak_log"], 1, afield("mine oak wood", 0.39, 600)),
    (&["birch_log"], 1, afield("mine birch wood", 0.29, 600)),
    (
        &["cobblestone", "#stone_tool_materials"],
        1,
        afield("mine cobblestone", 0.95, 600),
    ),
    (&["stone"], 1, afield("mine stone", 0.70, 600)),
    (&["wheat_seeds"], 1, afield("mine seed", 0.18, 600)),
    (
        &["#leaves", "oak_leaves", "birch_leaves", "spruce_leaves"],
        1,
        afield("mine leaves", 0.68, 600),
    ),
    (
        &["jungle_leaves", "acacia_leaves", "dark_oak_leaves"],
        1,
        afield("mine leaves", 0.68, 600),
    ),
    (&["dirt"], 1, afield("mine dirt", 0.54, 600)),
    (&["iron_ore"], 3, afield("mine 3 iron ore", 0.16, 3000)),
    (&["iron_ore"], 1, afield("mine 1 iron ore", 0.40, 3000)),
    (&["diamond"], 1, afield("mine diamond", 0.35, 12_000)),
];

const KILLED: [(MobKind, SkillRate); 5] = [
    (MobKind::Sheep, afield("kill sheep", 0.44, 600)),
    (MobKind::Cow, afield("kill cow", 0.60, 600)),
    (MobKind::Chicken, afield("kill chicken", 0.46, 600)),
    (MobKind::Pig, afield("kill pig", 0.49, 600)),
    (MobKind::Llama, afield("kill llama", 0.50, 600)),
];

const EQUIP: SkillRate = on_the_spot("equip", 1.0);
const CRAFT: SkillRate = on_the_spot("craft without crafting table", 1.0);
const CRAFT_AT_TABLE: SkillRate = on_the_spot("craft with crafting table", 0.9);
const SMELT: SkillRate = on_the_spot("smelt with furnace", 0.8);

/// The row that an action falls under.
#[must_use]
pub fn skill_of(action: &Action) -> Option<SkillRate> {
    match action {
        Action::Mine { item, count } => MINED
            .iter()
            .find(|(names, least, _)| count >= least && names.contains(&item.name()))
            .map(|(_, _, skill)| *skill),
        Action::Attack { mob, .. } => KILLED
            .iter()
            .find(|(kind, _)| kind == mob)
            .map(|(_, skill)| *skill),
        Action::Craft { item, .. } => Some(crafting(*item)),
        Action::Smelt { .. } => Some(SMELT),
        Action::Equip { .. } => Some(EQUIP),
        // What the table does not list.
        _ => None,
    }
}

fn crafting(item: ItemSpec) -> SkillRate {
    if takes_table(item) {
        CRAFT_AT_TABLE
    } else {
        CRAFT
    }
}

/// Chances are drawn once a second.
const SECOND: u64 = 20;

impl SkillRate {
    /// The tick of the episode at which the skill is managed, or none. The table has only the share
    /// of the whole episode, so every second of it gets the same chance.
    /// What is done on the spot takes as long as the script takes once it is managed.
    pub fn draw(&self, chance: &mut Rng) -> Option<u64> {
        if self.on_the_spot {
            return chance.chance(self.rate).then_some(0);
        }
        let seconds = self.ticks / SECOND;
        let each = chance_per_second(self.rate, seconds);
        (0..seconds)
            .find(|_| chance.chance(each))
            .map(|second| second * SECOND)
    }
}

/// The chance per second that adds up to `rate` over so many seconds. Found by halving and not by
/// a root, whose last bit differs between platforms.
fn chance_per_second(rate: f64, seconds: u64) -> f64 {
    if rate >= 1.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..60 {
        let middle = (low + high) * 0.5;
        let missed = (0..seconds).fold(1.0, |left, _| left * (1.0 - middle));
        if 1.0 - missed < rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;

    fn rate_of(action: &Action) -> Option<(f64, u64)> {
        skill_of(action).map(|skill| (skill.rate, skill.ticks))
    }

    fn attack(mob: MobKind) -> Action {
        Action::Attack {
            mob,
            gain: None,
            count: 1,
            also: Vec::new(),
        }
    }

    #[test]
    fn actions_find_their_rows() {
        let mine = |item: &str, count| Action::Mine {
            item: item.parse().unwrap(),
            count,
        };
        let craft = |item: &str| Action::craft(item.parse().unwrap(), 1);
        for (action, expected) in [
            (mine("#logs", 3), Some((0.39, 600))),
            (mine("birch_log", 1), Some((0.29, 600))),
            (mine("iron_ore", 2), Some((0.40, 3000))),
            (mine("iron_ore", 3), Some((0.16, 3000))),
            (mine("diamond", 1), Some((0.35, 12_000))),
            (mine("coal", 1), None),
            (craft("stick"), Some((1.0, 600))),
            (craft("#planks"), Some((1.0, 600))),
            (craft("furnace"), Some((0.9, 600))),
            (attack(MobKind::Cow), Some((0.60, 600))),
            (attack(MobKind::Zombie), None),
            (Action::Eat, None),
        ] {
            assert_eq!(rate_of(&action), expected, "{action:?}");
        }
        // Every name of the rows is an item or a family.
        for name in MINED.iter().flat_map(|(names, _, _)| *names) {
            assert!(name.parse::<ItemSpec>().is_ok(), "{name}");
        }
    }

    /// Table 18 as printed: the skill, its rate, the length of an episode.
    const PUBLISHED: [(&str, f64, u64); 19] = [
        ("mine oak wood", 0.39, 600),
        ("mine birch wood", 0.29, 600),
        ("mine cobblestone", 0.95, 600),
        ("mine stone", 0.70, 600),
        ("mine seed", 0.18, 600),
        ("mine leaves", 0.68, 600),
        ("mine dirt", 0.54, 600),
        ("mine 1 iron ore", 0.40, 3_000),
        ("mine 3 iron ore", 0.16, 3_000),
        ("mine diamond", 0.35, 12_000),
        ("kill sheep", 0.44, 600),
        ("kill cow", 0.60, 600),
        ("kill chicken", 0.46, 600),
        ("kill pig", 0.49, 600),
        ("kill llama", 0.50, 600),
        ("equip", 1.0, 600),
        ("craft without crafting table", 1.0, 600),
        ("craft with crafting table", 0.9, 600),
        ("smelt with furnace", 0.8, 600),
    ];

    fn skills() -> Vec<SkillRate> {
        let mined = MINED.iter().map(|row| row.2);
        let killed = KILLED.iter().map(|row| row.1);
        let made = [EQUIP, CRAFT, CRAFT_AT_TABLE, SMELT];
        mined.chain(killed).chain(made).collect()
    }

    /// The one row left out, a diamond with a stone pickaxe at 0, is the game's own rule.
    #[test]
    fn the_rows_are_those_of_the_paper() {
        for (name, rate, ticks) in PUBLISHED {
            let rows: Vec<SkillRate> = skills().into_iter().filter(|s| s.name == name).collect();
            assert!(!rows.is_empty(), "{name}");
            assert!(
                rows.iter().all(|s| (s.rate, s.ticks) == (rate, ticks)),
                "{name}"
            );
        }
        let is_published = |skill: &SkillRate| PUBLISHED.iter().any(|row| row.0 == skill.name);
        assert!(skills().iter().all(is_published));
    }

    /// Over many draws the share is that of the table, and no second of the episode is preferred.
    #[test]
    fn draws_keep_to_the_published_rate() {
        const DRAWS: u32 = 20_000;
        let mut chance = Streams(7).get("table18");
        for skill in skills() {
            let drawn: Vec<Option<u64>> = (0..DRAWS).map(|_| skill.draw(&mut chance)).collect();
            let managed: Vec<u64> = drawn.into_iter().flatten().collect();
            let share = managed.len() as f64 / f64::from(DRAWS);
            // Four standard errors of so many draws, at a share of one half, are 0.0141.
            assert!((share - skill.rate).abs() < 0.0142, "{skill:?} {share}");
            if skill.on_the_spot {
                assert!(managed.iter().all(|tick| *tick == 0), "{skill:?}");
                continue;
            }
            assert!(managed.iter().all(|tick| *tick < skill.ticks));
            // With an even chance per second, half an episode manages 1 - sqrt(1 - rate).
            let early = managed.iter().filter(|tick| **tick < skill.ticks / 2);
            let early = early.count() as f64 / f64::from(DRAWS);
            let expected = 1.0 - (1.0 - skill.rate).sqrt();
            assert!((early - expected).abs() < 0.0142, "{skill:?} {early}");
        }
    }

    /// Worlds of different seeds draw on their own; together they come out at the rate.
    #[test]
    fn the_first_draws_of_many_worlds_keep_to_the_rate_too() {
        const WORLDS: u64 = 20_000;
        let oak = skills()[0];
        let draws = |seed| oak.draw(&mut Streams(seed).get("table18")).is_some();
        let managed = (0..WORLDS).filter(|seed| draws(*seed)).count();
        let share = managed as f64 / WORLDS as f64;
        assert!((share - oak.rate).abs() < 0.0142, "{share}");
    }
}
