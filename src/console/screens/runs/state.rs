//! What lies over the list of runs: a question before many are ended or deleted.

use pithead_engine::runtime::operator::bulk::BulkAction;
use pithead_world::ids::RunId;

/// What is asked, and the reason as far as it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bulk {
    pub action: BulkAction,
    pub runs: Vec<RunId>,
    pub reason: String,
}

impl Bulk {
    /// The reason that is being typed; an end needs one.
    pub(crate) fn typed_reason(&mut self) -> Option<&mut String> {
        match self.action {
            BulkAction::Abort => Some(&mut self.reason),
            BulkAction::Resume => None,
        }
    }
}
