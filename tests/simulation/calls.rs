//! The calls of the file system, in safe Rust: what each does to the machine.

use crate::disk::FileId;
use crate::locks::{HandleId, WRITE_SLOT};
use crate::machine::{Dead, Handle, Machine, ProcessId, make_placeholder, remove_placeholder};
use crate::shared_memory::SharedMemory;
use crate::weather::Call;
use pithead_world::rng::mix;
use rusqlite::ffi;
use std::os::raw::c_int;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

/// The result of a call as SQLite names it.
pub(crate) type Called<T> = Result<T, c_int>;

impl From<Dead> for c_int {
    fn from(_: Dead) -> Self {
        ffi::SQLITE_IOERR
    }
}

/// A file as a connection has it open.
#[derive(Debug)]
pub(crate) struct OpenFile {
    machine: Arc<Machine>,
    process: ProcessId,
    id: HandleId,
    file: FileId,
    /// None for a temporary file.
    name: Option<String>,
    is_log: bool,
    is_read_only: bool,
    /// Kept for the pointers that SQLite has into it, whatever becomes of it on the machine.
    memory: OnceLock<Arc<SharedMemory>>,
}

impl OpenFile {
    /// Opens, or makes if `flags` say so.
    pub(crate) fn open(
        machine: &Arc<Machine>,
        process: ProcessId,
        name: Option<&str>,
        flags: c_int,
    ) -> Called<Self> {
        let mut inner = machine
            .pass(process, Call::Open, 0)
            .map_err(|_| ffi::SQLITE_CANTOPEN)?;
        let file = match name {
            None => inner.disk.create_unnamed(),
            Some(name) => match inner.disk.find(name) {
                Some(file) => file,
                None if flags & ffi::SQLITE_OPEN_CREATE == 0 => return Err(ffi::SQLITE_CANTOPEN),
                None if inner.is_full(process) => return Err(ffi::SQLITE_CANTOPEN),
                None => {
                    make_placeholder(name, true);
                    inner.disk.create(name)
                }
            },
        };
        inner.handles_made += 1;
        let id = inner.handles_made;
        let handle = Handle {
            process,
            file,
            mapped: None,
        };
        inner.handles.insert(id, handle);
        drop(inner);
        Ok(Self {
            machine: Arc::clone(machine),
            process,
            id,
            file,
            name: name.map(str::to_owned),
            is_log: flags & ffi::SQLITE_OPEN_WAL != 0,
            is_read_only: flags & ffi::SQLITE_OPEN_READONLY != 0,
            memory: OnceLock::new(),
        })
    }

    pub(crate) fn close(&self) {
        if let Ok(mut inner) = self.machine.pass(self.process, Call::Close, self.id) {
            inner.release(self.id);
        }
    }

    /// Fills the buffer; what lies behind the end of the file is zero. False if that was so.
    pub(crate) fn read(&self, buffer: &mut [u8], at: usize) -> Called<bool> {
        let mut inner = self.machine.pass(self.process, Call::Read, at as u64)?;
        if inner.is_unreadable(self.process) {
            return Err(ffi::SQLITE_IOERR_READ);
        }
        let bytes = inner.disk.bytes(self.file);
        let there = bytes.get(at..).unwrap_or_default();
        let count = there.len().min(buffer.len());
        buffer[..count].copy_from_slice(&there[..count]);
        buffer[count..].fill(0);
        Ok(count == buffer.len())
    }

    /// A process that dies, or a disk that fails, in the middle of it has written the beginning.
    pub(crate) fn write(&self, bytes: &[u8], at: usize) -> Called<()> {
        let detail = mix(at as u64) ^ checksum(bytes);
        let mut inner = self.machine.pass(self.process, Call::Write, detail)?;
        if self.is_read_only {
            return Err(ffi::SQLITE_IOERR_WRITE);
        }
        if self.is_log {
            let process = &mut inner.processes[self.process];
            process.write_lock = process.lock_taken;
            if process.first_write_lock == 0 {
                process.first_write_lock = process.lock_taken;
            }
        }
        let len = inner.disk.bytes(self.file).len();
        let extends = len < at + bytes.len();
        if len == 0
            && let Some(name) = &self.name
        {
            make_placeholder(name, false);
        }
        let fault = if extends && inner.is_full(self.process) {
            ffi::SQLITE_FULL
        } else if inner.is_faulty(self.process) {
            ffi::SQLITE_IOERR_WRITE
        } else {
            inner.disk.write(self.file, at, bytes);
            return Ok(());
        };
        let some = inner.rng.below(bytes.len() as u64 + 1) as usize;
        if some > 0 {
            inner.disk.write(self.file, at, &bytes[..some]);
        }
        if inner.rng.chance(0.2) {
            inner.kill(self.process);
        }
        Err(fault)
    }

    pub(crate) fn truncate(&self, len: usize) -> Called<()> {
        let mut inner = self
            .machine
            .pass(self.process, Call::Truncate, len as u64)?;
        if self.is_read_only || inner.is_faulty(self.process) {
            return Err(ffi::SQLITE_IOERR_TRUNCATE);
        }
        inner.disk.truncate(self.file, len);
        if let Some(name) = &self.name {
            make_placeholder(name, len == 0);
        }
        Ok(())
    }

