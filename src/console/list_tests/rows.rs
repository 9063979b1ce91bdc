//! What is done with rows: runs beside each other, their failures, and the ways to an attempt.

use crate::list_tests::*;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::samples::config;
use pithead_engine::journal::{Journal, LabelledFailure};
use pithead_engine::runtime::compare::compare;
use pithead_world::ids::{AttemptId, ExperienceId, Seq};

#[test]
fn marked_runs_stand_beside_each_other() {
    let mut console = console(Screen::Runs, 100, 30);
    console.press("v");
    assert!(
        console.said().contains("mark 2 to 8 runs first"),
        "{}",
        console.said()
    );
    console.press("mmv");
    assert_eq!(console.shell.compared, [RunId(2), RunId(3)]);
    assert!(console.screen().contains("reading …"));
    let mut journal = Journal::in_memory().unwrap();
    for at in [1, 2] {
        journal.create_run(config(), Millis(at)).unwrap();
    }
    let sides = compare(&journal, &[RunId(1), RunId(2)]).unwrap();
    let told = Loaded::Compared(console.shell.compared.clone(), Ok(Arc::new(sides)));
    console.cache.apply(told);
    let page = console.screen();
    assert!(
        page.contains("runs 2, 3") && page.contains("≠ run"),
        "{page}"
    );
    assert!(
        page.contains("  system                steve-evolving"),
        "{page}"
    );
    console.cache.keep(None, &[RunId(1)], &[]);
    assert!(console.cache.compared.is_none());
    let gone = Loaded::Compared(
        vec![RunId(2), RunId(3)],
        Err("there is no run 3".to_owned()),
    );
    console.cache.apply(gone);
    assert!(console.screen().contains("there is no run 3"));
}

#[test]
fn a_run_alone_stands_beside_its_forks() {
    let mut console = console(Screen::Runs, 100, 30);
    for row in &mut console.cache.runs {
        row.origin = (row.id != RunId(1)).then_some((RunId(1), Seq(9)));
    }
    console.press("v");
    assert_eq!(
        console.shell.compared[0],
        RunId(1),
        "the original comes first"
    );
    assert_eq!(console.shell.compared.len(), console.cache.runs.len());
}

#[test]
fn failures_of_the_runs_in_sight_lead_to_their_attempts() {
    let mut console = console(Screen::Runs, 100, 30);
    console.press("/diamond⏎f");
    assert_eq!(
        (console.shell.screen, console.shell.failing.as_slice()),
        (Screen::Failures, &[RunId(2)][..])
    );
    let failure = |attempt, reason: &str| LabelledFailure {
        run: RunId(2),
        attempt: AttemptId(attempt),
        subgoal: "mine iron_ore".to_owned(),
        reason: reason.to_owned(),
    };
    let failures = vec![
        failure(9, "TIMEOUT"),
        failure(4, "NAV_STUCK"),
        failure(3, "NAV_STUCK"),
    ];
    console
        .cache
        .apply(Loaded::Failures(vec![RunId(2)], failures));
    console.shell.settle(&console.cache);
    let screen = console.screen();
    assert!(
        screen.contains("Runs ▸ 1 run ▸ Failures") && screen.contains("█ 2"),
        "{screen}"
    );
    console.press("/nav⏎");
    assert_eq!(console.press("⏎"), Some(Effect::OpenRun(RunId(2))));
    console.shell.land();
    assert_eq!(console.shell.screen, Screen::Debug);
    let list = &console.shell.lists[&Screen::Debug];
    assert_eq!(list.selected, Some(ListItem::Attempt(AttemptId(4))));
    console.cache.keep(None, &[], &[RunId(1)]);
    assert!(console.cache.table(Screen::Failures).is_none());
}

