//! Reports: what the body's own account of a failure amounts to.

use pithead_world::action::ActionFailure;
use pithead_world::block::BlockId;

/// Given up because of something that nothing breaks: that is a barrier and no danger.
pub(super) fn is_barred(failure: &ActionFailure) -> bool {
    let ActionFailure::Danger { of } = failure else {
        return false;
    };
    // A negative hardness marks what nothing breaks, as bedrock; fluids are left to be
    // dangers.
    BlockId::named(of).is_some_and(|block| block.facts().hardness < 0.0 && !block.is_fluid())
}

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
    )
}

/// Room and slots are no tools: the order does not fit the place or the bag.
pub(super) fn is_invalid(failure: &ActionFailure) -> bool {
    matches!(
        failure,
        ActionFailure::Invalid { .. } | ActionFailure::NoRoom { .. } | ActionFailure::InventoryFull
    )
}

/// Searched until there was nothing more to look at, or until the tool had to be spared.
pub(super) fn is_vain_search(failure: &ActionFailure) -> bool {
    matches!(
        failure,
        ActionFailure::NoTarget { .. } | ActionFailure::WornOut { left: 1.., .. }
    )
}
