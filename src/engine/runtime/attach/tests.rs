//! Two processes on one run, played by two connections: what guests see, may do and may not.

use super::*;
use crate::journal::Journal;
use crate::runtime::operator::Operator;
use crate::runtime::operator::tell::{Route, send_command};
use crate::runtime::tests::{Place, parts, place, run_config};
use crate::runtime::{DriverStatus, Link, start};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{GateKind, Gates, Policy};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::clock::Clock;
use pithead_world::ids::{RunId, Seq};
use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

/// A run that waits for its operator, and so stays where it is.
fn waiting() -> (Place, Link) {
    let place = place();
    let gates = Gates([(GateKind::Plan, Policy::Ask)].into());
    let link = start(run_config(gates), parts(&place.path, &Clock::System)).unwrap();
    (place, link)
}

fn guest(place: &Place, name: &str) -> Attached {
    Attached::open(Journal::look(&place.path).unwrap(), RunId(1), name).unwrap()
}

/// Takes in what comes until something wanted is there.
fn wait_for(guest: &mut Attached, wanted: impl Fn(&Event) -> bool) -> Vec<Recorded> {
    let mut all = Vec::new();
    for _ in 0..2000 {
        all.extend(guest.recv(Duration::from_millis(5)).unwrap());
        if all.iter().any(|fact| wanted(&fact.event)) {
            return all;
        }
    }
    panic!("it never came");
}

#[test]
fn a_guest_sees_every_event_once_and_its_commands_carry_its_name() {
    let (place, link) = waiting();
    let _host = Host::open(&link, Seat::Free).unwrap();
    let mut bea = guest(&place, "bea");
    wait_for(&mut bea, |event| {
        matches!(event, Event::DecisionAsked { .. })
    });
    bea.send(Command::Pause).unwrap();
    let seen = wait_for(&mut bea, |event| matches!(event, Event::Paused { .. }));
    let paused = seen.iter().find_map(|fact| match &fact.event {
        Event::Paused { by } => Some(by.clone()),
        _ => None,
    });
    assert_eq!(paused.as_deref(), Some("bea"));
    assert_eq!(bea.status(), DriverStatus::Running);
    let written = Journal::look(&place.path).unwrap();
    let written = written.events(RunId(1), Seq(0), usize::MAX).unwrap();
    let mut again = guest(&place, "cyd");
    assert_eq!(again.drain(usize::MAX).unwrap(), written);
    assert_eq!(again.drain(usize::MAX).unwrap(), []);
}

#[test]
fn one_client_commands_and_the_others_observe() {
    let (place, link) = waiting();
    let _host = Host::open(&link, Seat::Free).unwrap();
    let (mut bea, mut cyd) = (guest(&place, "bea"), guest(&place, "cyd"));
    bea.send(Command::Pause).unwrap();
    assert_eq!(
        cyd.send(Command::Resume),
        Err(SendError::Refused(
            "bea commands this run; you observe it".to_owned()
        ))
    );
    drop(bea);
    // The host learns of a guest's end by reading, which is in another thread.
    let taken = (0..400).any(|_| {
        std::thread::park_timeout(Duration::from_millis(5));
        cyd.send(Command::Resume).is_ok()
    });
    assert!(taken, "the seat stayed taken");
}

#[test]
fn a_guest_that_says_nothing_gives_its_seat_back_and_can_come_again() {
    let (place, link) = waiting();
    let _host = Host::open_for(&link, Seat::Free, Duration::from_millis(200)).unwrap();
    let (mut bea, mut cyd) = (guest(&place, "bea"), guest(&place, "cyd"));
    bea.send(Command::Pause).unwrap();
    let takes_seat = |guest: &mut Attached| {
        (0..400).any(|_| {
            std::thread::park_timeout(Duration::from_millis(5));
            guest.send(Command::Pause).is_ok()
        })
    };
    assert!(takes_seat(&mut cyd), "the seat stayed taken");
    assert!(takes_seat(&mut bea), "who was let go cannot come again");
}