    pub(crate) fn sync(&self) -> Called<()> {
        let mut inner = self.machine.pass(self.process, Call::Sync, self.id)?;
        if inner.is_faulty(self.process) {
            return Err(ffi::SQLITE_IOERR_FSYNC);
        }
        inner.disk.sync(self.file);
        Ok(())
    }

    pub(crate) fn size(&self) -> Called<usize> {
        let inner = self.machine.pass(self.process, Call::Size, self.id)?;
        Ok(inner.disk.bytes(self.file).len())
    }

    pub(crate) fn lock(&self, level: c_int) -> Called<()> {
        let mut inner = self
            .machine
            .pass(self.process, Call::Lock, level.unsigned_abs().into())?;
        let locks = inner.file_locks.entry(self.file).or_default();
        if locks.lock(self.id, level) || inner.ignores_locks {
            Ok(())
        } else {
            Err(ffi::SQLITE_BUSY)
        }
    }

    pub(crate) fn unlock(&self, level: c_int) {
        let passed = self
            .machine
            .pass(self.process, Call::Unlock, level.unsigned_abs().into());
        if let Ok(mut inner) = passed
            && let Some(locks) = inner.file_locks.get_mut(&self.file)
        {
            locks.unlock(self.id, level);
        }
    }

    pub(crate) fn is_reserved(&self) -> Called<bool> {
        let inner = self.machine.pass(self.process, Call::Lock, 0)?;
        let locks = inner.file_locks.get(&self.file);
        Ok(locks.is_some_and(crate::locks::FileLocks::is_reserved))
    }

    /// Maps a region of the shared memory; none if it is not there and not to be made.
    pub(crate) fn map(&self, number: usize, make: bool) -> Called<Option<*mut AtomicU64>> {
        let name = self.name.as_ref().ok_or(ffi::SQLITE_IOERR_SHMMAP)?;
        let mut inner = self.machine.pass(self.process, Call::Map, number as u64)?;
        if inner.is_faulty(self.process) {
            return Err(ffi::SQLITE_IOERR_SHMMAP);
        }
        if let Some(handle) = inner.handles.get_mut(&self.id) {
            handle.mapped = Some(name.clone());
        }
        let memory = inner.shared.entry(name.clone()).or_default();
        let memory = self.memory.get_or_init(|| Arc::clone(memory));
        Ok(memory.region(number, make))
    }

    pub(crate) fn lock_slots(&self, slots: std::ops::Range<usize>, exclusive: bool) -> Called<()> {
        let detail = (slots.start * 8 + slots.len()) as u64;
        let mut inner = self.machine.pass(self.process, Call::SlotLock, detail)?;
        let name = self.name.as_ref().ok_or(ffi::SQLITE_IOERR_SHMLOCK)?;
        let memory = inner.shared.get(name).ok_or(ffi::SQLITE_IOERR_SHMLOCK)?;
        let is_write = exclusive && slots.contains(&WRITE_SLOT);
        if !memory.locks().lock(self.id, slots, exclusive) && !inner.ignores_locks {
            return Err(ffi::SQLITE_BUSY);
        }
        if is_write {
            inner.write_locks += 1;
            inner.processes[self.process].lock_taken = inner.write_locks;
        }
        Ok(())
    }

    pub(crate) fn unlock_slots(&self, slots: std::ops::Range<usize>) -> Called<()> {
        let detail = (slots.start * 8 + slots.len()) as u64;
        let inner = self.machine.pass(self.process, Call::SlotUnlock, detail)?;
        let name = self.name.as_ref().ok_or(ffi::SQLITE_IOERR_SHMLOCK)?;
        if let Some(memory) = inner.shared.get(name) {
            memory.locks().unlock(self.id, slots);
        }
        Ok(())
    }

    /// A moment between two writes to the shared memory.
    pub(crate) fn barrier(&self) {
        drop(self.machine.pass(self.process, Call::Barrier, self.id));
    }

    pub(crate) fn unmap(&self) {
        if let Ok(mut inner) = self.machine.pass(self.process, Call::Map, u64::MAX)
            && let Some(name) = &self.name
        {
            if let Some(handle) = inner.handles.get_mut(&self.id) {
                handle.mapped = None;
            }
            inner.unmap(name, self.id);
        }
    }
}

/// Removes the file of this name.
pub(crate) fn delete(
    machine: &Machine,
    process: ProcessId,
    name: &str,
    durably: bool,
) -> Called<()> {
    let mut inner = machine.pass(process, Call::Delete, 0)?;
    if inner.is_faulty(process) {
        return Err(ffi::SQLITE_IOERR_DELETE);
    }
    if !inner.disk.remove(name, durably) {
        return Err(ffi::SQLITE_IOERR_DELETE_NOENT);
    }
    remove_placeholder(name);
    Ok(())
}

/// True if there is a file with something in it.
pub(crate) fn has_content(machine: &Machine, process: ProcessId, name: &str) -> Called<bool> {
    let inner = machine.pass(process, Call::Access, 0)?;
    let found = inner.disk.find(name);
    Ok(found.is_some_and(|file| !inner.disk.bytes(file).is_empty()))
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = |sum: u64, word: u64| {
        (sum ^ word)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23)
    };
    let whole = words
        .iter()
        .fold(0, |all, word| sum(all, u64::from_le_bytes(*word)));
    rest.iter()
        .fold(whole, |all, byte| sum(all, u64::from(*byte)))
}
