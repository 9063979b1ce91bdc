//! The shell: lists, palette, filters, the way back, and deciding from a list.

mod events;
mod footer;
mod home;
mod palette;
mod previews;
mod rows;
mod telling;

use crate::cache::log::LogLine;
use crate::cache::{Cache, Loaded};
use crate::effect::{Effect, InboxAction};
use crate::input::keymap::Keymap;
use crate::overlay::Overlay;
use crate::screen::Screen;
use crate::screens::inbox::decisions::Decisions;
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
use crate::testing::{Console, entry, story, view_of};
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{Gates, Verdict};
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::journal::RunRow;
use pithead_engine::launch::Choices;
use pithead_engine::runtime::DriverStatus;
use pithead_world::aids::SenseLevel;
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;
use ratatui::crossterm::event::{
    Event as Term, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Size;
use std::sync::Arc;

fn run(id: u64, task: &str, outcome: Option<Outcome>, failed: u64) -> RunRow {
    RunRow {
        id: RunId(id),
        task: task.to_owned(),
        seed: 7,
        mind: "builtin:competent".to_owned(),
        system: "steve-evolving".to_owned(),
        senses: Some(SenseLevel::Scout),
        started: Millis(1000),
        ended: outcome.map(|_| Millis(61_000)),
        outcome,
        because: None,
        ticks: 6000 + id,
        attempts: 20,
        failed,
        events: 500,
        origin: None,
        alive: false,
    }
}

fn console(screen: Screen, width: u16, height: u16) -> Console {
    let size = Size::new(width, height);
    let mut cache = Cache::default();
    cache.apply(Loaded::Base {
        runs: vec![
            run(1, "craft an iron pickaxe", Some(Outcome::Success), 2),
            run(2, "obtain a diamond", Some(Outcome::Failure), 9),
            run(3, "craft a furnace", None, 0),
        ],
        entries: [
            (1, Status::Active, "craft furnace: first have 8 cobblestone"),
            (2, Status::Proposed, "mine: first try 8 blocks away"),
            (3, Status::Vetoed, "never mine"),
        ]
        .map(|(n, status, title)| Arc::new(entry(n, status, title)))
        .to_vec(),
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    });
    cache.apply(Loaded::Log(vec![LogLine {
        n: 1,
        level: "WARN".to_owned(),
        text: "2026-01-01T00:00:00Z  WARN recall has failed".to_owned(),
    }]));
    let keymap = Keymap::default();
    let mut shell = Shell::new(screen, keymap, size);
    shell.settle(&cache);
    shell.choices = Some(Choices {
        minds: vec!["builtin:competent".to_owned()],
        systems: vec!["steve-evolving".to_owned()],
        gates: Gates::console(),
    });
    Console::new(shell, cache, view_of(&story()))
}

#[test]
fn the_list_of_runs() {
    insta::assert_snapshot!("runs_120x12", console(Screen::Runs, 120, 12).screen());
}

#[test]
fn the_knowledge_base_on_a_small_terminal() {
    insta::assert_snapshot!(
        "knowledge_80x12",
        console(Screen::Knowledge, 80, 12).screen()
    );
}

#[test]
fn a_run_is_opened_from_its_row() {
    let mut console = console(Screen::Runs, 100, 20);
    assert_eq!(console.press("⏎"), Some(Effect::OpenRun(RunId(3))));
    assert_eq!(console.press("j⏎"), Some(Effect::OpenRun(RunId(2))));
}

#[test]
fn a_filter_holds_while_it_is_typed_and_is_left_with_escape() {
    let mut console = console(Screen::Runs, 100, 20);
    console.press("/furnace");
    assert!(
        !console.screen().contains("diamond"),
        "{}",
        console.screen()
    );
    console.press("⎋");
    assert!(console.screen().contains("diamond"));
    console.press("/state:fail⏎");
    assert!(console.screen().contains("1 of 3 runs · filter state:fail"));
    assert_eq!(console.press("⏎"), Some(Effect::OpenRun(RunId(2))));
    console.press("⎋");
    assert!(console.screen().contains("craft a furnace"));
    console.press("//(/");
    assert!(console.said().contains("no regular expression"));
}

#[test]
fn the_palette_finds_a_command_by_letters_and_does_it() {
    let mut console = console(Screen::Runs, 100, 24);
    console.press(":knowl");
    assert!(
        console.screen().contains("go.knowledge"),
        "{}",
        console.screen()
    );
    console.press("⏎");
    assert_eq!(console.shell.screen, Screen::Knowledge);
    console.press(":xyzzy⏎");
    assert_eq!(console.said(), "no command fits `xyzzy`");
    console.press("⎋");
    assert_eq!(console.shell.overlays, []);
}

#[test]
fn screens_are_gone_back_from_and_forward_to() {
    let mut console = console(Screen::Runs, 100, 24);
    console.press("47");
    assert_eq!(console.shell.screen, Screen::Logs);
    console.press("<<");
    assert_eq!(console.shell.screen, Screen::Runs);
    console.press("<");
    assert_eq!(console.said(), "there is no screen to go back to");
    console.press(">");
    assert_eq!(console.shell.screen, Screen::Knowledge);
}

#[test]
fn an_act_is_completed_checked_and_sent() {
    let mut console = console(Screen::Live, 100, 24);
    console.press("o");
    assert!(!matches!(
        console.shell.overlay(),
        Some(Overlay::Palette { .. })
    ));
    console.shell.live.mode = RunMode::Live(DriverStatus::Running);
    console.press("omine oak_l");
    assert!(console.screen().contains("? "), "{}", console.screen());
    console.press("⏎");
    insta::assert_snapshot!("act_100x24", console.screen());
    let words = "mine oak_log 3".to_owned();
    assert_eq!(
        console.press("3⏎"),
        Some(Effect::Send(Command::Act { words }))
    );
    assert_eq!(console.said(), "mine oak_log ×3 comes next");
    assert_eq!(console.press(":act fly⏎"), None);
    assert!(
        console
            .said()
            .starts_with("`fly` is nothing that can be done")
    );
}

#[test]
fn an_act_that_is_cancelled_is_never_sent() {
    for keys in ["omine oak_log 3⎋", ":act mine oak_log 3⎋"] {
        let mut console = console(Screen::Live, 100, 24);
        console.shell.live.mode = RunMode::Live(DriverStatus::Running);
        assert_eq!(console.press(keys), None, "{keys}");
        assert_eq!(console.shell.overlays, []);
        assert_eq!(console.said(), "");
    }
}

#[test]
fn a_line_of_ten_megabytes_neither_shows_whole_nor_takes_long() {
    let long = "x\u{301}y".repeat(2_500_000);
    for screen in Screen::ALL {
        let mut console = console(screen, 100, 20);
        let mut bad = entry(9, Status::Proposed, &long);
        bad.provenance.task = long.clone();
        console.cache.apply(Loaded::Base {
            runs: vec![run(1, &long, None, 0)],
            entries: vec![Arc::new(bad)],
            decisions: Decisions::default(),
            rules: Err(long.clone()),
        });
        console.cache.apply(Loaded::Log(vec![LogLine {
            n: 1,
            level: "WARN".to_owned(),
            text: long.clone(),
        }]));
        console.shell.settle(&console.cache);
        console.press("⏎");
        assert!(console.screen().len() < 100 * 20 * 8);
    }
}

#[test]
fn what_lies_over_wide_characters_cuts_none_in_half() {
    let wide = "鉱石を掘る👩‍🔧e\u{301}".repeat(9);
    for (keys, width) in [("⏎", 61), (":", 60), ("⏎", 60), (":", 61), ("?", 63)] {
        let mut console = console(Screen::Inbox, width, 16);
        console.cache.apply(Loaded::Base {
            runs: vec![run(1, &wide, None, 0)],
            entries: vec![Arc::new(entry(9, Status::Proposed, &wide))],
            decisions: Decisions::default(),
            rules: Ok(Gates::default()),
        });
        console.shell.settle(&console.cache);
        console.press(keys);
        for line in console.screen().lines() {
            let columns = unicode_width::UnicodeWidthStr::width(line);
            assert!(columns <= usize::from(width), "{columns} in {line}");
        }
    }
}

#[test]
fn hostile_text_in_forms_and_acts_reaches_no_cell() {
    for text in pithead_core::text::hostile::HOSTILE {
        for (screen, keys) in [(Screen::Home, "⏎"), (Screen::Live, "o")] {
            let mut console = console(screen, 100, 20);
            console.shell.live.mode = RunMode::Live(DriverStatus::Running);
            console.cache.apply(Loaded::Base {
                runs: vec![run(1, text, None, 0)],
                entries: Vec::new(),
                decisions: Decisions::default(),
                rules: Ok(Gates::default()),
            });
            console.shell.settle(&console.cache);
            console.press(keys);
            console.take(&Term::Paste((*text).to_owned()));
            console.assert_clean();
        }
    }
}

#[test]
fn no_run_to_show_is_said() {
    let mut console = console(Screen::Runs, 100, 24);
    console.press("1");
    assert_eq!(console.shell.screen, Screen::Runs);
    assert!(console.said().starts_with("no run is open"));
}

#[test]
fn an_entry_is_decided_after_its_end_has_been_seen() {
    let mut console = console(Screen::Inbox, 100, 16);
    assert_eq!(console.press("a"), None);
    assert_eq!(console.said(), "read it to its end, then a, e or v");
    assert_eq!(console.press("a"), None);
    assert!(console.said().starts_with("scroll to the end first"));
    let id = entry(2, Status::Proposed, "").id;
    let approved = Effect::Inbox(InboxAction::Answer {
        ids: vec![id],
        verdict: Verdict::Approve,
    });
    assert_eq!(console.press("Ga"), Some(approved));
}

#[test]
fn a_veto_of_an_entry_needs_its_reason() {
    let mut console = console(Screen::Inbox, 100, 60);
    console.press("⏎v⏎");
    assert_eq!(console.said(), "a veto needs a reason, which the mind gets");
    let vetoed = Effect::Inbox(InboxAction::Answer {
        ids: vec![entry(2, Status::Proposed, "").id],
        verdict: Verdict::Veto {
            reason: "too far".to_owned(),
        },
    });
    assert_eq!(console.press("too far⏎"), Some(vetoed));
}

#[test]
fn what_is_decided_already_says_so() {
    let mut console = console(Screen::Knowledge, 100, 60);
    // The newest first: the vetoed entry.
    assert_eq!(console.press("⏎a"), None);
    assert!(
        console.said().contains("is vetoed already"),
        "{}",
        console.said()
    );
}

#[test]
fn a_click_selects_a_row_or_a_screen() {
    let mut console = console(Screen::Runs, 120, 20);
    let click = |column, row| {
        Term::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })
    };
    console.take(&click(10, 4));
    assert_eq!(console.press("⏎"), Some(Effect::OpenRun(RunId(2))));
    // A tab, where lists have them and where wide terminals do.
    for (width, row) in [(80, 0), (120, 0), (150, 19)] {
        let mut console = self::console(Screen::Runs, width, 20);
        let screen = console.screen();
        let line = screen.lines().nth(usize::from(row)).unwrap();
        let (before, _) = line.split_once("2 Inbox").expect("the tab has its name");
        let column = u16::try_from(before.chars().count()).unwrap();
        console.take(&click(column + 3, row));
        assert_eq!(console.shell.screen, Screen::Inbox, "{width} columns");
    }
}

