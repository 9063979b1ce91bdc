//! What lies over the inbox: a reason, an undo, a rule that is to be taken off.

use crate::screens::inbox::undo::Undo;
use pithead_core::domain::run::decision::GateKind;
use pithead_world::ids::KnowledgeId;

/// What lies over the inbox.
#[derive(Debug, Clone, PartialEq)]
pub enum InboxOverlay {
    /// Why not? The reason goes with every veto.
    Veto { ids: Vec<KnowledgeId>, text: String },
    /// What taking back would do.
    Undo(Undo),
    /// A saved rule is to be taken off.
    Forget(GateKind),
}
