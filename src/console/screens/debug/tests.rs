//! The Debug screen on a made-up run in a real journal: what is shown, and what keys do.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::input::keymap::Keymap;
use crate::msg::ReplayMsg;
use crate::overlay::{EditedText, Overlay};
use crate::screen::Screen;
use crate::screens::debug::inspection::{Inspection, chosen, inspection, judge, wants};
use crate::screens::debug::readings::DebugReading;
use crate::screens::debug::state::DebugPart;
use crate::screens::debug::{frames, *};
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
use crate::testing::{Console, Story, running, subgoal, view_of};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::plan::Executor;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::clean::is_clean;
use pithead_core::text::hostile::HOSTILE;
use pithead_engine::journal::Journal;
use pithead_engine::runtime::DriverStatus;
use pithead_engine::runtime::attempts::Index;
use pithead_engine::runtime::case_file::CaseFile;
use pithead_engine::runtime::fork::ForkPoint;
use pithead_world::action::Action;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, SubgoalId};
use ratatui::layout::Size;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

mod breakpoints;
mod side_by_side;

/// A console with the journal behind it, which is read after every key.
struct Bench {
    console: Console,
    journal: Journal,
}

impl Deref for Bench {
    type Target = Console;
    fn deref(&self) -> &Console {
        &self.console
    }
}

impl DerefMut for Bench {
    fn deref_mut(&mut self) -> &mut Console {
        &mut self.console
    }
}

fn console(story: &Story, width: u16, height: u16) -> Bench {
    let size = Size::new(width, height);
    let mut journal = Journal::in_memory().unwrap();
    journal.adopt(story.events.clone()).unwrap();
    let mut shell = Shell::new(Screen::Live, Keymap::default(), size);
    shell.has_run = true;
    let mut console = Bench {
        console: Console::new(shell, Cache::default(), view_of(story)),
        journal,
    };
    console.press("3");
    console
}

impl Bench {
    /// What the loader does, at once.
    fn load(&mut self) {
        let wants = wants(&self.shell, &self.cache, &self.view);
        let run = wants.run.unwrap();
        let mut index = (*self.cache.debug.index).clone();
        if index.run != Some(run) {
            index = Index::of_run(run);
        }
        index.read_on(&self.journal).unwrap();
        let marks = self.journal.bookmarks(run).unwrap();
        self.cache.apply_debug(DebugReading::Index(
            Arc::new(index.clone()),
            readings::table(&index),
            marks,
        ));
        self.console.shell.settle(&self.console.cache);
        let open = |id: AttemptId| {
            let row = index.attempt(id).unwrap();
            Arc::new(
                CaseFile::open(
                    &self.journal,
                    run,
                    row,
                    pithead_engine::runtime::case_file::MissingFrames::Leave,
                )
                .unwrap(),
            )
        };
        let wants = crate::screens::debug::inspection::wants(&self.shell, &self.cache, &self.view);
        let (case, other) = (wants.attempt.map(open), wants.other.map(open));
        for read in case
            .map(DebugReading::CaseFile)
            .into_iter()
            .chain(other.map(DebugReading::Other))
        {
            self.cache.apply_debug(read);
        }
        judge(&mut self.console.shell, &self.console.cache);
    }

    fn press(&mut self, keys: &str) -> Option<Effect> {
        let mut last = None;
        for key in keys.chars() {
            last = self.console.press(key.encode_utf8(&mut [0; 4]));
            if self.shell.screen == Screen::Debug {
                self.load();
            }
        }
        last
    }

    /// What the search that was asked for finds, shown.
    fn search(&mut self) -> Option<Effect> {
        let wants = crate::screens::debug::inspection::wants(&self.shell, &self.cache, &self.view);
        let (run, search) = (wants.run.unwrap(), wants.search.expect("it searches"));
        let found = loader::find(&self.journal, run, &search).unwrap();
        self.cache.apply_debug(DebugReading::StudyResult(found));
        let console = &mut self.console;
        let effect = overlay::show_found(&mut Context {
            shell: &mut console.shell,
            cache: &console.cache,
            view: &console.view,
        });
        self.load();
        effect
    }

