//! Tokens of the text form, each with the column where it begins (from 1, in characters).

use super::text::ConditionError;

/// Longer texts are refused: nobody types them, and reading is recursive.
pub(super) const TEXT_MAX: usize = 16 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub column: usize,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word or a number.
    Word(String),
    /// A name in quotes.
    Quoted(String),
    Symbol(&'static str),
}

/// Longer ones first, so that `>=` is not read as `>`.
const SYMBOLS: [&str; 9] = [">=", "<=", "..", ">", "<", "=", "(", ")", "|"];

/// Words that stand for symbols, for texts in which a symbol would have to be escaped.
pub(super) const SYMBOL_WORDS: [(&str, &str); 3] =
    [("below", "<"), ("at_most", "<="), ("at_least", ">=")];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ConditionError> {
    if text.len() > TEXT_MAX {
        return Err(ConditionError::new(
            1,
            format!("at most {TEXT_MAX} bytes"),
            "more",
        ));
    }
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        }
        let (kind, next) = token_at(&chars, at)?;
        found.push(Token {
            column: at + 1,
            kind,
        });
        at = next;
    }
    Ok(found)
}

fn token_at(chars: &[char], at: usize) -> Result<(Kind, usize), ConditionError> {
    let starts = |symbol: &&&str| {
        symbol
            .chars()
            .enumerate()
            .all(|(i, c)| chars.get(at + i) == Some(&c))
    };
    if let Some(symbol) = SYMBOLS.iter().find(starts) {
        return Ok((Kind::Symbol(symbol), at + symbol.len()));
    }
    if chars[at] == '"' {
        return quoted(chars, at);
    }
    let length = chars[at..].iter().take_while(|c| is_word(**c)).count();
    if length == 0 {
        let expected = "a word, a number or one of ( ) >= <= > < | ..";
        return Err(ConditionError::new(
            at + 1,
            expected,
            format!("`{}`", chars[at]),
        ));
    }
    let word: String = chars[at..at + length].iter().collect();
    let symbol = SYMBOL_WORDS.iter().find(|(said, _)| *said == word);
    let kind = symbol.map_or(Kind::Word(word.clone()), |(_, symbol)| Kind::Symbol(symbol));
    Ok((kind, at + length))
}

fn quoted(chars: &[char], at: usize) -> Result<(Kind, usize), ConditionError> {
    let mut name = String::new();
    let mut rest = chars.iter().enumerate().skip(at + 1);
    while let Some((i, c)) = rest.next() {
        match c {
            '"' => return Ok((Kind::Quoted(name), i + 1)),
            '\\' => name.extend(rest.next().map(|(_, c)| c)),
            c => name.push(*c),
        }
    }
    Err(ConditionError::new(at + 1, "a closing quote", "the end"))
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | ':' | '-')
}
