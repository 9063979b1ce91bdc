//! The real program in a terminal, by the clock: first frame, a run of a million events, a key under a
//! flood of events, an idle minute, memory on an endless run.
//!
//! `cargo bench --bench terminal` prints medians; names behind `--` choose some of the five.

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // a benchmark reads the clock and prints

mod common;

use pithead::clock::Millis;
use pithead::domain::event::Event;
use pithead::ids::RunId;
use pithead::journal::{Durability, Journal};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_pithead");
const EVENTS: usize = 1_000_000;
/// Events in one transaction while the long run is made.
const BATCH: usize = 10_000;
const STARTS: usize = 21;
const PRESSES: usize = 500;
/// Events that come in a second, in as many transactions.
const FLOOD: (usize, usize) = (10_000, 100);
const IDLE: Duration = Duration::from_secs(60);
/// Nothing takes so long.
const DEADLINE: Duration = Duration::from_secs(120);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let wants = |name: &str| {
        let mut names = wanted.iter().filter(|arg| !arg.starts_with('-'));
        names.clone().next().is_none() || names.any(|wanted| wanted == name)
    };
    let benches: [(&str, fn()); 4] = [
        ("start", start),
        ("open", open),
        ("keys", keys),
        ("idle", idle),
    ];
    for (name, bench) in benches {
        if wants(name) {
            bench();
        }
    }
}

/// The program in a terminal of 120×36.
struct Sitting {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    written: usize,
}

impl Sitting {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let size = PtySize {
            rows: 36,
            cols: 120,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system()
            .openpty(size)
            .expect("there are terminals");
        let mut command = CommandBuilder::new(BINARY);
        command.args(args);
        command.env("PITHEAD_DB", folder.join("pithead.db"));
        command.env("HOME", folder);
        command.env("TERM", "xterm-256color");
        let child = pty.slave.spawn_command(command).expect("it starts");
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().expect("it is read");
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 65_536];
            while let Ok(n) = reader.read(&mut buffer)
                && n > 0
                && sender.send(buffer[..n].to_vec()).is_ok()
            {}
        });
        let keys = pty.master.take_writer().expect("it is typed into");
        Self {
            child,
            _master: pty.master,
            keys,
            bytes,
            screen: vt100::Parser::new(36, 120, 0),
            written: 0,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it is typed");
        self.keys.flush().expect("it is typed");
    }

    /// Until the words stand on the screen, or no longer do.
    fn wait(&mut self, words: &str, there: bool) {
        let until = Instant::now() + DEADLINE;
        while self.screen.screen().contents().contains(words) != there {
            let left = until.saturating_duration_since(Instant::now());
            let bytes = self.bytes.recv_timeout(left).unwrap_or_else(|_| {
                panic!(
                    "`{words}`: {there}? on\n{}",
                    self.screen.screen().contents()
                )
            });
            self.take(&bytes);
        }
    }

    /// Takes in what comes for so long; the bytes.
    fn settle(&mut self, time: Duration) -> usize {
        let until = Instant::now() + time;
        let before = self.written;
        while let Ok(bytes) = self
            .bytes
            .recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            self.take(&bytes);
        }
        self.written - before
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.written += bytes.len();
    }

    /// Seconds of a processor that it has used.
    fn cpu(&self) -> f64 {
        let id = self.child.process_id().expect("it runs");
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        let rest = stat.rsplit(')').next().unwrap_or_default();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks: u64 = fields[11..13]
            .iter()
            .filter_map(|n| n.parse::<u64>().ok())
            .sum();
        ticks as f64 / 100.0
    }

    /// Resident memory in MiB.
    fn memory(&self) -> f64 {
        let id = self.child.process_id().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        kib.unwrap_or(0.0) / 1024.0
    }

    fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn told(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let at = |share: f64| ms(times[((times.len() - 1) as f64 * share).round() as usize]);
    println!(
        "{name}: median {:.1} ms, p99 {:.1} ms, fastest {:.1} ms, of {}",
        at(0.5),
        at(0.99),
        at(0.0),
        times.len()
    );
}

/// From process start until the first frame is on the screen, on an empty folder.
fn start() {
    let times = (0..STARTS).map(|_| {
        let folder = common::folder();
        let began = Instant::now();
        let mut sitting = Sitting::start(folder.path(), &[]);
        sitting.wait("quit", true);
        let took = began.elapsed();
        sitting.kill();
        took
    });
    told("first frame from process start", times.collect());
}

