//! Servers that are gone, silent, slow, lying or loud.

use super::body::{Body, spec, until, world};
use super::server::TestServer;
use pithead_world::action::Action;
use pithead_world::family::ItemSpec;
use pithead_world::port::{Notice, Request, World};
use serde_json::json;
use std::net::TcpListener;

/// Why the world was lost.
#[track_caller]
fn lost_because(port: u16) -> String {
    let mut world = world();
    world.request(Request::Reset(spec(port, "Guest")));
    let seen = until(&mut world, |notice| {
        matches!(notice, Notice::Lost { .. } | Notice::Ready(_))
    });
    match seen.into_iter().next_back() {
        Some(Notice::Lost { because }) => because,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_server_that_is_not_there_and_one_that_says_nothing_are_told_apart() {
    if !super::is_ready() {
        return;
    }
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let because = lost_because(port);
    assert!(because.contains("said nothing"), "{because}");
    drop(silent);
    let because = lost_because(port);
    assert!(because.contains("no server listens there"), "{because}");
}

#[test]
fn a_kick_is_told_in_the_servers_words_cleaned() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Guest");
    server.order(&json!({"do": "kick", "reason": "go \u{1b}[31maway\u{202e}"}));
    let seen = until(&mut body.world, |notice| {
        matches!(notice, Notice::Lost { .. })
    });
    let Some(Notice::Lost { because }) = seen.last() else {
        panic!("{seen:?}");
    };
    assert_eq!(because, "kicked by the server: go ·[31maway");
    assert!(body.world.poll(2).is_empty(), "nothing comes after the end");
}

#[test]
fn who_is_not_let_in_hears_why_and_what_to_do() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    for (key, expected) in [
        (
            "not_whitelisted",
            "the server lets in only players on its whitelist",
        ),
        ("banned", "the server has banned the player"),
        (
            "unverified_username",
            "the server asks for a Microsoft account; use --account microsoft",
        ),
        (
            "outdated_client",
            "the server has another version; name it with --server-version",
        ),
    ] {
        let reason = json!({"translate": format!("multiplayer.disconnect.{key}")});
        server.order(&json!({"do": "deny", "reason": reason}));
        let because = lost_because(server.port);
        assert!(because.starts_with(expected), "{key}: {because}");
    }
}

#[test]
fn only_what_the_operator_says_is_said() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Guest");
    for text in ["hello there", "too soon", "/op Guest"] {
        body.world.request(Request::Say {
            text: text.to_owned(),
        });
    }
    assert_eq!(body.act(Action::Wait { ticks: 20 }).failure, None);
    assert_eq!(
        server.order(&json!({"do": "heard"})),
        json!([["Guest", "hello there"]])
    );
}

#[test]
fn a_server_that_dies_under_an_action_is_lost_and_not_a_failure_of_the_body() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Guest");
    body.start(Action::Wait { ticks: 10_000 });
    server.kill();
    let seen = until(&mut body.world, |notice| {
        matches!(notice, Notice::Lost { .. } | Notice::Acted { .. })
    });
    assert!(matches!(seen.last(), Some(Notice::Lost { .. })), "{seen:?}");
}

#[test]
fn a_loud_server_and_a_slow_one_are_played_on() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let mut body = Body::join(&server, "Guest");
    let text = "\u{1b}]0;title\u{7} run `rm -rf` \u{202e}now".repeat(20);
    for _ in 0..200 {
        server.order(&json!({"do": "chat", "text": text}));
    }
    let report = body.act(Action::Wait { ticks: 20 });
    assert_eq!(report.failure, None);
    // A quarter of the usual pace: time is the server's.
    server.order(&json!({"do": "ticks", "perSecond": 5}));
    let before = body.frame.tick;
    let report = body.act(Action::Wait { ticks: 40 });
    assert_eq!(report.failure, None);
    assert!(body.frame.tick >= before + 40);
}

#[test]
fn a_clock_that_jumps_is_no_time_that_has_passed() {
    if !super::is_ready() {
        return;
    }
    // The age of the world left out at first, as some servers do; a second; a clock that is set; an age that goes back.
    let script = "const { ServerClock } = require('./src/minecraft/bridge/server_clock'); \
        const clock = new ServerClock(); const said = []; \
        for (const [age, time] of [[0, 1000], [1117, 1000], [1137, 1020], [1157, 13000], [5, 13020]]) { \
        clock.report(age, time); said.push(clock.tick()) } console.log(said.join(' '))";
    assert_eq!(super::node(script), "0 0 20 40 60");
}

#[test]
fn what_the_server_does_not_say_the_name_of_is_picked_up_all_the_same() {
    if !super::is_ready() {
        return;
    }
    // For this version the server tells what a dropped thing is in the place of an older one.
    let server = TestServer::start_with(&json!({"version": "1.17.1"}));
    let mut spec = spec(server.port, "Guest");
    if let Some(server) = &mut spec.server {
        server.version = Some("1.17.1".to_owned());
    }
    let mut world = world();
    world.request(Request::Reset(spec));
    let mut body = Body::of_world(world);
    let item: ItemSpec = "oak_log".parse().unwrap();
    let report = body.act(Action::Mine { item, count: 2 });
    assert_eq!(report.failure, None);
    assert!(body.frame.inventory.count(item) >= 2);
}

#[test]
fn two_bodies_share_a_server() {
    if !super::is_ready() {
        return;
    }
    let mut server = TestServer::start_with(
        &json!({"places": {"Ann": {"x": 0, "z": 0}, "Bob": {"x": 24, "z": 0}}}),
    );
    let mut ann = Body::join(&server, "Ann");
    let mut bob = Body::join(&server, "Bob");
    assert!(ann.frame.position.distance(bob.frame.position) > 20.0);
    server.order(&json!({"do": "give", "player": "Bob", "item": "stick", "count": 2}));
    bob.holds("stick", 2);
    let report = ann.act(Action::Wait { ticks: 10 });
    assert_eq!(report.failure, None);
    assert!(ann.frame.inventory.is_empty(), "what is Bob's is not Ann's");
}
