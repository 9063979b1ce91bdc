//! Options: the ways to get something, and what the tries of each showed, over all runs together.
//!
//! An option (in the sense of reinforcement learning) is ⟨kind, target, way⟩: hunting for leather, mining iron ore. Its
//! record is made of counts only, so that records of several runs and machines add up. Invariant: a record says
//! nothing that no attempt showed; what is to be expected without one is the planner's business.

use super::Experience;
use super::circumstance::Circumstance;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::plan::{Executor, Subgoal, TaskKind};
use crate::text::numbers::count_with_noun;
use pithead_world::family::ItemSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Which option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OptionKey {
    pub kind: TaskKind,
    pub target: ItemSpec,
    pub way: Executor,
}

impl OptionKey {
    /// The option that a subgoal takes; none for a movement or a wait, which get nothing.
    #[must_use]
    pub fn of_subgoal(subgoal: &Subgoal) -> Option<Self> {
        let is_for_items = !matches!(subgoal.task_kind, TaskKind::Move | TaskKind::Wait);
        Some(Self {
            kind: subgoal.task_kind,
            target: subgoal.goal.object.filter(|_| is_for_items)?,
            way: subgoal.executor_hint,
        })
    }

    /// It has to be looked or fought for. What happens in a window is as its recipe says.
    #[must_use]
    pub fn is_searched(&self) -> bool {
        !matches!(self.kind, TaskKind::Craft | TaskKind::Smelt)
    }
}

impl fmt::Display for OptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.way.name(), self.target)
    }
}

/// What tries came to. Fractions, because what is long past counts for less.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Tries {
    pub tried: f64,
    /// Ended with all checks true.
    pub done: f64,
    /// Ended with the death of the body.
    pub died: f64,
    /// Pieces of the target that were gained.
    pub pieces: f64,
    pub ticks: f64,
}

impl Tries {
    pub fn add(&mut self, other: &Self) {
        self.tried += other.tried;
        self.done += other.done;
        self.died += other.died;
        self.pieces += other.pieces;
        self.ticks += other.ticks;
    }

    /// Tried, done, died, pieces, ticks.
    #[must_use]
    pub fn counts(&self) -> [f64; 5] {
        [self.tried, self.done, self.died, self.pieces, self.ticks]
    }

    #[must_use]
    pub fn weighted(&self, weight: f64) -> Self {
        Self {
            tried: self.tried * weight,
            done: self.done * weight,
            died: self.died * weight,
            pieces: self.pieces * weight,
            ticks: self.ticks * weight,
        }
    }
}

/// What one attempt showed of its option.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    pub key: OptionKey,
    pub tries: Tries,
    pub circumstances: Vec<Circumstance>,
}

impl Try {
    /// None if the attempt was the operator's or got nothing by its nature.
    #[must_use]
    pub fn of_attempt(e: &Experience) -> Option<Self> {
        if e.by_operator || e.called_off {
            return None;
        }
        let key = OptionKey::of_subgoal(&e.action)?;
        let gains = e.diagnosis.delta.inventory.iter();
        let pieces = gains
            .filter(|(item, change)| key.target.matches(**item) && **change > 0)
            .map(|(_, change)| change.unsigned_abs())
            .sum::<u64>();
        let count = |holds: bool| if holds { 1.0 } else { 0.0 };
        Some(Self {
            key,
            tries: Tries {
                tried: 1.0,
                done: count(e.diagnosis.success),
                died: count(e.post.health <= 0.0),
                pieces: pieces as f64,
                ticks: e.ticks() as f64,
            },
            circumstances: Circumstance::of_attempt(e, pieces),
        })
    }
}

/// What the tries of one option showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptionRecord {
    #[serde(flatten)]
    pub key: OptionKey,
    pub all: Tries,
    #[serde(default)]
    pub by: BTreeMap<Circumstance, Tries>,
}

impl OptionRecord {
    #[must_use]
    pub fn new(key: OptionKey) -> Self {
        Self {
            key,
            all: Tries::default(),
            by: BTreeMap::new(),
        }
    }

    /// One circumstance, or all tries.
    pub fn add(&mut self, circumstance: Option<Circumstance>, tries: &Tries) {
        match circumstance {
            Some(circumstance) => self.by.entry(circumstance).or_default().add(tries),
            None => self.all.add(tries),
        }
    }

