//! The glossary is alphabetical, has one line per word, and every line is complete.

use super::{path_of, text_of};

/// Word, meaning and place of each row.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.skip(1)
        .map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

/// The paths of a place such as "core: `agent`, `domain/run`; `src/headless`"; a crate alone is its folder.
fn paths(place: &str) -> Vec<String> {
    let parts = place.split("; ").flat_map(|part| {
        let (root, names) = match part.split_once(": ") {
            Some((name, names)) => (format!("src/{name}/"), names),
            None if part.starts_with('`') => (String::new(), part),
            None => return vec![format!("src/{part}")],
        };
        let names = names.split('`').skip(1).step_by(2);
        names.map(|name| format!("{root}{name}")).collect()
    });
    parts.filter(|path| !path.contains('*')).collect()
}

#[test]
fn every_place_that_the_glossary_names_exists() {
    let text = text_of("docs/GLOSSARY.md");
    let mut missing = Vec::new();
    for row in rows(&text) {
        let paths = paths(row[2]);
        assert!(
            !paths.is_empty() || row[2].contains('*'),
            "no place: {row:?}"
        );
        for path in paths {
            if !path_of(&path).exists() && !path_of(format!("{path}.rs")).exists() {
                missing.push(format!("{}: {path}", row[0]));
            }
        }
    }
    assert!(missing.is_empty(), "no such place: {missing:#?}");
}

#[test]
fn the_glossary_is_alphabetical_and_has_each_word_once() {
    let text = text_of("docs/GLOSSARY.md");
    let rows = rows(&text);
    for row in &rows {
        assert_eq!(row.len(), 3, "word, meaning and place: {row:?}");
    }
    let words: Vec<String> = rows.iter().map(|row| row[0].to_lowercase()).collect();
    for pair in words.windows(2) {
        assert!(
            pair[0] < pair[1],
            "`{}` stands before `{}`",
            pair[0],
            pair[1]
        );
    }
}
