//! Reports: what the body's own account of a failure amounts to.

use pithead_world::action::{ActionFailure, FailureClass, Unbuilt};

/// What another step of a plan could provide. The order in the table makes these weigh
/// before what is inferred.
pub(super) fn is_missing(failure: &ActionFailure) -> bool {
    matches!(
        failure,
        ActionFailure::NoDrop { .. }
            | ActionFailure::WornOut { left: 0, .. }
            | ActionFailure::NoRecipe { .. }
            | ActionFailure::NoStation { .. }
            | ActionFailure::MissingIngredient { .. }
            | ActionFailure::TooFewLevels { .. }
            | ActionFailure::NoFuel
            | ActionFailure::NotHeld { .. }
            | ActionFailure::Unbuilt {
                because: Unbuilt::Short { .. },
                ..
            }
    )
}

/// Room and slots are no tools: the order does not fit the place or the bag.
pub(super) fn is_invalid(failure: &ActionFailure) -> bool {
    matches!(
        failure,
        ActionFailure::Invalid { .. }
            | ActionFailure::NoRoom { .. }
            | ActionFailure::InventoryFull
            | ActionFailure::Unbuilt {
                because: Unbuilt::Blocked { .. },
                ..
            }
    )
}

/// The controller, or the builder, gave up for want of time.
pub(super) fn is_late(failure: &ActionFailure) -> bool {
    matches!(
        failure,
        ActionFailure::OutOfTime { .. }
            | ActionFailure::Unbuilt {
                because: Unbuilt::OutOfTime { .. },
                ..
            }
    )
}

/// Searched until there was nothing more to look at, or until the tool had to be spared.
pub(super) fn is_vain_search(failure: &ActionFailure) -> bool {
    feels(Some(failure), FailureClass::FoundNothing)
        || matches!(
            failure,
            ActionFailure::NoTarget { .. }
                | ActionFailure::WornOut { left: 1.., .. }
                | ActionFailure::Unbuilt {
                    because: Unbuilt::NoSite,
                    ..
                }
        )
}

/// How far the body explains a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explained {
    /// There is none, or it says what it was.
    Yes,
    /// It says only that it did not work.
    DidNotWork,
    /// It does not say.
    No,
}

impl Explained {
    pub(super) fn of(report: Option<&ActionFailure>) -> Self {
        match report {
            Some(ActionFailure::Untold) => Self::No,
            Some(ActionFailure::Felt {
                class: FailureClass::DidNotWork,
            }) => Self::DidNotWork,
            _ => Self::Yes,
        }
    }
}

/// The body says no more than that it felt this.
pub(super) fn feels(report: Option<&ActionFailure>, felt: FailureClass) -> bool {
    matches!(report, Some(ActionFailure::Felt { class }) if *class == felt)
}

/// The body told less than it knew.
pub(super) fn is_cut(report: Option<&ActionFailure>) -> bool {
    matches!(
        report,
        Some(ActionFailure::Felt { .. } | ActionFailure::Untold)
    )
}
