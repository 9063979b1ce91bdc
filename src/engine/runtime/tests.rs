//! Tests of the driver: the real core and world, driven turn by turn or by its own thread.

mod steering;

use super::driver::Driver;
use super::open::{again, begin};
use super::{DriverStatus, Link, Pace, Parts, resume, start};
use crate::journal::{Durability, Journal};
use crate::mind::builtin::{Builtin, errors::Level};
use crate::mind::{Mind, MindQuestion, MindReply, Silence};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{Fallback, GateKind, Gates, Policy};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::samples;
use pithead_world::clock::Clock;
use pithead_world::ids::{RunId, Seq};
use pithead_world::port::{Notice, Request, World};
use pithead_world::voxel::world::VoxelWorld;
use std::path::{Path, PathBuf};
use std::time::Duration;

const RUN: RunId = RunId(1);
/// Far more than any run here takes.
const TURNS_MAX: usize = 5_000;

pub(super) struct Place {
    _folder: tempfile::TempDir,
    pub(super) path: PathBuf,
}

pub(super) fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pithead.db");
    Place {
        _folder: folder,
        path,
    }
}

pub(super) fn run_config(gates: Gates) -> RunConfig {
    let mut config = samples::config();
    config.task = Task::parse("craft a wooden pickaxe").unwrap();
    config.world.seed = 7;
    config.mind = "builtin:expert".to_owned();
    config.gates = gates;
    config
}

/// Both ends of a run that has its first event and no more.
pub(super) fn begun(place: &Place, clock: &Clock, gates: Gates) -> (Driver, Link) {
    begin(run_config(gates), parts(&place.path, clock), Vec::new()).unwrap()
}

pub(super) fn parts(path: &Path, clock: &Clock) -> Parts {
    let journal = Journal::open(path, Durability::Normal).unwrap();
    Parts {
        journal,
        world: Box::new(VoxelWorld::new()),
        mind: Box::new(Builtin::new(Level::Expert, 7)),
        embedder: Box::new(crate::memory::Hashed),
        clock: clock.clone(),
        pace: Pace::Max,
        operator: "ann".to_owned(),
    }
}

fn events(path: &Path) -> Vec<Recorded> {
    Journal::look(path)
        .unwrap()
        .events(RUN, Seq(0), usize::MAX)
        .unwrap()
}

/// Whole runs are megabytes: only where they part is printed.
#[track_caller]
fn same(found: &[Recorded], expected: &[Recorded], what: &str) {
    let parted = found.iter().zip(expected).find(|(a, b)| a != b);
    assert!(parted.is_none(), "{what}: {parted:#?}");
    assert_eq!(found.len(), expected.len(), "{what}");
}

/// Drives at most so many turns; the number taken.
fn drive(driver: &mut Driver, turns_max: usize) -> usize {
    for turn in 0..turns_max {
        if driver.state.is_over() {
            return turn;
        }
        assert!(driver.turn().unwrap());
    }
    turns_max
}

/// Drives until a fact of this kind has been applied.
fn drive_until(driver: &mut Driver, link: &mut Link, wanted: impl Fn(&Event) -> bool) {
    for _ in 0..TURNS_MAX {
        assert!(driver.turn().unwrap());
        if link
            .drain(usize::MAX)
            .unwrap()
            .iter()
            .any(|fact| wanted(&fact.event))
        {
            return;
        }
    }
    panic!("it never came");
}

/// The run from beginning to end without a break.
fn unbroken() -> (Vec<Recorded>, usize) {
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, _link) = begun(&place, &clock, Gates::headless());
    let turns = drive(&mut driver, TURNS_MAX);
    drop(driver);
    (events(&place.path), turns)
}

#[test]
fn a_run_killed_after_any_turn_resumes_to_the_same_end() {
    let (whole, turns) = unbroken();
    assert!(matches!(
        whole.last().unwrap().event,
        Event::RunEnded {
            outcome: Outcome::Success,
            ..
        }
    ));
    // Every turn would take a minute; seven is prime to the rhythm of frames and attempts.
    for killed_after in (1..turns).step_by(7) {
        let (place, clock) = (place(), Clock::manual(1_000));
        let (mut driver, link) = begun(&place, &clock, Gates::headless());
        drive(&mut driver, killed_after);
        drop((driver, link));
        let (mut driver, _link) = again(RUN, parts(&place.path, &clock)).unwrap();
        drive(&mut driver, TURNS_MAX);
        drop(driver);
        same(
            &events(&place.path),
            &whole,
            &format!("killed after turn {killed_after}"),
        );
    }
}

/// The operator commands at the first frame; the run is killed so many turns later, if at all.
fn commanded(commands: &[Command], killed_after: Option<usize>) -> Vec<Recorded> {
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, mut link) = begun(&place, &clock, Gates::headless());
    drive_until(&mut driver, &mut link, |event| {
        matches!(event, Event::FrameSeen { .. })
    });
    for command in commands {
        link.send(command.clone()).unwrap();
    }
    match killed_after {
        None => drive(&mut driver, TURNS_MAX),
        Some(turns) => {
            drive(&mut driver, turns);
            drop((driver, link));
            let (mut driver, _link) = again(RUN, parts(&place.path, &clock)).unwrap();
            drive(&mut driver, TURNS_MAX)
        }
    };
    events(&place.path)
}

