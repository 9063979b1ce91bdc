//! Trades: fishing, growing, breeding, trading, enchanting, dyeing, mending and building on a server, and how each fails.

use super::body::Body;
use super::server::TestServer;
use super::table::{Row, carry_out, feet, give, item};
use pithead_world::action::Action;
use pithead_world::blueprint::BlueprintName;
use pithead_world::mob::MobKind;
use pithead_world::space::Pos;
use serde_json::{Value, json};

/// What lies `dx dy dz` from the feet.
fn near(body: &Body, by: [i32; 3]) -> [i32; 3] {
    let Pos { x, y, z } = feet(body);
    [x + by[0], y + by[1], z + by[2]]
}

fn order(server: &mut TestServer, body: &mut Body, order: &Value) {
    server.order(order);
    body.act(Action::Wait { ticks: 10 });
}

/// Level ground around the body, with a pond to the east.
fn meadow(server: &mut TestServer, body: &mut Body) {
    let area =
        |from, to, block: &str| json!({"do": "fill", "from": from, "to": to, "block": block});
    let (low, high) = (near(body, [-6, -1, -6]), near(body, [10, -1, 6]));
    server.order(&area(low, high, "grass_block"));
    let (low, high) = (near(body, [-6, 0, -6]), near(body, [10, 6, 6]));
    server.order(&area(low, high, "air"));
    let (low, high) = (near(body, [4, -1, -3]), near(body, [8, -1, 3]));
    server.order(&area(low, high, "water"));
    body.act(Action::Wait { ticks: 20 });
}

fn enchant(name: &str) -> Action {
    Action::Enchant { item: item(name) }
}

fn repair(name: &str) -> Action {
    Action::Repair { item: item(name) }
}

fn dye_boots() -> Action {
    Action::Dye {
        item: item("leather_boots"),
        dye: item("red_dye"),
    }
}

fn bread() -> Action {
    Action::Trade {
        item: item("bread"),
        count: 6,
    }
}

fn hut() -> Action {
    let stone = |x, y, z| (item("cobblestone"), [x, y, z]);
    Action::Build {
        blocks: vec![
            stone(0, 0, 0),
            stone(1, 0, 0),
            stone(0, 1, 0),
            stone(1, 1, 0),
        ],
        clear: vec![[0, 0, 1]],
        blueprint: Some("wall".parse::<BlueprintName>().unwrap()),
    }
}

const FROM_THE_LAND: [Row; 5] = [
    Row(
        "fish, and more than what bit first",
        |server, body| {
            server.order(&json!({"do": "catches", "items": ["lily_pad", "cod"], "ms": 600}));
            give(server, body, "fishing_rod", 1);
            Action::Fish {
                item: item("cod"),
                count: 1,
            }
        },
        "",
    ),
    Row(
        "grow, with bone meal",
        |server, body| {
            give(server, body, "wooden_hoe", 1);
            give(server, body, "wheat_seeds", 1);
            give(server, body, "bone_meal", 4);
            Action::Grow {
                item: item("wheat"),
                count: 1,
            }
        },
        "",
    ),
    Row(
        "breed",
        |server, body| {
            for dz in [-2, 2] {
                let at = near(body, [-2, 0, dz]);
                server.order(&json!({"do": "spawn", "mob": "cow", "pos": at}));
            }
            give(server, body, "wheat", 2);
            Action::Breed { mob: MobKind::Cow }
        },
        "",
    ),
    Row(
        "trade",
        |server, body| {
            let offers = json!([
                {"pay": [["emerald", 2]], "get": ["apple", 1], "uses": 4},
                {"pay": [["emerald", 1]], "get": ["bread", 3], "uses": 4},
            ]);
            let at = near(body, [-3, 0, 0]);
            server.order(&json!({"do": "villager", "pos": at, "offers": offers}));
            give(server, body, "emerald", 3);
            bread()
        },
        "",
    ),
    Row(
        "build by a blueprint",
        |server, body| {
            give(server, body, "cobblestone", 4);
            hut()
        },
        "",
    ),
];

#[test]
fn what_the_land_gives_is_fished_grown_bred_bought_and_built() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Farmer");
    meadow(&mut server, &mut body);
    carry_out(&FROM_THE_LAND, &mut server, &mut body);
    let has = |name: &str| body.frame.inventory.count(item(name));
    assert_eq!((has("cod"), has("bread"), has("emerald")), (1, 6, 1));
    assert!(has("wheat_seeds") >= 1, "the seeds of the harvest");
    assert_eq!(has("cobblestone"), 0, "the wall stands");
}

