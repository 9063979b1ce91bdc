//! `pithead show`: one run on one page: summary, plan, attempts, decisions, knowledge.

mod plan;
mod questions;
mod system;

use super::options::{Database, parse_run_id};
use super::replay::each_page;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, text_columns};
use crate::headless::{Summary, fields};
use pithead_core::domain::experience::card::{Card, card_of};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::title;
use pithead_core::domain::plan::{Plan, Subgoal};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::run::fork::Fork;
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::Recording;
use pithead_engine::runtime::costs::Costs;
use pithead_engine::runtime::system_record::SystemRecord;
use pithead_world::ids::{AttemptId, CallId, DecisionId, KnowledgeId, RunId, SubgoalId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Show the costs of the mind: calls, tokens, money and time by role, phase and model
    #[arg(long)]
    costs: bool,
    /// List the questions to the mind: role, tokens, money, seconds; with --json also prompts and answers
    #[arg(long, conflicts_with = "costs")]
    questions: bool,
    /// Print only the plan in force, with one step in each line, as `pithead fork --plan` reads it; with --json as
    /// PlanJSON
    #[arg(long, conflicts_with_all = ["costs", "questions", "question"])]
    plan: bool,
    /// Show one question to the mind, word for word: prompt, answer, and what came of it
    #[arg(long, value_name = "CALL", conflicts_with_all = ["costs", "questions"])]
    question: Option<CallId>,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let recording = Recording::open(args.database.open_read_only()?, args.run)?;
    if args.costs {
        return costs(&recording, args.json);
    }
    if args.questions {
        return questions::all(&recording, args.json);
    }
    if let Some(call) = args.question {
        return questions::one(&recording, call, args.json);
    }
    if args.plan {
        return plan::in_force(&recording, args.json);
    }
    // Events name entries that the run merged into by id only; their titles come from the base.
    let base = recording.journal().knowledge(EntryFilter::default())?;
    let mut page = Page {
        titles: base
            .iter()
            .map(|entry| (entry.id, title::title_of(&entry.body)))
            .collect(),
        state: recording.row().state(),
        ..Page::default()
    };
    each_page(&recording, |facts| {
        facts.iter().for_each(|fact| page.apply(fact));
    })?;
    page.settle();
    print_document(args.json, &page, |page| page.text())?;
    Ok(ExitStatus::Done)
}

fn costs(recording: &Recording, json: bool) -> Result<ExitStatus, CommandError> {
    let mut costs = Costs::default();
    each_page(recording, |facts| {
        facts.iter().for_each(|fact| costs.apply(fact));
    })?;
    print_document(json, &costs, |costs| {
        pithead_core::text::clean::clean_lines(&costs.table())
    })?;
    Ok(ExitStatus::Done)
}

