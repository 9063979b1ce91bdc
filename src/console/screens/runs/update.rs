//! Rows of a list: what opens when one is chosen, and what is done with some of them.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::update_list;
use crate::msg::Msg;
use crate::overlay::{Overlay, PageSubject};
use crate::overlays::new_run::continue_run;
use crate::screen::Screen;
use crate::screens::runs::bulk;
use crate::shell::{RunPlace, Shell};
use crate::widgets::table::ListItem;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::compare::{RUNS_MAX, family};
use pithead_engine::runtime::operator::bulk::BulkAction;
use pithead_world::ids::RunId;

/// One message on the list of runs, or of their failures.
pub(crate) fn update_runs(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let Some((list, table)) = context.shell.list_with(context.cache) else {
        return update_list(context, msg);
    };
    let (chosen, in_hand, item) = (list.chosen(table), list.in_hand(table), list.item(table));
    match (msg, item) {
        (Msg::Compare, _) => compare(context, &chosen),
        (Msg::Causes, _) => causes(context.shell, &in_hand),
        (Msg::Delete, _) => delete(context, &chosen),
        (Msg::AbortRuns, _) => bulk::open_bulk(context, BulkAction::Abort, runs(&chosen)),
        (Msg::ResumeRuns, _) => bulk::open_bulk(context, BulkAction::Resume, runs(&chosen)),
        (Msg::Continue, _) => return continue_run(context.shell, context.cache, item),
        (Msg::Open, Some(ListItem::Run(run))) => return Some(Effect::OpenRun(run)),
        (Msg::Open, Some(ListItem::Failure(run, attempt))) => {
            context.shell.aim = Some(RunPlace::Attempt(attempt));
            return Some(Effect::OpenRun(run));
        }
        _ => return update_list(context, msg),
    }
    None
}

/// Puts the marked runs beside each other.
fn compare(context: &mut Context<'_>, chosen: &[ListItem]) {
    let mut runs = runs(chosen);
    if let [alone] = runs[..] {
        runs = family(&context.cache.runs, alone);
    }
    if (2..=RUNS_MAX).contains(&runs.len()) {
        context.shell.compared = runs;
        context
            .shell
            .open_page(PageSubject::Row(ListItem::Comparison));
    } else {
        context.shell.refuse(format!(
            "mark 2 to {RUNS_MAX} runs first (m); {} chosen, with no forks",
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
        context.shell.open_overlay(Overlay::DeleteRuns(runs));
        return;
    };
    context.shell.refuse(because);
}

fn runs(chosen: &[ListItem]) -> Vec<RunId> {
    let run = |item: &ListItem| match item {
        ListItem::Run(run) => Some(*run),
        _ => None, // nothing else stands on this screen
    };
    chosen.iter().filter_map(run).collect()
}
