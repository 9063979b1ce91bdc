//! What a file imports: every path that starts at a crate of ours, at `crate` or at `super`.

use super::sources::Source;

/// A path as crate and names: `pithead_core::agent::State` → `core`, `["agent", "State"]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    pub(super) member: String,
    pub(super) names: Vec<String>,
}

/// All imports of a file, also those written out in the code.
pub(super) fn imports_of(source: &Source) -> Vec<Import> {
    let code = source.code();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let head = word_before(&code[..at]);
        let before = code[..at].len() - head.len();
        if code[..before].ends_with("::") {
            continue; // in the middle of a path
        }
        let start = match head {
            "crate" => Some((source.member().to_owned(), Vec::new())),
            "super" => Some((source.member().to_owned(), parent(&source.module()))),
            "self" => Some((source.member().to_owned(), source.module())),
            "pithead" => Some(("root".to_owned(), Vec::new())),
            other => other
                .strip_prefix("pithead_")
                .map(|member| (member.to_owned(), Vec::new())),
        };
        let Some((member, base)) = start else {
            continue;
        };
        for names in expand(&code[at + 2..], base) {
            let member = member.clone();
            found.push(Import { member, names });
        }
    }
    found.sort();
    found.dedup();
    found
}

fn parent(module: &[String]) -> Vec<String> {
    module[..module.len().saturating_sub(1)].to_vec()
}

fn word_before(text: &str) -> &str {
    let start = text
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |at| at + 1);
    &text[start..]
}

/// The paths of a use tree that continues with `rest`: names, `::` and lists in braces.
fn expand(rest: &str, mut base: Vec<String>) -> Vec<Vec<String>> {
    let mut rest = rest;
    loop {
        if let Some(list) = rest.strip_prefix('{') {
            return branches(list)
                .into_iter()
                .flat_map(|branch| expand(branch.trim_start(), base.clone()))
                .collect();
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        match &rest[..end] {
            "" => return vec![base],
            "super" => {
                base.pop();
            }
            "self" => (),
            name => base.push(name.to_owned()),
        }
        match rest[end..].strip_prefix("::") {
            Some(more) => rest = more,
            None => return vec![base],
        }
    }
}

/// The text between the commas of a list, up to its closing brace.
fn branches(list: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0, 0);
    let mut found = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(&list[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => (),
        }
    }
    found.retain(|branch| !branch.trim().is_empty());
    found
}

#[test]
fn imports_are_found_in_paths_lists_and_relative_paths() {
    let source = Source {
        path: "src/core/agent/state.rs".into(),
        text: "use super::turn::Turn;\nuse crate::domain::{plan::Plan, task::{self, Task}};\n\
               // use crate::mind;\nfn f() { pithead_world::rng::mix(1); }\n"
            .to_owned(),
    };
    let found: Vec<String> = imports_of(&source)
        .iter()
        .map(|import| format!("{} {}", import.member, import.names.join("::")))
        .collect();
    assert_eq!(
        found,
        [
            "core agent::turn::Turn",
            "core domain::plan::Plan",
            "core domain::task",
            "core domain::task::Task",
            "world rng::mix",
        ]
    );
}
