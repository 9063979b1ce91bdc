//! Triage as it is typed and told: subjects, spans of time, what is asked for, how something stands.

use pithead_core::domain::run::triage::{Triage, TriageAct, TriageSubject};
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::{count_with_noun, format_seconds};
use pithead_world::clock::Millis;

/// What is kept about what waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TriageKind {
    Assign,
    Snooze,
    Comment,
}

/// What is being typed, and about what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriagePrompt {
    pub kind: TriageKind,
    pub subjects: Vec<TriageSubject>,
    pub text: String,
}

/// What is asked for; a snooze becomes a moment when it is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriageOrder {
    Assign(Option<String>),
    /// For so many seconds; back in sight at once if none.
    Snooze(Option<u64>),
    Comment(String),
}

impl TriageOrder {
    /// The act that is kept.
    #[must_use]
    pub fn act(&self, now: Millis) -> TriageAct {
        match self {
            Self::Assign(to) => TriageAct::Assign(to.clone()),
            Self::Snooze(seconds) => {
                TriageAct::Snooze(seconds.map(|seconds| now.plus(seconds.saturating_mul(1_000))))
            }
            Self::Comment(text) => TriageAct::Comment(text.clone()),
        }
    }
}

/// What a line of text asks for.
pub fn order_of(kind: TriageKind, text: &str) -> Result<TriageOrder, String> {
    let text = clean_line(text.trim());
    Ok(match kind {
        TriageKind::Assign => TriageOrder::Assign((!text.is_empty()).then_some(text)),
        TriageKind::Snooze if text.is_empty() => TriageOrder::Snooze(None),
        TriageKind::Snooze => TriageOrder::Snooze(Some(parse_span(&text)?)),
        TriageKind::Comment if text.is_empty() => {
            return Err("write what is to be known about it".to_owned());
        }
        TriageKind::Comment => TriageOrder::Comment(text),
    })
}

/// `30m`, `2h`, `1d` in seconds.
pub fn parse_span(text: &str) -> Result<u64, String> {
    let fault = || format!("`{text}` is no span of time; write 30m, 2h or 1d");
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let named = units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(*unit)?, *seconds)));
    let (digits, seconds) = named.ok_or_else(fault)?;
    let number: u64 = digits.trim().parse().map_err(|_| fault())?;
    number
        .checked_mul(seconds)
        .filter(|n| *n > 0)
        .ok_or_else(fault)
}

/// `k1.2`, `7` for a run, `7/d2` for a question of it.
pub fn parse_subject(text: &str) -> Result<TriageSubject, String> {
    let fault = || format!("`{text}` is no entry (k1.2), run (7) or question of a run (7/d2)");
    if let Ok(id) = text.parse() {
        return Ok(TriageSubject::Entry(id));
    }
    match text.split_once('/') {
        Some((run, decision)) => match (run.parse(), decision.parse()) {
            (Ok(run), Ok(decision)) => Ok(TriageSubject::Question { run, decision }),
            _ => Err(fault()),
        },
        None => text.parse().map(TriageSubject::Run).map_err(|_| fault()),
    }
}

/// `@ada · back in 2:00 h · 3 comments`; empty where nothing holds.
#[must_use]
pub fn triage_words(triage: &Triage, now: Millis) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(triage.assigned.as_ref().map(|to| format!("@{to}")));
    if let Some(until) = triage.snoozed_until.filter(|_| triage.is_snoozed(now)) {
        let seconds = until.since(now).div_ceil(1_000);
        words.push(format!("back in {}", format_seconds(seconds)));
    }
    if !triage.comments.is_empty() {
        words.push(count_with_noun(
            triage.comments.len(),
            "comment",
            "comments",
        ));
    }
    words.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_subjects_are_read_as_they_are_written() {
        assert_eq!(parse_span("2h"), Ok(7_200));
        assert_eq!(parse_span("1d"), Ok(86_400));
        for bad in [
            "",
            "2",
            "h",
            "0m",
            "-1h",
            "2 weeks",
            "99999999999999999999d",
        ] {
            assert!(parse_span(bad).is_err(), "{bad}");
        }
        for text in ["k1.2", "7"] {
            let subject = parse_subject(text).unwrap();
            assert_eq!(subject.to_string().trim_start_matches("run "), text);
        }
        assert_eq!(parse_subject("7/d2").unwrap().to_string(), "d2 of run 7");
        for bad in ["", "x", "7/", "7/x", "k1"] {
            assert!(parse_subject(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_typed_becomes_an_order_or_is_refused_with_the_form() {
        let order = |kind, text| order_of(kind, text);
        assert_eq!(
            order(TriageKind::Assign, " "),
            Ok(TriageOrder::Assign(None))
        );
        let snooze = order(TriageKind::Snooze, "1m").unwrap();
        let until = TriageAct::Snooze(Some(Millis(61_000)));
        assert_eq!(snooze.act(Millis(1_000)), until);
        assert_eq!(order(TriageKind::Snooze, ""), Ok(TriageOrder::Snooze(None)));
        let fault = order(TriageKind::Snooze, "later").unwrap_err();
        assert!(fault.contains("30m"), "{fault}");
        assert!(order(TriageKind::Comment, "").is_err());
    }
}
