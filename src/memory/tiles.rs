//! Tiles: the levels of a block's rows, some hundred rows at a time, one coordinate after the other.
//!
//! A query of few words has few coordinates, and a tile gives one coordinate of all its rows in a few lines of
//! the processor's cache: such a query reads only what it asks for, of every row. Larger tiles are read faster
//! by such queries, and single rows slower. Invariant: a tile holds the rows
//! that follow each other, and zeros where a row is still to come.

/// Rows of one tile: four lines of the processor's cache for each coordinate.
pub(super) const TILE: usize = 256;

/// Coordinates read at the same time: memory answers several requests as fast as one.
const AT_ONCE: usize = 4;

/// One coordinate of a query that is not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) dim: usize,
    pub(super) level: i16,
}

/// The levels of rows side by side; each byte is an `i8`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tiles {
    dims: usize,
    rows: usize,
    bytes: Vec<u8>,
}

impl Tiles {
    /// Room for so many rows at once, so that they never move.
    pub(super) fn with_room(dims: usize, rows: usize) -> Self {
        Self {
            dims,
            rows: 0,
            bytes: Vec::with_capacity(rows.next_multiple_of(TILE) * dims),
        }
    }

    /// Full tiles, as `bytes` gave them.
    pub(super) fn of(dims: usize, bytes: Vec<u8>) -> Self {
        Self {
            dims,
            rows: bytes.len() / dims.max(1),
            bytes,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes held.
    pub(super) fn held(&self) -> usize {
        self.bytes.capacity()
    }

    /// Adds the next row.
    pub(super) fn push(&mut self, levels: &[i8]) {
        let row = self.rows % TILE;
        if row == 0 {
            self.bytes.resize(self.bytes.len() + TILE * self.dims, 0);
        }
        let first = self.rows / TILE * TILE * self.dims;
        for (line, level) in self.bytes[first..].chunks_exact_mut(TILE).zip(levels) {
            line[row] = level.cast_unsigned();
        }
        self.rows += 1;
    }

    /// The coordinates of a row, in order.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = i8> {
        let first = row / TILE * TILE * self.dims;
        let tile = &self.bytes[first..][..TILE * self.dims];
        tile.chunks_exact(TILE)
            .map(move |line| line[row % TILE].cast_signed())
    }

    /// The product of a row with a query.
    #[inline(always)]
    pub(super) fn product(&self, row: usize, query: &[Wanted]) -> i32 {
        let first = row / TILE * TILE * self.dims + row % TILE;
        let bytes = &self.bytes[first..];
        let product = |wanted: &Wanted| {
            i32::from(bytes[wanted.dim * TILE].cast_signed()) * i32::from(wanted.level)
        };
        query.iter().map(product).sum()
    }

    /// The products of a tile's rows with a query.
    #[inline(always)]
    pub(super) fn products(&self, tile: usize, query: &[Wanted]) -> [i32; TILE] {
        let mut products = [0; TILE];
        let bytes = &self.bytes[tile * TILE * self.dims..][..TILE * self.dims];
        let (lines, _) = bytes.as_chunks::<TILE>();
        for some in query.chunks(AT_ONCE) {
            let of = |n: usize| {
                some.get(n)
                    .map_or((&lines[0], 0), |w| (&lines[w.dim], w.level))
            };
            let wanted: [(&[u8; TILE], i16); AT_ONCE] = std::array::from_fn(of);
            for (row, product) in products.iter_mut().enumerate() {
                for (line, level) in wanted {
                    *product += i32::from(line[row].cast_signed()) * i32::from(level);
                }
            }
        }
        products
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_products_are_theirs() {
        let dims = 5;
        let row =
            |n: usize| -> Vec<i8> { (0..dims).map(|dim| (n * 31 + dim * 17) as i8).collect() };
        let mut tiles = Tiles::with_room(dims, 900);
        let held = tiles.held();
        (0..600).for_each(|n| tiles.push(&row(n)));
        assert_eq!(tiles.held(), held, "they did not move");
        let query = [(1, 300), (4, -7)].map(|(dim, level)| Wanted { dim, level });
        for n in 0..600 {
            let levels: Vec<i8> = tiles.row(n).collect();
            assert_eq!(levels, row(n));
            let product = i32::from(levels[1]) * 300 - i32::from(levels[4]) * 7;
            assert_eq!(tiles.product(n, &query), product);
            assert_eq!(tiles.products(n / TILE, &query)[n % TILE], product);
        }
        assert_eq!(tiles.products(2, &query)[TILE - 1], 0, "no row there yet");
        let full = Tiles::of(dims, tiles.bytes()[..2 * TILE * dims].to_vec());
        assert_eq!(full.row(300).collect::<Vec<i8>>(), row(300));
    }
}
