//! Columns: the levels of a block's rows, one coordinate of all rows after the other.
//!
//! A query of few words has few coordinates, and reads only those columns, each in one go. Single rows are
//! spread over all columns, which a query pays for the few that it asks about. Invariant: zeros stand where a
//! row is still to come.

use super::vector_index::ROWS;

/// Columns read at the same time: memory answers several requests as fast as one.
const AT_ONCE: usize = 8;

/// One coordinate of a query that is not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) dim: usize,
    pub(super) level: i16,
}

/// The products of a block's rows with a query.
pub(super) type Products = [i32; ROWS];

/// The levels of up to `ROWS` rows, each byte an `i8`, and how large a step of each row is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    steps: Vec<f32>,
    bytes: Vec<u8>,
}

impl Columns {
    pub(super) fn empty(dims: usize) -> Self {
        Self {
            steps: Vec::with_capacity(ROWS),
            bytes: vec![0; ROWS * dims],
        }
    }

    /// The columns of a full block, as `bytes` gave them; the steps of its rows are to follow.
    pub(super) fn full(bytes: Vec<u8>) -> Self {
        Self {
            steps: Vec::with_capacity(ROWS),
            bytes,
        }
    }

    /// The step of the next row.
    pub(super) fn step(&mut self, step: f32) {
        self.steps.push(step);
    }

    #[inline(always)]
    pub(super) fn steps(&self) -> &[f32] {
        &self.steps
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds the next row.
    pub(super) fn push(&mut self, levels: &[i8], step: f32) {
        for (column, level) in self.bytes.chunks_exact_mut(ROWS).zip(levels) {
            column[self.steps.len()] = level.cast_unsigned();
        }
        self.step(step);
    }

    /// The coordinates of a row, in order.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = i8> {
        let columns = self.bytes.chunks_exact(ROWS);
        columns.map(move |column| column[row].cast_signed())
    }

    /// The product of a row with a query.
    #[inline(always)]
    pub(super) fn product(&self, row: usize, query: &[Wanted]) -> i32 {
        let level = |wanted: &Wanted| self.bytes[wanted.dim * ROWS + row].cast_signed();
        let product = |wanted: &Wanted| i32::from(level(wanted)) * i32::from(wanted.level);
        query.iter().map(product).sum()
    }

    /// The products of all rows with a query; zeros where a row is still to come.
    #[inline(always)]
    pub(super) fn products(&self, query: &[Wanted], into: &mut Products) {
        into.fill(0);
        let (columns, _) = self.bytes.as_chunks::<ROWS>();
        for some in query.chunks(AT_ONCE) {
            let wanted: [(&[u8; ROWS], i32); AT_ONCE] =
                std::array::from_fn(|n| match some.get(n) {
                    Some(wanted) => (&columns[wanted.dim], i32::from(wanted.level)),
                    None => (&columns[0], 0),
                });
            for (row, product) in into.iter_mut().enumerate() {
                for (column, level) in wanted {
                    *product += i32::from(column[row].cast_signed()) * level;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_products_are_theirs() {
        const DIMS: usize = 20;
        let row =
            |n: usize| -> Vec<i8> { (0..DIMS).map(|dim| (n * 31 + dim * 17) as i8).collect() };
        let mut columns = Columns::empty(DIMS);
        (0..600).for_each(|n| columns.push(&row(n), n as f32));
        // More than are read at the same time.
        let query: Vec<Wanted> = (3..DIMS)
            .map(|dim| Wanted {
                dim,
                level: 300 - 31 * dim as i16,
            })
            .collect();
        let mut products = [7; ROWS];
        columns.products(&query, &mut products);
        for (n, found) in products.iter().enumerate().take(600) {
            let levels: Vec<i8> = columns.row(n).collect();
            assert_eq!(levels, row(n));
            let product = |wanted: &Wanted| i32::from(levels[wanted.dim]) * i32::from(wanted.level);
            let expected: i32 = query.iter().map(product).sum();
            assert_eq!(columns.product(n, &query), expected);
            assert_eq!(*found, expected);
        }
        assert_eq!(products[600..], [0; ROWS - 600], "no rows there yet");
        let mut full = Columns::full(columns.bytes().to_vec());
        columns.steps().iter().for_each(|step| full.step(*step));
        assert_eq!(full, columns);
        assert_eq!(full.row(300).collect::<Vec<i8>>(), row(300));
    }
}
