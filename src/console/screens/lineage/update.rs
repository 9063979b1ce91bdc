//! Update: what a message does on a lineage: `enter` goes where the line leads, or opens a fold.

use crate::context::Context;
use crate::effect::Effect;
use crate::lists::update::update_list;
use crate::msg::Msg;
use crate::overlay::PageSubject;
use crate::shell::RunPlace;
use crate::widgets::table::ListItem;
use pithead_engine::runtime::lineage::LineageTarget;

/// One message on the list.
pub(crate) fn update_lineage(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let selected = match context.shell.item(context.cache) {
        Some(ListItem::Lineage(at)) => at,
        Some(item @ ListItem::Fold(_)) if msg == Msg::Open => {
            context.shell.fold_or_unfold(context.cache, item);
            return None;
        }
        _ => return update_list(context, msg),
    };
    match msg {
        Msg::Open | Msg::Sheet => {
            let lineage = context.cache.lineage.as_ref()?;
            go_on(context, lineage.line(selected)?.target)
        }
        _ => update_list(context, msg),
    }
}

fn go_on(context: &mut Context<'_>, target: LineageTarget) -> Option<Effect> {
    let (run, place) = match target {
        LineageTarget::Entry { id } => {
            if context.cache.entry(id).is_some() {
                context.shell.open_page(PageSubject::Entry(id));
            } else {
                context
                    .shell
                    .refuse(format!("{id} is no longer in the database"));
            }
            return None;
        }
        LineageTarget::Lineage { of } => {
            context.shell.go_to_lineage(of);
            return None;
        }
        LineageTarget::Attempt { run, attempt } => (run, RunPlace::Attempt(attempt)),
        LineageTarget::Moment { run, seq } => (run, RunPlace::Moment(seq)),
    };
    if context.cache.run(run).is_none() {
        context
            .shell
            .refuse(format!("run {run} is deleted or in another database"));
        return None;
    }
    context.shell.aim = Some(place);
    Some(Effect::OpenRun(run))
}
