//! Cleans untrusted text before it reaches a terminal, a window title, the clipboard or a database.
//!
//! Plans, knowledge, names and chat are written by models and worlds and may hold anything.
//! Invariant: no control character, no bidi control and no zero-width character passes.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Characters kept of one string: far more than any screen shows, little enough that a line of 10 MB
/// costs nothing.
const CHARS_MAX: usize = 64 * 1024;
/// Combining marks allowed on one letter: two serve every living script, and more of them would be drawn
/// over the lines above.
const MARKS_MAX: usize = 2;
/// Shown in place of a control character, so that its removal is visible.
const INSTEAD: char = '·';

/// The text on one line: line breaks and tabs become spaces, the forbidden is left out.
#[must_use]
pub fn clean_line(text: &str) -> String {
    filter(text, |c| {
        if matches!(c, '\n' | '\r' | '\t') {
            Some(' ')
        } else {
            allowed(c)
        }
    })
}

/// The start of the text on one line, with an ellipsis where something is missing: for quoting what a model,
/// a server or a file said.
#[must_use]
pub fn clean_excerpt(text: &str, chars_max: usize) -> String {
    let line = clean_line(text.trim());
    match line.char_indices().nth(chars_max) {
        Some((cut, _)) => line[..cut].trim_end().to_owned() + "…",
        None => line,
    }
}

/// The text with its line breaks; tabs become spaces.
#[must_use]
pub fn clean_block(text: &str) -> String {
    filter(text, |c| match c {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        other => allowed(other),
    })
}

/// The text line by line, each ended by a line break, the last one too.
#[must_use]
pub fn clean_lines(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| clean_line(line.trim_end_matches('\n')) + "\n")
        .collect()
}

/// The text as it may be stored: of any length, with line breaks and tabs, without anything that is
/// dropped or replaced on a screen.
#[must_use]
pub fn without_hidden(text: &str) -> String {
    let keep = |c: &char| matches!(c, '\n' | '\t') || !(c.is_control() || is_hidden(*c));
    text.chars().filter(keep).collect()
}

/// The text cut to `width` columns, with an ellipsis where something is missing.
#[must_use]
pub fn fit_columns(text: &str, width: usize) -> String {
    let clean = clean_line(text);
    if clean.width() <= width {
        return clean;
    }
    let mut out = String::new();
    let mut used = 0;
    for c in clean.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > width {
            break;
        }
        used += wide;
        out.push(c);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// The text cut and filled to exactly `width` columns.
#[must_use]
pub fn pad_columns(text: &str, width: usize) -> String {
    let mut out = fit_columns(text, width);
    let missing = width.saturating_sub(out.width());
    out.extend(std::iter::repeat_n(' ', missing));
    out
}

/// The text in lines of at most `width` columns, broken between words where possible.
#[must_use]
pub fn wrap_columns(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    clean_block(text)
        .split('\n')
        .flat_map(|line| wrap_line(line, width))
        .collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let indent: String = line
        .chars()
        .take_while(|c| *c == ' ')
        .take(width / 2)
        .collect();
    let mut lines = Vec::new();
    let mut current = indent.clone();
    let mut fresh = true;
    for word in line.split_whitespace() {
        let mut word = word;
        if !fresh && current.width() + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut current, indent.clone()));
            fresh = true;
        }
        while fresh && current.width() + word.width() > width {
            let (head, tail) = split_at_width(word, width.saturating_sub(current.width()).max(1));
            current.push_str(head);
            lines.push(std::mem::replace(&mut current, indent.clone()));
            word = tail;
        }
        if word.is_empty() {
            continue;
        }
        if !fresh {
            current.push(' ');
        }
        current.push_str(word);
        fresh = false;
    }
    // A word that was split to its end leaves nothing for a last line.
    if !fresh || lines.is_empty() {
        lines.push(current);
    }
    lines
}

/// Splits after at most `width` columns, but never before the first character.
fn split_at_width(word: &str, width: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in word.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width && at > 0 {
            return word.split_at(at);
        }
    }
    (word, "")
}

/// True if nothing would be taken away.
#[must_use]
pub fn is_clean(text: &str) -> bool {
    let mut marks = 0;
    text.chars().all(|c| {
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        allowed(c) == Some(c) && marks <= MARKS_MAX
    })
}

fn filter(text: &str, keep: impl Fn(char) -> Option<char>) -> String {
    let mut out = String::with_capacity(text.len().min(256));
    let mut marks = 0;
    for c in text.chars().take(CHARS_MAX).filter_map(keep) {
        marks = if c != '\n' && c.width() == Some(0) {
            marks + 1
        } else {
            0
        };
        if marks <= MARKS_MAX {
            out.push(c);
        }
    }
    out
}

/// The character itself, a stand-in where its absence would mislead, or nothing.
fn allowed(c: char) -> Option<char> {
    if c.is_control() {
        Some(INSTEAD) // C0, DEL and C1 begin every escape sequence
    } else if is_hidden(c) {
        None
    } else {
        Some(c)
    }
}

/// True for characters that no reader sees and that change what is seen.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    match c {
        // Bidi controls and isolates: they show text in another order than it has.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        // Zero-width and invisible characters, line separators, tags, the byte order mark.
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hostile::HOSTILE;

    #[test]
    fn nothing_hostile_passes() {
        for text in HOSTILE {
            assert!(
                is_clean(&clean_line(text)),
                "{text:?} became {:?}",
                clean_line(text)
            );
            assert!(clean_block(text).split('\n').all(is_clean), "{text:?}");
        }
        assert_eq!(clean_line("a\tb\nc"), "a b c");
        assert_eq!(clean_line("approve\u{202e}evorppa"), "approveevorppa");
        assert!(clean_line(&"x".repeat(10_000_000)).len() <= CHARS_MAX);
    }

    #[test]
    fn text_is_cut_by_columns_not_by_characters() {
        assert_eq!(fit_columns("iron_ore", 8), "iron_ore");
        assert_eq!(fit_columns("iron_ore ×3", 8), "iron_or…");
        assert_eq!(fit_columns("鉱石鉱石", 5), "鉱石…");
        assert_eq!(fit_columns("鉱石鉱石", 4), "鉱…");
        assert_eq!(fit_columns("x", 0), "");
        assert_eq!(pad_columns("ab", 4), "ab  ");
        assert_eq!(pad_columns("鉱石", 3), "鉱…");
    }

    #[test]
    fn lines_break_between_words_and_keep_their_indent() {
        assert_eq!(wrap_columns("one two three", 8), ["one two", "three"]);
        assert_eq!(
            wrap_columns("  deep words here", 10),
            ["  deep", "  words", "  here"]
        );
        assert_eq!(wrap_columns("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap_columns("鉱石鉱石", 1), ["鉱", "石", "鉱", "石"]);
        assert_eq!(wrap_columns("", 4), [""]);
    }
}
