//! `pithead explain`: why an attempt got its label, what would change it, and how to overrule it.

mod all;
mod overrule;
mod page;

use super::options::{Database, changed_thresholds, parse_run_id, parse_threshold};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::diagnosis::whatif::EndedAttempt;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::text::nearest::nearest_names;
use pithead_engine::runtime::past_attempts::{NoEvidence, look_back_at};
use pithead_world::ids::{AttemptId, RunId};
use pithead_world::naming::UnknownName;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER, override_usage = USAGE)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id, required_unless_present_any = ["all", "doubts"])]
    run: Option<RunId>,
    /// The attempt, as `pithead show RUN` prints it: 7 or a7
    #[arg(required_unless_present_any = ["all", "doubts"])]
    attempt: Option<AttemptId>,
    /// Judge with a changed threshold, for example nav_variance=0.5 (repeatable)
    #[arg(long = "set", value_name = "THRESHOLD=VALUE", value_parser = parse_threshold, action = clap::ArgAction::Append)]
    settings: Vec<String>,
    /// Judge all recorded attempts again and count the labels that change
    #[arg(long, conflicts_with_all = ["run", "attempt", "overrule"])]
    all: bool,
    /// List the knowledge entries that rest on an overruled label
    #[arg(long, conflicts_with_all = ["run", "attempt", "overrule", "all", "settings"])]
    doubts: bool,
    /// Give the attempt another label; guardrails learned from the old one are distilled anew
    #[arg(long, value_name = "LABEL", value_parser = parse_label, requires = "reason", conflicts_with = "settings")]
    overrule: Option<FailureReason>,
    /// Why the label is wrong; recorded with the attempt
    #[arg(long, value_name = "TEXT", requires = "overrule")]
    reason: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What is judged: clap would show run and attempt as what may be left out.
const USAGE: &str = "pithead explain [OPTIONS] <RUN> <ATTEMPT>\n       pithead explain [OPTIONS] --all\n       \
pithead explain [OPTIONS] --doubts";

const AFTER: &str = "Thresholds: window_ticks, break_margin_ticks, nav_variance, inv_change, net_over_gross, \
oscillation_way, search_variance, new_ground, gui_toggles, risk_health. Where a run did not keep its frames (evaluations), \
the embedded world replays the recorded actions.";

fn parse_label(text: &str) -> Result<FailureReason, String> {
    FailureReason::named(text).ok_or_else(|| {
        let names = || FailureReason::ALL.iter().map(|reason| reason.name());
        let given = text.to_uppercase();
        let lower = nearest_names(&given.to_lowercase(), LOWER.iter().copied());
        let close: Vec<&'static str> = names()
            .filter(|name| lower.iter().any(|close| close.eq_ignore_ascii_case(name)))
            .collect();
        let nearest = if close.is_empty() {
            names().collect()
        } else {
            close
        };
        UnknownName {
            what: "label",
            given,
            nearest,
        }
        .to_string()
    })
}

/// The labels in lower case, in which near misses are looked for.
const LOWER: [&str; 11] = [
    "nav_stuck",
    "nav_oscillate",
    "path_unreachable",
    "gui_blocked",
    "monitor_never_true",
    "tool_missing",
    "timeout",
    "env_terminated",
    "action_invalid",
    "risk_abort",
    "unknown",
];

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    if args.doubts {
        return overrule::doubts(&args.database, args.json);
    }
    let (Some(run), Some(attempt)) = (args.run, args.attempt) else {
        return all::perform(&args.database, &args.settings, args.json);
    };
    if let (Some(label), Some(reason)) = (args.overrule, &args.reason) {
        return overrule::perform(&args.database, (run, attempt), (label, reason), args.json);
    }
    let journal = args.database.open_read_only()?;
    let past = look_back_at(&journal, run, attempt)?;
    let thresholds = past.thresholds.clone();
    let case = EndedAttempt {
        attempt: &past.attempt,
        post: &past.post,
    };
    let changed = changed_thresholds(&thresholds, &args.settings)
        .map(|other| page::Changed::of(&case, &thresholds, &other));
    let nearest = if changed.is_none() {
        case.nearest(&thresholds)
    } else {
        Vec::new()
    };
    let overruled = journal.overruled(Some(run))?;
    let page = page::Page {
        schema: 1,
        run,
        attempt,
        subgoal: past.experience.action.id,
        condition: past.experience.action.condition.clone(),
        recorded: past.experience.diagnosis.reason,
        overruled: overruled.into_iter().rfind(|o| o.attempt == attempt),
        no_failure: past.experience.no_failure(),
        called_off: past.experience.called_off,
        evidence: past.source,
        diagnosis: case.judge(&thresholds),
        thresholds,
        changed,
        nearest,
    };
    print_document(args.json, &page, |page| page.text())?;
    Ok(ExitStatus::Done)
}

impl From<NoEvidence> for CommandError {
    fn from(error: NoEvidence) -> Self {
        match error {
            NoEvidence::Open(error) => error.into(),
            NoEvidence::NoAttempt { .. } => Self::usage(error),
            NoEvidence::NoWorld { .. } => Self::unavailable(error),
        }
    }
}

/// A label as it is printed.
fn label_name(label: Option<FailureReason>) -> &'static str {
    label.map_or("success", FailureReason::name)
}
