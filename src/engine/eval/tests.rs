//! Evaluations as a whole: what is left out, what counts as success, and how it is laid out.

use super::budget::{EvalBudget, EvalLimits};
use super::episode::{Ended, Episode, succeeded};
use super::plan::{EvalPlan, PatternError, Seeds, Setting, TaskPattern};
use super::report::Report;
use super::stats::Tally;
use super::workers::{SuiteRun, run_suite};
use crate::mind::Mind;
use crate::mind::builtin::{Builtin, errors::Level};
use crate::runtime::Keep;
use crate::suites::{SuiteName, SuiteTask};
use pithead_core::domain::run::budget::Budget;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::domain::samples;
use pithead_core::systems;
use pithead_world::aids::WorldAids;
use pithead_world::port::{World, WorldSpec};
use pithead_world::voxel::world::VoxelWorld;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn setting(suite: SuiteName) -> Setting {
    Setting {
        suite: suite.suite(),
        mind: "builtin:expert".to_owned(),
        profile: systems::named(systems::DEFAULT).unwrap(),
        world: WorldSpec {
            kind: "voxel".to_owned(),
            seed: 0,
            frame_ticks: 10,
            aids: WorldAids::default(),
            server: None,
        },
        learn: false,
        base: None,
        frozen: false,
        hold_out: 0,
        horizon_model: None,
        strategy: None,
        keep: Keep::Attempts,
        budget: Budget::default(),
    }
}

pub(super) fn plan(suite: SuiteName, pattern: &str, seeds: &str) -> EvalPlan {
    let pattern: TaskPattern = pattern.parse().unwrap();
    EvalPlan::select(suite.suite(), Some(&pattern), seeds.parse().unwrap()).unwrap()
}

fn task(id: &str) -> &'static SuiteTask {
    let mut tasks = SuiteName::ALL.iter().flat_map(|name| &name.suite().tasks);
    tasks.find(|task| task.id == id).unwrap()
}

#[test]
fn patterns_match_ids_and_instructions() {
    let ids = |pattern: &str| {
        let plan = plan(SuiteName::Mcu70, pattern, "1");
        let ids = plan.tasks.iter().map(|task| task.id.as_str());
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids("mcu70/wooden/0[12]"), "mcu70/wooden/01 mcu70/wooden/02");
    assert_eq!(
        ids("Craft Wooden {axe,hoe}"),
        "mcu70/wooden/02 mcu70/wooden/04"
    );
    assert_eq!(ids("mcu70/stone/*").split(' ').count(), 10);
    let nothing: TaskPattern = "*netherite*".parse().unwrap();
    let error = EvalPlan::select(
        SuiteName::Mcu70.suite(),
        Some(&nothing),
        Seeds { first: 1, last: 1 },
    );
    assert!(matches!(error, Err(PatternError::Nothing { .. })));
}

