//! What was missing, what kept the body from getting about, and windows in the way.

use super::super::corpus::{Case, case};
use super::super::scene::{Scene, flat};
use super::super::subgoals::{
    circle, craft, craft_after, down_to, equip, explore, forward, goto, hunt, idle, jumping, mine,
    opening, place, side_to_side, sleep, smelt, to_and_fro, toggling, up_to, using,
    using_and_closing, using_once,
};
use super::keyboards::*;
use super::steps::*;
use pithead_core::domain::experience::diagnosis::FailureReason::*;
use pithead_world::action::{ActionFailure as F, GuiFault};
use pithead_world::space::Pos;

pub(super) fn all() -> Vec<Case> {
    let parts = [
        short_of_parts(),
        short_of_tools(),
        nav_stuck(),
        nav_oscillate(),
        path_unreachable(),
        gui_blocked(),
    ];
    parts.into_iter().flatten().collect()
}

const BESIDE: [i32; 3] = [-2, 0, 1];
/// At the height of the eyes, two blocks ahead.
const AHEAD: [i32; 3] = [0, 1, 2];

fn table(carried: &str) -> Scene {
    flat(carried).block("crafting_table", BESIDE)
}

fn furnace(carried: &str) -> Scene {
    flat(carried).block("furnace", BESIDE)
}

fn lode(block: &str, carried: &str) -> Scene {
    flat(carried).filled(block, [-1, 0, 3], [1, 1, 3])
}

