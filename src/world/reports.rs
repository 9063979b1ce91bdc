//! Reports: how much of a failure the body tells.
//!
//! Typed bodies know recipes, tools and places; a person's body feels only that something did not work.
//! Invariant: what is cut is cut before anybody reads or records the report.

use super::action::{ActionFailure, FailureClass, Unbuilt};
use serde::{Deserialize, Serialize};

/// How much of a failure is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reports {
    /// Everything: which ingredient, station, tool or place.
    #[default]
    Typed,
    /// What a person's body would feel: one of six classes.
    Coarse,
    /// That it failed.
    None,
}

impl Reports {
    pub const ALL: [Self; 3] = [Self::Typed, Self::Coarse, Self::None];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Typed => "typed",
            Self::Coarse => "coarse",
            Self::None => "none",
        }
    }

    /// What it is, for the head of a result.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Typed => "the body names what was missing or in the way",
            Self::Coarse => {
                "the body says only that it did not work, found nothing, had no way, was in danger, died or ran out of time"
            }
            Self::None => "the body says only whether it succeeded",
        }
    }

    /// As results show it.
    #[must_use]
    pub fn line(self) -> String {
        format!("reports {}: {}", self.name(), self.about())
    }

    /// For serde, which leaves the default out.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        *self == Self::Typed
    }

    /// The failure as it is told. A cancellation is no failure of the body and stays.
    #[must_use]
    pub fn told(self, failure: ActionFailure) -> ActionFailure {
        match (self, failure) {
            (_, ActionFailure::Cancelled) => ActionFailure::Cancelled,
            (Self::Typed, failure) => failure,
            (Self::Coarse, failure) => match failure_class(&failure) {
                Some(class) => ActionFailure::Felt { class },
                None => failure,
            },
            (Self::None, _) => ActionFailure::Untold,
        }
    }
}

/// The class of a typed failure; none if it tells no more than a class.
fn failure_class(failure: &ActionFailure) -> Option<FailureClass> {
    use ActionFailure as F;
    Some(match failure {
        // A tool that is spared still works: there was only nothing to spend it on.
        F::NoTarget { .. } | F::WornOut { left: 1.., .. } => FailureClass::FoundNothing,
        F::NoPath { .. } | F::Stuck { .. } => FailureClass::NoWay,
        F::Danger { .. } if failure.is_barred() => FailureClass::NoWay,
        F::Danger { .. } => FailureClass::InDanger,
        F::Died { .. } => FailureClass::Died,
        F::OutOfTime { .. } => FailureClass::OutOfTime,
        F::Unbuilt { because, .. } => match because {
            Unbuilt::NoSite => FailureClass::FoundNothing,
            Unbuilt::OutOfTime { .. } => FailureClass::OutOfTime,
            Unbuilt::Blocked { .. } | Unbuilt::Short { .. } => FailureClass::DidNotWork,
        },
        F::NoDrop { .. }
        | F::InWater { .. }
        | F::WornOut { left: 0, .. }
        | F::NoRecipe { .. }
        | F::NoStation { .. }
        | F::MissingIngredient { .. }
        | F::TooFewLevels { .. }
        | F::NoFuel
        | F::NotHeld { .. }
        | F::InventoryFull
        | F::GuiBlocked { .. }
        | F::NoRoom { .. }
        | F::Invalid { .. } => FailureClass::DidNotWork,
        F::Felt { .. } | F::Untold | F::Cancelled => return None,
    })
}

/// There is no such level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown level of reports `{given}`; there are {}", Reports::ALL.map(Reports::name).join(", "))]
pub struct UnknownReports {
    pub given: String,
}

impl std::str::FromStr for Reports {
    type Err = UnknownReports;

    fn from_str(text: &str) -> Result<Self, UnknownReports> {
        let found = Self::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| UnknownReports {
            given: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Pos;

    fn no_sticks() -> ActionFailure {
        ActionFailure::MissingIngredient {
            item: "wooden_pickaxe".parse().unwrap(),
            needs: "stick".parse().unwrap(),
            have: 0,
            need: 2,
        }
    }

    #[test]
    fn a_cut_report_names_neither_thing_nor_place() {
        let stuck = ActionFailure::Stuck {
            at: Pos::new(7, 71, 7),
        };
        for (failure, class) in [
            (no_sticks(), FailureClass::DidNotWork),
            (stuck, FailureClass::NoWay),
        ] {
            assert_eq!(Reports::Typed.told(failure.clone()), failure);
            let felt = ActionFailure::Felt { class };
            assert_eq!(Reports::Coarse.told(failure.clone()), felt);
            assert_eq!(Reports::Coarse.told(felt.clone()), felt, "cut once");
            assert_eq!(Reports::None.told(failure), ActionFailure::Untold);
        }
        let text = serde_json::to_string(&Reports::Coarse.told(no_sticks())).unwrap();
        assert_eq!(text, r#"{"why":"felt","class":"did_not_work"}"#);
    }

    #[test]
    fn being_called_off_is_told_at_every_level() {
        for level in Reports::ALL {
            assert_eq!(
                level.told(ActionFailure::Cancelled),
                ActionFailure::Cancelled
            );
        }
    }
}
