//! Failed runs made by hand, and what is made of them.

use super::*;
use crate::domain::knowledge::Body;
use crate::domain::plan::json::parse_plan;
use crate::domain::samples::{experience, item, subgoal};

/// A run of a task in which nothing has happened yet.
struct Run {
    task: Task,
    attempts: Vec<Experience>,
    tick: u64,
    plan: Plan,
}

impl Run {
    fn of(task: &str) -> Self {
        Self {
            task: Task::parse(task).unwrap(),
            attempts: Vec::new(),
            tick: 0,
            plan: Plan::default(),
        }
    }

    /// An attempt of so many ticks, from morning on, at y 64; what it held, and what changed.
    fn tries(mut self, what: (TaskKind, &str), ticks: u64, held: &str, gains: &str) -> Self {
        let n = self.attempts.len() as u64 + 1;
        let mut e = experience(18, n, "oak_log", true);
        let (kind, object) = what;
        e.action = subgoal(n, object);
        e.action.task_kind = kind;
        (e.pre.tick, e.pre.time) = (self.tick, (self.tick % TICKS_PER_DAY) as u32);
        self.tick += ticks;
        (e.post.tick, e.post.time) = (self.tick, (self.tick % TICKS_PER_DAY) as u32);
        e.pre.health = 20.0;
        e.pre.inventory = held.parse().unwrap();
        let changes = gains.split(',').filter_map(|gain| gain.split_once('='));
        e.diagnosis.delta.inventory = changes
            .map(|(item, n)| (item.parse().unwrap(), n.parse().unwrap()))
            .collect();
        self.attempts.push(e);
        self
    }

    fn last(mut self, change: impl FnOnce(&mut Experience)) -> Self {
        change(self.attempts.last_mut().unwrap());
        self
    }

    fn under_ground(self, y: i32) -> Self {
        self.last(|e| {
            (e.pre.underground, e.post.underground) = (true, true);
            (e.pre.position.y, e.post.position.y) = (y, y);
        })
    }

    fn fails(self, reason: FailureReason, report: Option<ActionFailure>) -> Self {
        self.last(|e| {
            (e.diagnosis.success, e.diagnosis.reason) = (false, Some(reason));
            e.diagnosis.report = report;
        })
    }

    fn dies(self, of: &str) -> Found {
        let of = of.to_owned();
        let dead = self.fails(
            FailureReason::EnvTerminated,
            Some(ActionFailure::Died { of }),
        );
        dead.ends(false, 99_999).unwrap()
    }

    fn ends(&self, alive: bool, budget: u64) -> Option<Found> {
        let (successes, failures): (Vec<Experience>, Vec<Experience>) = self
            .attempts
            .iter()
            .cloned()
            .partition(|e| e.diagnosis.success);
        look_into(&FailedRun {
            task: &self.task,
            budget,
            tick: self.tick,
            alive,
            plan: Some(&self.plan),
            successes: &successes,
            failures: &failures,
        })
    }
}

const MINE: TaskKind = TaskKind::Mine;
const NO_TARGET: FailureReason = FailureReason::MonitorNeverTrue;

fn needed(found: &Found) -> String {
    let remedies = found.guardrail.missing.iter();
    let words: Vec<String> = remedies
        .map(crate::domain::knowledge::title::remedy)
        .collect();
    words.join(", ")
}

fn words(found: &Found) -> &str {
    &found.guardrail.deadlock
}

#[test]
fn who_died_without_a_weapon_takes_one_along_to_the_step_at_which_it_died() {
    let run = Run::of("craft a repeater")
        .tries((TaskKind::Craft, "oak_log"), 600, "", "oak_log=6")
        .tries(
            (MINE, "redstone"),
            4_000,
            "stone_pickaxe=1",
            "cobblestone=20",
        )
        .under_ground(31);
    let found = run.dies("skeleton");
    assert_eq!(needed(&found), "have 1 stone_sword");
    let before = &found.guardrail.before;
    assert_eq!(
        (before.kind, before.target),
        (Some(MINE), Some(item("redstone")))
    );
    assert_eq!(found.guardrail.task.target, Some(item("repeater")));
    for part in [
        "skeleton",
        "230 s",
        "under ground",
        "y 31",
        "by day",
        "without a weapon",
        "e18.2",
    ] {
        assert!(words(&found).contains(part), "{part}: {}", words(&found));
    }
    let post_mortem = found.guardrail.post_mortem.unwrap();
    assert_eq!((post_mortem.ends.died, post_mortem.ends.runs()), (1, 1));
    let told: Vec<(u64, u32)> = post_mortem
        .tried
        .iter()
        .map(|s| (s.ticks, s.failed))
        .collect();
    assert_eq!(told, [(600, 0), (4_000, 1)]);
    assert_eq!(
        found.experiences,
        [ExperienceId {
            run: pithead_world::ids::RunId(18),
            n: 2
        }]
    );
}

