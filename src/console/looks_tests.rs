//! Every screen, and what lies over it, in every theme and at every size.

use crate::draw::draw;
use crate::export::{render, text};
use crate::hostile_tests::{WAYS, cache, console};
use crate::screen::Screen;
use crate::screens::live::layout::Focus;
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
use crate::testing::{Console, running, screen, shell_of, view_of};
use crate::theme::{Role, Theme, names};
use pithead_engine::runtime::DriverStatus;
use pithead_world::port::Pixels;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::Color;
use unicode_width::UnicodeWidthStr as _;

/// As small as a pane of a split terminal, wide, and high.
const SIZES: [(u16, u16); 10] = [
    (0, 0),
    (1, 1),
    (10, 3),
    (16, 4),
    (20, 6),
    (30, 8),
    (40, 12),
    (80, 24),
    (60, 50),
    (200, 60),
];

/// The word that stands in every cell of the lists.
const WORD: &str = "iron";

const PICTURE: &str = "what the body sees";

/// Each list with what its keys open, and a live run with each of its panes.
fn all_in_sight(size: Size) -> Vec<(String, Console)> {
    let known = cache(WORD);
    let mut all = Vec::new();
    for (screen, ways) in WAYS {
        for keys in ways {
            let mut console = console(screen, &known);
            console.shell.size = size;
            console.press(keys);
            all.push((format!("{screen:?} {keys}"), console));
        }
    }
    let view = view_of(&running());
    for focus in Focus::ALL {
        let mut shell = live(size);
        shell.live.focus_on(focus);
        let console = Console::new(shell, known.clone(), view.clone());
        all.push((format!("{focus:?}"), console));
    }
    // What the body sees, in cells.
    let mut shell = live(size);
    shell.live.looks = true;
    let rgb = (0..=255_u8).map(|at| [at, 255 - at, 90]).collect();
    let (width, height) = (16, 16);
    let pixels = Pixels { width, height, rgb };
    shell.live.seen = Some(std::sync::Arc::new(pixels));
    let console = Console::new(shell, known, view);
    all.push((PICTURE.to_owned(), console));
    all
}

fn live(size: Size) -> Shell {
    shell_of(RunMode::Live(DriverStatus::Running), size)
}

fn drawn(console: &Console, theme: &Theme) -> Buffer {
    let size = console.shell.size;
    render(size, |frame| draw(frame, &console.sight(), theme)).expect("it draws")
}

#[test]
fn every_list_keeps_what_its_rows_are_known_by_at_every_size() {
    for (width, height) in SIZES {
        for (name, mut console) in all_in_sight(Size::new(width, height)) {
            let shown = console.screen();
            let widest = shown.lines().map(|line| line.width()).max().unwrap_or(0);
            assert!(widest <= usize::from(width), "{name} at {width}x{height}");
            console.press("?");
            console.screen();
        }
        if width < 30 {
            continue;
        }
        // The log and the rules have words of their own; Home lists tasks.
        for screen in [
            Screen::Inbox,
            Screen::Decided,
            Screen::Knowledge,
            Screen::Runs,
            Screen::Evaluate,
        ] {
            let mut console = console(screen, &cache(WORD));
            console.shell.size = Size::new(width, height);
            let shown = console.screen();
            let row = shown.lines().find(|line| line.starts_with('▌'));
            let row = row.unwrap_or_else(|| panic!("no selection at {width}x{height}: {shown}"));
            assert!(
                row.contains(WORD),
                "{screen:?} at {width}x{height}: {shown}"
            );
            let foot = shown.lines().last().unwrap_or_default();
            assert!(
                foot.contains(": commands"),
                "{screen:?} at {width}x{height}: {shown}"
            );
        }
    }
}

#[test]
fn a_run_says_less_and_less_on_smaller_screens_and_the_most_important_last() {
    let view = view_of(&running());
    let told: [(&str, u16, u16); 6] = [
        ("▶", 10, 3),
        ("executing", 16, 4),
        ("mine iron_ore", 30, 8),
        ("◆ 1 waiting", 30, 8),
        ("? keys", 40, 12),
        ("pace ×8", 80, 24),
    ];
    for (width, height) in SIZES {
        let shown = screen(&view, &live(Size::new(width, height)));
        for (words, from_width, from_height) in told {
            // High and narrow screens leave out the pace.
            let has_room = width >= from_width && height >= from_height;
            assert!(
                !has_room || shown.contains(words),
                "no `{words}` at {width}x{height}: {shown}"
            );
        }
    }
}

