//! `pithead memory`: search and inspect the experience store.

mod options;

use crate::cli::options::{Database, embedder, parse_seed};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, print_stdout, text_table, to_json};
use crate::config;
use crate::headless::fields;
use pithead_core::domain::check::Check;
use pithead_core::domain::experience::card::{Card, card_of};
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::recall::{RecallQuery, h_cond};
use pithead_core::domain::experience::{Experience, Hit};
use pithead_core::text::clean::clean_lines;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::memory::{self, ExperienceStore, Recollection, Shape, Stats, SummaryHit};
use pithead_world::family::ItemSpec;
use pithead_world::ids::ExperienceId;
use pithead_world::item::ItemId;
use pithead_world::space::Pos;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;
/// Hits shown at most: more than anyone reads.
const LIMIT_MAX: u64 = 200;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Find experiences similar to a situation, best first
    Search(SearchArgs),
    /// Show one experience or summary in full
    Show(ShowArgs),
    /// Show what each way to get something came to: tries, deaths, ticks
    Options(options::OptionsArgs),
    /// Show the store in figures
    Stats(PlainArgs),
    /// Compute all vectors again with the embedder that the environment names
    Reindex(ReindexArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// The situation, in words
    text: String,
    /// The item to obtain: experiences with the same goal come first
    #[arg(long, value_name = "ITEM")]
    have: Option<ItemSpec>,
    /// The agent's position: experiences near it come first (needs --seed)
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], requires = "seed", allow_negative_numbers = true)]
    at: Option<Vec<i32>>,
    /// The world's seed, for --at
    #[arg(long, value_name = "N", value_parser = parse_seed)]
    seed: Option<u64>,
    /// List at most this many experiences
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=LIMIT_MAX))]
    limit: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// An experience such as e1.8, or a summary such as s12
    #[arg(value_parser = parse_id)]
    id: Wanted,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PlainArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReindexArgs {
    /// Even if all vectors are of this embedder already
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    plain: PlainArgs,
}

#[derive(Debug, Clone, Copy)]
enum Wanted {
    Experience(ExperienceId),
    Summary(u64),
}

fn parse_id(text: &str) -> Result<Wanted, String> {
    let summary = text.strip_prefix('s').and_then(|n| n.parse().ok());
    summary
        .map(Wanted::Summary)
        .or_else(|| text.parse().ok().map(Wanted::Experience))
        .ok_or_else(|| {
            format!("`{text}` is neither an experience such as e1.8 nor a summary such as s12")
        })
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Search(args) => search(args),
        Command::Show(args) => show(args),
        Command::Options(args) => options::options(args),
        Command::Stats(args) => stats(args),
        Command::Reindex(args) => reindex(args),
    }
}

/// Read-only first, so that no database is created; then for writing, since new experiences are embedded.
fn open(database: &Database) -> Result<Journal, CommandError> {
    drop(database.open_read_only()?);
    Ok(Journal::open(&database.path()?, Durability::Normal)?)
}

fn search(args: &SearchArgs) -> Result<ExitStatus, CommandError> {
    let journal = open(&args.database)?;
    let db = journal.connection();
    let cells = match (args.at.as_deref(), args.seed) {
        (Some(&[x, y, z]), Some(seed)) => Some(Cells::containing(seed, Pos::new(x, y, z))),
        _ => None,
    };
    let goal = |item| h_cond(&[Check::InvGe { item, count: 1 }]);
    let query = RecallQuery {
        text: args.text.clone(),
        condition: args.have.map(goal),
        cells,
        seed: args.seed,
        limit: args.limit as usize,
    };
    let mut memory = ExperienceStore::open(db, journal.file(), embedder(&journal)?)?;
    let Recollection { hits, summaries } = memory.recall(db, &query)?;
    let found = Found {
        schema: SCHEMA,
        query,
        experiences: memory.shape().rows,
        cards: if args.json {
            cards(&journal, &hits)?
        } else {
            BTreeMap::new()
        },
        hits,
        summaries,
    };
    print_document(args.json, &found, |found| found.text())?;
    Ok(ExitStatus::Done)
}

