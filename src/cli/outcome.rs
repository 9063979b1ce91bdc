//! How the program ends: its exit codes, and the one error of all commands.
//!
//! Invariant: scripts tell a bad command line (2) from a world, mind or database that does not answer (3).

use pithead_engine::eval::{EvalError, ResultsError};
use pithead_engine::journal::{BackupError, JournalError};
use pithead_engine::launch::LaunchError;
use pithead_engine::launch::goal::GoalError;
use pithead_engine::memory::MemoryError;
use pithead_engine::runtime::OpenError;
use pithead_engine::runtime::operator::OperatorError;

/// The exit code of the program; scripts rely on the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// The task is done, or what was asked for was shown.
    Done = 0,
    /// The run ended without success.
    Unsuccessful = 1,
    /// The command line, or a name in it, was not understood.
    Usage = 2,
    /// The world, the mind or the database is unavailable.
    Unavailable = 3,
    /// Ctrl-C; 128 + SIGINT, as shells report it.
    Interrupted = 130,
}

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// Whoever typed the command.
    Usage,
    /// Nobody at this command line: world, mind or database are unavailable.
    Unavailable,
}

/// Why a command could not do its work, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandError {
    pub(crate) kind: ErrorKind,
    text: String,
    hint: Option<String>,
}

impl CommandError {
    /// Something in the command line was not understood.
    pub(crate) fn usage(text: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::Usage, text)
    }

    /// The world, the mind or the database is unavailable.
    pub(crate) fn unavailable(text: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::Unavailable, text)
    }

    /// The same with what to do next.
    pub(crate) fn hint(self, hint: impl std::fmt::Display) -> Self {
        let hint = Some(hint.to_string());
        Self { hint, ..self }
    }

    /// What went wrong, without the advice.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What to do next.
    pub(crate) fn advice(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The exit code that tells scripts of it.
    pub(crate) fn exit(&self) -> ExitStatus {
        match self.kind {
            ErrorKind::Usage => ExitStatus::Usage,
            ErrorKind::Unavailable => ExitStatus::Unavailable,
        }
    }

    fn new(kind: ErrorKind, text: impl std::fmt::Display) -> Self {
        Self {
            kind,
            text: text.to_string(),
            hint: None,
        }
    }
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}; {hint}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<JournalError> for CommandError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::NoRun { .. } => Self::usage(error),
            other => Self::unavailable(other),
        }
    }
}

impl From<BackupError> for CommandError {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Journal(error) => error.into(),
            BackupError::Exists { .. }
            | BackupError::InPlace { .. }
            | BackupError::Same { .. }
            | BackupError::Driven { .. } => Self::usage(error),
            BackupError::Open { .. } | BackupError::Damaged { .. } | BackupError::Write { .. } => {
                Self::unavailable(error)
            }
        }
    }
}

impl From<MemoryError> for CommandError {
    fn from(error: MemoryError) -> Self {
        match error {
            MemoryError::OtherEmbedder { .. } | MemoryError::OtherWidth { .. } => {
                Self::usage(error)
            }
            MemoryError::Database(_) | MemoryError::Embed(_) => Self::unavailable(error),
        }
    }
}

impl From<OpenError> for CommandError {
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

impl From<LaunchError> for CommandError {
    fn from(error: LaunchError) -> Self {
        match error {
            LaunchError::Config(_) | LaunchError::System(_) => Self::unavailable(error),
            LaunchError::Goal(error) => error.into(),
            LaunchError::Journal(error) => error.into(),
            LaunchError::Memory(error) => error.into(),
            LaunchError::Open(error) => error.into(),
            LaunchError::Spawn(_) => {
                Self::unavailable(error).hint("`--attached` drives it in the console itself")
            }
            LaunchError::Version { .. } => Self::usage(error),
            // Said by another process of this program, in the same words.
            LaunchError::Driver(fault) => Self {
                kind: match fault.is_usage {
                    true => ErrorKind::Usage,
                    false => ErrorKind::Unavailable,
                },
                text: fault.text,
                hint: fault.hint,
            },
        }
    }
}

impl From<GoalError> for CommandError {
    fn from(error: GoalError) -> Self {
        match error {
            GoalError::Unclear(_) => Self::usage(error),
            GoalError::NoAnswer(_) | GoalError::Mind(_) => Self::unavailable(error),
        }
    }
}

impl From<OperatorError> for CommandError {
    fn from(error: OperatorError) -> Self {
        let hint = error.hint();
        let error = match error {
            OperatorError::Open(error) => error.into(),
            OperatorError::Refused { .. }
            | OperatorError::Lint { .. }
            | OperatorError::NoEntry { .. }
            | OperatorError::Rules { .. } => Self::usage(error),
            OperatorError::Unreachable { .. } | OperatorError::Unconfirmed { .. } => {
                Self::unavailable(error)
            }
        };
        Self {
            hint: hint.or(error.hint),
            ..error
        }
    }
}

impl From<EvalError> for CommandError {
    fn from(error: EvalError) -> Self {
        match error {
            EvalError::Results(ResultsError::Journal(error)) => error.into(),
            EvalError::Results(ResultsError::Other { .. }) | EvalError::Order { .. } => {
                Self::usage(error)
            }
            EvalError::Results(_) | EvalError::Open(_) => Self::unavailable(error),
        }
    }
}

impl From<pithead_console::ConsoleError> for CommandError {
    fn from(error: pithead_console::ConsoleError) -> Self {
        use pithead_console::ConsoleError;
        match error {
            ConsoleError::NoTerminal => Self::usage(error).hint("add --headless, or --json"),
            ConsoleError::Journal(error) => error.into(),
            ConsoleError::Record { .. } => Self::usage(error),
            ConsoleError::Terminal(_) => Self::unavailable(error),
        }
    }
}
