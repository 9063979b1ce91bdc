//! Words: texts of experiences and queries from templates, so that they cluster like real ones.
//!
//! Invariant: same generator, same attempts; the queries are the same every time.

use super::LIMIT;
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::recall::RecallQuery;
use pithead_core::text::signature::Signature;
use pithead_engine::memory::psi::ContextKeys;
use pithead_world::rng::Rng;
use pithead_world::space::Pos;

/// Of each kind of query.
pub(super) const QUERIES: usize = 100;

const TASKS: [&str; 20] = [
    "obtain a diamond",
    "craft an iron pickaxe",
    "craft a stone sword",
    "make a bucket",
    "craft 4 rails",
    "smelt 8 glass",
    "craft a compass",
    "craft an iron chestplate",
    "obtain redstone",
    "make 12 torches",
    "craft a shield",
    "get 5 leather",
    "cook 4 mutton",
    "craft a clock",
    "craft a bookshelf",
    "craft a golden apple",
    "make an anvil",
    "craft a piston",
    "make a diamond sword",
    "craft flint and steel",
];
const ITEMS: [&str; 30] = [
    "oak_log",
    "birch_log",
    "cobblestone",
    "coal",
    "iron_ore",
    "redstone",
    "diamond",
    "gold_ore",
    "sand",
    "gravel",
    "clay_ball",
    "sugar_cane",
    "oak_planks",
    "stick",
    "crafting_table",
    "wooden_pickaxe",
    "stone_pickaxe",
    "furnace",
    "iron_ingot",
    "iron_pickaxe",
    "torch",
    "bucket",
    "leather",
    "mutton",
    "white_wool",
    "flint",
    "glass",
    "gold_ingot",
    "paper",
    "book",
];
const VERBS: [&str; 7] = [
    "mine", "craft", "smelt", "collect", "dig for", "fetch", "make",
];
const TOOLS: [&str; 5] = [
    "",
    "with a wooden pickaxe",
    "with a stone pickaxe",
    "with an iron pickaxe",
    "by hand",
];
const NOTES: [&str; 12] = [
    "",
    "near the lake",
    "under the hill",
    "at night",
    "while hungry",
    "in a cave",
    "on the cliff",
    "beside lava",
    "after rain",
    "with low health",
    "close to the base",
    "far from home",
];
const BIOMES: [&str; 14] = [
    "forest",
    "plains",
    "desert",
    "taiga",
    "birch_forest",
    "savanna",
    "swamp",
    "mountains",
    "jungle",
    "beach",
    "river",
    "ocean",
    "snowy_tundra",
    "badlands",
];
const ENDS: [&str; 12] = [
    "success",
    "success",
    "success",
    "success",
    "NAV_STUCK",
    "TIMEOUT",
    "TOOL_MISSING",
    "PATH_UNREACHABLE",
    "MONITOR_NEVER_TRUE",
    "NAV_OSCILLATE",
    "GUI_BLOCKED",
    "ENV_TERMINATED",
];
/// What an operator types: few words, no hashes.
const TYPED: [&str; 20] = [
    "stuck in lava",
    "diamond",
    "iron pickaxe failed",
    "night in the desert",
    "NAV_STUCK near the lake",
    "how to get leather",
    "furnace",
    "torch at night in a cave",
    "what went wrong with redstone",
    "smelt glass",
    "sugar cane river",
    "hungry",
    "low health in a swamp",
    "compass",
    "anvil",
    "mine with a stone pickaxe",
    "beach",
    "the hill",
    "craft",
    "gold",
];

#[derive(Clone)]
pub(super) struct Attempt {
    pub(super) words: String,
    pub(super) keys: ContextKeys,
    pub(super) success: bool,
    pub(super) target: Option<String>,
    pub(super) biome: String,
}

pub(super) fn attempt(rng: &mut Rng) -> Attempt {
    let mut pick = |from: &[&'static str]| from[rng.below(from.len() as u64) as usize];
    let (task, verb, item, tool) = (pick(&TASKS), pick(&VERBS), pick(&ITEMS), pick(&TOOLS));
    let (note, biome, end) = (pick(&NOTES), pick(&BIOMES), pick(&ENDS));
    let (count, height) = (1 + rng.below(12), 5 + rng.below(60));
    let at = Pos::new(
        rng.between(-800, 800) as i32,
        height as i32,
        rng.between(-800, 800) as i32,
    );
    Attempt {
        words: format!(
            "{task} {verb} {count} {item} {tool} y {height} {note} {item} {biome} {verb} {biome} {end}"
        ),
        keys: ContextKeys {
            condition: Some(Signature::from_normal_form(item)),
            cells: Some(Cells::containing(rng.below(20), at)),
        },
        success: end == "success",
        target: Some(item.to_owned()),
        biome: biome.to_owned(),
    }
}

/// What is asked: contexts with hashes as runs ask, the same without, and what people type.
pub(super) fn queries() -> Vec<(&'static str, Vec<RecallQuery>)> {
    let mut rng = Rng::new(99);
    let mut context = |hashes: bool| {
        let Attempt { words, keys, .. } = attempt(&mut rng);
        RecallQuery {
            text: words,
            condition: keys.condition.filter(|_| hashes),
            cells: keys.cells.filter(|_| hashes),
            seed: None,
            limit: LIMIT,
        }
    };
    let typed = |text: &&str| RecallQuery {
        text: (*text).to_owned(),
        condition: None,
        cells: None,
        seed: None,
        limit: LIMIT,
    };
    vec![
        (
            "context with hashes",
            (0..QUERIES).map(|_| context(true)).collect(),
        ),
        (
            "context without hashes",
            (0..QUERIES).map(|_| context(false)).collect(),
        ),
        (
            "typed words",
            TYPED.iter().cycle().map(typed).take(QUERIES).collect(),
        ),
    ]
}
