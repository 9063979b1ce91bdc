//! A table: each action of a body on a server once, and each failure once, with what provokes it.

use super::body::Body;
use super::server::TestServer;
use pithead_world::action::{Action, Target};
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::keys::KeyPresses;
use pithead_world::mob::MobKind;
use pithead_world::port::{Request, World};
use pithead_world::space::Pos;
use serde_json::json;
use std::collections::BTreeSet;

/// Has the server prepare something, and says what the body is told to do.
pub(super) type Prepare = fn(&mut TestServer, &mut Body) -> Action;

/// A name, what is done, and how the failure begins; empty for success.
pub(super) struct Row(
    pub(super) &'static str,
    pub(super) Prepare,
    pub(super) &'static str,
);

pub(super) fn item(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

fn block(name: &str) -> Target {
    Target::Block(BlockId::named(name).unwrap())
}

pub(super) fn feet(body: &Body) -> Pos {
    body.frame.position.block()
}

/// Gives it and waits until it has arrived.
pub(super) fn give(server: &mut TestServer, body: &mut Body, name: &str, count: u32) {
    server.give(&[(name, count)]);
    let before = body.frame.inventory.count(item(name));
    body.holds(name, before + count);
}

#[track_caller]
pub(super) fn carry_out(
    rows: &[Row],
    server: &mut TestServer,
    body: &mut Body,
) -> BTreeSet<&'static str> {
    let mut done = BTreeSet::new();
    for Row(name, prepare, expected) in rows {
        let action = prepare(server, body);
        done.insert(action.name());
        let report = body.act(action);
        let said = report.failure.map_or(String::new(), |f| f.to_string());
        let fits = match *expected {
            "" => said.is_empty(),
            start => said.starts_with(start),
        };
        assert!(fits, "{name}: expected `{expected}`, found `{said}`");
    }
    done
}

const ACTIONS: [Row; 20] = [
    Row("wait", |_, _| Action::Wait { ticks: 10 }, ""),
    Row(
        "raw keys",
        |_, _| {
            let keys = KeyPresses {
                forward: true,
                ..KeyPresses::default()
            };
            Action::Raw {
                keys: vec![keys; 10],
            }
        },
        "",
    ),
    Row(
        "explore until a log is in sight",
        |_, _| Action::Explore {
            targets: vec![Target::Source(item("#logs"))],
        },
        "",
    ),
    Row(
        "approach it",
        |_, _| Action::Approach {
            target: Target::Source(item("#logs")),
            range: 3,
        },
        "",
    ),
    Row(
        "mine",
        |_, _| Action::Mine {
            item: item("oak_log"),
            count: 2,
        },
        "",
    ),
    Row("craft", |_, _| craft("oak_planks"), ""),
    Row("craft a table", |_, _| craft("crafting_table"), ""),
    Row(
        "smelt",
        |server, body| {
            for name in ["furnace", "coal", "iron_ore"] {
                give(server, body, name, 1);
            }
            Action::smelt(item("iron_ingot"), 1, None)
        },
        "",
    ),
    Row(
        "equip",
        |_, _| Action::Equip {
            item: item("iron_ingot"),
        },
        "",
    ),
    Row(
        "place",
        |_, _| Action::Place {
            item: item("crafting_table"),
            at: None,
        },
        "",
    ),
    Row(
        "use what stands there",
        |_, _| Action::Use {
            item: None,
            on: block("crafting_table"),
            gain: None,
            count: 1,
        },
        "",
    ),
    Row(
        "put",
        |server, body| {
            give(server, body, "chest", 1);
            body.act(Action::Place {
                item: item("chest"),
                at: None,
            });
            give(server, body, "cobblestone", 4);
            Action::Put {
                item: item("cobblestone"),
                count: 4,
            }
        },
        "",
    ),
    Row(
        "take",
        |_, _| Action::Take {
            item: item("cobblestone"),
            count: 4,
        },
        "",
    ),
    Row(
        "build",
        |_, _| Action::Build {
            blocks: vec![
                (item("cobblestone"), [0, 0, 0]),
                (item("cobblestone"), [0, 1, 0]),
            ],
            clear: Vec::new(),
            blueprint: None,
        },
        "",
    ),
    Row(
        "eat",
        |server, body| {
            server.order(&json!({"do": "feed", "food": 15}));
            give(server, body, "bread", 2);
            Action::Eat
        },
        "",
    ),
    Row(
        "attack",
        |server, body| {
            let Pos { x, y, z } = feet(body);
            server.order(&json!({"do": "spawn", "mob": "cow", "pos": [x + 2, y + 1, z]}));
            Action::Attack {
                mob: MobKind::Cow,
                gain: Some(item("beef")),
                count: 1,
                also: Vec::new(),
            }
        },
        "",
    ),
    Row(
        "go somewhere",
        |_, body| Action::Goto {
            at: feet(body).plus(5, 0, 5),
            range: 3,
        },
        "",
    ),
    Row(
        "dig down",
        |server, body| {
            give(server, body, "stone_pickaxe", 1);
            Action::dig_down(feet(body).y - 4)
        },
        "",
    ),
    Row(
        "go up again",
        |_, body| Action::GoUp {
            y: feet(body).y + 4,
        },
        "",
    ),
    Row(
        "sleep",
        |server, body| {
            server.order(&json!({"do": "time", "time": 13_000}));
            let Pos { x, y, z } = feet(body);
            // Both halves; the state of the game's tables is a foot that looks north.
            server.set([x + 1, y, z], "white_bed");
            server.set([x + 1, y, z - 1], "white_bed");
            body.act(Action::Wait { ticks: 30 });
            Action::Sleep
        },
        "",
    ),
];

