//! Outcomes: how an entry's record is counted, and the confidence that follows from it.
//!
//! Confidence is the mean of a Beta distribution over "it helps", with a uniform prior and with
//! evidence that fades by use and by time. docs/decisions says why. All is in whole thousandths, and
//! age in whole days, so that the order of entries never hangs on how fast a machine is.

use crate::domain::knowledge::effect::{EntryEffect, RUNS_MIN};
use crate::domain::knowledge::{EntryUse, Outcomes};
use crate::text::numbers::format_times;
use pithead_world::clock::Millis;

/// One case.
const CASE: u32 = 1_000;
/// What is left of older evidence when a new case comes: about the last twenty cases count.
/// 0.95^20 is about a third.
const KEPT_PER_USE: u64 = 950;
/// Days after which evidence counts for half: a season of play.
const HALF_LIFE_DAYS: u64 = 90;
/// The uniform prior: one case for and one against.
/// With it one case for gives 2/3 and one against 1/3.
const PRIOR: u32 = CASE;
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// An entry is retired when so much speaks against it…
/// Two and a half cases: after fading, no fewer than three.
const HARM_MIN: u32 = 2_500;
/// …and its confidence has sunk below this.
/// With nothing for it, that takes more than two cases against it.
const TRUST_MIN: f64 = 0.25;

impl Outcomes {
    /// Counts one part that it took.
    pub fn count(&mut self, how: EntryUse, at: Millis) {
        let counter = match how {
            EntryUse::Retrieved => &mut self.retrieved,
            EntryUse::Shown => &mut self.shown,
            EntryUse::Matched => &mut self.matched,
            EntryUse::Blocked => &mut self.blocked,
            EntryUse::Helped => &mut self.helped,
            EntryUse::Hurt => &mut self.hurt,
        };
        *counter = counter.saturating_add(1);
        match how {
            EntryUse::Helped => self.speak(CASE, 0, at),
            EntryUse::Hurt => self.speak(0, CASE, at),
            // These say that it was there, not what that was worth.
            EntryUse::Retrieved | EntryUse::Shown | EntryUse::Matched | EntryUse::Blocked => (),
        }
    }

    /// The same was learnt once more: that speaks for it.
    pub fn seen_again(&mut self, at: Millis) {
        self.speak(CASE, 0, at);
    }

    /// Adds the record of an entry that this one takes the place of.
    pub fn add(&mut self, other: &Self, at: Millis) {
        // Both are faded to the same moment before they are added.
        let (good, bad) = other.faded(at);
        let add = |mine: &mut u32, theirs: u32| *mine = mine.saturating_add(theirs);
        add(&mut self.retrieved, other.retrieved);
        add(&mut self.shown, other.shown);
        add(&mut self.matched, other.matched);
        add(&mut self.blocked, other.blocked);
        add(&mut self.helped, other.helped);
        add(&mut self.hurt, other.hurt);
        self.given.add(&other.given);
        self.withheld.add(&other.withheld);
        let (my_good, my_bad) = self.faded(at);
        (self.good, self.bad) = (my_good.saturating_add(good), my_bad.saturating_add(bad));
        self.last = Some(at);
    }

    /// The effect that hold-out has measured; none with fewer than two runs on a side.
    #[must_use]
    pub fn effect(&self) -> Option<EntryEffect> {
        EntryEffect::measured(&self.given, &self.withheld)
    }

    /// On which runs the effect rests, or what is missing for it; none if there was no draw for the entry.
    #[must_use]
    pub fn effect_basis(&self) -> Option<String> {
        let (given, withheld) = (self.given.runs, self.withheld.runs);
        if given + withheld == 0 {
            return None;
        }
        let runs = if given == 1 { "run" } else { "runs" };
        let basis = format!("given to {given} {runs}, withheld from {withheld}");
        Some(match self.effect() {
            Some(_) => basis,
            None => format!("{basis}; measured from {RUNS_MIN} runs on each side"),
        })
    }

    fn speak(&mut self, good: u32, bad: u32, at: Millis) {
        let (old_good, old_bad) = self.faded(at);
        // Older cases fade with every new one, whichever side it is on.
        let kept = |old: u32| thousandths(u64::from(old) * KEPT_PER_USE / 1_000);
        self.good = kept(old_good).saturating_add(good);
        self.bad = kept(old_bad).saturating_add(bad);
        self.last = Some(at);
    }

