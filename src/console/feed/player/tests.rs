//! Moving through a recording: the view at an event is the same however one got there.

use crate::feed::player::*;
use crate::testing::recorded::long_recording;
use crate::testing::running;
use crate::view::stored::FOLD;

fn fold(events: &[Recorded], n: u64) -> View {
    let mut view = View::default();
    events
        .iter()
        .take(n as usize)
        .for_each(|event| view.apply(event));
    view
}

fn settle(player: &mut Player, view: &mut View) {
    for _ in 0..20_000 {
        if !player.advance(view, Millis(0), 7).unwrap().more {
            return;
        }
    }
    panic!("the seek does not end");
}

#[test]
fn any_way_to_an_event_gives_the_same_view() {
    let mut events = running().events;
    // Long enough for some snapshots.
    let frame = events[2].clone();
    for seq in events.len() as u64..9000 {
        events.push(Recorded {
            seq: Seq(seq + 1),
            ..frame.clone()
        });
    }
    let mut player = Player::of_events(events.clone());
    let mut view = View::default();
    settle(&mut player, &mut view);
    for target in [50, 9000, 40, 4001, 4000, 3999, 0, 8999, 1] {
        player.handle(ReplayMsg::ToSeq(target), &mut view);
        settle(&mut player, &mut view);
        assert_eq!(player.state().at, target);
        assert!(view == fold(&events, target), "event {target}");
    }
}

#[test]
fn steps_and_landmarks() {
    let events = running().events;
    let mut player = Player::of_events(events.clone());
    let mut view = View::default();
    settle(&mut player, &mut view);
    let mut go = |msg| {
        player.handle(msg, &mut view);
        settle(&mut player, &mut view);
        (
            player.state().at,
            view.timeline
                .lines
                .back()
                .map(|l| l.text.clone())
                .unwrap_or_default(),
        )
    };
    assert_eq!(go(ReplayMsg::Start).0, 0);
    assert_eq!(go(ReplayMsg::Forward).0, 1);
    let (first, text) = go(ReplayMsg::NextLandmark);
    assert_eq!(text, "plan r1 proposed: 7 steps");
    let (second, text) = go(ReplayMsg::NextLandmark);
    assert_eq!(text, "plan r1 is in force");
    assert!(second > first);
    assert_eq!(go(ReplayMsg::PreviousLandmark).0, first);
    assert_eq!(go(ReplayMsg::Back).0, first - 1);
    assert_eq!(go(ReplayMsg::End).0, events.len() as u64);
    assert_eq!(go(ReplayMsg::NextLandmark).0, events.len() as u64);
    assert_eq!(
        go(ReplayMsg::ToTick(600)).0,
        events.iter().position(|e| tick(e) >= 600).unwrap() as u64 + 1
    );
}

fn tick(recorded: &Recorded) -> u64 {
    use pithead_core::domain::run::event::Event;
    match &recorded.event {
        Event::FrameSeen { frame } | Event::ActionEnded { frame, .. } => frame.tick,
        _ => 0,
    }
}

#[test]
fn playing_follows_the_clock_and_stops_at_the_end() {
    let events = running().events;
    let len = events.len() as u64;
    let mut player = Player::of_events(events);
    let mut view = View::default();
    settle(&mut player, &mut view);
    player.handle(ReplayMsg::Start, &mut view);
    settle(&mut player, &mut view);
    player.handle(ReplayMsg::PlayOrPause, &mut view);
    player.advance(&mut view, Millis(5000), 4096).unwrap();
    assert_eq!(player.state().at, 0);
    player.advance(&mut view, Millis(6000), 4096).unwrap();
    assert_eq!(player.state().at, 20);
    player.handle(ReplayMsg::Faster, &mut view);
    player.advance(&mut view, Millis(7000), 4096).unwrap();
    player.advance(&mut view, Millis(7100), 4096).unwrap();
    assert_eq!(player.state().at, 25);
    player.advance(&mut view, Millis(900_000), 4096).unwrap();
    assert_eq!((player.state().at, player.state().playing), (len, false));
}

/// A way that several threads read is the same way, and may be left in the middle of it.
#[test]
fn a_far_way_that_is_read_ahead_gives_the_same_view() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, _journal) = long_recording(folder.path(), 3 * FAR as usize);
    let len = recording.len();
    let all = recording.page(Seq(0), usize::MAX).unwrap();
    let mut player = Player::new(recording);
    let mut view = View::default();
    for (target, is_far) in [(len, true), (10, false), (len - 5, true), (len, false)] {
        player.handle(ReplayMsg::ToSeq(target), &mut view);
        assert_eq!(player.ahead.is_some(), is_far, "event {target}");
        settle(&mut player, &mut view);
        assert!(player.ahead.is_none(), "the threads are sent home");
        assert!(view == fold(&all, target), "event {target}");
    }
    player.handle(ReplayMsg::Start, &mut view);
    player.handle(ReplayMsg::End, &mut view);
    player.advance(&mut view, Millis(0), 100).unwrap();
    player.handle(ReplayMsg::Forward, &mut view);
    settle(&mut player, &mut view);
    assert_eq!((player.state().at, player.ahead.is_none()), (101, true));
}

/// Goes to a place; how many events were folded for it.
fn fold_to(player: &mut Player, view: &mut View, to: ReplayMsg) -> usize {
    player.handle(to, view);
    player.shortcuts.wait();
    let mut folded = 0;
    loop {
        let came = player.advance(view, Millis(0), 1000).unwrap();
        folded += came.events;
        if !came.more {
            return folded;
        }
    }
}

#[test]
fn a_far_place_is_reached_from_what_another_console_has_folded() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, mut journal) = long_recording(folder.path(), 22_000);
    let (run, len) = (recording.row().id, recording.len());
    let all = recording.page(Seq(0), usize::MAX).unwrap();
    let again = || recording.again().unwrap();
    let (mut first, mut view) = (Player::new(again()), View::default());
    let all_folded = fold_to(&mut first, &mut view, ReplayMsg::End);
    assert_eq!(all_folded as u64, len);
    first.shortcuts.finish();

    // To the end, to a place on the way, back to before all that is stored, and on to a tick.
    let (mut other, mut view) = (Player::new(again()), View::default());
    for (to, at_most) in [(len, 1), (len - 3, 6_000), (500, 500), (16_400, 20)] {
        let folded = fold_to(&mut other, &mut view, ReplayMsg::ToSeq(to));
        assert!(folded <= at_most, "{folded} events were folded to {to}");
        assert!(view == fold(&all, to), "event {to}");
    }
    fold_to(&mut other, &mut view, ReplayMsg::End);
    fold_to(&mut other, &mut view, ReplayMsg::PreviousLandmark);
    assert!(view == fold(&all, view.seq.0) && stands_on_landmark(&view));

    // A run that is gone takes them along.
    journal.delete_runs(&[run]).unwrap();
    let left = recording.last_snapshot(FOLD, SnapshotBound::Event(Seq(len)));
    assert_eq!(left.unwrap(), None);
}
