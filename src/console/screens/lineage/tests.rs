//! A lineage is walked there and back.

use crate::cache::Loaded;
use crate::effect::Effect;
use crate::screen::Screen;
use crate::screens::inbox::decisions::Decisions;
use crate::testing::{Console, entry};
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::decision::Gates;
use pithead_engine::journal::RunRow;
use pithead_engine::runtime::lineage::{
    Lineage, LineageLine, LineageStage, LineageSubject, LineageTarget,
};
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId, KnowledgeId, RunId, Seq};
use ratatui::layout::Size;
use std::sync::Arc;

const RUN: RunId = RunId(1);
const CAUSE: ExperienceId = ExperienceId { run: RUN, n: 7 };
const ID: KnowledgeId = KnowledgeId {
    run: RunId(3),
    n: 1,
};

fn run() -> RunRow {
    RunRow {
        id: RUN,
        task: "craft an iron pickaxe".to_owned(),
        seed: 7,
        mind: "builtin:competent".to_owned(),
        system: "steve-evolving".to_owned(),
        senses: None,
        started: Millis(1),
        ended: None,
        outcome: None,
        because: None,
        ticks: 0,
        attempts: 0,
        failed: 0,
        events: 500,
        alive: false,
        origin: None,
    }
}

fn line(stage: LineageStage, level: u8, target: LineageTarget, text: &str) -> LineageLine {
    LineageLine {
        stage,
        level,
        target,
        at: Some(Millis(1)),
        text: text.to_owned(),
    }
}

fn lineage(subject: LineageSubject) -> Lineage {
    let attempt = LineageTarget::Attempt {
        run: RUN,
        attempt: AttemptId(7),
    };
    let of_attempt = LineageTarget::Lineage {
        of: LineageSubject::Attempt(CAUSE),
    };
    let of_entry = LineageTarget::Lineage {
        of: LineageSubject::Entry(ID),
    };
    let moment = LineageTarget::Moment {
        run: RUN,
        seq: Seq(120),
    };
    let full = LineageTarget::Entry { id: ID };
    let lines = match subject {
        LineageSubject::Entry(_) => vec![
            line(
                LineageStage::Failure,
                0,
                attempt,
                "run 1 a7 mine iron_ore TOOL_MISSING",
            ),
            line(LineageStage::Overruled, 1, of_attempt, "a7 is NAV_STUCK"),
            line(LineageStage::Entry, 0, full, "guardrail k3.1 active"),
            line(LineageStage::Hurt, 0, moment, "run 1 once"),
        ],
        LineageSubject::Attempt(_) => vec![
            line(LineageStage::Failure, 0, attempt, "run 1 a7 mine iron_ore"),
            line(LineageStage::Entry, 0, of_entry, "guardrail k3.1 active"),
            line(LineageStage::Review, 1, full, "k3.1 rests on a7"),
        ],
    };
    Lineage {
        schema: 1,
        subject,
        title: String::new(),
        lines,
        attempts_left_out: 0,
        runs_left_out: 0,
    }
}

/// As the loader would answer.
fn answer(console: &mut Console) {
    let subject = console.shell.lineage.expect("one is asked for");
    console
        .cache
        .keep_subjects(&console.shell.options, Some(subject));
    console
        .cache
        .apply(Loaded::Lineage(subject, Some(lineage(subject))));
    console.shell.settle(&console.cache);
}

fn console(size: Size) -> Console {
    let base = Loaded::Base {
        runs: vec![run()],
        entries: vec![Arc::new(entry(
            1,
            Status::Active,
            "mine iron_ore: first a pickaxe",
        ))],
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    };
    Console::on_knowledge(base, size)
}

#[test]
fn every_line_leads_on_and_the_way_back_is_the_way_one_came() {
    let mut console = console(Size::new(120, 20));
    console.press("L");
    let of_entry = LineageSubject::Entry(ID);
    assert_eq!(
        (console.shell.screen, console.shell.lineage),
        (Screen::Lineage, Some(of_entry))
    );
    answer(&mut console);
    let screen = console.screen();
    assert!(
        screen.contains("Lineage of k3.1") && screen.contains("≠ overruled"),
        "{screen}"
    );
    // From the overruled label to what must be reviewed.
    console.press("↓⏎");
    let of_attempt = LineageSubject::Attempt(CAUSE);
    assert_eq!(console.shell.lineage, Some(of_attempt));
    answer(&mut console);
    assert!(
        console.screen().contains("! review"),
        "{}",
        console.screen()
    );
    console.press("G⏎");
    assert_eq!(console.shell.entry_in_hand(), Some(ID));
    console.press("⎋⌫");
    assert_eq!(console.shell.lineage, Some(of_entry));
    answer(&mut console);
    assert_eq!(
        console.shell.item(&console.cache),
        Some(ListItem::Lineage(1)),
        "the line it was left at"
    );
    // To the run, at the moment.
    assert_eq!(console.press("G⏎"), Some(Effect::OpenRun(RUN)));
    console.shell.land();
    assert_eq!(
        (console.shell.screen, console.shell.live.line),
        (Screen::Live, Some(Seq(120)))
    );
    console.press("⌫");
    assert_eq!(console.shell.screen, Screen::Lineage);
    // To the attempt, and back at once.
    assert_eq!(console.press("g⏎"), Some(Effect::OpenRun(RUN)));
    console.shell.land();
    assert_eq!(console.shell.screen, Screen::Debug);
    console.press("⌫⎋");
    assert_eq!(console.shell.screen, Screen::Knowledge);
}

#[test]
fn evidence_of_one_run_lies_below_a_heading_that_opens() {
    let mut console = console(Size::new(120, 20));
    console.press("L");
    let mut long = lineage(LineageSubject::Entry(ID));
    let failure = long.lines[0].clone();
    let more = (8..12).map(|n| LineageLine {
        text: format!("run 1 a{n} mine iron_ore"),
        ..failure.clone()
    });
    long.lines.splice(1..1, more);
    let subject = console.shell.lineage.unwrap();
    console.cache.apply(Loaded::Lineage(subject, Some(long)));
    console.shell.settle(&console.cache);
    let folded = console.screen();
    assert!(
        folded.contains("run 1: 5 failed, 1 overruled") && !folded.contains("a9 mine"),
        "{folded}"
    );
    console.press("g⏎");
    let open = console.screen();
    assert!(
        open.contains("a9 mine") && open.contains("≠ overruled"),
        "{open}"
    );
    // What lies below leads on as before.
    assert_eq!(console.press("↓⏎"), Some(Effect::OpenRun(RUN)));
    console.press("g⏎");
    assert!(!console.screen().contains("a9 mine"));
}

#[test]
fn what_is_not_in_the_database_says_so() {
    let mut console = console(Size::new(80, 24));
    console.press("L");
    console
        .cache
        .apply(Loaded::Lineage(LineageSubject::Entry(ID), None));
    console.shell.settle(&console.cache);
    assert!(
        console.screen().contains("not in this database"),
        "{}",
        console.screen()
    );
}
