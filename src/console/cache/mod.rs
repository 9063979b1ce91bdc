//! The cache: what the screens beyond one run know of the database, as tables and the things behind.
//!
//! It is loaded by a thread of its own (`loader`) and only for the screen in sight; drawing and keys
//! never wait for the disk. Invariant: a table and what is behind its rows come from one reading.

pub mod loader;
pub mod log;
pub(crate) mod tables;

use crate::cache::log::LogLine;
use crate::screen::Screen;
use crate::screens::debug::readings::{DebugReading, DebugReadings};
use crate::screens::home::table as home_table;
use crate::screens::home::table::HomeParts;
use crate::screens::home::wall::Wall;
use crate::screens::home::{starters, tasks};
use crate::screens::inbox::decisions::{DecidedSubject, Decisions};
use crate::screens::knowledge::queue::QueuedPair;
use crate::screens::knowledge::record::Records;
use crate::screens::lineage::table::OpenLineage;
use crate::screens::options::state::{OptionsReading, OptionsSubject};
use crate::screens::runs::comparison;
use crate::screens::runs::comparison::ComparedRuns;
use crate::screens::{evaluate, inbox, lineage, options};
use crate::widgets::table::{ListItem, Table};
use crate::widgets::time::Zone;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::decision::{Gates, Subject};
use pithead_core::domain::run::triage::Triages;
use pithead_core::knowledge::graph::Relation;
use pithead_core::knowledge::queue::QueuedEntry;
use pithead_core::knowledge::why::Reason;
use pithead_engine::eval::listing::{EpisodeRow, EvalId, EvalListing, Evaluation};
use pithead_engine::journal::{Doubt, LabelledFailure, LabelsByRun, RunRow};
use pithead_engine::runtime::failure_heatmap::FailureHeatmap;
use pithead_engine::runtime::lineage::{Lineage, LineageSubject};
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    pub runs: Vec<RunRow>,
    pub entries: Vec<Arc<Entry>>,
    /// What the live runs do.
    pub wall: Wall,
    /// Entries that say the same or speak against each other.
    pub queue: Vec<QueuedPair>,
    /// What entries did lately.
    pub records: Records,
    /// Entries that rest on a label that was overruled, and that nobody has looked at since.
    pub doubts: BTreeMap<KnowledgeId, Doubt>,
    /// Why attempts of the runs failed, and how often.
    pub labels: LabelsByRun,
    /// Who looks into what waits, until when it is out of sight, what was said of it.
    pub triages: Triages,
    /// What the entry that is read depends on, and what on it.
    pub relations: Option<(KnowledgeId, Vec<Relation>)>,
    /// Why it does not act, as the base is now; no reason means that it does.
    pub standing: Option<(KnowledgeId, Vec<Reason>)>,
    pub decisions: Decisions,
    pub rules: Gates,
    /// Where they are saved.
    pub rules_file: Option<PathBuf>,
    /// What ages and count-downs are measured by.
    pub now: Millis,
    /// In which moments are told.
    pub zone: Zone,
    pub log: Vec<LogLine>,
    pub evaluations: Vec<Arc<Evaluation>>,
    /// The evaluation that is open, with its episodes.
    pub episodes: Option<(EvalId, Arc<Vec<EpisodeRow>>)>,
    /// Runs beside each other, or why they cannot be.
    pub compared: Option<(Vec<RunId>, ComparedRuns)>,
    /// What was tried, for the list of options.
    pub options: Option<OptionsReading>,
    /// The lineage that is open.
    pub lineage: Option<OpenLineage>,
    /// Why the subgoals of some runs failed.
    pub heat: Option<(Vec<RunId>, FailureHeatmap)>,
    pub tables: BTreeMap<Screen, Table>,
    /// Why the database could not be read, if it could not.
    pub fault: Option<String>,
    /// What has been read of the run in sight.
    pub debug: DebugReadings,
}

