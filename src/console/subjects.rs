//! Subjects: what is selected where the operator asks for its options or its lineage, on any screen.

use crate::cache::Cache;
use crate::context::Context;
use crate::screen::Screen;
use crate::screens::debug::inspection::chosen;
use crate::screens::live::select;
use crate::screens::options::state::OptionsSubject;
use crate::shell::Shell;
use crate::widgets::table::ListItem;
use pithead_core::domain::plan::Subgoal;
use pithead_core::knowledge::targets::targets_of;
use pithead_engine::runtime::lineage::LineageSubject;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{AttemptId, ExperienceId, KnowledgeId, RunId};

/// Opens the options of what is selected; those of all items where nothing is, or where it is about no item.
pub(crate) fn open_options(context: &mut Context<'_>) {
    let by_circumstance = context.shell.options.by_circumstance;
    let named = match context.shell.screen {
        Screen::Live => of_node(context),
        Screen::Debug => of_attempt(context),
        Screen::Options => return,
        _ => entry_in_sight(context.shell, context.cache).and_then(|id| of_entry(context, id)),
    };
    let (name, targets) = named.unwrap_or_default();
    if targets.is_empty() && !name.is_empty() {
        context.shell.say(format!(
            "{name} is about no item; these are the options of all"
        ));
    }
    context.shell.go_to_options(OptionsSubject {
        name: if targets.is_empty() {
            String::new()
        } else {
            name
        },
        targets,
        by_circumstance,
    });
}

/// Opens the lineage of what is selected; says why there is none.
pub(crate) fn open_lineage(context: &mut Context<'_>) {
    let attempt = |run: RunId, attempt: AttemptId| {
        let n = attempt.0;
        LineageSubject::Attempt(ExperienceId { run, n })
    };
    let subject = match (context.shell.screen, context.shell.item(context.cache)) {
        (Screen::Debug, _) => {
            let run = context.view.head.as_ref().map(|head| head.run);
            let chosen = chosen(context.shell, context.cache);
            run.zip(chosen).map(|(run, chosen)| attempt(run, chosen))
        }
        (_, Some(ListItem::Failure(run, failed))) => Some(attempt(run, failed)),
        _ => entry_in_sight(context.shell, context.cache).map(LineageSubject::Entry),
    };
    match subject {
        Some(subject) => context.shell.go_to_lineage(subject),
        None => context.shell.refuse("no entry and no attempt is selected"),
    }
}

/// The entry that is read, or selected in the list.
pub(crate) fn entry_in_sight(shell: &Shell, cache: &Cache) -> Option<KnowledgeId> {
    let of_lineage = match shell.lineage {
        Some(LineageSubject::Entry(id)) if shell.screen == Screen::Lineage => Some(id),
        _ => None, // another screen, or the lineage of an attempt
    };
    let selected = || match shell.item(cache) {
        Some(ListItem::Entry(id) | ListItem::Pair(id, _)) => Some(id),
        _ => None, // nothing else is an entry
    };
    shell.entry_in_hand().or_else(selected).or(of_lineage)
}

type Named = (String, Vec<ItemSpec>);

fn of_entry(context: &Context<'_>, id: KnowledgeId) -> Option<Named> {
    let entry = context.cache.entry(id)?;
    Some((format!("{id} {}", entry.title), targets_of(&entry.body)))
}

fn of_node(context: &Context<'_>) -> Option<Named> {
    let nodes = select::nodes(context.view, &context.shell.live);
    let row = select::node_row(context.view, &context.shell.live, &nodes)?;
    Some(of_step(&nodes[row].subgoal))
}

fn of_attempt(context: &Context<'_>) -> Option<Named> {
    let case = context.cache.debug.case.as_deref()?;
    let is_chosen = chosen(context.shell, context.cache) == Some(case.row.id);
    is_chosen.then(|| {
        let (name, targets) = of_step(&case.attempt.subgoal);
        (format!("{} {name}", case.row.id), targets)
    })
}

fn of_step(step: &Subgoal) -> Named {
    let name = format!("{} {}", step.id, step.label());
    (name, step.goal.object.into_iter().collect())
}
