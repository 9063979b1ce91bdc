//! The command line of the real binary: exit codes, and messages that say what, where, what to do.
//!
//! There is never a terminal here, so commands that need one have to report it.

#[cfg(unix)]
mod acp;
mod cards;
mod consent;
mod hostile;
mod other_programs;
mod published;
mod senses;
mod steering;
mod triage;
mod twins;
mod verify;

use pithead_core::domain::run::event::Event;
use pithead_engine::journal::Journal;
use pithead_world::ids::{RunId, Seq};
use std::path::Path;
use std::process::{Command, Output};

fn pithead(folder: &Path, args: &str) -> Output {
    let args = args.split_whitespace().map(|arg| arg.replace('~', " "));
    Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args(args)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

/// `~` is a space within an argument.
#[track_caller]
fn check(folder: &Path, args: &str, exit: i32, words: &[&str]) {
    let output = pithead(folder, args);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(exit), "{args}: {text}");
    words
        .iter()
        .for_each(|word| assert!(text.contains(word), "{args}: no `{word}` in: {text}"));
}

#[cfg(unix)]
#[test]
fn what_is_made_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args(["run", "craft a wooden pickaxe", "--headless"])
        .env_remove("PITHEAD_DB")
        .env("XDG_DATA_HOME", folder.path().join("data"))
        .env("XDG_STATE_HOME", folder.path().join("state"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let mode = |name: &str| {
        let path = folder.path().join(name);
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    for name in ["data", "state"] {
        assert_eq!(mode(&format!("{name}/pithead")), 0o700, "{name}");
    }
    for name in ["data/pithead/pithead.db", "state/pithead/pithead.log"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
}

#[test]
fn bad_arguments_are_refused_with_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    for (args, words) in [
        (
            "run craft~an~iron~pickaks --headless",
            &["pickaks", "iron_pickaxe"][..],
        ),
        ("run dance --headless", &["dance"]),
        ("run get~a~log --seeds 3", &["--seeds", "--seed"]),
        (
            "run get~a~log --headless --system no-skils",
            &["no-skils", "no-skills"],
        ),
        (
            "run get~a~log --headless --mind builtin:novise",
            &["novise", "builtin:novice"],
        ),
        (
            "run get~a~log --headless --gate plam=ask",
            &["plam", "plan"],
        ),
        (
            "run get~a~log --headless --gate plan=ask",
            &["ask:SECONDS:approve"],
        ),
        (
            "run get~a~log --headless --pace fast",
            &["fast", "realtime"],
        ),
        (
            "plan get~a~log --inventory oak_lgo=3",
            &["oak_lgo", "oak_log"],
        ),
        ("run get~a~log", &["terminal", "--headless"]),
    ] {
        check(folder.path(), args, 2, words);
    }
    assert!(
        !folder.path().join("pithead.db").exists(),
        "a refused command made a database"
    );
}

#[test]
fn files_that_are_not_text_are_refused_with_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join(".config/pithead");
    std::fs::create_dir_all(&own).unwrap();
    for (name, args, exit) in [
        ("keys.toml", "keys", 2),
        ("keys.toml", "keys --check FILE", 2),
        ("gates.toml", "gates", 2),
        ("config.toml", "doctor", 3),
        ("mine.toml", "run get~a~log --theme FILE", 2),
    ] {
        let file = own.join(name);
        std::fs::write(&file, b"# fine\n[x]\n\xfe = 1\n").unwrap();
        let args = args.replace("FILE", &file.display().to_string());
        check(folder.path(), &args, exit, &[name, "byte 0xfe in line 3"]);
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn moments_of_a_run_are_found_by_condition_and_by_change() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    check(folder, "run get~a~log --headless --seed 7", 0, &[]);
    let json = |args: &str| -> Vec<serde_json::Value> {
        let output = pithead(folder, args);
        let listing: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        listing["found"].as_array().unwrap().clone()
    };
    let had = json("find 1 inv~#logs~>=~1 --json");
    assert_eq!(had.len(), 1, "{had:?}");
    let wrote = json("find 1 --wrote #logs --json");
    // The newest first; the first log is what made the condition true.
    let first = &wrote[wrote.len() - 2];
    assert_eq!((&first["from"], &first["to"]), (&"0".into(), &"1".into()));
    assert_eq!(first["tick"], had[0]["tick"]);
    assert!(
        first["subgoal"].as_str().unwrap().contains("log"),
        "{first}"
    );
    assert_eq!(wrote[wrote.len() - 1]["from"], serde_json::Value::Null);
    let before = format!(
        "find 1 --wrote #logs --json --from {}",
        first["seq"].as_u64().unwrap() - 1
    );
    assert_eq!(json(&before).len(), 1);
    check(folder, "find 1 health~<~1", 1, &["no such moment"]);
    check(folder, "find 1 helth~<~1", 2, &["helth"]);
    check(
        folder,
        "find 1 --wrote diamant",
        2,
        &["diamant", "health", "crafted ITEM"],
    );
    check(folder, "find 1", 2, &["CONDITION"]);
    check(folder, "find 9 --wrote health", 2, &["9"]);
    check(folder, "replay 1 --at x9", 2, &["x9", "t3400"]);
}

#[test]
fn missing_runs_and_databases_are_reported_and_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let commands = [
        "runs",
        "show 1",
        "explain 1 1",
        "explain --all",
        "explain --doubts",
        "replay 1 --headless",
        "resume 1 --headless",
        "kb list",
        "memory search coal",
        "memory show e1.1",
        "memory stats",
        "memory reindex",
    ];
    for args in commands {
        check(folder.path(), args, 3, &["no database", "--db"]);
    }
    assert!(
        !folder.path().join("pithead.db").exists(),
        "looking made a database"
    );
    check(
        folder.path(),
        "run get~a~log --headless --budget 1",
        1,
        &["budget"],
    );
    for args in [
        "show 9",
        "explain 9 1",
        "replay 9 --headless",
        "resume 9 --headless",
    ] {
        check(folder.path(), args, 2, &["no run 9", "pithead runs"]);
    }
    check(
        folder.path(),
        "resume 1 --headless",
        2,
        &["has ended", "pithead replay 1"],
    );
    check(folder.path(), "show 1", 0, &["get a log", "failure"]);
    check(
        folder.path(),
        "memory show e9.9",
        2,
        &["no experience e9.9"],
    );
    check(folder.path(), "memory show s9", 2, &["no summary s9"]);
    // Experiences get their vectors at the first recall; after that there is nothing left to do.
    for changed in ["\"changed\": true", "\"changed\": false"] {
        check(
            folder.path(),
            "memory reindex --json",
            0,
            &[changed, "builtin:ngrams"],
        );
    }
    check(
        folder.path(),
        "replay 1 --headless",
        0,
        &["run.started", "run.ended"],
    );
}

#[track_caller]
fn refused_and_untouched(make: impl Fn(&Path), words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pithead.db");
    make(&database);
    let before = std::fs::read(&database).unwrap();
    for args in ["run get~a~log --headless", "runs"] {
        check(folder.path(), args, 3, words);
        assert!(
            std::fs::read(&database).unwrap() == before,
            "{args} changed the file"
        );
    }
}

#[test]
fn a_database_that_cannot_be_used_is_left_as_it_is() {
    refused_and_untouched(
        |path| std::fs::write(path, "no database at all, but a letter".repeat(99)).unwrap(),
        &["not a pithead database", "--db"],
    );
    refused_and_untouched(
        |path| {
            check(
                path.parent().unwrap(),
                "run get~a~log --headless --budget 1",
                1,
                &[],
            );
            let db = rusqlite::Connection::open(path).unwrap();
            db.pragma_update(None, "user_version", 999).unwrap();
            db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
                .unwrap();
        },
        &["newer pithead", "999"],
    );
    refused_and_untouched(
        |path| {
            a_run_in(path.parent().unwrap());
            let mut bytes = std::fs::read(path).unwrap();
            let page = bytes.len() / 4096 / 2 * 4096;
            bytes[page..page + 4096].fill(0xAA);
            std::fs::write(path, bytes).unwrap();
        },
        &["is damaged", "left as it is", ".recover"],
    );
    refused_and_untouched(
        |path| {
            a_run_in(path.parent().unwrap());
            let bytes = std::fs::read(path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        },
        &["is damaged", "left as it is"],
    );
}

/// A database with a run of some pages in it, all of them in the one file.
fn a_run_in(folder: &Path) {
    pithead(folder, "run get~a~log --headless --budget 200");
    let db = rusqlite::Connection::open(folder.join("pithead.db")).unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
}

/// An interrupt leaves the run: its events are kept, and `resume` continues it.
#[test]
fn an_interrupted_run_prints_how_to_resume_it_and_resumes() {
    use std::io::{BufRead, BufReader, Read};
    let folder = tempfile::tempdir().unwrap();
    let args = "run craft~a~wooden~pickaxe --headless --json --verbose --pace x4";
    let args = args.split(' ').map(|arg| arg.replace('~', " "));
    let mut child = Command::new(env!("CARGO_BIN_EXE_pithead"))
        .args(args)
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with('→') {
        line.clear();
        assert!(told.read_line(&mut line).unwrap() > 0, "nothing was begun");
    }
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.unwrap().success());
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert!(rest.contains("`pithead resume 1` resumes it"), "{rest}");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["outcome"], "open");
    let resumed = pithead(folder.path(), "resume 1 --headless --json");
    let object: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(object["outcome"], "success", "{}", said(&resumed));
}