/// The screens of a run have the tabs above their title, with names, wherever there is a line for them.
#[test]
fn a_runs_own_screens_name_all_tabs() {
    for (width, height, row) in [(80, 24, 0), (120, 36, 0), (150, 30, 29)] {
        let mut console = console(Screen::Runs, width, height);
        console.view = view_of(&story());
        console.shell.has_run = true;
        console.press("1");
        let screen = console.screen();
        let line = screen.lines().nth(usize::from(row)).unwrap();
        assert!(
            line.contains("[1 Live]") && line.contains("6 Evaluate"),
            "{screen}"
        );
        let (before, _) = line
            .split_once("4 Knowledge")
            .expect("the tab has its name");
        let column = u16::try_from(before.chars().count()).unwrap();
        console.take(&Term::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
        assert_eq!(console.shell.screen, Screen::Knowledge, "{width} columns");
    }
}

#[test]
fn what_is_selected_is_copied_as_text() {
    let mut console = console(Screen::Runs, 120, 20);
    let Some(Effect::Copy(text)) = console.press("c") else {
        panic!("nothing was copied")
    };
    assert!(
        text.contains("craft a furnace") && text.contains('\t'),
        "{text}"
    );
}

#[test]
fn no_size_is_too_small_for_a_list_or_what_lies_over_it() {
    for screen in Screen::ALL {
        for keys in ["", "⏎", "⏎v", "⏎Gv", "P", "/x", ":m", "?", ":new⏎iron↓"] {
            for size in [
                (0, 0),
                (1, 1),
                (5, 3),
                (20, 6),
                (40, 9),
                (80, 24),
                (200, 50),
            ] {
                let mut console = console(screen, size.0, size.1);
                console.press(keys);
                console.screen();
            }
        }
    }
}

#[test]
fn hostile_titles_reach_no_cell() {
    for text in pithead_core::text::hostile::HOSTILE {
        for keys in ["", "⏎", ":"] {
            let mut console = console(Screen::Knowledge, 100, 20);
            let mut bad = entry(9, Status::Proposed, text);
            bad.provenance.task = (*text).to_owned();
            console.cache.apply(Loaded::Base {
                runs: vec![run(1, text, None, 0)],
                entries: vec![Arc::new(bad)],
                decisions: Decisions::default(),
                rules: Ok(Gates::default()),
            });
            console.shell.settle(&console.cache);
            for screen in Screen::ALL {
                console.shell.screen = screen;
                console.press(keys);
                console.assert_clean();
            }
        }
    }
}