    fn inspection(&self) -> Inspection<'_> {
        inspection(&self.shell, &self.cache).expect("an attempt is in sight")
    }

    fn choose(&mut self, n: u64) {
        frames::choose(&mut self.console.shell, &self.console.cache, AttemptId(n));
        self.load();
    }

    /// The number of the first attempt that failed.
    fn failed(&self) -> u64 {
        let mut rows = self.cache.debug.index.attempts.iter();
        rows.find(|row| row.success == Some(false)).unwrap().id.0
    }
}

#[test]
fn the_debug_screen() {
    let mut console = console(&running(), 120, 36);
    let failed = console.failed();
    console.choose(failed);
    insta::assert_snapshot!("debug_120x36", console.screen());
}

#[test]
fn the_debug_screen_on_a_small_terminal() {
    let mut console = console(&running(), 80, 24);
    let failed = console.failed();
    console.choose(failed);
    console.press("⇥⇥");
    insta::assert_snapshot!("debug_80x24", console.screen());
}

#[test]
fn the_frame_in_sight_stays_at_its_time_when_another_attempt_is_chosen() {
    let mut console = console(&running(), 120, 36);
    let failed = console.failed();
    console.choose(failed);
    console.press("0→→→");
    assert_eq!(console.inspection().at, 3);
    let stand = console.shell.debug.stand;
    console.press("↓");
    assert_ne!(
        chosen(&console.shell, &console.cache),
        Some(AttemptId(failed))
    );
    assert_eq!(console.shell.debug.stand, stand);
    assert_eq!(console.inspection().at, 3);
    console.press("$");
    let inspection = console.inspection();
    assert_eq!(inspection.at + 1, inspection.case.samples.len());
    console.press("0←");
    assert!(console.said().contains("first frame"), "{}", console.said());
}

#[test]
fn a_moved_threshold_changes_the_judgement_at_once_and_back() {
    let mut console = console(&running(), 120, 36);
    let failed = console.failed();
    console.choose(failed);
    let before = console.inspection().diagnosis.clone();
    // Short enough that the attempt has a window to look at.
    console.press("=window_ticks=100⏎");
    assert!(console.shell.debug.moved.is_some(), "{}", console.said());
    let change = console
        .shell
        .debug
        .change
        .clone()
        .expect("it is judged anew");
    assert_eq!(change.label_before, before.reason);
    assert_ne!(console.inspection().diagnosis.trace, before.trace);
    // Typed wrongly, it stays to be mended.
    console.press("=nav_varance=1⏎");
    assert!(
        console.said().contains("nav_variance"),
        "{}",
        console.said()
    );
    console.press("⎋-");
    assert_eq!(console.inspection().diagnosis.trace, before.trace);
    console.press("=variance⏎");
    let shown = console.screen();
    assert!(shown.contains("nav_variance=▏"), "{shown}");
    console.press("⎋");
    // By the slider.
    console.press("⇥⇥⇥⇥⇥");
    assert_eq!(console.shell.debug.part, DebugPart::Thresholds);
    console.press("↓↓→");
    let moved = console.shell.debug.moved.clone().unwrap();
    assert!(moved.nav_variance > console.inspection().case.thresholds.nav_variance);
    console.press("←");
    assert!(console.shell.debug.moved.is_none(), "there and back");
}

