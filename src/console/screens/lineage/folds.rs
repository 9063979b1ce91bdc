//! Folds of a lineage: lines of one sort in a row lie below a heading that tells what they come to.
//!
//! Invariant: no line that asks for a look, such as a label that was overruled, is folded away unsaid.

use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::lineage::{LineageLine, LineageStage, LineageTarget};
use pithead_world::ids::RunId;
use std::ops::Range;

/// Fewer lines are not worth a heading.
const FOLDED_MIN: usize = 4;

/// Lines below one heading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) lines: Range<usize>,
    pub(crate) name: &'static str,
    /// What the lines come to.
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Attempts of one run, with what became of their labels.
    Evidence(RunId),
    Changes,
    Deeds,
}

/// The folds, in the order of the lines.
pub(crate) fn folds(lines: &[LineageLine]) -> Vec<Fold> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < lines.len() {
        let Some(sort) = sort(&lines[from]) else {
            from += 1;
            continue;
        };
        let belongs = |line: &&LineageLine| match line.stage {
            LineageStage::Overruled => matches!(sort, Sort::Evidence(_)),
            _ => self::sort(line) == Some(sort),
        };
        let len = lines[from..].iter().take_while(belongs).count();
        let range = from..from + len;
        if len >= FOLDED_MIN {
            found.push(fold(sort, &lines[range.clone()], range));
        }
        from += len;
    }
    found
}

fn sort(line: &LineageLine) -> Option<Sort> {
    match (line.stage, line.target) {
        (
            LineageStage::Failure | LineageStage::Success,
            LineageTarget::Attempt { run, attempt: _ },
        ) => Some(Sort::Evidence(run)),
        (LineageStage::Changed, _) => Some(Sort::Changes),
        (LineageStage::Helped | LineageStage::Blocked | LineageStage::Hurt, _) => Some(Sort::Deeds),
        _ => None, // the others are told one by one
    }
}

fn fold(sort: Sort, lines: &[LineageLine], range: Range<usize>) -> Fold {
    let count = |stage: LineageStage| lines.iter().filter(|line| line.stage == stage).count();
    let told = |stages: &[(LineageStage, &str)]| {
        let told = stages.iter().map(|(stage, word)| (count(*stage), word));
        let told = told.filter(|(n, _)| *n > 0);
        let told: Vec<String> = told.map(|(n, word)| format!("{n} {word}")).collect();
        told.join(", ")
    };
    let (name, text) = match sort {
        Sort::Evidence(run) => {
            let stages = [
                (LineageStage::Success, "done"),
                (LineageStage::Failure, "failed"),
                (LineageStage::Overruled, "overruled"),
            ];
            ("evidence", format!("run {run}: {}", told(&stages)))
        }
        Sort::Changes => ("changed", count_with_noun(lines.len(), "change", "changes")),
        Sort::Deeds => {
            let stages = [
                (LineageStage::Helped, "times it helped"),
                (LineageStage::Blocked, "blocked"),
                (LineageStage::Hurt, "hurt"),
            ];
            ("used", format!("by run: {}", told(&stages)))
        }
    };
    Fold {
        lines: range,
        name,
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::clock::Millis;
    use pithead_world::ids::{AttemptId, Seq};

    fn line(stage: LineageStage, target: LineageTarget) -> LineageLine {
        LineageLine {
            stage,
            level: 0,
            target,
            at: Some(Millis(1)),
            text: String::new(),
        }
    }

    #[test]
    fn attempts_fold_by_run_and_say_what_they_come_to() {
        let attempt = |run, stage| {
            let attempt = AttemptId(1);
            line(stage, LineageTarget::Attempt { run, attempt })
        };
        let (one, two) = (RunId(1), RunId(2));
        let mut lines = vec![attempt(one, LineageStage::Success); 4];
        lines.insert(2, attempt(one, LineageStage::Failure));
        lines.insert(3, attempt(one, LineageStage::Overruled));
        lines.extend(vec![attempt(two, LineageStage::Success); 3]);
        let moment = LineageTarget::Moment {
            run: two,
            seq: Seq(1),
        };
        lines.extend(vec![line(LineageStage::Helped, moment); 5]);
        lines.push(line(LineageStage::Hurt, moment));
        lines.push(line(LineageStage::Review, moment));
        let told: Vec<(Range<usize>, String)> = folds(&lines)
            .into_iter()
            .map(|fold| (fold.lines, fold.text))
            .collect();
        let evidence = "run 1: 4 done, 1 failed, 1 overruled".to_owned();
        let used = "by run: 5 times it helped, 1 hurt".to_owned();
        assert_eq!(told, [(0..6, evidence), (9..15, used)]);
    }
}