/// Its answers fill what lies between the two, and nobody may wait for it then.
#[test]
fn a_guest_that_reads_no_answers_gives_its_seat_back() {
    let (place, link) = waiting();
    let _host = Host::open(&link, Seat::Free).unwrap();
    let mut deaf = door::knock(&place.path, RunId(1)).unwrap();
    deaf.set_write_timeout(Some(Duration::from_secs(1)))
        .unwrap();
    writeln!(deaf, r#"{{"schema":2,"operator":"bea"}}"#).unwrap();
    writeln!(deaf, r#"{{"command":{{"command":"pause"}}}}"#).unwrap();
    while writeln!(deaf, "{{}}").is_ok() {}
    let mut cyd = guest(&place, "cyd");
    let taken = (0..1_000).any(|_| {
        std::thread::park_timeout(Duration::from_millis(10));
        cyd.send(Command::Resume).is_ok()
    });
    assert!(taken, "the seat stayed taken");
}

#[test]
fn the_operator_who_drives_keeps_the_seat() {
    let (place, link) = waiting();
    let _host = Host::open(&link, Seat::Taken).unwrap();
    let refused = guest(&place, "bea").send(Command::Pause).unwrap_err();
    assert_eq!(refused.to_string(), "ann commands this run; you observe it");
}

#[test]
fn the_death_of_a_guest_is_harmless_and_that_of_a_host_is_reported() {
    let (place, link) = waiting();
    let host = Host::open(&link, Seat::Free).unwrap();
    let mut bea = guest(&place, "bea");
    wait_for(&mut bea, |event| {
        matches!(event, Event::DecisionAsked { .. })
    });
    drop(host);
    drop(link.close());
    let stopped = (0..400).any(|_| {
        bea.recv(Duration::from_millis(1)).unwrap();
        matches!(bea.status(), DriverStatus::Stopped { .. })
    });
    assert!(stopped, "{:?}", bea.status());
    let said = bea.send(Command::Pause).unwrap_err().to_string();
    assert!(
        said.starts_with("the process that drives run 1 does not answer"),
        "{said}"
    );
}

#[test]
fn what_is_no_command_is_refused_and_nothing_breaks() {
    let (place, link) = waiting();
    let _host = Host::open(&link, Seat::Free).unwrap();
    let talk = |lines: &[&str]| {
        let stream = door::knock(&place.path, RunId(1)).unwrap();
        let mut reader = BufReader::new(stream);
        let mut answers = Vec::new();
        for line in lines {
            reader
                .get_mut()
                .write_all(format!("{line}\n").as_bytes())
                .unwrap();
            let mut answer = String::new();
            reader.read_line(&mut answer).unwrap();
            answers.push(answer);
        }
        answers
    };
    let hello = r#"{"schema":2,"operator":"mal\u001b[31m"}"#;
    assert!(talk(&["nonsense"])[0].contains("refused"));
    assert!(talk(&[r#"{"schema":9,"operator":"x"}"#])[0].contains("same version"));
    let answers = talk(&[
        hello,
        r#"{"command":{"command":"explode"}}"#,
        r#"{"command":{"command":"pause"}}"#,
    ]);
    assert!(answers[1].contains("this is no command"), "{answers:?}");
    assert_eq!(answers[2], "\"taken\"\n");
    let mut bea = guest(&place, "bea");
    let seen = wait_for(&mut bea, |event| matches!(event, Event::Paused { .. }));
    let clean = seen
        .iter()
        .any(|fact| matches!(&fact.event, Event::Paused { by } if by == "mal[31m"));
    assert!(clean);
}

#[test]
fn a_run_is_told_where_it_is_driven_and_where_it_was_left() {
    let (place, link) = waiting();
    let host = Host::open(&link, Seat::Free).unwrap();
    let bea = Operator::new(&place.path, "bea", Clock::System);
    let told = |words: &str| {
        let command = pithead_core::domain::run::steering::parse_steering(words).unwrap();
        send_command(&bea, RunId(1), &command).map_err(|error| error.to_string())
    };
    assert_eq!(told("limit ticks 30000"), Ok(Route::Driver));
    assert_eq!(told("pause"), Ok(Route::Driver));
    let refused = told("pause").unwrap_err();
    assert!(refused.contains("paused already"), "{refused}");
    drop(host);
    drop(link.close());
    assert_eq!(told("limit attempts 3"), Ok(Route::WaitingRun));
    assert_eq!(told("resume"), Ok(Route::WaitingRun));
    assert_eq!(told("abort enough"), Ok(Route::WaitingRun));
    let refused = told("resume").unwrap_err();
    assert!(refused.contains("over"), "{refused}");
    let written = Journal::look(&place.path).unwrap();
    let written = written.events(RunId(1), Seq(0), usize::MAX).unwrap();
    let steered: Vec<String> = written
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::Steered { how, by } => Some(format!("{by}: {how}")),
            _ => None,
        })
        .collect();
    assert_eq!(steered, ["bea: limit ticks 30000", "bea: limit attempts 3"]);
}

fn console(place: &Place, name: &str, kind: GuestKind) -> Attached {
    Attached::open_as(kind, Journal::look(&place.path).unwrap(), RunId(1), name).unwrap()
}

/// Looks again and again, since news come over another thread.
fn eventually(mut holds: impl FnMut() -> bool) -> bool {
    (0..1000).any(|_| {
        std::thread::park_timeout(Duration::from_millis(5));
        holds()
    })
}

#[test]
fn consoles_see_who_is_there_ask_for_command_and_hand_it_over() {
    let (place, link) = waiting();
    let host = Host::open(&link, Seat::Free).unwrap();
    let mut ada = console(&place, "ada", GuestKind::CommandingConsole);
    let mut bea = console(&place, "bea", GuestKind::Console);
    let sees = |guest: &Attached, wanted: fn(&presence::Presence) -> bool| {
        eventually(|| guest.presence().is_some_and(|presence| wanted(&presence)))
    };
    assert!(sees(&ada, |seen| seen.commands() && seen.others() == 1));
    assert!(sees(&bea, |seen| seen.other_commander() == Some("ada")));
    assert_eq!(host.consoles(), 2);
    assert!(bea.send(Command::Pause).is_err());
    bea.ask_seat().unwrap();
    assert!(sees(&ada, |seen| seen.asking().is_some()));
    let asking = ada.presence().and_then(|seen| Some(seen.asking()?.id));
    ada.give_seat(asking.unwrap()).unwrap();
    assert!(sees(&bea, presence::Presence::commands));
    bea.send(Command::Pause).unwrap();
    assert!(ada.send(Command::Resume).is_err());
    drop(bea);
    assert!(sees(&ada, |seen| seen.others() == 0));
    ada.send(Command::Resume).unwrap();
}

#[test]
fn a_console_sees_what_the_body_sees_and_why_the_driver_ends() {
    let place = place();
    let gates = Gates([(GateKind::Plan, Policy::Ask)].into());
    let link = start(run_config(gates), parts(&place.path, &Clock::System)).unwrap();
    let host = Host::open(&link, Seat::Free).unwrap();
    let mut ada = console(&place, "ada", GuestKind::CommandingConsole);
    wait_for(&mut ada, |event| {
        matches!(event, Event::DecisionAsked { .. })
    });
    ada.ask_view(32, 24);
    assert!(eventually(|| ada.view().is_some()), "no picture came");
    let seen = ada.view().unwrap();
    assert_eq!((seen.width, seen.height), (32, 24));
    ada.stop().unwrap();
    assert!(eventually(|| host.is_stop_asked()));
    host.say_stopped("the operator stopped it");
    drop(link.close());
    let told = eventually(|| {
        ada.drain(10).unwrap();
        matches!(ada.status(), DriverStatus::Stopped { because } if because.contains("the operator stopped it"))
    });
    assert!(told, "{:?}", ada.status());
}

#[test]
fn a_console_that_looks_on_gives_the_seat_back_and_stays() {
    let (place, link) = waiting();
    let _host = Host::open_for(&link, Seat::Free, Duration::from_millis(100)).unwrap();
    let ada = console(&place, "ada", GuestKind::CommandingConsole);
    let given = eventually(|| ada.presence().is_some_and(|seen| seen.commander.is_none()));
    assert!(given, "{:?}", ada.presence());
    let mut bea = console(&place, "bea", GuestKind::Console);
    bea.send(Command::Pause).unwrap();
    assert!(eventually(|| {
        ada.presence()
            .is_some_and(|seen| seen.other_commander() == Some("bea"))
    }));
}
