//! Costs: what a piece of something costs, and what is got once for all pieces.
//!
//! In hundredths of the unit of `price`, because a piece may cost a part of one crafting.

/// Hundredths of the unit of `price`.
const SCALE: u64 = 100;

/// What getting something costs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cost {
    piece: u64,
    /// Tools and stations on the way, by number, with their prices: however many pieces, each is got once.
    lasting: Vec<(usize, u64)>,
    /// Not so many pieces as are wanted can be had at this cost.
    is_of_some: bool,
}

impl Cost {
    /// A cost in the unit of `price`.
    pub(super) fn of(price: u64) -> Self {
        Self {
            piece: price.saturating_mul(SCALE),
            lasting: Vec::new(),
            is_of_some: false,
        }
    }

    /// The same for some pieces, not for all that are wanted.
    pub(super) fn of_some(self) -> Self {
        Self {
            is_of_some: true,
            ..self
        }
    }

    /// Whether so many pieces cost less; a cost of all of them is better than one of some.
    pub(super) fn is_less(&self, other: &Self, count: u32) -> bool {
        let order = |cost: &Self| (cost.is_of_some, cost.of_pieces(count));
        order(self) < order(other)
    }

    /// What so many pieces cost, in hundredths.
    pub(super) fn of_pieces(&self, count: u32) -> u64 {
        let pieces = self.piece.saturating_mul(u64::from(count.max(1)));
        let prices = self.lasting.iter().map(|(_, price)| *price);
        prices.fold(pieces, u64::saturating_add)
    }

    /// As much more as so many pieces of a part cost, and what is got once for them.
    pub(super) fn add_used(&mut self, part: &Self, count: u32) {
        let price = part.piece.saturating_mul(u64::from(count));
        self.piece = self.piece.saturating_add(price);
        self.take_lasting(part);
    }

    /// A tool or station that has to be got, with what is got once for it.
    pub(super) fn add_lasting(&mut self, number: usize, part: &Self, count: u32) {
        self.take_lasting(part);
        self.once(number, part.piece.saturating_mul(u64::from(count)));
    }

    fn take_lasting(&mut self, other: &Self) {
        for (number, price) in &other.lasting {
            self.once(*number, *price);
        }
    }

    fn once(&mut self, number: usize, price: u64) {
        match self.lasting.binary_search_by_key(&number, |(at, _)| *at) {
            Ok(at) => self.lasting[at].1 = self.lasting[at].1.max(price),
            Err(at) => self.lasting.insert(at, (number, price)),
        }
    }

    /// Of a cost of so many pieces the share of one.
    pub(super) fn a_piece_of(mut self, count: u32) -> Self {
        self.piece = self.piece.div_ceil(u64::from(count.max(1)));
        self
    }

    /// Leaves out what is got anyway.
    pub(super) fn without(mut self, is_got: impl Fn(usize) -> bool) -> Self {
        self.lasting.retain(|(number, _)| !is_got(*number));
        self
    }
}
