//! The loader: reads the database and the log in a thread of its own, when something has changed.
//!
//! It looks only while a screen wants it to. Invariant: nothing is sent if nothing has changed, so a
//! quiet database costs no drawing.

use crate::cache::Loaded;
use crate::cache::log::{LOG_LINES_MAX, LogLine};
use crate::screen::Screen;
use crate::screens::home::wall::WallReader;
use crate::screens::inbox::decisions::{DecisionReader, Decisions};
use crate::screens::knowledge::queue::queue;
use crate::screens::knowledge::record::Register;
use crate::screens::knowledge::standing::standing;
use crate::screens::options::state::OptionsSubject;
use pithead_core::domain::run::decision::Gates;
use pithead_core::knowledge::graph;
use pithead_core::knowledge::queue::harmful;
use pithead_engine::eval::listing::EvalId;
use pithead_engine::eval::reader::EvalReader;
use pithead_engine::journal::{EntryFilter, Journal, JournalError, LabelCounts};
use pithead_engine::runtime::compare::compare;
use pithead_engine::runtime::failure_heatmap::FAILURES_MAX;
use pithead_engine::runtime::lineage::LineageSubject;
use pithead_engine::runtime::operator::rules::read_rules;
use pithead_world::clock::Clock;
use pithead_world::ids::{KnowledgeId, RunId};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

mod subjects;

/// Between two looks at a database that a screen shows.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Readings on the way to the screen; the loader waits rather than fill memory.
const READINGS_MAX: usize = 2;
/// Bytes of the log's end that are read.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// Stands for the mark of changes of a database that is not there; SQLite's own are not negative.
const NO_DATABASE: i64 = -1;

/// Where things are read from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    pub database: Option<PathBuf>,
    pub log: Option<PathBuf>,
    /// The saved rules about gates.
    pub rules: Option<PathBuf>,
}

/// What is in sight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheWants {
    pub screen: Screen,
    /// The evaluation whose episodes are shown.
    pub opened: Option<EvalId>,
    /// Runs that are to be beside each other.
    pub compared: Vec<RunId>,
    /// Runs whose failures are looked at.
    pub failing: Vec<RunId>,
    /// The entry that is read in full.
    pub reading: Option<KnowledgeId>,
    /// What the options are asked about.
    pub options: OptionsSubject,
    /// What the lineage is asked of.
    pub lineage: Option<LineageSubject>,
}

/// The screen's end.
#[derive(Debug)]
pub struct CacheLoader {
    wants: SyncSender<CacheWants>,
    readings: Receiver<Loaded>,
    wanted: Option<CacheWants>,
}

impl CacheLoader {
    /// Starts the thread; it ends when this is dropped.
    pub fn start(sources: Sources) -> std::io::Result<Self> {
        let (wants, wanted) = sync_channel(READINGS_MAX);
        let (readings_out, readings) = sync_channel(READINGS_MAX);
        std::thread::Builder::new()
            .name("cache".to_owned())
            .spawn(move || Reader::new(sources).work(&wanted, &readings_out))?;
        Ok(Self {
            wants,
            readings,
            wanted: None,
        })
    }

    /// Says what is in sight.
    pub fn want(&mut self, wanted: CacheWants) {
        if self.wanted.as_ref() != Some(&wanted) && self.wants.try_send(wanted.clone()).is_ok() {
            self.wanted = Some(wanted);
        }
    }

    /// What has been read since.
    pub fn taken(&self) -> impl Iterator<Item = Loaded> + '_ {
        self.readings.try_iter()
    }
}

struct Reader {
    sources: Sources,
    journal: Option<Journal>,
    /// SQLite's own mark of changes by others, and the count of rows that we have sent.
    seen: Option<i64>,
    log_bytes: Option<u64>,
    evals: Option<EvalReader>,
    /// The runs whose comparison was sent.
    compared: Vec<RunId>,
    /// The runs whose failures were sent.
    failing: Option<Vec<RunId>>,
    /// The pairs of the present knowledge base were sent.
    queue_sent: bool,
    related: Option<KnowledgeId>,
    records_sent: bool,
    doubts_sent: bool,
    labels: LabelCounts,
    labels_sent: bool,
    triages_sent: bool,
    register: Register,
    /// The rules file when it was last read: when it was written, and its length.
    rules_seen: Option<(SystemTime, u64)>,
    ledger: DecisionReader,
    wall: WallReader,
    /// What the options that were sent are about; so the lineage.
    options: Option<OptionsSubject>,
    lineage: Option<LineageSubject>,
}

