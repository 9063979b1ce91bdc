//! Pictures in the real program: written once, within the frame, and removed before anything covers them.

use crate::console::{Console, DEADLINE, folder, now};
use portable_pty::PtySize;
use std::path::Path;
use std::time::Duration;

const BEGIN: &str = "\u{1b}[?2026h";
const END: &str = "\u{1b}[?2026l";
const PUT: &str = "\u{1b}_Ga=T";
const OFF: &str = "\u{1b}_Ga=d,d=I";
const SIXELS: &str = "\u{1b}P";

/// A paused run with the body's view on the screen, in a terminal with cells of 8 by 16 pixels, or of unknown size.
fn looking(folder: &Path, how: &str, says_pixels: bool) -> Console {
    let (rows, cols) = (36, 120);
    let size = PtySize {
        rows,
        cols,
        pixel_width: if says_pixels { cols * 8 } else { 0 },
        pixel_height: if says_pixels { rows * 16 } else { 0 },
    };
    let args = [
        "run",
        "craft a wooden pickaxe",
        "--pace",
        "x2",
        "--pictures",
        how,
    ];
    let mut console = Console::start_at(folder, size, &args, &[]);
    console.wait_for("executing");
    console.press(" ");
    console.wait_for("‖ paused");
    console.press("w");
    console.wait_for("View");
    // The picture comes from the process that drives the run.
    let until = now() + DEADLINE;
    while console.text().contains("nothing seen yet") {
        assert!(now() < until, "no picture came");
        console.settle(Duration::from_millis(50));
    }
    console.settle(Duration::from_millis(800));
    console
}

/// What was written after so many bytes.
fn since(console: &Console, bytes: usize) -> String {
    String::from_utf8_lossy(&console.written[bytes..]).into_owned()
}

/// What a key makes the program write.
fn written_by(console: &mut Console, keys: &str, wanted: &str) -> String {
    let before = console.written.len();
    console.press(keys);
    console.wait_for(wanted);
    console.settle(Duration::from_millis(400));
    since(console, before)
}

/// Every sequence of kitty's protocol is one of ours: bounded, numbered, and without an answer.
#[track_caller]
fn assert_only_ours(written: &str) {
    let sequences = written.split("\u{1b}_").skip(1);
    for sequence in sequences {
        let (sequence, _) = sequence.split_once("\u{1b}\\").expect("it is closed");
        let (control, data) = sequence.split_once(';').unwrap_or((sequence, ""));
        let is_known = control.starts_with("Ga=T,q=2,f=24,o=z,")
            || control.starts_with("Gq=2,m=")
            || control == "Ga=d,d=I,i=7411,q=2"
            || control == "Ga=d,d=I,i=7412,q=2";
        assert!(is_known, "{control:?}");
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        assert!(data.len() <= 4096 && data.chars().all(is_base64));
    }
}

#[test]
fn a_picture_is_written_within_its_frame_and_removed_before_it_is_covered() {
    let folder = folder();
    let mut console = looking(folder.path(), "kitty", false);
    let shown = since(&console, 0);
    assert!(shown.contains(PUT), "no picture came");
    for frame in shown.split(PUT).skip(1) {
        let (end, begin) = (frame.find(END), frame.find(BEGIN));
        assert!(end.is_some() && (begin.is_none() || end < begin));
    }
    // Nothing changes: nothing is written. A key elsewhere does not send it again.
    assert_eq!(console.settle(Duration::from_secs(2)), 0);
    let moved = written_by(&mut console, "j", "‖ paused");
    assert!(!moved.contains("\u{1b}_G"), "the picture was sent again");
    // Overlays and other screens appear after it was removed; then it comes back.
    for (keys, wanted, back) in [("?", "A live run", "\u{1b}"), ("5", "[5 Runs]", "1")] {
        let covered = written_by(&mut console, keys, wanted);
        let off = covered.find(OFF).expect("it was not taken off");
        assert!(covered.find(BEGIN) < Some(off) && Some(off) < covered.find(END));
        assert!(!covered.contains(PUT), "{keys}");
        let bare = written_by(&mut console, back, "‖ paused");
        assert!(bare.contains(PUT), "it did not come back from {keys}");
    }
    let hidden = written_by(&mut console, "w", "Map");
    assert!(hidden.contains(OFF) && !hidden.contains(PUT));
    written_by(&mut console, "w", "View");
    let before = console.written.len();
    console.press("q");
    console.wait_for("Leave run");
    console.press("y");
    console.end();
    let left = since(&console, before);
    assert!(left.find(OFF) < left.find("\u{1b}[?1049l") && left.contains(OFF));
    console.assert_restored();
    assert_only_ours(&since(&console, 0));
}

