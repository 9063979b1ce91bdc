//! Records: what entries did in the runs of late, run by run.
//!
//! ```text
//! helped   ▁▁▃█▁▃  9
//! ```
//! Invariant: each event is read once, and a copied past is not counted again.

use crate::theme::Role;
use crate::widgets::page::heading;
use crate::widgets::rich::Rich;
use pithead_core::domain::knowledge::EntryUse;
use pithead_core::domain::run::event::Event;
use pithead_core::text::numbers::sparkline;
use pithead_engine::journal::{Journal, JournalError};
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use std::collections::BTreeMap;

/// Runs remembered of an entry, the newest.
const RUNS_MAX: usize = 24;
/// Runs told in its row.
const LATELY: usize = 4;
/// Runs looked through, the newest.
const READ_MAX: usize = 1_000;
/// Events read in one go.
const PAGE: usize = 1_024;

/// What one run saw an entry do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deeds {
    pub helped: u32,
    pub hurt: u32,
    pub blocked: u32,
}

/// What an entry did, by run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record(pub BTreeMap<RunId, Deeds>);

/// By entry.
pub type Records = BTreeMap<KnowledgeId, Record>;

/// What has been read of all runs.
#[derive(Debug, Default)]
pub struct Register {
    read: BTreeMap<RunId, Seq>,
    pub records: Records,
}

impl Register {
    /// Reads what is new; true if any entry has done something.
    pub fn read(&mut self, journal: &Journal) -> Result<bool, JournalError> {
        let runs = journal.runs()?;
        let mut has_news = false;
        for row in runs.iter().rev().take(READ_MAX).rev() {
            // A copied past was counted where it happened.
            let copied = row.origin.map_or(Seq(0), |(_, at)| at);
            let read = self.read.entry(row.id).or_insert(copied);
            while read.0 < row.events {
                let facts = journal.events_of_kinds(row.id, *read, &["knowledge.used"], PAGE)?;
                let is_end = facts.len() < PAGE;
                *read = facts.last().map_or(*read, |fact| fact.seq);
                for fact in facts {
                    if let Event::KnowledgeUsed { id, how, .. } = fact.event {
                        has_news |= self.records.entry(id).or_default().take(row.id, how);
                    }
                }
                if is_end {
                    *read = (*read).max(Seq(row.events));
                }
            }
        }
        Ok(has_news)
    }
}

impl Record {
    /// Counts a use; false if it is none that counts.
    fn take(&mut self, run: RunId, how: EntryUse) -> bool {
        let deeds = match how {
            EntryUse::Retrieved | EntryUse::Shown | EntryUse::Matched => return false,
            EntryUse::Blocked | EntryUse::Helped | EntryUse::Hurt => self.0.entry(run).or_default(),
        };
        match how {
            EntryUse::Blocked => deeds.blocked += 1,
            EntryUse::Helped => deeds.helped += 1,
            _ => deeds.hurt += 1, // the others have left above
        }
        while self.0.len() > RUNS_MAX {
            self.0.pop_first();
        }
        true
    }

    /// One sign for each of the last runs: ▲ it helped, ▼ it hurt, ■ it only blocked, ◆ as much of both.
    #[must_use]
    pub fn lately(&self) -> String {
        let skip = self.0.len().saturating_sub(LATELY);
        let runs = self.0.values().skip(skip);
        let sign = |deeds: &Deeds| match deeds.helped.cmp(&deeds.hurt) {
            std::cmp::Ordering::Greater => '▲',
            std::cmp::Ordering::Less => '▼',
            std::cmp::Ordering::Equal if deeds.helped == 0 => '■',
            std::cmp::Ordering::Equal => '◆',
        };
        runs.map(sign).collect()
    }

    /// A line for each kind of deed, over the runs remembered.
    pub fn lines(&self, out: &mut Vec<Rich>, width: usize) {
        let runs: Vec<RunId> = self.0.keys().copied().collect();
        let ([first, .., last], n) = (&runs[..], runs.len()) else {
            if let [only] = runs[..] {
                heading(out, &format!("What it did in run {only}"));
                self.deeds(out, width);
            }
            return;
        };
        heading(
            out,
            &format!("What it did in {n} runs, from {first} to {last}"),
        );
        self.deeds(out, width);
    }

    fn deeds(&self, out: &mut Vec<Rich>, width: usize) {
        type Of = fn(&Deeds) -> u32;
        let kinds: [(&str, Role, Of); 3] = [
            ("helped", Role::Good, |deeds| deeds.helped),
            ("hurt", Role::Bad, |deeds| deeds.hurt),
            ("blocked", Role::Notice, |deeds| deeds.blocked),
        ];
        for (name, role, of) in kinds {
            let counts: Vec<f64> = self.0.values().map(|deeds| f64::from(of(deeds))).collect();
            let sum: u32 = self.0.values().map(of).sum();
            let line = Rich::text(Role::Faint, format!("{name:<14}"))
                .and(role, sparkline(counts.iter().copied(), RUNS_MAX))
                .and(Role::Text, format!("  {sum}"));
            out.push(line.cut(width));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::config;
    use pithead_world::clock::Millis;

    #[test]
    fn deeds_are_counted_once_by_run_and_the_oldest_runs_are_forgotten() {
        let mut journal = Journal::in_memory().unwrap();
        let mut register = Register::default();
        let id = KnowledgeId {
            run: RunId(1),
            n: 1,
        };
        let used = |how| Event::KnowledgeUsed {
            id,
            how,
            subgoal: None,
        };
        for at in 1..=RUNS_MAX as u64 + 2 {
            let run = journal.create_run(config(), Millis(at)).unwrap();
            let how = if at % 2 == 0 {
                EntryUse::Helped
            } else {
                EntryUse::Hurt
            };
            let events = vec![
                used(EntryUse::Retrieved),
                used(how),
                used(EntryUse::Blocked),
            ];
            journal.append(run, Millis(at), events).unwrap();
            assert!(register.read(&journal).unwrap());
            assert!(!register.read(&journal).unwrap(), "read once");
        }
        let record = &register.records[&id];
        assert_eq!(record.0.len(), RUNS_MAX);
        assert_eq!(record.lately(), "▼▲▼▲");
        let mut out = Vec::new();
        record.lines(&mut out, 80);
        let told: Vec<String> = out.iter().map(Rich::plain).collect();
        assert_eq!(told[0], "What it did in 24 runs, from 3 to 26");
        assert!(told[1].starts_with("helped        ▁█▁█") && told[1].ends_with("  12"));
        assert!(told[3].ends_with("  24"), "{}", told[3]);
        // Something new in an old run that is still remembered.
        journal
            .append(RunId(26), Millis(99), vec![used(EntryUse::Hurt)])
            .unwrap();
        register.read(&journal).unwrap();
        assert_eq!(register.records[&id].0[&RunId(26)].hurt, 1);
        assert_eq!(register.records[&id].lately(), "▼▲▼◆");
    }
}
