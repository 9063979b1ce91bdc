//! All commands that write, each with a folder to begin from and a way to continue after a kill.
//!
//! Not here: the console, whose changes are those of these commands.

use super::PITHEAD;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

/// How an interrupted command is continued if it was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Continued {
    /// By giving it again, which changes nothing if it was done.
    Again,
    /// By giving it again, but not if it was done: a run records what it refuses, and a fork is another run.
    Once,
    /// By resuming the run that it made, if it made one, else by giving it again.
    Resumed { run: u64 },
}

/// A command under test. `~` is a space within an argument.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tested {
    pub(super) args: &'static str,
    pub(super) continued: Continued,
    /// It is one transaction: after a kill it is done or not begun.
    pub(super) is_atomic: bool,
}

const fn atomic(args: &'static str) -> Tested {
    Tested {
        args,
        continued: Continued::Again,
        is_atomic: true,
    }
}

const fn repeated(args: &'static str) -> Tested {
    Tested {
        is_atomic: false,
        ..atomic(args)
    }
}

const fn once(args: &'static str) -> Tested {
    Tested {
        continued: Continued::Once,
        ..atomic(args)
    }
}

const fn resumed(args: &'static str, run: u64) -> Tested {
    Tested {
        continued: Continued::Resumed { run },
        ..repeated(args)
    }
}

/// In the folder that `prepare` makes: run 1 has ended, run 2 waits for an answer to its plan, run 3 was
/// forked from run 1 and left.
pub(super) const COMMANDS: &[Tested] = &[
    resumed("run craft~a~wooden~pickaxe --headless -v", 4),
    resumed("run craft~a~wooden~pickaxe --headless -v --db new/a.db", 1),
    resumed("resume 3 --headless -v", 3),
    resumed("fork 1 --before a3 --headless -v", 4),
    repeated("runs resume 3"),
    once("fork 1 --before a3 --only"),
    once("tell 2 approve d1"),
    once("tell 2 veto d1 too~long"),
    once("tell 2 edit d1 plan.json"),
    once("tell 2 limit ticks 24000"),
    atomic("runs abort 3 --reason enough"),
    repeated("runs abort 2 3 --reason enough"),
    repeated("runs delete 1"),
    atomic("kb approve k0.1"),
    atomic("kb veto k0.2 --reason wrong"),
    atomic("kb edit k0.1 --body body.yaml"),
    atomic("kb retire k1.1 --reason old"),
    atomic("kb restore k0.3"),
    atomic("kb merge k0.1 k0.2"),
    atomic("kb keep k0.1 k0.2 --reason two~tools"),
    repeated("kb import entries.yaml"),
    repeated("kb import entries.yaml --db new/a.db"),
    repeated("kb import skills"),
    repeated("kb trial k1.1 --seeds 1..1 --jobs 1 --json"),
    // The label first, then the entries that rest on it.
    repeated("explain 1 a5 --overrule NAV_STUCK --reason seen"),
    repeated("memory reindex --force"),
    atomic("backup new.backup"),
    Tested {
        is_atomic: false, // what it replaces is copied before
        ..once("restore old.backup --replace")
    },
    repeated(
        "eval --suite mcu70 --tasks mcu70/wooden/0[67] --seeds 1..1 --jobs 1 --out eval --json",
    ),
    repeated(
        "eval --suite mcu70 --tasks mcu70/wooden/0[67] --seeds 1..1 --learn --out eval --json",
    ),
    repeated(
        "learn --curve --groups wooden --seeds 1..1 --passes 1 --systems planning-only --jobs 1 --out learn --json",
    ),
    repeated("kb export --status all --out all.yaml"),
    repeated("kb export --status all --format agent-skill --out exported"),
    repeated("cassette export 1 --out a.cassette --force"),
    atomic("gates --set plan=ask"),
];

/// The arguments, and where they are carried out.
pub(super) fn arguments(args: &str) -> Vec<String> {
    let each = args.split_whitespace();
    each.map(|arg| arg.replace('~', " ")).collect()
}

/// Everything that a command reads and writes lies in the folder.
pub(super) fn settle(command: &mut Command, folder: &Path) {
    command
        .current_dir(folder)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("PITHEAD_GATES", folder.join("gates.toml"))
        .env("HOME", folder.join(".home"))
        .env("USER", "ann");
}

/// Carries the command out, with what it leaves to processes in the background.
pub(super) fn perform(folder: &Path, args: &str) -> Output {
    let output = perform_alone(folder, args);
    if is_background(args) {
        wait_for_background(folder);
    }
    output
}

/// The same, without waiting for the background.
pub(super) fn perform_alone(folder: &Path, args: &str) -> Output {
    let mut command = Command::new(PITHEAD);
    settle(&mut command, folder);
    command.args(arguments(args)).output().unwrap()
}

/// It starts a process that goes on without it.
pub(super) fn is_background(args: &str) -> bool {
    args.starts_with("runs resume")
}

/// Waits until no process is at work in the folder.
pub(super) fn wait_for_background(folder: &Path) {
    let folder = fs::canonicalize(folder).unwrap();
    let is_at_work = || {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let mut places =
            processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
        places.any(|place| place == folder)
    };
    while is_at_work() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn done(folder: &Path, args: &str) -> Vec<u8> {
    let output = perform(folder, args);
    assert!(output.status.success(), "{args}: {output:?}");
    output.stdout
}

/// Makes what the commands need.
pub(super) fn prepare(folder: &Path) {
    fs::create_dir(folder.join(".home")).unwrap();
    fs::write(folder.join("kb.yaml"), crate::kb::stage::file()).unwrap();
    fs::write(folder.join("entries.yaml"), include_str!("entry.yaml")).unwrap();
    done(
        folder,
        "run craft~a~wooden~pickaxe --seed 1 --mind builtin:novice --headless",
    );
    done(folder, "kb import kb.yaml");
    let mut waits = Command::new(PITHEAD);
    settle(&mut waits, folder);
    let asks = "run craft~a~wooden~pickaxe --headless --gate plan=ask:600:veto";
    let mut waits = waits.args(arguments(asks)).spawn().unwrap();
    while !String::from_utf8_lossy(&perform(folder, "inbox 2 --json").stdout)
        .contains("\"question\"")
    {
        assert!(waits.try_wait().unwrap().is_none(), "it asks nothing");
    }
    waits.kill().unwrap();
    waits.wait().unwrap();
    let plan = done(folder, "inbox 2 d1 --text");
    fs::write(folder.join("plan.json"), plan).unwrap();
    done(folder, "backup old.backup");
    done(folder, "fork 1 --before a3 --only");
    let body = done(folder, "kb show k0.1 --body");
    let body = String::from_utf8(body)
        .unwrap()
        .replace("it fails", "it always fails");
    fs::write(folder.join("body.yaml"), body).unwrap();
    let more = include_str!("entry.yaml").replace("village", "temple");
    fs::write(folder.join("more.yaml"), more).unwrap();
    done(folder, "kb import more.yaml");
    done(folder, "kb veto k0.3 --reason wrong");
    done(
        folder,
        "kb export --status all --format agent-skill --out skills",
    );
}
