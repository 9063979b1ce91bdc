//! Task lists: words that ask for several things at once, all of them or one of them.
//!
//! `2 logs, 1 beef and 3 wool` is three goals, `beef or mutton` two alternatives. Invariant: words that name one
//! thing (`flint and steel`), and a sentence with a second verb (`dig down and mine diamond`), are no list.

use super::task::{GOALS_MAX, TaskError, VERBS, one_goal};
use pithead_world::family::ItemSpec;

/// Things and how many of each.
type Goals = Vec<(ItemSpec, u32)>;

/// Several goals in the order in which they are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TaskList {
    pub(super) goals: Goals,
    /// One of them is enough.
    pub(super) any: bool,
}

/// What stands between two goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Comma,
    And,
    Or,
}

/// The goals of a list; none if the words are no list of things that exist.
pub(super) fn parse(text: &str) -> Result<Option<TaskList>, TaskError> {
    let (parts, joints) = split(text);
    let verb = |part: &String| {
        let first = part.split_whitespace().next();
        first.is_some_and(|word| VERBS.contains(&word))
    };
    if parts.len() < 2 || parts.iter().skip(1).any(verb) {
        return Ok(None);
    }
    let Some((goals, used)) = goals_of(&parts, &joints) else {
        return Ok(None);
    };
    if goals.len() < 2 {
        return Ok(None);
    }
    let says = |joint| used.contains(&joint);
    if says(Joint::And) && says(Joint::Or) {
        return Err(TaskError::Mixed {
            text: text.trim().to_owned(),
        });
    }
    if goals.len() > GOALS_MAX {
        return Err(TaskError::TooMany { goals: goals.len() });
    }
    Ok(Some(TaskList {
        goals,
        any: says(Joint::Or),
    }))
}

/// The words between the joints, and the joints.
fn split(text: &str) -> (Vec<String>, Vec<Joint>) {
    let spaced = text.to_lowercase().replace(',', " , ");
    let (mut parts, mut joints) = (vec![String::new()], Vec::new());
    for word in spaced.split_whitespace() {
        let joint = match word {
            "," => Some(Joint::Comma),
            "and" => Some(Joint::And),
            "or" => Some(Joint::Or),
            _ => None,
        };
        let is_begun = parts.last().is_some_and(|part| !part.is_empty());
        match (joint, joints.last_mut()) {
            (Some(joint), _) if is_begun => {
                joints.push(joint);
                parts.push(String::new());
            }
            // `beef, and wool`: the word says more than the comma before it.
            (Some(joint), Some(before)) => *before = joint,
            (Some(_), None) => (),
            (None, _) => {
                if let Some(part) = parts.last_mut() {
                    *part += word;
                    part.push(' ');
                }
            }
        }
    }
    (parts, joints)
}

/// Each goal, of as many parts as its name has (`flint and steel`), and the joints between goals.
fn goals_of(parts: &[String], joints: &[Joint]) -> Option<(Goals, Vec<Joint>)> {
    let (mut goals, mut used) = (Goals::new(), Vec::new());
    let mut at = 0;
    while at < parts.len() {
        let is_and = |end: &usize| joints[at..*end].iter().all(|joint| *joint == Joint::And);
        let ends = (at..parts.len()).rev().filter(is_and);
        let mut named =
            ends.filter_map(|end| Some((one_goal(&parts[at..=end].join("and "))?, end)));
        let ((item, count), end) = named.next()?;
        match goals.iter_mut().find(|(known, _)| *known == item) {
            Some((_, all)) => *all = all.saturating_add(count),
            None => goals.push((item, count)),
        }
        used.extend(joints.get(end).copied());
        at = end + 1;
    }
    Some((goals, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goals(text: &str) -> Option<(Vec<(String, u32)>, bool)> {
        let list = parse(text).unwrap()?;
        let goals = list.goals.iter();
        Some((
            goals.map(|(item, n)| (item.to_string(), *n)).collect(),
            list.any,
        ))
    }

    #[test]
    fn lists_name_all_or_one() {
        let all = |list: &[(&str, u32)], any| {
            let list = list.iter().map(|(item, n)| ((*item).to_owned(), *n));
            Some((list.collect::<Vec<_>>(), any))
        };
        for (text, expected) in [
            (
                "obtain 2 logs, 1 beef and 3 white wool",
                all(&[("#logs", 2), ("beef", 1), ("white_wool", 3)], false),
            ),
            ("beef or mutton", all(&[("beef", 1), ("mutton", 1)], true)),
            (
                "get a bucket and flint and steel",
                all(&[("bucket", 1), ("flint_and_steel", 1)], false),
            ),
            (
                "1 stick, and 2 sticks, and a torch",
                all(&[("stick", 3), ("torch", 1)], false),
            ),
            ("flint and steel", None),
            ("dig down and mine diamond", None),
            ("craft an iron pickaxe", None),
            ("fish and chips", None),
            ("a bucket,", None),
        ] {
            assert_eq!(goals(text), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        assert!(matches!(
            parse("beef and log or wool"),
            Err(TaskError::Mixed { .. })
        ));
        let many = [
            "stick", "torch", "beef", "bow", "bowl", "boat", "bed", "arrow", "book",
        ]
        .join(", ");
        assert!(matches!(parse(&many), Err(TaskError::TooMany { goals: 9 })));
    }
}
