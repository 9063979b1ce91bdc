//! Which pictures: what the operator chose, and what the environment says the terminal can.
//!
//! Invariant: the terminal is not asked; where nobody knows, pictures are drawn in cells.

use serde::Deserialize;

/// How pictures are written beside the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Kitty,
    Sixel,
}

/// What the operator wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureChoice {
    /// By the environment.
    #[default]
    Auto,
    Kitty,
    Sixel,
    /// In cells, on every terminal.
    Blocks,
}

impl PictureChoice {
    const ALL: [Self; 4] = [Self::Auto, Self::Kitty, Self::Sixel, Self::Blocks];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Kitty => "kitty",
            Self::Sixel => "sixel",
            Self::Blocks => "blocks",
        }
    }

    /// The choice without an `auto` in it. `var` looks into the environment.
    #[must_use]
    pub fn settled(self, var: impl Fn(&str) -> Option<String>) -> Self {
        match self {
            Self::Auto => match protocol_of_terminal(var) {
                Some(Protocol::Kitty) => Self::Kitty,
                Some(Protocol::Sixel) => Self::Sixel,
                None => Self::Blocks,
            },
            settled => settled,
        }
    }

    #[must_use]
    pub fn protocol(self) -> Option<Protocol> {
        match self {
            Self::Kitty => Some(Protocol::Kitty),
            Self::Sixel => Some(Protocol::Sixel),
            Self::Auto | Self::Blocks => None,
        }
    }

    /// What the key that goes through them takes next.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Auto | Self::Blocks => Self::Kitty,
            Self::Kitty => Self::Sixel,
            Self::Sixel => Self::Blocks,
        }
    }
}

impl std::str::FromStr for PictureChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        all.find(|choice| choice.name() == text).ok_or_else(|| {
            format!("`{text}` is no way to draw pictures; it is auto, kitty, sixel or blocks")
        })
    }
}

/// Terminals by the beginning of TERM or by TERM_PROGRAM.
const KITTY_TERMS: [&str; 2] = ["xterm-kitty", "xterm-ghostty"];
const KITTY_PROGRAMS: [&str; 2] = ["ghostty", "WezTerm"];
const SIXEL_TERMS: [&str; 3] = ["foot", "mlterm", "contour"];
const SIXEL_PROGRAMS: [&str; 2] = ["iTerm.app", "mintty"];
/// What stands between the program and the terminal and lets no pictures through by itself.
const BETWEEN: [&str; 3] = ["TMUX", "STY", "ZELLIJ"];
const BETWEEN_TERMS: [&str; 2] = ["screen", "tmux"];

/// What the environment tells of the terminal.
fn protocol_of_terminal(var: impl Fn(&str) -> Option<String>) -> Option<Protocol> {
    let named = |name: &str| var(name).filter(|value| !value.is_empty());
    let term = named("TERM").unwrap_or_default();
    let program = named("TERM_PROGRAM").unwrap_or_default();
    let begins = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
    let is_between = BETWEEN.iter().any(|name| named(name).is_some());
    if is_between || begins(&BETWEEN_TERMS) {
        None
    } else if named("KITTY_WINDOW_ID").is_some()
        || begins(&KITTY_TERMS)
        || KITTY_PROGRAMS.contains(&program.as_str())
    {
        Some(Protocol::Kitty)
    } else if begins(&SIXEL_TERMS) || SIXEL_PROGRAMS.contains(&program.as_str()) {
        Some(Protocol::Sixel)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_a(environment: &[(&str, &str)]) -> PictureChoice {
        PictureChoice::Auto.settled(|name| {
            let mut known = environment.iter();
            let found = known.find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_says_what_the_terminal_can() {
        for (environment, choice) in [
            (&[("TERM", "xterm-256color")][..], PictureChoice::Blocks),
            (&[], PictureChoice::Blocks),
            (&[("TERM", "xterm-kitty")], PictureChoice::Kitty),
            (
                &[("TERM", "xterm"), ("KITTY_WINDOW_ID", "1")],
                PictureChoice::Kitty,
            ),
            (&[("TERM_PROGRAM", "WezTerm")], PictureChoice::Kitty),
            (&[("TERM_PROGRAM", "ghostty")], PictureChoice::Kitty),
            (&[("TERM", "foot-extra")], PictureChoice::Sixel),
            (&[("TERM_PROGRAM", "iTerm.app")], PictureChoice::Sixel),
            (
                &[("TERM", "xterm-kitty"), ("TMUX", "/x,1,0")],
                PictureChoice::Blocks,
            ),
            (&[("TERM", "foot"), ("STY", "1.x")], PictureChoice::Blocks),
            (&[("TERM", "foot"), ("ZELLIJ", "0")], PictureChoice::Blocks),
            (
                &[("TERM", "screen-256color"), ("KITTY_WINDOW_ID", "1")],
                PictureChoice::Blocks,
            ),
        ] {
            assert_eq!(in_a(environment), choice, "{environment:?}");
        }
    }

    #[test]
    fn what_is_chosen_goes_before_the_environment() {
        let kitty = |_: &str| Some("xterm-kitty".to_owned());
        assert_eq!(PictureChoice::Blocks.settled(kitty), PictureChoice::Blocks);
        assert_eq!(PictureChoice::Sixel.settled(|_| None), PictureChoice::Sixel);
    }

    #[test]
    fn a_choice_reads_as_it_is_written_and_the_key_goes_round() {
        for choice in PictureChoice::ALL {
            assert_eq!(choice.name().parse(), Ok(choice));
        }
        assert!(
            "png"
                .parse::<PictureChoice>()
                .unwrap_err()
                .contains("blocks")
        );
        let round = PictureChoice::Blocks.next().next().next();
        assert_eq!(round, PictureChoice::Blocks);
    }
}