#[test]
fn a_label_is_overruled_with_a_reason_and_only_of_a_failure() {
    let mut console = console(&running(), 120, 36);
    console.choose(1);
    console.press("o");
    assert!(console.said().contains("succeeded"), "{}", console.said());
    let failed = console.failed();
    console.choose(failed);
    console.press("oNAV_STUK because x⏎");
    assert!(console.said().contains("NAV_STUCK"), "{}", console.said());
    console.press("⎋oTIMEOUT⏎⏎");
    assert!(console.said().contains("because"), "{}", console.said());
    // The labels stand below the line, with what each means; enter or tab takes one.
    console.press("⎋onav");
    let shown = console.screen();
    for label in ["NAV_STUCK", "NAV_OSCILLATE"] {
        assert!(shown.contains(label), "{shown}");
    }
    assert!(!shown.contains("ENV_TERMINATED"), "{shown}");
    console.press("↓⇥");
    let shown = console.screen();
    assert!(shown.contains("NAV_OSCILLATE because ▏"), "{shown}");
    let effect = console.press("⎋otime⏎it was on its way⏎");
    let Some(Effect::Overrule {
        attempt,
        label,
        reason,
        ..
    }) = effect
    else {
        panic!("{effect:?}");
    };
    assert_eq!((attempt.0, label), (failed, FailureReason::Timeout));
    assert_eq!(reason, "it was on its way");
}

#[test]
fn from_a_value_to_the_steps_that_wrote_it() {
    let mut console = console(&running(), 120, 36);
    let failed = console.failed();
    console.choose(failed);
    console.press("apickaxes⏎");
    assert!(console.said().contains("health"), "{}", console.said());
    console.press("⎋a#logs⏎");
    let _ = console.search();
    let last = console.said().to_owned();
    assert!(last.starts_with("#logs ") && last.contains(" → "), "{last}");
    let here = console.inspection().case.row.id;
    assert!(here < AttemptId(failed), "{here}: {last}");
    // And so on back, to where nothing had changed it yet.
    let mut seen = vec![last];
    for _ in 0..50 {
        console.press(";");
        let _ = console.search();
        seen.push(console.said().to_owned());
        if console.said().contains("since the run began") {
            return;
        }
    }
    panic!("it comes to no end: {seen:?}");
}

#[test]
fn the_command_that_opens_a_moment_is_copied() {
    let mut console = console(&running(), 120, 36);
    let failed = console.failed();
    console.choose(failed);
    console.shell.named = " --db x.db".to_owned();
    console.press("0");
    let seq = console.inspection().case.seqs[0];
    let command = format!("pithead replay 42 --at {seq} --db x.db");
    assert_eq!(console.press("@"), Some(Effect::Copy(command)));
}

#[test]
fn the_form_of_a_fork_says_what_is_asked_for() {
    let mut console = console(&running(), 100, 30);
    let failed = console.failed();
    console.choose(failed);
    console.press("F");
    let text = console.screen();
    assert!(text.contains(&format!("before a{failed} begins")), "{text}");
    console.press("kw");
    let Some(Effect::Fork(wish)) = console.press("y") else {
        panic!("no fork");
    };
    assert_eq!(wish.at, ForkPoint::Before(AttemptId(failed)));
    assert!(wish.keep_decisions && wish.thresholds.is_none());
    assert_eq!(wish.without.len(), 1);
    // With moved thresholds, at the frame in sight.
    console.press("=gui_toggles=3⏎0→Fm");
    let seq = console.inspection().case.seq_at(1);
    let Some(Effect::Fork(wish)) = console.press("y") else {
        panic!("no fork");
    };
    assert_eq!(wish.at, ForkPoint::Event(seq));
    assert_eq!(wish.thresholds.unwrap().gui_toggles, 3);
    // The plan is edited as text; a fault keeps the editor open.
    console.press("Fp");
    assert!(matches!(
        console.shell.overlay(),
        Some(Overlay::Editor(EditedText::ForkPlan))
    ));
    console.press("x");
    assert!(console.shell.editor.as_ref().unwrap().is_changed());
    console.press("⎋");
    assert!(console.said().contains("esc again"), "{}", console.said());
    console.press("⎋⎋");
    assert_eq!(console.shell.overlays, []);
}

