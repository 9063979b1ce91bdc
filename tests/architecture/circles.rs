//! Circles of the import graph: files that import each other, directly or through others.
//!
//! Tests at the end of files and test files are left out: they may import anything.

use super::imports::imports_of;
use super::sources::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// More files than this in one circle cannot be read one at a time.
const CIRCLE_FILES_MAX: usize = 6;

#[test]
fn no_circle_crosses_folders_or_is_large() {
    let sources = sources();
    let faults: Vec<String> = circles(&sources)
        .iter()
        .filter_map(|circle| fault(circle))
        .collect();
    super::report(&faults);
}

fn fault(circle: &[&Path]) -> Option<String> {
    let folders: BTreeSet<_> = circle.iter().filter_map(|path| folder(path)).collect();
    let names: Vec<String> = circle
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    if folders.len() > 1 {
        Some(format!("a circle across folders: {}", names.join(" ")))
    } else if circle.len() > CIRCLE_FILES_MAX {
        Some(format!(
            "a circle of {} files: {}",
            circle.len(),
            names.join(" ")
        ))
    } else {
        None
    }
}

/// The folder of a file; `plan/mod.rs` speaks for `plan` and is of that folder.
fn folder(path: &Path) -> Option<&Path> {
    path.parent()
}

/// The strongly connected components of more than one file, largest first.
fn circles(sources: &[Source]) -> Vec<Vec<&Path>> {
    let graph = graph(sources);
    let mut found: Vec<Vec<&Path>> = components(&graph)
        .into_iter()
        .filter(|component| component.len() > 1)
        .map(|component| {
            let mut paths: Vec<&Path> = component
                .into_iter()
                .map(|at| sources[at].path.as_path())
                .collect();
            paths.sort();
            paths
        })
        .collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

/// For each file the files that it imports.
fn graph(sources: &[Source]) -> Vec<BTreeSet<usize>> {
    let places: BTreeMap<(String, Vec<String>), usize> = sources
        .iter()
        .enumerate()
        .map(|(at, source)| ((source.member().to_owned(), source.module()), at))
        .collect();
    let found = sources.iter().enumerate().map(|(at, source)| {
        if source.is_test() {
            return BTreeSet::new();
        }
        let imports = imports_of(source).into_iter();
        let files = imports.filter_map(|import| file_of(&places, &import.member, &import.names));
        files
            .filter(|file| *file != at && !sources[*file].is_test())
            .collect()
    });
    found.collect()
}

/// The file that holds what a path names: that of its longest part that is a module.
fn file_of(
    places: &BTreeMap<(String, Vec<String>), usize>,
    member: &str,
    names: &[String],
) -> Option<usize> {
    (1..=names.len()).rev().find_map(|length| {
        let place = (member.to_owned(), names[..length].to_vec());
        places.get(&place).copied()
    })
}

/// Tarjan's strongly connected components.
fn components(graph: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        graph,
        index: vec![None; graph.len()],
        low: vec![0; graph.len()],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for at in 0..graph.len() {
        if search.index[at].is_none() {
            search.visit(at);
        }
    }
    search.found
}

struct Search<'a> {
    graph: &'a [BTreeSet<usize>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, at: usize) {
        self.index[at] = Some(self.next);
        self.low[at] = self.next;
        self.next += 1;
        self.stack.push(at);
        for &next in &self.graph[at] {
            match self.index[next] {
                None => {
                    self.visit(next);
                    self.low[at] = self.low[at].min(self.low[next]);
                }
                Some(index) if self.stack.contains(&next) => {
                    self.low[at] = self.low[at].min(index);
                }
                Some(_) => (),
            }
        }
        if self.index[at] == Some(self.low[at]) {
            let from = self.stack.iter().position(|member| *member == at);
            let from = from.expect("a component's first member is on the stack");
            self.found.push(self.stack.split_off(from));
        }
    }
}

#[test]
fn a_circle_is_found_and_a_chain_is_not() {
    let graph: Vec<BTreeSet<usize>> = [vec![1], vec![2], vec![0, 3], vec![]]
        .into_iter()
        .map(|next| next.into_iter().collect())
        .collect();
    let mut found = components(&graph);
    found.retain(|component| component.len() > 1);
    assert_eq!(found, [vec![0, 1, 2]]);
}