#[test]
fn what_the_operator_does_for_the_agent_survives_a_kill() {
    let words = "wait 60".to_owned();
    let act = [Command::Act { words }];
    let whole = commanded(&act, None);
    let acts = whole.iter().filter_map(|fact| match &fact.event {
        Event::AttemptEnded { experience, .. } if experience.by_operator => Some(experience),
        _ => None,
    });
    let acts: Vec<bool> = acts.map(|act| act.diagnosis.success).collect();
    assert_eq!(acts, [true]);
    assert!(matches!(
        whole.last().unwrap().event,
        Event::RunEnded {
            outcome: Outcome::Success,
            ..
        }
    ));
    for killed_after in [1, 3] {
        let what = format!("killed {killed_after} turns after the act");
        same(&commanded(&act, Some(killed_after)), &whole, &what);
    }
}

#[test]
fn a_client_that_lags_gets_every_event_once() {
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, mut link) = begun(&place, &clock, Gates::headless());
    let mut seen = link.drain(1).unwrap();
    for _ in 0..6_000 {
        driver.publisher.publish(
            driver
                .journal
                .append(RUN, clock.now(), vec![Event::WorldAsked])
                .unwrap()
                .remove(0),
        );
        if seen.len() % 1_000 == 1 {
            seen.extend(link.drain(3).unwrap());
        }
    }
    while let Some(more) = Some(link.drain(500).unwrap()).filter(|more| !more.is_empty()) {
        seen.extend(more);
    }
    assert!(seen == events(&place.path));
}

#[test]
fn a_full_disk_stops_the_run_and_room_lets_it_go_on() {
    let (whole, _) = unbroken();
    let (place, clock) = (place(), Clock::manual(1_000));
    let parts_now = parts(&place.path, &clock);
    parts_now.journal.limit_pages(40);
    let mut link = start(run_config(Gates::headless()), parts_now).unwrap();
    let because = loop {
        link.recv(Duration::from_millis(20)).unwrap();
        match link.status() {
            DriverStatus::Running => (),
            DriverStatus::Stopped { because } => break because,
            DriverStatus::Over => panic!("so few pages were enough"),
        }
    };
    assert!(
        because.contains("make room and `pithead resume`"),
        "{because}"
    );
    link.close();
    let before = events(&place.path).len();
    assert!(before < whole.len());
    let link = resume(RUN, parts(&place.path, &clock)).unwrap();
    assert_eq!(follow(link), DriverStatus::Over);
    same(&events(&place.path), &whole, "after the disk was full");
}

/// To the end of the run.
fn follow(mut link: Link) -> DriverStatus {
    while link.status() == DriverStatus::Running {
        link.recv(Duration::from_millis(20)).unwrap();
    }
    link.close().status
}

#[test]
fn a_client_that_leaves_leaves_a_run_that_can_be_resumed() {
    let (place, clock) = (place(), Clock::manual(1_000));
    let gates = Gates([(GateKind::Plan, Policy::Ask)].into());
    let mut link = start(run_config(gates), parts(&place.path, &clock)).unwrap();
    let mut seen = Vec::new();
    while !seen
        .iter()
        .any(|fact: &Recorded| matches!(fact.event, Event::DecisionAsked { .. }))
    {
        seen.extend(link.recv(Duration::from_millis(20)).unwrap());
    }
    let refused = resume(RUN, parts(&place.path, &clock))
        .unwrap_err()
        .to_string();
    assert!(refused.contains("is being driven by process"), "{refused}");
    let status = link.close().status;
    assert_eq!(
        status,
        DriverStatus::Stopped {
            because: "the operator left".to_owned()
        }
    );
    let link = resume(RUN, parts(&place.path, &clock)).unwrap();
    link.send(Command::Abort {
        reason: "enough".to_owned(),
    })
    .unwrap();
    assert_eq!(follow(link), DriverStatus::Over);
    let over = resume(RUN, parts(&place.path, &clock))
        .unwrap_err()
        .to_string();
    assert!(over.contains("has ended"), "{over}");
}

#[test]
fn a_pause_holds_the_world_and_a_step_lets_one_frame_through() {
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, mut link) = begun(&place, &clock, Gates::headless());
    drive_until(&mut driver, &mut link, |event| {
        matches!(event, Event::FrameSeen { .. })
    });
    let tick = driver.world.tick();
    link.send(Command::Pause).unwrap();
    drive(&mut driver, 1);
    assert!(!driver.state.wants_world());
    link.send(Command::Step).unwrap();
    drive(&mut driver, 2);
    assert_eq!(driver.world.tick(), tick + 20);
    assert!(!driver.state.wants_world());
    let said: Vec<String> = link
        .drain(9)
        .unwrap()
        .iter()
        .map(|f| crate::journal::kind(&f.event).to_owned())
        .collect();
    assert_eq!(said, ["run.paused", "run.stepped", "frame.seen"]);
}

