//! Previews: what stands below the lists about the selected row.

use super::console;
use crate::cache::Loaded;
use crate::screen::Screen;
use crate::screens::inbox::decisions::{AskedQuestion, DecidedSubject, Decisions, PastDecision};
use crate::testing::Console;
use pithead_core::domain::run::decision::{GateKind, Gates, Policy, Question, Subject};
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, Revision, RunId, Seq};
use ratatui::crossterm::event::{
    Event as Term, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Size;

/// The console with an open question of run 3, and a decision about the entry that waits.
fn decided(screen: Screen) -> Console {
    let mut console = console(screen, 100, 40);
    let question = Question {
        id: DecisionId(2),
        kind: GateKind::Replan,
        subject: Subject::Plan(Revision(4)),
        policy: Policy::Ask,
        asked: Millis(120_000),
        deadline: None,
        held: None,
    };
    let past = PastDecision {
        run: RunId(0),
        seq: Seq(7),
        at: Millis(180_000),
        about: DecidedSubject::Log(KnowledgeId {
            run: RunId(3),
            n: 1,
        }),
        word: "active",
        reason: Some("it has helped".to_owned()),
        by: "ada".to_owned(),
    };
    console.cache.apply(Loaded::Base {
        runs: console.cache.runs.clone(),
        entries: console.cache.entries.clone(),
        decisions: Decisions {
            open: vec![AskedQuestion {
                run: RunId(3),
                question,
            }],
            past: vec![past],
        },
        rules: Ok(Gates::default()),
    });
    console.shell.settle(&console.cache);
    console
}

#[track_caller]
fn check(console: &Console, words: &[&str]) {
    let screen = console.screen();
    for word in words {
        assert!(screen.contains(word), "no `{word}` in\n{screen}");
    }
}

#[test]
fn a_run_is_told_below_the_list_of_runs() {
    let mut console = decided(Screen::Runs);
    check(
        &console,
        &[
            "── run 3 · craft a furnace",
            "‖ left",
            "waits",
            "k3.1 active",
        ],
    );
    check(&console, &["STARTED", "1970-01-01 00:00"]);
    check(&console, &["steve-evolving · scout senses · seed 7"]);
    console.press("j");
    check(
        &console,
        &["── run 2 · obtain a diamond", "9 of 20 attempts failed"],
    );
}

/// On wide terminals beside the rows, as high as they are, and clicks beside the rows select none.
#[test]
fn on_wide_terminals_the_preview_stands_beside_the_rows() {
    let mut console = decided(Screen::Runs);
    console.shell.size = Size::new(200, 40);
    let screen = console.screen();
    let line = screen.lines().find(|line| line.contains("RUN  STATE"));
    let line = line.unwrap_or_else(|| panic!("{screen}"));
    assert!(line.contains("│ ── run 3 · craft a furnace ─"), "{line}");
    let row = screen
        .lines()
        .position(|line| line.contains("obtain a diamond"));
    let row = u16::try_from(row.unwrap()).unwrap();
    for (column, selected) in [(150, 3), (20, 2)] {
        console.take(&Term::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
        let title = format!("── run {selected} ·");
        assert!(console.screen().contains(&title), "{}", console.screen());
    }
}

#[test]
fn what_waits_is_told_below_the_inbox() {
    let mut console = decided(Screen::Inbox);
    check(
        &console,
        &["── k42.2", "What speaks for it", "What it says"],
    );
    console.press("G");
    check(
        &console,
        &["── d2 of run 3", "1970-01-01 00:02", "craft a furnace"],
    );
}

#[test]
fn what_was_decided_is_told_with_what_taking_it_back_does() {
    let console = decided(Screen::Decided);
    check(
        &console,
        &[
            "── k3.1 · ",
            "active by ada · 1970-01-01 00:03",
            "it has helped",
            "What speaks for it",
        ],
    );
    // The knowledge log is no run.
    assert!(!console.screen().contains("run 0"), "{}", console.screen());
}