fn craft(name: &str) -> Action {
    Action::craft(item(name), 1)
}

#[test]
fn each_action_of_a_body_on_a_server_is_carried_out() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Doer");
    let done = carry_out(&ACTIONS, &mut server, &mut body);
    let all = [
        "approach", "attack", "build", "craft", "dig_down", "eat", "equip", "explore", "go_up",
        "goto", "mine", "place", "put", "raw", "sleep", "smelt", "take", "use", "wait",
    ];
    assert_eq!(done.into_iter().collect::<Vec<_>>(), all);
    assert_eq!(body.frame.time / 1_000, 0, "the night has passed");
}

const FAILURES: [Row; 15] = [
    Row(
        "no recipe",
        |_, _| craft("bedrock"),
        "there is no recipe for bedrock",
    ),
    Row(
        "an ingredient is short",
        |_, _| craft("furnace"),
        "furnace needs 8 #stone_tool_materials, only 0 held",
    ),
    Row(
        "no station",
        |server, body| {
            give(server, body, "cobblestone", 8);
            craft("furnace")
        },
        "furnace needs a crafting_table and none is near or carried",
    ),
    Row(
        "no fuel",
        |server, body| {
            give(server, body, "furnace", 1);
            give(server, body, "iron_ore", 1);
            Action::smelt(item("iron_ingot"), 1, None)
        },
        "nothing to burn in the furnace",
    ),
    Row(
        "not held",
        |_, _| Action::Equip {
            item: item("shield"),
        },
        "shield is not held",
    ),
    Row(
        "the wrong tool",
        |server, body| {
            let Pos { x, y, z } = feet(body);
            for n in 0..3 {
                server.set([x + 2, y + n, z], "diamond_ore");
            }
            body.act(Action::Wait { ticks: 10 });
            Action::Mine {
                item: item("diamond"),
                count: 1,
            }
        },
        "broke 3 diamond_ore with",
    ),
    Row(
        "no room",
        |_, body| Action::Place {
            item: item("cobblestone"),
            at: Some(feet(body).plus(1, 2, 1)),
        },
        "no room for a block at",
    ),
    Row(
        "no way",
        |_, body| Action::Goto {
            at: feet(body).plus(0, 180, 0),
            range: 1,
        },
        "no way to",
    ),
    Row(
        "a window that does not open",
        |server, body| {
            give(server, body, "chest", 1);
            body.act(Action::Place {
                item: item("chest"),
                at: None,
            });
            server.order(&json!({"do": "jam", "on": true}));
            Action::Put {
                item: item("cobblestone"),
                count: 1,
            }
        },
        "the chest window does not answer",
    ),
    Row(
        "what it is used on gives nothing",
        |server, body| {
            server.order(&json!({"do": "jam", "on": false}));
            give(server, body, "crafting_table", 1);
            body.act(Action::Place {
                item: item("crafting_table"),
                at: None,
            });
            Action::Use {
                item: None,
                on: block("crafting_table"),
                gain: Some(item("melon")),
                count: 1,
            }
        },
        "found no crafting_table (searched around y",
    ),
    Row(
        "not possible now",
        |_, _| Action::Sleep,
        "cannot be done: one sleeps only at night",
    ),
    Row(
        "what is never fished",
        |_, _| Action::Fish {
            item: item("diamond"),
            count: 1,
        },
        "cannot be done: diamond cannot be fished",
    ),
    Row(
        "held fast",
        |server, body| {
            server.order(&json!({"do": "hold", "on": true}));
            Action::Goto {
                at: feet(body).plus(12, 0, 0),
                range: 1,
            }
        },
        "stuck at",
    ),
    Row(
        "in danger",
        |server, body| {
            server.order(&json!({"do": "hold", "on": false}));
            server.order(&json!({"do": "hurt", "damage": 15}));
            let Pos { x, y, z } = feet(body);
            server.order(&json!({"do": "spawn", "mob": "cow", "pos": [x + 2, y + 1, z]}));
            Action::Attack {
                mob: MobKind::Cow,
                gain: None,
                count: 1,
                also: Vec::new(),
            }
        },
        "given up because of cow",
    ),
    Row(
        "no slot is left",
        |server, body| {
            for name in ["stick", "bread", "apple", "bucket", "torch"] {
                // More than fit: the rest lies about.
                server.give(&[(name, 64 * 8)]);
            }
            body.act(Action::Wait { ticks: 20 });
            Action::Mine {
                item: item("oak_log"),
                count: 1,
            }
        },
        "the inventory is full",
    ),
];

#[test]
fn each_failure_of_a_body_on_a_server_is_provoked() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Failer");
    carry_out(&FAILURES, &mut server, &mut body);
    // Called off.
    let id = body.start(Action::Wait { ticks: 10_000 });
    body.world.request(Request::Cancel { id });
    let said = body.end(id).failure.map(|failure| failure.to_string());
    assert_eq!(said.as_deref(), Some("cancelled"));
    // Killed, and back again with nothing.
    let id = body.start(Action::Wait { ticks: 10_000 });
    server.order(&json!({"do": "hurt", "damage": 40}));
    let said = body.end(id).failure.map(|failure| failure.to_string());
    assert_eq!(said.as_deref(), Some("died of its wounds"));
    body.act(Action::Wait { ticks: 40 });
    assert_eq!(body.frame.health, 20.0, "it has respawned");
    assert_eq!(body.act(Action::Wait { ticks: 5 }).failure, None);
}
