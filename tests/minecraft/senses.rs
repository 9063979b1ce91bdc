//! How a body on a server begins and what it does by itself: senses, places apart, shelter at night.

use super::body::{Body, find_bridge, spec, until};
use super::server::TestServer;
use pithead_minecraft::world::MinecraftWorld;
use pithead_world::action::Action;
use pithead_world::aids::SenseLevel;
use pithead_world::port::{Notice, Request, StartPlace, World};
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
