//! Between the steps of a script: whatever the body needs first.
//!
//! What that is comes with the body's handle, see `senses::Reflexes`. Invariant: no reflex interrupts
//! another one.

use super::super::senses::BodyHandle;
use crate::action::ActionFailure;

/// Looks after the body; true if that took time, after which plans are stale.
pub(crate) async fn watch(body: &BodyHandle) -> Result<bool, ActionFailure> {
    let Some(reflex) = body.reflex() else {
        return Ok(false);
    };
    let was_minding = body.with(|s| std::mem::replace(&mut s.is_minding, true));
    let end = reflex.await;
    body.with(|s| s.is_minding = was_minding);
    end.map(|()| true)
}

/// As `watch`, amid an action that takes long, and only for what cannot wait.
pub(crate) async fn watch_amid(body: &BodyHandle) -> Result<bool, ActionFailure> {
    if body.with(|s| s.is_minding) || !body.is_threatened() {
        return Ok(false);
    }
    watch(body).await
}
