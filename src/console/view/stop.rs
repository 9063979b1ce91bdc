//! The projected stop: after how many more questions a budget of the mind will be reached.
//!
//! A guess from the mean of what was charged; the budget itself is looked at before each question.

use super::View;

/// Which budget comes first, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    pub budget: &'static str,
    /// Questions until then.
    pub questions: u64,
}

impl Stop {
    /// In a sentence.
    #[must_use]
    pub fn told(self) -> String {
        let Self { budget, questions } = self;
        match questions {
            0 => format!("The budget of {budget} is reached with the next question."),
            1 => format!("The budget of {budget} will be reached after about one more question."),
            n => format!("The budget of {budget} will be reached after about {n} more questions."),
        }
    }
}

impl View {
    /// None before a language model was charged, and for minds that cost nothing.
    #[must_use]
    pub fn projected_stop(&self) -> Option<Stop> {
        let counts = &self.counts;
        let budget = self.head.as_ref()?.budget.granted(counts.grants + 1);
        let answers = Some(counts.charged).filter(|n| *n > 0)?;
        let until = |bound: u64, spent: u64| {
            let mean = spent.div_ceil(answers).max(1);
            bound.saturating_sub(spent) / mean
        };
        let calls = budget.mind_calls.saturating_sub(counts.mind_calls);
        let tokens = budget.tokens.map(|all| until(all, counts.tokens));
        // Models without a price never reach a bound of money.
        let priced = budget.micros.filter(|_| counts.micros > 0);
        let money = priced.map(|all| until(all, counts.micros));
        let stops = [
            Some(("questions", calls)),
            tokens.map(|n| ("tokens", n)),
            money.map(|n| ("money", n)),
        ];
        let first = stops.into_iter().flatten().min_by_key(|(_, n)| *n);
        first.map(|(budget, questions)| Stop { budget, questions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Millis;
    use crate::domain::ask::{Ask, GoalAsk};
    use crate::domain::budget::Budget;
    use crate::domain::event::{Event, Recorded};
    use crate::domain::samples::{config, spent};
    use crate::ids::{CallId, Seq};

    #[test]
    fn the_budget_that_comes_first_is_told_once_something_was_charged() {
        let one = spent().tokens_in + spent().tokens_out;
        let mut config = config();
        config.budget = Budget {
            mind_calls: 100,
            tokens: Some(one * 5 + 1),
            micros: None,
            ..Budget::default()
        };
        let mut view = View::default();
        let mut seq = 0;
        let mut say = |view: &mut View, event: Event| {
            seq += 1;
            view.apply(&Recorded {
                run: config.run,
                seq: Seq(seq),
                at: Millis(seq),
                event,
            });
        };
        let started = Event::RunStarted {
            config: Box::new(config.clone()),
        };
        say(&mut view, started);
        assert_eq!(view.projected_stop(), None);
        for n in 1..=3 {
            let ask = Ask::Goal(GoalAsk {
                words: "x".to_owned(),
                near: Vec::new(),
                faults: Vec::new(),
            });
            let (call, ask) = (CallId(n), Box::new(ask));
            say(&mut view, Event::MindAsked { call, ask });
            let spent = Box::new(spent());
            say(&mut view, Event::MindCharged { call, spent });
        }
        let stop = Stop {
            budget: "tokens",
            questions: 2,
        };
        assert_eq!(view.projected_stop(), Some(stop));
        assert!(stop.told().contains("about 2 more questions"));
        assert_eq!(view.costs.total.questions, 3);
    }
}
