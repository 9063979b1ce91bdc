//! The command line: what it accepts, what it refuses, and with which words.

use super::*;

#[test]
fn the_command_line_is_well_formed() {
    command().debug_assert();
}

#[test]
fn every_documented_option_is_accepted() {
    let line = "pithead run craft --headless --json --seed 9 --pace x4 --budget 12000 --gate plan=ask:5:veto \
                --gate replan=auto --db x.db --mind builtin:novice --system no-skills";
    parse(line.split(' ')).unwrap();
    parse([
        "pithead",
        "plan",
        "t",
        "--inventory",
        "oak_log=3,stick=2",
        "--json",
    ])
    .unwrap();
    for line in [
        "--db x.db",
        "--db x.db --theme light --record sitting.cast",
        "runs --json",
        "runs delete 3 4 --dry-run --json --db x.db",
        "compare 1 2 3 --json",
        "causes",
        "causes 1 2 --json",
        "watch 3 --headless",
        "console --theme light",
        "keys --json",
        "show 3 --json",
        "explain 3 7 --json",
        "explain 3 a7 --set nav_variance=0.5 --set window_ticks=200",
        "explain --all --set gui_toggles=3 --json",
        "explain --doubts",
        "explain 3 7 --overrule nav_stuck --reason held",
        "replay 3 --headless",
        "fork 3 --at 120 --without k1.2 --set nav_variance=0.5 --plan f --keep-decisions --only",
        "fork 3 --before a7 --headless --json",
        "run t --headless --break reason=NAV_STUCK --break tick=40",
        "resume 3 --headless",
        "kb list --json",
        "kb list --kind skill --status active --text x --author y --sort trust --limit 3 --json",
        "kb trial 1.1 --task t --seeds 1..3 --budget 9 --alone --jobs 2 --json",
        "kb import f --format voyager --anyway --dry-run --json",
        "kb why k1.2 --run 3 --attempt a4 --json",
        "kb keep k1.2 k1.3 --reason both --dry-run --json",
        "kb effect k1.2 --json",
        "kb graph k1.2 --json",
        "memory search stuck --have coal --at 1 -64 3 --seed 7 --limit 3 --json",
        "memory show e1.2 --json",
        "memory stats --json",
        "memory reindex --force --json",
        "world map --seed 3 --at -5 9 --radius 4 --png m.png --json",
        "world view --at 1 70 -3.5 --yaw -90 --pitch 10 --png v.png",
        "world find diamond --seed 3 --limit 5",
        "world how torch --json",
        "tasks --suite mcu70 --json",
        "prompt render planner --run 3 --at 17",
        "prompt list",
        "cassette export 3 --out run.cassette.gz",
        "doctor --json",
        "models --json",
        "show 3 --costs --json",
        "run t --mind llm:m --budget-tokens 9 --budget-money 0.5 --budget-calls 3",
        "run t --controller table18 --frames d --frames-large",
        "eval --suite mcu70 --tasks mcu70/iron/* --seeds 1..20 --mind builtin:expert --system no-skills \
         --controller table18 --jobs 2 --out d --json",
        "learn --curve --groups iron,armor --seeds 1..4 --passes 2 --systems no-skills --jobs 2 --out d --json",
        "eval --suite gitm262 --seeds 7 --learn --journal-frames --out d --db x.db",
        "evals --json --db x.db",
    ] {
        parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
    }
}

#[test]
fn commands_are_folded_and_the_database_stands_before_or_after_them() {
    for line in [
        "--db x.db runs",
        "--db x.db run t --headless",
        "--db x.db runs delete 3",
        "runs --db x.db delete 3",
        "runs list --json",
        "runs show 3 --json",
        "runs compare 1 2",
        "runs causes 1 2 --json",
        "config keys --json",
        "config gates --set plan=ask",
        "config policy check f.toml",
        "status --short",
        "completions zsh",
        "man d",
        "keys --json",
        "--db x.db eval --suite mcu70 --seeds 1..2 --out d",
    ] {
        parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
    }
    let line = ["pithead", "--db", "before.db", "runs", "list"];
    let (Command::Runs(args), _) = parse(line).unwrap() else {
        panic!("it lists runs")
    };
    let place = format!("{args:?}");
    assert!(place.contains("before.db"), "{place}");
}

#[test]
fn options_of_servers_are_accepted_or_refused_with_a_suggestion() {
    for line in [
        "bridge install",
        "bridge doctor --json",
        "bridge run --server 127.0.0.1:25565 --json",
        "run t --world minecraft --server play.example.org --server-version 1.16.5 --player Anna --allow-server",
        "resume 3 --allow-server",
        "fork 3 --before a2 --allow-server",
        "bridge run --server-version 1.16.5 --player Anna",
        "bridge doctor --server 127.0.0.1 --server-version 1.16.5 --player Anna",
    ] {
        parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
    }
    for (line, word) in [
        ("run t --world mincraft", "minecraft"),
        ("run t --world minecraft --server a:b:c:d", "HOST:PORT"),
        ("run t --world minecraft --player x", "letters"),
    ] {
        let error = parse(std::iter::once("pithead").chain(line.split(' '))).unwrap_err();
        assert!(error.to_string().contains(word), "{line}: {error}");
    }
}

