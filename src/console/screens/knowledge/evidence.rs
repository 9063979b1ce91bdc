//! Evidence: the way from an entry to the attempt that it rests on.

use crate::context::Context;
use crate::effect::Effect;
use crate::shell::RunPlace;
use crate::widgets::table::ListItem;
use pithead_world::ids::{AttemptId, ExperienceId};

/// Opens the newest attempt that an entry rests on; says why if there is none here.
pub(crate) fn open_evidence(context: &mut Context<'_>, item: Option<ListItem>) -> Option<Effect> {
    let Some(ListItem::Entry(id)) = item else {
        context.shell.refuse("there is no entry to look behind");
        return None;
    };
    let entry = context.cache.entry(id)?;
    let known = |of: &&ExperienceId| context.cache.run(of.run).is_some();
    match entry.provenance.experiences.iter().rev().find(known) {
        Some(evidence) => {
            // An experience has the number of its attempt.
            context.shell.aim = Some(RunPlace::Attempt(AttemptId(evidence.n)));
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
