//! The results of a suite: a file with one line per finished episode, and the journal of their runs beside it.
//!
//! A line is written after its run is in the journal and before the episode is reported, so that a kill
//! repeats at most the episodes under way. Invariant: a file with results of another setting is refused.

use super::base::BaseLabel;
use super::episode::Episode;
use super::plan::Setting;
use super::play::PlayedEpisode;
use crate::journal::{Durability, Journal, JournalError};
use pithead_core::systems;
use pithead_world::aids::SenseLevel;
use pithead_world::counts::Counts;
use pithead_world::ids::RunId;
use pithead_world::port::ServerSpec;
use pithead_world::powers::Powers;
use pithead_world::reports::Reports;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Raised when a line changes its meaning.
const SCHEMA: u32 = 1;
/// The results of a thousand seeds take some ten megabytes.
/// Far above that, a file is not ours.
const LOOKED_BYTES_MAX: u64 = 256 << 20;
/// Faults of one file that are reported; a wrong file would have one on every line.
const FAULTS_MAX: usize = 4;
/// The files of an evaluation's folder.
/// One line of JSON each; the first is the head.
pub(super) const RESULTS_FILE: &str = "episodes.jsonl";
pub(super) const JOURNAL_FILE: &str = "journal.db";

/// The first line: what all episodes have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ResultsHead {
    schema: u32,
    version: String,
    suite: String,
    mind: String,
    system: String,
    controller: String,
    #[serde(default, skip_serializing_if = "Reports::is_typed")]
    reports: Reports,
    #[serde(default, skip_serializing_if = "SenseLevel::is_scout")]
    senses: SenseLevel,
    /// What each body began with.
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    given: Counts,
    #[serde(default, skip_serializing_if = "Powers::are_players")]
    powers: Powers,
    /// The server it was played on; none is the embedded world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    learn: bool,
    /// Absent in results from before episodes could begin with a base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<BaseLabel>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    frozen: bool,
    #[serde(default, skip_serializing_if = "super::plan::is_no_hold_out")]
    hold_out: u8,
    /// In what the episodes' profile is not as the system says, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changes: Vec<String>,
}

/// What of the profile is otherwise than the system of its name says, and a model of one's own.
fn changes(setting: &Setting) -> Vec<String> {
    let own = &setting.profile;
    let Ok(named) = systems::named(&own.name) else {
        // One's own system may be edited: its name alone does not say what was played.
        let text = serde_json::to_string(own).expect("profiles are stored as JSON elsewhere too");
        let digest = Sha256::digest(text);
        let short: String = digest[..4].iter().map(|b| format!("{b:02x}")).collect();
        return vec![format!("profile {short}")];
    };
    let mut changes = Vec::new();
    if own.selector != named.selector {
        changes.push(format!("selector {}", own.selector.name()));
    }
    if own.rounds != named.rounds {
        let rounds = own.rounds.map_or("inf".to_owned(), |n| n.to_string());
        changes.push(format!("rounds {rounds}"));
    }
    if let Some(model) = &setting.horizon_model {
        changes.push(format!("horizon model {}", model.digest()));
    }
    changes
}

/// The server, and how far apart its bodies begin.
fn server_in_results(server: &ServerSpec) -> String {
    match server.place {
        Some(place) => format!("{server}, spread {}", place.spread),
        None => server.to_string(),
    }
}