fn cards(journal: &Journal, hits: &[Hit]) -> Result<BTreeMap<ExperienceId, Card>, CommandError> {
    let mut cards = BTreeMap::new();
    for hit in hits {
        if let Some(document) = journal.document(hit.id)? {
            cards.insert(hit.id, card_of(&document.experience));
        }
    }
    Ok(cards)
}

#[derive(Serialize)]
struct Found {
    schema: u32,
    query: RecallQuery,
    /// All experiences of the store, among which the hits were found.
    experiences: usize,
    hits: Vec<Hit>,
    summaries: Vec<SummaryHit>,
    /// Of the hits.
    cards: BTreeMap<ExperienceId, Card>,
}

impl Found {
    fn text(&self) -> String {
        let head = [
            ("ID", Align::Left),
            ("ψ", Align::Right),
            ("COS", Align::Right),
            ("δ", Align::Right),
            ("RESULT", Align::Left),
            ("CONF", Align::Right),
            ("GAINED", Align::Left),
            ("WHAT HAPPENED", Align::Left),
        ];
        let number = |value: f64| format!("{value:.3}");
        let hits = self.hits.iter().map(|hit| {
            let failed = || hit.reason.map_or("failure", FailureReason::name);
            let result = if hit.success { "success" } else { failed() };
            let scores = [hit.score, hit.cosine, hit.delta].map(number);
            let id = std::iter::once(hit.id.to_string());
            let confidence = format!("{:.2}", hit.confidence);
            let gained = gained(&hit.inv_delta);
            let rest = [result.to_owned(), confidence, gained, hit.summary.clone()];
            id.chain(scores).chain(rest).collect::<Vec<_>>()
        });
        let summaries = self.summaries.iter().map(|summary| {
            let (none, kind) = ("-".to_owned(), summary.kind.to_string());
            let cosine = number(summary.cosine);
            vec![
                summary.id.to_string(),
                none.clone(),
                cosine,
                none.clone(),
                kind,
                none.clone(),
                none,
                summary.text.clone(),
            ]
        });
        let rows: Vec<_> = hits.chain(summaries).collect();
        format!(
            "{}{} of {}; ψ = {} cos + {} δ\n",
            text_table(&head, &rows),
            self.hits.len(),
            count_with_noun(self.experiences, "experience", "experiences"),
            memory::psi::ALPHA,
            memory::psi::BETA
        )
    }
}

fn show(args: &ShowArgs) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let missing = |what: String| {
        CommandError::usage(format!(
            "there is no {what} in {}; `pithead memory search` finds some",
            journal.path().display()
        ))
    };
    let text = match args.id {
        Wanted::Experience(id) => {
            let document = journal.document(id)?;
            let document = document.ok_or_else(|| missing(format!("experience {id}")))?;
            if args.json {
                to_json(&Shown {
                    schema: SCHEMA,
                    digest: document.digest,
                    card: card_of(&document.experience),
                    experience: document.experience,
                })?
            } else {
                clean_lines(&page(&document.digest, &document.experience))
            }
        }
        Wanted::Summary(id) => {
            let summary = memory::summary(journal.connection(), id)?;
            let summary = summary.ok_or_else(|| missing(format!("summary s{id}")))?;
            if args.json {
                to_json(&summary)?
            } else {
                let cited = summary.members.join(" ");
                clean_lines(&format!("{} {}\ncites {cited}\n", summary.id, summary.text))
            }
        }
    };
    print_stdout(&text);
    Ok(ExitStatus::Done)
}

#[derive(Serialize)]
struct Shown {
    schema: u32,
    digest: String,
    card: Card,
    experience: Experience,
}

