//! The words of one line of an outline, with their columns, and faults at them.

use crate::domain::plan::json::PlanFault;

/// A word, or a text in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    /// From 1, in characters.
    pub column: usize,
}

/// The words of one line that were not read yet.
#[derive(Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
    /// Of what is left, from 1.
    column: usize,
    /// From 0.
    line: usize,
}

impl<'a> Words<'a> {
    pub(super) fn of(line: usize, text: &'a str) -> Self {
        let mut words = Self {
            rest: text,
            column: 1,
            line,
        };
        words.skip_space();
        words
    }

    fn skip_space(&mut self) {
        let left = self.rest.trim_start();
        let skipped = self.rest.len() - left.len();
        self.column += self.rest[..skipped].chars().count();
        self.rest = left;
    }

    /// The next word stays where it is.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The next word, or the text of a pair of quotes.
    pub(super) fn next(&mut self) -> Result<Option<Word>, PlanFault> {
        let column = self.column;
        let (text, length) = if self.rest.starts_with('"') {
            let mut quoted = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
            match quoted.next() {
                Some(Ok(text)) => (text, quoted.byte_offset()),
                _ => return Err(self.fault(column, "expected a closing quote `\"`")),
            }
        } else {
            match self.peek() {
                Some(word) => (word.to_owned(), word.len()),
                None => return Ok(None),
            }
        };
        self.column += self.rest[..length].chars().count();
        self.rest = &self.rest[length..];
        self.skip_space();
        Ok(Some(Word { text, column }))
    }

    /// The word that has to follow.
    pub(super) fn expect(&mut self, expected: &str) -> Result<Word, PlanFault> {
        let column = self.column;
        let word = self.next()?;
        word.ok_or_else(|| {
            self.fault(
                column,
                &format!("expected {expected}, found the end of the line"),
            )
        })
    }

    /// All that is left of the line, and its column.
    pub(super) fn take_rest(&mut self) -> (&'a str, usize) {
        let taken = (self.rest, self.column);
        self.rest = "";
        taken
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    pub(super) fn fault(&self, column: usize, because: &str) -> PlanFault {
        PlanFault {
            path: format!("line {} column {column}", self.line + 1),
            because: because.to_owned(),
        }
    }

    /// The word is not what was expected.
    pub(super) fn unexpected(&self, word: &Word, expected: &str) -> PlanFault {
        let because = format!("expected {expected}, found `{}`", word.text);
        self.fault(word.column, &because)
    }
}
