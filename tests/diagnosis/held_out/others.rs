//! Checks that never came true, time that ran out, ends from outside, orders that make no sense, dangers, and
//! ends without a reason.

use super::super::corpus::{Case, case};
use super::super::scene::{Scene, flat, land};
use super::super::subgoals::{
    craft, down_to, equip, explore, explore_item, forward, goto, hunt, idle, mine, place, sleep,
    smelt, sweep, up_to, using, wait,
};
use super::keyboards::*;
use super::steps::*;
use pithead_core::domain::experience::diagnosis::FailureReason::*;
use pithead_world::action::ActionFailure as F;

pub(super) fn all() -> Vec<Case> {
    let parts = [
        monitor_never_true(),
        timeout(),
        env_terminated(),
        action_invalid(),
        risk_abort(),
        unknown(),
    ];
    parts.into_iter().flatten().collect()
}

const BESIDE: [i32; 3] = [-2, 0, 1];

fn grove() -> Scene {
    (0..4).fold(flat(""), |scene, n| scene.tree(3 * (n % 2) - 5, 4 + 3 * n))
}

#[rustfmt::skip] // a table: one situation a line
fn monitor_never_true() -> Vec<Case> {
    let near = |thing: &str| format!(r#"{{"check":"near","target":"{thing}","range":4}}"#);
    vec![
        case(MonitorNeverTrue, "no water on a plain", flat(""), explore("water", 90)),
        case(MonitorNeverTrue, "no gold in plain rock", flat("iron_pickaxe=1"), mine("gold_ore", 1, 60)),
        case(MonitorNeverTrue, "no sheep on an empty plain", flat("iron_sword=1"), hunt("sheep", "mutton", 1, 90)),
        case(MonitorNeverTrue, "no chest on a plain to take from", flat(""), take("iron_ingot", 60)),
        case(MonitorNeverTrue, "a chest stands there and is empty", flat("").block("chest", BESIDE), take("diamond", 60)),
        case(MonitorNeverTrue, "a chest is placed and a furnace is looked for", flat("chest=1"), step("use", "place", 60, &near("furnace"), &thing("chest", 1))),
        case(MonitorNeverTrue, "takes the bread in hand, the axe is asked for", flat("bread=1,stick=1,stone_axe=1").hand("stick"), equip("bread", "stone_axe")),
        case(MonitorNeverTrue, "sticks are made and a ladder is looked for", flat("oak_planks=4"), step("craft", "craft", 60, &holds("ladder", 1), &thing("stick", 4))),
        case(MonitorNeverTrue, "idles with four planks for a table", flat("oak_planks=4").keys(idle), craft("crafting_table", 1)),
        case(MonitorNeverTrue, "idles beside a furnace with sand and coal", flat("sand=2,coal=1").block("furnace", BESIDE).keys(idle), smelt("glass", 2, 60)),
        case(MonitorNeverTrue, "digs down as told and no coal is near there", flat("stone_pickaxe=1"), step("move", "dig_down", 90, &near("coal_ore"), r#""amount":36"#)),
        case(MonitorNeverTrue, "builds the block and looks for a torch", flat("cobblestone=2"), build("cobblestone", "torch")),
        case(MonitorNeverTrue, "no village anywhere for the bread", flat("emerald=5"), step("use", "trade", 60, &holds("bread", 1), &thing("bread", 1))),
        case(MonitorNeverTrue, "eats the bread and looks for an apple", flat("bread=2").health(19.0), step("use", "eat", 60, &holds("apple", 1), &thing("bread", 1))),
        case(MonitorNeverTrue, "sweeps a meadow without pumpkins", flat("").keys(sweep), mine("pumpkin", 1, 60)),
        case(MonitorNeverTrue, "waits and no cow comes by", flat(""), wait(400, &near("cow"), 60)),
        case(MonitorNeverTrue, "wanders far in bends and sees no tree", flat("").keys(bends), explore("birch_log", 60)),
    ]
}

#[rustfmt::skip]
fn timeout() -> Vec<Case> {
    let pond = |carried| flat(carried).filled("water", [3, -2, -3], [9, -1, 3]);
    vec![
        case(Timeout, "much sand and little time", flat("").filled("sand", [-3, 0, 2], [3, 2, 6]), mine("sand", 48, 15)),
        case(Timeout, "two hundred blocks in fifteen seconds", flat(""), goto([0, 0, 200], 15)),
        case(Timeout, "six panes' glass in the time of three", flat("sand=6,coal=1").block("furnace", BESIDE), smelt("glass", 6, 38)),
        case(Timeout, "a herd to be hunted in ten seconds", flat("stone_sword=1").mob("cow", 3, 2).mob("cow", 9, -4).mob("cow", -9, 5).mob("cow", 12, 9), hunt("cow", "beef", 12, 10)),
        case(Timeout, "five seconds for a fish", pond("fishing_rod=1"), step("use", "fish", 5, &holds("cod", 3), &thing("cod", 3))),
        case(Timeout, "a minute for a field to ripen", flat("stone_hoe=1,wheat_seeds=4").filled("water", [3, -1, 0], [3, -1, 2]), using("grow", "wheat", 4)),
        case(Timeout, "digs down well with iron and has twelve seconds", flat("iron_pickaxe=1"), down_to(6, 12)),
        case(Timeout, "climbs well and has six seconds", flat("dirt=64"), up_to(75, 6)),
        case(Timeout, "the run's budget ends in the quarry", flat("wooden_pickaxe=1").filled("stone", [-3, 0, 2], [3, 3, 5]).budget(250), mine("cobblestone", 30, 120)),
        case(Timeout, "the run's budget ends at the furnace", flat("iron_ore=6,coal=1").block("furnace", BESIDE).budget(500), smelt("iron_ingot", 6, 200)),
        case(Timeout, "the wait was cut to half", flat(""), wait(3000, r#"{"check":"world_time","elapsed":2400}"#, 60)),
        case(Timeout, "the controller says that its time is over on the way", flat("").reports(200, F::OutOfTime { ticks: 200 }), goto([90, 0, 10], 60)),
        case(Timeout, "walks the right way, and the run's budget ends", flat("").keys(forward).budget(240), goto([0, 0, 120], 60)),
    ]
}

#[rustfmt::skip]
fn env_terminated() -> Vec<Case> {
    let vat = |name| flat("").filled("bedrock", [-1, 0, -1], [1, 5, 1]).filled(name, [0, 0, 0], [0, 4, 0]);
    vec![
        case(EnvTerminated, "falls forty blocks in a search", flat("").above(40), explore("oak_log", 60)),
        case(EnvTerminated, "burns in lava while a log is to be felled", vat("lava").keys(idle), mine("oak_log", 1, 60)),
        case(EnvTerminated, "drowns on the way", vat("water").keys(idle), goto([20, 0, 0], 60)),
        case(EnvTerminated, "is buried under stone with a pickaxe in the bag", vat("stone").keys(idle), goto([0, 0, 20], 60)),
        case(EnvTerminated, "three zombies kill it at the workbench", flat("oak_planks=4").health(3.0).at_night().mob("zombie", 2, 1).mob("zombie", -2, 1).mob("zombie", 1, -2).keys(idle), craft("stick", 4)),
        case(EnvTerminated, "the server goes away in the grove", grove().goes_away(120, "the server restarted"), mine("oak_log", 8, 60)),
        case(EnvTerminated, "the connection breaks in a wait", flat("").goes_away(80, "the connection was reset"), wait(2000, r#"{"check":"world_time","elapsed":2000}"#, 200)),
    ]
}

#[rustfmt::skip]
fn action_invalid() -> Vec<Case> {
    let bag = "gold_ingot=2304";
    vec![
        case(ActionInvalid, "shears to be used, nobody says on what", flat("shears=1"), step("use", "use", 60, &holds("white_wool", 1), r#""object":"white_wool","count":1,"tool":"shears""#)),
        case(ActionInvalid, "to climb, nobody knows how high", flat("dirt=4"), step("move", "go_up", 60, &holds("dirt", 9), "")),
        case(ActionInvalid, "to dye, nobody says in which colour", flat("leather_boots=1"), step("use", "dye", 60, &holds("leather_boots", 2), &thing("leather_boots", 1))),
        case(ActionInvalid, "planks are to be mended, which do not wear", flat("oak_planks=3"), step("use", "repair", 60, &holds("oak_planks", 9), &thing("oak_planks", 1))),
        case(ActionInvalid, "diamonds are to be grown in a field", flat("wheat_seeds=3,stone_hoe=1"), using("grow", "diamond", 1)),
        case(ActionInvalid, "zombies are to be bred", flat("wheat=4").mob("zombie", 9, 0), step("use", "breed", 60, r#"{"check":"near","target":"zombie","range":1}"#, r#""info":"zombie","object":"rotten_flesh""#)),
        case(ActionInvalid, "a thing is to be mined that no block gives", flat("stone_pickaxe=1"), mine("iron_sword", 1, 60)),
        case(ActionInvalid, "a thing is to be looked for that is only ever made", flat(""), explore_item("iron_pickaxe")),
        case(ActionInvalid, "a table is to stand in a cell of one block", flat("crafting_table=1").filled("bedrock", [-1, 0, -1], [1, 2, 1]).filled("air", [0, 0, 0], [0, 1, 0]), place("crafting_table")),
        case(ActionInvalid, "a sword is to be built", flat("iron_sword=1"), build("iron_sword", "cobblestone")),
        case(ActionInvalid, "no villager ever trades dirt", flat("emerald=4").mob("villager", 4, 0), step("use", "trade", 60, &holds("dirt", 9), &thing("dirt", 1))),
        case(ActionInvalid, "the bag is full and nothing more goes in", flat(bag).tree(4, 0), mine("oak_log", 2, 60)),
    ]
}

#[rustfmt::skip]
fn risk_abort() -> Vec<Case> {
    vec![
        case(RiskAbort, "a lake of lava right under the spade", flat("stone_pickaxe=1").filled("bedrock", [-3, -14, -3], [3, 4, 3]).filled("stone", [-2, -3, -2], [2, -1, 2]).filled("air", [-2, 0, -2], [2, 4, 2]).filled("lava", [-2, -13, -2], [2, -4, 2]), down_to(15, 300)),
        case(RiskAbort, "a zombie growls in a vault by the bed", flat("red_bed=1").at_night().boxed([-4, 0, 0], 1).mob("zombie", -4, 0), sleep()),
        case(RiskAbort, "turns back at a cliff with the sheep below", flat("iron_sword=1").reports(90, F::Danger { of: "a drop".to_owned() }), hunt("sheep", "mutton", 1, 60)),
        case(RiskAbort, "leaves the quarry with two hearts", flat("wooden_pickaxe=1").health(4.0).filled("stone", [-3, 0, 2], [3, 3, 5]).reports(70, F::Cancelled), mine("cobblestone", 20, 60)),
        case(RiskAbort, "stops digging with half a heart", flat("stone_pickaxe=1").health(1.0).reports(50, F::Cancelled), down_to(12, 60)),
        case(RiskAbort, "goes no farther because it is too weak", flat("").health(5.0).reports(60, F::Danger { of: "low health".to_owned() }), explore("oak_log", 60)),
        case(RiskAbort, "will not pour the lava out of its way", flat("bucket=1").reports(100, F::Danger { of: "lava".to_owned() }), goto([40, 0, 0], 60)),
    ]
}

#[rustfmt::skip]
fn unknown() -> Vec<Case> {
    vec![
        case(Unknown, "called off in the quarry, nobody says why", flat("wooden_pickaxe=1").filled("stone", [-3, 0, 2], [3, 3, 5]).reports(30, F::Cancelled), mine("cobblestone", 20, 60)),
        case(Unknown, "called off beside the pond", flat("fishing_rod=1").filled("water", [3, -2, -3], [9, -1, 3]).reports(80, F::Cancelled), using("fish", "cod", 1)),
        case(Unknown, "called off on the way up", flat("dirt=40").reports(40, F::Cancelled), up_to(70, 60)),
        case(Unknown, "called off in a wood", land(5, "").reports(70, F::Cancelled), explore("gold_ore", 60)),
        case(Unknown, "called off after the cow", flat("iron_sword=1").mob("cow", 12, 4).reports(30, F::Cancelled), hunt("cow", "beef", 3, 60)),
        case(Unknown, "called off on the way down", flat("stone_pickaxe=1").reports(60, F::Cancelled), down_to(12, 60)),
    ]
}
