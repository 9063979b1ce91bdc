//! Each command as it is typed: what it changes, that doing it twice changes nothing, and bad input.

use crate::kb::stage::{answered, base, check, json};
use pithead_core::domain::knowledge::EntryUse;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Durability, Journal, KNOWLEDGE_LOG};
use pithead_world::clock::Clock;
use pithead_world::ids::KnowledgeId;
use std::path::Path;

#[test]
fn an_entry_goes_through_every_status_and_back() {
    let folder = base();
    let folder = folder.path();
    answered(folder, "kb approve k0.1 --dry-run", "proposed", true);
    for (args, status) in [
        ("kb approve k0.1 --reason it~holds", "active"),
        ("kb retire k0.1 --reason too~strict", "retired"),
        ("kb restore k0.1", "active"),
        ("kb veto k0.1 --reason wrong", "vetoed"),
        ("kb restore k0.1 --reason not~so~wrong", "proposed"),
        ("kb approve 0.1", "active"),
    ] {
        answered(folder, args, status, true);
        answered(folder, args, status, false);
    }
    let text = check(
        folder,
        "kb history k0.1",
        0,
        &["retired → active", "operator ann", "too strict"],
    );
    assert!(text.contains("created by import pithead"), "{text}");
    assert_eq!(
        json(folder, "kb history k0.1")["changes"]
            .as_array()
            .unwrap()
            .len(),
        6
    );
    for (args, word) in [
        ("kb veto k0.1", "--reason"),
        ("kb veto k0.1 --reason ~", "a reason is needed"),
        ("kb retire k0.9 --reason x", "no entry k0.9"),
        ("kb approve first", "kRUN.N"),
        ("kb approve k0", "begins the ids of 3 entries"),
        ("kb restore k0.1 --version 99", "has no version 99"),
    ] {
        check(folder, args, 2, &[word]);
    }
    check(folder, "kb veto k0.2 --reason no", 0, &[]);
    check(
        folder,
        "kb retire k0.2 --reason no",
        2,
        &["vetoed already", "kb restore k0.2"],
    );
}

#[test]
fn contents_are_edited_and_older_versions_restored() {
    let folder = base();
    let folder = folder.path();
    let body = check(folder, "kb show k0.1 --body", 0, &["kind: guardrail"]);
    let write = |text: &str| std::fs::write(folder.join("body.yaml"), text).unwrap();
    write(&body);
    answered(folder, "kb edit k0.1 --body body.yaml", "proposed", false);
    write(&body.replace("count: 2", "count: 5"));
    answered(
        folder,
        "kb edit k0.1 --body body.yaml --dry-run",
        "proposed",
        true,
    );
    answered(
        folder,
        "kb edit k0.1 --body body.yaml --reason five",
        "proposed",
        true,
    );
    answered(
        folder,
        "kb edit k0.1 --body body.yaml --reason five",
        "proposed",
        false,
    );
    check(
        folder,
        "kb show k0.1",
        0,
        &["have 5 stick", "waits for approval"],
    );
    check(
        folder,
        "kb history k0.1",
        0,
        &["- first      have 2 stick", "+ first      have 5 stick"],
    );
    answered(folder, "kb restore k0.1 --version 1", "proposed", true);
    answered(folder, "kb restore k0.1 --version 1", "proposed", false);
    check(folder, "kb show k0.1", 0, &["have 2 stick", "version 3"]);
}

