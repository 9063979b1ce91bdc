//! Rows of a list: what opens when one is chosen, and what is done with some of them.

use super::begin;
use super::update::{self, Hands};
use crate::console::msg::{Effect, Msg};
use crate::console::numbers::many;
use crate::console::screen::Screen;
use crate::console::table::Item;
use crate::ids::RunId;
use crate::runtime::compare::RUNS_MAX;

/// Puts the marked runs beside each other.
pub(super) fn compare(hands: &mut Hands<'_>, chosen: &[Item]) {
    let runs: Vec<RunId> = chosen
        .iter()
        .filter_map(|item| match item {
            Item::Run(run) => Some(*run),
            _ => None, // nothing else stands on this screen
        })
        .collect();
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

/// What a row leads to: a form, a run, a list, or what it says in full.
pub(super) fn open(hands: &mut Hands<'_>, item: Item, msg: Msg) -> Option<Effect> {
    match item {
        _ if hands.shell.screen == Screen::Home => {
            return begin::chosen(hands.shell, hands.desk, item);
        }
        Item::Run(run) => return Some(Effect::OpenRun(run)),
        Item::Evaluation(id) if msg == Msg::Open => hands.shell.open_evaluation(id),
        _ => {
            update::open(hands, item);
            if matches!(msg, Msg::Approve | Msg::Veto) {
                hands.shell.say("read it, then a or v");
            }
        }
    }
    None
}