impl Reader {
    fn new(sources: Sources) -> Self {
        Self {
            sources,
            journal: None,
            seen: None,
            log_bytes: None,
            evals: None,
            compared: Vec::new(),
            failing: None,
            queue_sent: false,
            related: None,
            records_sent: false,
            doubts_sent: false,
            labels: LabelCounts::default(),
            labels_sent: false,
            triages_sent: false,
            register: Register::default(),
            rules_seen: None,
            ledger: DecisionReader::default(),
            wall: WallReader::default(),
            options: None,
            lineage: None,
        }
    }

    fn work(&mut self, wanted: &Receiver<CacheWants>, out: &SyncSender<Loaded>) {
        let mut wants = CacheWants {
            screen: Screen::Live,
            opened: None,
            compared: Vec::new(),
            failing: Vec::new(),
            reading: None,
            options: OptionsSubject::default(),
            lineage: None,
        };
        loop {
            let wait = match wants.screen {
                // The run's own feed tells what happens there, and nothing of an entry that is read.
                Screen::Live | Screen::Debug if wants.reading.is_none() => {
                    wanted.recv().map_err(|_| RecvTimeoutError::Disconnected)
                }
                _ => wanted.recv_timeout(LOOK_EVERY),
            };
            match wait {
                Ok(other) => wants = other,
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let loaded = match wants.screen {
                // The Debug screen has a loader of its own.
                Screen::Live | Screen::Debug if wants.reading.is_none() => None,
                Screen::Logs => self.log(),
                Screen::Evaluate | Screen::Episodes => self.evaluations(wants.opened),
                Screen::Live
                | Screen::Debug
                | Screen::Inbox
                | Screen::Decided
                | Screen::Rules
                | Screen::Knowledge
                | Screen::Queue
                | Screen::Options
                | Screen::Lineage
                | Screen::Runs
                | Screen::Failures
                | Screen::Home => self.base().unwrap_or_else(|error| {
                    self.seen = None;
                    Some(Loaded::Fault(error.to_string()))
                }),
            };
            let compared = self.compared(&wants, loaded.is_some());
            let failures = self.failures(&wants, loaded.is_some());
            let queue = self.queue(&wants, loaded.is_some());
            let relations = self.relations(&wants, loaded.is_some());
            let records = self.records(&wants, loaded.is_some());
            let doubts = self.doubts(&wants, loaded.is_some());
            let others = compared.into_iter().chain(failures).chain(queue);
            let triages = self.triages(&wants, loaded.is_some());
            let others = others.chain(relations).chain(records).chain(doubts);
            let labels = subjects::labels(self, &wants, loaded.is_some());
            let others = others.chain(triages).chain(labels);
            let others = others.chain(subjects::wall(self, &wants, loaded.as_ref()));
            let asked = subjects::options(self, &wants, loaded.is_some());
            let others =
                others
                    .chain(asked)
                    .chain(subjects::lineage(self, &wants, loaded.is_some()));
            for loaded in loaded.into_iter().chain(others) {
                if out.send(loaded).is_err() {
                    return;
                }
            }
        }
    }

    /// Runs and entries, if anything has changed.
    fn base(&mut self) -> Result<Option<Loaded>, JournalError> {
        let Some(path) = &self.sources.database else {
            return Ok(None);
        };
        if self.journal.is_none() {
            match Journal::look(path) {
                Ok(journal) => self.journal = Some(journal),
                // The first run makes it.
                Err(JournalError::Missing { .. }) => {
                    let is_told = self.seen.replace(NO_DATABASE) == Some(NO_DATABASE);
                    return Ok((!is_told).then(|| Loaded::Base {
                        runs: Vec::new(),
                        entries: Vec::new(),
                        decisions: Decisions::default(),
                        rules: self.rules(),
                    }));
                }
                Err(error) => return Err(error),
            }
        }
        let Some(journal) = &self.journal else {
            return Ok(None);
        };
        let version = journal.changes()?;
        let rules_now = self.rules_mark();
        if self.seen == Some(version) && self.rules_seen == rules_now {
            return Ok(None);
        }
        self.rules_seen = rules_now;
        let runs = journal.runs()?;
        let entries = journal.knowledge(EntryFilter::default())?;
        let decisions = self.ledger.read(journal, &runs)?;
        self.seen = Some(version);
        Ok(Some(Loaded::Base {
            runs,
            entries: entries.into_iter().map(Arc::new).collect(),
            decisions,
            rules: self.rules(),
        }))
    }

    /// Runs beside each other, if others are asked for or the database has changed.
    fn compared(&mut self, wants: &CacheWants, changed: bool) -> Option<Loaded> {
        let is_told = self.compared == wants.compared && !changed;
        if wants.screen != Screen::Runs || wants.compared.is_empty() || is_told {
            return None;
        }
        let sides = compare(self.journal.as_ref()?, &wants.compared);
        self.compared.clone_from(&wants.compared);
        let told = sides.map(Arc::new).map_err(|error| error.to_string());
        Some(Loaded::Compared(wants.compared.clone(), told))
    }

    /// The failed attempts of some runs, if others are asked for or the database has changed.
    fn failures(&mut self, wants: &CacheWants, changed: bool) -> Option<Loaded> {
        let is_told = self.failing.as_ref() == Some(&wants.failing) && !changed;
        if wants.screen != Screen::Failures || is_told {
            return None;
        }
        let found = self
            .journal
            .as_ref()?
            .failures(&wants.failing, FAILURES_MAX);
        self.failing = Some(wants.failing.clone());
        Some(match found {
            Ok(failures) => Loaded::Failures(wants.failing.clone(), failures),
            Err(error) => Loaded::Fault(error.to_string()),
        })
    }

    /// Pairs of entries, if the database has changed since they were sent.
    fn queue(&mut self, wants: &CacheWants, changed: bool) -> Option<Loaded> {
        self.queue_sent &= !changed;
        if wants.screen != Screen::Queue || self.queue_sent {
            return None;
        }
        let entries = self.journal.as_ref()?.knowledge(EntryFilter::default());
        self.queue_sent = true;
        Some(match entries {
            Ok(entries) => Loaded::Queue(queue(&entries), harmful(&entries)),
            Err(error) => Loaded::Fault(error.to_string()),
        })
    }

    /// What the entry that is read depends on, if it is another one or the database has changed.
    fn relations(&mut self, wants: &CacheWants, changed: bool) -> Vec<Loaded> {
        let is_told = self.related == wants.reading && !changed;
        self.related = wants.reading;
        let id = wants.reading.filter(|_| !is_told);
        let (Some(id), Some(journal)) = (id, &self.journal) else {
            return Vec::new();
        };
        let base = match journal.knowledge(EntryFilter::default()) {
            Ok(base) => base,
            Err(error) => return vec![Loaded::Fault(error.to_string())],
        };
        let Some(entry) = base.iter().find(|entry| entry.id == id) else {
            return Vec::new();
        };
        let now = Clock::System.now();
        vec![
            Loaded::Relations(id, graph::relations(entry, &base)),
            Loaded::Standing(id, standing(entry, &base, now)),
        ]
    }

    /// What entries did lately, if they have done something since it was sent.
    fn records(&mut self, wants: &CacheWants, changed: bool) -> Option<Loaded> {
        self.records_sent &= !changed;
        if wants.screen != Screen::Knowledge || self.records_sent {
            return None;
        }
        self.records_sent = true;
        match self.register.read(self.journal.as_ref()?) {
            Ok(true) => Some(Loaded::Records(self.register.records.clone())),
            Ok(false) => None,
            Err(error) => Some(Loaded::Fault(error.to_string())),
        }
    }

    /// Entries that rest on overruled labels, if the database has changed since they were sent.
    fn doubts(&mut self, wants: &CacheWants, changed: bool) -> Option<Loaded> {
        self.doubts_sent &= !changed;
        if wants.screen != Screen::Knowledge || self.doubts_sent {
            return None;
        }
        self.doubts_sent = true;
        match self.journal.as_ref()?.in_doubt() {
            Ok(doubts) => Some(Loaded::Doubts(doubts)),
            Err(error) => Some(Loaded::Fault(error.to_string())),
        }
    }

    /// Who looks into what waits, if the database has changed since it was sent.
    fn triages(&mut self, wants: &CacheWants, changed: bool) -> Option<Loaded> {
        self.triages_sent &= !changed;
        let shows = matches!(
            wants.screen,
            Screen::Inbox | Screen::Runs | Screen::Knowledge
        );
        if !shows || self.triages_sent {
            return None;
        }
        self.triages_sent = true;
        match self.journal.as_ref()?.triages() {
            Ok(triages) => Some(Loaded::Triages(triages)),
            Err(error) => Some(Loaded::Fault(error.to_string())),
        }
    }

    /// Evaluations, if any has gone on.
    fn evaluations(&mut self, opened: Option<EvalId>) -> Option<Loaded> {
        let path = self.sources.database.as_ref()?;
        let evals = self.evals.get_or_insert_with(|| EvalReader::new(path));
        let loaded = match evals.read_changes(opened) {
            Ok(listing) => listing.map(Loaded::News),
            Err(because) => Some(Loaded::Fault(because)),
        };
        if loaded.is_some() {
            // The cache has one fault for all; the other screens tell theirs anew.
            self.seen = None;
        }
        loaded
    }

    fn rules(&self) -> Result<Gates, String> {
        let path = self.sources.rules.as_ref();
        let Some(path) = path else {
            return Ok(Gates::default());
        };
        read_rules(path).map_err(|error| error.to_string())
    }

    fn rules_mark(&self) -> Option<(SystemTime, u64)> {
        let facts = std::fs::metadata(self.sources.rules.as_ref()?).ok()?;
        Some((facts.modified().ok()?, facts.len()))
    }

    /// The end of the log, if it has grown.
    fn log(&mut self) -> Option<Loaded> {
        let path = self.sources.log.as_ref()?;
        let mut file = std::fs::File::open(path).ok()?;
        let bytes = file.metadata().ok()?.len();
        if self.log_bytes == Some(bytes) {
            return None;
        }
        let skipped = bytes.saturating_sub(LOG_BYTES_MAX);
        file.seek(SeekFrom::Start(skipped)).ok()?;
        let mut end = Vec::new();
        file.take(LOG_BYTES_MAX).read_to_end(&mut end).ok()?;
        self.log_bytes = Some(bytes);
        Some(Loaded::Log(lines(
            &String::from_utf8_lossy(&end),
            skipped > 0,
        )))
    }
}

/// The last lines; the first is left out if it may be cut.
fn lines(text: &str, is_cut: bool) -> Vec<LogLine> {
    let all: Vec<&str> = text.lines().skip(usize::from(is_cut)).collect();
    let first = all.len().saturating_sub(LOG_LINES_MAX);
    let numbered = (1_u64..).zip(&all).skip(first);
    numbered
        .map(|(n, line)| LogLine {
            n,
            level: level(line).to_owned(),
            text: (*line).to_owned(),
        })
        .collect()
}

/// The level that a line names: the second word, after the time.
fn level(line: &str) -> &str {
    let word = line.split_whitespace().nth(1).unwrap_or_default();
    match word {
        "ERROR" | "WARN" | "INFO" | "DEBUG" | "TRACE" => word,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_left_out_and_levels_are_found() {
        let text = "half a line\n2026-01-01T00:00:00Z  WARN pithead: odd\nno level here\n";
        let read = lines(text, true);
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].n, read[0].level.as_str()), (1, "WARN"));
        assert_eq!(read[1].level, "");
    }

    #[test]
    fn only_the_end_of_a_long_log_is_kept() {
        let text = "x\n".repeat(LOG_LINES_MAX + 10);
        let read = lines(&text, false);
        assert_eq!((read.len(), read[0].n), (LOG_LINES_MAX, 11));
    }
}