#[test]
fn a_faulty_edit_is_refused_with_the_line_of_the_fault() {
    let folder = base();
    let folder = folder.path();
    let good = "kind: guardrail\ntrigger: \"inv stick < 8\"\nforbid:\n  kind: craft\n  target: torch\navoid: no\n\
                recovery:\n- have:\n    item: stick\n    count: 8\nreason: TOOL_MISSING\n";
    let edit = |from: &str, to: &str, exit: i32, words: &[&str]| {
        std::fs::write(folder.join("b.yaml"), good.replacen(from, to, 1)).unwrap();
        check(folder, "kb edit k0.1 --body b.yaml --dry-run", exit, words);
    };
    edit("", "", 0, &["would change"]);
    edit(
        "count: 8",
        "count: -3",
        2,
        &["line 10", "recovery[0].have.count", "-3"],
    );
    edit(
        "count: 8",
        "count: 9999",
        2,
        &["line 10", "impossible-count"],
    );
    edit(
        "target: torch",
        "tarket: torch",
        2,
        &["line 5", "forbid.tarket", "no such field"],
    );
    edit("item: stick", "item: stik", 2, &["line 9", "stick"]);
    edit(
        "inv stick < 8",
        "inv stick < 2 and inv stick >= 5",
        2,
        &["line 2", "never-holds"],
    );
    edit(
        "count: 8",
        "count: 4",
        0,
        &["line 7", "recovery-does-not-clear", "would change"],
    );
    check(
        folder,
        "kb edit k0.1 --body nowhere.yaml",
        2,
        &["nowhere.yaml", "could not read"],
    );
    check(
        folder,
        "kb lint --body b.yaml",
        0,
        &["recovery-does-not-clear", "0 errors, 2 warnings"],
    );
}

#[test]
fn the_list_is_filtered_and_sorted() {
    let folder = base();
    let folder = folder.path();
    check(folder, "kb approve k0.2", 0, &[]);
    let ids = |args: &str| -> Vec<String> {
        let list = json(folder, &format!("kb list {args}"));
        let each = list.as_array().unwrap().iter();
        each.map(|e| e["id"].as_str().unwrap().to_owned()).collect()
    };
    for (args, expected) in [
        ("", &["k0.1", "k0.2", "k0.3"][..]),
        ("--kind skill", &["k0.3"]),
        ("--status active", &["k0.2"]),
        ("--text TORCH", &["k0.2"]),
        ("--author import", &["k0.1", "k0.2", "k0.3"]),
        ("--author ann", &[]),
        ("--sort title --limit 1", &["k0.1"]),
        ("--kind guardrail --status proposed", &["k0.1"]),
    ] {
        let found = ids(args);
        if args.contains("sort") {
            assert_eq!(found.len(), expected.len(), "{args}");
        } else {
            assert_eq!(found, expected, "{args}");
        }
    }
    check(folder, "kb list --kind spell", 2, &["spell", "guardrail"]);
    check(folder, "kb list --status dead", 2, &["dead", "retired"]);
    check(folder, "kb stats", 0, &["waiting", "1 active", "64"]);
    assert_eq!(json(folder, "kb stats")["waiting"]["entries"], 2);
}

#[test]
fn two_entries_are_merged_and_the_merge_is_undone() {
    let folder = base();
    let folder = folder.path();
    answered(folder, "kb merge k0.1 k0.2 --dry-run", "proposed", true);
    answered(
        folder,
        "kb merge k0.1 k0.2 --reason the~same",
        "superseded",
        true,
    );
    answered(
        folder,
        "kb merge k0.1 k0.2 --reason the~same",
        "superseded",
        false,
    );
    check(folder, "kb why k0.1", 0, &["taken by k0.2", "superseded"]);
    answered(folder, "kb restore k0.1", "proposed", true);
    check(folder, "kb merge k0.1 k0.3", 2, &["one kind"]);
    check(folder, "kb merge k0.1 k0.1", 2, &["itself"]);
}

#[test]
fn two_similar_entries_are_both_kept() {
    let folder = base();
    let folder = folder.path();
    check(folder, "kb keep k0.1 k0.2", 2, &["--reason"]);
    check(folder, "kb keep k0.1 k0.1 --reason x", 2, &["one entry"]);
    answered(
        folder,
        "kb keep k0.1 k0.2 --reason two~tools",
        "proposed",
        true,
    );
    answered(
        folder,
        "kb keep k0.2 k0.1 --reason again",
        "proposed",
        false,
    );
    check(
        folder,
        "kb history k0.1",
        0,
        &["(k0.2): two tools", "version 1\n"],
    );
    let graph = json(folder, "kb graph k0.1");
    let kept = &graph["relations"][0];
    assert_eq!(
        (&kept["name"], &kept["count"]),
        (&"kept beside".into(), &1.into()),
        "{graph}"
    );
    check(folder, "kb graph k0.2", 0, &["kept beside (1)", "k0.1"]);
}