#[test]
fn a_bookmark_names_the_frame_in_sight_and_leads_back_to_it() {
    let mut console = console(&running(), 100, 30);
    let failed = console.failed();
    console.choose(failed);
    console.press("0→→");
    let seq = console.inspection().case.seq_at(2);
    let Some(Effect::Mark(event)) = console.press("wodd here⏎") else {
        panic!("no bookmark");
    };
    assert!(
        matches!(&event, Event::BookmarkSet { seq: s, note, .. } if *s == seq && note == "odd here")
    );
    console.journal.mark(Millis(1), event).unwrap();
    console.press("$W");
    let text = console.screen();
    assert!(text.contains("odd here"), "{text}");
    assert_eq!(
        console.press("⏎"),
        Some(Effect::Replay(ReplayMsg::ToSeq(seq.0)))
    );
    assert_eq!(console.inspection().at, 2);
    console.press("$");
    assert!(console.screen().contains('◆'));
}

/// Every part, sheet and size, on a run whose words hold everything that terminals obey.
#[test]
fn hostile_words_and_small_screens_do_no_harm() {
    let mut story = Story::new();
    let mut bad = subgoal(1, Executor::Mine, "iron_ore", 3);
    bad.condition = HOSTILE.concat();
    bad.rationale = Some(HOSTILE.concat());
    story.plan(1, vec![bad.clone()], None);
    story.adopt(1);
    let order = Action::Wait { ticks: 20 };
    story
        .attempt(1, order, 6)
        .failed(&bad, FailureReason::NavStuck);
    for (width, height) in [
        (1, 1),
        (7, 3),
        (20, 6),
        (40, 10),
        (80, 24),
        (130, 40),
        (60, 50),
    ] {
        let mut console = console(&story, width, height);
        console.choose(1);
        for part in DebugPart::ALL {
            for (zoom, side) in [(false, false), (true, false), (false, true)] {
                let debug = &mut console.shell.debug;
                (debug.part, debug.zoom, debug.side) = (part, zoom, side);
                console.load();
                assert!(is_clean(&console.screen().replace('\n', "")));
            }
        }
        let debug = &mut console.shell.debug;
        (debug.part, debug.zoom, debug.side) = (DebugPart::Attempts, false, false);
        for keys in ["⏎", "o\u{202e}x", "b\u{7}", "B", "W", "F", "f\u{9b}"] {
            console.press(keys);
            assert!(is_clean(&console.screen().replace('\n', "")));
            console.press("⎋");
            console.shell.close_overlays();
        }
    }
    assert_eq!(bad.id, SubgoalId(1));
}

#[test]
fn long_attempts_at_hand_are_bounded_by_their_frames() {
    let mut console = console(&running(), 100, 40);
    let failed = console.failed();
    console.choose(failed);
    let case = console.inspection().case.clone();
    let long = |frames: usize| {
        let mut case = case.clone();
        case.samples = vec![case.samples[0].clone(); frames];
        Arc::new(case)
    };
    let mut cases = Vec::new();
    for _ in 0..50 {
        loader::keep_case(&mut cases, long(3_000));
        let older = cases[..cases.len() - 1].iter();
        let frames: usize = older.map(|case| case.samples.len()).sum();
        assert!(frames <= loader::KEPT_FRAMES_MAX, "{frames}");
    }
    assert!(cases.len() > 2);
    (0..50).for_each(|_| loader::keep_case(&mut cases, long(1)));
    assert_eq!(cases.len(), loader::CASES_MAX);
}

/// What was followed to its end is live no longer.
#[test]
fn the_title_says_whether_the_run_is_live_over_or_a_recording() {
    let mut story = running();
    let mut console = console(&story, 120, 36);
    let title = |console: &Bench| {
        console
            .screen()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(console.screen().contains(" · a recording"));
    console.shell.live.mode = RunMode::Live(DriverStatus::Running);
    assert!(console.screen().contains(" · live"), "{}", title(&console));
    story.say(Event::RunEnded {
        outcome: Outcome::Success,
        because: "done".to_owned(),
    });
    console.view = view_of(&story);
    let screen = console.screen();
    assert!(
        screen.contains(" · over") && !screen.contains(" · live"),
        "{screen}"
    );
}