/// The novice errs, so that a guardrail waits at its gate when the run is over.
#[test]
fn entries_that_wait_for_approval_are_decided_without_a_console() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let waiting = || -> Vec<String> {
        let list = pithead(folder, "kb list --json");
        let list: Vec<serde_json::Value> = serde_json::from_slice(&list.stdout).unwrap();
        let waits = list.iter().filter(|entry| entry["status"] == "proposed");
        waits
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    for seed in 4..=9 {
        let args = "--headless --gate guardrail=ask --mind builtin:novice";
        pithead(
            folder,
            &format!("run craft~an~iron~pickaxe --seed {seed} {args}"),
        );
        if waiting().len() >= 2 {
            break;
        }
    }
    let [first, second, ..] = &waiting()[..] else {
        panic!("no two guardrails were learnt by six runs")
    };
    let answered = |args: &str, status: &str, changed: bool| {
        let output = pithead(folder, &format!("{args} --json"));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&answer["status"], &answer["changed"]),
            (&status.into(), &changed.into())
        );
    };
    answered(&format!("kb approve {first}"), "active", true);
    answered(&format!("kb approve {first}"), "active", false);
    let veto = format!("kb veto {second} --reason too~strict");
    answered(&veto, "vetoed", true);
    answered(&veto, "vetoed", false);
    answered(
        &format!("kb retire {first} --reason old --dry-run"),
        "active",
        true,
    );
    check(folder, "kb approve k9.9", 2, &["k9.9", "kb list"]);
    check(folder, "kb approve first", 2, &["kRUN.N"]);
    check(folder, &format!("kb veto {first}"), 2, &["--reason"]);
    let list = said(&pithead(folder, "kb list --json"));
    assert!(list.contains("too strict"), "{list}");
}

