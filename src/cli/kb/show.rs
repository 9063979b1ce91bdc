//! `pithead kb show`: one entry in full: what it says, what it rests on, what it has done.

use super::find::{Chosen, find_entry};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, print_stdout};
use pithead_core::domain::knowledge::effect::EntryEffect;
use pithead_core::domain::knowledge::title;
use pithead_core::domain::knowledge::{Body, Entry, ReferencePlan, Rule, Skill, TaskGuardrail};
use pithead_core::domain::plan::Subgoal;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::Limits;
use pithead_core::knowledge::attempt_tree;
use pithead_core::knowledge::lint::Remark;
use pithead_core::knowledge::why::{self, Reason};
use pithead_core::text::clean::clean_lines;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime::review::remarks;
use pithead_world::clock::Clock;
use pithead_world::ids::{ExperienceId, Seq};
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// Print only the body, as YAML for `pithead kb edit`
    #[arg(long, conflicts_with = "json")]
    body: bool,
}

/// Attempts shown at most: an entry may rest on hundreds, and a page is to be read.
const EVIDENCE_MAX: usize = 20;

/// What is shown; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    entry: Entry,
    /// The confidence now; the entry holds the value of the last count, which fades with time.
    confidence_now: f64,
    /// As hold-out has measured it; none with fewer than two runs on a side.
    effect: Option<EntryEffect>,
    evidence: Vec<Evidence>,
    /// Why runs do not use it; empty if they do.
    inactive: Vec<Reason>,
    remarks: Vec<Remark>,
}

/// An attempt that it rests on.
#[derive(Debug, Serialize)]
struct Evidence {
    experience: ExperienceId,
    /// The event that recorded it; none if it is not in this database.
    seq: Option<Seq>,
    task: String,
    step: String,
    success: bool,
    reason: Option<&'static str>,
    summary: String,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.chosen.database.open_read_only()?;
    let base = journal.knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, &args.chosen.entry)?;
    if args.body {
        let yaml = serde_saphyr::to_string(&entry.body);
        let yaml = yaml.map_err(|error| CommandError::unavailable(format!("no YAML: {error}")))?;
        print_stdout(&clean_lines(&yaml));
        return Ok(ExitStatus::Done);
    }
    let page = page(&journal, &base, entry)?;
    print_document(args.chosen.json, &page, |page| page.text())?;
    Ok(ExitStatus::Done)
}

fn page(journal: &Journal, base: &[Entry], entry: &Entry) -> Result<Page, CommandError> {
    let now = Clock::System.now();
    let known = entry.provenance.experiences.iter().take(EVIDENCE_MAX);
    let evidence = known.map(|id| evidence(journal, *id));
    let inactive = why::not_active(entry).or_else(|| {
        // As a run of its own task would see it.
        let task = Task::parse(&entry.provenance.task).ok()?;
        why::not_given(entry, base, &task, now, Limits::default().shown_max)
    });
    let remarks = remarks(&entry.body, Some(entry.id), base, None);
    Ok(Page {
        schema: 1,
        confidence_now: entry.outcomes.confidence(now),
        effect: entry.outcomes.effect(),
        evidence: evidence.collect::<Result<_, CommandError>>()?,
        inactive: inactive.into_iter().collect(),
        remarks,
        entry: entry.clone(),
    })
}

fn evidence(journal: &Journal, id: ExperienceId) -> Result<Evidence, CommandError> {
    let seq = journal.event_of(id)?;
    let Some(document) = journal.document(id)? else {
        return Ok(Evidence {
            experience: id,
            seq,
            task: String::new(),
            step: String::new(),
            success: false,
            reason: None,
            summary: "not in this database".to_owned(),
        });
    };
    let past = document.experience;
    Ok(Evidence {
        experience: id,
        seq,
        task: past.task,
        step: past.action.label(),
        success: past.diagnosis.success,
        reason: past.diagnosis.reason.map(|reason| reason.name()),
        summary: past.diagnosis.summary,
    })
}

impl Page {
    fn text(&self) -> String {
        let entry = &self.entry;
        let mut text = format!(
            "{} · {} · {}\n",
            entry.id,
            entry.body.kind(),
            entry.status.name()
        );
        text += &format!("{}\n\n", title::title_of(&entry.body));
        text += &content_text(&entry.body);
        text += &self.origin();
        text += &self.record();
        text += &self.effect();
        match self.inactive.first() {
            None => text += "\nin use\n",
            Some(reason) => text += &format!("\nnot in use: {}\n", reason.text),
        }
        for remark in &self.remarks {
            text += &format!("{}\n", super::change::remark_line(remark));
        }
        text
    }

