//! `pithead tell`: answer, pause, steer or end a run from another terminal, driven or left.
//!
//! The headless counterpart of the console's keys and palette.

use super::inbox::{open_question, view_of_run};
use super::options::{Database, parse_breakpoint, parse_gate_rule, parse_run_id, read_text};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{is_stderr_terminal, print_document, print_stderr};
use pithead_console::widgets::editor::Editor;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::steering;
use pithead_core::text::clean::clean_line;
use pithead_engine::runtime::Pace;
use pithead_engine::runtime::operator::OperatorError;
use pithead_engine::runtime::operator::answer::answer_question;
use pithead_engine::runtime::operator::tell::{Route, send_command};
use pithead_world::ids::RunId;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::Path;

/// A person's answer is shorter.
const ANSWER_BYTES_MAX: u64 = 64;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// The command, for example: limit ticks 24000
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Say what `act say` is told without asking
    #[arg(long)]
    yes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

const AFTER: &str = "Answers to what `pithead inbox` lists: approve DECISION, veto DECISION REASON, edit DECISION FILE \
(a plan or an entry as `pithead inbox RUN DECISION --text` prints it; `-` reads standard input).\n\
Other commands: pause, pause soon (after the current step), resume, limit LIMIT VALUE \
(ticks, calls, tokens, money, attempts, seconds), retry STEP, withdraw STEP (an act), replan REASON, act WORDS, act say TEXT \
(in the chat of a server; asks first), \
abort REASON, overrule ATTEMPT LABEL REASON, gate KIND=POLICY, pace PACE, step (while paused), break BREAKPOINT … \
(replaces all breakpoints).\n\
A command to a run that no process drives is saved and takes effect when the run is resumed.";

/// How the run got it; the names are stable.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Taken {
    /// Through the process that drives it.
    Driver,
    /// The process has it, and its journal has not shown in time what came of it.
    DriverSilent,
    /// It was recorded in a run that nobody drives.
    Left,
}

/// What came of it; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    run: RunId,
    told: String,
    /// None if it was refused.
    taken: Option<Taken>,
    /// Why it was refused, or is not confirmed.
    because: Option<String>,
    /// Nothing of it is resumed: what it took holds already.
    #[serde(skip)]
    is_over: bool,
    /// It was taken, and what the body makes of it is not known yet.
    #[serde(skip)]
    is_act: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let words = args.words.join(" ");
    // Opened read-only first: a command must not create a database.
    let row = args.database.open_read_only()?.run(args.run)?;
    let command = parse_command(args, &words)?;
    check_saying(args, &command)?;
    let operator = args.database.operator()?;
    let is_act = matches!(command, Command::Act { .. });
    let told = match command {
        Command::Decide { decision, verdict } => {
            answer_question(&operator, args.run, decision, verdict)
        }
        command => send_command(&operator, args.run, &command),
    };
    let (taken, because) = match told {
        Ok(Route::Driver) => (Some(Taken::Driver), None),
        Ok(Route::WaitingRun) => (Some(Taken::Left), None),
        Err(error @ OperatorError::Unconfirmed { .. }) => {
            (Some(Taken::DriverSilent), Some(error.to_string()))
        }
        Err(error @ (OperatorError::Refused { .. } | OperatorError::Unreachable { .. })) => {
            (None, Some(error.to_string()))
        }
        Err(error) => return Err(error.into()),
    };
    let report = Report {
        schema: 1,
        run: args.run,
        told: words,
        taken,
        because,
        is_over: row.outcome.is_some(),
        is_act,
    };
    if let Some(because) = report.because.as_ref().filter(|_| !args.json) {
        let refused = match report.taken {
            Some(_) => String::new(),
            None => format!("run {} refused: ", args.run),
        };
        print_stderr(&clean_line(&format!("{refused}{because}")));
    } else {
        print_document(args.json, &report, Report::text)?;
    }
    Ok(match report.taken {
        Some(Taken::Driver | Taken::Left) => ExitStatus::Done,
        Some(Taken::DriverSilent) | None => ExitStatus::Unsuccessful,
    })
}

/// What others would read is asked about first; without a terminal it needs `--yes`.
fn check_saying(args: &Args, command: &Command) -> Result<(), CommandError> {
    let Command::Say { text } = command else {
        return Ok(());
    };
    if args.yes || is_yes(args.run, text) {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "`{text}` was not said: everybody on the server would read it. Answer y on a terminal, or add --yes"
    )))
}