    fn add_record(&mut self, other: &Self) {
        self.all.add(&other.all);
        for (circumstance, tries) in &other.by {
            self.add(Some(circumstance.clone()), tries);
        }
    }

    /// In one line for a planner: `attack leather: 5 of 12 done, 1 died, 9 pieces, 620 ticks a piece; night 0 of 6`.
    /// Circumstances are named where they may have made a difference.
    #[must_use]
    pub fn describe(&self) -> String {
        let [tried, done, died, pieces, ticks] = self.all.counts();
        let mut text = format!("{}: {done:.0} of {tried:.0} done", self.key);
        if died >= 0.5 {
            text.push_str(&format!(", {died:.0} died"));
        }
        if pieces >= 0.5 {
            text.push_str(&format!(
                ", {}, {:.0} ticks a piece",
                count_with_noun(pieces.round_ties_even() as u64, "piece", "pieces"),
                ticks / pieces
            ));
        } else {
            text.push_str(&format!(", nothing in {ticks:.0} ticks"));
        }
        let is_always_done = tried - done < 0.5;
        let differs = |(circumstance, tries): &(&Circumstance, &Tries)| {
            let is_common = tried - tries.tried < 0.5;
            !is_always_done && !is_common && !matches!(circumstance, Circumstance::Took(_))
        };
        let shown = self.by.iter().filter(differs);
        for (circumstance, tries) in shown {
            text.push_str(&format!(
                "; {circumstance} {:.0} of {:.0}",
                tries.done, tries.tried
            ));
        }
        text
    }

    /// The ticks a piece within which this share of the tries that were done came to their end; none if none was.
    #[must_use]
    pub fn ticks_a_piece(&self, share: f64) -> Option<f64> {
        let took = self
            .by
            .iter()
            .filter_map(|(circumstance, tries)| match circumstance {
                Circumstance::Took(ticks) => Some((f64::from(*ticks), tries.done)),
                _ => None,
            });
        let took: Vec<(f64, f64)> = took.collect();
        let all: f64 = took.iter().map(|(_, done)| done).sum();
        let mut left = share * all;
        let reached = took.iter().find(|(_, done)| {
            left -= done;
            left <= 0.0
        });
        // The upper end of the band.
        reached.map(|(ticks, _)| ticks * std::f64::consts::SQRT_2)
    }
}

/// The records of all options that were tried.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TriedOptions(Vec<OptionRecord>);

