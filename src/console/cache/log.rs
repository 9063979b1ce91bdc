//! Lines of the program's log, as the screen keeps them.

/// Lines of the log that are kept on the screen.
pub const LOG_LINES_MAX: usize = 5000;

/// One line of the program's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Its number in the file, from 1.
    pub n: u64,
    pub level: String,
    pub text: String,
}
