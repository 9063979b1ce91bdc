//! Changes of entries in the knowledge log, decided on the base as it is at the moment of writing.
//!
//! Invariant: every edit and every approval is linted on the base that it is written to, since the
//! base may have changed after the operator read it.

use super::super::review;
use super::{Operator, OperatorError};
use crate::journal::{EntryFilter, Refused};
use pithead_core::domain::knowledge::{Body, Entry, Status};
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::life::{self, ChangeRequest};
use pithead_core::knowledge::lint::{Remark, has_errors};
use pithead_world::ids::KnowledgeId;

/// What is to become of an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Curation {
    Approve,
    Veto,
    Retire,
    Restore,
    /// Undoes the last decision about it.
    TakeBack,
    Edit(Box<Body>),
    EditAndApprove(Box<Body>),
    /// The content that it had in this version.
    RollBack(u32),
    /// It becomes part of the other.
    MergeInto(KnowledgeId),
    /// Both stand as they are.
    KeepBeside(KnowledgeId),
}

/// What happens to a change in which lint finds errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnErrors {
    Refuse,
    /// The operator has seen the errors and wants it anyway.
    Accept,
}

/// One change of one entry, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryChange {
    pub id: KnowledgeId,
    pub change: Curation,
    /// It stays with the entry.
    pub reason: String,
    pub on_errors: OnErrors,
}

/// The entry after a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    pub entry: Entry,
    /// False if it was so before.
    pub is_changed: bool,
    /// What lint has to say, errors included if they were accepted.
    pub remarks: Vec<Remark>,
}

impl Curation {
    /// The events that this comes to, none if it is so already, or why it cannot be.
    pub fn events<'a>(
        &self,
        entry: &Entry,
        find: impl Fn(KnowledgeId) -> Option<&'a Entry>,
        wish: &ChangeRequest,
    ) -> Result<Vec<Event>, String> {
        let other = |id| find(id).ok_or_else(|| format!("{id} is no longer in the database"));
        match self {
            Self::Approve => life::approve(entry, wish),
            Self::Veto => life::veto(entry, wish),
            Self::Retire => life::retire(entry, wish),
            Self::Restore => life::restore(entry, wish),
            Self::TakeBack => life::take_back(entry, wish),
            Self::Edit(body) => life::edit(entry, body, wish),
            // Edit first: what is approved is the new content.
            Self::EditAndApprove(body) => {
                let mut events = life::edit(entry, body, wish)?;
                events.extend(life::approve(entry, wish)?);
                Ok(events)
            }
            Self::RollBack(version) => {
                let reason = format!("back to version {version}: {}", wish.reason);
                let by = wish.by.clone();
                life::roll_back(entry, *version, &ChangeRequest { by, reason })
            }
            Self::MergeInto(into) => life::merge(entry, other(*into)?, wish),
            Self::KeepBeside(id) => life::keep_both(entry, other(*id)?, wish),
        }
    }
}

/// What lint says of the entry as the change would leave it; nothing if the change writes no content
/// and approves none.
#[must_use]
pub fn lint_change(change: &Curation, entry: &Entry, base: &[Entry]) -> Vec<Remark> {
    let body = match change {
        Curation::Edit(body) | Curation::EditAndApprove(body) => body,
        Curation::Approve => &entry.body,
        // These write no new content; a roll-back writes one that was accepted before.
        Curation::Veto
        | Curation::Retire
        | Curation::Restore
        | Curation::TakeBack
        | Curation::RollBack(_)
        | Curation::MergeInto(_)
        | Curation::KeepBeside(_) => return Vec::new(),
    };
    review::remarks(body, Some(entry.id), base, None)
}

/// The same, refused if there are errors that the operator has not accepted.
pub(super) fn lint_wanted(
    wanted: &EntryChange,
    entry: &Entry,
    base: &[Entry],
) -> Result<Vec<Remark>, OperatorError> {
    let remarks = lint_change(&wanted.change, entry, base);
    // What is approved already stays so, whatever lint has learnt since.
    let is_done = wanted.change == Curation::Approve && entry.status != Status::Proposed;
    if wanted.on_errors == OnErrors::Refuse && !is_done && has_errors(&remarks) {
        let id = wanted.id;
        return Err(OperatorError::Lint { id, remarks });
    }
    Ok(remarks)
}

/// An entry of the base.
pub fn find_entry(base: &[Entry], id: KnowledgeId) -> Result<&Entry, OperatorError> {
    let found = base.iter().find(|entry| entry.id == id);
    found.ok_or(OperatorError::NoEntry { id })
}

/// What a change would write on this base, and what lint has to say of it.
pub fn preview_change(
    base: &[Entry],
    wanted: &EntryChange,
    operator: &str,
) -> Result<(Vec<Event>, Vec<Remark>), OperatorError> {
    let entry = find_entry(base, wanted.id)?;
    let remarks = lint_wanted(wanted, entry, base)?;
    let wish = ChangeRequest {
        by: operator.to_owned(),
        reason: wanted.reason.clone(),
    };
    let find = |id| base.iter().find(|known| known.id == id);
    let events = wanted.change.events(entry, find, &wish);
    Ok((events.map_err(Refused)?, remarks))
}

/// Makes a change of one entry in the knowledge log.
pub fn change_entry(operator: &Operator, wanted: &EntryChange) -> Result<Changed, OperatorError> {
    // Looked at first: where nothing changes, nothing is opened for writing.
    let base = operator.look_journal()?.knowledge(EntryFilter::default())?;
    let (events, mut remarks) = preview_change(&base, wanted, &operator.name)?;
    let mut is_changed = false;
    if !events.is_empty() {
        // Decided again on the base that is written to, since it may have changed after the
        // preview.
        let written = change_base(operator, |base| {
            let (events, now) = preview_change(base, wanted, &operator.name)?;
            remarks = now;
            Ok(events)
        })?;
        is_changed = written > 0;
    }
    let base = operator.look_journal()?.knowledge(EntryFilter::default())?;
    Ok(Changed {
        entry: find_entry(&base, wanted.id)?.clone(),
        is_changed,
        remarks,
    })
}

/// Shows the whole base to `decide` and writes what it says to that base; the number of events.
/// The database is made if there is none, for an import may begin one.
pub fn change_base(
    operator: &Operator,
    mut decide: impl FnMut(&[Entry]) -> Result<Vec<Event>, OperatorError>,
) -> Result<usize, OperatorError> {
    let mut because = None;
    let mut journal = operator.open_journal()?;
    let written = journal.curate(operator.clock.now(), |base| {
        decide(base).map_err(|error| {
            because = Some(error);
            // The error itself is handed out below; the journal only has to write nothing.
            Refused(String::new())
        })
    })?;
    match (written, because) {
        (_, Some(error)) => Err(error),
        (Err(refused), None) => Err(refused.into()),
        (Ok(recorded), None) => Ok(recorded.len()),
    }
}

/// An entry as it is now.
pub fn read_entry(operator: &Operator, id: KnowledgeId) -> Result<Entry, OperatorError> {
    let base = operator.look_journal()?.knowledge(EntryFilter::default())?;
    Ok(find_entry(&base, id)?.clone())
}