#[test]
fn a_range_of_seeds_includes_both_ends() {
    let read = |text: &str| text.parse::<Seeds>().map(|s| (s.first, s.last)).ok();
    for (text, expected) in [
        ("1..20", Some((1, 20))),
        ("1..=20", Some((1, 20))),
        ("7", Some((7, 7))),
        ("9..1", None),
        ("1..", None),
        ("0..9999999", None),
        ("-1..3", None),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[12]", "4..5");
    let order: Vec<String> = plan
        .episodes()
        .map(|(task, seed)| format!("{}@{seed}", task.id))
        .collect();
    assert_eq!(
        order,
        [
            "mcu70/wooden/01@4",
            "mcu70/wooden/02@4",
            "mcu70/wooden/01@5",
            "mcu70/wooden/02@5"
        ]
    );
}

#[test]
fn own_worlds_differ_from_task_to_task_and_no_pattern_changes_them() {
    let worlds = |pattern: &str| -> Vec<(String, u64)> {
        let plan = plan(SuiteName::Mcu70, pattern, "1..3").with_own_worlds(true);
        let found: Vec<_> = plan
            .episodes()
            .map(|(t, seed)| (t.id.clone(), seed))
            .collect();
        assert_eq!(found.len(), plan.len());
        found
    };
    let (all, some) = (worlds("mcu70/wooden/*"), worlds("mcu70/wooden/02"));
    let seeds: std::collections::BTreeSet<u64> = all.iter().map(|(_, seed)| *seed).collect();
    assert_eq!(seeds.len(), all.len());
    assert_eq!(some.len(), 3);
    assert!(some.iter().all(|one| all.contains(one)));
}

#[test]
fn tasks_that_cannot_be_judged_or_done_are_left_out_and_named() {
    let whole =
        EvalPlan::select(SuiteName::Mcu70.suite(), None, Seeds { first: 1, last: 1 }).unwrap();
    assert_eq!(whole.tasks.len() + whole.left_out.len(), 70);
    let out = |words: &str| {
        let left = whole.left_out.iter();
        left.filter(|task| task.because.contains(words)).count()
    };
    assert_eq!((out("infeasible"), out("precursor")), (4, 1));
}

/// Exact items and counts: what leads to the item, or is named like it, is not the item.
#[test]
fn a_run_that_holds_only_a_precursor_fails() {
    let frame = |inventory: &str, crafted: &str, tick: u64| {
        let mut frame = samples::frame(tick, 0);
        frame.inventory = inventory.parse().unwrap();
        frame.crafted = crafted.parse().unwrap();
        frame
    };
    let smelt = task("mcu70/iron/01");
    let ingot = SuiteName::Mcu70
        .suite()
        .tasks
        .iter()
        .find(|task| task.instruction == "smelt iron ingot")
        .unwrap();
    for (task, inventory, crafted, expected) in [
        (task("mcu70/wooden/01"), "oak_planks=3,stick=2", "", false),
        (task("mcu70/wooden/01"), "wooden_axe=1", "", false),
        (task("mcu70/wooden/01"), "wooden_pickaxe=1", "", true),
        (task("mcu70/wooden/08"), "oak_log=4", "", false),
        (task("mcu70/wooden/08"), "birch_planks=4", "", false),
        (task("mcu70/wooden/11"), "birch_log=1", "", true),
        (ingot, "iron_ore=3", "", false),
        // Found in a chest and not smelted: the task says smelt.
        (ingot, "iron_ingot=1", "", false),
        (ingot, "iron_ingot=1", "iron_ingot=1", true),
    ] {
        let at = frame(inventory, crafted, 100);
        assert_eq!(succeeded(task, &at), expected, "{} {inventory}", task.id);
    }
    let late = frame(
        "wooden_pickaxe=1",
        "",
        task("mcu70/wooden/01").budget_ticks + 1,
    );
    assert!(!succeeded(task("mcu70/wooden/01"), &late));
    assert!(!smelt.success.is_empty());
    let nothing = SuiteTask {
        success: vec![Vec::new()],
        ..task("mcu70/wooden/01").clone()
    };
    assert!(
        !succeeded(&nothing, &frame("", "", 1)),
        "no checks are no success"
    );
}

type BodyAndMind = (Box<dyn World>, Box<dyn Mind>);

fn make(config: &RunConfig, _: &str) -> Result<BodyAndMind, String> {
    let level = match config.mind.as_str() {
        "builtin:expert" => Level::Expert,
        _ => Level::Novice,
    };
    let mind = Builtin::new(level, config.world.seed);
    Ok((Box::new(VoxelWorld::new()), Box::new(mind)))
}

pub(super) fn played(
    setting: &Setting,
    plan: &EvalPlan,
    out: Option<&Path>,
    most: usize,
) -> Vec<Episode> {
    paid(setting, plan, out, most, &budget(None, None))
}

/// A purse of so many questions.
fn budget(calls: Option<u64>, folder: Option<&Path>) -> Arc<EvalBudget> {
    let bounds = EvalLimits {
        calls,
        ..EvalLimits::default()
    };
    Arc::new(EvalBudget::open(bounds, folder).unwrap())
}

fn paid(
    setting: &Setting,
    plan: &EvalPlan,
    out: Option<&Path>,
    most: usize,
    budget: &Arc<EvalBudget>,
) -> Vec<Episode> {
    let interrupt = AtomicBool::new(false);
    let suite_run = SuiteRun {
        budget: Arc::clone(budget),
        setting,
        plan,
        jobs: 2,
        out,
        factory: &make,
        interrupt: &interrupt,
    };
    let episodes = run_suite(&suite_run, |progress, _| {
        interrupt.store(progress.done >= most, Ordering::Relaxed);
    });
    episodes.unwrap()
}

#[test]
fn an_interrupted_evaluation_resumes_to_the_same_report() {
    let (setting, plan) = (
        setting(SuiteName::Mcu70),
        plan(SuiteName::Mcu70, "mcu70/wooden/0[679]", "1..5"),
    );
    let whole = Report::from_episodes(&setting, &plan, &played(&setting, &plan, None, 99));
    assert!(whole.complete && whole.overall.episodes == 15);
    assert!(whole.overall.successes >= 10, "{:?}", whole.overall);
    let folder = tempfile::tempdir().unwrap();
    let out = Some(folder.path());
    let part = played(&setting, &plan, out, 2);
    // However late it is heard: eight may be on their way and two under way.
    assert!((2..15).contains(&part.len()), "{}", part.len());
    let lines = || std::fs::read_to_string(folder.path().join("episodes.jsonl")).unwrap();
    let before = lines();
    // The last line was being written when the power went.
    std::fs::write(
        folder.path().join("episodes.jsonl"),
        before.clone() + "{\"task\":\"mcu",
    )
    .unwrap();
    let rest = Report::from_episodes(&setting, &plan, &played(&setting, &plan, out, 99));
    assert!(rest == whole, "{rest:#?}");
    let after = lines();
    assert!(
        after.starts_with(&before),
        "what was finished is not played again"
    );
    assert_eq!(after.lines().count(), 16);
    // Everything in it has its run in the journal, with attempts and without idle frames.
    let journal = crate::journal::Journal::look(&folder.path().join("journal.db")).unwrap();
    assert_eq!(journal.runs().unwrap().len(), 15);
}

#[test]
fn a_folder_of_another_setting_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/09", "1");
    let first = setting(SuiteName::Mcu70);
    played(&first, &plan, Some(folder.path()), 99);
    let other = Setting {
        mind: "builtin:novice".to_owned(),
        ..first
    };
    let interrupt = AtomicBool::new(false);
    let suite_run = SuiteRun {
        budget: budget(None, None),
        setting: &other,
        plan: &plan,
        jobs: 1,
        out: Some(folder.path()),
        factory: &make,
        interrupt: &interrupt,
    };
    let error = run_suite(&suite_run, |_, _| ()).unwrap_err().to_string();
    assert!(
        error.contains("its mind is builtin:expert, not builtin:novice"),
        "{error}"
    );
}

