//! Hostile names, files and arguments: whatever a command says of them, the terminal obeys none.

use pithead_core::text::clean::clean_output;
use std::path::Path;
use std::process::{Command, Output};

/// A title is set, the screen is cleared, text runs backwards, a C1 control begins a sequence.
const HOSTILE: &str = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}b\u{9b}31mc\u{200b}d";

fn pithead(folder: &Path, args: &[&str], env: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args(args)
        .current_dir(folder)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder)
        .env("USER", HOSTILE)
        .envs(env.iter().copied())
        .output()
        .unwrap()
}

#[track_caller]
fn assert_clean(args: &[&str], output: &Output) {
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8(stream.clone()).unwrap();
        assert_eq!(clean_output(&text), text, "{args:?}");
    }
    assert!(
        output.stdout.len() + output.stderr.len() > 0,
        "{args:?} says nothing"
    );
}

/// A run with a hostile name of its task and a hostile veto is in the database.
#[test]
fn no_answer_of_a_command_is_obeyed_by_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join(HOSTILE);
    std::fs::write(&file, format!("{HOSTILE}: [\n{HOSTILE}")).unwrap();
    let file = file.to_str().unwrap();
    let text = format!("note {HOSTILE}");
    let entry = include_str!("../killed/entry.yaml");
    let entry = entry.replace("chests in villages can hold iron", "x \\e[2J \\u202e y");
    std::fs::write(folder.join("entry.yaml"), entry).unwrap();
    let run = ["run", "craft a wooden pickaxe", "--headless"];
    assert!(pithead(folder, &run, &[]).status.success());
    let commands: &[&[&str]] = &[
        &["kb", "import", "entry.yaml"],
        &["kb", "import", file],
        &["kb", "import", file, "--format", "voyager"],
        &["kb", "veto", "k1.1", "--reason", HOSTILE],
        &["kb", "show", "k1.1"],
        &["kb", "show", "k1.1", "--json"],
        &["kb", "history", "k1.1"],
        &["kb", "list", "--text", HOSTILE],
        &["kb", "approve", HOSTILE],
        &["kb", "export", "--status", "all"],
        &["kb", "lint", "--body", file],
        &["runs", "--db", file],
        &["runs", "--db", &format!("{file}/none")],
        &["show", "1", "--json"],
        &["tell", "1", &text],
        &["run", HOSTILE, "--headless"],
        &["run", HOSTILE, "--headless", "--json"],
        &["run", "t", "--headless", "--mind", HOSTILE],
        &["run", "t", "--headless", "--policy", file],
        &["run", "t", "--headless", "--gate", HOSTILE],
        &["plan", HOSTILE],
        &["policy", "check", file],
        &["keys", "--check", file],
        &["play", file],
        &["find", "1", HOSTILE],
        &["memory", "search", HOSTILE],
        &["memory", "show", HOSTILE],
        &["world", "how", HOSTILE],
        &["world", "find", HOSTILE],
        &["tasks", "--suite", HOSTILE],
        &[
            "eval", "--suite", "mcu70", "--seeds", "1", "--tasks", HOSTILE,
        ],
        &["evals", "--db", file],
        &["cassette", "export", "1", "--out", &format!("{file}/no/c")],
        &["prompt", "render", HOSTILE],
        &["gates", HOSTILE],
        &[HOSTILE],
        &["--theme", HOSTILE],
        &[&format!("--{HOSTILE}")],
    ];
    for args in commands {
        assert_clean(args, &pithead(folder, args, &[]));
    }
    for variable in [
        "PITHEAD_CONFIG",
        "PITHEAD_KEYS",
        "PITHEAD_GATES",
        "PITHEAD_POLICY",
    ] {
        for args in [&["run", "t", "--headless"][..], &["keys"], &["gates"]] {
            let output = pithead(folder, args, &[(variable, file)]);
            for stream in [&output.stdout, &output.stderr] {
                let text = String::from_utf8_lossy(stream);
                assert_eq!(clean_output(&text), text, "{variable} {args:?}");
            }
        }
    }
}

/// An event whose body was altered in the file is reported without its bytes.
#[test]
fn damaged_events_are_reported_clean() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = ["run", "craft a wooden pickaxe", "--headless"];
    assert!(pithead(folder, &run, &[]).status.success());
    let db = rusqlite::Connection::open(folder.join("pithead.db")).unwrap();
    db.execute("UPDATE events SET kind = ?1 WHERE seq = 5", [HOSTILE])
        .unwrap();
    db.execute(
        "UPDATE events SET body = ?1 WHERE seq = 9",
        [format!("{{\"{HOSTILE}\": {HOSTILE}}}")],
    )
    .unwrap();
    db.execute("UPDATE runs SET task = ?1, because = ?1", [HOSTILE])
        .unwrap();
    for args in [
        &["runs"][..],
        &["runs", "--json"],
        &["show", "1"],
        &["replay", "1", "--headless"],
        &["explain", "1", "1"],
        &["inbox"],
        &["compare", "1", "1"],
        &["causes"],
    ] {
        assert_clean(args, &pithead(folder, args, &[]));
    }
}
