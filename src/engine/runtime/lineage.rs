//! Lineage: from a failure to the entries that rest on it, to the runs that they helped, blocked or hurt, to the
//! labels that were overruled, and to what has to be reviewed.
//!
//! Read off the journal for one entry or one attempt. Invariant: every line says where it leads.

use crate::journal::{Doubt, EntryDeed, EntryFilter, Journal, JournalError, Overruled, RunRow};
use pithead_core::domain::knowledge::{Entry, EntryUse};
use pithead_core::text::numbers::format_times;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId, KnowledgeId, RunId, Seq};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// Attempts told of one entry, the newest.
pub const ATTEMPTS_MAX: usize = 20;
/// Runs told of one entry, the newest.
pub const RUNS_MAX: usize = 40;

/// What a lineage is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineageSubject {
    Entry(KnowledgeId),
    Attempt(ExperienceId),
}

impl fmt::Display for LineageSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(id) => write!(f, "{id}"),
            Self::Attempt(id) => write!(f, "{id}"),
        }
    }
}

impl Serialize for LineageSubject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a line tells. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineageStage {
    /// An attempt that failed.
    Failure,
    /// An attempt that was done.
    Success,
    /// A person gave the attempt another label.
    Overruled,
    /// An entry that rests on the attempt, or the entry itself.
    Entry,
    /// A change of the entry.
    Changed,
    Helped,
    Blocked,
    Hurt,
    /// It rests on a label that no longer stands, and nobody has looked at it since.
    Review,
}

impl LineageStage {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Success => "success",
            Self::Overruled => "overruled",
            Self::Entry => "entry",
            Self::Changed => "changed",
            Self::Helped => "helped",
            Self::Blocked => "blocked",
            Self::Hurt => "hurt",
            Self::Review => "review",
        }
    }
}

/// Where a line leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineageTarget {
    /// An attempt of a run.
    Attempt { run: RunId, attempt: AttemptId },
    /// A moment of a run.
    Moment { run: RunId, seq: Seq },
    /// An entry in full.
    Entry { id: KnowledgeId },
    /// Another lineage.
    Lineage { of: LineageSubject },
}

/// One step of the way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineageLine {
    pub stage: LineageStage,
    /// 1 for what follows from the line of level 0 before it.
    pub level: u8,
    pub target: LineageTarget,
    /// When, if it is known.
    #[serde(rename = "at_ms")]
    pub at: Option<Millis>,
    pub text: String,
}

/// A lineage; the JSON form is stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lineage {
    pub schema: u32,
    pub subject: LineageSubject,
    pub title: String,
    pub lines: Vec<LineageLine>,
    /// Older attempts and runs of which no line tells.
    pub attempts_left_out: usize,
    pub runs_left_out: usize,
}

impl Lineage {
    /// The lineage of an entry or of an attempt; none if it is not in this database.
    pub fn read(journal: &Journal, subject: LineageSubject) -> Result<Option<Self>, JournalError> {
        let base = journal.knowledge(EntryFilter::default())?;
        let reading = Reading {
            journal,
            runs: journal
                .runs()?
                .into_iter()
                .map(|run| (run.id, run))
                .collect(),
            overruled: journal.overruled(None)?,
            doubts: journal.in_doubt()?,
        };
        match subject {
            LineageSubject::Entry(id) => {
                let Some(entry) = base.iter().find(|entry| entry.id == id) else {
                    return Ok(None);
                };
                reading.of_entry(entry).map(Some)
            }
            LineageSubject::Attempt(id) => reading.of_attempt(id, &base),
        }
    }
}

/// What all parts of one reading look things up in.
struct Reading<'a> {
    journal: &'a Journal,
    runs: BTreeMap<RunId, RunRow>,
    overruled: Vec<Overruled>,
    doubts: Vec<Doubt>,
}