#[test]
fn an_evaluation_stops_before_it_exceeds_its_budget_and_resumes_with_a_larger_one() {
    let (setting, plan) = (
        setting(SuiteName::Mcu70),
        plan(SuiteName::Mcu70, "mcu70/wooden/0[679]", "1..2"),
    );
    let whole = played(&setting, &plan, None, 99);
    let calls: u64 = whole.iter().map(|episode| episode.mind_calls).sum();
    let folder = tempfile::tempdir().unwrap();
    let out = Some(folder.path());
    let small = budget(Some(calls / 2), out);
    let part = paid(&setting, &plan, out, 99, &small);
    assert!(part.len() < whole.len(), "{calls} questions");
    assert!(small.reached().unwrap().contains("questions is spent"));
    assert!(small.spent().calls <= calls / 2);
    let ends = part.iter().map(|episode| episode.because.as_str());
    assert!(
        ends.clone().all(|because| !because.contains("budget")),
        "{ends:?}"
    );
    // What was begun and not ended is paid for twice.
    let large = budget(Some(calls * 2), out);
    assert_eq!(large.spent(), small.spent());
    let rest = paid(&setting, &plan, out, 99, &large);
    let told = |episodes: &[Episode]| {
        let each = episodes
            .iter()
            .map(|e| (e.task.clone(), e.seed, e.ticks, e.success));
        each.collect::<Vec<_>>()
    };
    assert_eq!(told(&rest), told(&whole));
    assert!(large.spent().calls >= calls && large.reached().is_none());
}

#[test]
fn shared_knowledge_survives_an_interruption() {
    let setting = Setting {
        learn: true,
        mind: "builtin:novice".to_owned(),
        ..setting(SuiteName::Mcu70)
    };
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[14]", "1..2");
    let whole = played(&setting, &plan, None, 99);
    let folder = tempfile::tempdir().unwrap();
    played(&setting, &plan, Some(folder.path()), 2);
    let rest = played(&setting, &plan, Some(folder.path()), 99);
    let told = |episodes: &[Episode]| {
        let each = episodes
            .iter()
            .map(|e| (e.task.clone(), e.seed, e.ticks, e.replans, e.success));
        each.collect::<Vec<_>>()
    };
    assert_eq!(told(&rest), told(&whole));
}

