//! What docs/ARCHITECTURE.md names exists: tests by name, files and folders by path.

use super::{path_of, text_of};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
/// The console, row by row, with the test that holds each.
const CONSOLE: &str = "docs/CONSOLE.md";
const LINES_MAX: usize = 250;

/// The words between backticks, outside of code blocks.
fn quoted(text: &str) -> BTreeSet<&str> {
    let outside = text.split("```").step_by(2);
    outside
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .collect()
}

/// Test names are the only quoted words with this many underscores.
fn is_test_name(word: &str) -> bool {
    word.matches('_').count() >= 3
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit())
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn every_test_that_the_architecture_names_exists() {
    let (text, console) = (text_of(DOCUMENT), text_of(CONSOLE));
    let mut missing: BTreeSet<&str> = quoted(&text)
        .into_iter()
        .chain(quoted(&console))
        .filter(|word| is_test_name(word))
        .collect();
    assert!(
        missing.len() > 30,
        "the test names were not found: {missing:?}"
    );
    let mut files = Vec::new();
    for folder in ["src", "tests"] {
        rust_files(&path_of(folder), &mut files);
    }
    for file in files {
        let code = text_of(&file);
        missing.retain(|name| !code.contains(&format!("fn {name}(")));
    }
    assert!(
        missing.is_empty(),
        "{DOCUMENT} or {CONSOLE} names tests that do not exist; name the tests that hold these promises now:\n{missing:#?}"
    );
}

#[test]
fn every_path_that_the_architecture_names_exists() {
    let text = text_of(DOCUMENT);
    let is_path = |word: &&str| {
        ["src/", "tests/", "docs/", "prompts/"]
            .iter()
            .any(|root| word.starts_with(root))
    };
    let missing: Vec<&str> = quoted(&text)
        .into_iter()
        .filter(is_path)
        .filter(|word| !word.contains('*') && !path_of(word).exists())
        .collect();
    assert!(
        missing.is_empty(),
        "{DOCUMENT} names what is not there: {missing:#?}"
    );
}

#[test]
fn the_architecture_is_at_most_250_lines_long() {
    let lines = text_of(DOCUMENT).lines().count();
    assert!(
        lines <= LINES_MAX,
        "{DOCUMENT} has {lines} lines, at most {LINES_MAX}"
    );
}