/// Entries that a run was given stay counted, and a deleted run no longer counts.
#[test]
fn runs_are_counted_by_their_entries_and_deleted_without_the_entries_they_made() {
    let folder = base();
    let folder = folder.path();
    check(folder, "kb approve k0.2", 0, &[]);
    for seed in [3, 4] {
        run(
            folder,
            &format!("run get~a~log --seed {seed} --hold-out 0 --headless"),
        );
    }
    let seen = json(folder, "kb effect k0.2");
    let all = &seen["splits"][0];
    assert_eq!(
        (&all["with"]["runs"], &all["without"]["runs"]),
        (&2.into(), &0.into()),
        "{seen}"
    );
    check(
        folder,
        "kb effect k0.1",
        0,
        &["observed, not a trial", "without it", "of 2 succeeded"],
    );
    let learnt = json(folder, "kb list");
    let store = check(folder, "memory stats", 0, &[]);
    let would = json(folder, "runs delete 1 2 --dry-run");
    assert_eq!(json(folder, "runs").as_array().unwrap().len(), 2);
    check(folder, "runs delete 2 9", 2, &["9"]);
    let done = json(folder, "runs delete 2 1 2");
    assert_eq!(would["deleted"], done["deleted"]);
    assert_eq!(done["deleted"].as_array().unwrap().len(), 2);
    assert_eq!(json(folder, "runs"), serde_json::json!([]));
    assert_eq!(json(folder, "kb list"), learnt);
    assert_eq!(check(folder, "memory stats", 0, &[]), store);
    check(folder, "show 1", 2, &["1"]);
    run(folder, "run get~a~log --seed 5 --headless");
    assert_eq!(
        json(folder, "runs")[0]["run"],
        3,
        "no number is given twice"
    );
}

/// A run whose attempts a guardrail is tested on.
#[test]
fn a_guardrail_is_tested_on_recorded_attempts() {
    let folder = base();
    let folder = folder.path();
    run(folder, "run craft~a~crafting~table --seed 3 --headless");
    let attempts = json(folder, "show 1")["attempts"].as_array().unwrap().len();
    let body = "kind: guardrail\ntrigger: \"inv diamond < 1\"\nforbid: {kind: mine}\navoid: no\nrecovery: []\nreason: UNKNOWN\n";
    std::fs::write(folder.join("mine.yaml"), body).unwrap();
    let found = json(folder, "kb backtest --body mine.yaml");
    assert_eq!(found["attempts"], attempts);
    let blocked = found["successes"]["blocked"].as_u64().unwrap()
        + found["failures"]["blocked"].as_u64().unwrap();
    assert!(blocked >= 1, "{found}");
    check(
        folder,
        "kb backtest --body mine.yaml",
        0,
        &["would have blocked", "newest first", "run 1 attempt"],
    );
    // An edit that is not saved, beside what is saved.
    let change = json(folder, "kb backtest k0.1 --body mine.yaml");
    assert_eq!(change["edited"]["attempts"], attempts);
    let counted = |side: &str| change["edited"][side]["blocked"].as_u64().unwrap();
    assert_eq!(counted("failures") + counted("successes"), blocked);
    assert!(change["blocked_now"].is_array() && change["blocked_no_more"].is_array());
    std::fs::write(
        folder.join("mob.yaml"),
        body.replace("inv diamond < 1", "mob_near zombie 9"),
    )
    .unwrap();
    let unsure = json(folder, "kb backtest --body mob.yaml");
    assert_eq!(unsure["successes"]["blocked"], 0);
    assert!(
        unsure["successes"]["unknown"].as_u64().unwrap() >= 1,
        "{unsure}"
    );
    check(
        folder,
        "kb backtest k0.3",
        2,
        &["only guardrails", "kb trial"],
    );
    check(folder, "kb backtest", 2, &["ID"]);
    check(
        folder,
        "kb why k0.1 --run 1 --attempt 1",
        0,
        &["[not-given]", "[proposed]", "[out-of-scope]"],
    );
    check(
        folder,
        "kb why k0.1 --run 1 --attempt 99",
        2,
        &["no ended attempt", "pithead show 1"],
    );
    check(folder, "kb why k0.1 --run 1", 2, &["--attempt"]);
}

