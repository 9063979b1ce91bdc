//! What the game gives in its overworld and this world does not, for those who ask how to get it.
//!
//! Invariant: no other way of `how` gives such an item.

use crate::item::ItemId;

const ABSENT: [(&str, &str); 1] = [(
    "trident",
    "in the game, kill a drowned (hostile) that holds one: 1, chance 8.5 %; the drowned of this world hold none",
)];

/// How the game gives the item, if this world does not.
#[must_use]
pub fn only_in_the_game(item: ItemId) -> Option<&'static str> {
    let mut absent = ABSENT.iter();
    let found = absent.find(|(name, _)| *name == item.name());
    found.map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::how::how;

    #[test]
    fn what_only_the_game_gives_has_no_way_here() {
        for (name, _) in ABSENT {
            let item: ItemId = name.parse().unwrap();
            assert_eq!(how(item), [], "{name}");
            assert!(only_in_the_game(item).is_some());
        }
        assert_eq!(only_in_the_game("stick".parse().unwrap()), None);
    }
}
