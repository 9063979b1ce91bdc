//! Clean text: what may reach the terminal, the window title or the clipboard.
//!
//! Plans, knowledge, names and chat are written by models and worlds and may hold anything. The
//! last word has `scrub`, which looks at every cell of a finished frame.
//! Invariant: no control character, no bidi control and no zero-width character passes.

use ratatui::buffer::Buffer;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Longest string that is looked at; the rest of a 10 MB line is nobody's to read on a screen.
const CHARS_MAX: usize = 64 * 1024;
/// Marks that may stand on one letter; floods of them climb over the lines above.
const MARKS_MAX: usize = 2;
/// What stands for a character that must not be shown.
const INSTEAD: char = '·';

/// The text on one line: line breaks and tabs become spaces, the forbidden is left out.
#[must_use]
pub fn line(text: &str) -> String {
    filter(text, |c| {
        if matches!(c, '\n' | '\r' | '\t') {
            Some(' ')
        } else {
            allowed(c)
        }
    })
}

/// The text with its line breaks; tabs become spaces.
#[must_use]
pub fn block(text: &str) -> String {
    filter(text, |c| match c {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        other => allowed(other),
    })
}

/// The text cut to `width` columns, with an ellipsis where something is missing.
#[must_use]
pub fn fit(text: &str, width: usize) -> String {
    let clean = line(text);
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
pub fn pad(text: &str, width: usize) -> String {
    let mut out = fit(text, width);
    let missing = width.saturating_sub(out.width());
    out.extend(std::iter::repeat_n(' ', missing));
    out
}

/// The text in lines of at most `width` columns, broken between words where possible.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    block(text)
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

/// Makes every cell of a finished frame printable.
pub fn scrub(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().bytes().all(|b| (0x20..0x7f).contains(&b)) && !is_clean(cell.symbol()) {
            let clean = line(cell.symbol());
            // The width must stay: the cells beside it were laid out for it.
            let fits = clean.width() == cell.symbol().width() && !clean.is_empty();
            cell.set_symbol(if fits { &clean } else { "·" });
        }
    }
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
    match c {
        // C0, DEL, C1: the beginnings of every escape sequence.
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(INSTEAD),
        // Bidi controls and isolates: they show text in another order than it has.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            None
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
        | '\u{ffa0}' => None,
        other => Some(other),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use ratatui::layout::Rect;

    /// What a hostile model or server might write.
    pub(crate) const HOSTILE: [&str; 14] = [
        "\u{1b}[2J\u{1b}[H wiped",
        "\u{1b}]0;title\u{7}",
        "\u{1b}]8;;https://evil.example\u{1b}\\click\u{1b}]8;;\u{1b}\\",
        "\u{1b}]52;c;ZXZpbA==\u{7}",
        "\u{1b}Pq#0;2;0;0;0\u{1b}\\",
        "\u{9b}31m C1 red",
        "approve\u{202e}evorppa\u{202c}",
        "\u{2066}isolated\u{2069}",
        "zero\u{200b}width\u{200d}\u{feff}",
        "line\u{2028}separator\u{2029}",
        "back\u{8}\u{8}\u{8}space\rreturn",
        "Z\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}algo",
        "tag\u{e0041}\u{e007f}",
        "wide 鉱石 👩\u{200d}🔧 ok",
    ];

    #[test]
    fn nothing_hostile_passes() {
        for text in HOSTILE {
            assert!(is_clean(&line(text)), "{text:?} became {:?}", line(text));
            assert!(block(text).split('\n').all(is_clean), "{text:?}");
        }
        assert_eq!(line("a\tb\nc"), "a b c");
        assert_eq!(line("approve\u{202e}evorppa"), "approveevorppa");
        assert!(line(&"x".repeat(10_000_000)).len() <= CHARS_MAX);
    }

    #[test]
    fn cells_are_scrubbed_whatever_a_widget_let_through() {
        for text in HOSTILE {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
            buffer.set_string(0, 0, text, ratatui::style::Style::new());
            buffer[(39, 0)].set_symbol("a\u{202e}\u{1b}[31m");
            scrub(&mut buffer);
            assert!(
                buffer.content.iter().all(|cell| is_clean(cell.symbol())),
                "{text:?}"
            );
        }
    }

    #[test]
    fn text_is_cut_by_columns_not_by_characters() {
        assert_eq!(fit("iron_ore", 8), "iron_ore");
        assert_eq!(fit("iron_ore ×3", 8), "iron_or…");
        assert_eq!(fit("鉱石鉱石", 5), "鉱石…");
        assert_eq!(fit("鉱石鉱石", 4), "鉱…");
        assert_eq!(fit("x", 0), "");
        assert_eq!(pad("ab", 4), "ab  ");
        assert_eq!(pad("鉱石", 3), "鉱…");
    }

    #[test]
    fn lines_break_between_words_and_keep_their_indent() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(
            wrap("  deep words here", 10),
            ["  deep", "  words", "  here"]
        );
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("鉱石鉱石", 1), ["鉱", "石", "鉱", "石"]);
        assert_eq!(wrap("", 4), [""]);
    }
}