/// One reading, for one screen.
#[derive(Debug, Clone)]
pub enum Loaded {
    /// Runs and entries: the inbox and both their screens are made of them.
    Base {
        runs: Vec<RunRow>,
        entries: Vec<Arc<Entry>>,
        decisions: Decisions,
        /// The saved rules about gates; the fault if their file does not read.
        rules: Result<Gates, String>,
    },
    /// What the live runs do, for the Home screen.
    Wall(Wall),
    Log(Vec<LogLine>),
    News(EvalListing),
    Compared(Vec<RunId>, ComparedRuns),
    Queue(Vec<QueuedPair>, Vec<QueuedEntry>),
    Records(Records),
    Doubts(Vec<Doubt>),
    /// Why attempts of the runs failed, and how often.
    Labels(LabelsByRun),
    Triages(Triages),
    Relations(KnowledgeId, Vec<Relation>),
    /// Why a run like the one that it comes from would not be given the entry now.
    Standing(KnowledgeId, Vec<Reason>),
    Options(OptionsReading),
    /// None if its subject is not in the database.
    Lineage(LineageSubject, Option<Lineage>),
    /// The failed attempts of these runs.
    Failures(Vec<RunId>, Vec<LabelledFailure>),
    Fault(String),
}

impl Cache {
    /// Takes a reading over; tables are made of it at once.
    pub fn apply(&mut self, loaded: Loaded) {
        match loaded {
            Loaded::Base {
                runs,
                entries,
                decisions,
                rules,
            } => {
                self.fault = rules.as_ref().err().cloned();
                self.tables.insert(
                    Screen::Knowledge,
                    tables::knowledge(&entries, &self.records, &self.doubts),
                );
                (self.runs, self.entries) = (runs, entries);
                self.make_runs();
                (self.decisions, self.rules) = (decisions, rules.unwrap_or_default());
                self.tables
                    .insert(Screen::Rules, inbox::tables::rules(&self.rules));
                self.age();
            }
            Loaded::Wall(wall) => self.take_wall(wall),
            Loaded::Log(lines) => {
                self.tables.insert(Screen::Logs, tables::log(&lines));
                self.log = lines;
            }
            Loaded::News(news) => {
                self.fault = None;
                self.take_news(news);
            }
            Loaded::Records(records) => {
                self.records = records;
                self.make_knowledge();
            }
            Loaded::Doubts(doubts) => {
                self.doubts = doubts.into_iter().map(|of| (of.entry, of)).collect();
                self.make_knowledge();
            }
            Loaded::Labels(labels) => self.take_labels(labels),
            Loaded::Triages(triages) => self.take_triages(triages),
            Loaded::Relations(id, relations) => self.relations = Some((id, relations)),
            Loaded::Standing(id, reasons) => self.standing = Some((id, reasons)),
            Loaded::Queue(pairs, harmful) => {
                let table = tables::queue(&pairs, &harmful);
                self.tables.insert(Screen::Queue, table);
                self.queue = pairs;
            }
            Loaded::Options(reading) => {
                let table = options::table::table(&reading);
                self.tables.insert(Screen::Options, table);
                self.options = Some(reading);
            }
            Loaded::Lineage(subject, found) => {
                self.lineage = Some(OpenLineage { subject, found });
                self.age_lineage();
            }
            Loaded::Failures(runs, failures) => {
                self.tables
                    .insert(Screen::Failures, tables::failures(&failures));
                self.heat = Some((runs, FailureHeatmap::from_failures(&failures)));
            }
            Loaded::Compared(runs, sides) => self.compared = Some((runs, sides)),
            Loaded::Fault(because) => {
                // What can be started does not depend on the database.
                self.make_home();
                self.fault = Some(because);
            }
        }
    }