impl ResultsHead {
    fn from_setting(setting: &Setting) -> Self {
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            suite: setting.suite.name.name().to_owned(),
            mind: setting.mind.clone(),
            system: setting.profile.name.clone(),
            controller: setting.world.aids.controller.name().to_owned(),
            reports: setting.world.aids.reports,
            senses: setting.world.aids.senses,
            given: setting.world.aids.given.clone(),
            powers: setting.world.aids.powers,
            server: setting.world.server.as_ref().map(server_in_results),
            learn: setting.learn,
            base: setting.base.as_ref().map(|base| base.label.clone()),
            frozen: setting.frozen,
            hold_out: setting.hold_out,
            changes: changes(setting),
        }
    }

    /// The first part in which another differs.
    /// Named, because "another evaluation" alone helps nobody.
    fn differs(&self, other: &Self) -> Option<String> {
        let parts = |head: &Self| {
            // By its digest: the same entries may lie in another file.
            let server = head.server.as_deref().unwrap_or("none");
            let base = head.base.as_ref().map_or("none", |base| &base.digest);
            [
                ("schema", head.schema.to_string()),
                ("version", head.version.clone()),
                ("suite", head.suite.clone()),
                ("mind", head.mind.clone()),
                ("system", head.system.clone()),
                ("controller", head.controller.clone()),
                ("level of reports", head.reports.name().to_owned()),
                ("level of senses", head.senses.name().to_owned()),
                ("inventory at the start", head.given.to_string()),
                ("powers of the body", head.powers.to_string()),
                ("server", server.to_owned()),
                ("learn", head.learn.to_string()),
                ("knowledge base", base.to_owned()),
                ("frozen", head.frozen.to_string()),
                ("hold-out", head.hold_out.to_string()),
                ("change of the system", head.changes.join(", ")),
            ]
        };
        let pairs = parts(self).into_iter().zip(parts(other));
        pairs
            .into_iter()
            .find(|(a, b)| a != b)
            .map(|((name, ours), (_, theirs))| format!("its {name} is {theirs}, not {ours}"))
    }
}

/// Why an evaluation cannot keep its results in a folder.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    #[error("could not {doing} {path}: {source}")]
    File {
        doing: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path} is of another evaluation: {because}; choose another --out")]
    Other { path: PathBuf, because: String },
    #[error(
        "line {line} of {path} cannot be read: {because}; choose another --out, or take the line out to play that episode again"
    )]
    Line {
        path: PathBuf,
        line: usize,
        because: String,
    },
    #[error("{path} is being written by another evaluation")]
    Busy { path: PathBuf },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The results, open for writing.
#[derive(Debug)]
pub(super) struct ResultsFile {
    path: PathBuf,
    file: File,
    journal: Journal,
    /// Episodes that were finished before this start.
    pub(super) episodes: Vec<Episode>,
}

impl ResultsFile {
    /// Opens the results in the folder, and makes both if they do not exist.
    pub(super) fn open(folder: &Path, setting: &Setting) -> Result<Self, ResultsError> {
        std::fs::create_dir_all(folder).map_err(fault("make", folder))?;
        let path = folder.join(RESULTS_FILE);
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(fault("open", &path))?;
        // Advisory: it keeps two evaluations from writing one file.
        if file.try_lock().is_err() {
            return Err(ResultsError::Busy { path });
        }
        let text = std::fs::read(&path).map_err(fault("read", &path))?;
        // Only the last line can be torn: lines are written one at a time.
        let whole = whole_lines(&text);
        if whole.len() < text.len() {
            // Killed while writing: that episode is played again.
            let kept = whole.len() as u64;
            file.set_len(kept).map_err(fault("cut", &path))?;
        }
        let head = ResultsHead::from_setting(setting);
        // Read before anything is written: a foreign file stays as it is.
        let episodes = read_results(&String::from_utf8_lossy(whole), &head, &path)?;
        if whole.is_empty() {
            write_line(&mut file, &head).map_err(fault("write", &path))?;
        }
        let journal = Journal::open(&folder.join(JOURNAL_FILE), Durability::Normal)?;
        Ok(Self {
            path,
            file,
            journal,
            episodes,
        })
    }

    /// The first run id that is not taken.
    pub(super) fn next_run(&self) -> Result<u64, ResultsError> {
        let runs = self.journal.runs()?;
        Ok(runs.last().map_or(1, |row| row.id.0 + 1))
    }

