//! The disk: what programs see of each file, and what of it would still be there after a power loss.
//!
//! A write is seen at once and durable when the file was synced after it. Invariant: what was synced stays;
//! of the rest a power loss keeps any part, in sectors.

use pithead_world::rng::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A disk writes this many bytes whole or not at all.
const SECTOR: usize = 512;

/// Where a file lies in the list of files.
pub(crate) type FileId = usize;

/// All files, with and without a name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Disk {
    files: Vec<File>,
    names: BTreeMap<String, FileId>,
    /// The names that are there after a power loss, whatever becomes of the others.
    durable_names: BTreeMap<String, FileId>,
    /// A planted fault: it says that it has synced, and has not.
    pub(crate) lies_about_syncs: bool,
}

#[derive(Debug, Clone, Default)]
struct File {
    now: Vec<u8>,
    durable: Vec<u8>,
    /// What is not durable yet, oldest first.
    pending: Vec<Pending>,
}

#[derive(Debug, Clone)]
enum Pending {
    Write { at: usize, bytes: Arc<[u8]> },
    Truncate { len: usize },
}

/// What a power loss does to the writes that were not synced.
#[derive(Debug, Clone, Copy)]
enum Mercy {
    /// All are gone.
    None,
    /// All were written by chance.
    All,
    /// The first ones were.
    First,
    /// Any of them, each whole.
    Some,
    /// Any of them, some in part.
    Torn,
}

impl Disk {
    /// The file of this name.
    pub(crate) fn find(&self, name: &str) -> Option<FileId> {
        self.names.get(name).copied()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.keys()
    }

    /// A new empty file of this name.
    pub(crate) fn create(&mut self, name: &str) -> FileId {
        let id = self.create_unnamed();
        self.names.insert(name.to_owned(), id);
        id
    }

    /// A file that ends with whoever opened it.
    pub(crate) fn create_unnamed(&mut self) -> FileId {
        self.files.push(File::default());
        self.files.len() - 1
    }

    /// Puts a whole file there, durable.
    pub(crate) fn install(&mut self, name: &str, bytes: Vec<u8>) {
        let id = self.create(name);
        self.files[id].durable.clone_from(&bytes);
        self.files[id].now = bytes;
        self.durable_names.insert(name.to_owned(), id);
    }

    pub(crate) fn remove(&mut self, name: &str, durably: bool) -> bool {
        if durably && !self.lies_about_syncs {
            self.durable_names.remove(name);
        }
        self.names.remove(name).is_some()
    }

    pub(crate) fn bytes(&self, id: FileId) -> &[u8] {
        &self.files[id].now
    }

    pub(crate) fn write(&mut self, id: FileId, at: usize, bytes: &[u8]) {
        let file = &mut self.files[id];
        put(&mut file.now, at, bytes);
        let bytes = bytes.into();
        file.pending.push(Pending::Write { at, bytes });
    }

    pub(crate) fn truncate(&mut self, id: FileId, len: usize) {
        let file = &mut self.files[id];
        file.now.resize(len, 0);
        file.pending.push(Pending::Truncate { len });
    }

    /// Makes all that was written durable, and the name with it.
    pub(crate) fn sync(&mut self, id: FileId) {
        if self.lies_about_syncs {
            return;
        }
        let file = &mut self.files[id];
        for pending in std::mem::take(&mut file.pending) {
            apply(&mut file.durable, &pending);
        }
        let named = self.names.iter().find(|(_, named)| **named == id);
        if let Some((name, _)) = named {
            self.durable_names.insert(name.clone(), id);
        }
    }

    /// What is there after the power failed at this moment.
    pub(crate) fn after_power_loss(&self, rng: &mut Rng) -> Self {
        let mut names = self.durable_names.clone();
        for (name, id) in &self.names {
            if self.durable_names.get(name) != Some(id) && rng.chance(0.5) {
                names.insert(name.clone(), *id);
            }
        }
        for name in self.durable_names.keys() {
            if !self.names.contains_key(name) && rng.chance(0.5) {
                names.remove(name);
            }
        }
        let mut left = Self {
            lies_about_syncs: self.lies_about_syncs,
            ..Self::default()
        };
        for (name, id) in names {
            left.install(&name, self.files[id].after_power_loss(rng));
        }
        left
    }

