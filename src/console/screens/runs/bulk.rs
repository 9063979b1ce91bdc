//! Many runs at once: what would become of each of the marked runs, asked before it is done.
//!
//! An end needs a reason, which enter gives; letting go on is confirmed with y. Neither is the key that
//! began it.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::screens::runs::state::Bulk;
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::table::ListItem;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::operator::bulk::{BulkAction, BulkEffect};
use pithead_world::ids::RunId;

/// Runs that are named; more are counted.
const NAMED_MAX: usize = 8;

/// Asks, if something would be done with one of the runs.
pub(crate) fn open_bulk(context: &mut Context<'_>, action: BulkAction, runs: Vec<RunId>) {
    let in_sight = context.view.head.as_ref().map(|head| head.run);
    let is_in_sight = |run: &RunId| Some(*run) == in_sight && !context.view.status.is_over();
    let acting =
        |run: &RunId| effect_on(context.cache, *run, action).is_some_and(|effect| effect.acts());
    let because = if let Some(run) = runs.iter().find(|run| is_in_sight(run)) {
        format!("run {run} is open on screen 1; it is told there (A, space)")
    } else if !runs.iter().any(acting) {
        match (action, &runs[..]) {
            (_, []) => "there is no run to choose".to_owned(),
            (BulkAction::Abort, _) => "all of them have ended".to_owned(),
            (BulkAction::Resume, _) => "none of them is paused or was left".to_owned(),
        }
    } else {
        let reason = String::new();
        context.shell.open_overlay(Overlay::Bulk(Bulk {
            action,
            runs,
            reason,
        }));
        return;
    };
    context.shell.refuse(because);
}

/// What the action comes to for a run, as far as the lists know; a driven run may be paused or not.
fn effect_on(cache: &Cache, run: RunId, action: BulkAction) -> Option<BulkEffect> {
    let row = cache.run(run)?;
    Some(match (row.outcome.is_some(), row.alive, action) {
        (true, _, _) => BulkEffect::Stay("it has ended".to_owned()),
        (false, true, _) => BulkEffect::TellDriver,
        (false, false, BulkAction::Abort) => BulkEffect::End,
        (false, false, BulkAction::Resume) => BulkEffect::Resume,
    })
}

/// A message while it is asked.
pub(crate) fn update_bulk(context: &mut Context<'_>, bulk: Bulk, msg: Msg) -> Option<Effect> {
    let is_abort = bulk.action == BulkAction::Abort;
    match msg {
        Msg::Submit if is_abort && bulk.reason.trim().is_empty() => {
            context
                .shell
                .refuse("an abort needs a reason; others will read it");
        }
        Msg::Submit if is_abort => {
            context.shell.close_overlay();
            return Some(Effect::Bulk(bulk));
        }
        Msg::Yes if !is_abort => {
            context.shell.close_overlay();
            return Some(Effect::Bulk(bulk));
        }
        Msg::Back => context.shell.close_overlay(),
        _ => (), // no other key means anything here
    }
    None
}

/// The question: how many, what becomes of each, and what is typed.
#[must_use]
pub fn bulk_lines(bulk: &Bulk, cache: &Cache, width: usize) -> Vec<Rich> {
    let parts = bulk.runs.iter().filter_map(|run| {
        let effect = effect_on(cache, *run, bulk.action)?;
        Some((*run, effect))
    });
    let parts: Vec<(RunId, BulkEffect)> = parts.collect();
    let acting = parts.iter().filter(|(_, effect)| effect.acts()).count();
    let what = match bulk.action {
        BulkAction::Abort => "End",
        BulkAction::Resume => "Let go on",
    };
    let question = format!("{what} {}?", count_with_noun(acting, "run", "runs"));
    let mut lines = vec![Rich::text(Role::Strong, question)];
    for (run, effect) in parts.iter().take(NAMED_MAX) {
        let role = if effect.acts() {
            Role::Text
        } else {
            Role::Faint
        };
        let words = match (bulk.action, effect) {
            (BulkAction::Resume, BulkEffect::TellDriver) => {
                "goes on in its process, if it is paused".to_owned()
            }
            _ => effect.sentence(bulk.action),
        };
        let text = format!("{}: {words}", cache.name(ListItem::Run(*run)));
        paragraph(&mut lines, Rich::text(role, "  "), role, &text, width);
    }
    if parts.len() > NAMED_MAX {
        lines.push(Rich::text(
            Role::Faint,
            format!("  and {} more", parts.len() - NAMED_MAX),
        ));
    }
    if bulk.action == BulkAction::Abort {
        let text = "An ended run cannot be gone on with; its recording and what it taught stay.";
        paragraph(&mut lines, Rich::new(), Role::Bad, text, width);
    }
    lines.push(Rich::new());
    lines
}
