//! `pithead tell`: the operator's commands without a console, for a run in another process or at rest.
//!
//! The headless twin of the console's keys on a live run. Invariant: what is printed stands in the journal.

use super::inbox::{open, view};
use super::options::{Database, breakpoint, gate, run_id};
use crate::app::{self, Exit, Fault, out};
use crate::clock::Clock;
use crate::config;
use crate::console::edit::Editor;
use crate::domain::breakpoint::{Breakpoint, On};
use crate::domain::command::Command;
use crate::domain::decision::{GateKind, Policy, Verdict};
use crate::domain::diagnosis::FailureReason;
use crate::domain::event::Recorded;
use crate::headless::line;
use crate::ids::{AttemptId, DecisionId, RunId};
use crate::runtime::Pace;
use crate::runtime::tell::{TellError, Teller};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    #[command(subcommand)]
    wish: Wish,
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Debug, clap::Subcommand)]
enum Wish {
    /// Let no world time pass until it is resumed
    Pause,
    /// Let a paused run go on
    Resume,
    /// While paused: go on to the next frame, answer or phase
    Step,
    /// End the run now
    Abort {
        /// Why; it stays with the run
        reason: String,
    },
    /// Approve a question of `pithead inbox`
    Approve { decision: DecisionId },
    /// Refuse a question, with the reason that the mind is told
    Veto {
        decision: DecisionId,
        reason: String,
    },
    /// Approve a plan or an entry in a changed form, as `pithead inbox RUN DECISION --text` prints it
    Edit {
        decision: DecisionId,
        /// The changed text; `-` reads standard input
        file: PathBuf,
    },
    /// Act for the agent for one subgoal, for example: act mine oak_log 3
    Act {
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Say that an attempt failed for another reason than its label
    Overrule {
        attempt: AttemptId,
        #[arg(value_parser = label)]
        label: FailureReason,
        /// Why; others will read it
        reason: String,
    },
    /// Change a gate for the rest of the run: KIND=auto, =ask, =ask:SECONDS:approve or =ask:SECONDS:veto
    Gate {
        #[arg(value_name = "KIND=POLICY", value_parser = gate)]
        gate: (GateKind, Policy),
    },
    /// Change how fast the world passes: max, realtime or a factor such as x8
    Pace { pace: Pace },
    /// Stop the run at these breakpoints from now on and at no others; none takes all off
    Break {
        #[arg(value_name = "BREAKPOINT", value_parser = breakpoint)]
        breaks: Vec<On>,
    },
}

fn label(text: &str) -> Result<FailureReason, String> {
    FailureReason::named(text).ok_or_else(|| {
        let names = FailureReason::ALL.map(FailureReason::name).join(", ");
        format!("`{text}` is no label; there are {names}")
    })
}

#[derive(Debug, Serialize)]
struct Told {
    schema: u32,
    run: RunId,
    command: &'static str,
    /// The event that came of it; none if the run has not said anything yet.
    event: Option<Recorded>,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    // Looked for first: a wrong path must not make a database.
    args.database.look()?.run(args.run)?;
    let command = command(args)?;
    let name = command.name();
    let teller = Teller {
        database: &args.database.path()?,
        operator: &config::operator(),
        clock: &Clock::System,
    };
    let event = teller
        .tell(args.run, command)
        .map_err(|error| match error {
            TellError::Refused(because) => {
                Fault::usage(format!("run {} refuses to {name}: {because}", args.run))
            }
            TellError::Open(error) => error.into(),
        })?;
    out(&if args.json {
        app::to_json(&Told {
            schema: 1,
            run: args.run,
            command: name,
            event,
        })?
    } else {
        match event {
            Some(fact) => crate::headless::clean_lines(&line(&fact)),
            None => format!("run {} has it and has not said anything yet", args.run),
        }
    });
    Ok(Exit::Done)
}

fn command(args: &Args) -> Result<Command, Fault> {
    Ok(match &args.wish {
        Wish::Pause => Command::Pause,
        Wish::Resume => Command::Resume,
        Wish::Step => Command::Step,
        Wish::Abort { reason } => Command::Abort {
            reason: reason.clone(),
        },
        Wish::Approve { decision } => Command::Decide {
            decision: *decision,
            verdict: Verdict::Approve,
        },
        Wish::Veto { decision, reason } => Command::Decide {
            decision: *decision,
            verdict: Verdict::Veto {
                reason: reason.clone(),
            },
        },
        Wish::Edit { decision, file } => Command::Decide {
            decision: *decision,
            verdict: edited(args, *decision, file)?,
        },
        Wish::Act { words } => Command::Act {
            words: words.join(" "),
        },
        Wish::Overrule {
            attempt,
            label,
            reason,
        } => Command::Overrule {
            attempt: *attempt,
            label: *label,
            reason: reason.clone(),
        },
        Wish::Gate { gate } => Command::SetPolicy {
            kind: gate.0,
            policy: gate.1,
        },
        Wish::Pace { pace } => Command::SetPace {
            times_realtime: pace.times_realtime(),
        },
        Wish::Break { breaks } => Command::SetBreaks {
            breaks: breaks.iter().cloned().map(Breakpoint::new).collect(),
        },
    })
}

/// The verdict that a changed text stands for, read and judged as in the console's editor.
fn edited(args: &Args, decision: DecisionId, file: &std::path::Path) -> Result<Verdict, Fault> {
    let view = view(&args.database, args.run)?;
    let question = open(&view, args.run, decision)?;
    let mut editor = Editor::open(question).map_err(Fault::usage)?;
    editor.replace(&super::options::text(file)?);
    editor.verdict(&view).ok_or_else(|| {
        let fault = editor.fault.as_ref();
        let line = fault.and_then(|fault| fault.line);
        let line = line.map_or(String::new(), |line| format!("line {}: ", line + 1));
        let message = fault.map_or("", |fault| fault.message.as_str());
        Fault::usage(format!("{}: {line}{message}", file.display()))
    })
}
