//! `pithead runs export`: a recorded run in the form of another program.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_stdout;
use crate::headless::{inspect_log, otel_trace, spans_of};
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::clean::escape_hidden_json;
use pithead_engine::runtime::questions::questions_of;
use pithead_world::ids::RunId;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// The form: otel (OpenTelemetry, one trace in OTLP/JSON) or inspect (a log of Inspect in JSON)
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Form,
    /// The file; `-` writes to standard output [default: runN.otel.json or runN.inspect.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Otel,
    Inspect,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Otel => "otel",
            Self::Inspect => "inspect",
        }
    }
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let spans = spans_of(&journal, args.run)?;
    let document = match args.form {
        Form::Otel => otel_trace(&spans),
        Form::Inspect => inspect_log(&spans, &questions_of(&journal, args.run)?),
    };
    let text = serde_json::to_string_pretty(&document).map_err(CommandError::unavailable)?;
    let text = escape_hidden_json(&text) + "\n";
    let usual = || PathBuf::from(format!("run{}.{}.json", args.run, args.form.name()));
    let path = args.out.clone().unwrap_or_else(usual);
    if path.as_os_str() == "-" {
        print_stdout(&text);
        return Ok(ExitStatus::Done);
    }
    if path.exists() && !args.force {
        return Err(CommandError::usage(format!(
            "{} already exists; name another file, or overwrite it with --force",
            path.display()
        )));
    }
    write_atomically(&path, text.as_bytes()).map_err(|error| {
        CommandError::unavailable(format!("could not write {}: {error}", path.display()))
    })?;
    print_stdout(&format!("run {} written to {}", args.run, path.display()));
    Ok(ExitStatus::Done)
}