    /// The evidence for and against, as it counts at this moment.
    #[must_use]
    pub fn faded(&self, now: Millis) -> (u32, u32) {
        // Whole days, so that a second more or less changes no order.
        let days = self.last.map_or(0, |last| now.since(last) / DAY_MS);
        (fade(self.good, days), fade(self.bad, days))
    }

    /// How far it is to be trusted, 0 to 1; a half without evidence.
    #[must_use]
    pub fn confidence(&self, now: Millis) -> f64 {
        let (good, bad) = self.faded(now);
        let good = f64::from(PRIOR) + f64::from(good);
        good / (good + f64::from(PRIOR) + f64::from(bad))
    }

    /// Why it is to be retired, if its record says so.
    #[must_use]
    pub fn harm(&self, now: Millis) -> Option<String> {
        let ((_, bad), trust) = (self.faded(now), self.confidence(now));
        (bad >= HARM_MIN && trust < TRUST_MIN).then(|| {
            format!(
                "it did harm: hurt {}, helped {}, confidence {trust:.2} below {TRUST_MIN}",
                format_times(self.hurt),
                format_times(self.helped)
            )
        })
    }
}

/// Halves once per half-life, and in between by linear parts of the halving, which is within 6 % of
/// the exponential and the same on every machine.
fn fade(evidence: u32, days: u64) -> u32 {
    let (halvings, rest) = (days / HALF_LIFE_DAYS, days % HALF_LIFE_DAYS);
    if halvings >= u64::from(u32::BITS) {
        // The shift below would overflow.
        return 0;
    }
    let halved = u64::from(evidence) >> halvings;
    // Within a half-life the halving is spread evenly over its days.
    thousandths(halved - halved * rest / (2 * HALF_LIFE_DAYS))
}

fn thousandths(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(uses: &[EntryUse]) -> Outcomes {
        let mut outcomes = Outcomes::default();
        uses.iter().for_each(|how| outcomes.count(*how, Millis(0)));
        outcomes
    }

    #[test]
    fn what_helps_rises_and_what_hurts_sinks() {
        let now = Millis(0);
        assert!((Outcomes::default().confidence(now) - 0.5).abs() < 1e-9);
        let [once, often] = [1, 40].map(|n| after(&vec![EntryUse::Helped; n]).confidence(now));
        assert!(
            (once - 2.0 / 3.0).abs() < 1e-9 && often > 0.9,
            "{once} {often}"
        );
        let shown = after(&[
            EntryUse::Shown,
            EntryUse::Retrieved,
            EntryUse::Matched,
            EntryUse::Blocked,
        ]);
        assert!((shown.confidence(now) - 0.5).abs() < 1e-9);
        // A long good record is no licence: twenty cases against it weigh as much.
        let mut turned = vec![EntryUse::Helped; 200];
        turned.extend([EntryUse::Hurt; 30]);
        assert!(after(&turned).confidence(now) < 0.25);
    }

    #[test]
    fn three_harms_in_a_row_are_enough_and_two_are_not() {
        let now = Millis(0);
        assert_eq!(after(&[EntryUse::Hurt; 2]).harm(now), None);
        assert!(after(&[EntryUse::Hurt; 3]).harm(now).is_some());
        assert_eq!(
            after(&[
                EntryUse::Helped,
                EntryUse::Hurt,
                EntryUse::Hurt,
                EntryUse::Hurt
            ])
            .harm(now),
            None
        );
    }

    #[test]
    fn evidence_fades_with_time_toward_not_knowing() {
        let outcomes = after(&[EntryUse::Helped; 10]);
        let at = |days: u64| outcomes.confidence(Millis(days * DAY_MS));
        let course: Vec<f64> = [0, 30, 90, 180, 10_000].map(at).to_vec();
        assert!(
            course.windows(2).all(|pair| pair[0] > pair[1]),
            "{course:?}"
        );
        assert!((course[4] - 0.5).abs() < 1e-9);
        assert_eq!(at(0), outcomes.confidence(Millis(DAY_MS - 1)));
    }
}
