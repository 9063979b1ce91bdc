//! Filters: which rows of a table are in sight.
//!
//! Words stand side by side and all must hold: `text`, `!text`, `/regex/`, `column:text`. Letters
//! count alike in either case. Invariant: a filter that cannot be read hides nothing.

use crate::widgets::table::{TableColumn, TableRow};
use regex::{Regex, RegexBuilder};

/// Longest filter taken.
pub const LENGTH_MAX: usize = 200;
/// Bytes that a regular expression may take when compiled; the engine itself runs in linear time.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// A filter that has been read.
#[derive(Debug, Default)]
pub struct RowFilter(Vec<Term>);

#[derive(Debug)]
struct Term {
    not: bool,
    column: Option<usize>,
    test: Test,
}

#[derive(Debug)]
enum Test {
    /// In small letters.
    Text(String),
    Regex(Regex),
}

impl RowFilter {
    /// Reads a filter as it is typed; says what is wrong with it.
    pub fn read(text: &str, columns: &[TableColumn]) -> Result<Self, String> {
        if text.len() > LENGTH_MAX {
            return Err(format!("a filter has at most {LENGTH_MAX} bytes"));
        }
        let mut terms = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (term, after) = term(rest, columns)?;
            terms.extend(term);
            rest = after.trim_start();
        }
        Ok(Self(terms))
    }

    #[must_use]
    pub fn fits(&self, row: &TableRow) -> bool {
        self.0.iter().all(|term| term.fits(row))
    }
}

/// One word and what follows it; no term for a word that is still being typed, such as `!`.
fn term<'a>(text: &'a str, columns: &[TableColumn]) -> Result<(Option<Term>, &'a str), String> {
    let (not, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let named = text.split_once(':').and_then(|(name, rest)| {
        let column = columns
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(name))?;
        Some((column, rest))
    });
    let (column, text) = match named {
        Some((column, rest)) => (Some(column), rest),
        None => (None, text),
    };
    let (test, rest) = match text.strip_prefix('/') {
        Some(regex) => {
            let (pattern, rest) = regex.split_once('/').unwrap_or((regex, ""));
            let built = RegexBuilder::new(pattern)
                .case_insensitive(true)
                .size_limit(REGEX_BYTES_MAX)
                .build();
            let built = built.map_err(|error| {
                let last = error.to_string();
                let last = last.lines().last().unwrap_or_default().trim().to_owned();
                format!("`{pattern}` is no regular expression: {last}")
            })?;
            (Test::Regex(built), rest)
        }
        None => {
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            (Test::Text(text[..end].to_lowercase()), &text[end..])
        }
    };
    let is_empty = matches!(&test, Test::Text(text) if text.is_empty());
    Ok(((!is_empty).then_some(Term { not, column, test }), rest))
}

impl Term {
    fn fits(&self, row: &TableRow) -> bool {
        let found = match self.column {
            Some(at) => row.cells.get(at).is_some_and(|cell| self.is_in(&cell.text)),
            None => row.cells.iter().any(|cell| self.is_in(&cell.text)),
        };
        found != self.not
    }

    fn is_in(&self, text: &str) -> bool {
        match &self.test {
            Test::Text(wanted) => text.to_lowercase().contains(wanted.as_str()),
            Test::Regex(regex) => regex.is_match(text),
        }
    }
}
