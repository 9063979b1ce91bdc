//! Triage in the journal: acts about what waits, kept in the knowledge log so that no run is changed by them.

use super::append::append;
use super::key::last_seq;
use super::{Journal, JournalError, KNOWLEDGE_LOG};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::triage::{TriageAct, TriageSubject, Triages};
use pithead_world::clock::Millis;
use pithead_world::ids::Seq;

/// Events read in one go.
const PAGE: usize = 1_024;

impl Journal {
    /// Keeps an act; nothing else is written with it.
    pub fn note_triage(
        &mut self,
        at: Millis,
        subject: TriageSubject,
        act: TriageAct,
        by: &str,
    ) -> Result<(), JournalError> {
        let by = by.to_owned();
        let event = Event::Triaged { subject, act, by };
        self.write("keep a triage", |tx| {
            let last = last_seq(tx, KNOWLEDGE_LOG)?.unwrap_or(Seq(0));
            append(tx, KNOWLEDGE_LOG, last, at, vec![event]).map(drop)
        })
    }

    /// How everything stands that anything was done about.
    pub fn triages(&self) -> Result<Triages, JournalError> {
        let (mut found, mut last) = (Triages::new(), Seq(0));
        loop {
            let page = self.events_of_kinds(KNOWLEDGE_LOG, last, &["triage.noted"], PAGE)?;
            let Some(end) = page.last() else {
                return Ok(found);
            };
            last = end.seq;
            for fact in page {
                if let Event::Triaged { subject, act, by } = &fact.event {
                    found.entry(*subject).or_default().apply(act, by, fact.at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::config;

    #[test]
    fn what_was_noted_is_kept_beside_the_run() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(1)).unwrap();
        let subject = TriageSubject::Run(run);
        for (at, act) in [
            (2, TriageAct::Assign(Some("ada".to_owned()))),
            (3, TriageAct::Comment("gravel".to_owned())),
            (4, TriageAct::Snooze(Some(Millis(90)))),
        ] {
            journal
                .note_triage(Millis(at), subject, act, "bea")
                .unwrap();
        }
        let triages = journal.triages().unwrap();
        let triage = &triages[&subject];
        assert_eq!(triage.assigned.as_deref(), Some("ada"));
        assert!(triage.is_snoozed(Millis(89)));
        assert_eq!(triage.comments[0].by, "bea");
        assert_eq!(triage.comments[0].at, Millis(3));
        assert_eq!(
            journal.last_seq(run).unwrap(),
            Seq(1),
            "the run is as it was"
        );
    }
}