    fn make_home(&mut self) {
        let mut waiting: BTreeMap<RunId, (usize, bool)> = BTreeMap::new();
        for asked in &self.decisions.open {
            let (count, blocks) = waiting.entry(asked.run).or_default();
            (*count, *blocks) = (*count + 1, *blocks || asked.question.kind.blocks_run());
        }
        let inbox = self.tables.get(&Screen::Inbox);
        let table = home_table::table(HomeParts {
            runs: &self.runs,
            entries: &self.entries,
            waiting: &waiting,
            wall: &self.wall,
            inbox: inbox.map_or(&[], |table| &table.rows),
        });
        self.tables.insert(Screen::Home, table);
    }

    fn take_labels(&mut self, labels: LabelsByRun) {
        self.labels = labels;
        self.make_runs();
    }

    fn make_runs(&mut self) {
        let table = tables::runs(&self.runs, &self.labels, &self.zone);
        self.tables.insert(Screen::Runs, table);
    }

    fn make_knowledge(&mut self) {
        let table = tables::knowledge(&self.entries, &self.records, &self.doubts);
        self.tables.insert(Screen::Knowledge, table);
    }

    fn take_triages(&mut self, triages: Triages) {
        self.triages = triages;
        self.age();
    }

    fn take_wall(&mut self, wall: Wall) {
        self.wall = wall;
        self.make_home();
    }

    fn take_news(&mut self, news: EvalListing) {
        let table = evaluate::evaluations(&news.evaluations);
        self.tables.insert(Screen::Evaluate, table);
        self.evaluations = news.evaluations;
        if let Some((id, episodes)) = news.opened {
            let table = evaluate::episodes(&episodes);
            self.tables.insert(Screen::Episodes, table);
            self.episodes = Some((id, episodes));
        }
    }

    /// Forgets what is not asked for any more: episodes of another evaluation, other runs beside each other.
    pub fn keep(&mut self, opened: Option<EvalId>, compared: &[RunId], failing: &[RunId]) {
        if self.heat.as_ref().is_some_and(|(runs, _)| runs != failing) {
            self.heat = None;
            self.tables.remove(&Screen::Failures);
        }
        if self
            .compared
            .as_ref()
            .is_some_and(|(runs, _)| runs != compared)
        {
            self.compared = None;
        }
        if self.episodes.as_ref().map(|(id, _)| *id) != opened {
            self.episodes = None;
            self.tables.remove(&Screen::Episodes);
        }
    }

    /// Forgets what is about another subject than the one in sight.
    pub fn keep_subjects(&mut self, options: &OptionsSubject, lineage: Option<LineageSubject>) {
        let is_other = |reading: &OptionsReading| reading.subject.targets != options.targets;
        if self.options.as_ref().is_some_and(is_other) {
            self.options = None;
            self.tables.remove(&Screen::Options);
        }
        if self.lineage.as_ref().map(|known| known.subject) != lineage {
            self.lineage = None;
            self.tables.remove(&Screen::Lineage);
        }
    }

    /// Makes the tables that tell ages and count-downs for another moment.
    pub fn tell_time(&mut self, now: Millis) {
        self.now = now;
        if self.tables.contains_key(&Screen::Inbox) {
            self.age();
        }
        self.age_lineage();
    }

    fn age_lineage(&mut self) {
        if let Some(open) = &self.lineage {
            let table = lineage::table::table(open.found.as_ref(), self.now);
            self.tables.insert(Screen::Lineage, table);
        }
    }

    fn age(&mut self) {
        let (decisions, entries) = (&self.decisions, &self.entries);
        let told = (&self.triages, self.now);
        let waiting = inbox::tables::waiting(decisions, entries, &self.runs, told);
        let decided = inbox::tables::decided(decisions, entries, self.now);
        self.tables.insert(Screen::Inbox, waiting);
        self.tables.insert(Screen::Decided, decided);
        // Home repeats rows of the inbox, with what they say of snoozes.
        self.make_home();
    }

