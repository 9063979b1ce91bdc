//! History: what each change of an entry made of it, with the lines that went and came.
//!
//! Invariant: the steps are those of the entry's own history, oldest first; nothing is guessed.

use crate::domain::knowledge::{Author, Body, Entry, Status};
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;
use serde::Serialize;

/// Cells of the table in which a difference is looked for; texts that need more are shown as all gone
/// and all new.
/// About 16 MB of numbers; entries are far below that.
const CELLS_MAX: usize = 4_000_000;

/// What has become of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineChange {
    Kept,
    Removed,
    Added,
}

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryLine {
    pub sign: LineChange,
    pub text: String,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The version that was left.
    pub left: u32,
    /// The version that it made; the same if only the status moved at a gate.
    /// Content changes make a version; changes of status do not.
    pub made: u32,
    pub at: Millis,
    pub by: Author,
    pub reason: String,
    /// The status before and after, if it changed.
    pub status: Option<(Status, Status)>,
    /// The content before and after, line by line, if it changed.
    pub diff: Vec<HistoryLine>,
    pub other: Option<KnowledgeId>,
}

/// The changes of an entry, oldest first; `write` makes the text that is compared.
#[must_use]
pub fn steps(entry: &Entry, write: impl Fn(&Body) -> String) -> Vec<Step> {
    let mut steps = Vec::new();
    // From the newest back, for each says what was before it.
    // The history holds what was before each change, so the present has to be walked back.
    let (mut status, mut body, mut made) = (entry.status, &entry.body, entry.version);
    for change in entry.history.iter().rev() {
        let moved = change.status.map(|before| (before, status));
        status = change.status.unwrap_or(status);
        let diff = change.before.as_ref().map_or(Vec::new(), |before| {
            let lines = diff(&write(before), &write(body));
            body = before;
            lines
        });
        steps.push(Step {
            left: change.version,
            made,
            at: change.at,
            by: change.by.clone(),
            reason: change.reason.clone(),
            status: moved,
            diff,
            other: change.other,
        });
        made = change.version;
    }
    steps.reverse();
    steps
}

/// The lines of two texts in one order: those of the second, and before them what they replace.
#[must_use]
pub fn diff(before: &str, after: &str) -> Vec<HistoryLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |a: &(&&str, &&str)| a.0 == a.1;
    // Common lines at both ends are cut off first: the table grows with the square of the
    // rest.
    let head = old.iter().zip(&new).take_while(same).count();
    let (rest_old, rest_new) = (&old[head..], &new[head..]);
    let ends = rest_old.iter().rev().zip(rest_new.iter().rev());
    let tail = ends.take_while(same).count();
    let middle = between(
        &rest_old[..rest_old.len() - tail],
        &rest_new[..rest_new.len() - tail],
    );
    let line = |sign, text: &&str| HistoryLine {
        sign,
        text: (*text).to_owned(),
    };
    let mut out: Vec<HistoryLine> = new[..head]
        .iter()
        .map(|t| line(LineChange::Kept, t))
        .collect();
    out.extend(middle.iter().map(|(sign, text)| line(*sign, text)));
    let kept = &rest_new[rest_new.len() - tail..];
    out.extend(kept.iter().map(|t| line(LineChange::Kept, t)));
    out
}

/// The longest common subsequence of both, and what is not in it.
fn between<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(LineChange, &'a str)> {
    let all = |sign, lines: &[&'a str]| -> Vec<_> { lines.iter().map(|l| (sign, *l)).collect() };
    if old.len().saturating_mul(new.len()) > CELLS_MAX {
        // All gone and all new is a correct difference, only a long one.
        return [all(LineChange::Removed, old), all(LineChange::Added, new)].concat();
    }
    let wide = new.len() + 1;
    // How many lines the rests from here on share.
    // From the end, so that the walk below can go forward.
    let mut shared = vec![0_u32; (old.len() + 1) * wide];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            shared[i * wide + j] = if a == b {
                shared[(i + 1) * wide + j + 1] + 1
            } else {
                shared[(i + 1) * wide + j].max(shared[i * wide + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            out.push((LineChange::Kept, new[j]));
            (i, j) = (i + 1, j + 1);
        // Removed lines before added ones, as in a patch.
        } else if shared[(i + 1) * wide + j] >= shared[i * wide + j + 1] {
            out.push((LineChange::Removed, old[i]));
            i += 1;
        } else {
            out.push((LineChange::Added, new[j]));
            j += 1;
        }
    }
    out.extend(all(LineChange::Removed, &old[i..]));
    out.extend(all(LineChange::Added, &new[j..]));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::knowledge::ChangeNote;
    use crate::domain::samples::entry;

    fn told(before: &str, after: &str) -> String {
        let sign = |line: &HistoryLine| match line.sign {
            LineChange::Kept => ' ',
            LineChange::Removed => '-',
            LineChange::Added => '+',
        };
        let lines = diff(before, after);
        let each = lines
            .iter()
            .map(|line| format!("{}{}", sign(line), line.text));
        each.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_difference_keeps_what_both_have_in_order() {
        assert_eq!(told("a\nb\nc", "a\nx\nc"), " a|-b|+x| c");
        assert_eq!(told("a\nb", "a\nb"), " a| b");
        assert_eq!(told("", "a"), "+a");
        assert_eq!(told("a\nb\nc\nd", "b\nd\ne"), "-a| b|-c| d|+e");
        // A line that stands twice is not taken for the other one.
        assert_eq!(told("x\ny\nx", "x\nx"), " x|-y| x");
    }

    #[test]
    fn texts_too_long_to_be_compared_are_all_gone_and_all_new() {
        let (old, new) = ("a\n".repeat(3_000), "b\n".repeat(3_000));
        let lines = diff(&old, &new);
        let removed = lines.iter().filter(|line| line.sign == LineChange::Removed);
        assert_eq!((lines.len(), removed.count()), (6_000, 3_000));
    }

    #[test]
    fn each_step_says_what_it_made_of_the_entry() {
        let by = Author::Operator("ann".to_owned());
        let said = |reason| ChangeNote {
            at: Millis(9),
            by: &by,
            reason,
        };
        let mut known = entry(1, 1, "stone");
        known.rewrite(entry(1, 1, "coal").body, said("coal, not stone"));
        known.become_status(Status::Active, said("good"), None);
        let steps = steps(&known, |body| format!("{body:?}"));
        let made: Vec<(u32, u32)> = steps.iter().map(|step| (step.left, step.made)).collect();
        assert_eq!(made, [(1, 2), (2, 3)]);
        assert_eq!(steps[0].diff.len(), 2, "one line went and one came");
        assert_eq!(
            (steps[1].status, steps[1].diff.len()),
            (Some((Status::Proposed, Status::Active)), 0)
        );
        assert_eq!(steps[1].reason, "good");
    }
}