/// What is shown; the JSON form is stable.
#[derive(Debug, Default, Serialize)]
struct Page {
    state: &'static str,
    /// The run it was forked from, and what was changed in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    forked: Option<Fork>,
    summary: Summary,
    /// The nodes of the plan in force, in its order.
    plan: Vec<Node>,
    attempts: Vec<AttemptLine>,
    decisions: Vec<DecisionLine>,
    knowledge: Vec<KnowledgeLine>,
    /// Selections, rules and reflections, where the system has them.
    #[serde(flatten)]
    system: SystemRecord,
    #[serde(skip)]
    titles: BTreeMap<KnowledgeId, String>,
    #[serde(skip)]
    proposed: Plan,
    #[serde(skip)]
    in_force: Plan,
    #[serde(skip)]
    done: BTreeSet<SubgoalId>,
    #[serde(skip)]
    tried: BTreeMap<SubgoalId, (u64, Option<&'static str>)>,
}

#[derive(Debug, Serialize)]
struct Node {
    id: String,
    depth: usize,
    condition: String,
    done: bool,
    attempts: u64,
    /// The last failure's reason.
    reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct AttemptLine {
    attempt: String,
    subgoal: String,
    success: bool,
    /// Why it is no failure though it did not succeed.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_failure: Option<&'static str>,
    reason: Option<&'static str>,
    from_tick: u64,
    to_tick: u64,
    summary: String,
    card: Card,
}

#[derive(Debug, Serialize)]
struct DecisionLine {
    decision: String,
    kind: &'static str,
    policy: String,
    /// None while it is open.
    answer: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct KnowledgeLine {
    event: &'static str,
    id: String,
    /// Of the entry; empty if neither this run nor the base holds it.
    title: String,
    text: String,
}

impl Page {
    fn apply(&mut self, fact: &Recorded) {
        self.summary.apply(fact);
        self.system.apply(fact);
        match &fact.event {
            Event::PlanProposed { plan, .. } => self.proposed = plan.clone(),
            Event::PlanAdopted { .. } => self.in_force = self.proposed.clone(),
            Event::SubgoalDone { subgoal } => {
                self.done.insert(*subgoal);
            }
            Event::AttemptEnded { experience, .. } => self.add_attempt(experience),
            Event::LabelOverruled {
                attempt,
                was,
                label,
                reason,
                by,
            } => self.overrule(*attempt, (*was, *label), &format!("{reason} ({by})")),
            Event::DecisionAsked { question } => self.decisions.push(DecisionLine {
                decision: question.id.to_string(),
                kind: question.kind.name(),
                policy: question.policy.to_string(),
                answer: None,
            }),
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } => {
                self.answer(*decision, format!("{verdict} by {by}"));
            }
            Event::RunForked { fork } => self.forked = Some((**fork).clone()),
            event => self.add_knowledge(event),
        }
    }

    fn add_attempt(&mut self, experience: &pithead_core::domain::experience::Experience) {
        let (action, diagnosis) = (&experience.action, &experience.diagnosis);
        let reason = diagnosis.reason.map(|reason| reason.name());
        let tried = self.tried.entry(action.id).or_default();
        let failed = reason.filter(|_| experience.is_failure());
        *tried = (tried.0 + 1, failed.or(tried.1));
        self.attempts.push(AttemptLine {
            attempt: experience.attempt.to_string(),
            subgoal: format!("{} {}", action.id, action.condition),
            success: diagnosis.success,
            no_failure: experience.no_failure(),
            reason,
            from_tick: experience.pre.tick,
            to_tick: experience.post.tick,
            summary: diagnosis.summary.clone(),
            card: card_of(experience),
        });
    }

    fn overrule(
        &mut self,
        attempt: AttemptId,
        (was, label): (FailureReason, FailureReason),
        because: &str,
    ) {
        let name = attempt.to_string();
        for line in self.attempts.iter_mut().filter(|line| line.attempt == name) {
            line.reason = Some(label.name());
            line.card.overrule(label, because);
            line.summary = format!(
                "{} [overruled, was {}: {because}]",
                line.summary,
                was.name()
            );
        }
    }

    fn answer(&mut self, decision: DecisionId, answer: String) {
        let name = decision.to_string();
        match self.decisions.iter_mut().find(|line| line.decision == name) {
            Some(line) => line.answer = Some(answer),
            // A gate set to auto answers without having asked.
            None => self.decisions.push(DecisionLine {
                decision: name,
                kind: "",
                policy: String::new(),
                answer: Some(answer),
            }),
        }
    }

    fn add_knowledge(&mut self, event: &Event) {
        let (id, text) = match event {
            Event::KnowledgeProposed { entry } => {
                self.titles.insert(entry.id, title::title_of(&entry.body));
                (entry.id, String::new())
            }
            Event::KnowledgeMerged { into, .. } => (*into, String::new()),
            Event::Recalled { knowledge, .. } => {
                let known = knowledge.iter().map(|e| (e.id, title::title_of(&e.body)));
                self.titles.extend(known);
                return;
            }
            Event::KnowledgeSuppressed { by } => (*by, String::new()),
            Event::KnowledgeActivated { id, .. } => (*id, String::new()),
            Event::KnowledgeEdited { id, reason, .. }
            | Event::KnowledgeVetoed { id, reason, .. } => (*id, reason.clone()),
            Event::KnowledgeUsed { id, how, .. } => (*id, how.name().to_owned()),
            // The page shows nothing of the others.
            _ => return,
        };
        self.knowledge.push(KnowledgeLine {
            event: pithead_engine::journal::kind(event),
            id: id.to_string(),
            title: self.titles.get(&id).cloned().unwrap_or_default(),
            text,
        });
    }

