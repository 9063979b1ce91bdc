//! Moving through a recording: the view at an event is the same however one got there.

use super::*;
use crate::console::testing::running;

fn fold(events: &[Recorded], n: u64) -> View {
    let mut view = View::default();
    events
        .iter()
        .take(n as usize)
        .for_each(|event| view.apply(event));
    view
}

fn settle(player: &mut Player, view: &mut View) {
    for _ in 0..2000 {
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
        player.on(ReplayMsg::ToSeq(target), &mut view);
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
        player.on(msg, &mut view);
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
    use crate::domain::event::Event;
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
    player.on(ReplayMsg::Start, &mut view);
    settle(&mut player, &mut view);
    player.on(ReplayMsg::PlayOrPause, &mut view);
    player.advance(&mut view, Millis(5000), 4096).unwrap();
    assert_eq!(player.state().at, 0);
    player.advance(&mut view, Millis(6000), 4096).unwrap();
    assert_eq!(player.state().at, 20);
    player.on(ReplayMsg::Faster, &mut view);
    player.advance(&mut view, Millis(7000), 4096).unwrap();
    player.advance(&mut view, Millis(7100), 4096).unwrap();
    assert_eq!(player.state().at, 25);
    player.advance(&mut view, Millis(900_000), 4096).unwrap();
    assert_eq!((player.state().at, player.state().playing), (len, false));
}
