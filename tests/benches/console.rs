//! Folds of 100,000 events, and one frame of the console at 200×50: built and compared.

mod common;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use pithead::agent::State;
use pithead::console::desk::Desk;
use pithead::console::draw::{Sight, draw};
use pithead::console::keys::keymap::Keymap;
use pithead::console::screen::Screen;
use pithead::console::shell::{Cover, Shell};
use pithead::console::theme::Theme;
use pithead::console::ui::{Mode, Ui};
use pithead::console::view::View;
use pithead::domain::event::{Event, Recorded};
use pithead::runtime::DriverStatus;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;

const EVENTS: usize = 100_000;
const SCREEN: Size = Size::new(200, 50);

fn main() {
    divan::main();
}

/// A real run of as many events: what follows the first frame comes round again and again.
fn long_run(recorded: &[Recorded]) -> impl Iterator<Item = &Recorded> {
    let at = recorded
        .iter()
        .position(|fact| matches!(fact.event, Event::WorldReady { .. }));
    let (opening, rest) = recorded.split_at(at.expect("the world was there") + 1);
    let rest = &rest[..rest.len() - 1]; // the last event ends the run
    opening.iter().chain(rest.iter().cycle()).take(EVENTS)
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn fold_state(bencher: Bencher) {
    let recorded = common::record(common::DIAMOND, 7);
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        let mut state = State::new();
        long_run(&recorded).for_each(|fact| state.apply(black_box(fact)));
        state
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn fold_view(bencher: Bencher) {
    let recorded = common::record(common::DIAMOND, 7);
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
        let mut view = View::default();
        long_run(&recorded).for_each(|fact| view.apply(black_box(fact)));
        view
    });
}

/// A console in the middle of a run, and the events that come next.
struct Scene {
    terminal: Terminal<TestBackend>,
    view: View,
    ui: Ui,
    shell: Shell,
    desk: Desk,
    theme: Theme,
    next: Vec<Recorded>,
}

fn scene() -> Scene {
    let mut recorded = common::record(common::DIAMOND, 7);
    let next = recorded.split_off(recorded.len() / 2);
    let mut view = View::default();
    recorded.iter().for_each(|fact| view.apply(fact));
    let terminal = Terminal::new(TestBackend::new(SCREEN.width, SCREEN.height));
    let mut scene = Scene {
        terminal: terminal.expect("a buffer is a terminal"),
        view,
        ui: Ui::new(Mode::Live(DriverStatus::Running), SCREEN),
        shell: Shell::new(Screen::Live, Keymap::default(), SCREEN),
        desk: Desk::default(),
        theme: Theme::default_for(false),
        next,
    };
    scene.frame();
    scene
}

impl Scene {
    /// Builds a frame, compares it with the last one, hands the changes on.
    fn frame(&mut self) {
        let Self {
            terminal,
            view,
            ui,
            shell,
            desk,
            theme,
            ..
        } = self;
        let sight = Sight {
            shell,
            desk,
            view,
            ui,
        };
        let drawn = terminal.draw(|frame| draw(frame, &sight, theme));
        drawn.expect("a buffer takes every frame");
    }
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

/// Another page lies over the screen in every second frame: most cells change.
#[divan::bench(sample_count = 100, sample_size = 10)]
fn frame_overlay_on_off(bencher: Bencher) {
    let mut scene = scene();
    bencher.bench_local(|| {
        scene.shell.cover = match scene.shell.cover {
            Cover::None => Cover::Help { scroll: 0 },
            _ => Cover::None,
        };
        scene.frame();
    });
}
