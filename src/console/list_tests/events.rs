//! The filter of the events of a run: it holds while it is typed, and hides nothing that it cannot read.

use super::console;
use crate::screen::Screen;
use crate::testing::{Console, running, view_of};

fn live() -> Console {
    let mut console = console(Screen::Runs, 120, 36);
    console.view = view_of(&running());
    console.shell.has_run = true;
    console.press("1");
    console
}

#[track_caller]
fn title(console: &Console) -> String {
    let screen = console.screen();
    let (_, title) = screen.split_once(" Events · ").unwrap();
    let end = title.find(" ─").or(title.find(" ━")).unwrap();
    title[..end].to_owned()
}

#[test]
fn the_events_of_a_run_are_filtered_as_lists_are() {
    let mut console = live();
    assert_eq!(title(&console), "32 so far");
    console.press("/failed");
    assert_eq!(
        title(&console),
        "2 of 32 · filter failed",
        "while it is typed"
    );
    console.press("⏎");
    let screen = console.screen();
    assert!(screen.contains("failed: NAV_STUCK"), "{screen}");
    console.press("k");
    assert_eq!(title(&console), "1 of 2 · filter failed · end follows");
    console.press("⎋⎋");
    assert_eq!(
        title(&console),
        "32 so far",
        "esc takes filter and selection off"
    );
    for (filter, shown) in [("kind:failure", "2 of 32"), ("tick:>1300", "4 of 32")] {
        console.press(&format!("/{filter}⏎"));
        assert_eq!(title(&console), format!("{shown} · filter {filter}"));
        console.press("⎋");
    }
    console.press("/nothing_like_it⏎");
    assert!(console.screen().contains("no event fits the filter"));
    console.press("⎋/label:x");
    assert!(console.said().contains("no labels"), "{}", console.said());
    assert!(
        console.screen().contains("failed: NAV_STUCK"),
        "hides nothing"
    );
}
