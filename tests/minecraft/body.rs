//! The body alone: each action and each failure once.

use super::server::TestServer;
use pithead_minecraft::install::{Bridge, InstallError};
use pithead_minecraft::world::MinecraftWorld;
use pithead_world::action::{Action, ActionReport, Target};
use pithead_world::aids::{SenseLevel, WorldAids};
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::ids::ActionId;
use pithead_world::mob::MobKind;
use pithead_world::observation::{Frame, Gui};
use pithead_world::port::{Account, Notice, ReflexKind, Request, ServerSpec, World, WorldSpec};
use pithead_world::space::Pos;
use serde_json::json;

/// Polls of a tenth of a second: ten minutes, which no action of a test takes.
const POLLS_MAX: u32 = 6_000;

pub(super) struct Body {
    pub(super) world: MinecraftWorld,
    pub(super) frame: Frame,
    last_action: u64,
    pub(super) reflexes: Vec<ReflexKind>,
}

pub(super) fn find_bridge() -> Result<Bridge, InstallError> {
    Ok(Bridge {
        node: "node".into(),
        node_major: 20,
        packages: super::bridge(),
        tokens: "/nowhere".into(),
        folder: super::bridge(),
    })
}

pub(super) fn spec(port: u16, player: &str) -> WorldSpec {
    let server = ServerSpec {
        host: "127.0.0.1".to_owned(),
        port,
        player: player.to_owned(),
        version: Some("1.16.5".to_owned()),
        place: None,
        account: Account::Offline,
    };
    let aids = WorldAids {
        senses: SenseLevel::Player,
        ..WorldAids::default()
    };
    WorldSpec::on_server(server, 7, aids)
}

pub(super) fn world() -> MinecraftWorld {
    MinecraftWorld::new(Box::new(find_bridge))
}

/// Everything up to the first notice that `fits`.
#[track_caller]
pub(super) fn until(world: &mut MinecraftWorld, fits: impl Fn(&Notice) -> bool) -> Vec<Notice> {
    let mut seen = Vec::new();
    for _ in 0..POLLS_MAX {
        for notice in world.poll(2) {
            let is_last = fits(&notice);
            seen.push(notice);
            if is_last {
                return seen;
            }
        }
    }
    panic!("it never came; seen: {seen:?}");
}

impl Body {
    #[track_caller]
    pub(super) fn join(server: &TestServer, player: &str) -> Self {
        let mut world = world();
        world.request(Request::Reset(spec(server.port, player)));
        Self::of_world(world)
    }

    /// The body of a world that was asked for.
    #[track_caller]
    pub(super) fn of_world(mut world: MinecraftWorld) -> Self {
        let seen = until(&mut world, |notice| {
            matches!(notice, Notice::Ready(_) | Notice::Lost { .. })
        });
        let Some(Notice::Ready(frame)) = seen.last() else {
            panic!("{seen:?}");
        };
        let frame = (**frame).clone();
        Self {
            world,
            frame,
            last_action: 0,
            reflexes: Vec::new(),
        }
    }

    /// Waits until what the server gave has arrived.
    #[track_caller]
    pub(super) fn holds(&mut self, item: &str, count: u32) {
        let item: ItemSpec = item.parse().unwrap();
        until(
            &mut self.world,
            |n| matches!(n, Notice::Frame(f) if f.inventory.count(item) >= count),
        );
    }

    pub(super) fn start(&mut self, action: Action) -> ActionId {
        self.last_action += 1;
        let id = ActionId(self.last_action);
        self.world.request(Request::Act { id, action });
        id
    }

