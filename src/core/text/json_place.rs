//! Places in JSON text: the line on which a path such as `subgoals[3].checks[0].count` stands.
//!
//! Lenient: the text may be broken behind the place. A path that is not there gives the line of its
//! longest part that is.

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The line (from 0) of a path, or of `line N column M`.
#[must_use]
pub fn line_of(text: &str, path: &str) -> Option<usize> {
    if let Some(rest) = path.strip_prefix("line ") {
        let number: usize = rest.split(' ').next()?.parse().ok()?;
        return Some(number.saturating_sub(1));
    }
    let wanted = steps(path);
    if wanted.is_empty() {
        return None;
    }
    let mut scan = Scan {
        chars: text.chars().peekable(),
        line: 0,
        wanted,
        best: None,
    };
    scan.value(&mut Vec::new());
    scan.best.map(|(_, line)| line)
}

/// The column (from 0) of a `line N column M`.
#[must_use]
pub fn column_of(path: &str) -> Option<usize> {
    let (_, column) = path.strip_prefix("line ")?.split_once(" column ")?;
    column.parse::<usize>().ok()?.checked_sub(1)
}

fn steps(path: &str) -> Vec<Step> {
    let mut out = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let (key, indices) = part
            .split_once('[')
            .map_or((part, ""), |(key, rest)| (key, rest));
        if !key.is_empty() {
            out.push(Step::Key(key.to_owned()));
        }
        let numbers = indices
            .split('[')
            .filter_map(|n| n.trim_end_matches(']').parse().ok());
        out.extend(numbers.map(Step::Index));
    }
    out
}

/// Deeper texts are not looked into: nobody writes such plans by hand.
const DEPTH_MAX: usize = 64;

struct Scan<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    wanted: Vec<Step>,
    /// Steps matched, and the line.
    best: Option<(usize, usize)>,
}

impl Scan<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        // Counted here only, so that no path of the scan misses a line.
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn skip_space(&mut self) {
        while self.chars.peek().is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
    }

    /// Remembers the place if it is a longer part of the wanted path than any before.
    fn here(&mut self, path: &[Step]) {
        let fits = self.wanted.starts_with(path);
        if fits && self.best.is_none_or(|(length, _)| path.len() > length) {
            self.best = Some((path.len(), self.line));
        }
    }

    fn value(&mut self, path: &mut Vec<Step>) -> Option<()> {
        self.skip_space();
        if path.len() > DEPTH_MAX {
            return None;
        }
        self.here(path);
        match self.chars.peek()? {
            '{' => self.object(path),
            '[' => self.array(path),
            '"' => self.string().map(|_| ()),
            // Numbers and words: their text does not matter, only where they end.
            _ => {
                while self
                    .chars
                    .peek()
                    .is_some_and(|c| !matches!(c, ',' | '}' | ']' | '\n'))
                {
                    self.next();
                }
                Some(())
            }
        }
    }

    fn object(&mut self, path: &mut Vec<Step>) -> Option<()> {
        self.next();
        loop {
            self.skip_space();
            match self.chars.peek()? {
                '"' => {
                    let key = self.string()?;
                    path.push(Step::Key(key));
                    self.here(path);
                    self.skip_space();
                    if self.chars.peek() == Some(&':') {
                        self.next();
                        self.value(path)?;
                    }
                    path.pop();
                }
                '}' => {
                    self.next();
                    return Some(());
                }
                _ => {
                    self.next();
                }
            }
        }
    }

    fn array(&mut self, path: &mut Vec<Step>) -> Option<()> {
        self.next();
        let mut index = 0;
        loop {
            self.skip_space();
            match self.chars.peek()? {
                ']' => {
                    self.next();
                    return Some(());
                }
                ',' | '}' | ':' => {
                    index += usize::from(self.next() == Some(','));
                }
                _ => {
                    path.push(Step::Index(index));
                    self.value(path)?;
                    path.pop();
                }
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.next();
        let mut out = String::new();
        loop {
            match self.next()? {
                '"' => return Some(out),
                '\\' => out.extend(self.next()),
                c => out.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
  "plan_id": "p, {1}",
  "subgoals": [
    {
      "subgoal_id": "sg_001",
      "checks": [
        { "check": "inv_ge",
          "count": -3 }
      ]
    },
    { "subgoal_id": "sg_002" }
  ]
}"#;

    #[test]
    fn paths_lead_to_their_lines() {
        assert_eq!(line_of(TEXT, "plan_id"), Some(1));
        assert_eq!(line_of(TEXT, "subgoals[0].checks[0].count"), Some(7));
        assert_eq!(line_of(TEXT, "subgoals[1].subgoal_id"), Some(10));
        assert_eq!(line_of(TEXT, "line 4 column 2"), Some(3));
    }

    #[test]
    fn what_is_missing_is_shown_at_its_parent() {
        assert_eq!(line_of(TEXT, "subgoals[0].checks[0].item"), Some(6));
        assert_eq!(line_of(TEXT, "subgoals[1].timeout_s"), Some(10));
        assert_eq!(line_of(TEXT, ""), None);
    }

    #[test]
    fn broken_text_does_no_harm() {
        for text in [
            "",
            "{",
            "[[[",
            "\"",
            "{\"a\"",
            "{\"subgoals\": [{",
            "}}}",
            "[,,:",
        ] {
            let _ = line_of(text, "subgoals[0].x");
        }
        let _ = line_of(&"[".repeat(100_000), "subgoals[0]");
    }
}
