//! The glossary is alphabetical, has one line per word, and every line is complete.

use super::text_of;

#[test]
fn the_glossary_is_alphabetical_and_has_each_word_once() {
    let text = text_of("docs/GLOSSARY.md");
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<Vec<&str>> = rows
        .skip(1)
        .map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
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