    #[track_caller]
    pub(super) fn end(&mut self, id: ActionId) -> ActionReport {
        let seen = until(&mut self.world, |notice| match notice {
            Notice::Acted { id: ended, .. } => *ended == id,
            Notice::Lost { .. } => true,
            _ => false,
        });
        let kinds = seen.iter().filter_map(|notice| match notice {
            Notice::Reacted(reflex) => Some(reflex.what),
            _ => None,
        });
        self.reflexes.extend(kinds);
        match seen.into_iter().next_back() {
            Some(Notice::Acted { report, frame, .. }) => {
                self.frame = *frame;
                report
            }
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn act(&mut self, action: Action) -> ActionReport {
        let id = self.start(action);
        self.end(id)
    }

    /// Acts, and calls it off after so many ticks if it has not ended by then.
    #[track_caller]
    fn act_for(&mut self, action: Action, ticks: u64) -> ActionReport {
        let id = self.start(action);
        let end = self.frame.tick + ticks;
        let is_end = |notice: &Notice| match notice {
            Notice::Frame(frame) => frame.tick > end,
            Notice::Acted { .. } | Notice::Lost { .. } => true,
            Notice::Ready(_) | Notice::Reacted(_) => false,
        };
        match until(&mut self.world, is_end).pop() {
            Some(Notice::Acted { report, frame, .. }) => {
                self.frame = *frame;
                report
            }
            _ => {
                self.world.request(Request::Cancel { id });
                self.end(id)
            }
        }
    }

    /// Acts and compares how it failed, in words; nothing for success.
    #[track_caller]
    fn check(&mut self, action: Action, expected: &str) {
        let name = action.name();
        let report = self.act(action);
        let failure = report.failure.map_or(String::new(), |f| f.to_string());
        assert_eq!(failure, expected, "{name}");
    }
}

fn item(name: &str) -> ItemSpec {
    name.parse().unwrap()
}

fn craft(name: &str, count: u32) -> Action {
    Action::craft(item(name), count)
}

#[test]
fn crafting_and_smelting_fail_for_the_reasons_of_the_embedded_body() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Maker");
    assert_eq!(
        (body.frame.health, body.frame.biome.as_str()),
        (20.0, "forest")
    );
    body.check(
        craft("stone_pickaxe", 1),
        "stone_pickaxe needs 3 #stone_tool_materials, only 0 held",
    );
    body.check(craft("bedrock", 1), "there is no recipe for bedrock");
    server.give(&[("cobblestone", 11), ("stick", 2), ("oak_planks", 8)]);
    body.holds("oak_planks", 8);
    body.check(
        craft("stone_pickaxe", 1),
        "stone_pickaxe needs a crafting_table and none is near or carried",
    );
    body.check(craft("crafting_table", 1), "");
    let report = body.act(craft("stone_pickaxe", 1));
    assert_eq!(report.failure, None);
    assert_eq!(report.gained.to_string(), "stone_pickaxe=1");
    assert_eq!(report.used.to_string(), "cobblestone=3,stick=2");
    assert_eq!(report.windows, [Gui::CraftingTable]);
    assert_eq!(
        body.frame.inventory.count(item("crafting_table")),
        1,
        "taken along"
    );
    assert_eq!(body.frame.crafted.count(item("stone_pickaxe")), 1);
    let smelt =
        |count, fuel: Option<&str>| Action::smelt(item("iron_ingot"), count, fuel.map(item));
    body.check(smelt(1, None), "iron_ingot needs 1 iron_ore, only 0 held");
    server.give(&[("iron_ore", 2)]);
    body.holds("iron_ore", 2);
    body.check(
        smelt(1, None),
        "iron_ingot needs a furnace and none is near or carried",
    );
    body.check(craft("furnace", 1), "");
    body.check(smelt(2, Some("coal")), "nothing to burn in the furnace");
    assert_eq!(
        body.frame.inventory.count(item("iron_ore")),
        2,
        "nothing is lost"
    );
    server.give(&[("coal", 1)]);
    body.holds("coal", 1);
    let report = body.act(smelt(2, None));
    assert_eq!(report.failure, None);
    assert_eq!(report.gained.to_string(), "iron_ingot=2");
    assert_eq!(report.used.count(item("iron_ore")), 2);
    assert_eq!(
        body.frame.inventory.count(item("furnace")),
        1,
        "taken along"
    );
}

#[test]
fn things_are_handled_and_refused_as_in_the_embedded_body() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Handler");
    let feet = body.frame.position.block();
    body.check(
        Action::Equip {
            item: item("stick"),
        },
        "stick is not held",
    );
    body.check(
        Action::Place {
            item: item("chest"),
            at: None,
        },
        "chest is not held",
    );
    body.check(Action::Eat, "cannot be done: nothing to eat is held");
    server.give(&[("cobblestone", 4), ("chest", 1), ("bread", 3)]);
    body.holds("bread", 3);
    body.check(
        Action::Equip {
            item: item("cobblestone"),
        },
        "",
    );
    assert_eq!(body.frame.held.map(|held| held.name()), Some("cobblestone"));
    body.check(
        Action::Place {
            item: item("chest"),
            at: None,
        },
        "",
    );
    body.check(
        Action::Put {
            item: item("cobblestone"),
            count: 3,
        },
        "",
    );
    assert_eq!(body.frame.inventory.count(item("cobblestone")), 1);
    body.check(
        Action::Take {
            item: item("cobblestone"),
            count: 2,
        },
        "",
    );
    assert_eq!(body.frame.inventory.count(item("cobblestone")), 3);
    let far = feet.plus(6, 0, 0);
    body.check(Action::Goto { at: far, range: 2 }, "");
    assert!(body.frame.position.block().distance(far) < 4.0);
    let sky = Pos::new(feet.x, 250, feet.z);
    let report = body.act(Action::Goto { at: sky, range: 1 });
    assert!(report.failure.is_some(), "no ladder reaches there");
    let before = body.frame.tick;
    body.check(Action::Wait { ticks: 30 }, "");
    assert!(body.frame.tick >= before + 30);
    // Called off in the middle, it ends at once and the body takes the next order.
    let id = body.start(Action::Wait { ticks: 10_000 });
    body.world.request(Request::Cancel { id });
    let report = body.end(id);
    assert_eq!(
        report.failure.map(|f| f.to_string()).as_deref(),
        Some("cancelled")
    );
    body.check(Action::Wait { ticks: 5 }, "");
}

