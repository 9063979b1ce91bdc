//! The corpus: situations with the reason that a knowledgeable person gives for each.
//!
//! Labels were given by the situation, before the classifier was asked. Where the body reports nothing, the plan
//! says what the step rests on: no recipe is read.

use super::scene::{Scene, flat, land};
use super::subgoals::*;
use pithead_core::domain::experience::diagnosis::FailureReason::{self as R, *};
use pithead_world::action::{ActionFailure as F, GuiFault};

/// What happened, why it failed, and how to play it.
pub(crate) struct Case {
    pub(crate) label: R,
    pub(crate) what: &'static str,
    pub(crate) scene: Scene,
    pub(crate) subgoal: String,
}

pub(crate) fn case(label: R, what: &'static str, scene: Scene, subgoal: String) -> Case {
    Case {
        label,
        what,
        scene,
        subgoal,
    }
}

pub(crate) fn all() -> Vec<Case> {
    [
        tool_missing(),
        nav_stuck(),
        nav_oscillate(),
        path_unreachable(),
        gui_blocked(),
        monitor_never_true(),
        timeout(),
        env_terminated(),
        action_invalid(),
        risk_abort(),
        unknown(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const TABLE: [i32; 3] = [2, 0, 0];
/// At the height of the eyes, two blocks ahead.
const AHEAD: [i32; 3] = [0, 1, 2];

#[rustfmt::skip] // a table: one situation a line
fn tool_missing() -> Vec<Case> {
    let table = |carried| flat(carried).block("crafting_table", TABLE);
    let furnace = |carried| flat(carried).block("furnace", TABLE);
    let rock = |carried| flat(carried).filled("stone", [3, 0, -2], [4, 2, 2]);
    let ore = |name, carried| flat(carried).filled(name, [3, 0, -1], [3, 1, 1]);
    vec![
        case(ToolMissing, "a pickaxe without sticks at the table", table("oak_planks=3"), craft("wooden_pickaxe", 1)),
        case(ToolMissing, "a pickaxe with everything but a table", flat("oak_planks=3,stick=2"), craft("wooden_pickaxe", 1)),
        case(ToolMissing, "sticks of nothing", flat(""), craft("stick", 4)),
        case(ToolMissing, "a thing without a recipe", table("stone=64"), craft("bedrock", 1)),
        case(ToolMissing, "a pickaxe without sticks, and the body only stands there", table("oak_planks=3").keys(idle), craft_after("wooden_pickaxe", "stick")),
        case(ToolMissing, "a pickaxe without sticks, the inventory opened and closed in vain", table("oak_planks=3").keys(toggling), craft_after("wooden_pickaxe", "stick")),
        case(ToolMissing, "a pickaxe without a table, and the body walks to and fro", flat("oak_planks=3,stick=2").keys(to_and_fro), craft_after("wooden_pickaxe", "crafting_table")),
        case(ToolMissing, "iron without fuel", furnace("iron_ore=3"), smelt("iron_ingot", 3, 60)),
        case(ToolMissing, "iron without a furnace", flat("iron_ore=3,coal=2"), smelt("iron_ingot", 3, 60)),
        case(ToolMissing, "iron without ore", furnace("coal=2"), smelt("iron_ingot", 1, 60)),
        case(ToolMissing, "stone by hand", rock(""), mine("cobblestone", 4, 120)),
        case(ToolMissing, "iron ore with a wooden pickaxe", ore("iron_ore", "wooden_pickaxe=1"), mine("iron_ore", 2, 120)),
        case(ToolMissing, "diamond with a stone pickaxe", ore("diamond_ore", "stone_pickaxe=1"), mine("diamond", 1, 120)),
        case(ToolMissing, "a torch to place and none carried", flat("stick=3"), place("torch")),
        case(ToolMissing, "a sword to take in hand and none carried", flat("stick=3"), equip("iron_sword", "iron_sword")),
        case(ToolMissing, "fish without a rod", flat("").filled("water", [3, -1, -3], [9, -1, 3]), using("fish", "cod", 1)),
        case(ToolMissing, "a night without a bed", flat("").at_night(), sleep()),
    ]
}

#[rustfmt::skip]
fn nav_stuck() -> Vec<Case> {
    let pick = "stone_pickaxe=1";
    vec![
        case(NavStuck, "walks against a wall on the way", flat("").walled(3).keys(forward), goto([0, 0, 30], 60)),
        case(NavStuck, "walks against a wall in a search", flat("").walled(2).keys(forward), explore("oak_log", 60)),
        case(NavStuck, "jumps up and down in a pit", flat("").walled(1).keys(jumping), goto([12, 0, 0], 60)),
        case(NavStuck, "stands before the journey", flat("").keys(idle), goto([20, 0, 0], 60)),
        case(NavStuck, "stands beside the tree it is to fell", flat("").tree(4, 0).keys(idle), mine("oak_log", 2, 60)),
        case(NavStuck, "stands before rock with the right pickaxe", flat(pick).filled("stone", [3, 0, -2], [4, 2, 2]).keys(idle), mine("cobblestone", 4, 60)),
        case(NavStuck, "runs into the trunk instead of felling it", flat("").filled("oak_log", [-1, 0, 3], [1, 3, 3]).keys(forward), mine("oak_log", 3, 60)),
        case(NavStuck, "stands while the cow grazes", flat("iron_sword=1").mob("cow", 6, 0).keys(idle), hunt("cow", "beef", 1, 60)),
        case(NavStuck, "stands where it is to dig", flat(pick).keys(idle), down_to(20, 60)),
        case(NavStuck, "stands in a pit by night and hides from nothing", flat("").at_night().filled("dirt", [-1, 0, -1], [1, 3, 1]).filled("air", [0, 0, 0], [0, 1, 0]).keys(idle), hunt("cow", "beef", 1, 60)),
        case(NavStuck, "the body says that it is caught", flat("").reports(100, F::Stuck { at: pithead_world::space::Pos::new(8, 41, 8) }), goto([40, 0, 0], 60)),
    ]
}

#[rustfmt::skip]
fn nav_oscillate() -> Vec<Case> {
    let pick = "stone_pickaxe=1";
    vec![
        case(NavOscillate, "there and back on the way", flat("").keys(to_and_fro), goto([30, 0, 0], 60)),
        case(NavOscillate, "there and back in a search", flat("").keys(to_and_fro), explore("oak_log", 60)),
        case(NavOscillate, "rounds in a search", flat("").keys(circle), explore("oak_log", 60)),
        case(NavOscillate, "from side to side before a tree", flat("").tree(0, 9).keys(side_to_side), mine("oak_log", 2, 60)),
        case(NavOscillate, "rounds instead of digging", flat(pick).keys(circle), mine("cobblestone", 4, 60)),
        case(NavOscillate, "rounds beside the cow", flat("iron_sword=1").mob("cow", 9, 9).keys(circle), hunt("cow", "beef", 1, 60)),
        case(NavOscillate, "there and back between two walls", flat("").filled("bedrock", [-3, 0, 4], [3, 3, 4]).filled("bedrock", [-3, 0, -4], [3, 3, -4]).keys(to_and_fro), goto([0, 0, 20], 60)),
        case(NavOscillate, "the same wide round in a search for a village's wheat", flat("").keys(round), mine("wheat", 1, 120)),
        case(NavOscillate, "from side to side where it is to dig", flat(pick).keys(side_to_side), down_to(20, 60)),
    ]
}

#[rustfmt::skip]
fn path_unreachable() -> Vec<Case> {
    vec![
        case(PathUnreachable, "a place in a closed box", flat("").boxed([20, 0, 0], 2), goto([20, 0, 0], 90)),
        case(PathUnreachable, "a place in the sky, nothing to climb on", flat("").filled("bedrock", [-40, -1, -40], [40, -1, 40]), goto([0, 20, 12], 90)),
        case(PathUnreachable, "the body in a closed box", flat("").boxed([0, 0, 0], 2), goto([20, 0, 0], 90)),
        case(PathUnreachable, "ore on top of a pillar, nothing to climb on", flat("iron_pickaxe=1").filled("bedrock", [-40, -1, -40], [40, -1, 40]).filled("bedrock", [6, 0, 0], [6, 9, 0]).block("diamond_ore", [6, 10, 0]), mine("diamond", 1, 90)),
        case(PathUnreachable, "deeper than bedrock lets dig", flat("iron_pickaxe=1").filled("bedrock", [-24, -2, -24], [24, -2, 24]), down_to(20, 120)),
        case(PathUnreachable, "up without anything to climb, walking about below", flat("").keys(forward), up_to(120, 60)),
        case(PathUnreachable, "the body finds no way", flat("").reports(60, F::NoPath { to: pithead_world::space::Pos::new(90, 41, 8), blocked_by: None }), goto([82, 0, 0], 60)),
        case(PathUnreachable, "walks on in another direction until the time is over", flat("").keys(forward), goto([-60, 0, -60], 60)),
    ]
}

#[rustfmt::skip]
fn gui_blocked() -> Vec<Case> {
    let pickaxe = || flat("oak_planks=3,stick=2").block("crafting_table", AHEAD);
    vec![
        case(GuiBlocked, "the inventory opened and closed, everything for sticks carried", flat("oak_planks=4").keys(toggling), craft("stick", 4)),
        case(GuiBlocked, "the inventory left open, everything for sticks carried", flat("oak_planks=4").keys(opening), craft("stick", 4)),
        case(GuiBlocked, "the table opened and nothing made", pickaxe().keys(using_once), craft("wooden_pickaxe", 1)),
        case(GuiBlocked, "the table opened and closed again and again", pickaxe().keys(using_and_closing), craft("wooden_pickaxe", 1)),
        case(GuiBlocked, "the furnace opened and nothing put in", flat("iron_ore=2,coal=1").block("furnace", AHEAD).keys(using_once), smelt("iron_ingot", 2, 60)),
        case(GuiBlocked, "the inventory over the torch to be placed", flat("torch=1").keys(opening), place("torch")),
        case(GuiBlocked, "the inventory in the way of taking a sword in hand", flat("iron_sword=1,stick=1").keys(toggling), equip("stick", "stick")),
        case(GuiBlocked, "the inventory open in the middle of the way", flat("").keys(opening), goto([20, 0, 0], 60)),
        case(GuiBlocked, "the body says that a window stays open", flat("oak_planks=4").reports(60, F::GuiBlocked { gui: "chest".to_owned(), fault: GuiFault::StaysOpen }), wait(400, r#"{"check":"inv_ge","item":"stick","count":4}"#, 60)),
    ]
}

#[rustfmt::skip]
fn monitor_never_true() -> Vec<Case> {
    vec![
        case(MonitorNeverTrue, "no tree in sight of a long walk", flat("").keys(forward), explore("oak_log", 60)),
        case(MonitorNeverTrue, "no tree on a plain", flat(""), explore("oak_log", 120)),
        case(MonitorNeverTrue, "no diamond in plain rock", flat("iron_pickaxe=1"), mine("diamond", 1, 60)),
        case(MonitorNeverTrue, "no cow on an empty plain", flat("iron_sword=1"), hunt("cow", "beef", 1, 120)),
        case(MonitorNeverTrue, "a table is placed and a furnace is looked for", flat("crafting_table=1"), r#"{"task_kind":"use","executor_hint":"place","timeout_s":60,"checks":[{"check":"near","target":"furnace","range":4}],"goal":{"object":"crafting_table","count":1}}"#.to_owned()),
        case(MonitorNeverTrue, "an area is swept, round beside round, and no wheat stands in it", flat("").keys(sweep), mine("wheat", 1, 60)),
        case(MonitorNeverTrue, "waiting does not bring logs", flat(""), wait(200, r#"{"check":"inv_ge","item":"oak_log","count":1}"#, 60)),
        case(MonitorNeverTrue, "ten seconds after noon it is not yet night", flat(""), wait(200, r#"{"check":"world_time","window":[14000,20000]}"#, 60)),
        case(MonitorNeverTrue, "takes the torch in hand, the sword is asked for", flat("stick=1,torch=1,iron_sword=1").hand("stick"), equip("torch", "iron_sword")),
        case(MonitorNeverTrue, "stands with everything for sticks and makes none", flat("oak_planks=4").keys(idle), craft("stick", 4)),
        case(MonitorNeverTrue, "stands beside a furnace with everything for iron", flat("iron_ore=2,coal=1").block("furnace", TABLE).keys(idle), smelt("iron_ingot", 2, 60)),
        case(MonitorNeverTrue, "told to stay, it stays, and nothing comes", flat("").keys(idle), wait(3000, r#"{"check":"near","target":"cow","range":4}"#, 60)),
    ]
}

#[rustfmt::skip]
fn timeout() -> Vec<Case> {
    let forest = || (0..5).fold(flat(""), |scene, n| scene.tree(4 + 3 * n, 2 * (n % 2)));
    vec![
        case(Timeout, "a long way and little time", flat(""), goto([300, 0, 0], 20)),
        case(Timeout, "many logs and little time", forest(), mine("oak_log", 16, 25)),
        case(Timeout, "much cobblestone and little time", flat("wooden_pickaxe=1").filled("stone", [3, 0, -4], [6, 3, 4]), mine("cobblestone", 40, 20)),
        case(Timeout, "eight ingots in the time of four", flat("iron_ore=8,coal=2").block("furnace", TABLE), smelt("iron_ingot", 8, 45)),
        case(Timeout, "digs down well, but not that fast", flat("stone_pickaxe=1"), down_to(8, 15)),
        case(Timeout, "climbs well, but not that fast", flat("dirt=64,stone_pickaxe=1"), up_to(70, 10)),
        case(Timeout, "the run's budget ends in the middle of the trees", forest().budget(300), mine("oak_log", 16, 120)),
        case(Timeout, "the run's budget ends on the way", flat("").budget(200), goto([300, 0, 0], 120)),
        case(Timeout, "the wait was to be longer", flat(""), wait(4000, r#"{"check":"world_time","elapsed":3000}"#, 60)),
        case(Timeout, "the run's budget ends in the hole in which the night is sat out", flat("").at_night().budget(3_000), hunt("cow", "beef", 1, 60)),
        case(Timeout, "the controller did not manage it in its time", forest().reports(300, F::OutOfTime { ticks: 300 }), mine("oak_log", 16, 120)),
        case(Timeout, "an hour's search is cut after ten seconds by the budget", flat("").budget(200), explore("oak_log", 600)),
    ]
}

#[rustfmt::skip]
fn env_terminated() -> Vec<Case> {
    let fluid = |name| flat("").filled("bedrock", [-1, 0, -1], [1, 5, 1]).filled(name, [0, 0, 0], [0, 4, 0]);
    vec![
        case(EnvTerminated, "falls to its death", flat("").above(30), goto([10, 0, 0], 60)),
        case(EnvTerminated, "burns in lava", fluid("lava"), explore("oak_log", 60)),
        case(EnvTerminated, "drowns", fluid("water").keys(idle), wait(2000, r#"{"check":"inv_ge","item":"oak_log","count":1}"#, 60)),
        case(EnvTerminated, "is buried and suffocates", fluid("stone").keys(idle), craft("stick", 4)),
        case(EnvTerminated, "zombies kill it by night", flat("").health(4.0).at_night().mob("zombie", 3, 0).mob("zombie", -3, 0).mob("zombie", 0, 3).keys(idle), goto([20, 0, 0], 60)),
        case(EnvTerminated, "the server closes the connection", flat("").goes_away(100, "the server closed the connection"), goto([100, 0, 0], 60)),
        case(EnvTerminated, "the server stops while the furnace burns", flat("iron_ore=8,coal=2").block("furnace", TABLE).goes_away(300, "the process died"), smelt("iron_ingot", 8, 120)),
    ]
}

#[rustfmt::skip]
fn action_invalid() -> Vec<Case> {
    let plain = |executor: &str, kind: &str| format!(r#"{{"task_kind":"{kind}","executor_hint":"{executor}","timeout_s":60,"checks":[{{"check":"inv_ge","item":"oak_log","count":1}}],"goal":{{}}}}"#);
    vec![
        case(ActionInvalid, "to fight, nobody knows what", flat(""), plain("attack", "combat")),
        case(ActionInvalid, "to use something, nobody knows on what", flat("stick=1"), plain("use", "use")),
        case(ActionInvalid, "to dig down, nobody knows how deep", flat(""), plain("dig_down", "move")),
        case(ActionInvalid, "to breed, nobody knows what", flat("wheat=4"), plain("breed", "use")),
        case(ActionInvalid, "to look for a thing that no block and no animal gives", flat(""), explore_item("wooden_pickaxe")),
        case(ActionInvalid, "a block is to be put where there is no room for one", flat("chest=1").filled("bedrock", [-1, 0, -1], [1, 2, 1]).filled("air", [0, 0, 0], [0, 1, 0]), place("chest")),
        case(ActionInvalid, "iron is to be grown in a field", flat("wheat_seeds=3,stone_hoe=1"), using("grow", "iron_ingot", 1)),
        case(ActionInvalid, "the world cannot do it at all", flat("").reports(20, F::Invalid { because: "no such action".to_owned() }), goto([9, 0, 0], 60)),
    ]
}

#[rustfmt::skip]
fn risk_abort() -> Vec<Case> {
    vec![
        case(RiskAbort, "lava under the shaft", flat("iron_pickaxe=1").filled("bedrock", [-3, -12, -3], [3, 4, 3]).filled("stone", [-2, -4, -2], [2, -1, 2]).filled("air", [-2, 0, -2], [2, 4, 2]).filled("lava", [-2, -11, -2], [2, -5, 2]), down_to(20, 300)),
        case(RiskAbort, "monsters around the bed", flat("white_bed=1").at_night().boxed([4, 0, 0], 1).mob("zombie", 4, 0), sleep()),
        case(RiskAbort, "the body turns back before lava", flat("").reports(80, F::Danger { of: "lava ahead".to_owned() }), goto([60, 0, 0], 60)),
        case(RiskAbort, "the body gives up the fight with two hearts left", flat("").health(3.0).reports(60, F::Cancelled), hunt("cow", "beef", 1, 60)),
        case(RiskAbort, "the body gives up the search with one heart left", flat("").health(2.0).reports(60, F::Cancelled), explore("oak_log", 60)),
        case(RiskAbort, "the body does not jump down the cliff", land(3, "").reports(60, F::Danger { of: "a drop".to_owned() }), explore("diamond_ore", 60)),
    ]
}

#[rustfmt::skip]
fn unknown() -> Vec<Case> {
    vec![
        case(Unknown, "cancelled on the way without a reason", flat("").reports(60, F::Cancelled), goto([60, 0, 0], 60)),
        case(Unknown, "cancelled in a search without a reason", land(2, "").reports(100, F::Cancelled), explore("diamond_ore", 60)),
        case(Unknown, "cancelled at the furnace without a reason", flat("iron_ore=8,coal=2").block("furnace", TABLE).reports(100, F::Cancelled), smelt("iron_ingot", 8, 120)),
        case(Unknown, "cancelled in the middle of a wait", flat("").reports(100, F::Cancelled), wait(2000, r#"{"check":"world_time","elapsed":2000}"#, 200)),
        case(Unknown, "cancelled before the tree", flat("").tree(20, 0).reports(40, F::Cancelled), mine("oak_log", 4, 60)),
    ]
}
