//! Entries: proposed by this run, decided about, and used.

use crate::agent::state::State;
use crate::domain::knowledge::title::title_of;
use crate::domain::knowledge::{Body, Entry, EntryUse, Status};
use pithead_world::ids::{KnowledgeId, SubgoalId};

impl State {
    pub(super) fn knowledge_proposed(&mut self, entry: &Entry) {
        self.counters.entries = self.counters.entries.max(entry.id.n);
        self.proposed.push(entry.clone());
    }

    pub(super) fn knowledge_merged(&mut self, into: KnowledgeId, draft: &Entry) {
        // In both lists: the entry may be this run's own or one that recall gave.
        for entry in self.own_and_known(into) {
            entry.body.take_over(&draft.body);
            entry.title = title_of(&entry.body);
        }
    }

    pub(super) fn knowledge_activated(&mut self, id: KnowledgeId) {
        if let Some(at) = self.proposed.iter().position(|e| e.id == id) {
            let mut entry = self.proposed.remove(at);
            entry.status = Status::Active;
            self.knowledge.push(entry);
        }
    }

    pub(super) fn knowledge_edited(&mut self, id: KnowledgeId, body: &Body) {
        for entry in self.own_and_known(id) {
            entry.title = title_of(body);
            entry.body = body.clone();
            entry.version += 1;
        }
    }

    pub(super) fn knowledge_vetoed(&mut self, id: KnowledgeId) {
        self.proposed.retain(|e| e.id != id);
        // A veto takes an active entry out of this run at once.
        self.knowledge.retain(|e| e.id != id);
    }

    pub(super) fn knowledge_used(
        &mut self,
        id: KnowledgeId,
        how: EntryUse,
        subgoal: Option<SubgoalId>,
    ) {
        match (how, subgoal) {
            (EntryUse::Shown, _) => {
                self.shown.insert(id);
            }
            (EntryUse::Blocked, Some(subgoal)) => {
                *self.blocks.entry((subgoal, id)).or_default() += 1;
            }
            (EntryUse::Hurt, _) => {
                // An entry that did harm is passed over for the rest of the run.
                self.passed_over.insert(id);
            }
            (EntryUse::Blocked, None)
            | (EntryUse::Retrieved | EntryUse::Matched | EntryUse::Helped, _) => (),
        }
    }

    /// Some were withheld by the draw; those that recall gave all the same were drawn for, too.
    pub(super) fn knowledge_withheld(&mut self, ids: &[KnowledgeId]) {
        self.withheld.extend(ids);
    }

    fn own_and_known(&mut self, id: KnowledgeId) -> impl Iterator<Item = &mut Entry> {
        let entries = self.proposed.iter_mut().chain(&mut self.knowledge);
        entries.filter(move |entry| entry.id == id)
    }
}