    /// Forgets a file, name and all.
    pub(crate) fn forget(&mut self, name: &str) {
        self.durable_names.remove(name);
        if let Some(id) = self.names.remove(name) {
            self.files[id] = File::default();
        }
    }
}

impl File {
    fn after_power_loss(&self, rng: &mut Rng) -> Vec<u8> {
        let mercy = match rng.below(8) {
            0 => Mercy::None,
            1 => Mercy::All,
            2 => Mercy::First,
            3 | 4 => Mercy::Some,
            _ => Mercy::Torn,
        };
        let first = rng.below(self.pending.len() as u64 + 1) as usize;
        let mut left = self.durable.clone();
        for (n, pending) in self.pending.iter().enumerate() {
            let whole = match mercy {
                Mercy::None => false,
                Mercy::All => true,
                Mercy::First => n < first,
                Mercy::Some => rng.chance(0.5),
                Mercy::Torn => rng.chance(0.4),
            };
            if whole {
                apply(&mut left, pending);
            } else if let (Mercy::Torn, Pending::Write { at, bytes }) = (mercy, pending) {
                tear(&mut left, *at, bytes, rng);
            }
        }
        left
    }
}

fn apply(file: &mut Vec<u8>, pending: &Pending) {
    match pending {
        Pending::Write { at, bytes } => put(file, *at, bytes),
        Pending::Truncate { len } => file.resize(*len, 0),
    }
}

fn put(file: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[at..end].copy_from_slice(bytes);
}

/// Writes some sectors of it.
fn tear(file: &mut Vec<u8>, at: usize, bytes: &[u8], rng: &mut Rng) {
    let mut from = 0;
    while from < bytes.len() {
        let to = (from + SECTOR - (at + from) % SECTOR).min(bytes.len());
        if rng.chance(0.5) {
            put(file, at + from, &bytes[from..to]);
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> (Disk, FileId) {
        let mut disk = Disk::default();
        let id = disk.create("a");
        disk.write(id, 0, &[1; 2048]);
        disk.sync(id);
        disk.write(id, 1024, &[2; 2048]);
        (disk, id)
    }

    #[test]
    fn what_was_synced_stays_and_the_rest_may_go_in_sectors() {
        let (disk, id) = written();
        assert_eq!(disk.bytes(id).len(), 3072);
        let (mut whole, mut none, mut torn) = (0, 0, 0);
        for seed in 0..200 {
            let left = disk.after_power_loss(&mut Rng::new(seed));
            let id = left.find("a").unwrap();
            let bytes = left.bytes(id);
            assert_eq!(bytes[..1024], [1; 1024]);
            for sector in bytes[1024..].chunks(SECTOR) {
                assert!(sector.iter().all(|byte| *byte == sector[0]), "seed {seed}");
            }
            let new = bytes[1024..].iter().filter(|byte| **byte == 2).count();
            match new {
                0 => none += 1,
                2048 => whole += 1,
                _ => torn += 1,
            }
        }
        assert!(
            whole > 10 && none > 10 && torn > 10,
            "{whole} {none} {torn}"
        );
    }

    #[test]
    fn a_name_that_was_not_synced_may_go_or_come_back() {
        let (mut disk, _) = written();
        disk.create("b");
        disk.remove("a", false);
        let found: Vec<(bool, bool)> = (0..50)
            .map(|seed| {
                let left = disk.after_power_loss(&mut Rng::new(seed));
                (left.find("a").is_some(), left.find("b").is_some())
            })
            .collect();
        for both in [(true, true), (true, false), (false, true), (false, false)] {
            assert!(found.contains(&both), "{both:?}");
        }
    }
}
