//! Edges: which way a fluid runs over level ground, to the nearest edge that it falls over.
//!
//! The ground around is a window of cells, one bit for each. Invariant: no cell is asked about twice.

use crate::space::{Facing, Pos};

/// Cells along one side of the window: what is felt from the cells beside the middle fits in.
const SIDE: u32 = 11;
const HALF: u32 = SIDE / 2;
/// The cell of the fluid itself.
const MIDDLE: u128 = 1 << (HALF * SIDE + HALF);
/// An edge draws a fluid from at most so many cells beyond the one beside it.
pub(super) const FELT_MAX: u8 = HALF as u8 - 1;

/// The sides that lead to an edge soonest, if it is at most `feels` cells beyond the one beside; all that are open where
/// there is none so near. A cell `is_open` if the fluid can run through it, and `is_edge` if it runs down from there.
pub(super) fn ways_down(
    from: Pos,
    feels: u8,
    is_open: impl Fn(Pos) -> bool,
    is_edge: impl Fn(Pos) -> bool,
) -> [Option<Facing>; 4] {
    debug_assert!(feels <= FELT_MAX);
    let (mut open, mut edges) = (Answers::new(from, is_open), Answers::new(from, is_edge));
    let mut reached = Facing::FLAT.map(|side| open.among(beside(side)));
    let sides = |lead: [bool; 4]| std::array::from_fn(|at| lead[at].then_some(Facing::FLAT[at]));
    let all = reached.map(|cells| cells != 0);
    let mut passed = [MIDDLE; 4];
    for left in (0..=feels).rev() {
        let lead = reached.map(|cells| edges.among(cells) != 0);
        if lead.contains(&true) {
            return sides(lead);
        }
        if left == 0 {
            break;
        }
        for (cells, passed) in reached.iter_mut().zip(&mut passed) {
            *passed |= *cells;
            *cells = open.among(around(*cells) & !*passed);
        }
    }
    sides(all)
}

fn beside(side: Facing) -> u128 {
    match side {
        Facing::North => MIDDLE >> SIDE,
        Facing::South => MIDDLE << SIDE,
        Facing::West => MIDDLE >> 1,
        _ => MIDDLE << 1,
    }
}

/// The neighbours of cells. None of these lies at the border of the window, where rows would run into each other.
fn around(cells: u128) -> u128 {
    cells >> SIDE | cells << SIDE | cells >> 1 | cells << 1
}

/// The answers to one question about the cells of the window.
struct Answers<F> {
    middle: Pos,
    ask: F,
    asked: u128,
    yes: u128,
}

impl<F: Fn(Pos) -> bool> Answers<F> {
    fn new(middle: Pos, ask: F) -> Self {
        Self {
            middle,
            ask,
            asked: 0,
            yes: 0,
        }
    }

    /// Those of these cells for which the answer is yes.
    fn among(&mut self, cells: u128) -> u128 {
        let mut new = cells & !self.asked;
        self.asked |= cells;
        while new != 0 {
            let bit = new.trailing_zeros();
            new &= new - 1;
            let along = |n: u32| n as i32 - HALF as i32;
            let at = self.middle.plus(along(bit % SIDE), 0, along(bit / SIDE));
            self.yes |= u128::from((self.ask)(at)) << bit;
        }
        self.yes & cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    const HERE: Pos = Pos::new(-3, 40, 7);

    /// The ways down over open ground with walls and edges at these offsets.
    fn ways(walls: &[(i32, i32)], edges: &[(i32, i32)], feels: u8) -> Vec<Facing> {
        let is = |cells: &[(i32, i32)], at: Pos| cells.contains(&(at.x - HERE.x, at.z - HERE.z));
        let ways = ways_down(HERE, feels, |at| !is(walls, at), |at| is(edges, at));
        ways.into_iter().flatten().collect()
    }

    #[test]
    fn an_edge_draws_from_as_far_as_it_is_felt() {
        let all = Facing::FLAT.to_vec();
        assert_eq!(ways(&[], &[], 4), all);
        assert_eq!(ways(&[], &[(5, 0)], 4), [Facing::East]);
        assert_eq!(ways(&[], &[(5, 0)], 2), all);
        assert_eq!(ways(&[], &[(0, -2), (3, 0)], 4), [Facing::North]);
        assert_eq!(ways(&[], &[(2, 2)], 4), [Facing::East, Facing::South]);
    }

    #[test]
    fn walls_are_gone_around_and_closed_sides_lead_nowhere() {
        let round = [Facing::North, Facing::East, Facing::South];
        assert_eq!(ways(&[(2, 0)], &[(3, 0)], 4), round);
        assert_eq!(ways(&[(2, 0)], &[(3, 0)], 3), Facing::FLAT);
        let shut = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        assert_eq!(ways(&shut, &[(2, 0)], 4), []);
    }

    #[test]
    fn no_cell_is_asked_about_twice() {
        let asked = RefCell::new(BTreeMap::<Pos, u32>::new());
        let open = |at| {
            *asked.borrow_mut().entry(at).or_default() += 1;
            true
        };
        ways_down(HERE, 4, open, |_| false);
        // All within five steps but the cell itself, and no other.
        assert_eq!(asked.borrow().len(), 60);
        assert!(asked.borrow().values().all(|times| *times == 1));
    }
}