const IMPROVED: [Row; 6] = [
    Row(
        "dye",
        |server, body| {
            give(server, body, "leather_boots", 1);
            give(server, body, "red_dye", 2);
            dye_boots()
        },
        "",
    ),
    Row(
        "mend in the grid",
        |server, body| {
            for damage in [200, 180] {
                let worn = json!({"do": "give_worn", "item": "iron_pickaxe", "damage": damage});
                server.order(&worn);
            }
            body.holds("iron_pickaxe", 2);
            repair("iron_pickaxe")
        },
        "",
    ),
    Row(
        "mend with material at an anvil",
        |server, body| {
            let enchants = json!([{"name": "sharpness", "lvl": 1}]);
            let worn = json!({"do": "give_worn", "item": "iron_sword", "damage": 100, "enchants": enchants});
            order(server, body, &worn);
            for (name, count) in [("iron_ingot", 3), ("anvil", 1)] {
                give(server, body, name, count);
            }
            order(server, body, &json!({"do": "level", "level": 9}));
            repair("iron_sword")
        },
        "",
    ),
    Row(
        "enchant on a table",
        |server, body| {
            give(server, body, "iron_axe", 1);
            give(server, body, "lapis_lazuli", 5);
            give(server, body, "enchanting_table", 1);
            enchant("iron_axe")
        },
        "",
    ),
    Row(
        "enchant with a book at an anvil",
        |server, body| {
            let enchants = json!([{"name": "efficiency", "lvl": 2}]);
            order(
                server,
                body,
                &json!({"do": "give_worn", "item": "enchanted_book", "enchants": enchants}),
            );
            give(server, body, "iron_shovel", 1);
            enchant("iron_shovel")
        },
        "",
    ),
    Row(
        "nothing is left to be mended",
        |_, _| repair("iron_sword"),
        "cannot be done: iron_sword is not damaged",
    ),
];

#[test]
fn what_is_carried_is_dyed_mended_and_enchanted() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Smith");
    carry_out(&IMPROVED, &mut server, &mut body);
    let has = |name: &str| body.frame.inventory.count(item(name));
    assert_eq!((has("leather_boots"), has("red_dye")), (1, 1));
    assert_eq!(has("iron_pickaxe"), 1, "two became one");
    assert_eq!(has("iron_ingot"), 1, "two pieces mended it");
    assert_eq!(has("lapis_lazuli"), 3, "the second offer could be paid");
    assert_eq!(has("enchanted_book"), 0);
}

const FAILURES: [Row; 17] = [
    Row(
        "no rod",
        |_, _| Action::Fish {
            item: item("cod"),
            count: 1,
        },
        "fishing_rod is not held",
    ),
    Row(
        "what does not grow",
        |_, _| grow("diamond"),
        "cannot be done: diamond does not grow",
    ),
    Row("no seed", |_, _| grow("wheat"), "wheat_seeds is not held"),
    Row(
        "no hoe",
        |server, body| {
            give(server, body, "wheat_seeds", 1);
            grow("wheat")
        },
        "wooden_hoe is not held",
    ),
    Row(
        "no feed",
        |_, _| Action::Breed { mob: MobKind::Cow },
        "wheat is not held",
    ),
    Row(
        "what does not breed",
        |_, _| Action::Breed {
            mob: MobKind::Creeper,
        },
        "cannot be done: a creeper does not breed",
    ),
    Row(
        "the price cannot be paid",
        |server, body| {
            let offers = json!([{"pay": [["emerald", 1]], "get": ["bread", 3], "uses": 4}]);
            let at = near(body, [-3, 0, 0]);
            order(
                server,
                body,
                &json!({"do": "villager", "pos": at, "offers": offers}),
            );
            bread()
        },
        "bread needs 2 emerald, only 0 held",
    ),
    Row(
        "nothing to enchant",
        |_, _| enchant("iron_axe"),
        "iron_axe is not held",
    ),
    Row(
        "no lapis",
        |server, body| {
            give(server, body, "iron_axe", 1);
            enchant("iron_axe")
        },
        "iron_axe needs 1 lapis_lazuli, only 0 held",
    ),
    Row(
        "no levels",
        |server, body| {
            give(server, body, "lapis_lazuli", 3);
            enchant("iron_axe")
        },
        "it takes 1 level of experience, and the body has 0",
    ),
    Row(
        "no table",
        |server, body| {
            order(server, body, &json!({"do": "level", "level": 1}));
            enchant("iron_axe")
        },
        "iron_axe needs a enchanting_table and none is near or carried",
    ),
    Row(
        "levels too few for the cheapest offer",
        |server, body| {
            give(server, body, "enchanting_table", 1);
            enchant("iron_axe")
        },
        "it takes 2 levels of experience, and the body has 1",
    ),
    Row(
        "nothing to dye",
        |_, _| dye_boots(),
        "leather_boots is not held",
    ),
    Row(
        "no dye",
        |server, body| {
            give(server, body, "leather_boots", 1);
            dye_boots()
        },
        "leather_boots needs 1 red_dye, only 0 held",
    ),
    Row(
        "nothing to mend it with",
        |server, body| {
            let worn = json!({"do": "give_worn", "item": "iron_pickaxe", "damage": 200});
            order(server, body, &worn);
            repair("iron_pickaxe")
        },
        "iron_pickaxe needs 1 iron_ingot, only 0 held",
    ),
    Row(
        "no anvil",
        |server, body| {
            give(server, body, "iron_ingot", 4);
            repair("iron_pickaxe")
        },
        "iron_pickaxe needs a anvil and none is near or carried",
    ),
    Row(
        "too little to build with",
        |server, body| {
            give(server, body, "cobblestone", 1);
            hut()
        },
        "4 cobblestone are missing, only 1 held; 0 of 4 blocks stand",
    ),
];

fn grow(name: &str) -> Action {
    Action::Grow {
        item: item(name),
        count: 1,
    }
}

#[test]
fn these_fail_for_the_reasons_of_the_embedded_body() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Novice");
    carry_out(&FAILURES, &mut server, &mut body);
}
