//! Presence: who is at a run, and who of them commands it.
//!
//! Invariant: at most one of them has the seat; whoever leaves it gives it to the guest that asked first.

use super::shown_name;
use serde::{Deserialize, Serialize};

/// Who is at a run, as one of them sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Presence {
    /// The number of the guest that reads this.
    pub you: u64,
    /// Who has the seat.
    pub commander: Option<u64>,
    /// The consoles that are attached, in the order in which they came.
    pub guests: Vec<Guest>,
}

/// A console at a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guest {
    pub id: u64,
    pub name: String,
    /// It asks for the seat.
    #[serde(default)]
    pub asks: bool,
}

impl Presence {
    /// With names as they may be shown, whoever wrote them.
    pub(super) fn cleaned(self) -> Self {
        let guests = self.guests.into_iter().map(|guest| Guest {
            name: shown_name(&guest.name),
            ..guest
        });
        Self {
            guests: guests.collect(),
            ..self
        }
    }

    /// The reader has the seat.
    #[must_use]
    pub fn commands(&self) -> bool {
        self.commander.is_some() && self.commander == Some(self.you)
    }

    /// The name of whoever commands, if it is not the reader.
    #[must_use]
    pub fn other_commander(&self) -> Option<&str> {
        let commander = self.commander.filter(|id| *id != self.you)?;
        let named = self.guests.iter().find(|guest| guest.id == commander);
        Some(named.map_or("a command line", |guest| guest.name.as_str()))
    }

    /// The guest that has asked for the seat and waits for it.
    #[must_use]
    pub fn asking(&self) -> Option<&Guest> {
        self.guests.iter().find(|guest| guest.asks)
    }

    /// Consoles besides the reader's.
    #[must_use]
    pub fn others(&self) -> usize {
        let others = self.guests.iter().filter(|guest| guest.id != self.you);
        others.count()
    }
}
