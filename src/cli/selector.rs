//! `pithead selector`: trains the predictor of the selector `horizon` on a database, and judges it on another.

use super::options::{Database, horizon_model, parse_seed};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, print_stdout, text_table};
use pithead_core::domain::horizon::HorizonModel;
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::selector::{
    HorizonReport, TimedAttempt, calibration_chart, evaluate, samples_of, train,
};
use std::path::{Path, PathBuf};

/// Fewer attempts are too few to learn from.
const ATTEMPTS_MIN: usize = 100;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Learn from all attempts of databases how long steps take, and write the model
    Train(TrainArgs),
    /// Judge a model by the attempts of databases, best of seeds that it was not trained on
    Eval(EvalArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct TrainArgs {
    /// The file of the model
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The order in which attempts are gone through
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// How the attempts came about, kept in the model
    #[arg(long, value_name = "WORDS", default_value = "")]
    recipe: String,
    /// The databases whose attempts are taken [default: the database]
    #[arg(value_name = "DATABASE")]
    databases: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// The model [default: the program's own]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Draw predictions against ticks in this SVG file
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The databases whose attempts are taken [default: the database]
    #[arg(value_name = "DATABASE")]
    databases: Vec<PathBuf>,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Train(args) => train_model(args),
        Command::Eval(args) => eval_model(args),
    }
}

fn samples(databases: &[PathBuf]) -> Result<Vec<TimedAttempt>, CommandError> {
    let own = [Database::default()];
    let named: Vec<Database> = databases.iter().map(|path| Database::at(path)).collect();
    let mut samples = Vec::new();
    for database in if named.is_empty() { &own[..] } else { &named } {
        samples.extend(samples_of(&database.open_read_only()?)?);
    }
    if samples.len() < ATTEMPTS_MIN {
        return Err(CommandError::usage(format!(
            "there are {} to learn from; it takes {ATTEMPTS_MIN}; play some with `pithead eval --out DIR` and name DIR/journal.db",
            count_with_noun(samples.len(), "attempt", "attempts")
        )));
    }
    Ok(samples)
}

fn train_model(args: &TrainArgs) -> Result<ExitStatus, CommandError> {
    let samples = samples(&args.databases)?;
    let model = train(&samples, args.seed, &args.recipe);
    let text = serde_json::to_string(&model).map_err(CommandError::unavailable)?;
    // What could not be read again is not written.
    HorizonModel::read(&text).map_err(CommandError::unavailable)?;
    write(&args.out, &(text + "\n"))?;
    print_stdout(&format!(
        "{}: {} features from {} (model {})\n",
        args.out.display(),
        model.weights.len(),
        count_with_noun(samples.len(), "attempt", "attempts"),
        model.digest(),
    ));
    Ok(ExitStatus::Done)
}

fn eval_model(args: &EvalArgs) -> Result<ExitStatus, CommandError> {
    let own = horizon_model(args.model.as_deref())?;
    let model = own.as_deref().unwrap_or(HorizonModel::embedded());
    let evaluation = evaluate(model, &samples(&args.databases)?);
    if let Some(path) = &args.chart {
        let chart = calibration_chart(&evaluation.calibration);
        write(path, &chart.map_err(CommandError::unavailable)?)?;
    }
    print_document(args.json, &evaluation, text)?;
    Ok(ExitStatus::Done)
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    write_atomically(path, text.as_bytes()).map_err(|error| {
        CommandError::unavailable(format!("could not write {}: {error}", path.display()))
    })
}

fn text(evaluation: &HorizonReport) -> String {
    let head = [
        ("PREDICTED", Align::Right),
        ("TOOK", Align::Right),
        ("ATTEMPTS", Align::Right),
    ];
    let rows: Vec<Vec<String>> = evaluation
        .calibration
        .iter()
        .map(|group| {
            vec![
                group.predicted.to_string(),
                group.took.to_string(),
                group.attempts.to_string(),
            ]
        })
        .collect();
    format!(
        "{} of {} done\nconcordance {:.3} (0.5 is chance)\ndone within the time predicted for nine of ten: {:.1} %\n\n{}",
        evaluation.done,
        count_with_noun(evaluation.attempts, "attempt", "attempts"),
        evaluation.concordance,
        evaluation.within_late * 100.0,
        text_table(&head, &rows)
    )
}
