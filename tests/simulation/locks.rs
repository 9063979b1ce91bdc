//! Locks between connections, as the operating system gives them: of the database file, and of the slots
//! of the shared memory that a write-ahead log has.

/// A file that was opened by a connection.
pub(crate) type HandleId = u64;

pub(crate) const SHARED: i32 = 1;
pub(crate) const RESERVED: i32 = 2;
const PENDING: i32 = 3;
pub(crate) const EXCLUSIVE: i32 = 4;

/// The levels of lock that connections hold on one file.
#[derive(Debug, Default)]
pub(crate) struct FileLocks(Vec<(HandleId, i32)>);

impl FileLocks {
    fn highest_of_others(&self, own: HandleId) -> i32 {
        let others = self.0.iter().filter(|(handle, _)| *handle != own);
        others.map(|(_, level)| *level).max().unwrap_or(0)
    }

    fn level(&self, own: HandleId) -> i32 {
        let own = self.0.iter().find(|(handle, _)| *handle == own);
        own.map_or(0, |(_, level)| *level)
    }

    fn set(&mut self, own: HandleId, level: i32) {
        self.0.retain(|(handle, _)| *handle != own);
        if level > 0 {
            self.0.push((own, level));
        }
    }

    /// Raises the lock; false if another's is in the way.
    pub(crate) fn lock(&mut self, own: HandleId, wanted: i32) -> bool {
        if self.level(own) >= wanted {
            return true;
        }
        let others = self.highest_of_others(own);
        let granted = match wanted {
            SHARED => others < PENDING,
            RESERVED => others < RESERVED,
            // Whoever waits for the readers to leave keeps new ones out.
            EXCLUSIVE if (SHARED..PENDING).contains(&others) => {
                self.set(own, PENDING);
                return false;
            }
            _ => others == 0,
        };
        if granted {
            self.set(own, wanted);
        }
        granted
    }

    pub(crate) fn unlock(&mut self, own: HandleId, level: i32) {
        if self.level(own) > level {
            self.set(own, level);
        }
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.0.iter().any(|(_, level)| *level >= RESERVED)
    }
}

/// Slots of the shared memory.
const SLOTS: usize = 8;
/// Whoever writes to the log holds this one.
pub(crate) const WRITE_SLOT: usize = 0;

/// Who holds the slots of one shared memory.
#[derive(Debug, Default)]
pub(crate) struct SlotLocks([Slot; SLOTS]);

#[derive(Debug, Default)]
struct Slot {
    shared: Vec<HandleId>,
    exclusive: Option<HandleId>,
}

impl SlotLocks {
    /// Takes all of these slots or none.
    pub(crate) fn lock(
        &mut self,
        own: HandleId,
        slots: std::ops::Range<usize>,
        exclusive: bool,
    ) -> bool {
        let wanted = &mut self.0[slots];
        let is_free = |slot: &Slot| {
            let shared = slot.shared.iter().any(|handle| *handle != own);
            slot.exclusive.is_none_or(|handle| handle == own) && !(exclusive && shared)
        };
        if !wanted.iter().all(is_free) {
            return false;
        }
        for slot in wanted {
            if exclusive {
                slot.exclusive = Some(own);
            } else if !slot.shared.contains(&own) {
                slot.shared.push(own);
            }
        }
        true
    }

    pub(crate) fn unlock(&mut self, own: HandleId, slots: std::ops::Range<usize>) {
        for slot in &mut self.0[slots] {
            slot.shared.retain(|handle| *handle != own);
            if slot.exclusive == Some(own) {
                slot.exclusive = None;
            }
        }
    }

    /// Who may write to the log.
    pub(crate) fn writer(&self) -> Option<HandleId> {
        self.0[WRITE_SLOT].exclusive
    }

    pub(crate) fn unlock_all(&mut self, own: HandleId) {
        self.unlock(own, 0..SLOTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_and_a_writer_excludes() {
        let mut file = FileLocks::default();
        assert!(file.lock(1, SHARED) && file.lock(2, SHARED));
        assert!(!file.lock(1, EXCLUSIVE), "another reads");
        assert!(!file.lock(3, SHARED), "one waits for the readers to leave");
        file.unlock(2, 0);
        assert!(file.lock(1, EXCLUSIVE) && !file.lock(2, SHARED));
        let mut slots = SlotLocks::default();
        assert!(slots.lock(1, 0..1, true) && !slots.lock(2, 0..2, true));
        assert!(slots.lock(2, 3..4, false) && slots.lock(1, 3..4, false));
        assert!(!slots.lock(1, 3..4, true));
        slots.unlock_all(2);
        assert!(slots.lock(1, 3..4, true));
    }
}
