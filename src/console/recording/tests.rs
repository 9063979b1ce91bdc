//! Recorded sessions on a screen of cells.

use crate::export;
use crate::recording::asciicast::{Asciicast, Told};
use crate::recording::draw::draw;
use crate::recording::playback::Playback;
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
    Playback::new(Asciicast::parse(text).unwrap())
}

fn screen(playback: &Playback, width: u16, height: u16) -> String {
    let theme = Theme::default_for(true);
    let buffer = export::render(Size::new(width, height), |frame| {
        draw(frame, playback, &theme);
    });
    export::text(&buffer.unwrap())
}

fn key(playback: &mut Playback, code: KeyCode) -> Did {
    on_key(playback, KeyEvent::new(code, KeyModifiers::NONE))
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
    assert!(screen(&playback, 60, 8).starts_with("one"));
    assert!(playback.pass(1_000));
    assert!(screen(&playback, 60, 8).starts_with("two"));
    assert_eq!(playback.mark(), (Some("d1 approved"), 1, 2));
    assert!(
        !playback.pass(100),
        "nothing has happened within that second"
    );
    playback.seek(playback.length());
    let end = screen(&playback, 60, 8);
    assert!(end.starts_with("four") && end.contains("three"), "{end}");
    // Back to the beginning and on again shows the same.
    assert_eq!(key(&mut playback, KeyCode::Char('0')), Did::Changed);
    assert!(screen(&playback, 60, 8).starts_with("one"));
    key(&mut playback, KeyCode::Char(']'));
    assert_eq!(
        (playback.at(), playback.is_playing()),
        (Millis(1_000), false)
    );
    key(&mut playback, KeyCode::Char(']'));
    assert_eq!(screen(&playback, 60, 8).lines().next(), end.lines().next());
    key(&mut playback, KeyCode::Char('['));
    assert!(screen(&playback, 60, 8).starts_with("two"));
    assert_eq!(key(&mut playback, KeyCode::Char('x')), Did::Nothing);
    assert_eq!(key(&mut playback, KeyCode::Esc), Did::Leave);
}

#[test]
fn a_long_pause_is_passed_over_and_the_end_stops_it() {
    let mut playback = playback(TAPE);
    playback.pass(4_000);
    playback.pass(100);
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
    let header = r#"{"version":3,"term":{"cols":0,"rows":65535},"title":"\u001b]0;x\u0007"}"#;
    let mut playback = playback(&format!("{header}\n{}", outputs.concat()));
    for _ in 0..outputs.len() + 8 {
        playback.step();
        for (width, height) in [(80, 24), (9, 2), (1, 1)] {
            let text = screen(&playback, width, height);
            assert!(text.lines().all(is_clean), "{text:?}");
        }
    }
}