fn page(digest: &str, experience: &Experience) -> String {
    let Experience {
        id,
        task,
        pre,
        action,
        diagnosis,
        post,
        tags,
        ..
    } = experience;
    let state = |card: &pithead_core::domain::experience::state_summary::StateSummary| {
        let held = card.held.map_or("nothing", |item| item.name());
        let (tick, position, biome) = (card.tick, card.position, &card.biome);
        format!(
            "tick {tick} at {position} in {biome}, health {}, holding {held}",
            card.health
        )
    };
    let label = || diagnosis.reason.map_or("success", |reason| reason.name());
    let reason = experience.no_failure().unwrap_or_else(label);
    let mut text = format!(
        "{id}  {task}\ndigest   {digest}\nh_cond   {}\ntags     {}\nbefore   {}\ndid      {}\nresult   {reason} ({:.2})\n         {}\nafter    {}\n",
        h_cond(&action.checks),
        tags.join(" "),
        state(pre),
        action.condition,
        diagnosis.confidence,
        diagnosis.summary,
        state(post),
    );
    for indicator in &diagnosis.indicators {
        let _ = writeln!(
            text,
            "         {} = {:.3} {}",
            indicator.name, indicator.value, indicator.unit
        );
    }
    text
}

fn stats(args: &PlainArgs) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let stats = memory::stats(journal.connection())?;
    print_document(args.json, &stats, stats_text)?;
    Ok(ExitStatus::Done)
}

fn stats_text(stats: &Stats) -> String {
    let counted = |map: &std::collections::BTreeMap<String, u64>| {
        let each: Vec<String> = map.iter().map(|(name, n)| format!("{name} {n}")).collect();
        if each.is_empty() {
            "none".to_owned()
        } else {
            each.join(", ")
        }
    };
    let rows = [
        (
            "experiences",
            format!("{} ({} succeeded)", stats.experiences, stats.successes),
        ),
        ("failures", counted(&stats.failures)),
        ("conditions", stats.conditions.to_string()),
        (
            "places",
            format!(
                "{} in {}",
                count_with_noun(stats.cells, "cell", "cells"),
                count_with_noun(stats.regions, "region", "regions")
            ),
        ),
        ("summaries", counted(&stats.summaries)),
        (
            "embedder",
            stats.embedder.as_deref().unwrap_or("none yet").to_owned(),
        ),
        (
            "embedded",
            format!(
                "{} of {} ({} dimensions)",
                stats.embedded, stats.experiences, stats.dims
            ),
        ),
    ];
    fields(&rows)
}

fn reindex(args: &ReindexArgs) -> Result<ExitStatus, CommandError> {
    let journal = open(&args.plain.database)?;
    let db = journal.connection();
    let embedder = config::embedder().map_err(CommandError::usage)?;
    let done = memory::reindex(db, journal.file(), embedder, args.force)?;
    let shape = ExperienceStore::open(
        db,
        journal.file(),
        config::embedder().map_err(CommandError::usage)?,
    )?
    .shape();
    let Shape {
        embedder,
        dims,
        rows,
        bytes: _,
        blocks_in_file: _,
    } = shape;
    print_stdout(&if args.plain.json {
        to_json(&Reindexed {
            schema: SCHEMA,
            changed: done > 0,
            embedded: done,
            experiences: rows,
            embedder,
            dims,
        })?
    } else {
        let all = count_with_noun(rows, "experience", "experiences");
        format!("{done} of {all} embedded by {embedder} ({dims} dimensions)")
    });
    Ok(ExitStatus::Done)
}

#[derive(Serialize)]
struct Reindexed {
    schema: u32,
    changed: bool,
    embedded: usize,
    experiences: usize,
    embedder: String,
    dims: usize,
}

/// What an attempt changed in the inventory, as in `oak_log +3, stick -1`.
fn gained(delta: &BTreeMap<ItemId, i64>) -> String {
    let changes: Vec<String> = delta.iter().map(|(i, n)| format!("{i} {n:+}")).collect();
    if changes.is_empty() {
        return "-".to_owned();
    }
    changes.join(", ")
}
