//! Scrolling: the row that a motion leads to, and which rows are in sight then.

/// The row after a motion, in a list of `len` rows.
#[must_use]
pub fn moved(row: usize, len: usize, page: usize, motion: Motion) -> usize {
    let last = len.saturating_sub(1);
    match motion {
        Motion::Up => row.saturating_sub(1),
        Motion::Down => (row + 1).min(last),
        Motion::PageUp => row.saturating_sub(page.max(1)),
        Motion::PageDown => (row + page.max(1)).min(last),
        Motion::Top => 0,
        Motion::Bottom => last,
        Motion::Left | Motion::Right => row,
    }
}

/// The first row shown, so that `row` is well in sight.
#[must_use]
pub fn window(row: usize, len: usize, height: usize) -> usize {
    row.saturating_sub(height / 2)
        .min(len.saturating_sub(height))
}

/// Moving within a pane or page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_within_their_list() {
        assert_eq!(moved(0, 3, 10, Motion::Up), 0);
        assert_eq!(moved(1, 3, 10, Motion::PageDown), 2);
        assert_eq!(moved(0, 0, 0, Motion::Bottom), 0);
        assert_eq!(moved(2, 3, 10, Motion::Top), 0);
    }

    #[test]
    fn the_window_keeps_the_row_in_sight() {
        for len in 0..30 {
            for height in 1..12 {
                for row in 0..len {
                    let first = window(row, len, height);
                    assert!(
                        first <= row && row < first + height,
                        "{row} of {len} in {height}"
                    );
                }
            }
        }
    }
}