#[test]
fn an_entry_leads_to_the_attempt_that_it_rests_on() {
    let mut console = console(Screen::Knowledge, 100, 20);
    let mut known = entry(1, Status::Active, "craft furnace");
    known.provenance.experiences = [(1, 4), (2, 7), (99, 1)]
        .map(|(run, n)| ExperienceId { run: RunId(run), n })
        .to_vec();
    let mut unfounded = known.clone();
    unfounded.provenance.experiences.clear();
    let runs = vec![run(1, "a", None, 0), run(2, "b", None, 0)];
    let show = |console: &mut Console, entry: &Entry| {
        console.cache.apply(Loaded::Base {
            runs: runs.clone(),
            entries: vec![Arc::new(entry.clone())],
            decisions: Decisions::default(),
            rules: Ok(Gates::default()),
        });
        console.shell.settle(&console.cache);
    };
    show(&mut console, &known);
    assert_eq!(console.press("t"), Some(Effect::OpenRun(RunId(2))));
    console.shell.land();
    let list = &console.shell.lists[&Screen::Debug];
    assert_eq!(list.selected, Some(ListItem::Attempt(AttemptId(7))));
    console.shell.go(Screen::Knowledge);
    show(&mut console, &unfounded);
    assert_eq!(console.press("t"), None);
    assert!(
        console.said().contains("rests on no attempt"),
        "{}",
        console.said()
    );
}

#[test]
fn runs_are_found_by_the_labels_of_their_failures() {
    let mut console = console(Screen::Runs, 200, 30);
    let labels = vec![("NAV_STUCK".to_owned(), 2), ("TIMEOUT".to_owned(), 1)];
    let labels = [(RunId(2), labels)].into();
    console.cache.apply(Loaded::Labels(labels));
    console.shell.settle(&console.cache);
    console.press("/label:nav⏎");
    let screen = console.screen();
    assert!(
        screen.contains("failed with   NAV_STUCK 2 · TIMEOUT"),
        "{screen}"
    );
    assert!(screen.contains("obtain a diamond"), "{screen}");
    assert!(!screen.contains("craft an iron pickaxe"), "{screen}");
}

#[test]
fn the_columns_of_a_list_are_chosen_and_hold_at_once() {
    let mut console = console(Screen::Runs, 130, 30);
    // The task before all others, and no seeds.
    console.press("C↓↓↓↓↓↓↓↓↓↓↓");
    assert!(
        console.screen().contains("▌ ✔ task"),
        "{}",
        console.screen()
    );
    console.press("←←←←←←←←←←←");
    console.press("↓↓↓↓↓↓");
    console.press(" ");
    let screen = console.screen();
    assert!(screen.contains("· seed"), "{screen}");
    console.press("⎋");
    let screen = console.screen();
    let heading = screen.lines().find(|line| line.contains("TASK")).unwrap();
    let names: Vec<&str> = heading.split_whitespace().collect();
    assert_eq!(
        names,
        [
            "TASK", "RUN", "STATE", "TICKS", "FAILED", "OF", "MIND", "SYSTEM", "STARTED", "TOOK",
            "LABELS",
        ]
    );
    // Sorting goes through what is in sight.
    console.press("s");
    assert!(
        console.screen().contains("sorted by task ▲"),
        "{}",
        console.screen()
    );
    console.press("Cx⎋");
    assert!(
        console.screen().contains("  RUN  STATE"),
        "{}",
        console.screen()
    );
}

#[test]
fn runs_are_deleted_after_it_was_said_what_goes_and_what_stays() {
    let mut console = console(Screen::Runs, 100, 30);
    console.press("DD");
    let screen = console.screen();
    for words in [
        "Delete run 3 · craft a furnace?",
        "of at most 500 events",
        "20 attempts",
        "y delete",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    assert_eq!(console.press("⎋"), None);
    assert_eq!(console.press("mmD"), None);
    let screen = console.screen();
    assert!(
        screen.contains("Delete 2 runs?") && screen.contains("of at most 1,000 events"),
        "{screen}"
    );
    let runs = vec![RunId(2), RunId(3)];
    assert_eq!(console.press("y"), Some(Effect::DeleteRuns(runs)));
    assert_eq!(console.shell.overlays, []);
    // What is driven stays.
    let mut row = run(3, "craft a furnace", None, 0);
    row.alive = true;
    console.cache.apply(Loaded::Base {
        runs: vec![row],
        entries: Vec::new(),
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    });
    console.shell.settle(&console.cache);
    console.press("D");
    assert_eq!(
        console.said(),
        "run 3 is being driven; end it or leave it first"
    );
}
