//! The kill campaign: every command that writes is killed, at a random moment or at a random change of a file,
//! and continued; what is there in the end is what an undisturbed command leaves.
//!
//! `PITHEAD_KILLS=10000 cargo test --test all -- --ignored --nocapture the_kill_campaign`; a failure names its trial,
//! and `PITHEAD_KILLS_FROM` begins with that one.

use super::PITHEAD;
use super::commands::{
    COMMANDS, Continued, Tested, arguments, is_background, perform, perform_alone, prepare, settle,
    wait_for_background,
};
use super::contents::{Contents, check_databases, contents_of, difference, forget_times};
use super::tracer::{Killed, held, killed_at};
use pithead_world::rng::Rng;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Kills that every test run makes.
const FEW: usize = 34;
/// More than any command makes.
const NEVER: usize = usize::MAX;
/// So many failures show what is wrong.
const FAILURES_MAX: usize = 20;
/// Kills between two lines about progress.
const PROGRESS: usize = 100;
/// Campaigns wait for the disk more than for a core.
const THREADS: usize = 3;

/// What a command does if nobody disturbs it.
struct Undisturbed {
    out: String,
    contents: Contents,
    changes: usize,
    lasts: Duration,
}

/// What came of the kills of one command.
#[derive(Debug, Default)]
struct Tally {
    /// By how far the command had come: not begun, in the middle, done.
    kills: [usize; 3],
    calls: BTreeMap<&'static str, usize>,
}

struct Campaign {
    base: PathBuf,
    before: Contents,
    undisturbed: Vec<Undisturbed>,
    tallies: Mutex<Vec<Tally>>,
}

#[test]
fn killed_commands_continue_as_if_nothing_had_happened() {
    run_campaign(FEW, 0);
}

#[test]
#[ignore = "the campaign takes about an hour; docs/TRUST.md has its command and its figures"]
fn the_kill_campaign() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse().unwrap());
    run_campaign(
        number("PITHEAD_KILLS").unwrap_or(1_000),
        number("PITHEAD_KILLS_FROM").unwrap_or(0),
    );
}

