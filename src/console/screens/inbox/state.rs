//! What lies over the inbox: a reason, an edited text, a rule, an undo.

use crate::effect::GateRule;
use crate::screens::inbox::undo::Undo;
use pithead_core::domain::run::decision::GateKind;
use pithead_world::ids::KnowledgeId;

/// What lies over the inbox.
#[derive(Debug, Clone, PartialEq)]
pub enum InboxOverlay {
    /// Entries in full, one below the other. `seen`: the end has been on the screen.
    Read {
        ids: Vec<KnowledgeId>,
        scroll: usize,
        seen: bool,
    },
    /// Why not? The reason goes with every veto.
    Veto { ids: Vec<KnowledgeId>, text: String },
    /// An entry in the editor.
    Edit(KnowledgeId),
    /// A rule, before it is saved.
    Rule(GateRule),
    /// What taking back would do.
    Undo(Undo),
    /// A saved rule is to be taken off.
    Forget(GateKind),
}
