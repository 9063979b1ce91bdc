//! The palette: what it leads to, and in which order it offers.

use super::console;
use crate::effect::Effect;
use crate::overlay::PageSubject;
use crate::screen::Screen;
use pithead_world::ids::RunId;

#[test]
fn the_palette_jumps_to_runs_entries_and_themes() {
    let mut console = console(Screen::Knowledge, 100, 30);
    assert_eq!(console.press(":run 2⏎"), Some(Effect::OpenRun(RunId(2))));
    assert_eq!(console.press(":1⏎"), Some(Effect::OpenRun(RunId(1))));
    assert_eq!(console.press(":theme light⏎"), Some(Effect::Theme("light")));
    assert_eq!(console.press(":dark⏎"), Some(Effect::Theme("dark")));
    assert_eq!(console.press(":k3.1⏎"), None);
    let page = console.shell.page().map(|page| page.subject.clone());
    assert!(matches!(page, Some(PageSubject::Entry(id)) if id.to_string() == "k3.1"));
    console.press("⎋:run 9⏎");
    assert!(
        console.said().starts_with("no command fits"),
        "run 9 is not there"
    );
}

/// The first command that the palette shows.
fn first(console: &mut crate::testing::Console) -> String {
    console.press(":");
    let screen = console.screen();
    console.press("⎋");
    let line = screen
        .lines()
        .find(|line| line.contains('▌') && line.contains('┃'));
    let words = line
        .unwrap_or_default()
        .split('▌')
        .nth(1)
        .unwrap_or_default();
    words
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn what_works_now_and_is_used_most_is_offered_first() {
    let mut console = console(Screen::Runs, 100, 30);
    assert_eq!(first(&mut console), "runs.continue", "run 3 was left");
    console.press("j");
    assert_ne!(first(&mut console), "runs.continue", "run 2 is over");
    console.press(":mouse⏎:mouse⏎");
    assert_eq!(first(&mut console), "mouse");
}
