//! `pithead drive`: drive the run of an order, without a terminal; the program starts it by itself.
//!
//! Invariant: exactly one report goes to standard output, and nobody who has not read it is obeyed.

use super::hook::Hook;
use super::interrupt::interrupt_flag;
use super::outcome::{CommandError, ExitStatus};
use super::output::write_stdout;
use crate::config;
use pithead_engine::launch::driver_process::{DriverFault, DriverReport};
use pithead_engine::launch::order::{DriverOrder, ORDER_BYTES_MAX};
use pithead_engine::runtime::attach::{Host, Seat};
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::{DriverStatus, Link};
use pithead_world::clock::Clock;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks at what has to end the driving.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Looks for which a run that is over waits for a console: one may be about to attach, and as long as one is
/// there its questions can be answered.
const LONELY_LOOKS_MAX: u32 = 4;
/// For the last words to be on their way before the process ends.
const LAST_WORDS: Duration = Duration::from_millis(50);

pub(crate) fn perform() -> Result<ExitStatus, CommandError> {
    // Neither the end of a terminal nor its ctrl-C is meant for this process from here on.
    #[cfg(unix)]
    if let Err(error) = rustix::process::setsid() {
        tracing::warn!(%error, "the driver shares the session of whoever started it");
    }
    let interrupt = interrupt_flag();
    let notices = config::file::settings().map_err(CommandError::usage);
    let opened = read_order().and_then(|order| Ok(order.open()?));
    let opened = opened.and_then(|link| match Host::open(&link, Seat::Free) {
        Some(host) => Ok((link, host)),
        None => Err(CommandError::unavailable(
            "no console could attach to the run, so it is not driven",
        )
        .hint("`--attached` drives it in the console itself; the log says why")),
    });
    let opened = opened.and_then(|(link, host)| Ok((link, host, notices?.notices)));
    let (link, host, notices) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let exit = error.exit();
            report(&DriverReport::Failed(DriverFault {
                text: error.text().to_owned(),
                hint: error.advice().map(str::to_owned),
                is_usage: exit == ExitStatus::Usage,
            }))?;
            return Ok(exit);
        }
    };
    let run = link.run();
    report(&DriverReport::Driving { run })?;
    tracing::info!(%run, "driving");
    let operator = link.journal().file().map(|path| {
        let name = config::operator();
        Operator::new(path, name, Clock::System)
    });
    let hook = Hook::new(notices, run, operator);
    let because = drive((link, hook), &host, &interrupt);
    tracing::info!(%run, because, "no longer driving");
    if let Some(because) = because {
        host.say_stopped(&because);
        std::thread::park_timeout(LAST_WORDS);
    }
    Ok(ExitStatus::Done)
}

fn read_order() -> Result<DriverOrder, CommandError> {
    let mut text = String::new();
    let read = std::io::stdin()
        .take(ORDER_BYTES_MAX)
        .read_to_string(&mut text);
    read.map_err(|error| CommandError::usage(format!("the order could not be read: {error}")))?;
    serde_json::from_str(&text).map_err(|error| {
        CommandError::usage(format!("this is no order of a run: {error}"))
            .hint("`pithead run` starts a run")
    })
}

/// Says once what has come of the order; the end of standard output after it.
fn report(report: &DriverReport) -> Result<(), CommandError> {
    let line = serde_json::to_string(report).map_err(CommandError::unavailable)?;
    // A run that nobody has heard of is not driven on.
    write_stdout(&line).map_err(CommandError::unavailable)?;
    #[cfg(unix)]
    if let Ok(null) = std::fs::File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&null);
    }
    Ok(())
}

/// Drives until nothing is left to do; why the run was left, if it is not over.
fn drive(
    (mut link, mut hook): (Link, Hook),
    host: &Host,
    interrupt: &AtomicBool,
) -> Option<String> {
    let database = link.journal().file().map(std::path::Path::to_path_buf);
    let mut lonely = 0;
    let because = loop {
        // Consoles read the journal themselves; what is not taken here would be kept for nobody.
        match link.recv(LOOK_EVERY) {
            Ok(events) => hook.take(&events, Clock::System.now()),
            Err(error) => break Some(error.to_string()),
        }
        let status = link.status();
        lonely = match (&status, host.consoles()) {
            (DriverStatus::Over, 0) => lonely + 1,
            _ => 0,
        };
        let because = match status {
            DriverStatus::Stopped { because } => because,
            DriverStatus::Over if lonely > LONELY_LOOKS_MAX => break None,
            _ if interrupt.load(Ordering::Acquire) => "its process was told to end".to_owned(),
            _ if host.is_stop_asked() => "the operator stopped its process".to_owned(),
            _ if database.as_deref().is_some_and(|path| !path.exists()) => {
                "its database is gone".to_owned()
            }
            _ => continue,
        };
        break Some(because);
    };
    drop(link.close());
    because
}