/// A real run made long: what follows the first frame comes round again and again.
fn long_run(path: &Path, events: usize) -> RunId {
    let recorded = common::record(common::DIAMOND, 7);
    let mut journal = Journal::open(path, Durability::Normal).expect("a journal is made");
    let config = common::run_config(common::DIAMOND, 7);
    let run = journal
        .create_run(config, Millis(1))
        .expect("it takes a run");
    let mut round = cycle(&recorded);
    let mut left = events;
    while left > 0 {
        let batch: Vec<Event> = round.by_ref().take(BATCH.min(left)).collect();
        left -= batch.len();
        journal
            .append(run, Millis(1), batch)
            .expect("it takes events");
    }
    run
}

fn cycle(recorded: &[pithead::domain::event::Recorded]) -> impl Iterator<Item = Event> + '_ {
    let events = recorded.iter().map(|fact| &fact.event);
    // The journal writes the first event itself, the last one ends the run, and attempts have ids that
    // are stored once only.
    let fits = |event: &&Event| {
        !matches!(
            event,
            Event::RunStarted { .. }
                | Event::RunEnded { .. }
                | Event::AttemptEnded { .. }
                | Event::KnowledgeProposed { .. }
        )
    };
    let events: Vec<Event> = events.filter(fits).cloned().collect();
    (0..).map(move |n: usize| events[n % events.len()].clone())
}

/// A run of a million events, from process start until it is on the screen.
fn open() {
    let folder = common::folder();
    let run = long_run(&folder.path().join("pithead.db"), EVENTS);
    let times = (0..STARTS / 2).map(|_| {
        let began = Instant::now();
        let number = run.to_string();
        let mut sitting = Sitting::start(folder.path(), &["replay", &number]);
        sitting.wait("1,000,0", true);
        let took = began.elapsed();
        sitting.kill();
        took
    });
    told(
        "a run of 1,000,000 events to its first frame",
        times.collect(),
    );
}

/// Keys while events come, and what memory does meanwhile.
fn keys() {
    let folder = common::folder();
    let path: PathBuf = folder.path().join("pithead.db");
    let run = long_run(&path, BATCH);
    let recorded = common::record(common::DIAMOND, 7);
    let mut journal = Journal::open(&path, Durability::Normal).expect("it is there");
    let lock = journal.lock_driver(run).expect("nobody else drives it");
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let flood = std::thread::spawn(move || {
        let mut round = cycle(&recorded);
        let (events, turns) = FLOOD;
        let pause = Duration::from_secs(1) / u32::try_from(turns).unwrap_or(1);
        let (began, mut n) = (Instant::now(), 0_u32);
        while !stopped.load(Ordering::Relaxed) {
            let batch: Vec<Event> = round.by_ref().take(events / turns).collect();
            journal
                .append(run, Millis(1), batch)
                .expect("it takes events");
            n += 1;
            let due = began + pause * n;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        drop(lock);
        f64::from(n) * (events / turns) as f64 / began.elapsed().as_secs_f64()
    });
    let number = run.to_string();
    let mut sitting = Sitting::start(folder.path(), &["watch", &number]);
    sitting.wait("Monitor", true);
    sitting.settle(Duration::from_secs(2));
    let before = sitting.memory();
    let mut times = Vec::new();
    for n in 0..PRESSES {
        let opens = n % 2 == 0;
        let began = Instant::now();
        sitting.press(if opens { "?" } else { "q" });
        sitting.wait("The run's screen", opens);
        times.push(began.elapsed());
        sitting.settle(Duration::from_millis(37));
    }
    told("key to frame while events come", times);
    sitting.settle(Duration::from_secs(60));
    let after = sitting.memory();
    stop.store(true, Ordering::Relaxed);
    let rate = flood.join().expect("it only appends");
    println!(
        "  at {rate:.0} events/s; memory {before:.0} MiB at the beginning, {after:.0} MiB at the end"
    );
    sitting.kill();
}

/// A recording that stands still, for a minute.
fn idle() {
    let folder = common::folder();
    let run = long_run(&folder.path().join("pithead.db"), BATCH);
    let number = run.to_string();
    for (name, keys) in [
        ("the run's screen", "G"),
        ("the Debug screen", "G3"),
        ("the inbox", "2"),
    ] {
        let mut sitting = Sitting::start(folder.path(), &["replay", &number]);
        sitting.wait("recording", true);
        sitting.press(keys);
        sitting.settle(Duration::from_secs(5));
        let before = sitting.cpu();
        let bytes = sitting.settle(IDLE);
        let used = (sitting.cpu() - before) / IDLE.as_secs_f64() * 100.0;
        println!("idle for 60 s on {name}: {bytes} bytes written, {used:.2} % of a processor");
        sitting.kill();
    }
}