fn run_campaign(kills: usize, from: usize) {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base");
    fs::create_dir(&base).unwrap();
    prepare(&base);
    let Some(campaign) = Campaign::open(base) else {
        println!("not tested: no process can be traced here");
        return;
    };
    let (next, killed, failed) = (
        AtomicUsize::new(from),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let is_over = || {
                    killed.load(Ordering::Relaxed) >= kills
                        || failed.load(Ordering::Relaxed) >= FAILURES_MAX
                };
                while !is_over() {
                    let trial = next.fetch_add(1, Ordering::Relaxed);
                    // The others go on, and the message has said what happened.
                    match catch_unwind(AssertUnwindSafe(|| campaign.try_kill(trial))) {
                        Ok(true) => {
                            let before = killed.fetch_add(1, Ordering::Relaxed);
                            if (before + 1).is_multiple_of(PROGRESS) {
                                println!("{} kills, up to trial {trial}", before + 1);
                            }
                        }
                        Ok(false) => (), // it ended before
                        Err(_) => {
                            failed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    campaign.print();
    assert_eq!(failed.into_inner(), 0, "trials failed; each has said how");
}

impl Campaign {
    /// Carries every command out once; none if no process can be traced.
    fn open(base: PathBuf) -> Option<Self> {
        let mut undisturbed = Vec::new();
        for tested in COMMANDS {
            undisturbed.push(Undisturbed::of(tested, &base)?);
        }
        Some(Self {
            before: contents_of(&copied(&base).path().join("f")),
            tallies: Mutex::new(COMMANDS.iter().map(|_| Tally::default()).collect()),
            base,
            undisturbed,
        })
    }

    /// One trial; false if the command ended before it was killed.
    fn try_kill(&self, trial: usize) -> bool {
        let mut rng = Rng::new(trial as u64);
        let at = trial % COMMANDS.len();
        let (tested, whole) = (&COMMANDS[at], &self.undisturbed[at]);
        let place = copied(&self.base);
        let folder = place.path().join("f");
        let (out, err) = (place.path().join("out"), place.path().join("err"));
        // The process that it starts would be traced too, and nobody would let it go on.
        let is_traced = (trial / COMMANDS.len()).is_multiple_of(2) && !is_background(tested.args);
        let (how, call) = if is_traced {
            let nth = 1 + rng.below(whole.changes as u64) as usize;
            let mut child = held(Path::new(PITHEAD), &borrowed(&arguments(tested.args)));
            settle(&mut child, &folder);
            redirect(&mut child, &out, &err);
            match killed_at(&mut child, nth) {
                Killed::At(call) => (format!("change {nth}, {call}"), Some(call)),
                Killed::Never { .. } | Killed::NotAllowed => return false,
            }
        } else {
            let after = whole.lasts.mul_f64(rng.unit());
            let mut child = Command::new(PITHEAD);
            settle(&mut child, &folder);
            redirect(&mut child, &out, &err);
            let mut child = child.args(arguments(tested.args)).spawn().unwrap();
            std::thread::sleep(after);
            child.kill().unwrap();
            if child.wait().unwrap().code().is_some() {
                return false;
            }
            (format!("{after:?}"), None)
        };
        if is_background(tested.args) {
            wait_for_background(&folder);
        }
        let what = format!("trial {trial}, `{}` killed at {how}", tested.args);
        let told = [out, err].map(|path| fs::read_to_string(path).unwrap());
        let stage = self.check(at, &folder, &told, &what);
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies[at].kills[stage] += 1;
        if let Some(call) = call {
            *tallies[at].calls.entry(call).or_default() += 1;
        }
        true
    }

    /// Looks at what a kill left, continues, and compares; says how far the command had come.
    fn check(&self, at: usize, folder: &Path, told: &[String; 2], what: &str) -> usize {
        let (tested, whole) = (&COMMANDS[at], &self.undisturbed[at]);
        // Of a copy: the database is to be opened by the program first, as the kill left it.
        let copy = copied(folder);
        let copy = copy.path().join("f");
        let left = contents_of(&copy);
        let is_there = left.keys().any(|name| name.starts_with("pithead.db: "));
        assert!(is_there, "{what}: the database is gone");
        let is_done = difference(&left, &whole.contents).is_none();
        let is_begun = difference(&left, &self.before).is_some();
        assert!(
            !tested.is_atomic || is_done || !is_begun,
            "{what}: {}",
            difference(&left, &whole.contents).unwrap_or_default()
        );
        if is_begun && !is_done {
            check_databases(&copy); // what is done or not begun equals what was looked at once
        }
        if !whole.out.is_empty() && without_times(&told[0]) == whole.out {
            let lost = difference(&left, &whole.contents);
            assert!(lost.is_none(), "{what}: it was acknowledged: {lost:?}");
        }
        check_told_events(&told[1], &left, what);
        let output = continued(tested, folder, &left, is_done);
        let found = contents_of(folder);
        let parted = difference(&found, &whole.contents);
        assert!(
            parted.is_none(),
            "{what}, continued: {parted:?}; {output:?}"
        );
        // What was done already may be refused when it is asked for again.
        assert!(
            is_done
                || output
                    .as_ref()
                    .is_some_and(|output| output.status.success()),
            "{what}, continued: {output:?}"
        );
        match (is_begun, is_done) {
            (_, true) => 2,
            (true, false) => 1,
            (false, false) => 0,
        }
    }

    fn print(&self) {
        let mut sum = [0; 3];
        println!("{:>6} {:>6} {:>6}  command", "before", "within", "after");
        for (tested, tally) in COMMANDS.iter().zip(
            self.tallies
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter(),
        ) {
            let [before, within, after] = tally.kills;
            (0..3).for_each(|n| sum[n] += tally.kills[n]);
            println!("{before:6} {within:6} {after:6}  {}", tested.args);
            println!("{:22}{:?}", "", tally.calls);
        }
        println!(
            "{:6} {:6} {:6}  {} kills",
            sum[0],
            sum[1],
            sum[2],
            sum.iter().sum::<usize>()
        );
    }
}

impl Undisturbed {
    fn of(tested: &Tested, base: &Path) -> Option<Self> {
        let place = copied(base);
        let folder = place.path().join("f");
        let begun = Instant::now();
        let output = perform_alone(&folder, tested.args);
        let lasts = begun.elapsed();
        if is_background(tested.args) {
            wait_for_background(&folder);
        }
        assert!(output.status.success(), "{}: {output:?}", tested.args);
        let other = copied(base);
        let traced = other.path().join("f");
        let changes = if is_background(tested.args) {
            perform(&traced, tested.args);
            0
        } else {
            let mut child = held(Path::new(PITHEAD), &borrowed(&arguments(tested.args)));
            settle(&mut child, &traced);
            let Killed::Never { changes } = killed_at(&mut child, NEVER) else {
                return None;
            };
            changes
        };
        let contents = contents_of(&folder);
        check_databases(&folder);
        let again = contents_of(&traced);
        let parted = difference(&contents, &again);
        assert!(parted.is_none(), "{} done twice: {parted:?}", tested.args);
        Some(Self {
            out: without_times(&String::from_utf8_lossy(&output.stdout)),
            contents,
            changes,
            lasts,
        })
    }
}

fn borrowed(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

fn redirect(command: &mut Command, out: &Path, err: &Path) {
    command.stdin(Stdio::null());
    command.stdout(File::create(out).unwrap());
    command.stderr(File::create(err).unwrap());
}

/// A copy of the folder, as `f` in a new one.
fn copied(folder: &Path) -> tempfile::TempDir {
    let new = tempfile::tempdir().unwrap();
    copy(folder, &new.path().join("f"));
    new
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let new = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &new);
        } else if path.is_file() {
            fs::copy(&path, &new).unwrap();
        }
    }
}

/// Continues as an operator would; none if there is nothing to do.
fn continued(tested: &Tested, folder: &Path, left: &Contents, is_done: bool) -> Option<Output> {
    let run = match tested.continued {
        Continued::Once if is_done => return None,
        Continued::Again | Continued::Once => return Some(perform(folder, tested.args)),
        Continued::Resumed { run } => run,
    };
    let database = if tested.args.contains("new/a.db") {
        "new/a.db"
    } else {
        "pithead.db"
    };
    let runs = left.get(&format!("{database}: runs"));
    let is_there =
        runs.is_some_and(|rows| rows.iter().any(|row| row.starts_with(&format!("{run} | "))));
    if !is_there {
        return Some(perform(folder, tested.args));
    }
    let ended = format!("{run} | ");
    let ended = runs.is_some_and(|rows| {
        rows.iter()
            .any(|row| row.starts_with(&ended) && row.contains("success"))
    });
    (!ended).then(|| perform(folder, &format!("resume {run} --headless --db {database}")))
}

/// A line about an attempt is told when its end is recorded.
fn check_told_events(told: &str, left: &Contents, what: &str) {
    let whole = told.rsplit_once('\n').map_or("", |(lines, _)| lines);
    let is_attempt = |line: &&str| line.starts_with('a') && line.contains(": ");
    let attempts: Vec<&str> = whole.lines().filter(is_attempt).collect();
    let recorded = left
        .iter()
        .filter(|(name, _)| name.contains(": events of run"));
    let ends = recorded.flat_map(|(_, rows)| rows);
    let ends = ends.filter(|row| row.contains("attempt.ended")).count();
    assert!(
        attempts.len() <= ends,
        "{what}: {attempts:?} were told, {ends} recorded"
    );
}

/// Documents are compared without their times and durations.
fn without_times(text: &str) -> String {
    let Ok(mut value) = serde_json::from_str(text) else {
        let lines = text.lines().filter(|line| !line.starts_with("wall time"));
        return lines.collect::<Vec<_>>().join("\n");
    };
    forget_times(&mut value);
    value.to_string()
}