/// An episode made up for the layout.
fn episode(task: &SuiteTask, seed: u64, success: bool) -> Episode {
    let mut episode = Episode::unplayed(task, seed, seed);
    episode.success = success;
    episode.ended = if success {
        Ended::Success
    } else {
        Ended::Failure
    };
    (episode.ticks, episode.attempts, episode.replans) = (1000 * seed, 5, u64::from(!success));
    if !success {
        episode.failed_attempts = 2;
        episode
            .failures_by_reason
            .insert("TOOL_MISSING".to_owned(), 2);
        episode.last_failure = Some("craft 1 furnace: TOOL_MISSING".to_owned());
    }
    episode
}

fn report() -> Report {
    let setting = setting(SuiteName::Metagent50);
    let plan = plan(SuiteName::Metagent50, "metagent50/{05,06,11}", "1..3");
    let episodes: Vec<Episode> = plan
        .episodes()
        .map(|(task, seed)| episode(task, seed, task.id.ends_with("05") && seed < 3))
        .collect();
    Report::from_episodes(&setting, &plan, &episodes)
}

#[test]
fn the_table_names_what_is_simulated_and_how_the_papers_differ() {
    insta::assert_snapshot!(report().text());
}

#[test]
fn the_markdown_holds_the_same_cells() {
    let text = report().markdown();
    for part in [
        "(simulated planner)",
        "embedded and simulated, not Minecraft",
        "| all | 2 (-1) | 6 | 2 | 33.3 | 9.7-70.0 |",
        "Metagent-P, Table 2",
        "metagent50/06: infeasible",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn a_void_episode_does_not_count() {
    let task = task("mcu70/wooden/01");
    let mut void = episode(task, 1, false);
    void.void("no world");
    let Tally {
        episodes,
        void,
        rate,
        ..
    } = super::stats::tally([void, episode(task, 2, true)].iter());
    assert_eq!((episodes, void, rate), (1, 1, Some(100.0)));
}

#[test]
fn milestones_are_shares_of_the_episodes_that_recorded_them_with_the_tick_in_the_middle() {
    let task = task("mcu70/wooden/01");
    let held = |ticks: Option<&[(&str, u64)]>| {
        let mut one = episode(task, 1, true);
        let row = |(item, tick): &(&str, u64)| ((*item).to_owned(), *tick);
        one.milestones = ticks.map(|ticks| ticks.iter().map(row).collect());
        one
    };
    let episodes = [
        held(Some(&[("#logs", 300), ("stick", 400)])),
        held(Some(&[("#logs", 100)])),
        held(Some(&[])),
        held(Some(&[("#logs", 200)])),
        held(None), // from before they were recorded
    ];
    let told: Vec<_> = super::stats::tally(episodes.iter())
        .milestones
        .iter()
        .map(|one| (one.item, one.reached, one.share, one.median_tick))
        .collect();
    assert_eq!(told, [("#logs", 3, 75.0, 200), ("stick", 1, 25.0, 400)]);
}

#[test]
fn reflections_are_shared_out_by_what_set_them_off_and_by_fault() {
    let setting = setting(SuiteName::Metagent50);
    let plan = plan(SuiteName::Metagent50, "metagent50/05", "1..2");
    let mut episodes: Vec<Episode> = plan
        .episodes()
        .map(|(task, seed)| episode(task, seed, false))
        .collect();
    let counts = [
        ("failure", 6),
        ("goal lost", 2),
        ("environment", 3),
        ("reasoning", 1),
    ];
    episodes[0].reflections = counts.map(|(name, n)| (name.to_owned(), n)).into();
    let report = Report::from_episodes(&setting, &plan, &episodes);
    let table = report.reflections();
    let head = [
        "group",
        "reflections",
        "failure",
        "replans",
        "goal lost",
        "anomaly",
        "environment",
        "reasoning",
    ];
    assert_eq!(table.head, head);
    let all = ["all", "8", "75", "0", "25", "0", "75", "25"].map(str::to_owned);
    assert_eq!(table.rows.last(), Some(&all.to_vec()));
    assert!(report.markdown().contains("## Reflections"));
    assert!(!self::report().text().contains("set reflections off"));
}