#[test]
fn the_summary_is_one_object_with_the_fields_of_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let output = pithead(folder.path(), "run get~a~log --headless --json --seed 1");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for field in [
        "schema",
        "run",
        "task",
        "seed",
        "success",
        "ticks",
        "attempts",
        "failures_by_reason",
        "replans",
        "mind_calls",
        "knowledge_added",
        "wall_ms",
    ] {
        assert!(object.get(field).is_some(), "no `{field}` in {object}");
    }
    assert_eq!(
        output.status.code(),
        Some(i32::from(object["success"] != true))
    );
}

#[test]
fn plan_reports_whether_a_task_is_possible() {
    let folder = tempfile::tempdir().unwrap();
    check(
        folder.path(),
        "plan obtain~bedrock",
        1,
        &["cannot be done", "bedrock"],
    );
    let inventory = "plan craft~a~crafting~table --inventory oak_planks=4";
    check(folder.path(), inventory, 0, &["passes the verifier"]);
    assert!(
        !said(&pithead(folder.path(), inventory)).contains("mine"),
        "what is held is sought"
    );
}

/// The run of a separate process: every frame with its checksum and every action, in order.
fn lived_through(folder: &Path, args: &str) -> Vec<Event> {
    let output = pithead(folder, args);
    assert!(
        output.status.code().is_some_and(|code| code <= 1),
        "{}",
        said(&output)
    );
    let journal = Journal::look(&folder.join("pithead.db")).unwrap();
    let facts = journal.events(RunId(1), Seq(0), usize::MAX).unwrap();
    let is_lived = |event: &Event| {
        matches!(
            event,
            Event::FrameSeen { .. } | Event::ActionIssued { .. } | Event::PlanProposed { .. }
        )
    };
    facts
        .into_iter()
        .map(|fact| fact.event)
        .filter(is_lived)
        .collect()
}

#[test]
fn two_processes_get_the_same_world_bit_by_bit() {
    for controller in ["scripted", "table18"] {
        let args = format!(
            "run craft~a~wooden~pickaxe --headless --seed 11 --mind builtin:novice --controller {controller}"
        );
        let twice = [(), ()].map(|()| {
            let folder = tempfile::tempdir().unwrap();
            lived_through(folder.path(), &args)
        });
        assert!(twice[0].len() > 10, "{controller}: {}", twice[0].len());
        assert!(twice[0] == twice[1], "{controller}: they differ");
    }
    // And the seed matters, so that equality says something.
    let other = tempfile::tempdir().unwrap();
    let first = tempfile::tempdir().unwrap();
    let args = "run get~a~log --headless --seed";
    assert_ne!(
        lived_through(first.path(), &format!("{args} 11")),
        lived_through(other.path(), &format!("{args} 12"))
    );
}
