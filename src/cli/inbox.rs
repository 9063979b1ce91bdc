//! `pithead inbox`: what waits for the operator, in all runs or one, and one question in full.
//!
//! The headless counterpart of the console's inbox; `pithead tell` and `pithead kb` answer.

use super::options::{Database, parse_run_id};
use super::replay::each_page;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, print_stdout, text_table, to_json};
use pithead_console::screens::inbox::decisions::{AskedQuestion, DecisionReader};
use pithead_console::screens::live::pages::decision;
use pithead_console::triage::triage_words;
use pithead_console::view::View;
use pithead_console::view::inbox::{Content, Open};
use pithead_console::widgets::editor::Editor;
use pithead_core::domain::knowledge::Entry;
use pithead_core::domain::run::decision::{Question, Subject};
use pithead_core::domain::run::triage::{Triage, TriageSubject};
use pithead_core::knowledge::queue::harmful;
use pithead_core::text::numbers::format_seconds;
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime::Recording;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{DecisionId, KnowledgeId, RunId};
use serde::Serialize;
use std::collections::BTreeMap;

/// Columns of a question in full: it is wrapped for a terminal of common width.
const WIDTH: usize = 100;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only questions and entries of this run
    #[arg(value_parser = parse_run_id)]
    run: Option<RunId>,
    /// Show this question of the run in full: its content, why it was asked, what it would change
    #[arg(requires = "run")]
    decision: Option<DecisionId>,
    /// Print only the question's plan or entry, as `pithead tell RUN edit` reads it
    #[arg(long, requires = "decision", conflicts_with = "json")]
    text: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    match (args.run, args.decision) {
        (Some(run), Some(decision)) => in_full(args, run, decision),
        (run, _) => list(args, run),
    }
}

#[derive(Debug, Serialize)]
struct Listing {
    schema: u32,
    waiting: Vec<Waiting>,
}

impl Listing {
    fn text(&self) -> String {
        if self.waiting.is_empty() {
            return "nothing waits for you\n".to_owned();
        }
        let now = Clock::System.now();
        let rows: Vec<Vec<String>> = self.waiting.iter().map(|one| one.row(now)).collect();
        let head = [
            ("RUN", Align::Left),
            ("ID", Align::Left),
            ("KIND", Align::Left),
            ("TITLE", Align::Left),
            ("WAITS", Align::Left),
        ];
        text_table(&head, &rows)
    }
}

/// A question, a proposed entry or a harmful one.
#[derive(Debug, Serialize)]
struct Waiting {
    run: RunId,
    /// None for an entry about which no run asks; `pithead kb approve` or `veto` decides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<Question>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<KnowledgeId>,
    title: String,
    /// Why an active entry should be retired, vetoed or edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    harmful: Option<String>,
    blocks_run: bool,
    since: Millis,
    /// Who looks into it, until when it is snoozed, what was said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    triage: Option<Triage>,
}

fn list(args: &Args, run: Option<RunId>) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    if let Some(run) = run {
        journal.run(run)?;
    }
    let mut waiting = waiting(&journal)?;
    waiting.retain(|one| run.is_none_or(|run| one.run == run));
    let listing = Listing { schema: 1, waiting };
    print_document(args.json, &listing, Listing::text)?;
    Ok(ExitStatus::Done)
}

/// Something that waits, as far as counting needs it.
#[derive(Debug)]
pub(super) struct WaitingOne {
    pub(super) run: RunId,
    pub(super) blocks_run: bool,
}

/// All that waits, for whoever only counts it.
pub(super) fn count_waiting(journal: &Journal) -> Result<Vec<WaitingOne>, CommandError> {
    let all = waiting(journal)?.into_iter();
    Ok(all
        .map(|one| WaitingOne {
            run: one.run,
            blocks_run: one.blocks_run,
        })
        .collect())
}

/// All that waits, the oldest first.
fn waiting(journal: &Journal) -> Result<Vec<Waiting>, CommandError> {
    let decisions = DecisionReader::default().read(journal, &journal.runs()?)?;
    let base = journal.knowledge(EntryFilter::default())?;
    let entries: BTreeMap<KnowledgeId, &Entry> =
        base.iter().map(|entry| (entry.id, entry)).collect();
    // A fork repeats what its past asked about an entry; the entry waits once, as in the console.
    let is_own = |asked: &&AskedQuestion| match asked.question.subject {
        Subject::Knowledge(entry) => entry.run == asked.run,
        _ => true,
    };
    let own = decisions.open.iter().filter(is_own);
    let mut all: Vec<Waiting> = own.map(|asked| Waiting::of(asked, &entries)).collect();
    let proposed = base
        .iter()
        .filter(|entry| entry.status == pithead_core::domain::knowledge::Status::Proposed);
    let unasked = proposed.filter(|entry| decisions.about(entry.id).is_none());
    all.extend(unasked.map(|entry| Waiting {
        run: entry.id.run,
        question: None,
        entry: Some(entry.id),
        title: entry.title.clone(),
        harmful: None,
        blocks_run: false,
        since: entry.created,
        triage: None,
    }));
    all.extend(harmful(&base).into_iter().filter_map(|queued| {
        let entry = entries.get(&queued.id)?;
        Some(Waiting {
            run: entry.id.run,
            question: None,
            entry: Some(entry.id),
            title: entry.title.clone(),
            harmful: Some(queued.because),
            blocks_run: false,
            since: entry
                .history
                .last()
                .map_or(entry.created, |change| change.at),
            triage: None,
        })
    }));
    let (triages, now) = (journal.triages()?, Clock::System.now());
    for one in &mut all {
        one.triage = triages.get(&one.subject()).cloned();
    }
    // As in the console: what is snoozed stands last.
    let is_snoozed = |one: &Waiting| one.triage.as_ref().is_some_and(|of| of.is_snoozed(now));
    all.sort_by_key(|one| (is_snoozed(one), one.since));
    Ok(all)
}

