//! One frame of the console at 200×50, built and compared with the one before: every screen, with a
//! database of 200 runs, and the overlays.
//!
//! Two keys are pressed in turn, so that each frame differs from the last; their time is part of it.

use crate::common;
use divan::Bencher;
use pithead_console::cache::loader::{CacheLoader, CacheWants, Sources};
use pithead_console::cache::{Cache, Loaded};
use pithead_console::context::Context;
use pithead_console::context::Scene;
use pithead_console::draw::draw;
use pithead_console::input::keymap::Keymap;
use pithead_console::input::terminal::on_terminal;
use pithead_console::screen::Screen;
use pithead_console::screens::debug::inspection;
use pithead_console::screens::debug::loader::CaseLoader;
use pithead_console::screens::live::state::RunMode;
use pithead_console::shell::Shell;
use pithead_console::theme::Theme;
use pithead_console::view::View;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_engine::eval::listing::{
    ChartLine, EpisodeEnding, EpisodeRow, EvalId, EvalListing, EvalSection, EvalState, Evaluation,
    LineChart,
};
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::path::Path;
use std::sync::Arc;

const SCREEN: Size = Size::new(200, 50);
const RUNS: u64 = 200;
const EPISODES: u64 = 2_000;

/// A console in the middle of a run, and the events that come next.
struct Frames {
    terminal: Terminal<TestBackend>,
    view: View,
    shell: Shell,
    cache: Cache,
    theme: Theme,
    next: Vec<Recorded>,
}

/// Only the run, half of it folded.
fn scene() -> Frames {
    let mut recorded = common::record(common::DIAMOND, 7);
    let next = recorded.split_off(recorded.len() / 2);
    let mut view = View::default();
    recorded.iter().for_each(|fact| view.apply(fact));
    let terminal = Terminal::new(TestBackend::new(SCREEN.width, SCREEN.height));
    let mut scene = Frames {
        terminal: terminal.expect("a buffer is a terminal"),
        view,
        shell: Shell::new(Screen::Live, Keymap::default(), SCREEN),
        cache: Cache::default(),
        theme: Theme::default_for(false),
        next,
    };
    scene.shell.live.mode = RunMode::Live(DriverStatus::Running);
    scene.frame();
    scene
}

impl Frames {
    /// Builds a frame, compares it with the last one, hands the changes on.
    fn frame(&mut self) {
        let Self {
            terminal,
            view,
            shell,
            cache,
            theme,
            ..
        } = self;
        let sight = Scene {
            shell,
            cache,
            view,
            pictures: None,
        };
        let drawn = terminal.draw(|frame| draw(frame, &sight, theme));
        drawn.expect("a buffer takes every frame");
    }

    fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            let code = match key {
                '⏎' => KeyCode::Enter,
                '⎋' => KeyCode::Esc,
                '⌫' => KeyCode::Backspace,
                c => KeyCode::Char(c),
            };
            let key = Term::Key(KeyEvent::new(code, KeyModifiers::NONE));
            let mut hands = Context {
                shell: &mut self.shell,
                cache: &self.cache,
                view: &self.view,
            };
            on_terminal(&mut hands, &key);
        }
    }

    /// Reads the data of the visible screen, as the program does.
    fn read(&mut self, loader: &mut CacheLoader) {
        loader.want(CacheWants {
            screen: self.shell.screen,
            opened: None,
            reading: None,
            options: Default::default(),
            lineage: None,
            compared: self.shell.compared.clone(),
            failing: self.shell.failing.clone(),
        });
        while self.cache.table(self.shell.screen).is_none()
            || (self.shell.screen == Screen::Failures && self.cache.heat.is_none())
            || (!self.shell.compared.is_empty() && self.cache.compared.is_none())
        {
            for loaded in loader.taken() {
                self.cache.apply(loaded);
            }
            std::thread::yield_now();
        }
        self.shell.settle(&self.cache);
    }

    /// The attempts of the run, with the newest under the glass.
    fn read_debug(&mut self, database: &Path) {
        let mut loader = CaseLoader::start(Some(database.to_path_buf())).expect("a thread");
        while self.cache.debug.case.is_none() {
            loader.want(Some(inspection::wants(
                &self.shell,
                &self.cache,
                &self.view,
            )));
            for read in loader.taken() {
                self.cache.apply_debug(read);
                self.shell.settle(&self.cache);
                inspection::judge(&mut self.shell, &self.cache);
            }
            std::thread::yield_now();
        }
    }
}

/// The run, and 199 others that learnt, asked and failed like it.
fn fill(path: &Path) {
    let mut journal = Journal::open(path, Durability::Normal).expect("a journal is made");
    let recorded = common::record(common::DIAMOND, 7);
    for n in 1..=RUNS {
        let config = common::run_config(common::DIAMOND, 6 + n);
        let run = journal.create_run(config, Millis(n)).expect("it takes it");
        let is_first = n == 1;
        let events = recorded
            .iter()
            .skip(1)
            .filter(|fact| is_first || !matches!(fact.event, Event::FrameSeen { .. }))
            .map(|fact| of_run(run, &fact.event))
            .collect();
        journal.append(run, Millis(n), events).expect("it takes it");
    }
}

/// The same happening in another run: what is numbered over the whole database has its number.
fn of_run(run: RunId, event: &Event) -> Event {
    match event.clone() {
        Event::AttemptEnded {
            attempt,
            experience,
        } => common::ended(&experience, run, attempt.0),
        Event::KnowledgeProposed { entry } => {
            let id = KnowledgeId { run, n: entry.id.n };
            Event::KnowledgeProposed {
                entry: Box::new(Entry { id, ..*entry }),
            }
        }
        Event::KnowledgeActivated { id, by } => {
            let id = KnowledgeId { run, n: id.n };
            Event::KnowledgeActivated { id, by }
        }
        other => other,
    }
}

