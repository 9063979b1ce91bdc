//! Timings of the real program in a terminal: first frame, a run of a million events, a key under a
//! flood of events, eight consoles on one run, an idle minute, memory on an endless run.
//!
//! `cargo bench --bench figures -- terminal` prints medians; further names choose some of the six.

use crate::common;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Durability, Journal};
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const EVENTS: usize = 1_000_000;
/// Events in one transaction while the long run is made.
const BATCH: usize = 10_000;
const STARTS: usize = 21;
const PRESSES: usize = 500;
/// Events that come in a second, in as many transactions.
const FLOOD: (usize, u32) = (10_000, 100);
/// Consoles on one run, and how long their processor time is looked at.
const WATCHING: usize = 8;
const LOOKED_AT: Duration = Duration::from_secs(16);
/// How long memory is looked at under the flood, and how often.
const GROWTH: (Duration, usize) = (Duration::from_secs(20), 6);
/// Within this what was folded is on the disk.
const KEPT: Duration = Duration::from_secs(1);
const IDLE: Duration = Duration::from_secs(60);
/// Nothing takes so long.
const DEADLINE: Duration = Duration::from_secs(600);

/// The program that is measured: that of this build, or the one that `PITHEAD_BINARY` names, so that a release build
/// can be measured without building the benchmarks with it.
fn binary() -> OsString {
    std::env::var_os("PITHEAD_BINARY").unwrap_or(env!("CARGO_BIN_EXE_pithead").into())
}

/// `arguments` are the words behind the name on the command line.
pub(crate) fn print_figures(arguments: &[String]) {
    let benches: [(&str, fn()); 6] = [
        ("start", start),
        ("open", open),
        ("keys", keys),
        ("eight", eight),
        ("memory", memory),
        ("idle", idle),
    ];
    for (name, bench) in benches {
        if arguments.is_empty() || arguments.iter().any(|wanted| wanted == name) {
            bench();
        }
    }
}

/// The program in a terminal of 120×36.
struct Console {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    written: usize,
}

impl Console {
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
        let mut command = CommandBuilder::new(binary());
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