/// What a run was given is counted, and an entry that waits is given to none.
#[test]
fn a_run_gets_only_active_entries() {
    let folder = base();
    let folder = folder.path();
    check(folder, "kb approve k0.2", 0, &[]);
    run(folder, "run get~a~log --seed 3 --headless");
    let list = json(folder, "kb list");
    let of = |n: usize, what: &str| list[n]["outcomes"][what].as_u64().unwrap();
    assert_eq!((of(0, "retrieved"), of(0, "shown")), (0, 0));
    assert_eq!((of(1, "retrieved"), of(1, "shown")), (1, 1));
    check(folder, "show 1", 0, &["knowledge.used", "torch"]);
    check(
        folder,
        "kb why k0.2 --run 1 --attempt 1",
        0,
        &["[out-of-scope]", "mine"],
    );
    hurt_three_times(folder, 2);
    run(folder, "run get~a~log --seed 4 --headless");
    check(
        folder,
        "kb show k0.2",
        0,
        &["not in use", "it did harm", "policy outcomes"],
    );
    assert_eq!(json(folder, "kb list")[1]["outcomes"]["shown"], 1);
    answered(folder, "kb restore k0.2", "active", true);
}

fn hurt_three_times(folder: &Path, n: u64) {
    let id = KnowledgeId {
        run: KNOWLEDGE_LOG,
        n,
    };
    let hurt = Event::KnowledgeUsed {
        id,
        how: EntryUse::Hurt,
        subgoal: None,
    };
    let mut journal = Journal::open(&folder.join("pithead.db"), Durability::Full).unwrap();
    let written = journal.curate(Clock::System.now(), |_| Ok(vec![hurt.clone(); 3]));
    assert!(written.unwrap().is_ok());
}

#[test]
fn a_trial_plays_the_same_seeds_with_and_without() {
    let folder = base();
    let folder = folder.path();
    let args = "kb trial k0.1 --task get~a~log --seeds 3..4 --budget 1500 --jobs 1";
    let found = json(folder, args);
    let seeds: Vec<u64> = found["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["seed"].as_u64().unwrap())
        .collect();
    assert_eq!(seeds, [3, 4]);
    assert!(
        found["mind"]
            .as_str()
            .unwrap()
            .contains("simulated planner")
    );
    // The entry has no part in this task: both arms are the same runs.
    for pair in found["pairs"].as_array().unwrap() {
        assert_eq!(pair["with"], pair["without"]);
    }
    assert_eq!(found["successes"]["difference"]["value"], 0.0);
    assert!(found["successes"]["difference"]["low"].as_f64().unwrap() < 0.0);
    check(folder, "kb trial k0.1 --seeds 9..1", 2, &["range of seeds"]);
    check(
        folder,
        "kb trial k0.1 --mind llm",
        2,
        &["simulated planner"],
    );
    check(folder, "kb trial k0.1 --task dance", 2, &["dance"]);
}

#[test]
fn a_base_that_another_program_writes_to_can_be_read() {
    let folder = base();
    let folder = folder.path();
    let db = rusqlite::Connection::open(folder.join("pithead.db")).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    check(folder, "kb list", 0, &["k0.1"]);
    check(
        folder,
        "kb retire k0.1 --reason x --dry-run",
        0,
        &["would change"],
    );
}

#[test]
fn a_missing_base_is_reported_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        "kb list",
        "kb show k1.1",
        "kb history k1.1",
        "kb retire k1.1 --reason x",
        "kb restore k1.1",
        "kb merge k1.1 k1.2",
        "kb lint",
        "kb backtest k1.1",
        "kb trial k1.1",
        "kb why k1.1",
        "kb export",
        "kb stats",
    ] {
        check(folder.path(), args, 3, &["no database", "--db"]);
    }
    assert!(
        !folder.path().join("pithead.db").exists(),
        "looking made a database"
    );
}

#[track_caller]
fn run(folder: &Path, args: &str) {
    let output = crate::kb::stage::pithead(folder, args);
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{}",
        crate::kb::stage::said(&output)
    );
}