    fn origin(&self) -> String {
        let (entry, from) = (&self.entry, &self.entry.provenance);
        let mut text = format!(
            "\norigin\n  by {}, version {}\n",
            entry.author, entry.version
        );
        if !from.task.is_empty() {
            let run = from.run.map_or(String::new(), |run| format!("run {run}, "));
            text += &format!("  {run}task \"{}\"\n", from.task);
        }
        if let Some(other) = &from.imported {
            let label = other
                .label
                .as_ref()
                .map_or(String::new(), |l| format!(", label {l}"));
            text += &format!(
                "  imported from {} in {}, named {} there{label}\n",
                other.format, other.source, other.name
            );
        }
        for past in &self.evidence {
            let verdict = if past.success {
                "done"
            } else {
                past.reason.unwrap_or("failed")
            };
            let seq = past
                .seq
                .map_or(String::new(), |seq| format!(" (event {seq})"));
            text += &format!(
                "  {}{seq} {} {verdict}: {}\n",
                past.experience, past.step, past.summary
            );
        }
        match from.experiences.len().saturating_sub(self.evidence.len()) {
            0 => text,
            more => {
                let more = count_with_noun(more, "more attempt", "more attempts");
                text + &format!("  and {more}\n")
            }
        }
    }

    fn record(&self) -> String {
        let o = &self.entry.outcomes;
        format!(
            "\nrecord\n  retrieved {}, shown {}, matched {}, blocked {}, helped {}, hurt {}\n  \
             confidence {:.2} (evidence for {:.1}, against {:.1})\n",
            o.retrieved,
            o.shown,
            o.matched,
            o.blocked,
            o.helped,
            o.hurt,
            self.confidence_now,
            f64::from(o.good) / 1_000.0,
            f64::from(o.bad) / 1_000.0,
        )
    }

    fn effect(&self) -> String {
        let Some(basis) = self.entry.outcomes.effect_basis() else {
            return String::new();
        };
        let mut text = format!("\neffect\n  {basis}\n");
        for (name, estimate) in self.effect.iter().flat_map(EntryEffect::lines) {
            text += &format!("  {name:<16} {estimate}\n");
        }
        text
    }
}

/// The content for people.
pub(super) fn content_text(body: &Body) -> String {
    let first = |all: &[pithead_core::domain::knowledge::Remedy]| -> String {
        all.iter()
            .map(|one| format!("  first      {}\n", title::remedy(one)))
            .collect()
    };
    match body {
        Body::Guardrail(rail) => format!(
            "  when       {}\n  do not     {}\n{}  otherwise  {}\n  against    {}\n",
            rail.trigger,
            title::pattern(&rail.forbid),
            first(&rail.recovery),
            rail.avoid,
            rail.reason.name()
        ),
        Body::TaskGuardrail(rail) => format!(
            "  for tasks  {}\n{}  otherwise  {}\n{}",
            title::task_scope(rail),
            first(&rail.missing),
            rail.deadlock,
            post_mortem_text(rail)
        ),
        Body::Skill(skill) => skill_text(skill),
        Body::Rule(rule) => {
            let [a, b, c] = rule.scores;
            let (record, required) = (rule.record, rule.required());
            format!(
                "  step       {}\n  requires   {required}\n  scores     {a:.2} {b:.2} {c:.2}, {:.2} of more than {}\n  record     {}, {}\n",
                rule.step(),
                rule.total(),
                Rule::ADMITTED_ABOVE,
                count_with_noun(record.hits(), "hit", "hits"),
                count_with_noun(record.misses(), "miss", "misses")
            )
        }
        Body::ReferencePlan(plan) => format!(
            "  for        {} ×{}\n  requires   {}\n  from       {} successes{}\n{}",
            plan.goal,
            plan.count,
            plan.requires,
            plan.from_successes,
            runs_told(plan),
            step_lines(&plan.steps)
        ),
        Body::Note(note) => {
            let text: String = note
                .text
                .lines()
                .map(|line| format!("    {line}\n"))
                .collect();
            format!(
                "  about      {}\n{text}",
                note.about.trim().replace('\n', "\n             ")
            )
        }
    }
}

/// How the failed runs ended, and what they had tried for what.
fn post_mortem_text(rail: &TaskGuardrail) -> String {
    let Some(ends) = attempt_tree::ends_line(rail) else {
        return String::new();
    };
    let tree = attempt_tree::tree_lines(rail).into_iter();
    let tree: String = tree.map(|line| format!("    {line}\n")).collect();
    format!("  ended so   {ends}\n  tried\n{tree}")
}

fn skill_text(skill: &Skill) -> String {
    let done = skill
        .success
        .iter()
        .map(|check| format!("  done when  {}\n", check.describe()));
    let changes: Vec<String> = skill
        .effects
        .iter()
        .map(|(item, n)| format!("{n:+} {item}"))
        .collect();
    format!(
        "  makes      {} ×{}\n  needs      {}\n{}{}  changes    {}\n",
        skill.goal,
        skill.count,
        skill.requires,
        step_lines(&skill.steps),
        done.collect::<String>(),
        changes.join(", ")
    )
}

fn step_lines(steps: &[Subgoal]) -> String {
    let each = (1..).zip(steps);
    each.map(|(n, step)| format!("  {n:>2}. {}\n", step.label()))
        .collect()
}

/// `, runs 1, 2, 3, 4, 5`; nothing where it is not known.
fn runs_told(plan: &ReferencePlan) -> String {
    let runs = plan.runs_listed();
    runs.map_or(String::new(), |runs| format!(", runs {runs}"))
}
