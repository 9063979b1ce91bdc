//! Signing in with Microsoft, against a Microsoft of our own: the libraries are the real ones, their network is not.

use super::body::{Body, spec};
use super::server::TestServer;
use pithead_minecraft::account::{SignInCode, SignInError, sign_in_with};
use pithead_minecraft::install::{Bridge, InstallError};
use pithead_minecraft::world::MinecraftWorld;
use pithead_world::port::{Account, Notice, Request, World, WorldSpec};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// A bridge that reaches the Microsoft of the test, whose tokens lie in the folder; `scenario` says what it answers.
fn bridge(tokens: &Path, scenario: &Value) -> Bridge {
    std::fs::create_dir_all(tokens).unwrap();
    std::fs::write(tokens.join("scenario"), scenario.to_string()).unwrap();
    Bridge {
        node: "node".into(),
        node_major: 20,
        packages: super::root().into(),
        folder: super::root().join("tests/minecraft/microsoft"),
        tokens: tokens.into(),
    }
}

fn signed_in(bridge: &Bridge) -> (Vec<SignInCode>, Result<String, SignInError>) {
    let mut codes = Vec::new();
    let name = sign_in_with(bridge, |code| codes.push(code.clone()));
    (codes, name)
}

/// How often the Microsoft of the test was asked for a code.
fn codes_asked(tokens: &Path) -> usize {
    let text = std::fs::read_to_string(tokens.join("asked")).unwrap_or_default();
    text.lines()
        .filter(|line| line.contains("connect.srf"))
        .count()
}

fn on_server(server: &TestServer) -> WorldSpec {
    let mut spec = spec(server.port, "unused");
    if let Some(server) = spec.server.as_mut() {
        server.account = Account::Microsoft;
    }
    spec
}

fn world(bridge: &Bridge) -> MinecraftWorld {
    let bridge = bridge.clone();
    MinecraftWorld::new(Box::new(move || Ok::<_, InstallError>(bridge.clone())))
}

#[test]
fn a_code_is_shown_and_the_tokens_are_kept_private_and_used_again() {
    if !super::is_ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let tokens = home.path().join("account");
    let bridge = bridge(&tokens, &json!({"pending": 1}));
    let (codes, name) = signed_in(&bridge);
    assert_eq!(name.unwrap(), "Steve_Test");
    let code = SignInCode {
        address: "https://www.microsoft.com/link".to_owned(),
        code: "ABCD1234".to_owned(),
        minutes: 15,
    };
    assert_eq!(codes, [code]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&tokens), 0o700);
        assert_eq!(mode(&tokens.join("live.json")), 0o600);
    }
    let kept = std::fs::read_to_string(tokens.join("live.json")).unwrap();
    assert!(kept.contains("secret-refresh-token"), "it is in its folder");
    // The body joins under the name of the account, without another code.
    let server = TestServer::start();
    let mut world = world(&bridge);
    world.request(Request::Reset(on_server(&server)));
    let body = Body::of_world(world);
    assert!(body.frame.alive);
    let mut server = server;
    assert_eq!(
        server.order(&json!({"do": "players"})),
        json!(["Steve_Test"])
    );
    assert_eq!(codes_asked(&tokens), 1);
}

#[test]
fn a_refusal_a_code_that_nobody_types_and_a_missing_game_are_told_apart() {
    if !super::is_ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let check = |name: &str, scenario: Value, expected: &str| {
        let bridge = bridge(&home.path().join(name), &scenario);
        let (_, result) = signed_in(&bridge);
        let said = result.unwrap_err().to_string();
        assert!(said.starts_with(expected), "{name}: {said}");
        assert!(!said.contains("secret"), "{said}");
    };
    check(
        "declined",
        json!({"refuse": "authorization_declined"}),
        "the sign-in was declined",
    );
    check(
        "late",
        json!({"pending": 99, "expires": 3}),
        "nobody typed the code in time",
    );
    check(
        "poor",
        json!({"profile": false}),
        "the account does not own Minecraft",
    );
    check("down", json!({"down": true}), "the sign-in failed");
}

#[test]
fn nothing_of_a_sign_in_is_printed_but_the_code() {
    if !super::is_ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    for (name, scenario) in [
        ("good", json!({})),
        ("declined", json!({"refuse": "authorization_declined"})),
        ("down", json!({"down": true})),
    ] {
        let tokens = home.path().join(name);
        let bridge = bridge(&tokens, &scenario);
        let mut child = std::process::Command::new(&bridge.node)
            .arg(bridge.folder.join("main.js"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut orders = child.stdin.take().unwrap();
        let request =
            json!({"id": 1, "op": "sign_in", "args": {"tokens": tokens}, "timeout_ms": 20_000});
        writeln!(orders, "{request}").unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut all = String::new();
        while !all.contains("\"id\":1") {
            assert!(said.read_line(&mut all).unwrap() > 0, "{name}: {all}");
        }
        drop(orders);
        let rest = child.wait_with_output().unwrap();
        all += &String::from_utf8_lossy(&rest.stderr);
        assert!(!all.contains("secret"), "{name}: {all}");
    }
}

#[test]
fn without_a_sign_in_the_world_says_what_to_do_and_other_hosts_stay_out_of_reach() {
    if !super::is_ready() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let bridge = bridge(&home.path().join("account"), &json!({"pending": 99}));
    let server = TestServer::start();
    let mut world = world(&bridge);
    world.request(Request::Reset(on_server(&server)));
    let seen = super::body::until(&mut world, |notice| matches!(notice, Notice::Lost { .. }));
    let Some(Notice::Lost { because }) = seen.last() else {
        panic!("{seen:?}");
    };
    assert!(because.contains("pithead bridge sign-in"), "{because}");
    let script = "const { reachServer, reachSignIn, mayReach } = require('./src/minecraft/bridge/reach'); \
        reachServer('127.0.0.1', 5); const before = mayReach('login.live.com', 443); reachSignIn(); \
        console.log(before, mayReach('login.live.com', 443), mayReach('login.live.com', 80), mayReach('example.org', 443), mayReach('127.0.0.1', 5), mayReach('127.0.0.1', 6))";
    assert_eq!(super::node(script), "false true false false true false");
}
