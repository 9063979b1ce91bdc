//! What is missing or hangs: no Node, no npm, no network, a side process that is silent or of another build.
//!
//! None of these needs Node: where one is wanted, a script of the test stands in its place on the PATH.

use super::pithead;
use pithead_minecraft::install::BRIDGE_FOLDER;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A home, and a PATH that holds what a test puts there and nothing else.
struct Place {
    home: tempfile::TempDir,
    programs: PathBuf,
}

impl Place {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let programs = home.path().join("programs");
        fs::create_dir(&programs).unwrap();
        Self { home, programs }
    }

    fn path(&self) -> &Path {
        self.home.path()
    }

    fn script(&self, name: &str, body: &str) {
        let file = self.programs.join(name);
        fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A stand-in for Node that says its version if asked, and else does this.
    fn node(&self, body: &str) {
        self.script(
            "node",
            &format!("if [ \"$1\" = --version ]; then echo v22.1.0; exit 0; fi\n{body}"),
        );
    }

    /// The program, with nothing installed.
    fn command(&self, line: &str) -> Command {
        let mut command = pithead(self.path(), line);
        command
            .env("PATH", &self.programs)
            .env_remove(BRIDGE_FOLDER);
        command
    }

    fn output(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// What is told by the command that tries a server, with a bridge whose side process is the stand-in.
    #[track_caller]
    fn tried_because(&self) -> String {
        let bridge = self.path().join("bridge");
        fs::create_dir_all(bridge.join("node_modules")).unwrap();
        let mut command = self.command("bridge run --json");
        let output = command.env(BRIDGE_FOLDER, bridge).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        json_of(&output)["because"].as_str().unwrap().to_owned()
    }
}

#[track_caller]
fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"))
}

#[track_caller]
fn is_refused(output: &Output, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(said.contains(words), "{said}");
}

#[test]
fn without_node_everything_but_servers_works() {
    let place = Place::new();
    let doctor = place.output("bridge doctor --json");
    assert_eq!(doctor.status.code(), Some(3));
    let report = json_of(&doctor);
    assert!(report["node"].is_null(), "{report}");
    let problem = report["problem"].as_str().unwrap();
    assert!(problem.starts_with("Node was not found"), "{problem}");
    is_refused(&place.output("bridge install"), "Node was not found");

    // A run on a server is left with the same words, and can be resumed once there is Node.
    let run = "run craft~a~stick --mind builtin:expert --headless";
    let on_server = place.output(&format!("{run} --world minecraft"));
    is_refused(&on_server, "Node was not found");
    is_refused(&place.output("resume 1 --headless"), "Node was not found");

    let embedded = place.output(&format!("{run} --seed 1 --json"));
    assert_eq!(json_of(&embedded)["outcome"], "success", "{embedded:?}");
}

#[test]
fn an_old_node_is_named_with_what_is_needed() {
    let place = Place::new();
    place.script("node", "echo v16.20.0");
    is_refused(
        &place.output("bridge install"),
        "Node v16.20.0 is too old; the bridge needs Node 20 or newer",
    );
}

#[test]
fn an_installation_without_npm_or_network_says_so_and_leaves_nothing_half_done() {
    let place = Place::new();
    place.node("exit 1");
    is_refused(&place.output("bridge install"), "npm was not found");
    // What npm says comes from elsewhere.
    let npm = "if [ \"$1\" = --version ]; then echo 10.0.0; exit 0; fi\n\
        printf 'npm error \\033[31mnetwork request to https://registry.npmjs.org failed\\n' >&2; exit 1";
    place.script("npm", npm);
    let output = place.output("bridge install");
    is_refused(&output, "npm could not install the packages of the bridge");
    is_refused(
        &output,
        "network request to https://registry.npmjs.org failed",
    );
    assert!(!output.stderr.contains(&0x1b), "{output:?}");
    let report = json_of(&place.output("bridge doctor --json"));
    assert_eq!(report["installed"], false, "{report}");
    let problem = report["problem"].as_str().unwrap();
    assert!(
        problem.contains("run `pithead bridge install`"),
        "{problem}"
    );
}

#[test]
fn a_side_process_that_falls_silent_is_ended_and_said() {
    let place = Place::new();
    let pid = place.path().join("pid");
    // It greets, and gives no sign of life after that.
    place.node(&format!(
        "echo $$ > '{}'\necho '{{\"ev\":\"hello\",\"protocol\":1,\"node\":\"v22\",\"mineflayer\":\"4\"}}'\nexec sleep 1000",
        pid.display()
    ));
    let because = place.tried_because();
    assert_eq!(because, "the side process does not answer; it was ended");
    let pid = fs::read_to_string(pid).unwrap();
    let process = Path::new("/proc").join(pid.trim());
    assert!(!process.exists(), "it outlives the program: {process:?}");
}

#[test]
fn a_side_process_of_another_build_or_that_ends_is_said() {
    let place = Place::new();
    place.node("echo '{\"ev\":\"hello\",\"protocol\":9,\"node\":\"v22\",\"mineflayer\":\"4\"}'; exec sleep 1000");
    let because = place.tried_because();
    let expected = "the bridge speaks protocol 9 and this program 1; run `pithead bridge install`";
    assert_eq!(because, expected);
    place.node("exit 7");
    let because = place.tried_because();
    assert!(because.contains("ended"), "{because}");
}