    /// Milliseconds of a processor that all its threads have used.
    fn cpu(&self) -> f64 {
        let id = self.child.process_id().expect("it runs");
        let threads = std::fs::read_dir(format!("/proc/{id}/task")).expect("it runs");
        let used = threads.filter_map(|thread| {
            let stat = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            stat.split_whitespace().next()?.parse::<f64>().ok()
        });
        used.sum::<f64>() / 1e6
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

/// From process start until the first frame is on the screen: the home screen of an empty folder, and
/// a recorded run's.
fn start() {
    let folder = common::folder();
    long_run(&folder.path().join("pithead.db"), 1_000);
    for (name, args) in [("home", &[][..]), ("a recorded run", &["replay", "1"])] {
        let times = (0..STARTS).map(|_| {
            let empty = common::folder();
            let place = if args.is_empty() { &empty } else { &folder };
            let began = Instant::now();
            let mut console = Console::start(place.path(), args);
            console.wait("quit", true);
            let took = began.elapsed();
            console.kill();
            took
        });
        told(
            &format!("first frame from process start: {name}"),
            times.collect(),
        );
    }
}

/// A real run made long: what follows the first frame comes round again and again.
fn long_run(path: &Path, events: usize) -> RunId {
    let mut journal = Journal::open(path, Durability::Normal).expect("a journal is made");
    let config = common::run_config(common::DIAMOND, 7);
    let run = journal.create_run(config, Millis(1));
    let run = run.expect("it takes a run");
    let mut round = cycle();
    let mut left = events;
    while left > 0 {
        let batch: Vec<Event> = round.by_ref().take(BATCH.min(left)).collect();
        left -= batch.len();
        let taken = journal.append(run, Millis(1), batch);
        taken.expect("it takes events");
    }
    run
}

fn cycle() -> impl Iterator<Item = Event> {
    // The journal writes the first event itself, the last one ends the run, and attempts and entries
    // have ids that are stored once only.
    let fits = |event: &Event| {
        !matches!(
            event,
            Event::RunStarted { .. }
                | Event::RunEnded { .. }
                | Event::AttemptEnded { .. }
                | Event::KnowledgeProposed { .. }
        )
    };
    let recorded = common::record(common::DIAMOND, 7).into_iter();
    let events: Vec<Event> = recorded.map(|fact| fact.event).filter(fits).collect();
    (0..).map(move |n: usize| events[n % events.len()].clone())
}

/// A run of a million events, from process start: played, and followed; then to its last event.
fn open() {
    let folder = common::folder();
    let path = folder.path().join("pithead.db");
    let id = long_run(&path, EVENTS);
    let run = id.to_string();
    // Only a run that is being driven can be followed.
    let journal = Journal::look(&path).expect("it is there");
    let _lock = journal.lock_driver(id).expect("nobody else drives it");
    for (command, shown) in [("replay", "of 1,000,001"), ("watch", "Monitor")] {
        let (mut times, mut jumps) = (Vec::new(), Vec::new());
        for _ in 0..STARTS / 2 {
            let began = Instant::now();
            let mut console = Console::start(folder.path(), &[command, &run]);
            console.wait(shown, true);
            times.push(began.elapsed());
            if command == "replay" {
                jumps.push(jump(&mut console));
            }
            console.kill();
        }
        told(
            &format!("first frame of 1,000,000 events: {command}"),
            times,
        );
        if !jumps.is_empty() {
            let first = jumps.remove(0);
            println!("  to its last event for the first time in {first:.1?}");
            told("to the last of 1,000,000 events, again", jumps);
        }
    }
}

/// From the first event to the last. The first console that goes there folds them all and keeps what it has folded.
fn jump(console: &mut Console) -> Duration {
    let began = Instant::now();
    console.press("G");
    console.wait("1,000,001 of 1,000,001", true);
    let took = began.elapsed();
    console.settle(KEPT);
    took
}

/// A run into whose journal events come all the time, and the program that follows it.
struct Flooded {
    console: Console,
    stop: Arc<AtomicBool>,
    flood: JoinHandle<f64>,
    _folder: tempfile::TempDir,
}

impl Flooded {
    fn start() -> Self {
        let folder = common::folder();
        let path = folder.path().join("pithead.db");
        let run = long_run(&path, BATCH);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let flood = std::thread::spawn(move || pour(&path, run, &stopped));
        let mut console = Console::start(folder.path(), &["watch", &run.to_string()]);
        console.wait("Monitor", true);
        console.settle(Duration::from_secs(3));
        Self {
            console,
            stop,
            flood,
            _folder: folder,
        }
    }

    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        let rate = self.flood.join().expect("it only appends");
        println!("  at {rate:.0} events/s");
        self.console.kill();
    }
}

/// Appends events until it is stopped; returns the rate per second.
fn pour(path: &Path, run: RunId, stop: &AtomicBool) -> f64 {
    let mut journal = Journal::open(path, Durability::Normal).expect("it is there");
    let _lock = journal.lock_driver(run).expect("nobody else drives it");
    let mut round = cycle();
    let (events, turns) = FLOOD;
    let (began, mut n) = (Instant::now(), 0_u32);
    while !stop.load(Ordering::Relaxed) {
        let batch: Vec<Event> = round.by_ref().take(events / turns as usize).collect();
        let taken = journal.append(run, Millis(1), batch);
        taken.expect("it takes events");
        n += 1;
        let due = began + Duration::from_secs(1) / turns * n;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    f64::from(n) * events as f64 / f64::from(turns) / began.elapsed().as_secs_f64()
}

/// From a key until what it does is on the screen: help, and the screen below it again.
fn press_help(console: &mut Console, opens: bool) -> Duration {
    let began = Instant::now();
    console.press(if opens { "?" } else { "q" });
    console.wait("The run's screen", opens);
    began.elapsed()
}

/// Keys while events come: until what they do is on the screen.
fn keys() {
    let mut flooded = Flooded::start();
    let console = &mut flooded.console;
    let mut times = Vec::new();
    for n in 0..PRESSES {
        times.push(press_help(console, n % 2 == 0));
        console.settle(Duration::from_millis(37));
    }
    told("key to frame while events come", times);
    flooded.end();
}

/// Consoles that watch one live run, which plays at the console's own pace and asks nothing.
fn eight() {
    let folder = common::folder();
    let gates = ["replan", "guardrail", "risky_action"].map(|gate| format!("--gate={gate}=auto"));
    let mut args = vec!["run", common::DIAMOND, "--seed", "7"];
    args.extend(gates.iter().map(String::as_str));
    let mut first = Console::start(folder.path(), &args);
    first.wait("executing", true);
    let mut consoles: Vec<Console> = (0..WATCHING)
        .map(|_| Console::start(folder.path(), &["watch", "1"]))
        .collect();
    // The run belongs to a process of its own: the console that started it is not needed any more.
    first.kill();
    for console in &mut consoles {
        console.wait("executing", true);
    }
    let before: Vec<f64> = consoles.iter().map(Console::cpu).collect();
    let bytes_before: usize = consoles.iter().map(|console| console.written).sum();
    for console in &mut consoles {
        console.settle(LOOKED_AT / WATCHING as u32);
    }
    let shares = consoles.iter().zip(&before).map(|(console, before)| {
        (console.cpu() - before) / LOOKED_AT.as_secs_f64() / 10.0 // per cent of a processor
    });
    let shares: Vec<f64> = shares.collect();
    let bytes = consoles.iter_mut().map(|console| {
        console.settle(Duration::ZERO);
        console.written
    });
    let bytes = bytes.sum::<usize>() - bytes_before;
    println!(
        "{WATCHING} consoles on one run: {:.1} % of a processor together, {:.1} % the busiest, {:.1} KiB/s written",
        shares.iter().sum::<f64>(),
        shares.iter().copied().fold(0.0, f64::max),
        bytes as f64 / 1024.0 / LOOKED_AT.as_secs_f64()
    );
    let mut times = Vec::new();
    for n in 0..PRESSES {
        // Each console in turn, opening and closing.
        let console = &mut consoles[n / 2 % WATCHING];
        times.push(press_help(console, n % 2 == 0));
        console.settle(Duration::from_millis(37));
    }
    told("key to frame with eight consoles on one run", times);
    let mut abort = std::process::Command::new(binary());
    abort.args(["tell", "1", "abort", "measured"]);
    abort.env("PITHEAD_DB", folder.path().join("pithead.db"));
    abort.env("HOME", folder.path());
    let ended = abort.status().expect("it is started");
    println!("  the run was still going on: {}", ended.success());
    for mut console in consoles {
        console.settle(Duration::from_millis(100));
        console.kill();
    }
}

/// Memory while events come.
fn memory() {
    let mut flooded = Flooded::start();
    let (every, times) = GROWTH;
    for n in 0..=times {
        println!(
            "memory after {:.0} s of events: {:.1} MiB",
            every.as_secs_f64() * n as f64,
            flooded.console.memory()
        );
        if n < times {
            flooded.console.settle(every);
        }
    }
    flooded.end();
}

/// Nothing happens for a minute, on several screens at one time.
fn idle() {
    let (live, other) = (common::folder(), common::folder());
    long_run(&other.path().join("pithead.db"), BATCH);
    let mut console = Console::start(live.path(), &["run", common::DIAMOND, "--pace", "x2"]);
    console.wait("executing", true);
    console.press(" ");
    console.wait("paused", true);
    let mut consoles = vec![("a live run, paused", console)];
    for (name, args, keys) in [
        ("the same, watched", &["watch", "1"], ""),
        ("a recording", &["replay", "1"], "G"),
        ("Debug", &["replay", "1"], "G3"),
        ("Inbox", &["replay", "1"], "G2"),
        ("Runs", &["replay", "1"], "G5"),
        ("Evaluate", &["replay", "1"], "G6"),
    ] {
        let place = if args[0] == "watch" { &live } else { &other };
        let mut console = Console::start(place.path(), args);
        console.wait("quit", true);
        console.press(keys);
        consoles.push((name, console));
    }
    for (_, console) in &mut consoles {
        console.settle(Duration::from_secs(2));
    }
    let before: Vec<f64> = consoles.iter().map(|(_, console)| console.cpu()).collect();
    std::thread::sleep(IDLE);
    for ((name, mut console), before) in consoles.into_iter().zip(before) {
        let used = (console.cpu() - before) / IDLE.as_secs_f64() / 10.0;
        let bytes = console.settle(Duration::ZERO);
        println!("idle for 60 s, {name}: {bytes} bytes written, {used:.3} % of a processor");
        console.kill();
    }
}
