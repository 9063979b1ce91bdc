//! Rows of a list: what opens when one is chosen, and what is done with some of them.

use super::update::{self, Hands};
use super::{Shell, begin};
use crate::console::msg::{Effect, Msg};
use crate::console::numbers::many;
use crate::console::screen::Screen;
use crate::console::table::Item;
use crate::ids::{AttemptId, ExperienceId, RunId};
use crate::runtime::compare::RUNS_MAX;

/// Puts the marked runs beside each other.
pub(super) fn compare(hands: &mut Hands<'_>, chosen: &[Item]) {
    let runs = runs(chosen);
    if (2..=RUNS_MAX).contains(&runs.len()) {
        hands.shell.compared = runs;
        update::open(hands, Item::Comparison);
    } else {
        hands.shell.refuse(format!(
            "mark two to {RUNS_MAX} runs first (space); {} chosen",
            many(runs.len(), "run is", "runs are")
        ));
    }
}

/// Why the subgoals of these runs failed.
pub(super) fn causes(shell: &mut Shell, chosen: &[Item]) {
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

/// Opens the newest attempt that an entry rests on; says why if there is none here.
pub(in crate::console) fn evidence(hands: &mut Hands<'_>, item: Option<Item>) -> Option<Effect> {
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
                "the attempts that {id} rests on are in another database"
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
pub(super) fn open(hands: &mut Hands<'_>, item: Item, msg: Msg) -> Option<Effect> {
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
