//! The soak: long-lived processes side by side, and whether they come to hold more and more.
//!
//! A console plays one run after another at full speed, a second console watches them from another process,
//! commands come in through the socket, and an evaluation goes on. Every ten seconds memory and descriptors
//! of the three are written down. The evaluation keeps its ended episodes for the report, so its bound grows
//! with them. It takes as long as it is told to:
//! `PITHEAD_SOAK_MINUTES=60 cargo test --release --test pty soak -- --ignored --nocapture`

use crate::console::{BINARY, Console, folder, now};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const EVERY: Duration = Duration::from_secs(10);
/// Above this the growth of the second half would be felt in a week.
const KIB_AN_HOUR_MAX: f64 = 8.0 * 1024.0;

/// The results of one episode, kept for the report.
const EPISODE_KIB_MAX: f64 = 1.0;

/// Memory in KiB and open descriptors of a process, at a second of the soak.
#[derive(Debug, Clone, Copy)]
struct Sample {
    second: f64,
    rss_kib: f64,
    descriptors: f64,
    /// Of the evaluation, ended so far.
    episodes: f64,
}

fn sample(process: u32, second: f64, episodes: f64) -> Option<Sample> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let rss = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let rss_kib = rss.trim().trim_end_matches("kB").trim().parse().ok()?;
    let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?;
    Some(Sample {
        second,
        rss_kib,
        descriptors: descriptors.count() as f64,
        episodes,
    })
}

/// The slope of the least-squares line, per hour.
fn slope_an_hour(samples: &[Sample], value: impl Fn(&Sample) -> f64) -> f64 {
    let n = samples.len() as f64;
    let mean_x = samples.iter().map(|s| s.second).sum::<f64>() / n;
    let mean_y = samples.iter().map(&value).sum::<f64>() / n;
    let mut above = 0.0;
    let mut below = 0.0;
    for sample in samples {
        let x = sample.second - mean_x;
        above += x * (value(sample) - mean_y);
        below += x * x;
    }
    above / below * 3_600.0
}

fn pithead(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(args).env("HOME", folder);
    command.env("PITHEAD_DB", folder.join("pithead.db"));
    command.env("PITHEAD_GATES", folder.join("gates.toml"));
    command
}

/// The last run's number and state.
fn last_run(folder: &Path) -> Option<(u64, String)> {
    let listed = pithead(folder, &["runs", "--json"]).output().unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).ok()?;
    let last = listed.as_array()?.last()?;
    Some((last["run"].as_u64()?, last["state"].as_str()?.to_owned()))
}

fn eval(folder: &Path) -> Child {
    let out = folder.join("eval").display().to_string();
    let args = "eval --suite mcu70 --tasks mcu70/wooden/* --seeds 1..100000 --jobs 1 --out";
    let mut args: Vec<&str> = args.split(' ').collect();
    args.push(&out);
    let mut command = pithead(folder, &args);
    command.env("PITHEAD_DB", folder.join("evaluated.db"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn ended_episodes(folder: &Path) -> f64 {
    let lines = std::fs::read_to_string(folder.join("eval/episodes.jsonl"));
    lines.map_or(0.0, |lines| lines.lines().count() as f64)
}

/// Tells the run what changes nothing, as an operator in another terminal would.
fn command(folder: &Path, run: u64, n: u64) {
    let run = run.to_string();
    let words: &[&str] = match n % 3 {
        0 => &["tell", &run, "gate", "skill=auto"],
        1 => &["inbox", "--json"],
        _ => &["tell", &run, "pace", "max"],
    };
    // It is refused if the run ends in this moment.
    let _ = pithead(folder, words).output().unwrap();
}

const TASK: &str = "craft a stone pickaxe";

#[test]
#[ignore = "takes as long as PITHEAD_SOAK_MINUTES says, an hour by default"]
fn nothing_grows_in_an_hour() {
    let minutes = std::env::var("PITHEAD_SOAK_MINUTES");
    let minutes: f64 = minutes.map_or(60.0, |text| text.parse().unwrap());
    let place = folder();
    let folder = place.path();
    for gate in ["plan", "replan", "skill", "guardrail", "rule"] {
        let rule = format!("{gate}=auto");
        assert!(
            pithead(folder, &["gates", "--set", &rule])
                .status()
                .unwrap()
                .success()
        );
    }
    let gates = folder.join("gates.toml").display().to_string();
    let environment = [("PITHEAD_GATES", gates.as_str())];
    let start = |args: &[&str]| Console::start_with(folder, 40, 120, args, &environment);
    let mut player = start(&["run", TASK, "--pace", "max"]);
    let mut watcher = start(&[]);
    let mut eval = eval(folder);
    let processes = [
        ("console", player.child.process_id().unwrap()),
        ("watcher", watcher.child.process_id().unwrap()),
        ("eval", eval.id()),
    ];
    let mut samples: BTreeMap<&str, Vec<Sample>> = BTreeMap::new();
    let begin = now();
    let mut next = Duration::ZERO;
    let mut runs = 0;
    for n in 0.. {
        let passed = now().saturating_sub(begin);
        if passed.as_secs_f64() > minutes * 60.0 {
            break;
        }
        if passed >= next {
            next = passed + EVERY;
            let ended = ended_episodes(folder);
            for (name, process) in processes {
                let episodes = if name == "eval" { ended } else { 0.0 };
                let sample = sample(process, passed.as_secs_f64(), episodes);
                samples.entry(name).or_default().push(sample.expect(name));
            }
        }
        for console in [&mut player, &mut watcher] {
            console.settle(Duration::from_millis(50));
            console.written.clear();
        }
        match last_run(folder) {
            Some((run, state)) if state == "running" => command(folder, run, n),
            Some((run, _)) => {
                runs = run;
                player.press("\u{12}");
                player.settle(Duration::from_millis(200));
                player.press(&format!("{TASK}\r"));
                player.settle(Duration::from_millis(500));
                player.press("]]]]]]]]");
                watcher.press("5G\r");
            }
            None => (),
        }
    }
    eval.kill().unwrap();
    eval.wait().unwrap();
    println!("{minutes} minutes, {runs} runs");
    for (name, samples) in &samples {
        let (half, last) = (&samples[samples.len() / 2..], samples.last().unwrap());
        let first = samples[0];
        let kib = slope_an_hour(half, |sample| sample.rss_kib);
        let descriptors = slope_an_hour(half, |sample| sample.descriptors);
        println!(
            "{name}: {:.0} KiB at first, {:.0} KiB at half time, {:.0} KiB at last; {kib:+.0} KiB an hour in the second half; \
             descriptors {} to {}, {descriptors:+.1} an hour; {:.0} episodes",
            first.rss_kib,
            half[0].rss_kib,
            last.rss_kib,
            first.descriptors,
            last.descriptors,
            last.episodes
        );
    }
    for (name, samples) in &samples {
        let half = &samples[samples.len() / 2..];
        let kept = |sample: &Sample| sample.rss_kib - sample.episodes * EPISODE_KIB_MAX;
        assert!(slope_an_hour(half, kept) < KIB_AN_HOUR_MAX, "{name} grows");
        let open = |sample: &Sample| sample.descriptors;
        assert!(
            slope_an_hour(half, open) < 4.0,
            "{name} opens more and more"
        );
    }
}