#[test]
fn who_was_armed_is_told_what_else_was_lacking() {
    let hunt = |held: &str, ticks| {
        let day = Run::of("kill a cow for leather");
        let day = day.tries((TaskKind::Craft, "stick"), ticks, "", "stick=4");
        day.tries((TaskKind::Combat, "leather"), 2_000, held, "")
    };
    let night = hunt("iron_sword=1", 12_000).dies("creeper");
    assert_eq!(needed(&night), "have 1 #beds");
    assert!(
        words(&night).contains("by night, with iron_sword"),
        "{}",
        words(&night)
    );
    for (held, health, of, word) in [
        (
            "iron_sword=1,white_bed=1",
            20.0,
            "creeper",
            "armour against creeper",
        ),
        ("iron_sword=1,white_bed=1", 6.0, "creeper", "wounds"),
        ("", 20.0, "lava", "look out for lava"),
    ] {
        let run = hunt(held, 12_000).last(|e| e.pre.health = health);
        let found = run.dies(of);
        assert!(needed(&found).contains(word), "{}", needed(&found));
        // Nobody can act on words, and they say so.
        assert!(needed(&found).contains("in words only"));
    }
}

#[test]
fn the_step_that_took_the_time_gets_the_tools_that_broke_in_it() {
    let search = (MINE, "redstone");
    let run = Run::of("craft a repeater")
        .tries((TaskKind::Craft, "oak_log"), 600, "", "oak_log=6")
        .tries(
            search,
            5_400,
            "stone_pickaxe=2",
            "stone_pickaxe=-2,cobblestone=90",
        )
        .under_ground(31)
        .fails(NO_TARGET, None)
        .tries(
            (TaskKind::Craft, "stone_pickaxe"),
            90,
            "",
            "stone_pickaxe=1",
        )
        .tries(search, 3_000, "stone_pickaxe=1", "cobblestone=40")
        .under_ground(31)
        .fails(FailureReason::Timeout, None);
    let found = run.ends(true, run.tick).unwrap();
    // It found nothing for want of a tool: that is no reason to call the height wrong.
    assert_eq!(needed(&found), "have 3 stone_pickaxe");
    for part in [
        "redstone",
        "420 s of 454 s",
        "2 tries, 2 of them failed",
        "2 stone_pickaxe wore out",
    ] {
        assert!(words(&found).contains(part), "{part}: {}", words(&found));
    }
    assert_eq!(found.experiences.len(), 2);
}

#[test]
fn a_search_that_gave_nothing_with_sound_tools_goes_deeper_and_one_that_gave_something_does_not() {
    let searched = |gains: &str, y| {
        let run = Run::of("craft a repeater");
        let run = run.tries((MINE, "redstone"), 6_000, "stone_pickaxe=2", gains);
        run.under_ground(y).fails(NO_TARGET, None)
    };
    let found = |run: Run| needed(&run.ends(true, 6_000).unwrap());
    assert_eq!(found(searched("cobblestone=90", 31)), "go down to y 15");
    assert_eq!(found(searched("cobblestone=90", 20)), "go down to y 8");
    assert!(!found(searched("redstone=1", 31)).contains("go down"));
    assert!(!found(searched("cobblestone=90", 8)).contains("go down"));
    assert!(!found(searched("stone_pickaxe=-1", 31)).contains("go down"));
}

#[test]
fn a_night_under_the_sky_is_time_that_a_bed_would_have_spared() {
    let hunt = |held: &str| {
        let run = Run::of("craft a leather helmet").tries((TaskKind::Craft, "stick"), 0, "", "");
        run.tries((TaskKind::Combat, "leather"), 30_000, held, "")
            .fails(NO_TARGET, None)
    };
    let found = hunt("stone_sword=1").ends(true, 30_000).unwrap();
    assert_eq!(needed(&found), "have 1 #beds");
    assert!(
        words(&found).contains("500 s of it were night"),
        "{}",
        words(&found)
    );
    let found = hunt("white_bed=1").ends(true, 30_000).unwrap();
    assert!(
        needed(&found).contains("in words only"),
        "{}",
        needed(&found)
    );
}

