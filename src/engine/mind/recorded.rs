//! The recorded mind: answers from a cassette, without a network.
//!
//! An answer is found by its question's hash; where the question has changed since (more is remembered now,
//! say), by its place among the questions of its role, and the log says so. It costs nothing.

use super::Mind;
use super::cassette::{Answer, Cassette, RecordedAnswer, hash};
use super::{MindQuestion, MindReply, Silence};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_world::ids::CallId;
use std::collections::BTreeMap;

/// Answers of another run.
#[derive(Debug, Clone)]
pub struct RecordedMind {
    cassette: Cassette,
    /// As the operator named it, for example `recorded:3`.
    name: String,
    /// Questions so far, by role.
    /// A place is counted by role, since questions of different roles may change their
    /// order.
    asked: BTreeMap<MindRole, usize>,
    /// Questions were asked before this mind was there, so that only their numbers tell their places.
    is_late: bool,
}

impl RecordedMind {
    #[must_use]
    pub fn new(cassette: Cassette, name: &str) -> Self {
        Self {
            cassette,
            name: name.to_owned(),
            asked: BTreeMap::new(),
            is_late: false,
        }
    }

    fn find(&mut self, call: CallId, ask: &Ask) -> Option<&RecordedAnswer> {
        let (question, role) = (hash(ask), ask.role());
        // A resumed run begins in the middle: its first call has a higher number.
        self.is_late |= self.asked.is_empty() && call.0 > 1;
        let asked = self.asked.entry(role).or_default();
        let place = *asked;
        *asked += 1;
        let answers = &self.cassette.answers;
        let is_same = |take: &&RecordedAnswer| take.question == question;
        // The same number and the same question is best; the same question elsewhere is as
        // good.
        let numbered = answers.iter().find(|take| take.call == call.0);
        let same = numbered
            .filter(is_same)
            .or_else(|| answers.iter().find(is_same));
        if same.is_some() {
            return same;
        }
        // The run goes on with what was answered at that point, and the log says that it
        // may not fit.
        tracing::warn!(%call, %role, "the question differs from the recorded one");
        let of_role = |take: &&RecordedAnswer| take.role == role;
        let by_place = || answers.iter().filter(of_role).nth(place);
        match numbered.filter(of_role) {
            Some(take) if self.is_late => Some(take),
            _ => by_place(),
        }
    }
}

impl Mind for RecordedMind {
    fn name(&self) -> String {
        format!("{} (answers of {})", self.name, self.cassette.head.mind)
    }

    fn distils(&self) -> Vec<MindRole> {
        let head = &self.cassette.head;
        let roles = head.distillers.iter().filter_map(|name| name.parse().ok());
        roles
            .filter(|role: &MindRole| role.is_distiller())
            .collect()
    }

    fn is_language_model(&self) -> bool {
        self.cassette.head.is_language_model
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, String> {
        let reply = recorded_text(self.find(CallId(0), ask), CallId(0), ask);
        reply.map_err(|silence| silence.because().to_owned())
    }

    fn think(&mut self, question: &MindQuestion<'_>) -> MindReply {
        let take = self.find(question.call, question.ask);
        MindReply {
            result: recorded_text(take, question.call, question.ask),
            spent: None,
        }
    }
}

fn recorded_text(
    take: Option<&RecordedAnswer>,
    call: CallId,
    ask: &Ask,
) -> Result<String, Silence> {
    match take.map(|take| &take.answer) {
        Some(Answer::Text(text)) => Ok(text.clone()),
        Some(Answer::Silence(because)) => Err(Silence::Failed(because.clone())),
        None => Err(Silence::Failed(format!(
            "the recording has no answer to question {call} ({})",
            ask.role()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::cassette::CassetteHeader;
    use pithead_core::domain::mind::ask::GoalAsk;

    fn goal(words: &str) -> Ask {
        Ask::Goal(GoalAsk {
            words: words.to_owned(),
            near: Vec::new(),
            faults: Vec::new(),
        })
    }

    fn take(call: u64, role: MindRole, question: &Ask, answer: &str) -> RecordedAnswer {
        RecordedAnswer {
            call,
            role,
            question: hash(question),
            answer: Answer::Text(answer.to_owned()),
        }
    }

    /// A recall, then two questions about goals.
    fn mind() -> RecordedMind {
        let answers = vec![
            take(1, MindRole::Recall, &goal("what is remembered"), "nothing"),
            take(2, MindRole::Goal, &goal("a chair"), "stairs"),
            take(3, MindRole::Goal, &goal("a table"), "crafting_table"),
        ];
        let head = CassetteHeader {
            mind: "llm:test".to_owned(),
            ..CassetteHeader::default()
        };
        RecordedMind::new(Cassette { head, answers }, "recorded:1")
    }

    fn answer(mind: &mut RecordedMind, call: u64, words: &str) -> Option<String> {
        let take = mind.find(CallId(call), &goal(words))?;
        match &take.answer {
            Answer::Text(text) => Some(text.clone()),
            Answer::Silence(_) => None,
        }
    }

    #[test]
    fn a_question_that_was_recorded_gets_its_own_answer_wherever_it_comes() {
        let mut mind = mind();
        assert_eq!(answer(&mut mind, 9, "a table").unwrap(), "crafting_table");
        assert_eq!(answer(&mut mind, 2, "a chair").unwrap(), "stairs");
    }

    #[test]
    fn one_that_has_changed_gets_the_answer_of_its_place_among_its_role() {
        let mut mind = mind();
        assert_eq!(answer(&mut mind, 1, "a stool").unwrap(), "stairs");
        assert_eq!(answer(&mut mind, 2, "a desk").unwrap(), "crafting_table");
        assert_eq!(answer(&mut mind, 3, "a bed"), None, "no third was recorded");
    }

    #[test]
    fn a_run_that_is_gone_on_with_takes_its_place_from_the_number() {
        let mut mind = mind();
        assert_eq!(answer(&mut mind, 3, "a desk").unwrap(), "crafting_table");
    }
}
