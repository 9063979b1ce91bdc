//! Watching a run: in the console, without one, or while another process drives it.
//!
//! Invariant: however watching ends, the exit code is the run's, and whoever leaves an unfinished run is told
//! the command that resumes it.

use super::client::Client;
use super::interrupt::interrupt_flag;
use super::options::{ConsoleOptions, Database, Shown, Watching};
use super::outcome::{CommandError, ExitStatus};
use super::output::{is_stderr_terminal, print_document, print_stderr};
use crate::config;
use crate::headless;
use pithead_console::msg::ReplayMsg;
use pithead_console::theme::Theme;
use pithead_console::{Feed, Leaving};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::config::pictures::PictureChoice;
use pithead_engine::journal::say_waits_with;
use pithead_engine::launch::Launcher;
use pithead_engine::launch::driver_process::start_driver;
use pithead_engine::launch::order::{DriverOrder, OrderedRun};
use pithead_engine::runtime::attach::{Attached, GuestKind, Host, Seat};
use pithead_engine::runtime::{DriverStatus, Link, Recording};
use pithead_world::ids::RunId;
use std::time::Duration;

/// Follows a run that this process drives, to its end.
pub(crate) fn watch(
    link: Link,
    client: Client,
    database: &Database,
    options: &ConsoleOptions,
) -> Result<ExitStatus, CommandError> {
    let seat = match client {
        Client::Console => Seat::Taken,
        Client::Headless { .. } => Seat::Free,
    };
    // Other processes can watch for as long as the run is driven here.
    let _host = Host::open(&link, seat);
    match client {
        Client::Console => open_console(Feed::Live(link), database, options),
        Client::Headless { json, verbose } => {
            let run = link.run();
            let resume = database.resume(run);
            let left = format!("run {run} was interrupted; `{resume}` resumes it");
            watch_headless(link, json, verbose, (&left, &resume))
        }
    }
}

/// Has a run driven in a process of its own, and is its first console.
pub(crate) fn watch_order(
    (run, commands): (OrderedRun, Vec<Command>),
    watching: &Watching,
    database: &Database,
) -> Result<ExitStatus, CommandError> {
    let path = database.path()?;
    // The process keeps the folder it is started in, and says what it does about the whole name.
    let path = std::path::absolute(&path).map_err(CommandError::unavailable)?;
    let order = DriverOrder {
        times_realtime: watching.pace(Client::Console).times_realtime(),
        commands,
        ..DriverOrder::new(path, config::operator(), run)
    };
    let run = start_driver(&order)?;
    let journal = database.open_read_only()?;
    let kind = GuestKind::CommandingConsole;
    let attached = Attached::open_as(kind, journal, run, &config::operator())?;
    open_console(Feed::attached(attached), database, &watching.console)
}

/// Follows a run that another process drives.
pub(crate) fn watch_attached(
    attached: Attached,
    client: Client,
    shown: &Shown,
) -> Result<ExitStatus, CommandError> {
    match client {
        Client::Console => {
            let feed = Feed::attached(attached);
            open_console(feed, &shown.database, &shown.console)
        }
        Client::Headless { json, verbose } => {
            let run = attached.run();
            let resume = shown.database.resume(run);
            let left =
                format!("run {run} continues without you; `pithead watch {run}` follows it again");
            watch_headless(attached, json, verbose, (&left, &resume))
        }
    }
}

/// Plays a recorded run in the console, from its beginning or held at a place.
pub(crate) fn replay_in_console(
    recording: Recording,
    at: Option<ReplayMsg>,
    shown: &Shown,
) -> Result<ExitStatus, CommandError> {
    let player = match at {
        Some(place) => pithead_console::feed::player::Player::at(recording, place),
        None => pithead_console::feed::player::Player::new(recording),
    };
    open_console(Feed::Recording(player), &shown.database, &shown.console)
}

/// Opens the console on the lists of a database, with no run.
pub(crate) fn open_lists(
    database: &Database,
    options: &ConsoleOptions,
) -> Result<ExitStatus, CommandError> {
    open_console(Feed::Nothing, database, options)
}

