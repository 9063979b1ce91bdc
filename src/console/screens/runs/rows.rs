//! Rows of a list: what opens when one is chosen, and what is done with some of them.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::screen::Screen;
use crate::screens::home::begin;
use crate::screens::runs::bulk;
use crate::shell::{Cover, Shell};
use crate::update;
use crate::widgets::table::ListItem;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::compare::RUNS_MAX;
use pithead_engine::runtime::operator::bulk::BulkAction;
use pithead_world::ids::{AttemptId, ExperienceId, RunId};

/// What is done with the rows that are marked, or else selected or in sight.
pub(crate) fn on(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let (list, table) = context.shell.list_with(context.cache)?;
    let (chosen, in_hand, item) = (list.chosen(table), list.in_hand(table), list.item(table));
    match msg {
        Msg::Compare => compare(context, &chosen),
        Msg::Causes => causes(context.shell, &in_hand),
        Msg::Delete => delete(context, &chosen),
        Msg::AbortRuns => bulk::open(context, BulkAction::Abort, runs(&chosen)),
        Msg::ResumeRuns => bulk::open(context, BulkAction::Resume, runs(&chosen)),
        Msg::Continue => return begin::go_on(context.shell, context.cache, item),
        Msg::Evidence => return evidence(context, item),
        _ => (), // the list knows what else there is
    }
    None
}

/// Puts the marked runs beside each other.
fn compare(context: &mut Context<'_>, chosen: &[ListItem]) {
    let runs = runs(chosen);
    if (2..=RUNS_MAX).contains(&runs.len()) {
        context.shell.compared = runs;
        update::open(context, ListItem::Comparison);
    } else {
        context.shell.refuse(format!(
            "mark two to {RUNS_MAX} runs first (space); {} chosen",
            count_with_noun(runs.len(), "run is", "runs are")
        ));
    }
}

/// Why the subgoals of these runs failed.
fn causes(shell: &mut Shell, chosen: &[ListItem]) {
    let runs = runs(chosen);
    if runs.is_empty() {
        shell.refuse("no run is in sight");
        return;
    }
    if shell.failing != runs {
        shell.lists.remove(&Screen::Failures);
    }
    shell.failing = runs;
    shell.go(Screen::Failures);
}

/// Asks whether these runs are to be deleted; a run that is driven, or in sight, is not.
fn delete(context: &mut Context<'_>, chosen: &[ListItem]) {
    let runs = runs(chosen);
    let alive = |run: &&RunId| context.cache.run(**run).is_some_and(|row| row.alive);
    let in_sight = context.view.head.as_ref().map(|head| head.run);
    let because = if let Some(run) = runs.iter().find(alive) {
        format!("run {run} is being driven; end it or leave it first")
    } else if let Some(run) = in_sight.filter(|run| runs.contains(run)) {
        format!("run {run} is open on screen 1; open another one first")
    } else if runs.is_empty() {
        "there is no run to delete".to_owned()
    } else {
        context.shell.cover = Cover::Delete(runs);
        return;
    };
    context.shell.refuse(because);
}

/// Opens the newest attempt that an entry rests on; says why if there is none here.
pub(crate) fn evidence(context: &mut Context<'_>, item: Option<ListItem>) -> Option<Effect> {
    let Some(ListItem::Entry(id)) = item else {
        context.shell.refuse("there is no entry to look behind");
        return None;
    };
    let entry = context.cache.entry(id)?;
    let known = |of: &&ExperienceId| context.cache.run(of.run).is_some();
    match entry.provenance.experiences.iter().rev().find(known) {
        Some(evidence) => {
            // An experience has the number of its attempt.
            context.shell.aim = Some(AttemptId(evidence.n));
            Some(Effect::OpenRun(evidence.run))
        }
        None if entry.provenance.experiences.is_empty() => {
            context
                .shell
                .refuse(format!("{id} rests on no attempt: {}", entry.author));
            None
        }
        None => {
            context.shell.refuse(format!(
                "the runs of the attempts that {id} rests on are deleted or in another database"
            ));
            None
        }
    }
}

fn runs(chosen: &[ListItem]) -> Vec<RunId> {
    let run = |item: &ListItem| match item {
        ListItem::Run(run) => Some(*run),
        _ => None, // nothing else stands on this screen
    };
    chosen.iter().filter_map(run).collect()
}

/// What a row leads to: a form, a run, a list, or what it says in full.
pub(crate) fn open(context: &mut Context<'_>, item: ListItem, msg: Msg) -> Option<Effect> {
    match item {
        _ if context.shell.screen == Screen::Home => {
            return begin::chosen(context.shell, context.cache, item);
        }
        ListItem::Run(run) => return Some(Effect::OpenRun(run)),
        ListItem::Failure(run, attempt) if msg == Msg::Open => {
            context.shell.aim = Some(attempt);
            return Some(Effect::OpenRun(run));
        }
        ListItem::Evaluation(id) if msg == Msg::Open => {
            context.shell.open_evaluation(id);
            context.shell.settle(context.cache);
        }
        _ => update::open(context, item),
    }
    None
}
