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
        "3 of 32 · filter failed",
        "while it is typed"
    );
    console.press("⏎");
    let screen = console.screen();
    assert!(screen.contains("failed: NAV_STUCK"), "{screen}");
    console.press("k");
    assert_eq!(title(&console), "2 of 3 · filter failed · end follows");
    console.press("⎋⎋");
    assert_eq!(
        title(&console),
        "32 so far",
        "esc takes filter and selection off"
    );
    let mut seen = Vec::new();
    for filter in ["kind:failure", "tick:>1300"] {
        console.press(&format!("/{filter}⏎"));
        seen.push(title(&console));
        console.press("⎋");
    }
    let expected = [
        "2 of 32 · filter kind:failure",
        "2 of 32 · filter tick:>1300",
    ];
    assert_eq!(seen, expected);
    console.press("/nothing_like_it⏎");
    assert!(console.screen().contains("no event fits the filter"));
    console.press("⎋/label:x");
    assert!(console.said().contains("no labels"), "{}", console.said());
    assert_eq!(
        title(&console),
        "32 of 32 · filter label:x",
        "hides nothing"
    );
}