#[test]
fn commands_for_several_runs_and_whole_databases_are_accepted() {
    for line in [
        "policy check f.toml --run 3 --json --db x.db",
        "run t --policy f.toml --headless",
        "tell 3 limit ticks 24000 --json --db x.db",
        "tell 3 pause soon",
        "runs abort 3 4 --reason flooded --dry-run --json",
        "runs resume 3 4 --json --db x.db",
        "verify --deep --json --db x.db",
        "backup x.backup --json --db x.db",
        "restore x.backup --replace --json --db x.db",
    ] {
        parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
    }
}

#[test]
fn usages_show_what_must_be_given() {
    for (name, usage) in [
        ("explain", "pithead explain [OPTIONS] <RUN> <ATTEMPT>"),
        ("find", "pithead find [OPTIONS] <RUN> <CONDITION>"),
    ] {
        let mut root = super::command();
        root.build();
        let command = root.find_subcommand_mut(name).unwrap();
        let shown = command.render_usage().to_string();
        assert!(shown.contains(usage), "{shown}");
    }
}

/// What is wrong, and one word that must be in the answer.
#[test]
fn bad_options_are_refused_with_a_suggestion() {
    for (line, word) in [
        ("--theme light runs", "cannot be used with"),
        ("run t --gate plan=maybe", "ask:SECONDS:approve"),
        ("run t --gate plam=ask", "did you mean plan"),
        ("run t --gate plan", "KIND=POLICY"),
        ("run t --pace fast", "realtime"),
        ("run t --seeds 3", "--seed"),
        ("run t --seed x", "a seed is a whole number from 0 to"),
        ("plan t --inventory oak_lgo=3", "oak_log"),
        ("show x", "number"),
        ("explain 3", "<ATTEMPT>"),
        ("explain 3 x7", "form aN"),
        (
            "explain 3 7 --set nav_varance=1",
            "did you mean nav_variance",
        ),
        ("explain 3 7 --overrule NAV_STUK --reason x", "NAV_STUCK"),
        ("explain 3 7 --overrule NAV_STUCK", "--reason"),
        ("explain 3 7 --all", "cannot be used with"),
        ("fork 3", "--before <ATTEMPT>"),
        ("compare", "<RUNS>"),
        ("tell 3", "<WORDS>"),
        ("policy", "check"),
        ("policy check f.toml --run x", "number"),
        ("runs delete", "<RUN>"),
        ("runs abort 3", "--reason"),
        ("runs delete x", "number"),
        ("fork 3 --at 1 --before a1", "cannot be used with"),
        ("run t --break phase=plam", "plan"),
        ("tasks --suite mcu71", "mcu70"),
        ("run t --controller learned", "table18"),
        ("eval --suite mcu70 --seeds 9..1", "A not above B"),
        (
            "eval --suite mcu70 --seeds 1..2 --tasks [",
            "is not a pattern",
        ),
        ("eval --suite mcu70 --seeds 1..2 --journal-frames", "--out"),
        ("memory search x --have cole", "unknown item"),
        ("memory search x --at 1 2 3", "--seed"),
        ("memory search x --limit 0", "1"),
        ("memory show 12", "e1.8"),
        ("world how oak_lgo", "oak_log"),
        ("world find oak_lgo", "oak_log"),
        ("world how #plank", "#planks"),
        (
            "world view --png v.png --pitch 200",
            "-90 (straight up) to 90",
        ),
        (
            "world view --png v.png --pitch nan",
            "-90 (straight up) to 90",
        ),
        ("world view --png v.png --yaw inf", "a number of degrees"),
        ("learn", "--curve"),
        ("learn --curve --seeds 3..1", "A not above B"),
        ("rum t", "run"),
    ] {
        let error = parse(std::iter::once("pithead").chain(line.split(' '))).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}");
        assert!(error.to_string().contains(word), "{line}: {error}");
    }
}

#[test]
fn the_world_is_asked_for_things_by_the_same_names() {
    for name in ["oak_log", "#logs", "water", "village", "farmer"] {
        for command in ["how", "find"] {
            parse(["pithead", "world", command, name]).unwrap();
        }
    }
}

#[test]
fn triage_columns_and_questions_are_accepted() {
    for line in [
        "triage",
        "triage k1.2 --assign ada --snooze 2h --comment later --json",
        "triage 7/d2 --unassign --wake",
        "--columns run,task runs list",
        "kb list --columns id",
        "show 3 --questions --json",
        "show 3 --question q2",
    ] {
        parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
    }
    let line = ["pithead", "kb", "list", "--columns", "id,title"];
    let (_, columns) = parse(line).unwrap();
    assert_eq!(columns, ["id", "title"]);
    let alone = parse(["pithead", "--columns", "id"]).unwrap_err();
    assert!(alone.to_string().contains("name the command"), "{alone}");
}
