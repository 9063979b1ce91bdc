//! Rich lines: text in parts, each with its role; no colours and no terminal yet.
//!
//! Panes say what they show in these, so that scrolling can count lines without drawing.
//! Invariant: a part is clean text; nothing else can be put in.

use crate::theme::{Role, Theme};
use pithead_core::text::clean::{clean_line, fit_columns, wrap_columns};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// One line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rich(Vec<(Role, String)>);

impl Rich {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of one part.
    #[must_use]
    pub fn text(role: Role, text: impl AsRef<str>) -> Self {
        Self::new().and(role, text)
    }

    /// The line with one more part.
    #[must_use]
    pub fn and(mut self, role: Role, text: impl AsRef<str>) -> Self {
        self.add(role, text);
        self
    }

    pub fn add(&mut self, role: Role, text: impl AsRef<str>) {
        let text = clean_line(text.as_ref());
        if !text.is_empty() {
            self.0.push((role, text));
        }
    }

    /// Adds the parts of another line.
    pub fn append(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// The line with another one after it.
    #[must_use]
    pub fn with_rest(mut self, rest: &Self) -> Self {
        self.append(rest);
        self
    }

    #[must_use]
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.width()).sum()
    }

    /// The line with `right` at its right edge, both within `width`; the right part is kept whole
    /// if it fits at all, and the left one gives way.
    #[must_use]
    pub fn with_right(self, right: Self, width: usize) -> Self {
        let room = width.saturating_sub(right.width());
        if right.0.is_empty() || room == 0 {
            return self.cut(width);
        }
        let mut out = self.cut(room.saturating_sub(1));
        let gap = room.saturating_sub(out.width());
        out.0.push((Role::Text, " ".repeat(gap)));
        out.0.extend(right.0);
        out
    }

    /// The line in at most `width` columns, with an ellipsis where something is missing.
    #[must_use]
    pub fn cut(self, width: usize) -> Self {
        if self.width() <= width {
            return self;
        }
        let mut out = Self::new();
        let mut left = width;
        for (role, text) in self.0 {
            let wide = text.width();
            if wide < left {
                left -= wide;
                out.0.push((role, text));
            } else {
                out.0.push((role, fit_columns(&format!("{text}…"), left)));
                break;
            }
        }
        out
    }

    /// The line for the terminal; `selected` lies over it.
    #[must_use]
    pub fn styled(&self, theme: &Theme, selected: bool) -> Line<'_> {
        let spans = self.0.iter().map(|(role, text)| {
            let style = theme.style(*role);
            let style = if selected {
                style.patch(theme.style(Role::Selected))
            } else {
                style
            };
            Span::styled(text.as_str(), style)
        });
        Line::from_iter(spans)
    }

    /// The text without its roles.
    #[must_use]
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// A paragraph in lines of at most `width` columns, the first after `lead`, the others below it.
pub fn paragraph(out: &mut Vec<Rich>, lead: Rich, role: Role, text: &str, width: usize) {
    let indent = lead.width();
    let lines = wrap_columns(text, width.saturating_sub(indent).max(8));
    let mut lead = Some(lead);
    for line in lines {
        let start = lead
            .take()
            .unwrap_or_else(|| Rich::text(Role::Text, " ".repeat(indent)));
        out.push(start.and(role, line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_left_part_gives_way_to_the_right() {
        let line = |left: &str, right: &str, width| {
            Rich::text(Role::Text, left)
                .with_right(Rich::text(Role::Bad, right), width)
                .plain()
        };
        assert_eq!(line("mine iron_ore", "9 s", 20), "mine iron_ore    9 s");
        assert_eq!(
            line("mine iron_ore", "NAV_STUCK", 16),
            "mine …  NAV_STUCK".replace("  ", " ")
        );
        assert_eq!(line("mine", "NAV_STUCK", 4), "mine");
    }

    #[test]
    fn paragraphs_stand_below_their_lead() {
        let mut out = Vec::new();
        paragraph(
            &mut out,
            Rich::text(Role::Faint, "why "),
            Role::Text,
            "no way through the gravel",
            16,
        );
        let lines: Vec<String> = out.iter().map(Rich::plain).collect();
        assert_eq!(lines, ["why no way", "    through the", "    gravel"]);
    }
}
