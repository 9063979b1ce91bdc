//! Runs that are steered and killed: they continue as if nothing had been.

use super::*;

#[test]
fn steering_survives_a_kill() {
    let told = [
        "limit ticks 30000",
        "limit seconds 45",
        "retry sg_1",
        "act wait 60",
        "replan other trees",
    ];
    let told =
        told.map(|words| pithead_core::domain::run::steering::parse_steering(words).unwrap());
    let whole = commanded(&told, None);
    let kinds = |wanted: fn(&Event) -> bool| whole.iter().filter(|f| wanted(&f.event)).count();
    assert_eq!(kinds(|event| matches!(event, Event::Steered { .. })), 4);
    assert_eq!(
        kinds(|event| matches!(event, Event::CommandRefused { .. })),
        0
    );
    assert_eq!(kinds(|event| matches!(event, Event::PlanAdopted { .. })), 2);
    let seconds = whole.iter().find_map(|fact| match &fact.event {
        Event::AttemptEnded { experience, .. } => Some(experience.action.timeout_s),
        _ => None,
    });
    assert_eq!(seconds, Some(45), "the attempt under way has the new time");
    // Each command is heard in a turn of its own; what was not heard is not in the run.
    for killed_after in [5, 6, 7, 9] {
        let what = format!("killed {killed_after} turns after the first frame");
        same(&commanded(&told, Some(killed_after)), &whole, &what);
    }
}

#[test]
fn a_pause_between_two_steps_outlives_its_process() {
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, mut link) = begun(&place, &clock, Gates::headless());
    drive_until(&mut driver, &mut link, |event| {
        matches!(event, Event::FrameSeen { .. })
    });
    link.send(pithead_core::domain::run::steering::parse_steering("pause soon").unwrap())
        .unwrap();
    drive_until(&mut driver, &mut link, |event| {
        matches!(event, Event::Paused { .. })
    });
    let last = events(&place.path);
    let ended = |fact: &Recorded| matches!(fact.event, Event::AttemptEnded { .. });
    assert!(
        last.iter().rev().take(4).any(ended),
        "paused elsewhere: {last:?}"
    );
    drop((driver, link));
    let (mut driver, link) = again(RUN, parts(&place.path, &clock)).unwrap();
    assert!(driver.state.at_break, "nothing continues by itself");
    link.send(Command::Resume).unwrap();
    drive(&mut driver, TURNS_MAX);
    assert!(driver.state.is_over());
}
