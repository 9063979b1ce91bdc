//! `pithead memory`: the experience store.

use super::options::{Database, embedder};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use crate::config;
use pithead_core::domain::check::Check;
use pithead_core::domain::experience::cell::Cells;
use pithead_core::domain::experience::recall::{RecallQuery, h_cond};
use pithead_core::domain::experience::{Experience, Hit};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::memory::{
    self, Breadth, ExperienceStore, Recollection, Shape, Stats, SummaryHit,
};
use pithead_world::family::ItemSpec;
use pithead_world::ids::ExperienceId;
use pithead_world::space::Pos;
use serde::Serialize;
use std::fmt::Write as _;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;
/// Hits asked for at once: more than anyone reads.
const LIMIT_MAX: u64 = 200;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Find experiences like a situation, best first
    Search(SearchArgs),
    /// Show one experience or summary in full
    Show(ShowArgs),
    /// Show what the store holds
    Stats(PlainArgs),
    /// Make the vectors anew, for the embedder that the environment names
    Reindex(ReindexArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// What is looked for, in words
    text: String,
    /// What is to be had in the end: experiences with the same aim come first
    #[arg(long, value_name = "ITEM")]
    have: Option<ItemSpec>,
    /// Where the agent stands: experiences near it come first (needs --seed)
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], requires = "seed", allow_negative_numbers = true)]
    at: Option<Vec<i32>>,
    /// The world's seed, for --at
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Look at the members of so many best summaries only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=LIMIT_MAX))]
    summaries: Option<u64>,
    /// Experiences shown
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
    #[arg(value_parser = wanted)]
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
    /// Also if the store is complete and of this embedder already
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

fn wanted(text: &str) -> Result<Wanted, String> {
    let summary = text.strip_prefix('s').and_then(|n| n.parse().ok());
    summary
        .map(Wanted::Summary)
        .or_else(|| text.parse().ok().map(Wanted::Experience))
        .ok_or_else(|| format!("`{text}` is no experience such as e1.8 and no summary such as s12"))
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Search(args) => search(args),
        Command::Show(args) => show(args),
        Command::Stats(args) => stats(args),
        Command::Reindex(args) => reindex(args),
    }
}

/// Looked at first, so that no database is made; then for writing, since what is new is taken in.
fn open(database: &Database) -> Result<Journal, CommandError> {
    drop(database.open_read_only()?);
    Ok(Journal::open(&database.path()?, Durability::Normal)?)
}

fn search(args: &SearchArgs) -> Result<ExitStatus, CommandError> {
    let journal = open(&args.database)?;
    let db = journal.connection();
    let cells = match (args.at.as_deref(), args.seed) {
        (Some(&[x, y, z]), Some(seed)) => Some(Cells::of(seed, Pos::new(x, y, z))),
        _ => None,
    };
    let aim = |item| h_cond(&[Check::InvGe { item, count: 1 }]);
    let query = RecallQuery {
        text: args.text.clone(),
        condition: args.have.map(aim),
        cells,
        limit: args.limit as usize,
    };
    let breadth = args.summaries.map_or(Breadth::Everywhere, |count| {
        Breadth::Summaries(count as usize)
    });
    let mut memory = ExperienceStore::open(db, journal.file(), embedder(&journal)?)?;
    let Recollection { hits, summaries } = memory.recall(db, &query, breadth)?;
    let found = Found {
        schema: SCHEMA,
        query,
        experiences: memory.shape().rows,
        hits,
        summaries,
    };
    print_stdout(&if args.json {
        to_json(&found)?
    } else {
        clean_lines(&found.text())
    });
    Ok(ExitStatus::Done)
}

#[derive(Serialize)]
struct Found {
    schema: u32,
    query: RecallQuery,
    /// Among so many.
    experiences: usize,
    hits: Vec<Hit>,
    summaries: Vec<SummaryHit>,
}

impl Found {
    fn text(&self) -> String {
        let mut text = "ID           ψ     COS      δ  RESULT   WHAT HAPPENED\n".to_owned();
        for hit in &self.hits {
            let id = hit.id.to_string();
            let result = if hit.success { "success" } else { "failure" };
            let (psi, cosine, delta) = (hit.score, hit.cosine, hit.delta);
            let _ = writeln!(
                text,
                "{id:<9}{psi:>6.3} {cosine:>7.3} {delta:>6.3}  {result:<8} {}",
                hit.summary
            );
        }
        for summary in &self.summaries {
            let (id, cosine) = (&summary.id, summary.cosine);
            let _ = writeln!(
                text,
                "{id:<9}     - {cosine:>7.3}      -  {:<8} {}",
                summary.kind, summary.text
            );
        }
        let _ = writeln!(
            text,
            "{} of {} experiences; ψ = {} cos + {} δ",
            self.hits.len(),
            self.experiences,
            memory::psi::ALPHA,
            memory::psi::BETA
        );
        text
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
    let state = |card: &pithead_core::domain::experience::state_card::StateCard| {
        let held = card.held.map_or("nothing", |item| item.name());
        let (tick, position, biome) = (card.tick, card.position, &card.biome);
        format!(
            "tick {tick} at {position} in {biome}, health {}, holding {held}",
            card.health
        )
    };
    let reason = diagnosis.reason.map_or("success", |reason| reason.name());
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
    print_stdout(&if args.json {
        to_json(&stats)?
    } else {
        clean_lines(&told(&stats))
    });
    Ok(ExitStatus::Done)
}

fn told(stats: &Stats) -> String {
    let counted = |map: &std::collections::BTreeMap<String, u64>| {
        let each = map.iter().map(|(name, count)| format!("{name} {count}"));
        each.collect::<Vec<_>>().join(", ")
    };
    format!(
        "experiences  {} ({} succeeded)\nfailures     {}\nconditions   {}\nplaces       {} cells in {} regions\nsummaries    {}\nembedder     {}\nembedded     {} of {} ({} dimensions)\n",
        stats.experiences,
        stats.successes,
        counted(&stats.failures),
        stats.conditions,
        stats.cells,
        stats.regions,
        counted(&stats.summaries),
        stats.embedder.as_deref().unwrap_or("none yet"),
        stats.embedded,
        stats.experiences,
        stats.dims,
    )
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
        format!("{done} of {rows} experiences embedded by {embedder} ({dims} dimensions)")
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
