//! Relabelling: the ended attempts of all runs judged with other thresholds, before anything is changed.
//!
//! Nothing is written. Invariant: what is left out is named, and a result that was stopped early says so.

use super::config_of;
use super::past_attempts::{PastAttempt, look_back};
use crate::journal::{EntryFilter, Journal, JournalError};
use pithead_core::diagnosis::whatif::EndedAttempt;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::thresholds::{KNOBS, Thresholds};
use pithead_world::ids::{AttemptId, ExperienceId, KnowledgeId, RunId};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Flips kept; all are counted.
const FLIPS_MAX: usize = 1_000;

/// Thresholds that are moved: the place of each among the knobs, and its value.
pub type MovedKnobs = Vec<(usize, f64)>;

/// What other thresholds would change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relabelling {
    /// Runs looked through so far, and all there are.
    pub runs: usize,
    pub of: usize,
    pub attempts: u64,
    pub changed: u64,
    /// The newest run first.
    pub flips: Vec<LabelFlip>,
    /// Entries that rest on attempts with another label, with the number of these.
    pub entries: Vec<(KnowledgeId, String, u64)>,
    /// Runs whose attempts could not be judged, and why.
    pub left_out: Vec<(RunId, String)>,
    /// All runs were looked through.
    pub is_whole: bool,
}

/// An attempt that would have another label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelFlip {
    pub run: RunId,
    pub attempt: AttemptId,
    /// In words.
    pub step: String,
    /// None where it is no failure.
    pub from: Option<FailureReason>,
    pub to: Option<FailureReason>,
}

/// The knobs that stand otherwise in `to` than in `from`.
#[must_use]
pub fn moved_knobs(from: &Thresholds, to: &Thresholds) -> MovedKnobs {
    let knobs = KNOBS.iter().enumerate();
    let moved = knobs.filter(|(_, knob)| knob.get(from).to_bits() != knob.get(to).to_bits());
    moved.map(|(place, knob)| (place, knob.get(to))).collect()
}

/// Judges all again, the newest run first; `tell` hears of each run that was looked through.
pub fn relabel(
    journal: &Journal,
    moved: &[(usize, f64)],
    stop: &AtomicBool,
    mut tell: impl FnMut(&Relabelling),
) -> Result<Relabelling, JournalError> {
    let mut runs = journal.runs()?;
    runs.sort_by_key(|row| std::cmp::Reverse(row.id));
    let mut found = Relabelling {
        of: runs.len(),
        ..Relabelling::default()
    };
    let mut flipped: BTreeSet<ExperienceId> = BTreeSet::new();
    for row in &runs {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let Err(because) = judge_run(journal, row.id, moved, (&mut found, &mut flipped)) {
            found.left_out.push((row.id, because));
        }
        found.runs += 1;
        tell(&found);
    }
    found.is_whole = found.runs == found.of;
    found.entries = resting_on(journal, &flipped)?;
    Ok(found)
}

fn judge_run(
    journal: &Journal,
    run: RunId,
    moved: &[(usize, f64)],
    (found, flipped): (&mut Relabelling, &mut BTreeSet<ExperienceId>),
) -> Result<(), String> {
    let mut thresholds = config_of(journal, run)
        .map_err(|error| error.to_string())?
        .thresholds;
    for (place, value) in moved {
        let knob = KNOBS.get(*place).ok_or("there is no such threshold")?;
        knob.set(&mut thresholds, *value)
            .map_err(|error| error.to_string())?;
    }
    let looked = look_back(journal, run, |past: PastAttempt| {
        let case = EndedAttempt {
            attempt: &past.attempt,
            post: &past.post,
        };
        let (to, from) = (
            case.judge(&thresholds).reason,
            past.experience.diagnosis.reason,
        );
        found.attempts += 1;
        if to == from {
            return;
        }
        found.changed += 1;
        flipped.insert(past.experience.id);
        if found.flips.len() < FLIPS_MAX {
            found.flips.push(LabelFlip {
                run,
                attempt: past.attempt.id,
                step: past.experience.action.label(),
                from,
                to,
            });
        }
    });
    looked.map_err(|error| error.to_string())
}

/// The entries that rest on these attempts, those with the most first.
fn resting_on(
    journal: &Journal,
    flipped: &BTreeSet<ExperienceId>,
) -> Result<Vec<(KnowledgeId, String, u64)>, JournalError> {
    let base = journal.knowledge(EntryFilter::default())?;
    let count = |ids: &[ExperienceId]| ids.iter().filter(|id| flipped.contains(id)).count() as u64;
    let rests = base.into_iter().map(|entry| {
        let n = count(&entry.provenance.experiences);
        (entry.id, entry.title, n)
    });
    let mut rests: Vec<(KnowledgeId, String, u64)> = rests.filter(|(.., n)| *n > 0).collect();
    rests.sort_by_key(|(id, _, n)| (std::cmp::Reverse(*n), *id));
    Ok(rests)
}