/// A running evaluation with a curve, and its episodes.
fn news() -> EvalListing {
    let texts = |row: [&str; 3]| row.map(str::to_owned).to_vec();
    let line = |n: u64| ChartLine {
        name: format!("system {n}"),
        points: (0..8)
            .map(|pass| (f64::from(pass) * 9.0, Some((5.0, 70.0))))
            .collect(),
    };
    let table = EvalSection::Table {
        title: "Success by group, percent".to_owned(),
        head: texts(["group", "episodes", "rate"]),
        rows: vec![texts(["Wooden", "81", "92.6"]); 40],
    };
    let chart = EvalSection::Chart(LineChart {
        title: "Success by pass, percent".to_owned(),
        most: 100.0,
        lines: (0..5).map(line).collect(),
    });
    let evaluation = |n| Evaluation {
        id: EvalId(n),
        name: "mcu70 · seeds 1..20".to_owned(),
        mind: "builtin:competent".to_owned(),
        system: "steve-evolving".to_owned(),
        controller: "scripted".to_owned(),
        state: EvalState::Running,
        done: 81,
        total: EPISODES,
        unit: "episodes",
        rate: None,
        left_s: Some(125),
        command: "pithead eval --suite mcu70 --out a".to_owned(),
        folder: "results/a".to_owned(),
        journal: None,
        sections: vec![chart.clone(), table.clone()],
        faults: Vec::new(),
    };
    let episode = |id| EpisodeRow {
        id,
        task: format!("mcu70/wooden/{id}"),
        group: "Wooden".to_owned(),
        system: "steve-evolving".to_owned(),
        seed: id % 20,
        pass: 1,
        run: Some(id),
        ending: EpisodeEnding::Failure,
        because: "the budget of ticks is used up".to_owned(),
        ticks: 12_000,
        attempts: 9,
        failed: 3,
        replans: 2,
        mind_calls: 5,
        reasons: vec![("NAV_STUCK".to_owned(), 2)],
        last_failure: Some("NAV_STUCK".to_owned()),
        wall_ms: 4_200,
    };
    EvalListing {
        evaluations: (1..=40).map(|n| Arc::new(evaluation(n))).collect(),
        opened: Some((EvalId(1), Arc::new((0..EPISODES).map(episode).collect()))),
    }
}

/// What is visible, the keys that lead to it from the live screen, and two keys that change it.
const SIGHTS: [(&str, &str, [&str; 2]); 19] = [
    ("run", "", ["j", "k"]),
    ("run: help over it", "", ["?", "⎋"]),
    ("run: palette over it", ":re", ["s", "⌫"]),
    ("run: diagnosis over it", "", ["d", "⎋"]),
    ("inbox", "2", ["j", "k"]),
    ("decisions", "2h", ["j", "k"]),
    ("rules", "2p", ["j", "k"]),
    ("debug", "3", ["0", "$"]),
    ("debug: another attempt", "3", ["k", "j"]),
    ("knowledge", "4", ["j", "k"]),
    ("knowledge: an entry", "4", ["⏎", "⎋"]),
    ("runs", "5", ["j", "k"]),
    ("runs: a filter", "5", ["/di⏎", "⎋"]),
    ("runs: three beside each other", "5mjmjmv", ["G", "g"]),
    ("failures", "5f", ["j", "k"]),
    ("evaluate", "6", ["j", "k"]),
    ("episodes", "6⏎", ["j", "k"]),
    ("logs", "7", ["j", "k"]),
    ("home", "H", ["j", "k"]),
];

#[divan::bench(sample_count = 50, sample_size = 4, args = SIGHTS.map(|(name, ..)| name))]
fn frame(bencher: Bencher, name: &str) {
    let folder = common::folder();
    let (database, log) = (folder.path().join("pithead.db"), folder.path().join("log"));
    fill(&database);
    let line = "2026-11-21T00:00:00Z  WARN pithead_engine::runtime: a line of the log\n";
    std::fs::write(&log, line.repeat(5_000)).expect("it is written");
    let sources = Sources {
        database: Some(database.clone()),
        log: Some(log),
        ..Sources::default()
    };
    let mut loader = CacheLoader::start(sources).expect("there are threads");
    let mut scene = scene();
    scene.cache.apply(Loaded::News(news()));
    let sight = SIGHTS.iter().find(|(other, ..)| *other == name);
    let (_, way, turns) = sight.expect("it is one of them");
    for key in way.chars() {
        scene.press(&key.to_string());
        match scene.shell.screen {
            Screen::Live => (),
            Screen::Debug => scene.read_debug(&database),
            _ => scene.read(&mut loader),
        }
    }
    scene.frame();
    let mut turns = turns.iter().cycle();
    bencher.bench_local(|| {
        scene.press(turns.next().expect("they come round"));
        scene.frame();
    });
}

/// Nothing has changed since the last frame.
#[divan::bench(sample_count = 100, sample_size = 10)]
fn frame_unchanged(bencher: Bencher) {
    let mut scene = scene();
    bencher.bench_local(|| scene.frame());
}

/// One event of the run has come since the last frame; its fold is part of the time.
#[divan::bench(sample_count = 100, sample_size = 10)]
fn frame_next_event(bencher: Bencher) {
    let mut scene = scene();
    let events = scene.next.clone();
    let mut events = events.iter().cycle();
    bencher.bench_local(|| {
        scene.view.apply(events.next().expect("they come round"));
        scene.frame();
    });
}
