//! Abilities: which actions the body on a server can carry out.
//!
//! Asked before a plan is accepted, so that what is impossible is refused by name and never tried.

use crate::action::Action;

/// Why the body on a server cannot carry out the action; none if it can.
#[must_use]
pub fn impossible_on_server(action: &Action) -> Option<String> {
    if let Action::Build {
        blueprint: Some(blueprint),
        ..
    } = action
    {
        return Some(format!(
            "the body on a Minecraft server cannot build {blueprint} by its blueprint yet"
        ));
    }
    let is_possible = match action {
        Action::Explore { .. }
        | Action::Approach { .. }
        | Action::Goto { .. }
        | Action::Mine { .. }
        | Action::Attack { .. }
        | Action::Craft { .. }
        | Action::Smelt { .. }
        | Action::Equip { .. }
        | Action::Place { .. }
        | Action::DigDown { .. }
        | Action::GoUp { .. }
        | Action::Use { .. }
        | Action::Take { .. }
        | Action::Put { .. }
        | Action::Sleep
        | Action::Build { .. }
        | Action::Raw { .. }
        | Action::Eat
        | Action::Wait { .. } => true,
        Action::Fish { .. }
        | Action::Grow { .. }
        | Action::Breed { .. }
        | Action::Trade { .. }
        | Action::Enchant { .. }
        | Action::Dye { .. }
        | Action::Repair { .. } => false,
    };
    let name = action.name();
    (!is_possible).then(|| format!("the body on a Minecraft server cannot {name} yet"))
}
