//! How a body on a server begins and what it does by itself: senses, places apart, shelter at night.

use super::body::{Body, find_bridge, spec, until};
use super::server::TestServer;
use pithead_minecraft::world::MinecraftWorld;
use pithead_world::action::Action;
use pithead_world::aids::SenseLevel;
use pithead_world::family::ItemSpec;
use pithead_world::observation::{Frame, Weather};
use pithead_world::port::{Notice, ReflexKind, Request, StartPlace, World};
use pithead_world::space::Pos;
use serde_json::json;

#[test]
fn at_night_a_body_without_orders_digs_in_and_comes_out_again() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Sleepless");
    let Pos { x, y, z } = body.frame.position.block();
    server.order(&json!({"do": "time", "time": 14_000}));
    server.order(&json!({"do": "spawn", "mob": "zombie", "pos": [x + 14, y + 2, z]}));
    let seen = until(
        &mut body.world,
        |notice| matches!(notice, Notice::Reacted(reflex) if reflex.what.name() == "shelter"),
    );
    let Some(Notice::Reacted(reflex)) = seen.last() else {
        panic!("{seen:?}");
    };
    assert!(reflex.done, "{reflex:?}");
    assert_eq!(reflex.to_string(), "dug in for the night");
    let report = body.act(Action::Wait { ticks: 60 });
    assert_eq!(report.failure, None);
    assert_eq!(body.frame.position.block().y, y - 3);
    assert_eq!(body.frame.health, 20.0, "nothing reaches it");
    server.order(&json!({"do": "time", "time": 1_000}));
    server.order(&json!({"do": "calm"}));
    let report = body.act(Action::GoUp { y });
    assert_eq!(report.failure, None);
}

/// What the body does next of its own accord, and whether it came to an end.
#[track_caller]
fn next_reflex(body: &mut Body) -> (ReflexKind, bool) {
    let seen = until(&mut body.world, |notice| {
        matches!(notice, Notice::Reacted(_))
    });
    match seen.last() {
        Some(Notice::Reacted(reflex)) => (reflex.what, reflex.done),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_body_without_orders_eats_and_comes_up_for_air() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Idler");
    server.give(&[("bread", 2)]);
    body.holds("bread", 2);
    server.order(&json!({"do": "feed", "food": 12}));
    assert_eq!(next_reflex(&mut body), (ReflexKind::Eat, true));
    let fed = frame_where(&mut body, |f| f.hunger > 12.0);
    assert_eq!(fed.inventory.count("bread".parse::<ItemSpec>().unwrap()), 1);

    let Pos { x, y, z } = fed.position.block();
    let (from, to) = ([x - 1, y, z - 1], [x + 1, y + 3, z + 1]);
    server.order(&json!({"do": "fill", "from": from, "to": to, "block": "water"}));
    server.order(&json!({"do": "breath", "air": 60}));
    frame_where(&mut body, |f| f.air == 60);
    assert_eq!(next_reflex(&mut body), (ReflexKind::Surface, true));
    let up = frame_where(&mut body, |f| f.position.block().y > y);
    assert!(up.alive);
}

/// Joins with these senses and a place, and gives the first frame.
fn joined(port: u16, senses: SenseLevel, place: Option<StartPlace>) -> Body {
    let mut spec = spec(port, "Starter");
    spec.aids.senses = senses;
    if let Some(server) = &mut spec.server {
        server.place = place;
    }
    let mut world = MinecraftWorld::new(Box::new(find_bridge));
    world.request(Request::Reset(spec));
    Body::of_world(world)
}

#[test]
fn a_client_knows_what_is_behind_walls_and_a_player_does_not() {
    if !super::is_ready() {
        return;
    }
    let server = TestServer::start();
    let ores = |body: &Body| {
        let near = body.frame.notable.iter();
        near.filter(|sight| sight.block.name().ends_with("_ore"))
            .count()
    };
    let player = joined(server.port, SenseLevel::Player, None);
    assert_eq!(ores(&player), 0, "{:?}", player.frame.notable);
    drop(player);
    let client = joined(server.port, SenseLevel::Client, None);
    assert!(ores(&client) > 0, "{:?}", client.frame.notable);
}

#[test]
fn bodies_with_places_of_their_own_begin_apart() {
    if !super::is_ready() {
        return;
    }
    let server = TestServer::start();
    let place = StartPlace {
        number: 2,
        spread: 24,
    };
    let body = joined(server.port, SenseLevel::Player, Some(place));
    let Pos { x, z, .. } = body.frame.position.block();
    assert!((x - 24).abs() <= 5 && (z - 24).abs() <= 5, "{x} {z}");
}

/// The first frame of which this holds.
#[track_caller]
fn frame_where(body: &mut Body, holds: impl Fn(&Frame) -> bool) -> Frame {
    let seen = until(
        &mut body.world,
        |notice| matches!(notice, Notice::Frame(frame) if holds(frame)),
    );
    match seen.into_iter().last() {
        Some(Notice::Frame(frame)) => *frame,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_frame_tells_hour_light_weather_hunger_what_is_worn_and_how_a_furnace_gets_on() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Watcher");
    server.order(&json!({"do": "time", "time": 6_000}));
    let noon = frame_where(&mut body, |f| (5_900..6_500).contains(&f.time));
    assert_eq!((noon.light, noon.weather), (15, Weather::Clear));
    assert!(!noon.biome.is_empty());
    server.order(&json!({"do": "rain", "on": true}));
    frame_where(&mut body, |f| f.weather == Weather::Rain);
    server.order(&json!({"do": "rain", "on": false}));
    frame_where(&mut body, |f| f.weather == Weather::Clear);
    server.order(&json!({"do": "time", "time": 18_000}));
    let midnight = frame_where(&mut body, |f| (17_900..18_500).contains(&f.time));
    assert!(midnight.light < 8, "{}", midnight.light);
    server.order(&json!({"do": "time", "time": 1_000}));
    server.order(&json!({"do": "feed", "food": 13}));
    frame_where(&mut body, |f| f.hunger == 13.0);

    server.give(&[("iron_helmet", 1)]);
    body.holds("iron_helmet", 1);
    let helmet = "iron_helmet".parse().unwrap();
    let report = body.act(Action::Equip { item: helmet });
    assert_eq!(report.failure, None);
    let worn: Vec<&str> = body.frame.worn.iter().map(|item| item.name()).collect();
    assert_eq!(worn, ["iron_helmet"]);

    server.give(&[("furnace", 1), ("iron_ore", 1), ("coal", 1)]);
    body.holds("coal", 1);
    let action = body.start(Action::smelt("iron_ingot".parse().unwrap(), 1, None));
    let is_lit = |f: &Frame| {
        f.furnace
            .as_ref()
            .is_some_and(|view| view.burn > 0 && view.cook > 0)
    };
    frame_where(&mut body, is_lit);
    assert_eq!(body.end(action).failure, None);
}
