//! `pithead policy`: checks a policy file, and what it would have decided in a recorded run.

use super::options::{Database, parse_run_id, read_policy_file};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, text_columns};
use pithead_core::domain::run::rulebook::{Harmful, PolicyRuling, Rulebook};
use pithead_engine::runtime::policy_dry_run::{PolicyCase, dry_run_policy};
use pithead_world::ids::RunId;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Check a policy file; with --run, list what it would have asked, approved and vetoed in that run
    Check(CheckArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The policy file
    file: PathBuf,
    /// A recorded run to apply it to; nothing is played or changed
    #[arg(long, value_name = "RUN", value_parser = parse_run_id)]
    run: Option<RunId>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    file: PathBuf,
    unclear: PolicyRuling,
    harmful: Harmful,
    rules: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dry_run: Option<DryRun>,
}

#[derive(Debug, Serialize)]
struct Line {
    rule: usize,
    then: PolicyRuling,
    on: String,
}

#[derive(Debug, Serialize)]
struct DryRun {
    run: RunId,
    asked: usize,
    approved: usize,
    vetoed: usize,
    /// No rule names them: the gates decide.
    left_to_gates: usize,
    cases: Vec<PolicyCase>,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    let Command::Check(args) = command;
    let rulebook = read_policy_file(&args.file)?;
    let dry_run = match args.run {
        None => None,
        Some(run) => {
            let journal = args.database.open_read_only()?;
            Some(DryRun::of(run, dry_run_policy(&journal, run, &rulebook)?))
        }
    };
    let report = Report::of(args.file.clone(), &rulebook, dry_run);
    print_document(args.json, &report, |report| report.text())?;
    Ok(ExitStatus::Done)
}

impl DryRun {
    fn of(run: RunId, cases: Vec<PolicyCase>) -> Self {
        let count =
            |is: fn(Option<PolicyRuling>) -> bool| cases.iter().filter(|c| is(c.then)).count();
        Self {
            run,
            asked: count(|then| matches!(then, Some(PolicyRuling::Ask(_)))),
            approved: count(|then| then == Some(PolicyRuling::Approve)),
            vetoed: count(|then| then == Some(PolicyRuling::Veto)),
            left_to_gates: count(|then| then.is_none()),
            cases,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("\nrun {}, judged from its recording:\n", self.run);
        let row = |case: &PolicyCase| {
            let (rule, then) = (case.rule?, case.then?);
            let unclear = match case.is_clear {
                true => "",
                false => "unclear whether the rule matches",
            };
            let (tick, rule) = (format!("tick {}", case.tick), format!("rule {rule}"));
            let (what, unclear) = (case.what.clone(), unclear.to_owned());
            Some(vec![
                String::new(),
                tick,
                then.to_string(),
                rule,
                what,
                unclear,
            ])
        };
        let rows: Vec<Vec<String>> = self.cases.iter().filter_map(row).collect();
        text += &text_columns(&rows);
        text += &format!(
            "asked {}, approved {}, vetoed {}; {} left to the gates\n",
            self.asked, self.approved, self.vetoed, self.left_to_gates
        );
        if self.vetoed > 0 {
            text += "after the first veto the mind would have replanned, so later steps might not have come up\n";
        }
        text
    }
}

impl Report {
    fn of(file: PathBuf, rulebook: &Rulebook, dry_run: Option<DryRun>) -> Self {
        let lines = (1..).zip(&rulebook.rules).map(|(rule, what)| Line {
            rule,
            then: what.then,
            on: what.to_string(),
        });
        Self {
            schema: 1,
            file,
            unclear: rulebook.unclear.into(),
            harmful: rulebook.harmful,
            rules: lines.collect(),
            dry_run,
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{} is valid; the first rule that matches decides\n",
            self.file.display()
        );
        let row =
            |rule: String, then: String, on: &str| vec![String::new(), rule, then, on.to_owned()];
        let rules = self.rules.iter();
        let mut rows: Vec<Vec<String>> = rules
            .map(|line| row(line.rule.to_string(), line.then.to_string(), &line.on))
            .collect();
        rows.push(row(
            String::new(),
            self.unclear.to_string(),
            "where it is unclear whether a rule matches",
        ));
        rows.push(row(
            String::new(),
            self.harmful.name().to_owned(),
            "entries measured to harm",
        ));
        text += &text_columns(&rows);
        text += &self.dry_run.as_ref().map_or(String::new(), DryRun::text);
        text
    }
}
