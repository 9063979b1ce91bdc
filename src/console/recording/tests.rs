//! Recorded sessions on a screen of cells.

use crate::export;
use crate::recording::asciicast::{Asciicast, Told};
use crate::recording::draw::draw;
use crate::recording::emulated::SEQUENCE_MAX;
use crate::recording::playback::{Playback, SLICE_WORK};
use crate::recording::*;
use pithead_core::text::clean::is_clean;
use pithead_core::text::hostile::HOSTILE;
use ratatui::layout::Size;

const TAPE: &str = r#"{"version":3,"term":{"cols":20,"rows":4,"type":"xterm"},"title":"pithead"}
[0.0,"o","\u001b[2J\u001b[Hone"]
[1.0,"m","d1 approved"]
[0.0,"o","\u001b[Htwo"]
[2.0,"r","30x6"]
# a remark
[0.5,"i","typed"]
[0.5,"o","\u001b[5;25Hthree"]
[60.0,"m","a3 NAV_STUCK"]
[0.0,"o","\u001b[Hfour"]
"#;

fn playback(text: &str) -> Playback {
    let mut playback = Playback::new(Asciicast::parse(text).unwrap());
    arrive(&mut playback);
    playback
}

/// Replays until the place is reached; the slices that it took.
fn arrive(playback: &mut Playback) -> usize {
    let mut slices = 0;
    while playback.is_behind() {
        let work = playback.replay_slice();
        assert!(work < SLICE_WORK + SEQUENCE_MAX, "{work} in one slice");
        slices += 1;
    }
    slices
}

fn screen(playback: &mut Playback, width: u16, height: u16) -> String {
    arrive(playback);
    let theme = Theme::default_for(true);
    let buffer = export::render(Size::new(width, height), |frame| {
        draw(frame, playback, &theme);
    });
    export::text(&buffer.unwrap())
}

fn key(playback: &mut Playback, code: KeyCode) -> Did {
    let did = on_key(playback, KeyEvent::new(code, KeyModifiers::NONE));
    arrive(playback);
    did
}

#[test]
fn a_recording_is_read_and_its_faults_are_named_by_line() {
    let cast = Asciicast::parse(TAPE).unwrap();
    assert_eq!((cast.size, cast.length()), ((20, 4), Millis(64_000)));
    assert_eq!(cast.events[3], (Millis(3_000), Told::Resize(30, 6)));
    for (text, line, words) in [
        ("", 1, "empty"),
        ("{\"version\":2,\"width\":80}\n", 1, "version 3"),
        (
            "{\"version\":2,\"term\":{\"cols\":1,\"rows\":1}}\n",
            1,
            "only 3",
        ),
        (&TAPE.replace("[1.0,", "[-1.0,"), 3, "pause"),
        (&TAPE.replace("30x6", "30"), 5, "size"),
        (&TAPE.replace("30x6", "30x1001"), 5, "1001 columns or rows"),
        (
            &TAPE.replace("\"rows\":4", "\"rows\":65536"),
            1,
            "65536 columns",
        ),
        (&TAPE.replace("[2.0,", "[1e308,"), 5, "pause"),
        (&TAPE.replace("[2.0,", "[1e400,"), 5, "number out of range"),
        (&TAPE.replace("[0.5,\"i\"", "{\"i\""), 7, "event"),
    ] {
        let (at, because) = Asciicast::parse(text).unwrap_err();
        assert!(at == line && because.contains(words), "{at}: {because}");
    }
    let cut = &TAPE[..TAPE.len() - 6];
    assert_eq!(
        Asciicast::parse(cut).unwrap().events.len(),
        cast.events.len() - 1
    );
}

#[test]
fn it_plays_stands_and_goes_to_and_fro() {
    let mut playback = playback(TAPE);
    assert!(screen(&mut playback, 60, 8).starts_with("one"));
    assert!(playback.pass(1_000));
    assert!(screen(&mut playback, 60, 8).starts_with("two"));
    assert_eq!(playback.mark(), (Some("d1 approved"), 1, 2));
    assert!(
        !playback.pass(100),
        "nothing has happened within that second"
    );
    playback.seek(playback.length());
    let end = screen(&mut playback, 60, 8);
    assert!(end.starts_with("four") && end.contains("three"), "{end}");
    // Back to the beginning and on again shows the same.
    assert_eq!(key(&mut playback, KeyCode::Char('0')), Did::Changed);
    assert!(screen(&mut playback, 60, 8).starts_with("one"));
    key(&mut playback, KeyCode::Char(']'));
    assert_eq!(
        (playback.at(), playback.is_playing()),
        (Millis(1_000), false)
    );
    key(&mut playback, KeyCode::Char(']'));
    assert_eq!(
        screen(&mut playback, 60, 8).lines().next(),
        end.lines().next()
    );
    key(&mut playback, KeyCode::Char('['));
    assert!(screen(&mut playback, 60, 8).starts_with("two"));
    assert_eq!(key(&mut playback, KeyCode::Char('x')), Did::Nothing);
    assert_eq!(key(&mut playback, KeyCode::Esc), Did::Leave);
}

