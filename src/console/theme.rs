//! Themes: which role has which style. Themes are data (themes/*.toml).
//!
//! Code names roles, never colours. Invariant: every theme styles every role, and what a style says
//! is also said by a glyph or a word.

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Text,
    Faint,
    /// Headings and names.
    Strong,
    Border,
    BorderFocus,
    Title,
    Good,
    Bad,
    Notice,
    Running,
    Ghost,
    Selected,
    Key,
    Bar,
    Added,
    Removed,
    Agent,
    Trail,
    Ore,
    Station,
    Plant,
    Soil,
    Sand,
    Stone,
    Deep,
    Water,
    Lava,
}

impl Role {
    pub const ALL: [Self; 27] = [
        Self::Text,
        Self::Faint,
        Self::Strong,
        Self::Border,
        Self::BorderFocus,
        Self::Title,
        Self::Good,
        Self::Bad,
        Self::Notice,
        Self::Running,
        Self::Ghost,
        Self::Selected,
        Self::Key,
        Self::Bar,
        Self::Added,
        Self::Removed,
        Self::Agent,
        Self::Trail,
        Self::Ore,
        Self::Station,
        Self::Plant,
        Self::Soil,
        Self::Sand,
        Self::Stone,
        Self::Deep,
        Self::Water,
        Self::Lava,
    ];
}

/// A style for every role.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    pub name: String,
    pub paper: Paper,
    styles: BTreeMap<Role, Style>,
}

/// What the terminals are like that a theme is for: text and what is behind it are left to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    #[default]
    Dark,
    Light,
}

/// Why a text is not a theme.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    #[error("there is no theme `{name}`; there are {}", names().join(", "))]
    Unknown { name: String },
    #[error("the theme is not readable: {0}")]
    Toml(#[from] Box<toml::de::Error>),
    #[error("`{colour}` of role {role:?} is not a colour; use a name, #rrggbb or 0-255")]
    Colour { role: Role, colour: String },
    #[error("the theme has no style for {role:?}")]
    Missing { role: Role },
}

const BUILT_IN: [(&str, &str); 7] = [
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    (
        "high-contrast",
        include_str!("../../themes/high-contrast.toml"),
    ),
    (
        "deuteranopia",
        include_str!("../../themes/deuteranopia.toml"),
    ),
    ("tritanopia", include_str!("../../themes/tritanopia.toml")),
    ("sixteen", include_str!("../../themes/sixteen.toml")),
    ("monochrome", include_str!("../../themes/monochrome.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    name: String,
    #[serde(default)]
    paper: Paper,
    roles: BTreeMap<Role, Look>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Look {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    italic: bool,
    underlined: bool,
    reversed: bool,
    crossed_out: bool,
}

/// The names of the themes that come with the program.
#[must_use]
pub fn names() -> Vec<&'static str> {
    BUILT_IN.iter().map(|(name, _)| *name).collect()
}

impl Theme {
    /// A theme that comes with the program.
    pub fn named(name: &str) -> Result<Self, ThemeError> {
        let found = BUILT_IN.iter().find(|(known, _)| *known == name);
        let (_, text) = found.ok_or_else(|| ThemeError::Unknown {
            name: name.to_owned(),
        })?;
        Self::parse(text)
    }

    /// The theme for a terminal on which colours are not wanted (NO_COLOR), or the default.
    #[must_use]
    pub fn default_for(no_color: bool) -> Self {
        Self::named(if no_color { "monochrome" } else { "dark" })
            .expect("a test reads every theme that comes with the program")
    }

    /// Reads a theme file.
    pub fn parse(text: &str) -> Result<Self, ThemeError> {
        let wire: Wire = toml::from_str(text).map_err(Box::new)?;
        let mut styles = BTreeMap::new();
        for (role, look) in &wire.roles {
            styles.insert(*role, look.style(*role)?);
        }
        match Role::ALL
            .into_iter()
            .find(|role| !styles.contains_key(role))
        {
            Some(role) => Err(ThemeError::Missing { role }),
            None => Ok(Self {
                name: wire.name,
                paper: wire.paper,
                styles,
            }),
        }
    }

    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }
}

impl Look {
    fn style(&self, role: Role) -> Result<Style, ThemeError> {
        let colour = |name: &Option<String>| match name {
            None => Ok(None),
            Some(name) => name
                .parse::<Color>()
                .map(Some)
                .map_err(|_| ThemeError::Colour {
                    role,
                    colour: name.clone(),
                }),
        };
        let mut style = Style {
            fg: colour(&self.fg)?,
            bg: colour(&self.bg)?,
            ..Style::new()
        };
        let modifiers = [
            (self.bold, Modifier::BOLD),
            (self.italic, Modifier::ITALIC),
            (self.underlined, Modifier::UNDERLINED),
            (self.reversed, Modifier::REVERSED),
            (self.crossed_out, Modifier::CROSSED_OUT),
        ];
        for (_, modifier) in modifiers.into_iter().filter(|(wanted, _)| *wanted) {
            style = style.add_modifier(modifier);
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_styles_every_role() {
        for name in names() {
            let theme = Theme::named(name).unwrap();
            assert_eq!(theme.name, name);
        }
    }

    #[test]
    fn monochrome_has_no_colour() {
        let theme = Theme::default_for(true);
        for role in Role::ALL {
            let style = theme.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }

    #[test]
    fn plain_text_keeps_the_colours_of_the_terminal() {
        for name in names() {
            assert_eq!(
                Theme::named(name).unwrap().style(Role::Text),
                Style::new(),
                "{name}"
            );
        }
    }

    /// Plain white, black or yellow text vanishes on somebody's background, and dim on dark grey on
    /// everybody's.
    #[test]
    fn no_text_vanishes_on_a_background_that_the_theme_does_not_know() {
        use ratatui::style::{Color, Modifier};
        for name in names() {
            let theme = Theme::named(name).unwrap();
            for role in Role::ALL {
                let style = theme.style(role);
                let plain = [Color::White, Color::Black, Color::Yellow];
                let vanishes = style.bg.is_none() && style.fg.is_some_and(|c| plain.contains(&c));
                assert!(!vanishes, "{name} {role:?}");
                let is_dim = style.add_modifier.contains(Modifier::DIM);
                assert!(
                    !(is_dim && style.fg == Some(Color::DarkGray)),
                    "{name} {role:?}"
                );
            }
        }
    }

    #[test]
    fn faults_of_a_theme_are_named() {
        let fault = |text: &str| Theme::parse(text).unwrap_err().to_string();
        assert!(fault("name = \"x\"\n[roles]\ntext = {}").contains("no style for Faint"));
        assert!(fault("name = \"x\"\n[roles]\ntext = { fg = \"blurple\" }").contains("`blurple`"));
        assert!(
            Theme::named("neon")
                .unwrap_err()
                .to_string()
                .contains("dark, light, high-contrast")
        );
    }
}
