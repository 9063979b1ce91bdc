//! Triage: assigning, snoozing and commenting what waits, in an operator's name.
//!
//! Invariant: only what exists can be triaged, and what is kept is clean, short text.

use super::{Operator, OperatorError};
use crate::journal::{EntryFilter, Journal};
use crate::runtime::attach::shown_name;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::triage::{TriageAct, TriageSubject};
use pithead_core::text::clean::clean_line;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, RunId, Seq};

/// Letters of a comment; a longer text belongs into a document.
const COMMENT_MAX: usize = 1_000;
/// The longest snooze: what is put off for longer is better vetoed.
pub const SNOOZE_MAX_S: u64 = 90 * 24 * 3_600;

/// Does it; returns what was kept.
pub fn triage(
    operator: &Operator,
    subject: TriageSubject,
    act: TriageAct,
) -> Result<TriageAct, OperatorError> {
    let now = operator.clock.now();
    let act = checked(act, now).map_err(|because| OperatorError::Refused { because })?;
    let mut journal = operator.open_journal()?;
    check_subject(&journal, subject)?;
    journal.note_triage(now, subject, act.clone(), &operator.name)?;
    Ok(act)
}

fn checked(act: TriageAct, now: Millis) -> Result<TriageAct, String> {
    Ok(match act {
        TriageAct::Assign(Some(to)) => {
            let to = shown_name(to.trim());
            if to.is_empty() {
                return Err("an operator to assign it to has a name".to_owned());
            }
            TriageAct::Assign(Some(to))
        }
        TriageAct::Snooze(Some(until)) => {
            if until <= now {
                return Err("a snooze ends later than now".to_owned());
            }
            if until.since(now) > SNOOZE_MAX_S * 1_000 {
                let days = SNOOZE_MAX_S / 86_400;
                return Err(format!("a snooze lasts at most {days} days"));
            }
            TriageAct::Snooze(Some(until))
        }
        TriageAct::Comment(text) => {
            let text = clean_line(text.trim());
            let letters = text.chars().count();
            if text.is_empty() {
                return Err("a comment says something".to_owned());
            }
            if letters > COMMENT_MAX {
                let because = "a comment has at most";
                return Err(format!(
                    "{because} {COMMENT_MAX} letters; this has {letters}"
                ));
            }
            TriageAct::Comment(text)
        }
        act @ (TriageAct::Assign(None) | TriageAct::Snooze(None)) => act,
    })
}

fn check_subject(journal: &Journal, subject: TriageSubject) -> Result<(), OperatorError> {
    match subject {
        TriageSubject::Run(run) => {
            journal.run(run)?;
        }
        TriageSubject::Entry(id) => {
            let base = journal.knowledge(EntryFilter::default())?;
            if !base.iter().any(|entry| entry.id == id) {
                return Err(OperatorError::NoEntry { id });
            }
        }
        TriageSubject::Question { run, decision } => {
            journal.run(run)?;
            if !is_asked(journal, run, decision)? {
                let because = format!("run {run} has no question {decision}");
                return Err(OperatorError::Refused { because });
            }
        }
    }
    Ok(())
}

fn is_asked(journal: &Journal, run: RunId, decision: DecisionId) -> Result<bool, OperatorError> {
    let mut last = Seq(0);
    loop {
        let page = journal.events_of_kinds(run, last, &["decision.asked"], 256)?;
        let Some(end) = page.last() else {
            return Ok(false);
        };
        last = end.seq;
        let is_it = |event: &Event| matches!(event, Event::DecisionAsked { question } if question.id == decision);
        if page.iter().any(|fact| is_it(&fact.event)) {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Durability;
    use pithead_core::domain::samples::config;
    use pithead_world::clock::Clock;
    use pithead_world::ids::KnowledgeId;

    #[test]
    fn only_what_exists_is_triaged_and_text_is_kept_clean() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let run = {
            let mut journal = Journal::open(&path, Durability::Full).unwrap();
            journal.create_run(config(), Millis(1)).unwrap()
        };
        let operator = Operator::new(&path, "ada", Clock::System);
        let fault = |subject, act| triage(&operator, subject, act).unwrap_err().to_string();
        let said = || TriageAct::Comment("x".to_owned());
        let decision = DecisionId(1);
        let question = TriageSubject::Question { run, decision };
        assert_eq!(fault(question, said()), "run 1 has no question d1");
        let entry = TriageSubject::Entry(KnowledgeId { run, n: 1 });
        assert_eq!(fault(entry, said()), "k1.1 is not in the database");
        assert!(fault(TriageSubject::Run(RunId(9)), said()).contains('9'));
        let subject = TriageSubject::Run(run);
        let past = TriageAct::Snooze(Some(Millis(1)));
        assert_eq!(fault(subject, past), "a snooze ends later than now");
        let empty = TriageAct::Comment(" ".to_owned());
        assert_eq!(fault(subject, empty), "a comment says something");
        let long = TriageAct::Comment("y".repeat(COMMENT_MAX + 1));
        assert!(fault(subject, long).contains("at most 1000 letters"));
        let hostile = TriageAct::Comment("see \u{1b}[2J\u{202e}here".to_owned());
        triage(&operator, subject, hostile).unwrap();
        let kept = Journal::look(&path).unwrap().triages().unwrap();
        let text = &kept[&subject].comments[0].text;
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    }
}
