//! Carries out changes of entries through the operator module, and says what came of it.

use crate::screens::knowledge::state::EntryRequest;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::curate::{EntryChange, OnErrors, change_entry};

/// Makes a change; how the entry stands then, in words.
pub fn carry_out(act: &EntryRequest, operator: &Operator) -> Result<String, String> {
    let wanted = EntryChange {
        id: act.id,
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
