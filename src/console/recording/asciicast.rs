//! An asciicast (version 3) read into memory, with every fault named by its line.
//!
//! Invariant: the events are in the order of their times, and sizes are such as a terminal can have.

use pithead_core::text::clean::clean_line;
use pithead_core::text::untrusted_file::read_text;
use pithead_world::clock::Millis;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Longest file that is read: some days of a busy console.
const FILE_BYTES_MAX: u64 = 512 << 20;
/// Sizes that a terminal can have.
const CELLS_MIN: u16 = 2;
pub(crate) const CELLS_MAX: u16 = 1_000;
/// Most events that are read: a day and a half of thirty frames a second.
const EVENTS_MAX: usize = 4_000_000;
/// Longest pause that is kept as it was; longer ones mean that nobody was there.
const PAUSE_MAX_S: f64 = 1e9;

/// A recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Asciicast {
    /// Columns and rows at the beginning.
    pub size: (u16, u16),
    pub title: String,
    pub events: Vec<(Millis, Told)>,
    /// Which of the events are marks.
    pub marks: Vec<usize>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Written to the terminal.
    Output(String),
    /// The terminal has so many columns and rows from here on.
    Resize(u16, u16),
    /// A decision or a failure.
    Mark(String),
}

/// Why a file is no recording.
#[derive(Debug, thiserror::Error)]
pub enum AsciicastError {
    #[error("{} cannot be read: {because}", path.display())]
    File { path: PathBuf, because: String },
    #[error("{}, line {line}: {because}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        because: String,
    },
}

#[derive(Deserialize)]
struct Header {
    version: u32,
    term: Term,
    #[serde(default)]
    title: String,
}

#[derive(Deserialize)]
struct Term {
    cols: u64,
    rows: u64,
}

impl Asciicast {
    /// Reads a recording. A last line that was cut off by a crash is left out.
    pub fn open(path: &Path) -> Result<Self, AsciicastError> {
        let file = |because: String| AsciicastError::File {
            path: path.to_path_buf(),
            because,
        };
        let text = read_text(path, FILE_BYTES_MAX).map_err(|error| file(error.to_string()))?;
        Self::parse(&text).map_err(|(line, because)| AsciicastError::Line {
            path: path.to_path_buf(),
            line,
            because,
        })
    }

    /// Reads the text of a recording; a fault has its line.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut lines = text.split_inclusive('\n').enumerate();
        let (_, first) = lines.next().ok_or((1, "it is empty".to_owned()))?;
        let header: Header = serde_json::from_str(first)
            .map_err(|error| (1, format!("no asciicast of version 3: {error}")))?;
        if header.version != 3 {
            let because = format!("version {} is not supported, only 3", header.version);
            return Err((1, because));
        }
        let size = |because| (1, because);
        let mut cast = Self {
            size: (
                cells(header.term.cols).map_err(size)?,
                cells(header.term.rows).map_err(size)?,
            ),
            title: clean_line(&header.title),
            events: Vec::new(),
            marks: Vec::new(),
        };
        let mut at = 0.0;
        for (n, line) in lines {
            let is_cut = !line.ends_with('\n');
            match cast.take(line.trim_end(), &mut at) {
                Ok(()) => (),
                Err(_) if is_cut => break,
                Err(because) => return Err((n + 1, because)),
            }
        }
        Ok(cast)
    }

    fn take(&mut self, line: &str, at: &mut f64) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let (seconds, code, data): (f64, String, String) = serde_json::from_str(line)
            .map_err(|error| format!("no event [seconds, code, text]: {error}"))?;
        if !(0.0..=PAUSE_MAX_S).contains(&seconds) {
            return Err(format!("{seconds} is no pause in seconds"));
        }
        *at += seconds;
        let told = match code.as_str() {
            "o" => Told::Output(data),
            "m" => Told::Mark(clean_line(&data)),
            "r" => {
                let size = data.split_once('x');
                let size = size.and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
                let (x, y) = size.ok_or_else(|| format!("`{data}` is not a size such as 80x24"))?;
                Told::Resize(cells(x)?, cells(y)?)
            }
            _ => return Ok(()), // input and exit codes are not shown
        };
        if self.events.len() == EVENTS_MAX {
            return Err(format!("there are more than {EVENTS_MAX} events"));
        }
        if matches!(told, Told::Mark(_)) {
            self.marks.push(self.events.len());
        }
        self.events.push((Millis((*at * 1000.0) as u64), told));
        Ok(())
    }

    /// When its last event was.
    #[must_use]
    pub fn length(&self) -> Millis {
        self.events.last().map_or(Millis(0), |(at, _)| *at)
    }
}

/// Columns or rows; a terminal of one could not hold a wide character.
fn cells(wanted: u64) -> Result<u16, String> {
    u16::try_from(wanted)
        .ok()
        .filter(|cells| *cells <= CELLS_MAX)
        .map(|cells| cells.max(CELLS_MIN))
        .ok_or_else(|| {
            format!("a terminal of {wanted} columns or rows: only {CELLS_MAX} are emulated")
        })
}