#[test]
fn a_deadline_wakes_the_core_once() {
    let (place, clock) = (place(), Clock::manual(1_000));
    let policy = Policy::AskFor {
        seconds: 60,
        then: Fallback::Approve,
    };
    let gates = Gates([(GateKind::Plan, policy)].into());
    let (mut driver, mut link) = begun(&place, &clock, gates);
    drive_until(&mut driver, &mut link, |event| {
        matches!(event, Event::DecisionAsked { .. })
    });
    clock.advance(60_000);
    drive(&mut driver, 1);
    let said = link.drain(9).unwrap();
    assert!(
        matches!(said[0].event, Event::DecisionMade { .. }),
        "{:?}",
        said[0].event
    );
    assert_eq!(said[0].at.0, 61_000);
}

#[test]
fn who_looks_through_its_eyes_changes_nothing() {
    let (whole, _) = unbroken();
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, mut link) = begun(&place, &clock, Gates::headless());
    let mut pictures = 0;
    for _ in 0..TURNS_MAX {
        if driver.state.is_over() {
            break;
        }
        assert!(driver.turn().unwrap());
        link.drain(usize::MAX).unwrap();
        // The wish is taken before anything else.
        link.ask_view(24, 16);
        assert!(driver.turn().unwrap());
        let seen = link.view();
        pictures += u32::from(seen.is_some_and(|seen| (seen.width, seen.rgb.len()) == (24, 384)));
    }
    assert!(pictures > 10, "{pictures}");
    drop((driver, link));
    same(&events(&place.path), &whole, "watched");
}

/// A world whose sums are wrong from a tick on, as those of another version would be.
struct Astray(Box<dyn World>);

impl World for Astray {
    fn request(&mut self, request: Request) {
        self.0.request(request);
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        let mut notices = self.0.poll(ticks_max);
        for notice in &mut notices {
            if let Notice::Frame(frame) = notice
                && frame.tick >= 100
            {
                frame.checksum = (frame.checksum.value() ^ 1).into();
            }
        }
        notices
    }

    fn tick(&self) -> u64 {
        self.0.tick()
    }
}

#[test]
fn a_world_that_goes_another_way_is_not_resumed() {
    let (place, clock) = (place(), Clock::manual(1_000));
    let (mut driver, link) = begun(&place, &clock, Gates::headless());
    drive(&mut driver, 16);
    drop((driver, link));
    let mut other = parts(&place.path, &clock);
    other.world = Box::new(Astray(other.world));
    let before = events(&place.path);
    let text = again(RUN, other).err().unwrap().to_string();
    assert!(
        text.contains("run 1 cannot be resumed: the world differs from the recording at tick 100"),
        "{text}"
    );
    assert!(events(&place.path) == before);
}

/// Thinks until it is told to stop.
struct Slow;

impl Mind for Slow {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    fn answer(&mut self, _: &Ask) -> Result<String, String> {
        unreachable!("a slow mind is asked to think")
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn think(&mut self, question: &MindQuestion<'_>) -> MindReply {
        while !question.watch.is_cancelled(question.call) {
            std::thread::yield_now();
        }
        MindReply {
            result: Err(Silence::Failed("cancelled".to_owned())),
            spent: None,
        }
    }
}

fn slow_run(path: &Path) -> Link {
    let mut parts = parts(path, &Clock::System);
    parts.mind = Box::new(Slow);
    let mut link = start(run_config(Gates::headless()), parts).unwrap();
    while !link
        .recv(Duration::from_millis(20))
        .unwrap()
        .iter()
        .any(|fact| matches!(fact.event, Event::MindAsked { .. }))
    {}
    link
}

#[test]
fn commands_are_heard_while_a_mind_thinks() {
    let place = place();
    let link = slow_run(&place.path);
    link.send(Command::Pause).unwrap();
    link.send(Command::Abort {
        reason: "too slow".to_owned(),
    })
    .unwrap();
    while link.status() == DriverStatus::Running {
        std::thread::yield_now();
    }
    assert_eq!(link.close().status, DriverStatus::Over);
    let kinds: Vec<&str> = events(&place.path)
        .iter()
        .map(|fact| crate::journal::kind(&fact.event))
        .collect();
    assert!(
        kinds.ends_with(&["mind.asked", "run.paused", "run.ended"]),
        "{kinds:?}"
    );
}

#[test]
fn a_client_that_leaves_calls_off_what_the_mind_thinks_and_the_run_can_go_on() {
    let place = place();
    let link = slow_run(&place.path);
    assert!(matches!(link.close().status, DriverStatus::Stopped { .. }));
    let parts = parts(&place.path, &Clock::manual(1_000));
    let (mut driver, _link) = again(RUN, parts).unwrap();
    drive(&mut driver, TURNS_MAX);
    assert!(driver.state.is_over());
}