#[rustfmt::skip] // a table: one situation a line
fn short_of_parts() -> Vec<Case> {
    let dyed = r#"{"check":"inv_ge","item":"leather_boots","count":2}"#;
    let enchanted = r#"{"check":"inv_ge","item":"iron_sword","count":2}"#;
    vec![
        case(ToolMissing, "a stone sword with cobblestone and no stick", table("cobblestone=4"), craft("stone_sword", 1)),
        case(ToolMissing, "a chest of three planks", table("oak_planks=3"), craft("chest", 1)),
        case(ToolMissing, "a furnace of five cobblestones", table("cobblestone=5"), craft("furnace", 1)),
        case(ToolMissing, "a bucket without a table to make it on", flat("iron_ingot=3"), craft("bucket", 1)),
        case(ToolMissing, "a torch with a stick and no coal", flat("stick=4"), craft("torch", 4)),
        case(ToolMissing, "bread of a single wheat", table("wheat=1"), craft("bread", 1)),
        case(ToolMissing, "glass with sand and nothing to burn", furnace("sand=2"), smelt("glass", 2, 60)),
        case(ToolMissing, "beef to be cooked where no furnace is", flat("beef=2,coal=1"), smelt("cooked_beef", 2, 60)),
        case(ToolMissing, "charcoal without a log", furnace("coal=3"), smelt("charcoal", 1, 60)),
        case(ToolMissing, "boots to be dyed and no dye", flat("leather_boots=1"), work("dye", "leather_boots", dyed, r#","material":"red_dye""#)),
        case(ToolMissing, "a sword to be enchanted and no lapis", flat("iron_sword=1").block("enchanting_table", BESIDE), work("enchant", "iron_sword", enchanted, "")),
        case(ToolMissing, "a pickaxe to be mended and none carried", flat("iron_ingot=3").block("grindstone", BESIDE), work("repair", "iron_pickaxe", r#"{"check":"inv_ge","item":"iron_pickaxe","count":1}"#, "")),
        case(ToolMissing, "no stick for the axe, and the body looks about", table("cobblestone=3").keys(looking_about), craft_after("stone_axe", "stick")),
        case(ToolMissing, "no furnace for the ingot, and the body strays", flat("iron_ore=1,coal=1").keys(bends), smelt("iron_ingot", 1, 60)),
    ]
}

#[rustfmt::skip]
fn short_of_tools() -> Vec<Case> {
    vec![
        case(ToolMissing, "coal with the bare hand", lode("coal_ore", ""), mine("coal", 2, 120)),
        case(ToolMissing, "lapis with a wooden pickaxe", lode("lapis_ore", "wooden_pickaxe=1"), mine("lapis_lazuli", 1, 120)),
        case(ToolMissing, "gold ore with a stone pickaxe", lode("gold_ore", "stone_pickaxe=1"), mine("gold_ore", 1, 120)),
        case(ToolMissing, "milk and no bucket", flat("stick=1").mob("cow", 4, 0), use_on("bucket", "cow", "milk_bucket", 60)),
        case(ToolMissing, "wool to be shorn and no shears", flat("iron_ingot=1").mob("sheep", 4, 0), use_on("shears", "sheep", "white_wool", 60)),
        case(ToolMissing, "wheat to be grown without a seed", flat("stone_hoe=1").filled("water", [3, -1, 0], [3, -1, 2]), using("grow", "wheat", 1)),
        case(ToolMissing, "two cows and no wheat for them", flat("").mob("cow", 4, 0).mob("cow", 5, 2), breed("cow", 60)),
        case(ToolMissing, "cobblestone to be stored and none carried", flat("dirt=3").block("chest", BESIDE), step("use", "put", 60, r#"{"check":"container_ge","count":4}"#, &thing("cobblestone", 4))),
        case(ToolMissing, "a hut's first block and none carried", flat("stick=2"), build("cobblestone", "cobblestone")),
        case(ToolMissing, "a meal and nothing to eat", flat("stick=1"), step("use", "eat", 60, &holds("bowl", 1), &thing("bread", 1))),
        case(ToolMissing, "a night in the open without a bed, beside a chest", flat("stick=1").block("chest", BESIDE).at_night(), sleep()),
        case(ToolMissing, "a shield to be taken in hand and none carried", flat("oak_planks=6"), equip("shield", "shield")),
        case(ToolMissing, "salmon and no rod, beside a pond", flat("stick=3,string=1").filled("water", [3, -1, -3], [8, -1, 3]), using("fish", "salmon", 1)),
    ]
}

#[rustfmt::skip]
fn nav_stuck() -> Vec<Case> {
    let pick = "stone_pickaxe=1";
    vec![
        case(NavStuck, "backs into a wall on the way", flat("").walled(2).keys(backward), goto([0, 0, 25], 60)),
        case(NavStuck, "runs against the wall of a pen with the sheep outside", flat("").walled(2).mob("sheep", 0, 5).keys(forward), hunt("sheep", "mutton", 1, 60)),
        case(NavStuck, "sneaks up to an edge and hangs there", flat("").filled("air", [-6, -8, 3], [6, -1, 12]).keys(sneaking), goto([0, 0, 20], 60)),
        case(NavStuck, "jumps on the spot before the birch", flat("").filled("birch_log", [0, 0, 4], [0, 4, 4]).keys(jumping), mine("birch_log", 2, 60)),
        case(NavStuck, "looks about and does not set out", flat("").keys(looking_about), explore("oak_log", 60)),
        case(NavStuck, "pushes against the side of a pit instead of climbing out", flat("dirt=20").walled(1).keys(forward), up_to(60, 60)),
        case(NavStuck, "jumps where it is to dig down", flat(pick).keys(jumping), down_to(25, 60)),
        case(NavStuck, "stands three blocks from the sand", flat("").filled("sand", [-1, 0, 3], [1, 0, 5]).keys(idle), mine("sand", 3, 60)),
        case(NavStuck, "presses against a tree on the way to the pond", flat("").filled("oak_log", [-1, 0, 2], [1, 3, 2]).keys(forward), explore("water", 60)),
        case(NavStuck, "hits the air and stays where it is, the cow is far off", flat("iron_sword=1").mob("cow", 12, 3).keys(hitting), hunt("cow", "beef", 1, 60)),
        case(NavStuck, "says in the middle of the digging that it is caught", flat(pick).reports(80, F::Stuck { at: Pos::new(8, 38, 8) }), down_to(12, 60)),
        case(NavStuck, "idles beside the chest that it is to walk up to", flat("").block("chest", [6, 0, 0]).keys(idle), approach("chest", 60)),
    ]
}

#[rustfmt::skip]
fn nav_oscillate() -> Vec<Case> {
    let pick = "iron_pickaxe=1";
    vec![
        case(NavOscillate, "forth and back beside the sheep", flat("iron_sword=1").mob("sheep", 10, 2).keys(to_and_fro), hunt("sheep", "mutton", 1, 60)),
        case(NavOscillate, "from side to side on the way", flat("").keys(side_to_side), goto([0, 0, 35], 60)),
        case(NavOscillate, "small rounds in a search for water", flat("").keys(small_rounds), explore("water", 60)),
        case(NavOscillate, "forth and back where it is to climb", flat("dirt=30").keys(to_and_fro), up_to(70, 60)),
        case(NavOscillate, "rounds before a seam of coal", flat(pick).filled("coal_ore", [10, 0, 8], [10, 2, 12]).keys(circle), mine("coal", 3, 60)),
        case(NavOscillate, "turns around every few steps", flat("").keys(turning_around), goto([50, 0, 50], 60)),
        case(NavOscillate, "slantwise there and slantwise back in a search", flat("").keys(slantwise), explore("diamond_ore", 60)),
        case(NavOscillate, "small rounds with the chest in view", flat("").block("chest", [14, 0, 2]).keys(small_rounds), approach("chest", 60)),
        case(NavOscillate, "slantwise there and back where pumpkins are to be found", flat("").keys(slantwise), mine("pumpkin", 1, 60)),
    ]
}

#[rustfmt::skip]
fn path_unreachable() -> Vec<Case> {
    vec![
        case(PathUnreachable, "a spot inside a bedrock vault in the north", flat("").boxed([0, 0, -25], 3), goto([0, 0, -25], 90)),
        case(PathUnreachable, "out of a bedrock shaft with nothing to climb on", flat("").walled(1), goto([15, 0, 15], 90)),
        case(PathUnreachable, "a ring of bedrock around the whole meadow", flat("").walled(12), goto([40, 0, 0], 90)),
        case(PathUnreachable, "up through a ceiling of bedrock", flat("dirt=20,iron_pickaxe=1").filled("bedrock", [-20, 4, -20], [20, 4, 20]), up_to(60, 90)),
        case(PathUnreachable, "down through a floor of bedrock three blocks deep", flat("iron_pickaxe=1").filled("bedrock", [-24, -4, -24], [24, -4, 24]), down_to(15, 120)),
        case(PathUnreachable, "walks past the place and away from it until the time is over", flat("").keys(forward), goto([25, 0, 0], 60)),
        case(PathUnreachable, "strays in bends, the chest lies behind it", flat("").block("chest", [0, 0, -12]).keys(bends), goto([0, 0, -40], 40)),
        case(PathUnreachable, "says that water bars the way", flat("").reports(90, F::NoPath { to: Pos::new(60, 41, 60), blocked_by: "water".parse().ok() }), goto([52, 0, 52], 60)),
        case(PathUnreachable, "a seat in the sky over a bedrock plain", flat("").filled("bedrock", [-40, -1, -40], [40, -1, 40]), goto([12, 15, 12], 90)),
    ]
}

#[rustfmt::skip]
fn gui_blocked() -> Vec<Case> {
    vec![
        case(GuiBlocked, "the inventory stays open before the furnace, ore and coal carried", furnace("iron_ore=2,coal=1").keys(opening), smelt("iron_ingot", 2, 60)),
        case(GuiBlocked, "the inventory opened and closed with the table beside it, all parts carried", table("cobblestone=3,stick=2").keys(opening_and_closing), craft("stone_pickaxe", 1)),
        case(GuiBlocked, "the chest opened and closed and nothing put in", flat("cobblestone=5").block("chest", AHEAD).keys(using_and_closing), put("cobblestone", 5, 0)),
        case(GuiBlocked, "the chest opened and left open and nothing put in", flat("cobblestone=5").block("chest", AHEAD).keys(using_once), put("cobblestone", 5, 0)),
        case(GuiBlocked, "the inventory lies open before the tree", flat("").tree(4, 0).keys(opening), mine("oak_log", 2, 60)),
        case(GuiBlocked, "the inventory opened and closed while the bread is to be eaten", flat("bread=2").keys(toggling), eat("bread", 2)),
        case(GuiBlocked, "the table opened once, planks for a chest in the bag", flat("oak_planks=8").block("crafting_table", AHEAD).keys(using_once), craft("chest", 1)),
        case(GuiBlocked, "the inventory opened and closed, the torch is to stand", flat("torch=2").keys(opening_and_closing), place("torch")),
        case(GuiBlocked, "says that the furnace window stays open", furnace("iron_ore=2,coal=1").reports(50, F::GuiBlocked { gui: "furnace".to_owned(), fault: GuiFault::StaysOpen }), smelt("iron_ingot", 2, 60)),
        case(GuiBlocked, "the inventory open over a search", flat("").keys(opening), explore("oak_log", 60)),
        case(GuiBlocked, "the grindstone opened and left open, two worn swords carried", flat("iron_sword=2").block("grindstone", AHEAD).keys(using_once), work("repair", "iron_sword", r#"{"check":"inv_lt","item":"iron_sword","count":2}"#, "")),
    ]
}