impl TriedOptions {
    #[must_use]
    pub fn from_records(records: &[OptionRecord]) -> Self {
        let mut options = Self::default();
        for record in records {
            options.record(record.key).add_record(record);
        }
        options
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &OptionRecord> {
        self.0.iter()
    }

    /// Takes one more attempt in.
    pub fn add(&mut self, new: &Try) {
        let record = self.record(new.key);
        record.add(None, &new.tries);
        for circumstance in &new.circumstances {
            record.add(Some(circumstance.clone()), &new.tries);
        }
    }

    fn record(&mut self, key: OptionKey) -> &mut OptionRecord {
        let at = match self.0.binary_search_by_key(&key, |record| record.key) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, OptionRecord::new(key));
                at
            }
        };
        &mut self.0[at]
    }

    /// What is known of getting this in this way, of all targets that may be it; none if it was never tried.
    #[must_use]
    pub fn known(&self, target: ItemSpec, way: Executor) -> Option<OptionRecord> {
        let mut found = self.of(target, way);
        let mut known = found.next()?.clone();
        for other in found {
            known.add_record(other);
        }
        Some(known)
    }

    /// The same without circumstances.
    #[must_use]
    pub fn tries(&self, target: ItemSpec, way: Executor) -> Option<Tries> {
        let found = self.of(target, way).map(|record| record.all);
        found.reduce(|mut sum, tries| {
            sum.add(&tries);
            sum
        })
    }

    /// The records of all targets that may be this one.
    fn of(&self, target: ItemSpec, way: Executor) -> impl Iterator<Item = &OptionRecord> {
        self.0
            .iter()
            .filter(move |record| record.key.way == way && overlaps(record.key.target, target))
    }

    /// Those that have to be looked or fought for, which is what a planner is shown.
    #[must_use]
    pub fn searched(mut self) -> Self {
        self.0.retain(|record| record.key.is_searched());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::experience;

    fn hunt(ticks: u64, pieces: i64, died: bool) -> Experience {
        let mut e = experience(1, 1, "leather", pieces > 0);
        e.action.task_kind = TaskKind::Combat;
        e.action.executor_hint = Executor::Attack;
        e.action.goal.count = 1;
        e.post.tick = e.pre.tick + ticks;
        let leather = "leather".parse().unwrap();
        e.diagnosis.delta.inventory.insert(leather, pieces);
        if died {
            e.post.health = 0.0;
        }
        e
    }

    fn table(attempts: &[Experience]) -> TriedOptions {
        let mut options = TriedOptions::default();
        for e in attempts {
            options.add(&Try::of_attempt(e).unwrap());
        }
        options
    }

    #[test]
    fn counts_add_up_and_records_of_two_runs_are_those_of_both() {
        let (one, other) = (
            [hunt(400, 2, false), hunt(7_200, 0, false)],
            [hunt(300, 0, true)],
        );
        let both = table(&[&one[..], &other[..]].concat());
        let leather: ItemSpec = "leather".parse().unwrap();
        let known = both.known(leather, Executor::Attack).unwrap();
        assert_eq!(
            known.all,
            Tries {
                tried: 3.0,
                done: 1.0,
                died: 1.0,
                pieces: 2.0,
                ticks: 7_900.0
            }
        );
        let (a, b) = (table(&one), table(&other));
        let records: Vec<OptionRecord> = a.iter().chain(b.iter()).cloned().collect();
        assert_eq!(TriedOptions::from_records(&records), both);
        assert_eq!(both.known(leather, Executor::Mine), None);
    }

    #[test]
    fn a_record_is_told_in_one_line() {
        let options = table(&[hunt(400, 2, false), hunt(800, 0, true)]);
        let told: Vec<String> = options.iter().map(OptionRecord::describe).collect();
        let [told] = &told[..] else {
            panic!("{told:?}")
        };
        // What all tries had in common tells nothing apart.
        let expected = "attack leather: 1 of 2 done, 1 died, 2 pieces, 600 ticks a piece";
        assert!(told.starts_with(expected), "{told}");
        assert!(!told.contains("unarmed"), "{told}");
        let all_done = table(&[hunt(400, 2, false), hunt(500, 2, false)]);
        let told: Vec<String> = all_done.iter().map(OptionRecord::describe).collect();
        assert!(told.iter().all(|line| !line.contains(';')), "{told:?}");
    }

    #[test]
    fn quantiles_are_of_what_was_done() {
        let attempts: Vec<Experience> = [100, 110, 120, 900]
            .into_iter()
            .map(|ticks| hunt(ticks, 1, false))
            .chain([hunt(9_000, 0, false)])
            .collect();
        let known = table(&attempts);
        let known = known.iter().next().unwrap();
        let within = |share| known.ticks_a_piece(share).unwrap().round() as u32;
        assert_eq!((within(0.5), within(1.0)), (127, 1_024));
        assert_eq!(
            OptionRecord::new(known.key).ticks_a_piece(0.5),
            None,
            "nothing was done"
        );
    }

    #[test]
    fn contexts_are_read_as_they_are_written() {
        let circumstances = Circumstance::of_attempt(&hunt(100, 1, false), 1);
        assert_eq!(circumstances.len(), 7);
        for circumstance in circumstances
            .into_iter()
            .chain([Circumstance::Height(-16), Circumstance::Night])
        {
            assert_eq!(circumstance.to_string().parse(), Ok(circumstance));
        }
        assert!("took long".parse::<Circumstance>().is_err());
    }

    #[test]
    fn what_the_operator_did_and_a_walk_are_no_tries() {
        let mut by_operator = hunt(1, 1, false);
        by_operator.by_operator = true;
        assert_eq!(Try::of_attempt(&by_operator), None);
        let mut walk = hunt(1, 1, false);
        walk.action.task_kind = TaskKind::Move;
        assert_eq!(Try::of_attempt(&walk), None);
    }
}