impl Waiting {
    fn of(asked: &AskedQuestion, entries: &BTreeMap<KnowledgeId, &Entry>) -> Self {
        let question = &asked.question;
        let (entry, title) = match &question.subject {
            Subject::Knowledge(id) => {
                let title = entries.get(id).map(|entry| entry.title.clone());
                (Some(*id), title.unwrap_or_default())
            }
            Subject::Plan(revision) => (None, format!("plan {revision}")),
            Subject::Risk { subgoal, risk } => (None, format!("{subgoal}: {risk}")),
            Subject::End { because, .. } | Subject::Budget { because } => (None, because.clone()),
        };
        Self {
            run: asked.run,
            entry,
            title,
            harmful: None,
            blocks_run: question.kind.blocks_run(),
            since: question.asked,
            question: Some(question.clone()),
            triage: None,
        }
    }

    /// An entry is the same whether or not a run asks about it.
    fn subject(&self) -> TriageSubject {
        match (self.entry, &self.question) {
            (Some(entry), _) => TriageSubject::Entry(entry),
            (None, Some(question)) => TriageSubject::Question {
                run: self.run,
                decision: question.id,
            },
            (None, None) => TriageSubject::Run(self.run),
        }
    }

    /// Its title, after who looks into it and what harm it does.
    fn told(&self, now: Millis) -> String {
        let triage = self.triage.as_ref();
        let triage = triage.map(|triage| triage_words(triage, now));
        let parts = triage.into_iter().chain(self.harmful.clone());
        let parts = parts.chain([self.title.clone()]);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(" · ")
    }

    fn row(&self, now: Millis) -> Vec<String> {
        let (id, kind) = match (&self.question, self.entry) {
            (Some(question), _) => (question.id.to_string(), question.kind.name()),
            (None, entry) => {
                let kind = self.harmful.as_ref().map_or("entry", |_| "harmful");
                (entry.map_or(String::new(), |id| id.to_string()), kind)
            }
        };
        let age = format_seconds(now.since(self.since) / 1000);
        let deadline = self
            .question
            .as_ref()
            .and_then(|question| question.deadline);
        let timeout = deadline.map_or(String::new(), |deadline| {
            format!(
                " · answered by timeout in {}",
                format_seconds(deadline.since(now) / 1000)
            )
        });
        let blocks = if self.blocks_run {
            " · blocks the run"
        } else {
            ""
        };
        vec![
            format!("run {}", self.run),
            id,
            kind.to_owned(),
            self.told(now),
            format!("(waiting {age}{blocks}{timeout})"),
        ]
    }
}

#[derive(Debug, Serialize)]
struct Shown<'a> {
    schema: u32,
    run: RunId,
    question: &'a Question,
    title: String,
    /// World time when it was asked.
    tick: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a pithead_core::domain::plan::Plan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<&'a Entry>,
    /// Why earlier answers to it were refused, oldest first.
    refused: &'a [String],
}

fn in_full(args: &Args, run: RunId, decision: DecisionId) -> Result<ExitStatus, CommandError> {
    let view = view_of_run(&args.database, run)?;
    let open = open_question(&view, run, decision)?;
    let text = if args.text {
        Editor::open(open).map_err(CommandError::usage)?.text()
    } else if args.json {
        let (plan, entry) = match &open.content {
            Content::Plan { proposal, .. } => (Some(&proposal.plan), None),
            Content::Knowledge(entry) => (None, Some(&**entry)),
            _ => (None, None), // the question itself says all of the others
        };
        to_json(&Shown {
            schema: 1,
            run,
            question: &open.question,
            title: open.title(),
            tick: open.tick,
            plan,
            entry,
            refused: &open.refused,
        })?
    } else {
        let lines = decision::decision_lines(open, &view, WIDTH);
        lines.iter().map(|line| line.plain() + "\n").collect()
    };
    print_stdout(&text);
    Ok(ExitStatus::Done)
}

/// A run as the console sees it now.
pub(super) fn view_of_run(database: &Database, run: RunId) -> Result<View, CommandError> {
    let recording = Recording::open(database.open_read_only()?, run)?;
    let mut view = View::default();
    each_page(&recording, |page| {
        page.iter().for_each(|fact| view.apply(fact));
    })?;
    Ok(view)
}

/// An open question of a run.
pub(super) fn open_question(
    view: &View,
    run: RunId,
    decision: DecisionId,
) -> Result<&Open, CommandError> {
    view.inbox.get(decision).ok_or_else(|| {
        CommandError::usage(format!(
            "{decision} is not open in run {run}: it was already decided or never asked; `pithead inbox {run}` lists what waits"
        ))
    })
}
