//! Abilities: which orders no body on a server can carry out, by the tables of the game.
//!
//! Asked before a plan is accepted, so that what is impossible is refused by name and never tried. In the embedded world
//! the body finds out by trying, in the same words.

use crate::action::Action;
use crate::farming::{crops_giving, feed_of};
use crate::fishing::chance_of;
use crate::trade::offers_for;

/// Why no body on a server can carry out the action; none if one can.
#[must_use]
pub fn impossible_on_server(action: &Action) -> Option<String> {
    match action {
        Action::Fish { item, .. } if chance_of(*item) <= 0.0 => {
            Some(format!("{item} cannot be fished"))
        }
        Action::Grow { item, .. } if crops_giving(*item).next().is_none() => {
            Some(format!("{item} does not grow"))
        }
        Action::Breed { mob } if feed_of(*mob).next().is_none() => {
            Some(format!("a {mob} does not breed"))
        }
        Action::Trade { item, .. } if offers_for(*item).is_empty() => {
            Some(format!("no villager trades {item}"))
        }
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
        | Action::Wait { .. }
        | Action::Fish { .. }
        | Action::Grow { .. }
        | Action::Breed { .. }
        | Action::Trade { .. }
        | Action::Enchant { .. }
        | Action::Dye { .. }
        | Action::Repair { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mob::MobKind;

    #[track_caller]
    fn check(action: &Action, expected: &str) {
        assert_eq!(impossible_on_server(action).as_deref(), Some(expected));
    }

    #[test]
    fn what_the_tables_rule_out_is_refused_by_name() {
        let diamond = "diamond".parse().unwrap();
        let fish = |item| Action::Fish { item, count: 1 };
        check(&fish(diamond), "diamond cannot be fished");
        assert_eq!(impossible_on_server(&fish("cod".parse().unwrap())), None);
        let grow = Action::Grow {
            item: diamond,
            count: 1,
        };
        check(&grow, "diamond does not grow");
        let mob = MobKind::Zombie;
        check(&Action::Breed { mob }, "a zombie does not breed");
        let trade = Action::Trade {
            item: "iron_ingot".parse().unwrap(),
            count: 1,
        };
        check(&trade, "no villager trades iron_ingot");
    }
}
