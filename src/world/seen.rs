//! Seen cells: blocks that came into sight, packed for the journal.
//!
//! On the wire: `{"at":[x,y,z],"names":[..],"cells":[name,dx,dy,dz, ..]}` with offsets from `at`.

use super::block::BlockId;
use super::space::Pos;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Blocks with their positions, in the order they were seen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeenCells(pub Vec<(Pos, BlockId)>);

#[derive(Serialize, Deserialize)]
struct Wire {
    at: Pos,
    names: Vec<BlockId>,
    cells: Vec<i32>,
}

impl Serialize for SeenCells {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = self.0.first().map_or(Pos::default(), |(pos, _)| *pos);
        let mut names: Vec<BlockId> = Vec::new();
        let mut cells = Vec::with_capacity(self.0.len() * 4);
        for (pos, block) in &self.0 {
            let name = names.iter().position(|b| b == block).unwrap_or_else(|| {
                names.push(*block);
                names.len() - 1
            });
            let name = i32::try_from(name).unwrap_or(i32::MAX);
            cells.extend([name, pos.x - at.x, pos.y - at.y, pos.z - at.z]);
        }
        Wire { at, names, cells }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SeenCells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Wire { at, names, cells } = Wire::deserialize(deserializer)?;
        let fault = || serde::de::Error::custom("seen cells do not fit their table of names");
        if cells.len() % 4 != 0 {
            return Err(fault());
        }
        cells
            .chunks_exact(4)
            .map(|cell| {
                let name = usize::try_from(cell[0]).ok().and_then(|i| names.get(i));
                let place = |a: i32, d: i32| a.checked_add(d);
                let (x, y, z) = (
                    place(at.x, cell[1]),
                    place(at.y, cell[2]),
                    place(at.z, cell[3]),
                );
                match (name, x, y, z) {
                    (Some(block), Some(x), Some(y), Some(z)) => Ok((Pos::new(x, y, z), *block)),
                    _ => Err(fault()),
                }
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}
