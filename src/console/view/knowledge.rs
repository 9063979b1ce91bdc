//! Knowledge in use: entries that took part in this run, and the lessons that bind it.
//!
//! Not the knowledge base: only what was recalled, proposed or used here.

use pithead_core::domain::experience::Hit;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::title::title_of;
use pithead_core::domain::knowledge::{Entry, EntryUse, Guardrail, Status};
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::uses::StepUses;
use pithead_world::ids::{ExperienceId, KnowledgeId, SubgoalId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Entries kept; the one used longest ago is dropped first.
const ITEMS_MAX: usize = 256;
/// Lessons of one run; the agent replans less often than this.
const LESSONS_MAX: usize = 128;
/// Experiences of one recall that are shown.
const HITS_MAX: usize = 16;

/// What is known and matters here, most recently used first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct KnowledgeView {
    pub items: Vec<KnowledgeItem>,
    /// Constraints that bind this run (Eq. 12), oldest first.
    pub lessons: Vec<Arc<Guardrail>>,
    /// What the steps of this run were seen to use up.
    pub seen: StepUses,
    /// Entries proposed in this run.
    pub proposed: u64,
    /// Experiences that recall found.
    pub experiences: u64,
    /// The likest of them, the likest first.
    pub recalled: Vec<RecalledHit>,
}

/// An experience that recall found, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecalledHit {
    pub id: ExperienceId,
    pub score: f64,
    /// How alike the words are, and how far condition and place are the same: the parts of the score.
    pub cosine: f64,
    pub delta: f64,
    /// It was about the very same condition.
    pub exact: bool,
    pub success: bool,
    pub reason: Option<FailureReason>,
    pub summary: String,
}

impl RecalledHit {
    fn of(hit: &Hit) -> Self {
        Self {
            id: hit.id,
            score: hit.score,
            cosine: hit.cosine,
            delta: hit.delta,
            exact: hit.exact,
            success: hit.success,
            reason: hit.reason,
            summary: hit.summary.clone(),
        }
    }
}

/// One entry and its part in this run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnowledgeItem {
    pub id: KnowledgeId,
    pub entry: Arc<Entry>,
    pub status: Status,
    /// True if this run proposed it.
    pub new: bool,
    pub here: Uses,
    /// The same at one subgoal: the last at which it took part.
    pub step: (Option<SubgoalId>, Uses),
    /// The last use and the world time of it.
    pub last: Option<(EntryUse, Option<SubgoalId>, u64)>,
    /// Why it was vetoed or edited.
    pub reason: Option<String>,
}

/// How often an entry took part, by way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Uses {
    pub shown: u32,
    pub matched: u32,
    pub blocked: u32,
    pub helped: u32,
    pub hurt: u32,
}

impl Uses {
    fn count(&mut self, how: EntryUse) {
        let counter = match how {
            EntryUse::Retrieved => return,
            EntryUse::Shown => &mut self.shown,
            EntryUse::Matched => &mut self.matched,
            EntryUse::Blocked => &mut self.blocked,
            EntryUse::Helped => &mut self.helped,
            EntryUse::Hurt => &mut self.hurt,
        };
        *counter += 1;
    }
}

impl KnowledgeView {
    /// How many entries were shown for the plan, and matched or blocked something at this subgoal.
    #[must_use]
    pub fn at(&self, subgoal: SubgoalId) -> Uses {
        let mut at = Uses::default();
        for item in &self.items {
            let (step, uses) = &item.step;
            let here = *step == Some(subgoal);
            at.shown += u32::from(item.here.shown > 0);
            at.matched += u32::from(here && uses.matched > 0);
            at.blocked += u32::from(here && uses.blocked > 0);
        }
        at
    }

    pub(crate) fn apply(&mut self, event: &Event, tick: u64) {
        match event {
            Event::Recalled {
                hits, knowledge, ..
            } => {
                self.experiences = hits.len() as u64;
                self.recalled = hits.iter().take(HITS_MAX).map(RecalledHit::of).collect();
                self.recalled.sort_by(|a, b| b.score.total_cmp(&a.score));
                for entry in knowledge.iter().rev() {
                    self.add(entry, false);
                }
            }
            Event::KnowledgeProposed { entry } => {
                self.proposed += 1;
                self.add(entry, true);
            }
            Event::KnowledgeActivated { id, .. } => self.change(*id, |i| i.status = Status::Active),
            Event::KnowledgeEdited {
                id, body, reason, ..
            } => self.change(*id, |item| {
                let entry = Arc::make_mut(&mut item.entry);
                entry.title = title_of(body);
                entry.body = body.clone();
                entry.version += 1;
                item.reason = Some(reason.clone());
            }),
            Event::KnowledgeVetoed { id, reason, .. } => self.change(*id, |item| {
                item.status = Status::Vetoed;
                item.reason = Some(reason.clone());
            }),
            Event::KnowledgeMoved { id, to, reason, .. } => self.change(*id, |item| {
                item.status = *to;
                item.reason = Some(reason.clone());
            }),
            Event::KnowledgeUsed { id, how, subgoal } => {
                self.change(*id, |item| item.used(*how, *subgoal, tick));
                self.bring_forward(*id);
            }
            Event::KnowledgeMerged { into, draft } => {
                self.change(*into, |item| {
                    let entry = Arc::make_mut(&mut item.entry);
                    entry.body.take_over(&draft.body);
                    entry.title = title_of(&entry.body);
                });
                self.bring_forward(*into);
            }
            Event::ConstraintBound { constraint } if self.lessons.len() < LESSONS_MAX => {
                self.lessons.push(Arc::new(constraint.clone()));
            }
            _ => (), // no other event is sent here; a suppressed draft changes nothing
        }
    }

    fn add(&mut self, entry: &Entry, new: bool) {
        self.items.retain(|item| item.id != entry.id);
        let item = KnowledgeItem {
            id: entry.id,
            entry: Arc::new(entry.clone()),
            status: entry.status,
            new,
            here: Uses::default(),
            step: (None, Uses::default()),
            last: None,
            reason: None,
        };
        self.items.insert(0, item);
        self.items.truncate(ITEMS_MAX);
    }

    fn change(&mut self, id: KnowledgeId, change: impl FnOnce(&mut KnowledgeItem)) {
        if let Some(item) = self.items.iter_mut().find(|item| item.id == id) {
            change(item);
        }
    }

    fn bring_forward(&mut self, id: KnowledgeId) {
        if let Some(at) = self.items.iter().position(|item| item.id == id) {
            self.items[..=at].rotate_right(1);
        }
    }

    #[must_use]
    pub fn item(&self, id: KnowledgeId) -> Option<&KnowledgeItem> {
        self.items.iter().find(|item| item.id == id)
    }
}

impl KnowledgeItem {
    fn used(&mut self, how: EntryUse, subgoal: Option<SubgoalId>, tick: u64) {
        self.here.count(how);
        if self.step.0 != subgoal {
            self.step = (subgoal, Uses::default());
        }
        self.step.1.count(how);
        self.last = Some((how, subgoal, tick));
    }
}
