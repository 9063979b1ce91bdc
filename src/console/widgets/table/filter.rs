//! Filters: which rows of a table are in sight.
//!
//! Words stand side by side and all must hold: `text`, `!text`, `/regex/`, `column:text`, for numbers `column:>3`,
//! and for what began lately `since:2h`. Letters count alike in either case. Invariant: a filter that cannot be read hides nothing.

use crate::widgets::table::{Cell, TableColumn, TableRow};
use pithead_world::clock::Millis;
use regex::{Regex, RegexBuilder};
use std::cmp::Ordering;

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
    /// Against the number of a cell; a span such as `2h` stands for its seconds.
    Number(Ordering, bool, f64),
}

impl RowFilter {
    /// Reads a filter as it is typed; says what is wrong with it.
    pub fn read(text: &str, columns: &[TableColumn], now: Millis) -> Result<Self, String> {
        if text.len() > LENGTH_MAX {
            return Err(format!("a filter has at most {LENGTH_MAX} bytes"));
        }
        let mut terms = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (term, after) = term(rest, columns, now)?;
            terms.extend(term);
            rest = after.trim_start();
        }
        Ok(Self(terms))
    }

    #[must_use]
    pub fn fits(&self, row: &TableRow) -> bool {
        self.fits_cells(&row.cells)
    }

    /// The same for what is shown elsewhere than in a table.
    #[must_use]
    pub fn fits_cells(&self, cells: &[Cell]) -> bool {
        self.0.iter().all(|term| term.fits(cells))
    }
}

/// One word and what follows it; no term for a word that is still being typed, such as `!`.
fn term<'a>(
    text: &'a str,
    columns: &[TableColumn],
    now: Millis,
) -> Result<(Option<Term>, &'a str), String> {
    let (not, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if let Some(rest) = text.strip_prefix("since:") {
        return since(rest, columns, now).map(|(test, rest)| {
            let term = test.map(|(column, test)| Term {
                not,
                column: Some(column),
                test,
            });
            (term, rest)
        });
    }
    if text.starts_with("label:") {
        has_labels(columns)?;
    } else {
        has_column(text, columns)?;
    }
    let named = text.split_once(':').and_then(|(name, rest)| {
        let position = |name: &str| {
            columns
                .iter()
                .position(|c| c.name.eq_ignore_ascii_case(name))
        };
        // Labels stand under `reason` in lists of failures, and under `labels` in those of runs.
        let is_label = name.eq_ignore_ascii_case("label");
        let column = position(name).or_else(|| {
            let column = LABEL_COLUMNS.iter().find_map(|name| position(name));
            column.filter(|_| is_label)
        })?;
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
            let word = &text[..end];
            let number = column.and_then(|_| number_test(word));
            let test = number.unwrap_or_else(|| Test::Text(word.to_lowercase()));
            (test, &text[end..])
        }
    };
    // A comparison that is still being typed hides nothing.
    let is_begun = |text: &str| column.is_some() && ["<", ">", "<=", ">="].contains(&text);
    let is_empty = matches!(&test, Test::Text(text) if text.is_empty() || is_begun(text));
    Ok(((!is_empty).then_some(Term { not, column, test }), rest))
}

/// Where labels stand, by the list.
const LABEL_COLUMNS: [&str; 3] = ["label", "reason", "labels"];

/// A word about a column in a list that has none of the name would hide all of it without a word.
fn has_column(text: &str, columns: &[TableColumn]) -> Result<(), String> {
    let word = text.split_whitespace().next().unwrap_or_default();
    let Some((name, rest)) = word.split_once(':') else {
        return Ok(());
    };
    // Paths of modules and addresses have colons too, and so have texts behind which nothing stands yet.
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic());
    let is_text = rest.is_empty() || rest.starts_with([':', '/']);
    let is_known = columns.iter().any(|c| c.name.eq_ignore_ascii_case(name));
    if !is_name || is_text || is_known {
        return Ok(());
    }
    let known: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let known = known.join(", ");
    Err(format!("this list has no column `{name}`, but {known}"))
}

/// A word about labels in a list that has none would hide all of it without a word.
fn has_labels(columns: &[TableColumn]) -> Result<(), String> {
    let known: Vec<&str> = columns.iter().map(|column| column.name).collect();
    if LABEL_COLUMNS.iter().any(|name| known.contains(name)) {
        return Ok(());
    }
    let known = known.join(", ");
    Err(format!(
        "this list has no labels (the Debug screen has), but {known}"
    ))
}

/// What began within a span: by the moment of its beginning, or by how long it has waited.
type Since<'a> = (Option<(usize, Test)>, &'a str);

fn since<'a>(text: &'a str, columns: &[TableColumn], now: Millis) -> Result<Since<'a>, String> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    // A span that is still being typed hides nothing.
    if word.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Ok((None, rest));
    }
    let seconds = number(word);
    let seconds = seconds.ok_or_else(|| format!("`{word}` is no span; write 30m, 2h or 1d"))?;
    let position = |name: &str| columns.iter().position(|c| c.name == name);
    let test = match (position("started"), position("waits")) {
        (Some(column), _) => {
            let from = now.0 as f64 - seconds * 1000.0;
            (column, Test::Number(Ordering::Greater, true, from))
        }
        (None, Some(column)) => (column, Test::Number(Ordering::Less, true, seconds)),
        (None, None) => return Err("nothing in this list tells when it began".to_owned()),
    };
    Ok((Some(test), rest))
}

/// `>3`, `<=0.5`, `<2h`; none if it is none.
fn number_test(word: &str) -> Option<Test> {
    let (order, rest) = match (word.strip_prefix('<'), word.strip_prefix('>')) {
        (Some(rest), _) => (Ordering::Less, rest),
        (_, Some(rest)) => (Ordering::Greater, rest),
        (None, None) => return None,
    };
    let (or_equal, rest) = match rest.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    Some(Test::Number(order, or_equal, number(rest)?))
}

/// A number, or the seconds of a span.
fn number(text: &str) -> Option<f64> {
    let spans = [('s', 1.0), ('m', 60.0), ('h', 3_600.0), ('d', 86_400.0)];
    let span = spans
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(*unit)?, *seconds)));
    let (digits, times) = span.unwrap_or((text, 1.0));
    let number: f64 = digits.replace(',', "").parse().ok()?;
    number.is_finite().then_some(number * times)
}

impl Term {
    fn fits(&self, cells: &[Cell]) -> bool {
        let found = match self.column {
            Some(at) => cells.get(at).is_some_and(|cell| self.is_in(cell)),
            None => cells.iter().any(|cell| self.is_in(cell)),
        };
        found != self.not
    }

    fn is_in(&self, cell: &Cell) -> bool {
        match &self.test {
            Test::Text(wanted) => cell.text.to_lowercase().contains(wanted.as_str()),
            Test::Regex(regex) => regex.is_match(&cell.text),
            Test::Number(order, or_equal, than) => cell.rank.is_some_and(|rank| {
                let found = rank.partial_cmp(than);
                found == Some(*order) || (*or_equal && found == Some(Ordering::Equal))
            }),
        }
    }
}
