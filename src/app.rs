//! The program's edges: exit codes, output, the log, interrupts, and the choice of client.
//!
//! Invariant: nothing else writes to standard output or standard error.

use crate::cli;
use crate::config;

use crate::headless;
use pithead_console::msg::ReplayMsg;
use pithead_console::pictures::choice::Choice;
use pithead_console::theme::Theme;
use pithead_core::domain::run::event::{Outcome, RunConfig};
use pithead_engine::eval::{EvalError, ResultsError};
use pithead_engine::journal::JournalError;
use pithead_engine::memory::MemoryError;
use pithead_engine::runtime::attach::{Attached, Host, Seat};
use pithead_engine::runtime::{DriverStatus, Link, OpenError, Recording};
use pithead_world::ids::RunId;
use pithead_world::port::World;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The task is done, or what was asked for was shown.
    Done = 0,
    /// The run ended without success.
    Unsuccessful = 1,
    /// The command line, or a name in it, was not understood.
    Usage = 2,
    /// World, mind or database are not to be had.
    Unavailable = 3,
    /// Ctrl-C.
    Interrupted = 130,
}

/// Why a command could not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    pub exit: Exit,
    pub text: String,
}

impl Fault {
    /// Something in the command line was not understood.
    pub fn usage(text: impl std::fmt::Display) -> Self {
        Self {
            exit: Exit::Usage,
            text: text.to_string(),
        }
    }

    /// World, mind or database are not to be had.
    pub fn unavailable(text: impl std::fmt::Display) -> Self {
        Self {
            exit: Exit::Unavailable,
            text: text.to_string(),
        }
    }
}

impl From<JournalError> for Fault {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::NoRun { .. } => Self::usage(error),
            other => Self::unavailable(other),
        }
    }
}

impl From<MemoryError> for Fault {
    fn from(error: MemoryError) -> Self {
        match error {
            MemoryError::OtherEmbedder { .. } | MemoryError::OtherWidth { .. } => {
                Self::usage(error)
            }
            MemoryError::Database(_) | MemoryError::Embed(_) => Self::unavailable(error),
        }
    }
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Journal(error) => error.into(),
            OpenError::Over { .. } => Self::usage(error),
            OpenError::World { .. } | OpenError::Empty { .. } | OpenError::Thread(_) => {
                Self::unavailable(error)
            }
        }
    }
}

impl From<EvalError> for Fault {
    fn from(error: EvalError) -> Self {
        match error {
            EvalError::Results(ResultsError::Journal(error)) => error.into(),
            EvalError::Results(ResultsError::Other { .. }) | EvalError::Order { .. } => {
                Self::usage(error)
            }
            EvalError::Results(_) | EvalError::Open(_) | EvalError::Threads(_) => {
                Self::unavailable(error)
            }
        }
    }
}

impl From<pithead_console::ConsoleError> for Fault {
    fn from(error: pithead_console::ConsoleError) -> Self {
        match error {
            pithead_console::ConsoleError::NoTerminal => {
                Self::usage(format!("{error}; add --headless, or --json"))
            }
            pithead_console::ConsoleError::Journal(error) => error.into(),
            pithead_console::ConsoleError::Record { .. } => Self::usage(error),
            pithead_console::ConsoleError::Terminal(_) => Self::unavailable(error),
        }
    }
}

/// Who watches the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    Console,
    Headless { json: bool, verbose: bool },
}

impl Client {
    /// The client that was asked for, if there is a terminal for it.
    pub fn choose(headless: bool, json: bool, verbose: bool) -> Result<Self, Fault> {
        if headless || json {
            return Ok(Self::Headless { json, verbose });
        }
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            return Ok(Self::Console);
        }
        Err(Fault::usage(
            "the console needs a terminal and there is none here; add --headless, or --json",
        ))
    }
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    start_log();
    let exit = match cli::read() {
        Ok(command) => cli::perform(command).unwrap_or_else(|fault| {
            err(&format!("pithead: {fault}"));
            fault.exit
        }),
        Err(exit) => exit,
    };
    ExitCode::from(exit as u8)
}