#[test]
fn slow_work_that_went_well_wants_a_quicker_tool_and_a_hunt_never_does() {
    let broken = |kind, what: &str, failed: bool| {
        let run = Run::of("get 30 dirt").tries((kind, what), 900, "", "dirt=30");
        let run = run.last(|e| e.diagnosis.delta.blocks = [("dirt".parse().unwrap(), 30)].into());
        let run = if failed {
            run.fails(NO_TARGET, None)
        } else {
            run
        };
        needed(&run.ends(true, 900).unwrap())
    };
    assert!(broken(MINE, "dirt", false).contains("wood shovel"));
    assert!(broken(MINE, "dirt", true).contains("in words only"));
    assert!(broken(TaskKind::Combat, "leather", false).contains("in words only"));
}

#[test]
fn what_was_asked_for_counts_as_lacking_until_a_later_step_produced_it() {
    let craft = (TaskKind::Craft, "repeater");
    let short = || ActionFailure::MissingIngredient {
        item: item("repeater"),
        needs: item("redstone_torch"),
        have: 0,
        need: 2,
    };
    let missing = FailureReason::ToolMissing;
    let run = Run::of("craft a repeater")
        .tries((TaskKind::Craft, "stick"), 20, "", "stick=4")
        .tries(craft, 20, "stone=3", "")
        .fails(missing, Some(short()));
    let found = run.ends(true, 9_000).unwrap();
    assert_eq!(needed(&found), "have 2 redstone_torch");
    let torch = (TaskKind::Craft, "redstone_torch");
    let run = run.tries(torch, 20, "", "redstone_torch=2");
    let found = run.ends(true, 9_000).unwrap();
    assert!(
        needed(&found).contains("in words only"),
        "{}",
        needed(&found)
    );
}

#[test]
fn a_move_stands_for_the_step_that_it_was_made_for() {
    let plan = r#"{"subgoals":[
        {"subgoal_id":"sg_1","task_kind":"move","executor_hint":"dig_down","goal":{"amount":31},
         "checks":[{"check":"ypos_le","y":31}]},
        {"subgoal_id":"sg_2","task_kind":"mine","goal":{"object":"redstone"},"needs":["sg_1"]}]}"#;
    let mut run = Run::of("craft a repeater")
        .tries((TaskKind::Move, "stone"), 900, "", "")
        .last(|e| (e.action.goal.object, e.action.goal.amount) = (None, Some(31)));
    run.plan = parse_plan(plan).unwrap().0;
    let found = run.dies("zombie");
    assert_eq!(found.guardrail.before.target, Some(item("redstone")));
    let tried = found.guardrail.post_mortem.unwrap().tried;
    // What was planned and never begun is in the graph, too.
    assert!(
        tried
            .iter()
            .any(|s| s.attempts == 0 && s.product == Some(item("redstone")))
    );
    assert!(tried.iter().any(|s| s.attempts == 1 && s.y == Some(31)));
}

#[test]
fn two_tasks_that_fail_at_one_step_make_one_entry_about_the_step() {
    let died = |task: &str| {
        let run = Run::of(task).tries((TaskKind::Craft, "stick"), 20, "", "");
        let run = run.tries((MINE, "redstone"), 4_000, "", "");
        Body::TaskGuardrail(run.dies("skeleton").guardrail)
    };
    let (mut known, other) = (died("craft a repeater"), died("craft a piston"));
    assert_eq!(known.signature(), other.signature());
    // The same task once more is only more evidence.
    let again = died("craft a repeater");
    let before = known.clone();
    assert!(known.take_over(&again) && known.says_the_same(&before));
    assert!(known.take_over(&other) && !known.says_the_same(&before));
    let Body::TaskGuardrail(rail) = known else {
        panic!()
    };
    assert!(rail.task.is_anything());
    let post_mortem = rail.post_mortem.unwrap();
    assert_eq!(
        (post_mortem.ends.died, post_mortem.tried[0].attempts),
        (3, 3)
    );
}

#[test]
fn nothing_is_ordered_before_the_first_thing_is_made() {
    let run = Run::of("craft a chest").tries((MINE, "oak_log"), 600, "", "");
    assert!(needed(&run.dies("zombie")).contains("have 1 stone_sword (in words only"));
}

#[test]
fn a_run_in_which_nothing_was_tried_teaches_nothing() {
    let run = Run::of("craft a repeater");
    assert_eq!(run.ends(true, 9_000), None);
    assert_eq!(run.ends(false, 9_000), None);
}
