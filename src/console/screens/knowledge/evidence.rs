//! Evidence: the way from an entry to the attempt that it rests on.

use crate::context::Context;
use crate::effect::Effect;
use crate::shell::RunPlace;
use pithead_core::domain::knowledge::Entry;
use pithead_world::ids::{AttemptId, ExperienceId};

/// Opens the newest attempt that an entry rests on; says why if there is none here.
pub(crate) fn open_evidence(context: &mut Context<'_>, entry: &Entry) -> Option<Effect> {
    let evidence = &entry.provenance.experiences;
    let known = |of: &&ExperienceId| context.cache.run(of.run).is_some();
    let because = match evidence.iter().rev().find(known) {
        Some(evidence) => return open_attempt(context, *evidence),
        None if evidence.is_empty() => {
            format!("{} rests on no attempt: {}", entry.id, entry.author)
        }
        None => format!(
            "the runs of the attempts that {} rests on are deleted or in another database",
            entry.id
        ),
    };
    context.shell.refuse(because);
    None
}

/// Opens an attempt of any run, frame by frame.
pub(crate) fn open_attempt(context: &mut Context<'_>, id: ExperienceId) -> Option<Effect> {
    if context.cache.run(id.run).is_none() {
        let because = format!("run {} is deleted or in another database", id.run);
        context.shell.refuse(because);
        return None;
    }
    // An experience has the number of its attempt.
    context.shell.aim = Some(RunPlace::Attempt(AttemptId(id.n)));
    Some(Effect::OpenRun(id.run))
}