fn is_yes(run: RunId, text: &str) -> bool {
    if !std::io::stdin().is_terminal() || !is_stderr_terminal() {
        return false;
    }
    print_stderr(&format!(
        "the body of run {run} says `{text}` where all players of its server read it. Say it? [y/N]"
    ));
    let mut answer = String::new();
    let mut input = std::io::Read::take(std::io::stdin().lock(), ANSWER_BYTES_MAX);
    // What cannot be read is no consent.
    let _ = std::io::BufRead::read_line(&mut input, &mut answer);
    matches!(answer.trim(), "y" | "Y" | "yes")
}

/// Parses the words as an answer, or as a command that steers the run.
fn parse_command(args: &Args, text: &str) -> Result<Command, CommandError> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    let read = || match words[..] {
        ["step"] => Ok(Command::Step),
        ["approve", decision] => decide(decision, Verdict::Approve),
        ["veto", decision, ref reason @ ..] => {
            let reason = reason.join(" ");
            decide(decision, Verdict::Veto { reason })
        }
        ["overrule", attempt, name, ref reason @ ..] => Ok(Command::Overrule {
            attempt: attempt.parse()?,
            label: parse_label(name)?,
            reason: reason.join(" "),
        }),
        ["gate", rule] => {
            parse_gate_rule(rule).map(|(kind, policy)| Command::SetPolicy { kind, policy })
        }
        ["pace", pace] => pace.parse().map(|pace: Pace| Command::SetPace {
            times_realtime: pace.times_realtime(),
        }),
        ["break", ref breaks @ ..] => {
            let breaks = breaks
                .iter()
                .map(|on| parse_breakpoint(on).map(Breakpoint::new));
            let breaks = breaks.collect::<Result<_, _>>()?;
            Ok(Command::SetBreaks { breaks })
        }
        _ => steering::parse_steering(text),
    };
    match words[..] {
        ["edit", decision, file] => edited_answer(args, decision, Path::new(file)),
        _ => read().map_err(CommandError::usage),
    }
}

fn decide(decision: &str, verdict: Verdict) -> Result<Command, String> {
    let decision = decision.parse()?;
    Ok(Command::Decide { decision, verdict })
}

fn parse_label(text: &str) -> Result<FailureReason, String> {
    FailureReason::named(text).ok_or_else(|| {
        let names = FailureReason::ALL.map(FailureReason::name).join(", ");
        format!("`{text}` is not a label; the labels are {names}")
    })
}

/// An edited plan or entry, read and checked as in the console's editor.
fn edited_answer(args: &Args, decision: &str, file: &Path) -> Result<Command, CommandError> {
    let decision = decision.parse().map_err(CommandError::usage)?;
    let view = view_of_run(&args.database, args.run)?;
    let question = open_question(&view, args.run, decision)?;
    let mut editor = Editor::open(question).map_err(CommandError::usage)?;
    editor.replace(&read_text(file)?);
    let verdict = editor.verdict(&view).ok_or_else(|| {
        let fault = editor.fault.as_ref();
        let line = fault.and_then(|fault| fault.line);
        let line = line.map_or(String::new(), |line| format!("line {}: ", line + 1));
        let message = fault.map_or("", |fault| fault.message.as_str());
        CommandError::usage(format!("{}: {line}{message}", file.display()))
    })?;
    Ok(Command::Decide { decision, verdict })
}

impl Report {
    fn text(&self) -> String {
        let what = match self.taken {
            Some(Taken::Left) if !self.is_over => {
                "saved; no process drives the run, so it takes effect when the run is resumed"
            }
            _ if self.is_act => {
                "taken; the body begins it after the step under way and the acts before it"
            }
            Some(Taken::Left | Taken::Driver | Taken::DriverSilent) | None => "done",
        };
        format!("run {}, {}: {what}\n", self.run, self.told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_that_was_taken_is_not_said_to_be_done() {
        let told = |is_act| {
            let report = Report {
                schema: 1,
                run: RunId(3),
                told: "it".to_owned(),
                taken: Some(Taken::Driver),
                because: None,
                is_over: false,
                is_act,
            };
            report.text()
        };
        assert_eq!(told(false), "run 3, it: done\n");
        assert!(told(true).contains("begins it after the step under way"));
    }
}