#[test]
fn a_picture_is_removed_before_the_terminal_is_lent_or_resized() {
    let folder = folder();
    let mut console = looking(folder.path(), "kitty", false);
    let before = console.written.len();
    let size = PtySize {
        rows: 40,
        cols: 130,
        pixel_width: 0,
        pixel_height: 0,
    };
    console.screen.screen_mut().set_size(40, 130);
    console.master.resize(size).unwrap();
    console.settle(Duration::from_millis(800));
    let resized = since(&console, before);
    assert!(resized.find(OFF) < resized.find(PUT) && resized.contains(OFF));
    let before = console.written.len();
    console.press("\u{1a}");
    console.settle(Duration::from_millis(800));
    let suspended = since(&console, before);
    assert!(suspended.find(OFF) < suspended.find("\u{1b}[?1049l") && suspended.contains(OFF));
    let before = console.written.len();
    console.signal("CONT");
    console.wait_for("‖ paused");
    console.settle(Duration::from_millis(800));
    assert!(
        since(&console, before).contains(PUT),
        "it did not come back"
    );
    let before = console.written.len();
    console.signal("TERM");
    console.end();
    let ended = since(&console, before);
    assert!(ended.find(OFF) < ended.find("\u{1b}[?1049l") && ended.contains(OFF));
    console.assert_restored();
}

#[test]
fn untrusted_text_starts_no_picture() {
    let folder = folder();
    let mut console = looking(folder.path(), "kitty", false);
    let before = console.written.len();
    // As a paste, which may contain anything.
    let hostile =
        "\u{1b}_Ga=T,f=100,t=f;L2V0Yy9wYXNzd2Q=\u{1b}\\\u{9f}Ga=q\u{9c}\u{1b}Pq#0~\u{1b}\\";
    console.press("5");
    console.wait_for("[5 Runs]");
    console.press("/");
    console.press(&format!("\u{1b}[200~{hostile}\u{1b}[201~"));
    console.settle(Duration::from_millis(400));
    console.press("\u{1b}:");
    console.press(&format!("\u{1b}[200~{hostile}\u{1b}[201~"));
    console.settle(Duration::from_millis(400));
    let written = since(&console, before);
    assert_only_ours(&written);
    assert!(!written.contains(SIXELS) && !written.contains('\u{9f}'));
    assert!(!written.contains(PUT), "something was put there");
    console.signal("TERM");
    console.end();
}

#[test]
fn sixels_need_a_terminal_that_reports_its_size_in_pixels() {
    let folder = folder();
    let mut console = looking(folder.path(), "sixel", true);
    let shown = since(&console, 0);
    assert!(shown.contains(SIXELS) && !shown.contains("\u{1b}_"));
    assert!(!console.text().contains('▀'), "cells are drawn below it");
    let covered = written_by(&mut console, "?", "A live run");
    let wipe = covered.find('X').map(|at| &covered[..at]);
    assert!(wipe.is_some_and(|wipe| wipe.starts_with(BEGIN)), "it stays");
    console.press("\u{1b}");
    console.press("W");
    console.wait_for("pictures: blocks");
    console.wait_for("▀");
    console.signal("TERM");
    console.end();
    let unsaid = crate::console::folder();
    let mut console = looking(unsaid.path(), "sixel", false);
    console.wait_for("▀");
    assert!(!since(&console, 0).contains(SIXELS));
    console.signal("TERM");
    console.end();
}

#[test]
fn recordings_contain_cells_and_no_pictures() {
    let folder = folder();
    let cast = folder.path().join("sitting.cast");
    let size = PtySize {
        rows: 36,
        cols: 120,
        pixel_width: 960,
        pixel_height: 576,
    };
    let name = cast.to_str().unwrap();
    let args = ["run", "craft a wooden pickaxe", "--record", name];
    for how in ["auto", "kitty"] {
        let args = [&args[..], &["--pictures", how]].concat();
        let kitty = [("KITTY_WINDOW_ID", "1")];
        let mut console = Console::start_at(folder.path(), size, &args, &kitty);
        console.wait_for("executing");
        console.press("w");
        console.wait_for("View");
        console.settle(Duration::from_millis(800));
        console.signal("TERM");
        console.end();
        let pictures = since(&console, 0).contains(PUT);
        assert_eq!(pictures, how == "kitty");
        let recorded = std::fs::read_to_string(&cast).unwrap();
        assert!(recorded.contains("View") && !recorded.contains("\\u001b_"));
        assert_eq!(recorded.contains('▀'), how == "auto");
        std::fs::remove_file(&cast).unwrap();
    }
}