/// Whether colours are unwanted. https://no-color.org: any value but the empty one.
pub(crate) fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Runs the console until it is left. The outcome of the run that was driven in it is the program's.
fn open_console(
    feed: Feed,
    database: &Database,
    options: &ConsoleOptions,
) -> Result<ExitStatus, CommandError> {
    // The console has the terminal; it shows waits in its log.
    say_waits_with(None);
    let is_elsewhere = matches!(feed, Feed::Attached(_));
    let left = pithead_console::run(feed, console_options(database, options)?)?;
    let Some(run) = left.run else {
        return Ok(match left.exit {
            Leaving::Interrupted => ExitStatus::Interrupted,
            Leaving::Left | Leaving::Over | Leaving::Running | Leaving::Ended => ExitStatus::Done,
        });
    };
    let resume = database.resume(run);
    let goes_on = left.driver == Some(DriverStatus::Running) && left.outcome.is_none();
    match (left.exit, left.driver) {
        (Leaving::Over, Some(DriverStatus::Stopped { because })) if left.outcome.is_none() => {
            let stopped = CommandError::unavailable(format!("run {run} stopped: {because}"));
            // What is said from outside ends with that already.
            return Err(match because.contains("`pithead resume ") {
                true => stopped,
                false => stopped.hint(format!("`{resume}` resumes it")),
            });
        }
        (Leaving::Running | Leaving::Interrupted, _) if goes_on && is_elsewhere => {
            print_stderr(&format!(
                "run {run} goes on in its own process; `pithead watch {run}{0}` follows it, \
                 `pithead tell {run} abort REASON{0}` ends it",
                database.as_typed()
            ));
            return Ok(match left.exit {
                Leaving::Running => ExitStatus::Done,
                _ => ExitStatus::Interrupted,
            });
        }
        (Leaving::Ended, _) => return Ok(wait_for_end(run, database)),
        (_, _) => (),
    }
    if left.outcome.is_none() {
        print_stderr(&format!("run {run} is not over; `{resume}` resumes it"));
    } else if left.waiting > 0 {
        print_stderr(&format!(
            "{} of run {run} left open; `pithead kb list` shows them, `pithead` opens the inbox",
            pithead_core::text::numbers::count_with_noun(left.waiting, "question", "questions")
        ));
    }
    Ok(exit_of(left.outcome))
}

/// The exit code that says how a run ended.
fn exit_of(outcome: Option<Outcome>) -> ExitStatus {
    match outcome {
        Some(Outcome::Success) => ExitStatus::Done,
        Some(Outcome::Failure | Outcome::Aborted) => ExitStatus::Unsuccessful,
        None => ExitStatus::Interrupted,
    }
}

/// Looks for the end of a run that was told to end, and the time between two of them.
const END_LOOKS_MAX: u32 = 100;
const END_LOOK_EVERY: Duration = Duration::from_millis(50);

/// How the run ended that has been told to; a process that does not answer has not ended it.
fn wait_for_end(run: RunId, database: &Database) -> ExitStatus {
    for _ in 0..END_LOOKS_MAX {
        let row = database.open_read_only().map(|journal| journal.run(run));
        if let Ok(Ok(row)) = row
            && row.outcome.is_some()
        {
            return exit_of(row.outcome);
        }
        std::thread::park_timeout(END_LOOK_EVERY);
    }
    print_stderr(&format!(
        "run {run} was told to end and has not yet; `pithead runs` shows it"
    ));
    ExitStatus::Interrupted
}

/// What was asked for by name goes before what the environment asks for.
fn console_options(
    database: &Database,
    options: &ConsoleOptions,
) -> Result<pithead_console::Options, CommandError> {
    let theme = options.theme.clone();
    let settings = config::file::settings().map_err(CommandError::usage)?;
    Ok(pithead_console::Options {
        theme: theme.unwrap_or_else(|| Theme::default_for(no_color())),
        pictures: pictures(options)?,
        notice: settings.notices.terminal,
        clock: pithead_world::clock::Clock::System,
        keymap: super::keys::configured_keymap().map_err(CommandError::usage)?,
        sources: pithead_console::cache::loader::Sources {
            database: Some(database.path()?),
            log: config::log_file(),
            rules: config::gates_file(),
        },
        named: database.as_typed(),
        operator: config::operator(),
        launcher: Some(Launcher::new(database.path()?, options.place())),
        record: options.record.clone(),
    })
}

/// How the body's view is drawn. A recording of the session keeps text cells only, and without colours
/// there are shades; whoever asks for pictures by name gets them all the same.
fn pictures(options: &ConsoleOptions) -> Result<PictureChoice, CommandError> {
    let set = config::file::settings().map_err(CommandError::usage)?;
    let choice = options.pictures.unwrap_or(set.console.pictures);
    let without = options.record.is_some() || no_color();
    Ok(choice.settled(|name| std::env::var(name).ok().filter(|_| !without)))
}

/// Follows a run without a console: `left` is printed if it is left unfinished, `resume` resumes it.
fn watch_headless(
    link: impl headless::Followed,
    json: bool,
    verbose: bool,
    (left, resume): (&str, &str),
) -> Result<ExitStatus, CommandError> {
    let interrupt = interrupt_flag();
    let reports_events = verbose || is_stderr_terminal();
    let ending = headless::follow(link, &interrupt, |line| {
        if reports_events {
            print_stderr(line);
        }
    })?;
    let summary = &ending.summary;
    print_document(json, summary, headless::Summary::text)?;
    if ending.interrupted && summary.outcome == headless::OPEN {
        print_stderr(left);
    }
    if let Some(at) = &ending.broke {
        print_stderr(&format!(
            "stopped at a breakpoint: {at}; `{resume}` resumes it"
        ));
        return Ok(ExitStatus::Interrupted);
    }
    if let Some(because) = ending.stopped {
        return Err(
            CommandError::unavailable(format!("the run stopped: {because}"))
                .hint(format!("`{resume}` resumes it")),
        );
    }
    Ok(
        match (ending.interrupted, summary.success, summary.unavailable) {
            (_, true, _) => ExitStatus::Done,
            (true, false, _) => ExitStatus::Interrupted,
            (false, false, true) => ExitStatus::Unavailable,
            (false, false, false) => ExitStatus::Unsuccessful,
        },
    )
}