/// What a console is opened with.
#[derive(Debug)]
pub struct Sitting<'a> {
    pub theme: Option<&'a Theme>,
    /// How what the body sees is drawn, if the command line says.
    pub pictures: Option<Choice>,
    /// Where the sitting is recorded.
    pub record: Option<&'a Path>,
    pub database: PathBuf,
    /// How the database was named on the command line, for commands that are told.
    pub named: String,
    pub stable: pithead_console::start::Stable,
}

impl Sitting<'_> {
    /// The command that goes on with a run.
    fn resume(&self, run: RunId) -> String {
        format!("pithead resume {run}{}", self.named)
    }
}

/// Follows a run with the client, to its end.
///
/// `resume` is the command that goes on with the run, in full.
pub fn watch(
    link: Link,
    client: Client,
    sitting: &Sitting<'_>,
    resume: &str,
) -> Result<Exit, Fault> {
    let seat = match client {
        Client::Console => Seat::Taken,
        Client::Headless { .. } => Seat::Free,
    };
    // Open as long as the run is driven here.
    let _host = Host::open(&link, seat);
    match client {
        Client::Console => console_on(pithead_console::Feed::Live(link), sitting),
        Client::Headless { json, verbose } => {
            let left = format!("run {} was interrupted; `{resume}` goes on", link.run());
            watch_headless(link, json, verbose, (&left, resume))
        }
    }
}

/// Follows a run that another process drives.
pub fn watch_attached(
    attached: Attached,
    client: Client,
    sitting: &Sitting<'_>,
    resume: &str,
) -> Result<Exit, Fault> {
    match client {
        Client::Console => console_on(pithead_console::Feed::Attached(Box::new(attached)), sitting),
        Client::Headless { json, verbose } => {
            let run = attached.run();
            let left = format!("run {run} goes on; `pithead watch {run}` follows it again");
            watch_headless(attached, json, verbose, (&left, resume))
        }
    }
}

/// A recording in the console, from its beginning or at a place.
pub fn console_replay(
    recording: Recording,
    at: Option<ReplayMsg>,
    sitting: &Sitting<'_>,
) -> Result<Exit, Fault> {
    let player = match at {
        Some(place) => pithead_console::player::Player::at(recording, place),
        None => pithead_console::player::Player::new(recording),
    };
    console_on(pithead_console::Feed::Recording(player), sitting)
}

/// The console over the lists, with no run open.
pub fn console_lists(sitting: &Sitting<'_>) -> Result<Exit, Fault> {
    console_on(pithead_console::Feed::Nothing, sitting)
}

/// The console, until it is left. The outcome of the run that was driven in it is the program's.
fn console_on(feed: pithead_console::Feed, sitting: &Sitting<'_>) -> Result<Exit, Fault> {
    let left = pithead_console::run(feed, console_options(sitting)?)?;
    let Some(run) = left.run else {
        return Ok(match left.exit {
            pithead_console::Exit::Interrupted => Exit::Interrupted,
            pithead_console::Exit::Left | pithead_console::Exit::Over => Exit::Done,
        });
    };
    let resume = sitting.resume(run);
    if let Some(DriverStatus::Stopped { because }) = &left.driver
        && left.outcome.is_none()
        && left.exit == pithead_console::Exit::Over
    {
        return Err(Fault::unavailable(format!(
            "run {run} stopped: {because}; `{resume}` goes on"
        )));
    }
    if left.outcome.is_none() {
        err(&format!("run {run} is not over; `{resume}` goes on"));
    } else if left.waiting > 0 {
        err(&format!(
            "{} of run {run} left open; `pithead kb list` shows what waits, `pithead` opens the inbox",
            pithead_core::text::numbers::count_with_noun(left.waiting, "question", "questions")
        ));
    }
    Ok(match left.outcome {
        Some(Outcome::Success) => Exit::Done,
        Some(Outcome::Failure | Outcome::Aborted) => Exit::Unsuccessful,
        None => Exit::Interrupted,
    })
}