#[test]
fn what_is_not_harvested_drops_nothing_and_what_the_server_refuses_is_no_success() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Miner");
    let feet = body.frame.position.block();
    for n in 0..3 {
        server.set([feet.x + 2, feet.y + n, feet.z], "iron_ore");
    }
    let mine = |count| Action::Mine {
        item: item("iron_ore"),
        count,
    };
    let approach = Action::Approach {
        target: Target::Block(BlockId::named("iron_ore").unwrap()),
        range: 3,
    };
    body.check(approach, "");
    body.check(
        mine(1),
        "broke 3 iron_ore with the bare hand and nothing dropped",
    );
    let broken = body.frame.broken;
    assert_eq!(broken, 3, "each at a place of its own");
    server.give(&[("stone_pickaxe", 1)]);
    body.holds("stone_pickaxe", 1);
    let feet = body.frame.position.block();
    let refused = [feet.x + 2, feet.y, feet.z];
    server.set(refused, "iron_ore");
    server.order(&json!({"do": "protect", "pos": refused}));
    // It would look for another one then, which takes long here.
    let report = body.act_for(mine(1), 100);
    assert!(report.failure.is_some(), "{report:?}");
    let ore = report
        .broken
        .iter()
        .find(|(block, _)| block.name() == "iron_ore");
    assert_eq!(ore, None, "what comes back was not broken");
    // On its way to another one it may break something else.
    let others: u32 = report.broken.iter().map(|(_, count)| count).sum();
    assert_eq!(body.frame.broken, broken + others, "{report:?}");
    assert_eq!(body.frame.inventory.count(item("iron_ore")), 0);
    assert_eq!(
        server.order(&json!({"do": "at", "pos": refused})),
        "iron_ore"
    );
}

#[test]
fn a_cow_is_hunted_and_a_zombie_is_kept_away_from() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Hunter");
    let home = body.frame.position.block();
    let Pos { x, y, z } = home;
    server.order(&json!({"do": "spawn", "mob": "cow", "pos": [x + 3, y + 1, z]}));
    server.give(&[("stone_sword", 1)]);
    body.holds("stone_sword", 1);
    let report = body.act(Action::Attack {
        mob: MobKind::Cow,
        gain: Some(item("beef")),
        count: 1,
        also: Vec::new(),
    });
    assert_eq!(report.failure, None);
    assert!(body.frame.inventory.count(item("beef")) >= 1);
    // In the open, where the cow may have left nothing but trees to look at.
    let back = body.act(Action::Goto { at: home, range: 1 });
    assert_eq!(back.failure, None);
    // While nothing is ordered, the body looks after itself. The zombie comes near enough to be noticed.
    let Pos { x, y, z } = body.frame.position.block();
    server.order(&json!({"do": "spawn", "mob": "zombie", "pos": [x + 2, y + 1, z]}));
    let seen = until(&mut body.world, |notice| {
        matches!(notice, Notice::Reacted(_))
    });
    let Some(Notice::Reacted(reflex)) = seen.last() else {
        panic!("{seen:?}");
    };
    assert_eq!(
        (reflex.what, reflex.of),
        (ReflexKind::StepBack, Some(MobKind::Zombie))
    );
}
