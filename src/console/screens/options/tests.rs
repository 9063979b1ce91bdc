//! Options are reached from where one decides, and tell what they are about.

use crate::cache::{Cache, Loaded};
use crate::screen::Screen;
use crate::screens::inbox::decisions::Decisions;
use crate::screens::live::state::{ReplayState, RunMode};
use crate::screens::options::state::OptionsReading;
use crate::testing::{Console, entry, shell_of, story, view_of};
use pithead_core::domain::experience::option::{OptionRecord, TriedOptions, Try};
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::decision::Gates;
use pithead_core::domain::samples;
use pithead_core::domain::samples::experience;
use ratatui::layout::Size;
use std::sync::Arc;

fn tried() -> Vec<OptionRecord> {
    let mut options = TriedOptions::default();
    for (n, item, success) in [
        (1, "iron_ore", true),
        (2, "iron_ore", false),
        (3, "iron_ore", false),
        (4, "coal", true),
    ] {
        let attempt = experience(1, n, item, success);
        options.add(&Try::of_attempt(&attempt).expect("it got something"));
    }
    options.iter().cloned().collect()
}

/// As the loader would answer what is asked for.
fn answer(console: &mut Console) {
    let subject = console.shell.options.clone();
    let is_asked = |record: &OptionRecord| {
        subject.targets.is_empty() || subject.targets.contains(&record.key.target)
    };
    let records = tried().into_iter().filter(is_asked).collect();
    let reading = OptionsReading { subject, records };
    console.cache.apply(Loaded::Options(reading));
    console.shell.settle(&console.cache);
}

fn knowledge(size: Size) -> Console {
    let mut known = entry(1, Status::Active, "mine iron_ore: first a stone pickaxe");
    known.body = samples::entry(3, 1, "iron_ore").body;
    let base = Loaded::Base {
        runs: Vec::new(),
        entries: vec![Arc::new(known)],
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    };
    Console::on_knowledge(base, size)
}

#[test]
fn the_options_of_an_entry_are_read_by_circumstance_and_left_for_its_page() {
    let mut console = knowledge(Size::new(120, 24));
    console.press("⏎O");
    assert_eq!(console.shell.screen, Screen::Options);
    let about = console.shell.options.clone();
    assert!(
        !about.targets.is_empty() && about.name.starts_with("k3.1"),
        "{about:?}"
    );
    console.press("a");
    assert!(console.shell.options.targets.is_empty());
    answer(&mut console);
    let screen = console.screen();
    assert!(screen.contains("Knowledge ▸ Options"), "{screen}");
    assert!(
        screen.contains("33 % (6 to 79)") && !screen.contains("unarmed"),
        "{screen}"
    );
    console.press("w");
    answer(&mut console);
    console.press("/when:armed iron_ore⏎");
    let screen = console.screen();
    assert!(
        screen.contains("unarmed") && !screen.contains("coal"),
        "{screen}"
    );
    console.press("⏎");
    let page = console.screen();
    assert!(
        page.contains("By circumstance") && page.contains("1 of 3"),
        "{page}"
    );
    console.press("⎋⎋⎋");
    assert_eq!(console.shell.screen, Screen::Knowledge);
    assert_eq!(
        console.shell.entry_in_hand().map(|id| id.to_string()),
        Some("k3.1".to_owned()),
        "the way back leads to the page it was left from"
    );
}

#[test]
fn the_options_of_a_step_are_reached_from_the_plan() {
    let view = view_of(&story());
    let mode = RunMode::Replay(ReplayState::default());
    let mut shell = shell_of(mode, Size::new(120, 36));
    shell.has_run = true;
    let mut console = Console::new(shell, Cache::default(), view);
    console.press("O");
    let about = &console.shell.options;
    assert!(about.name.starts_with("sg_"), "{about:?}");
    assert_eq!(about.targets.len(), 1, "{about:?}");
    answer(&mut console);
    console.press("⌫");
    assert_eq!(console.shell.screen, Screen::Live);
}
