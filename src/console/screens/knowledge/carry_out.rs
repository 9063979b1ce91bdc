//! Carries out changes of entries through the operator module, and says what came of it.

use crate::screens::knowledge::state::EntryRequest;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::curate::{EntryChange, OnErrors, change_entry};
use pithead_world::ids::KnowledgeId;

/// Makes a change, of each entry by itself; how they stand then, in words.
pub fn carry_out(act: &EntryRequest, operator: &Operator) -> Result<String, String> {
    if act.also.is_empty() {
        return carry_out_one(act.id, act, operator);
    }
    let all = std::iter::once(&act.id).chain(&act.also);
    let done = all.map(|id| carry_out_one(*id, act, operator).map_err(|said| (*id, said)));
    let done: Vec<_> = done.collect();
    let faults: Vec<_> = done.iter().filter_map(|one| one.as_ref().err()).collect();
    match faults[..] {
        [] => Ok(format!(
            "{} entries: {}; each is undone on its own page",
            done.len(),
            act.what.word()
        )),
        [(id, because), ..] => Err(format!(
            "{} of {} were refused; {id}: {because}",
            faults.len(),
            done.len()
        )),
    }
}

fn carry_out_one(
    id: KnowledgeId,
    act: &EntryRequest,
    operator: &Operator,
) -> Result<String, String> {
    let wanted = EntryChange {
        id,
        change: act.what.change(),
        reason: act.reason.clone(),
        on_errors: OnErrors::Refuse,
    };
    let done = change_entry(operator, &wanted).map_err(|error| error.to_string())?;
    let entry = done.entry;
    Ok(format!(
        "{} is {} (version {})",
        entry.id,
        entry.status.name(),
        entry.version
    ))
}