impl Reading<'_> {
    fn of_entry(&self, entry: &Entry) -> Result<Lineage, JournalError> {
        let mut lines = Vec::new();
        let cited = &entry.provenance.experiences;
        let attempts_left_out = cited.len().saturating_sub(ATTEMPTS_MAX);
        for id in &cited[attempts_left_out..] {
            lines.push(self.attempt_line(*id)?);
            lines.extend(self.overrules_of(
                *id,
                1,
                LineageTarget::Lineage {
                    of: LineageSubject::Attempt(*id),
                },
            ));
        }
        lines.push(entry_line(entry, 0, LineageTarget::Entry { id: entry.id }));
        lines.extend(changes_of(entry));
        let runs_left_out = self.push_deeds(&mut lines, entry.id, 0)?;
        lines.extend(self.review_of(entry.id, 0));
        Ok(Lineage {
            schema: 1,
            subject: LineageSubject::Entry(entry.id),
            title: entry.title.clone(),
            lines,
            attempts_left_out,
            runs_left_out,
        })
    }

    fn of_attempt(
        &self,
        id: ExperienceId,
        base: &[Entry],
    ) -> Result<Option<Lineage>, JournalError> {
        let resting = |entry: &&Entry| entry.provenance.experiences.contains(&id);
        let resting: Vec<&Entry> = base.iter().filter(resting).collect();
        let known = self.journal.event_of(id)?.is_some();
        if !known && resting.is_empty() {
            return Ok(None);
        }
        let own = self.attempt_line(id)?;
        let title = own.text.clone();
        let attempt = own.target;
        let (mut lines, mut runs_left_out) = (vec![own], 0);
        lines.extend(self.overrules_of(id, 1, attempt));
        for entry in resting {
            let of = LineageSubject::Entry(entry.id);
            lines.push(entry_line(entry, 0, LineageTarget::Lineage { of }));
            runs_left_out += self.push_deeds(&mut lines, entry.id, 1)?;
            lines.extend(self.review_of(entry.id, 1));
        }
        Ok(Some(Lineage {
            schema: 1,
            subject: LineageSubject::Attempt(id),
            title,
            lines,
            attempts_left_out: 0,
            runs_left_out,
        }))
    }

    /// What an entry did in the newest runs; how many older ones are left out.
    fn push_deeds(
        &self,
        lines: &mut Vec<LineageLine>,
        id: KnowledgeId,
        level: u8,
    ) -> Result<usize, JournalError> {
        let deeds = by_run(&self.journal.deeds_of(id)?);
        let left_out = deeds.len().saturating_sub(RUNS_MAX);
        let told = deeds[left_out..].iter();
        lines.extend(told.flat_map(|deeds| self.deed_lines(deeds, level)));
        Ok(left_out)
    }

    fn attempt_line(&self, id: ExperienceId) -> Result<LineageLine, JournalError> {
        let (run, attempt) = (id.run, AttemptId(id.n));
        let place = format!("run {run} {attempt}");
        let found = self.journal.document(id)?;
        let (stage, at, text) = match found.map(|document| document.experience) {
            None => (
                LineageStage::Failure,
                None,
                format!("{place}: not in this database"),
            ),
            Some(past) => {
                let (label, verdict) = (past.action.label(), &past.diagnosis);
                let (stage, word) = match verdict.reason {
                    _ if verdict.success => (LineageStage::Success, "done"),
                    Some(reason) => (LineageStage::Failure, reason.name()),
                    None => (LineageStage::Failure, "failed"),
                };
                let text = format!("{place} {label} {word}: {}", verdict.summary);
                (stage, Some(past.at), text)
            }
        };
        Ok(LineageLine {
            stage,
            level: 0,
            target: LineageTarget::Attempt { run, attempt },
            at,
            text,
        })
    }

    fn overrules_of(
        &self,
        id: ExperienceId,
        level: u8,
        target: LineageTarget,
    ) -> impl Iterator<Item = LineageLine> {
        let is_own = move |o: &&Overruled| (o.run, o.attempt.0) == (id.run, id.n);
        self.overruled
            .iter()
            .filter(is_own)
            .map(move |o| LineageLine {
                stage: LineageStage::Overruled,
                level,
                target,
                at: Some(o.at),
                text: format!(
                    "{} is {} and no longer {}, says {}: {}",
                    o.attempt,
                    o.label.name(),
                    o.was.name(),
                    o.by,
                    o.reason
                ),
            })
    }

    fn review_of(&self, id: KnowledgeId, level: u8) -> impl Iterator<Item = LineageLine> {
        let own = self.doubts.iter().filter(move |doubt| doubt.entry == id);
        own.map(move |doubt| {
            let o = &doubt.overruled;
            LineageLine {
                stage: LineageStage::Review,
                level,
                target: LineageTarget::Entry { id },
                at: Some(o.at),
                text: format!(
                    "{id} rests on {} of run {} as {}, which is now {}",
                    o.attempt,
                    o.run,
                    o.was.name(),
                    o.label.name()
                ),
            }
        })
    }

    /// What the entry did in one run, a line for each kind of use.
    fn deed_lines(&self, deeds: &[EntryDeed], level: u8) -> Vec<LineageLine> {
        let kinds = [
            (EntryUse::Helped, LineageStage::Helped),
            (EntryUse::Blocked, LineageStage::Blocked),
            (EntryUse::Hurt, LineageStage::Hurt),
        ];
        let line = |(how, stage): (EntryUse, LineageStage)| {
            let of_kind = || deeds.iter().filter(move |deed| deed.how == how);
            let first = of_kind().next()?;
            let times = format_times(of_kind().count());
            let of = self.runs.get(&first.run).map_or(String::new(), |run| {
                format!(" · {} · {}", run.task, run.state())
            });
            Some(LineageLine {
                stage,
                level,
                target: LineageTarget::Moment {
                    run: first.run,
                    seq: first.seq,
                },
                at: Some(first.at),
                text: format!("run {} {times}{of}", first.run),
            })
        };
        kinds.into_iter().filter_map(line).collect()
    }
}

fn entry_line(entry: &Entry, level: u8, target: LineageTarget) -> LineageLine {
    LineageLine {
        stage: LineageStage::Entry,
        level,
        target,
        at: Some(entry.created),
        text: format!(
            "{} {} {}, version {}: {}",
            entry.body.kind(),
            entry.id,
            entry.status.name(),
            entry.version,
            entry.title
        ),
    }
}

/// What became of the entry; a merge leads to the other one.
fn changes_of(entry: &Entry) -> impl Iterator<Item = LineageLine> {
    entry.history.iter().map(|change| LineageLine {
        stage: LineageStage::Changed,
        level: 1,
        target: match change.other {
            Some(other) => LineageTarget::Lineage {
                of: LineageSubject::Entry(other),
            },
            None => LineageTarget::Entry { id: entry.id },
        },
        at: Some(change.at),
        text: format!("by {}: {}", change.by, change.reason),
    })
}

fn by_run(deeds: &[EntryDeed]) -> Vec<Vec<EntryDeed>> {
    let mut runs: BTreeMap<RunId, Vec<EntryDeed>> = BTreeMap::new();
    for deed in deeds {
        runs.entry(deed.run).or_default().push(*deed);
    }
    runs.into_values().collect()
}

#[cfg(test)]
mod tests;
