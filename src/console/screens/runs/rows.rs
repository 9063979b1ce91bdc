//! Rows of a list: what opens when one is chosen, and what is done with some of them.

use crate::msg::{Effect, Msg};
use crate::screen::Screen;
use crate::screens::home::begin;
use crate::screens::runs::bulk;
use crate::shell::{Cover, Shell};
use crate::update;
use crate::update::Hands;
use crate::widgets::table::Item;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::compare::RUNS_MAX;
use pithead_engine::runtime::operator::bulk::BulkAction;
use pithead_world::ids::{AttemptId, ExperienceId, RunId};

/// What is done with the rows that are marked, or else selected or in sight.
pub(crate) fn on(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    let (list, table) = hands.shell.list_with(hands.desk)?;
    let (chosen, in_hand, item) = (list.chosen(table), list.in_hand(table), list.item(table));
    match msg {
        Msg::Compare => compare(hands, &chosen),
        Msg::Causes => causes(hands.shell, &in_hand),
        Msg::Delete => delete(hands, &chosen),
        Msg::AbortRuns => bulk::open(hands, BulkAction::Abort, runs(&chosen)),
        Msg::ResumeRuns => bulk::open(hands, BulkAction::Resume, runs(&chosen)),
        Msg::Continue => return begin::go_on(hands.shell, hands.desk, item),
        Msg::Evidence => return evidence(hands, item),
        _ => (), // the list knows what else there is
    }
    None
}

/// Puts the marked runs beside each other.
fn compare(hands: &mut Hands<'_>, chosen: &[Item]) {
    let runs = runs(chosen);
    if (2..=RUNS_MAX).contains(&runs.len()) {
        hands.shell.compared = runs;
        update::open(hands, Item::Comparison);
    } else {
        hands.shell.refuse(format!(
            "mark two to {RUNS_MAX} runs first (space); {} chosen",
            count_with_noun(runs.len(), "run is", "runs are")
        ));
    }
}

/// Why the subgoals of these runs failed.
fn causes(shell: &mut Shell, chosen: &[Item]) {
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
fn delete(hands: &mut Hands<'_>, chosen: &[Item]) {
    let runs = runs(chosen);
    let alive = |run: &&RunId| hands.desk.run(**run).is_some_and(|row| row.alive);
    let in_sight = hands.view.head.as_ref().map(|head| head.run);
    let because = if let Some(run) = runs.iter().find(alive) {
        format!("run {run} is being driven; end it or leave it first")
    } else if let Some(run) = in_sight.filter(|run| runs.contains(run)) {
        format!("run {run} is open on screen 1; open another one first")
    } else if runs.is_empty() {
        "there is no run to delete".to_owned()
    } else {
        hands.shell.cover = Cover::Delete(runs);
        return;
    };
    hands.shell.refuse(because);
}

/// Opens the newest attempt that an entry rests on; says why if there is none here.
pub(crate) fn evidence(hands: &mut Hands<'_>, item: Option<Item>) -> Option<Effect> {
    let Some(Item::Entry(id)) = item else {
        hands.shell.refuse("there is no entry to look behind");
        return None;
    };
    let entry = hands.desk.entry(id)?;
    let known = |of: &&ExperienceId| hands.desk.run(of.run).is_some();
    match entry.provenance.experiences.iter().rev().find(known) {
        Some(evidence) => {
            // An experience has the number of its attempt.
            hands.shell.aim = Some(AttemptId(evidence.n));
            Some(Effect::OpenRun(evidence.run))
        }
        None if entry.provenance.experiences.is_empty() => {
            hands
                .shell
                .refuse(format!("{id} rests on no attempt: {}", entry.author));
            None
        }
        None => {
            hands.shell.refuse(format!(
                "the runs of the attempts that {id} rests on are deleted or in another database"
            ));
            None
        }
    }
}

fn runs(chosen: &[Item]) -> Vec<RunId> {
    let run = |item: &Item| match item {
        Item::Run(run) => Some(*run),
        _ => None, // nothing else stands on this screen
    };
    chosen.iter().filter_map(run).collect()
}

/// What a row leads to: a form, a run, a list, or what it says in full.
pub(crate) fn open(hands: &mut Hands<'_>, item: Item, msg: Msg) -> Option<Effect> {
    match item {
        _ if hands.shell.screen == Screen::Home => {
            return begin::chosen(hands.shell, hands.desk, item);
        }
        Item::Run(run) => return Some(Effect::OpenRun(run)),
        Item::Failure(run, attempt) if msg == Msg::Open => {
            hands.shell.aim = Some(attempt);
            return Some(Effect::OpenRun(run));
        }
        Item::Evaluation(id) if msg == Msg::Open => {
            hands.shell.open_evaluation(id);
            hands.shell.settle(hands.desk);
        }
        _ => update::open(hands, item),
    }
    None
}