    /// Puts the plan's nodes together once all attempts are known.
    fn settle(&mut self) {
        let plan = &self.in_force;
        self.plan = plan
            .subgoals
            .iter()
            .map(|subgoal| self.node(subgoal))
            .collect();
    }

    fn node(&self, subgoal: &Subgoal) -> Node {
        let (attempts, reason) = self.tried.get(&subgoal.id).copied().unwrap_or_default();
        let parents = std::iter::successors(subgoal.parent, |id| self.in_force.get(*id)?.parent);
        Node {
            id: subgoal.id.to_string(),
            // A plan whose parents go in a circle is no deeper than it is long.
            depth: parents.take(self.in_force.subgoals.len()).count(),
            condition: subgoal.condition.clone(),
            done: self.done.contains(&subgoal.id),
            attempts,
            reason,
        }
    }

    fn text(&self) -> String {
        let mut head = self.summary.fields();
        head.push(("state", self.state.to_owned()));
        head.extend(self.forked.iter().map(|fork| ("forked", fork_origin(fork))));
        let mut text = fields(&head);
        text += "\nplan\n";
        for n in &self.plan {
            let mark = if n.done { "✓" } else { "·" };
            let tries = if n.attempts == 0 {
                String::new()
            } else {
                format!("  ×{}", n.attempts)
            };
            let reason = n
                .reason
                .map_or(String::new(), |reason| format!(" {reason}"));
            text += &format!(
                "  {}{mark} {} {}{tries}{reason}\n",
                "  ".repeat(n.depth),
                n.id,
                n.condition
            );
        }
        text += "\nattempts\n";
        for a in &self.attempts {
            let verdict = match a.no_failure {
                Some(ended) => ended,
                None if a.success => "done",
                None => a.reason.unwrap_or("failed"),
            };
            text += &format!(
                "  {} {} [{}..{}] {verdict}: {}\n",
                a.attempt, a.subgoal, a.from_tick, a.to_tick, a.summary
            );
        }
        text += "\ndecisions\n";
        for d in &self.decisions {
            let answer = d.answer.as_deref().unwrap_or("open");
            text += &format!("  {} {} {}: {answer}\n", d.decision, d.kind, d.policy);
        }
        text += "\nknowledge\n";
        text + &text_columns(&self.knowledge_rows()) + &system::text(&self.system)
    }

    /// A row for each thing that happened to an entry, where it happened first, and how often it did.
    fn knowledge_rows(&self) -> Vec<Vec<String>> {
        let mut rows: Vec<(&KnowledgeLine, usize)> = Vec::new();
        for line in &self.knowledge {
            match rows.iter_mut().find(|(known, _)| *known == line) {
                Some((_, times)) => *times += 1,
                None => rows.push((line, 1)),
            }
        }
        let row = |(line, times): (&KnowledgeLine, usize)| {
            let what = format!("{} {}", line.text, line.title);
            let mut what = what.trim_start().to_owned();
            if times > 1 {
                what += &format!(" · {times} times");
            }
            let (event, id) = (line.event.to_owned(), line.id.clone());
            vec![String::new(), event, id, what]
        };
        rows.into_iter().map(row).collect()
    }
}

/// `from run 3 at event 120 by ann, without k1.2, with changed thresholds`
fn fork_origin(fork: &Fork) -> String {
    let mut text = format!("from run {} at event {} by {}", fork.from, fork.at, fork.by);
    for id in &fork.without {
        text += &format!(", without {id}");
    }
    if fork.thresholds.is_some() {
        text += ", with changed thresholds";
    }
    if !fork.kept.is_empty() {
        let n = fork.kept.len();
        text += &format!(", with {n} later decisions repeated as they come up");
    }
    text
}