/// What was asked for by name goes before what the environment asks for.
fn console_options(sitting: &Sitting<'_>) -> Result<pithead_console::Options, Fault> {
    // https://no-color.org: any value but the empty one.
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let theme = sitting.theme.cloned();
    Ok(pithead_console::Options {
        theme: theme.unwrap_or_else(|| Theme::default_for(no_color)),
        pictures: pictures(sitting, no_color)?,
        clock: pithead_world::clock::Clock::System,
        keymap: config::keymap().map_err(Fault::usage)?,
        sources: pithead_console::desk::loader::Sources {
            database: Some(sitting.database.clone()),
            log: config::log_file(),
            evals: Some(cli::evals::gazette),
            rules: config::gates_file(),
        },
        named: sitting.named.clone(),
        operator: config::operator(),
        stable: Some(sitting.stable.clone()),
        record: sitting.record.map(Path::to_path_buf),
        trials: Some(cli::kb_trial),
        body: Some(body),
    })
}

/// How what the body sees is drawn. A recording of the sitting keeps cells, and where no colours are
/// wanted there are shades; who asks for pictures by name gets them all the same.
fn pictures(sitting: &Sitting<'_>, no_color: bool) -> Result<Choice, Fault> {
    let set = config::file::settings().map_err(Fault::usage)?;
    let choice = sitting.pictures.unwrap_or(set.console.pictures);
    let knows_better = sitting.record.is_some() || no_color;
    Ok(choice.settled(|name| std::env::var(name).ok().filter(|_| !knows_better)))
}

/// The world of a run, for playing it again.
fn body(config: &RunConfig) -> Result<Box<dyn World>, String> {
    config::body(config, None).map_err(|error| error.to_string())
}

fn watch_headless(
    link: impl headless::Followed,
    json: bool,
    verbose: bool,
    (left, resume): (&str, &str),
) -> Result<Exit, Fault> {
    let interrupt = Arc::new(AtomicBool::new(false));
    listen_for_interrupts(&interrupt);
    let telling = verbose || std::io::stderr().is_terminal();
    let ending = headless::follow(link, &interrupt, |line| {
        if telling {
            err(line);
        }
    })?;
    let summary = &ending.summary;
    out(&if json {
        to_json(summary)?
    } else {
        summary.table()
    });
    if ending.interrupted && summary.outcome == headless::OPEN {
        err(left);
    }
    if let Some(at) = &ending.broke {
        err(&format!("stopped at {at}; `{resume}` goes on"));
        return Ok(Exit::Interrupted);
    }
    if let Some(because) = ending.stopped {
        return Err(Fault::unavailable(format!(
            "the run stopped: {because}; `{resume}` goes on"
        )));
    }
    Ok(
        match (ending.interrupted, summary.success, summary.unavailable) {
            (_, true, _) => Exit::Done,
            (true, false, _) => Exit::Interrupted,
            (false, false, true) => Exit::Unavailable,
            (false, false, false) => Exit::Unsuccessful,
        },
    )
}

/// One JSON document, indented for people who look at it too.
pub fn to_json<T: serde::Serialize>(document: &T) -> Result<String, Fault> {
    serde_json::to_string_pretty(document).map_err(Fault::unavailable)
}

/// The first interrupt asks the run to end, the second ends the program.
pub(crate) fn listen_for_interrupts(flag: &Arc<AtomicBool>) {
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let hard = signal_hook::flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted as i32,
            Arc::clone(flag),
        );
        let soft = signal_hook::flag::register(signal, Arc::clone(flag));
        if let Err(error) = hard.and(soft) {
            tracing::warn!(%error, "interrupts will end the program at once");
        }
    }
}

/// Writes to standard output. A reader that has gone (`| head`) is no fault of ours.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = if text.ends_with('\n') {
        Ok(())
    } else {
        stdout.write_all(b"\n")
    };
    let _ = stdout.flush();
}

/// Writes a line to standard error.
pub fn err(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// The log goes to a file, never to the screen; `PITHEAD_LOG` chooses what is in it. Without a
/// place for it the program runs all the same.
fn start_log() {
    let Some(path) = config::log_file() else {
        return;
    };
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let file = folder.and_then(|()| {
        std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
    });
    let Ok(file) = file else { return };
    let filter = tracing_subscriber::EnvFilter::try_from_env("PITHEAD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt()
        .with_writer(Arc::new(file))
        .with_ansi(false)
        .with_env_filter(filter);
    // A second start in one process (tests) keeps the first log.
    let _ = log.try_init();
}
