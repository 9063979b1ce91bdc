//! The tasks of all published sets in one row, and those of them that fit what is typed.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use pithead_engine::suites::{SuiteName, SuiteTask};

/// All of them, in the order of their sets.
pub fn all() -> impl Iterator<Item = &'static SuiteTask> {
    SuiteName::ALL
        .into_iter()
        .flat_map(|name| &name.suite().tasks)
}

/// The task at a place of that row.
#[must_use]
pub fn at(place: usize) -> Option<&'static SuiteTask> {
    all().nth(place)
}

/// Tasks of one set that belong together.
#[derive(Debug, Clone, Copy)]
pub struct TaskGroup {
    pub set: &'static str,
    pub name: &'static str,
    /// The place of its first task among all.
    pub first: usize,
    pub tasks: &'static [SuiteTask],
}

/// The groups of all sets, in their order.
pub fn groups() -> impl Iterator<Item = TaskGroup> {
    let mut first = 0;
    SuiteName::ALL.into_iter().flat_map(move |set| {
        let chunks = set.suite().tasks.chunk_by(|a, b| a.group == b.group);
        let groups: Vec<TaskGroup> = chunks
            .map(|tasks| {
                let group = TaskGroup {
                    set: set.name(),
                    name: tasks.first().map_or("", |task| &task.group),
                    first,
                    tasks,
                };
                first += tasks.len();
                group
            })
            .collect();
        groups
    })
}

/// Tasks whose words, group or set fit, the best first; all of them if nothing is typed.
#[must_use]
pub fn find(text: &str) -> Vec<&'static SuiteTask> {
    if text.trim().is_empty() {
        return all().collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(text, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut scored: Vec<(u32, &'static SuiteTask)> = all()
        .filter_map(|task| {
            let words = format!("{} {}", task.instruction, task.id);
            let score = pattern.score(Utf32Str::new(&words, &mut buffer), &mut matcher)?;
            Some((score, task))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, task)| task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_letters_find_a_task_of_any_set() {
        assert_eq!(find("").len(), all().count());
        let found = find("iron pickaxe");
        assert!(found[0].instruction.to_lowercase().contains("iron"));
        assert!(
            find("mcu70 diamond")
                .iter()
                .all(|t| t.id.starts_with("mcu70"))
        );
        assert!(find("zzzzqqqq").is_empty());
        let grouped: usize = groups().map(|group| group.tasks.len()).sum();
        assert_eq!(grouped, all().count());
        for group in groups() {
            assert_eq!(at(group.first), group.tasks.first(), "{}", group.name);
        }
        assert_eq!(
            at(0).map(|task| &task.id),
            all().next().map(|task| &task.id)
        );
    }
}
