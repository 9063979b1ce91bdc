//! `pithead find`: the moments of a recorded run at which a condition becomes true, or a value changes.
//!
//! The headless counterpart of the Debug screen's searches.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::card::{Card, card_of};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::Journal;
use pithead_engine::runtime::run_search::{self, FoundMoment, WatchedValue, Write};
use pithead_world::ids::{AttemptId, ExperienceId, RunId, Seq};
use serde::Serialize;
use std::collections::BTreeMap;

/// Moments listed by default: a few screens.
const LIMIT: usize = 100;

/// A condition or a value: clap would show the condition as one that may be left out.
const USAGE: &str =
    "pithead find [OPTIONS] <RUN> <CONDITION>\n       pithead find [OPTIONS] <RUN> --wrote <VALUE>";

#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// A condition, for example `inv iron_ore >= 3 and y < 60`
    #[arg(required_unless_present = "wrote", conflicts_with = "wrote", value_parser = parse_condition)]
    condition: Option<Condition>,
    /// Changes of a value, newest first: health, hunger, air, y, biome, weather, gui, held, worn, underground,
    /// level, alive, an item, or `crafted ITEM`
    #[arg(long, value_name = "VALUE")]
    wrote: Option<WatchedValue>,
    /// Start after this event; with --wrote, stop at it
    #[arg(long, value_name = "EVENT")]
    from: Option<u64>,
    /// List at most this many
    #[arg(long, default_value_t = LIMIT, value_name = "N")]
    limit: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

fn parse_condition(text: &str) -> Result<Condition, String> {
    text.parse()
        .map_err(|error: pithead_core::domain::condition::text::ConditionError| error.to_string())
}

#[derive(Debug, Serialize)]
struct Listing<T> {
    schema: u32,
    run: RunId,
    found: Vec<T>,
    /// Of the attempts in which something was found and that have ended.
    cards: BTreeMap<AttemptId, Card>,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    journal.run(args.run)?;
    match (&args.condition, args.wrote) {
        (_, Some(value)) => {
            let until = args.from.map_or(Seq(u64::from(u32::MAX)), Seq);
            let mut found = run_search::writes(&journal, args.run, value, until)?;
            found.reverse();
            found.truncate(args.limit);
            let cards = cards(&journal, args, found.iter().map(|write| &write.moment))?;
            print_found(args, found, cards, |write| change_line(value, write))
        }
        (Some(condition), None) => {
            let after = args.from.map_or(Seq(0), Seq);
            let found = run_search::became_true(&journal, args.run, condition, after, args.limit)?;
            let cards = cards(&journal, args, found.iter())?;
            print_found(args, found, cards, place_of)
        }
        (None, None) => Err(CommandError::usage(
            "a condition or --wrote VALUE is needed",
        )),
    }
}

/// The cards of the attempts of these moments; only JSON has them.
fn cards<'a>(
    journal: &Journal,
    args: &Args,
    moments: impl Iterator<Item = &'a FoundMoment>,
) -> Result<BTreeMap<AttemptId, Card>, CommandError> {
    let mut cards = BTreeMap::new();
    for attempt in moments.filter_map(|moment| moment.attempt) {
        let id = ExperienceId {
            run: args.run,
            n: attempt.0,
        };
        if args.json
            && !cards.contains_key(&attempt)
            && let Some(document) = journal.document(id)?
        {
            cards.insert(attempt, card_of(&document.experience));
        }
    }
    Ok(cards)
}

fn print_found<T: Serialize>(
    args: &Args,
    found: Vec<T>,
    cards: BTreeMap<AttemptId, Card>,
    line: impl Fn(&T) -> String,
) -> Result<ExitStatus, CommandError> {
    let is_empty = found.is_empty();
    if args.json {
        print_stdout(&to_json(&Listing {
            schema: 1,
            run: args.run,
            found,
            cards,
        })?);
    } else if is_empty {
        print_stdout("no such moment in the recorded events");
    } else {
        let lines: String = found.iter().map(|one| line(one) + "\n").collect();
        print_stdout(&clean_lines(&lines));
    }
    Ok(if is_empty {
        ExitStatus::Unsuccessful
    } else {
        ExitStatus::Done
    })
}

fn change_line(value: WatchedValue, write: &Write) -> String {
    let from = write.from.as_deref().unwrap_or("(start of run)");
    let place = place_of(&write.moment);
    format!("{value}: {from} → {}  {place}", write.to)
}

fn place_of(moment: &FoundMoment) -> String {
    let mut out = format!("tick {} event {}", moment.tick, moment.seq);
    if let Some(attempt) = moment.attempt {
        out += &format!(" in {attempt}");
    }
    if let Some(subgoal) = &moment.subgoal {
        out += &format!(" {subgoal}");
    }
    if let Some(action) = &moment.action {
        out += &format!(" ({action})");
    }
    out
}