    /// Writes a finished episode.
    pub(super) fn append(&mut self, played: PlayedEpisode) -> Result<Episode, ResultsError> {
        let PlayedEpisode { episode, facts } = played;
        // The run first: a line without its run could not be replayed.
        self.journal.adopt(facts)?;
        write_line(&mut self.file, &episode).map_err(fault("write", &self.path))?;
        Ok(episode)
    }

    /// A journal in memory with the base and the runs of the finished episodes, and so with all that they have learnt.
    pub(super) fn knowledge(&self, setting: &Setting) -> Result<Journal, ResultsError> {
        let mut journal = setting.first_journal()?;
        for episode in &self.episodes {
            let events =
                self.journal
                    .events(RunId(episode.run), pithead_world::ids::Seq(0), usize::MAX)?;
            journal.adopt(events)?;
        }
        Ok(journal)
    }
}

/// The results that can be read while another process may be writing them.
#[derive(Debug, Default)]
pub(super) struct PartialResults {
    pub(super) episodes: Vec<Episode>,
    /// What cannot be read, and why this program would refuse to resume.
    pub(super) faults: Vec<String>,
}

/// Reads what can be read; takes no lock and cuts nothing.
/// For the console, which looks at evaluations of other processes.
pub(super) fn read_without_lock(folder: &Path, setting: &Setting) -> PartialResults {
    let path = folder.join(RESULTS_FILE);
    let mut results = PartialResults::default();
    let text = std::fs::metadata(&path).and_then(|file| {
        if file.len() > LOOKED_BYTES_MAX {
            return Err(std::io::Error::other("it is too long to be read"));
        }
        std::fs::read(&path)
    });
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            results.faults.push(format!("{}: {error}", path.display()));
            return results;
        }
    };
    // Torn text at the end is left out: it is being written.
    let text = String::from_utf8_lossy(whole_lines(&text));
    for (number, line) in (1..).zip(text.lines()) {
        let fault = |because: String| format!("line {number} of {}: {because}", path.display());
        let read = if number == 1 {
            let head = serde_json::from_str::<ResultsHead>(line).map_err(|e| e.to_string());
            let other = head.map(|head| ResultsHead::from_setting(setting).differs(&head));
            other.and_then(|because| because.map_or(Ok(None), Err))
        } else {
            serde_json::from_str(line)
                .map(Some)
                .map_err(|e| e.to_string())
        };
        match read {
            Ok(episode) => results.episodes.extend(episode),
            Err(because) if results.faults.len() < FAULTS_MAX => {
                results.faults.push(fault(because));
            }
            Err(_) => (), // enough are reported
        }
    }
    results
}

/// The part up to the last line end.
fn whole_lines(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte == b'\n');
    end.map_or(&[], |at| &text[..=at])
}

fn read_results(text: &str, head: &ResultsHead, path: &Path) -> Result<Vec<Episode>, ResultsError> {
    let mut lines = (1..).zip(text.lines());
    let line_fault = |line: usize, error: serde_json::Error| ResultsError::Line {
        path: path.to_owned(),
        line,
        because: error.to_string(),
    };
    if let Some((line, first)) = lines.next() {
        let found: ResultsHead = serde_json::from_str(first).map_err(|e| line_fault(line, e))?;
        if let Some(because) = head.differs(&found) {
            let path = path.to_owned();
            return Err(ResultsError::Other { path, because });
        }
    }
    lines
        .map(|(line, text)| serde_json::from_str(text).map_err(|e| line_fault(line, e)))
        .collect()
}

/// One line in one write, so that a kill leaves a whole line or a torn one, never a mixed one.
fn write_line<T: Serialize>(file: &mut File, line: &T) -> std::io::Result<()> {
    let text = serde_json::to_string(line)? + "\n";
    file.write_all(text.as_bytes())?;
    file.flush()
}

fn fault<'a>(
    doing: &'static str,
    path: &'a Path,
) -> impl Fn(std::io::Error) -> ResultsError + use<'a> {
    move |source| ResultsError::File {
        doing,
        path: path.to_owned(),
        source,
    }
}
