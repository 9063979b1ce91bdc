//! A JSON reader for what models write: it forgives what has one reading, and says what it forgave.
//!
//! Forgiven: comments, trailing and missing commas, other quotes, bare keys, Python's words, raw line
//! ends in texts, and closers missing at the very end. Not forgiven: what would be a guess, such as a
//! text cut in the middle, NaN, or one key with two values.

use super::Repairs;
use serde_json::{Map, Number, Value};

/// Deeper nesting is refused: nobody means it.
const DEPTH_MAX: usize = 64;

/// A value that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) value: Value,
    pub(super) repairs: Repairs,
    /// Where the text continues.
    pub(super) end: usize,
}

/// Where reading stopped, and why.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) at: usize,
    pub(super) because: String,
    /// Where another object may begin; none if right after the brace.
    pub(super) resume: Option<usize>,
}

/// Reads the value that begins at `start`.
pub(super) fn read_value(text: &str, start: usize) -> Result<Read, Stop> {
    let mut reader = Reader {
        text,
        at: start,
        repairs: Repairs::default(),
        closed: false,
    };
    let value = reader.value(0)?;
    Ok(Read {
        value,
        repairs: reader.repairs,
        end: reader.at,
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    repairs: Repairs,
    /// The last thing read was a whole object or list.
    closed: bool,
}

type Found<T> = Result<T, Stop>;

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn stop<T>(&self, because: impl Into<String>) -> Found<T> {
        Err(Stop {
            at: self.at,
            because: because.into(),
            resume: None,
        })
    }

    fn found(&self) -> String {
        match self.peek() {
            None => "the end of the answer".to_owned(),
            Some(c) if c.is_control() => "a control character".to_owned(),
            Some(c) => format!("`{c}`"),
        }
    }

    /// Skips blanks and comments.
    fn skip(&mut self) -> Found<()> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{a0}', '\u{feff}']);
            self.at += rest.len() - trimmed.len();
            let rest = self.rest();
            if rest.starts_with("//") || rest.starts_with('#') {
                self.at += rest.find('\n').unwrap_or(rest.len());
                self.repairs.note("a comment left out");
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    return self.stop("a comment is not closed");
                };
                self.at += end + 2;
                self.repairs.note("a comment left out");
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Found<Value> {
        if depth > DEPTH_MAX {
            return self.stop(format!("nested more than {DEPTH_MAX} deep"));
        }
        self.skip()?;
        self.closed = false;
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some('"' | '\'' | '“' | '”' | '`') => self.string().map(Value::String),
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number(),
            Some(c) if c.is_alphabetic() => self.word(),
            _ => self.stop(format!("expected a value, found {}", self.found())),
        }
    }

    fn object(&mut self, depth: usize) -> Found<Value> {
        self.at += 1;
        let mut fields = Map::new();
        loop {
            self.skip()?;
            if self.ends('}', !fields.is_empty())? {
                return Ok(Value::Object(fields));
            }
            let key_at = self.at;
            let key = self.key()?;
            self.skip()?;
            if self.peek() != Some(':') {
                return self.stop(format!(
                    "expected `:` after the key `{key}`, found {}",
                    self.found()
                ));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            match fields.get(&key) {
                None => {
                    fields.insert(key, value);
                }
                Some(known) if *known == value => {
                    self.repairs.note("a key given twice with one value");
                }
                Some(_) => {
                    self.at = key_at;
                    return self.stop(format!(
                        "the key `{key}` is given twice with different values"
                    ));
                }
            }
            self.comma('}')?;
        }
    }

    fn list(&mut self, depth: usize) -> Found<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip()?;
            if self.ends(']', !items.is_empty())? {
                return Ok(Value::Array(items));
            }
            if self.rest().starts_with("...") || self.rest().starts_with('…') {
                return self.stop("entries are left out with `...`; write them all");
            }
            items.push(self.value(depth + 1)?);
            self.comma(']')?;
        }
    }

    /// The closer of the group, or the end of the answer right after a whole element.
    fn ends(&mut self, closer: char, has_any: bool) -> Found<bool> {
        match self.peek() {
            Some(c) if c == closer => {
                self.at += 1;
                self.closed = true;
                Ok(true)
            }
            // Only right after a closed value: a text cut anywhere else may lack more than
            // brackets.
            None if self.closed && has_any => {
                self.repairs.note("brackets missing at the end added");
                Ok(true)
            }
            None => self.stop("the answer stops in the middle"),
            Some(_) => Ok(false),
        }
    }

    /// Between two entries: a comma, or what can only be a forgotten one.
    fn comma(&mut self, closer: char) -> Found<()> {
        let was_closed = self.closed;
        self.skip()?;
        match self.peek() {
            Some(',') => {
                self.at += 1;
                self.closed = false;
                self.skip()?;
                if self.peek() == Some(closer) {
                    self.repairs.note("a trailing comma left out");
                }
                Ok(())
            }
            Some(c) if c == closer => Ok(()),
            None => {
                self.closed = was_closed;
                Ok(())
            }
            Some('"' | '{' | '[') => {
                self.repairs.note("a missing comma added");
                Ok(())
            }
            Some(_) => self.stop(format!(
                "expected `,` or `{closer}`, found {}",
                self.found()
            )),
        }
    }

    fn key(&mut self) -> Found<String> {
        if matches!(self.peek(), Some('"' | '\'' | '“' | '”' | '`')) {
            return self.string();
        }
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            return self.stop(format!("expected a key, found {}", self.found()));
        }
        let key = rest[..length].to_owned();
        self.at += length;
        self.repairs.note("a key without quotes");
        Ok(key)
    }

    fn string(&mut self) -> Found<String> {
        let start = self.at;
        let open = self.peek().unwrap_or('"');
        let is_close = |c: char| match open {
            '“' | '”' => matches!(c, '”' | '“'),
            open => c == open,
        };
        if open != '"' {
            self.repairs.note("other quotes read as double quotes");
        }
        let mut text = String::new();
        let mut chars = self.text[start..].char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            if is_close(c) {
                self.at = start + offset + c.len_utf8();
                return Ok(text);
            }
            if c != '\\' {
                if c.is_control() {
                    self.repairs.note("a raw line end or tab in a text");
                }
                text.push(c);
                continue;
            }
            match chars.next().map(|(_, c)| c) {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some('b') => text.push('\u{8}'),
                Some('f') => text.push('\u{c}'),
                Some(c @ ('"' | '\\' | '/')) => text.push(c),
                Some('u') => match unicode(&mut chars) {
                    Some(c) => text.push(c),
                    None => {
                        self.at = start + offset;
                        return self.stop("a \\u escape that names no character");
                    }
                },
                Some(other) => {
                    self.repairs.note("an unknown escape read as its letter");
                    text.push(other);
                }
                None => break,
            }
        }
        self.at = self.text.len();
        self.stop("the answer stops in the middle of a text")
    }

    fn number(&mut self) -> Found<Value> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let written = &rest[..length];
        let mut plain = written.trim_start_matches('+').to_owned();
        if plain.starts_with('.') {
            plain.insert(0, '0');
        }
        if plain.ends_with('.') {
            plain.push('0');
        }
        let Ok(number) = plain.parse::<Number>() else {
            let shown: String = written.chars().take(20).collect();
            return self.stop(format!("`{shown}` is no number"));
        };
        if plain != written {
            self.repairs.note("a number in another spelling");
        }
        // A number at the very end may have lost digits.
        if self.at + length == self.text.len() {
            return self.stop("the answer stops in the middle");
        }
        self.at += length;
        Ok(Value::Number(number))
    }

    fn word(&mut self) -> Found<Value> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let value = match &rest[..length] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            word @ ("True" | "False" | "None" | "TRUE" | "FALSE" | "NULL" | "undefined") => {
                let value = match word.to_lowercase().as_str() {
                    "true" => Value::Bool(true),
                    "false" => Value::Bool(false),
                    _ => Value::Null,
                };
                self.repairs
                    .note("a word of another language for true, false or null");
                value
            }
            word => {
                let shown: String = word.chars().take(20).collect();
                return self.stop(format!(
                    "`{shown}` is no value; texts stand in double quotes"
                ));
            }
        };
        self.at += length;
        Ok(value)
    }
}

/// The character of a `\uXXXX`, or of two that are a pair.
fn unicode(chars: &mut impl Iterator<Item = (usize, char)>) -> Option<char> {
    let mut four = || {
        (0..4).try_fold(0_u32, |code, _| {
            let digit = chars.next()?.1.to_digit(16)?;
            Some(code * 16 + digit)
        })
    };
    let high = four()?;
    if !(0xD800..0xDC00).contains(&high) {
        return char::from_u32(high);
    }
    // The second of a pair begins with its own `\u`.
    let low = {
        let mark = (chars.next()?.1, chars.next()?.1);
        if mark != ('\\', 'u') {
            return None;
        }
        (0..4).try_fold(0_u32, |code, _| {
            let digit = chars.next()?.1.to_digit(16)?;
            Some(code * 16 + digit)
        })?
    };
    if !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}
