//! The projected stop: after how many more questions a budget of the mind will be reached.
//!
//! A guess from the mean of what was charged; the budget itself is looked at before each question.

use crate::view::View;
use pithead_world::clock::TICKS_PER_SECOND;

/// Which budget comes first, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopForecast {
    pub budget: &'static str,
    /// Questions until then.
    pub questions: u64,
}

impl StopForecast {
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
    /// Wall seconds until the budget of ticks ends at this pace; none where it cannot be told.
    #[must_use]
    pub fn ticks_end_in(&self) -> Option<u64> {
        let head = self.head.as_ref()?;
        let left = head.budget.ticks.checked_sub(self.tick)?;
        let set = self.pace.filter(|pace| *pace > 0.0);
        let measured = || {
            // As fast as it can: what it has done so far is the best guess.
            let seconds = self.elapsed_ms() as f64 / 1000.0;
            (self.tick > 0 && seconds >= 1.0).then(|| self.tick as f64 / seconds)
        };
        let per_second = match set {
            Some(pace) => pace * TICKS_PER_SECOND as f64,
            None => measured()?,
        };
        Some((left as f64 / per_second) as u64)
    }

    /// The world tick at which the mind's budget will be reached, at the rate of questions so far.
    #[must_use]
    pub fn mind_ends_at(&self) -> Option<u64> {
        let head = self.head.as_ref()?;
        let asked = self.counts.mind_calls.max(1);
        let budget = head.budget.granted(self.counts.grants + 1);
        let calls = budget.mind_calls.saturating_sub(self.counts.mind_calls);
        let questions = self.projected_stop().map_or(calls, |stop| stop.questions);
        let at = self
            .tick
            .saturating_add(questions.saturating_mul(self.tick / asked));
        (self.tick > 0 && at < head.budget.ticks).then_some(at)
    }

    /// None before a language model was charged, and for minds that cost nothing.
    #[must_use]
    pub fn projected_stop(&self) -> Option<StopForecast> {
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
        first.map(|(budget, questions)| StopForecast { budget, questions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::mind::ask::{Ask, GoalAsk};
    use pithead_core::domain::run::budget::Budget;
    use pithead_core::domain::run::event::{Event, Recorded};
    use pithead_core::domain::samples::{config, spent};
    use pithead_world::clock::Millis;
    use pithead_world::ids::{CallId, Seq};

    #[test]
    fn the_end_of_the_ticks_is_told_at_the_pace_that_is_set_or_measured() {
        let mut config = config();
        config.budget.ticks = 12_000;
        config.budget.mind_calls = 10;
        let started = Recorded {
            run: config.run,
            seq: Seq(1),
            at: Millis(1000),
            event: Event::RunStarted {
                config: Box::new(config),
            },
        };
        let mut view = View::default();
        assert_eq!(view.ticks_end_in(), None);
        view.apply(&started);
        (view.tick, view.pace) = (2400, Some(8.0));
        assert_eq!(view.ticks_end_in(), Some(60), "9,600 ticks at 160 a second");
        view.pace = Some(0.0);
        assert_eq!(view.ticks_end_in(), None, "nothing is measured yet");
        view.at = Millis(3000);
        assert_eq!(
            view.ticks_end_in(),
            Some(8),
            "9,600 ticks at 1,200 a second"
        );
        view.counts.mind_calls = 6;
        assert_eq!(view.mind_ends_at(), Some(2400 + 4 * 400));
        view.counts.mind_calls = 1;
        assert_eq!(view.mind_ends_at(), None, "the ticks end first");
    }

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
        let stop = StopForecast {
            budget: "tokens",
            questions: 2,
        };
        assert_eq!(view.projected_stop(), Some(stop));
        assert!(stop.told().contains("about 2 more questions"));
        assert_eq!(view.costs.total.questions, 3);
    }
}
