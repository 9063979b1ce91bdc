//! Reading the text form of conditions; the grammar is in docs/FORMATS.md, "Conditions".
//!
//! Recursive descent: `or` binds loosest, then `and`, then `not`. Faults name the column and what
//! was expected there.

use super::lexer::{Kind, Token, tokens};
use super::{Condition, predicate_text};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Deeper nesting is refused, so that no text can overflow the stack.
const DEPTH_MAX: usize = 64;

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct ConditionError {
    /// From 1, in characters.
    pub column: usize,
    pub expected: String,
    pub found: String,
}

impl ConditionError {
    pub(super) fn new(
        column: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            column,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

impl std::str::FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut reader = Reader {
            tokens: tokens(text)?,
            at: 0,
            end: text.chars().count() + 1,
        };
        let condition = disjunction(&mut reader, 0)?;
        match reader.peek() {
            None => Ok(condition),
            Some(_) => Err(reader.fault("`and`, `or` or the end")),
        }
    }
}

fn disjunction(reader: &mut Reader, depth: usize) -> Result<Condition, ConditionError> {
    let first = conjunction(reader, depth)?;
    if !reader.is_word("or") {
        return Ok(first);
    }
    let mut parts = vec![first];
    while reader.take_word("or") {
        parts.push(conjunction(reader, depth)?);
    }
    Ok(Condition::Any(parts))
}

fn conjunction(reader: &mut Reader, depth: usize) -> Result<Condition, ConditionError> {
    let first = unary(reader, depth)?;
    if !reader.is_word("and") {
        return Ok(first);
    }
    let mut parts = vec![first];
    while reader.take_word("and") {
        parts.push(unary(reader, depth)?);
    }
    Ok(Condition::All(parts))
}

fn unary(reader: &mut Reader, depth: usize) -> Result<Condition, ConditionError> {
    if depth >= DEPTH_MAX {
        return Err(reader.fault(format!("at most {DEPTH_MAX} levels of nesting")));
    }
    if reader.take_word("not") {
        return Ok(unary(reader, depth + 1)?.not());
    }
    if reader.take_word("always") {
        return Ok(Condition::All(Vec::new()));
    }
    if reader.take_word("never") {
        return Ok(Condition::Any(Vec::new()));
    }
    if reader.take_word("all") {
        return Ok(Condition::All(vec![parenthesised(reader, depth)?]));
    }
    if reader.take_word("any") {
        return Ok(Condition::Any(vec![parenthesised(reader, depth)?]));
    }
    if reader.is_symbol("(") {
        return parenthesised(reader, depth);
    }
    predicate_text::read_predicate(reader).map(Condition::Is)
}

fn parenthesised(reader: &mut Reader, depth: usize) -> Result<Condition, ConditionError> {
    reader.symbol("(")?;
    let inner = disjunction(reader, depth + 1)?;
    reader.symbol(")")?;
    Ok(inner)
}

/// The tokens not yet read.
#[derive(Debug)]
pub(super) struct Reader {
    tokens: Vec<Token>,
    at: usize,
    /// The column just behind the text.
    end: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The next token is not what was expected.
    pub(super) fn fault(&self, expected: impl Into<String>) -> ConditionError {
        match self.peek() {
            None => ConditionError::new(self.end, expected, "the end"),
            Some(token) => {
                let found = match &token.kind {
                    Kind::Word(word) => format!("`{word}`"),
                    Kind::Quoted(name) => format!("\"{name}\""),
                    Kind::Symbol(symbol) => format!("`{symbol}`"),
                };
                ConditionError::new(token.column, expected, found)
            }
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: Kind::Word(found), .. }) if found == word)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: Kind::Symbol(found), .. }) if *found == symbol)
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> Result<(), ConditionError> {
        if self.take_symbol(symbol) {
            Ok(())
        } else {
            Err(self.fault(format!("`{symbol}`")))
        }
    }

    /// Any word; a quoted one is taken as it stands.
    pub(super) fn name(&mut self, expected: &str) -> Result<String, ConditionError> {
        let name = match self.peek().map(|token| &token.kind) {
            Some(Kind::Word(name) | Kind::Quoted(name)) => name.clone(),
            Some(Kind::Symbol(_)) | None => return Err(self.fault(expected)),
        };
        self.at += 1;
        Ok(name)
    }

    /// A word that `read` understands; otherwise a fault with its hint.
    pub(super) fn word<T>(
        &mut self,
        expected: &str,
        read: impl Fn(&str) -> Result<T, Vec<&'static str>>,
    ) -> Result<T, ConditionError> {
        let before = self.at;
        let name = self.name(expected)?;
        read(&name).map_err(|nearest| {
            self.at = before;
            match nearest.as_slice() {
                [] => self.fault(expected),
                names => self.fault(format!("{expected} (such as {})", names.join(", "))),
            }
        })
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Result<T, ConditionError> {
        self.word("a whole number", |word| {
            word.parse().map_err(|_| Vec::new())
        })
    }
}

impl<'de> Deserialize<'de> for Condition {
    /// Reads the structure, or the text form where a string stands.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ConditionVisitor)
    }
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Structure {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Is(super::Predicate),
}

struct ConditionVisitor;

impl<'de> Visitor<'de> for ConditionVisitor {
    type Value = Condition;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a condition: its text, or one of all, any, not, is")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Condition, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Condition, A::Error> {
        Ok(
            match Structure::deserialize(MapAccessDeserializer::new(map))? {
                Structure::All(parts) => Condition::All(parts),
                Structure::Any(parts) => Condition::Any(parts),
                Structure::Not(part) => Condition::Not(part),
                Structure::Is(predicate) => Condition::Is(predicate),
            },
        )
    }
}

#[cfg(test)]
mod tests;
