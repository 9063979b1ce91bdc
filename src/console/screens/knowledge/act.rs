//! Acts: changes of entries, made on the base as it is at that moment.

use crate::screens::inbox::act::Hand;
use crate::screens::knowledge::{Act, What};
use pithead_core::domain::plan::note::Severity;
use pithead_core::knowledge::life::ChangeRequest;
use pithead_engine::runtime::review;

/// Makes a change; how the entry stands then, in words.
pub fn carry_out(act: &Act, hand: &Hand<'_>) -> Result<String, String> {
    let wish = ChangeRequest {
        by: hand.operator.to_owned(),
        reason: act.reason.clone(),
    };
    hand.curate(act.id, |entry, base| {
        if let What::Edit(body) = &act.what {
            // The base may have changed since the text was read.
            let remarks = review::remarks(body, Some(act.id), base, None);
            if let Some(error) = remarks.iter().find(|r| r.severity == Severity::Error) {
                return Err(format!("{}: {}", error.path, error.message));
            }
        }
        let find = |id| base.iter().find(|known| known.id == id);
        act.what.events(entry, find, &wish)
    })?;
    let entry = hand.entry(act.id)?;
    Ok(format!(
        "{} is {} (version {})",
        entry.id,
        entry.status.name(),
        entry.version
    ))
}
