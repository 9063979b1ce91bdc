//! Aids: what a world is made with besides its seed, and which of its parts are simulated.
//!
//! They travel with the `WorldSpec`, so that a resumed or replayed run has the same, and are named
//! in every result. Invariant: a world without aids adds no line to a result.

use super::counts::Counts;
use super::powers::Powers;
use super::reports::Reports;
use super::start::start_inventory_text;
use serde::{Deserialize, Serialize};

/// Declared help, and what stands in for a part of the body.
/// Stored with the run and shown with every result: help is never hidden.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldAids {
    /// The run begins in this biome, by the usual rules of spawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biome: Option<String>,
    #[serde(default, skip_serializing_if = "Controller::is_scripted")]
    pub controller: Controller,
    /// How much the body tells of its failures.
    #[serde(default, skip_serializing_if = "Reports::is_typed")]
    pub reports: Reports,
    /// How far the eyes go beyond a player's.
    #[serde(default, skip_serializing_if = "SenseLevel::is_scout")]
    pub senses: SenseLevel,
    /// What the body begins with.
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    pub given: Counts,
    /// What its hands can do beyond a player's.
    #[serde(default, skip_serializing_if = "Powers::are_players")]
    pub powers: Powers,
}

/// What the body sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SenseLevel {
    /// All around at once, through thin leaves, and as far in dark caves as at night in the open.
    #[default]
    Scout,
    /// What is before the eyes of a head that turns; in the dark only what is near or lit; leaves hide.
    Player,
    /// All that a client of a server was sent: the chunks around, through any wall. On servers alone.
    Client,
}

impl SenseLevel {
    pub const ALL: [Self; 3] = [Self::Scout, Self::Player, Self::Client];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scout => "scout",
            Self::Player => "player",
            Self::Client => "client",
        }
    }

    /// As results show it.
    #[must_use]
    pub fn line(self) -> String {
        let about = match self {
            Self::Scout => "the body sees all around at once, also in the dark",
            Self::Player => {
                "the body sees what is before its eyes, and in the dark only what is near or lit"
            }
            Self::Client => {
                "the body knows every block in the chunks that the server has sent, through walls too"
            }
        };
        format!("senses {}: {about}", self.name())
    }

    /// For serde, which leaves the default out.
    #[must_use]
    pub fn is_scout(&self) -> bool {
        *self == Self::Scout
    }
}

/// No level of senses has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown senses `{given}`; there are {}", SenseLevel::ALL.map(SenseLevel::name).join(", "))]
pub struct UnknownSenses {
    pub given: String,
}

impl std::str::FromStr for SenseLevel {
    type Err = UnknownSenses;

    fn from_str(text: &str) -> Result<Self, UnknownSenses> {
        let found = Self::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| UnknownSenses {
            given: text.to_owned(),
        })
    }
}

/// Who carries actions out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Controller {
    /// Scripts over what the body has seen.
    #[default]
    Scripted,
    /// The scripts, made to fail and to take as long as the learned controller of DEPS Table 18.
    Table18,
    /// A world of words in which every order succeeds at once if what it takes is there.
    Oracle,
}

impl Controller {
    pub const ALL: [Self; 3] = [Self::Scripted, Self::Table18, Self::Oracle];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scripted => "scripted",
            Self::Table18 => "table18",
            Self::Oracle => "oracle",
        }
    }

    /// What it is, for the head of a result.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Scripted => "scripted over what was seen",
            Self::Table18 => {
                "simulated: the scripted one, made to fail and to take its time at the rates of DEPS Table 18; skills that are not in that table are scripted"
            }
            Self::Oracle => {
                "a world of words without terrain: every order succeeds at once if what it takes is there, as in MC-TextWorld"
            }
        }
    }

    /// For serde, which leaves the default out.
    fn is_scripted(&self) -> bool {
        *self == Self::Scripted
    }
}

/// No controller has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown controller `{given}`; there are {}", Controller::ALL.map(Controller::name).join(", "))]
pub struct UnknownController {
    pub given: String,
}

impl std::str::FromStr for Controller {
    type Err = UnknownController;

    fn from_str(text: &str) -> Result<Self, UnknownController> {
        let found = Self::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| UnknownController {
            given: text.to_owned(),
        })
    }
}

impl WorldAids {
    /// One line for each, as results show them.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let biome = self.biome.iter().map(|biome| {
            format!("biome: begins at the place in {biome} nearest to 0,0 where the rules of spawn allow it")
        });
        let controller = (!self.controller.is_scripted()).then(|| {
            let (name, about) = (self.controller.name(), self.controller.about());
            format!("controller {name} ({about})")
        });
        let reports = (!self.reports.is_typed()).then(|| self.reports.line());
        let senses = (!self.senses.is_scout()).then(|| self.senses.line());
        biome
            .chain(controller)
            .chain(reports)
            .chain(senses)
            .chain(self.given_line())
            .chain(self.powers.line())
            .collect()
    }

    /// What the body was given, as results show it; none if that was nothing.
    #[must_use]
    pub fn given_line(&self) -> Option<String> {
        let given = start_inventory_text(&self.given);
        (!self.given.is_empty()).then(|| format!("given: the body begins with {given}"))
    }
}
