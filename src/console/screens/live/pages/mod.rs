//! Pages about the run in sight: what is read in full, line by line, before anything is drawn.

pub mod costs;
pub mod decision;
pub mod node;
pub mod policy;
pub mod system;
pub mod trace;

use crate::screens::live::state::RunPage;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::entry;
use crate::widgets::rich::Rich;
use pithead_world::ids::DecisionId;

/// What a page about the run says.
#[must_use]
pub fn page_lines(page: RunPage, view: &View, width: usize) -> Vec<Rich> {
    match page {
        RunPage::Node(id) => node::node_lines(id, view, width),
        RunPage::Entry(id) => entry::entry_in_run_lines(id, view, width),
        RunPage::Trace => trace::trace_lines(view, width),
        RunPage::Costs => costs::cost_lines(view, width),
        RunPage::Selections => system::selection_lines(view, width),
        RunPage::Reflections => system::reflection_lines(view, width),
        RunPage::Goals => system::goal_lines(view, width),
        RunPage::Policy => policy::policy_lines(view, width),
        RunPage::Event(seq) => event(seq, view, width),
    }
}

/// What a question asks.
#[must_use]
pub fn question_lines(id: DecisionId, view: &View, width: usize) -> Vec<Rich> {
    match view.inbox.get(id) {
        Some(open) => decision::decision_lines(open, view, width),
        None => vec![Rich::text(Role::Faint, format!("{id} is decided."))],
    }
}

/// The heading of a page about the run.
#[must_use]
pub fn page_title(page: RunPage) -> &'static str {
    match page {
        RunPage::Node(_) => "Subgoal",
        RunPage::Entry(_) => "Knowledge",
        RunPage::Trace => "Diagnosis",
        RunPage::Costs => "The mind's costs",
        RunPage::Selections => "Selections",
        RunPage::Reflections => "Reflections",
        RunPage::Goals => "Goals",
        RunPage::Policy => "Policy file",
        RunPage::Event(_) => "Event",
    }
}

fn event(seq: pithead_world::ids::Seq, view: &View, width: usize) -> Vec<Rich> {
    let Some(line) = view.timeline.lines.iter().find(|line| line.seq == seq) else {
        return vec![Rich::text(
            Role::Faint,
            "This event is no longer kept on the screen.",
        )];
    };
    let mut out = Vec::new();
    let place = format!(
        "event {} · tick {}",
        line.seq,
        pithead_core::text::numbers::format_count(line.tick)
    );
    out.push(Rich::text(Role::Strong, place));
    out.push(Rich::new());
    crate::widgets::rich::paragraph(&mut out, Rich::new(), Role::Text, &line.text, width);
    out
}