#[test]
fn a_long_pause_is_passed_over_and_the_end_stops_it() {
    let mut playback = playback(TAPE);
    playback.pass(4_000);
    arrive(&mut playback);
    playback.pass(100);
    arrive(&mut playback);
    assert!(playback.at() >= Millis(61_000), "{:?}", playback.at());
    playback.pass(10_000);
    assert_eq!(
        (playback.at(), playback.is_playing()),
        (Millis(64_000), false)
    );
    key(&mut playback, KeyCode::Char(' '));
    assert_eq!((playback.at(), playback.is_playing()), (Millis(0), true));
}

#[test]
fn what_a_recording_holds_does_not_reach_the_terminal() {
    let outputs: Vec<String> = HOSTILE
        .iter()
        .map(|text| serde_json::json!([0.1, "o", text]).to_string() + "\n")
        .chain((1..4).map(|n| {
            format!("[0.1,\"r\",\"{n}x{n}\"]\n[0,\"o\",\"漢字 ab\\r\\n\\u001b[9999;9999H!\"]\n")
        }))
        .collect();
    let header = r#"{"version":3,"term":{"cols":0,"rows":1000},"title":"\u001b]0;x\u0007"}"#;
    let mut playback = playback(&format!("{header}\n{}", outputs.concat()));
    for _ in 0..outputs.len() + 8 {
        playback.step();
        for (width, height) in [(80, 24), (9, 2), (1, 1)] {
            let text = screen(&mut playback, width, height);
            assert!(text.lines().all(is_clean), "{text:?}");
        }
    }
}

/// Recordings that were made to be slow, each with what it does.
fn slow_recordings() -> Vec<(&'static str, String)> {
    let header = r#"{"version":3,"term":{"cols":1000,"rows":1000}}"#;
    let event = |text: &str| serde_json::json!([0.0, "o", text]).to_string() + "\n";
    let with = |events: String| format!("{header}\n{events}[1.0,\"m\",\"end\"]\n");
    vec![
        ("inserted cells", with(event(&"\u{1b}[65535@".repeat(200)))),
        (
            "inserted rows",
            with(event(&"\u{1b}[65535L\u{1b}[65535T".repeat(100))),
        ),
        (
            "erased screens",
            with(event(&"\u{1b}c\u{1b}[2J\u{1b}[?1049h".repeat(60))),
        ),
        (
            "one long event",
            with(event(&"\u{1b}[31mx".repeat(500_000))),
        ),
        ("tiny events", with(event("").repeat(200_000))),
        (
            "sizes",
            with("[0,\"r\",\"2x2\"]\n[0,\"r\",\"1000x1000\"]\n".repeat(60)),
        ),
    ]
}

#[test]
fn a_jump_is_made_in_slices_between_which_keys_are_looked_at() {
    for (what, text) in slow_recordings() {
        let mut playback = Playback::new(Asciicast::parse(&text).unwrap());
        on_key(
            &mut playback,
            KeyEvent::new(KeyCode::Char('G'), KeyModifiers::NONE),
        );
        assert!(playback.percent().is_some(), "{what}");
        playback.replay_slice();
        assert!(playback.is_behind(), "{what}: all in one slice");
        // Another key is obeyed at once, wherever the jump is.
        on_key(
            &mut playback,
            KeyEvent::new(KeyCode::Char('['), KeyModifiers::NONE),
        );
        on_key(
            &mut playback,
            KeyEvent::new(KeyCode::Char('.'), KeyModifiers::NONE),
        );
        assert_eq!(playback.at(), Millis(1_000), "{what}");
        assert!(arrive(&mut playback) > 3, "{what}");
        assert_eq!(playback.mark().0, Some("end"), "{what}");
        assert_eq!(playback.percent(), None, "{what}");
    }
}

#[test]
fn time_stands_while_the_terminal_is_behind() {
    let text = TAPE.replace("three", &"three".repeat(100_000));
    let mut playback = playback(&text);
    playback.pass(10_000);
    let at = playback.at();
    playback.replay_slice();
    assert!(playback.is_behind() && !playback.pass(5_000));
    assert_eq!(playback.at(), at);
}

#[test]
fn a_jump_back_that_is_turned_round_goes_on_where_it_is() {
    let mut playback = playback(TAPE);
    playback.seek(playback.length());
    let end = screen(&mut playback, 60, 8);
    playback.seek(Millis(0));
    playback.seek(playback.length());
    assert!(playback.is_behind(), "it was taken back to its beginning");
    assert_eq!(screen(&mut playback, 60, 8), end);
}
