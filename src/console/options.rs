//! What the console is started with, and how a session ends.

use crate::cache::loader::Sources;
use crate::effect::Leaving;
use crate::input::keymap::Keymap;
use crate::theme::Theme;
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::config::notices::TerminalNotice;
use pithead_engine::config::pictures::PictureChoice;
use pithead_engine::journal::JournalError;
use pithead_engine::launch::Launcher;
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use std::io;
use std::path::PathBuf;

/// How the console is to look and where it finds things.
#[derive(Debug, Clone)]
pub struct Options {
    pub theme: Theme,
    /// How what the body sees is drawn; one without `auto` in it.
    pub pictures: PictureChoice,
    /// What the terminal does when something begins to wait for the operator.
    pub notice: TerminalNotice,
    pub clock: Clock,
    pub keymap: Keymap,
    /// What the screens beyond the run are read from.
    pub sources: Sources,
    /// How the database was named on the command line, for commands that are told.
    pub named: String,
    /// The name that answers carry.
    pub operator: String,
    /// Who starts runs that the operator describes; nobody where a run is only looked at.
    pub launcher: Option<Launcher>,
    /// Where the session is recorded as an asciicast.
    pub record: Option<PathBuf>,
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Departure {
    pub exit: Leaving,
    /// The run that was driven here, if one was.
    pub run: Option<RunId>,
    /// How the run ended, if it has.
    pub outcome: Option<Outcome>,
    /// Questions of the run that nobody has answered.
    pub waiting: usize,
    /// Where the driver was in the end; none for recordings.
    pub driver: Option<DriverStatus>,
}

/// Why the console could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    #[error("the console needs a terminal, and there is none here")]
    NoTerminal,
    #[error("the terminal does not work: {0}")]
    Terminal(#[source] io::Error),
    #[error("{path} cannot be recorded to: {because}", path = path.display())]
    Record { path: PathBuf, because: String },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl From<io::Error> for ConsoleError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotConnected => Self::NoTerminal,
            _ => Self::Terminal(error),
        }
    }
}
