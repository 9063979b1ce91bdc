//! `pithead init` writes a first config, and `pithead models` says what it reaches.

use super::place::{MARKER, Place, config};
use super::server::{Server, streamed};
use serde_json::Value;

#[test]
fn models_are_listed_with_the_roles_that_use_them_and_nothing_is_asked() {
    let server = Server::start(|_, _| streamed("{}"));
    let place = Place::new(&config(&server.base_url, ""));
    let said: Value = serde_json::from_str(&place.good(&["models", "--json"])).unwrap();
    let near = &said["servers"][0];
    assert_eq!(
        (&near["server"], &near["listed"]),
        (&"local".into(), &true.into())
    );
    let models = near["models"].as_array().unwrap();
    let m1 = models.iter().find(|model| model["model"] == "m1").unwrap();
    assert_eq!(m1["price"]["output"], 2.0);
    assert!(m1["roles"].as_array().unwrap().len() > 5, "{m1}");
    assert_eq!(m1["support"], Value::Null);
    // No question reached the server, and no key the output.
    assert!(server.requests().is_empty());
    let text = place.good(&["models"]);
    assert!(text.contains("m1") && !text.contains(MARKER), "{text}");
}

#[test]
fn a_server_that_is_away_is_named_with_its_fault() {
    let place = Place::new(&config("http://127.0.0.1:9/v1", ""));
    let output = place.run(&["models"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("✗ local at http://127.0.0.1:9/v1 ("),
        "{text}"
    );
    assert!(text.contains("m1 (not listed)"), "{text}");
}

#[test]
fn a_first_config_is_written_once_and_works() {
    let server = Server::start(|_, _| streamed("{}"));
    let place = Place::new("");
    let path = place.path("config.toml");
    std::fs::remove_file(&path).unwrap();
    let url = &server.base_url;
    let args = [
        "init",
        "--server",
        url,
        "--model",
        "m1",
        "--key-env",
        "MODEL_KEY",
    ];
    let printed = place.good(&[&args[..], &["--print"]].concat());
    assert!(
        !path.exists() && printed.contains("[llm.servers.main]"),
        "{printed}"
    );
    let said = place.good(&args);
    assert!(said.contains("MODEL_KEY, which is set"), "{said}");
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(!written.contains(MARKER), "{written}");
    assert!(place.good(&["models"]).contains("main at"));
    // A config that is there stays as it is.
    let again = place.run(&args);
    assert_eq!(again.status.code(), Some(3));
    let fault = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(
        fault.contains("is there already and is not changed"),
        "{fault}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
}

#[test]
fn without_a_terminal_nothing_is_asked() {
    let place = Place::new("");
    std::fs::remove_file(place.path("config.toml")).unwrap();
    let output = place.run(&["init"]);
    assert_eq!(output.status.code(), Some(2));
    let fault = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(fault.contains("--server URL and --model NAME"), "{fault}");
    assert!(!place.path("config.toml").exists());
}
