//! The table of options: what the tries of each way to get something came to, as operators read it.
//!
//! One route for the console and the command line. Invariant: rows say what the next run would be told.

use crate::journal::{Journal, JournalError};
use pithead_core::domain::experience::circumstance::Circumstance;
use pithead_core::domain::experience::option::{OptionKey, OptionRecord, Tries};
use pithead_core::domain::knowledge::interval::{Interval, wilson};
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_world::family::ItemSpec;
use pithead_world::ids::RunId;

/// One row: an option, or its tries in one circumstance.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionRow {
    pub key: OptionKey,
    /// None for all tries.
    pub circumstance: Option<Circumstance>,
    pub tries: Tries,
    /// Ticks a piece within which 95 % of the tries that were done came to their end; of whole options only.
    pub within: Option<f64>,
}

impl OptionRow {
    /// The share of the tries that were done, in percent with its interval; none without a try.
    #[must_use]
    pub fn share(&self) -> Option<(f64, Interval)> {
        let Tries { tried, done, .. } = self.tries;
        // What is long past counts for less: an interval over rounded counts is not too narrow.
        let whole = |count: f64| count.max(0.0).round() as u64;
        (tried > 0.0).then(|| (100.0 * done / tried, wilson(whole(done), whole(tried))))
    }

    /// Ticks that one piece took; none if nothing was got.
    #[must_use]
    pub fn ticks_a_piece(&self) -> Option<f64> {
        (self.tries.pieces > 0.0).then(|| self.tries.ticks / self.tries.pieces)
    }
}

/// The records of the ways to get one of these items, in order; of all ways if no item is named.
pub fn read_options(
    journal: &Journal,
    targets: &[ItemSpec],
) -> Result<Vec<OptionRecord>, JournalError> {
    let last = journal.runs()?.iter().map(|run| run.id.0).max();
    let tried = journal.tried_options(RunId(last.unwrap_or(0) + 1))?;
    let is_asked = |record: &&OptionRecord| {
        let mut targets = targets.iter();
        targets.len() == 0 || targets.any(|target| overlaps(record.key.target, *target))
    };
    Ok(tried.iter().filter(is_asked).cloned().collect())
}

/// The rows of a record, the whole option first; `by` adds its circumstances.
#[must_use]
pub fn rows_of_option(record: &OptionRecord, by: bool) -> Vec<OptionRow> {
    let row = |circumstance, tries: &Tries, within| OptionRow {
        key: record.key,
        circumstance,
        tries: *tries,
        within,
    };
    let whole = row(None, &record.all, record.ticks_a_piece(0.95));
    let shown = record
        .by
        .iter()
        .filter(|(circumstance, _)| by && !is_time(circumstance));
    let parts = shown.map(|(circumstance, tries)| row(Some(circumstance.clone()), tries, None));
    std::iter::once(whole).chain(parts).collect()
}

/// How long tries took is told by the quantile of the whole option.
fn is_time(circumstance: &Circumstance) -> bool {
    matches!(circumstance, Circumstance::Took(_))
}

/// A count for people: runs of long ago count for less, so counts may be broken.
#[must_use]
pub fn format_tries(count: f64) -> String {
    if count.fract() == 0.0 {
        format!("{count:.0}")
    } else {
        format!("{count:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::run::event::Event;
    use pithead_core::domain::samples::{config, experience};
    use pithead_world::clock::Millis;
    use pithead_world::ids::AttemptId;

    #[test]
    fn options_are_read_by_item_and_told_by_circumstance() {
        let mut journal = Journal::in_memory().unwrap();
        let run = journal.create_run(config(), Millis(1)).unwrap();
        for (n, item, success) in [(1, "coal", true), (2, "coal", false), (3, "stone", true)] {
            let experience = Box::new(experience(run.0, n, item, success));
            let ended = Event::AttemptEnded {
                attempt: AttemptId(n),
                experience,
            };
            journal.append(run, Millis(2), vec![ended]).unwrap();
        }
        assert_eq!(read_options(&journal, &[]).unwrap().len(), 2);
        let coal = read_options(&journal, &["coal".parse().unwrap()]).unwrap();
        let [coal] = &coal[..] else {
            panic!("{coal:?}")
        };
        let rows = rows_of_option(coal, true);
        assert_eq!((rows[0].tries.tried, rows[0].tries.done), (2.0, 1.0));
        let (share, interval) = rows[0].share().unwrap();
        assert!((share - 50.0).abs() < 1e-9);
        assert!(interval.low < 50.0 && interval.high > 50.0, "{interval:?}");
        let told: Vec<String> = rows[1..]
            .iter()
            .filter_map(|row| Some(row.circumstance.as_ref()?.to_string()))
            .collect();
        assert!(told.iter().any(|one| one.starts_with("biome ")), "{told:?}");
        assert!(!told.iter().any(|one| one.starts_with("took ")), "{told:?}");
        assert_eq!(rows_of_option(coal, false).len(), 1);
    }
}