    /// Takes over what was read of the run in sight; true if its list is another one.
    pub fn apply_debug(&mut self, read: DebugReading) -> bool {
        let table = self.debug.apply(read);
        let is_new = table.is_some();
        self.tables
            .extend(table.map(|table| (Screen::Debug, table)));
        is_new
    }

    #[must_use]
    pub fn table(&self, screen: Screen) -> Option<&Table> {
        self.tables.get(&screen)
    }

    #[must_use]
    pub fn entry(&self, id: KnowledgeId) -> Option<&Arc<Entry>> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    #[must_use]
    pub fn run(&self, id: RunId) -> Option<&RunRow> {
        self.runs.iter().find(|run| run.id == id)
    }

    #[must_use]
    pub fn line(&self, n: u64) -> Option<&LogLine> {
        self.log.iter().find(|line| line.n == n)
    }

    #[must_use]
    pub fn evaluation(&self, id: EvalId) -> Option<&Arc<Evaluation>> {
        self.evaluations
            .iter()
            .find(|evaluation| evaluation.id == id)
    }

    #[must_use]
    pub fn episode(&self, id: u64) -> Option<&EpisodeRow> {
        let (_, episodes) = self.episodes.as_ref()?;
        episodes.iter().find(|episode| episode.id == id)
    }

    /// What a row is, in words that a question can name it by.
    #[must_use]
    pub fn name(&self, item: ListItem) -> String {
        match item {
            ListItem::Run(id) => match self.run(id) {
                Some(run) => format!("run {id} · {}", run.task),
                None => format!("run {id}"),
            },
            ListItem::Entry(id) => match self.entry(id) {
                Some(entry) => format!("{id} · {}", entry.title),
                None => id.to_string(),
            },
            ListItem::Pair(one, other) => format!("{one} and {other}"),
            ListItem::Comparison => self
                .compared
                .as_ref()
                .map_or_else(String::new, |(runs, _)| comparison::name(runs)),
            ListItem::Line(n) => format!("line {n}"),
            ListItem::Option(key, _) => key.to_string(),
            ListItem::Lineage(at) | ListItem::Fold(at) => {
                let line = self.lineage.as_ref().and_then(|open| open.line(at));
                line.map_or(String::new(), |line| line.text.clone())
            }
            ListItem::Failure(run, attempt) => format!("attempt {attempt} of run {run}"),
            ListItem::Evaluation(id) => self
                .evaluation(id)
                .map_or(String::new(), |evaluation| evaluation.name.clone()),
            ListItem::Episode(id) => self.episode(id).map_or(String::new(), |episode| {
                format!("{} · seed {}", episode.task, episode.seed)
            }),
            ListItem::Attempt(id) => format!("attempt {id}"),
            ListItem::New => "a new run".to_owned(),
            ListItem::Group(at) => tasks::at(at).map_or(String::new(), |task| task.group.clone()),
            ListItem::Starter(at) => starters::words(at).unwrap_or_default().to_owned(),
            ListItem::Again(id) => self.run(id).map_or(String::new(), |run| run.task.clone()),
            ListItem::Question(run, id) => format!("{id} of run {run}"),
            ListItem::Past(run, seq) => self.name_of_past(run, seq),
            ListItem::Rule(kind) => format!("the gate {}", kind.name()),
            ListItem::Task(at) => tasks::at(at).map_or(String::new(), |task| task.id.clone()),
        }
    }

    /// What was decided about: the entry, or the question with its run.
    fn name_of_past(&self, run: RunId, seq: Seq) -> String {
        match self.decisions.past(run, seq).map(|past| &past.about) {
            Some(DecidedSubject::Log(id)) => self.name(ListItem::Entry(*id)),
            Some(DecidedSubject::Gate(question)) => match question.subject {
                Subject::Knowledge(id) => self.name(ListItem::Entry(id)),
                _ => format!("{} of run {run}", question.id),
            },
            None => "a decision".to_owned(),
        }
    }
}
