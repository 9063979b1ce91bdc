//! Every relative link of the documentation leads to a file, and to a heading if it names one.

use super::{path_of, text_of};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The Markdown files that a reader can reach, relative to the repository.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["README.md", "CHANGELOG.md"].map(PathBuf::from).into();
    for folder in ["docs", "docs/decisions"] {
        let entries = std::fs::read_dir(path_of(folder)).unwrap();
        found.extend(
            entries
                .map(|entry| Path::new(folder).join(entry.unwrap().file_name()))
                .filter(|path| path.extension().is_some_and(|end| end == "md")),
        );
    }
    found.sort();
    found
}

/// The targets of all `[words](target)` outside of code blocks.
fn link_targets(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let after = line.split("](").skip(1);
            found.extend(after.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    found
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The path with its `..` folded away.
fn folded(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            other => whole.push(other),
        }
    }
    whole
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    for document in documents() {
        let text = text_of(&document);
        for target in link_targets(&text) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let linked = match file {
                "" => document.clone(),
                _ => folded(&document.with_file_name("").join(file)),
            };
            let exists = path_of(&linked).exists();
            if !exists || !anchor.is_empty() && !anchors(&text_of(&linked)).contains(anchor) {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn a_decision_fits_on_one_page_and_its_title_has_its_own_number() {
    const LINES_MAX: usize = 60;
    let mut numbers = BTreeSet::new();
    for entry in std::fs::read_dir(path_of("docs/decisions")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let text = text_of(Path::new("docs/decisions").join(&name));
        let number = name.split('-').next().unwrap();
        assert!(
            text.starts_with(&format!("# {number} ")),
            "{name}: the title does not begin with {number}"
        );
        assert!(
            numbers.insert(number.to_owned()),
            "{name}: another decision has the number {number}"
        );
        assert!(
            text.lines().count() <= LINES_MAX,
            "{name}: more than {LINES_MAX} lines"
        );
    }
}