/// Not a single cell has a colour, on any screen: with `NO_COLOR` nothing is told by one.
#[test]
fn no_screen_has_a_colour_in_monochrome_and_only_the_sixteen_in_sixteen() {
    let (monochrome, sixteen) = (Theme::default_for(true), Theme::named("sixteen").unwrap());
    for (name, console) in all_in_sight(Size::new(120, 36)) {
        for cell in &drawn(&console, &monochrome).content {
            assert_eq!(
                (cell.fg, cell.bg),
                (Color::Reset, Color::Reset),
                "{name}: {cell:?}"
            );
        }
        for cell in &drawn(&console, &sixteen).content {
            let is_beyond = |colour| matches!(colour, Color::Rgb(..) | Color::Indexed(_));
            assert!(
                !is_beyond(cell.fg) && !is_beyond(cell.bg),
                "{name}: {cell:?}"
            );
        }
    }
}

#[test]
fn every_screen_says_the_same_in_every_theme_and_the_selection_is_seen_without_colour() {
    for (name, console) in all_in_sight(Size::new(120, 36)) {
        // A picture is made of colours; without them it is drawn in letters.
        if name == PICTURE {
            continue;
        }
        let mut shown = names()
            .into_iter()
            .map(|theme| text(&drawn(&console, &Theme::named(theme).unwrap())));
        let first = shown.next().unwrap_or_default();
        assert!(shown.all(|other| other == first), "{name}");
    }
    for screen in [
        Screen::Inbox,
        Screen::Decided,
        Screen::Rules,
        Screen::Knowledge,
        Screen::Runs,
        Screen::Home,
    ] {
        let mut console = console(screen, &cache(WORD));
        let marked = |console: &Console| {
            console
                .screen()
                .lines()
                .position(|line| line.starts_with('▌'))
        };
        let before = marked(&console);
        console.press("j");
        assert!(before.is_some() && marked(&console) != before, "{screen:?}");
    }
}

/// What an eye without one kind of cones sees of a colour (Viénot 1999; for blue the same way).
fn seen(colour: Color, lacks: &[[f64; 3]; 3]) -> [f64; 3] {
    let Color::Rgb(red, green, blue) = colour else {
        panic!("{colour:?} has no fixed value")
    };
    let linear = [red, green, blue].map(|part| (f64::from(part) / 255.0).powf(2.2));
    let row = |row: &[f64; 3]| {
        row.iter()
            .zip(linear)
            .map(|(factor, part)| factor * part)
            .sum::<f64>()
    };
    lacks
        .each_ref()
        .map(|factors| row(factors).clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0)
}

#[test]
fn good_bad_and_notice_are_told_apart_by_whom_a_theme_is_made_for() {
    const NO_RED: [[f64; 3]; 3] = [
        [0.112_38, 0.887_62, 0.0],
        [0.112_38, 0.887_62, 0.0],
        [0.004_01, -0.004_01, 1.0],
    ];
    const NO_GREEN: [[f64; 3]; 3] = [
        [0.292_75, 0.707_25, 0.0],
        [0.292_75, 0.707_25, 0.0],
        [-0.022_34, 0.022_34, 1.0],
    ];
    const NO_BLUE: [[f64; 3]; 3] = [
        [1.0, 0.144_61, -0.144_61],
        [0.0, 0.859_24, 0.140_76],
        [0.0, 0.859_24, 0.140_76],
    ];
    /// Of 441 between black and white.
    const APART: f64 = 60.0;
    for (theme, lacks) in [
        ("deuteranopia", NO_RED),
        ("deuteranopia", NO_GREEN),
        ("tritanopia", NO_BLUE),
    ] {
        let theme = Theme::named(theme).unwrap();
        let roles = [Role::Good, Role::Bad, Role::Notice];
        let seen = roles.map(|role| seen(theme.style(role).fg.unwrap(), &lacks));
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let parts = seen[one].iter().zip(seen[other]);
            let distance = parts.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            assert!(
                distance > APART,
                "{} {:?} {:?}: {distance:.0}",
                theme.name,
                roles[one],
                roles[other]
            );
        }
    }
}
