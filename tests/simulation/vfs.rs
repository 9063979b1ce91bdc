//! The file system as SQLite calls it: pointers in, calls of the machine out.
//!
//! Registered as the default one, so that the program's own code is put on it unchanged. Invariant: no call
//! is made by two threads at once, and none after the file was closed, as SQLite promises.

#![expect(
    unsafe_code,
    reason = "a file system of SQLite is a table of C functions"
)]

use crate::calls::{Called, OpenFile, delete, has_content};
use crate::machine::current;
use crate::shared_memory::REGION_BYTES;
use rusqlite::ffi;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Once;

/// What SQLite keeps of an open file: its own part comes first.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    open: *mut OpenFile,
}

const PATH_BYTES_MAX: c_int = 1024;
/// As the file system of Unix says of a disk of today.
const SECTOR_BYTES: c_int = 4096;

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// From now on SQLite opens files of the machine that the thread belongs to, and no others.
pub(crate) fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let vfs = ffi::sqlite3_vfs {
            iVersion: 2,
            szOsFile: c_int::try_from(size_of::<File>()).expect("it is small"),
            mxPathname: PATH_BYTES_MAX,
            pNext: std::ptr::null_mut(),
            zName: c"simulated".as_ptr(),
            pAppData: std::ptr::null_mut(),
            xOpen: Some(open),
            xDelete: Some(remove),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: None,
            xCurrentTimeInt64: Some(current_time_int64),
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        };
        // SQLite keeps it for good.
        let vfs = Box::into_raw(Box::new(vfs));
        // SAFETY: the table is complete and lives as long as the program.
        let code = unsafe { ffi::sqlite3_vfs_register(vfs, 1) };
        assert_eq!(code, ffi::SQLITE_OK, "SQLite takes the file system");
    });
}

/// Begins SQLite's own random numbers anew, from those of the machine.
pub(crate) fn restart_randomness() {
    // SAFETY: no bytes asked for and none written: it forgets its state.
    unsafe { ffi::sqlite3_randomness(0, std::ptr::null_mut()) };
}

/// # Safety
/// `file` was opened by `open` and is not closed.
unsafe fn opened<'a>(file: *mut ffi::sqlite3_file) -> &'a OpenFile {
    // SAFETY: `open` put it there, and only `close` takes it away.
    unsafe { &*(*file.cast::<File>()).open }
}

fn code(done: Called<()>) -> c_int {
    match done {
        Ok(()) => ffi::SQLITE_OK,
        Err(code) => code,
    }
}

/// # Safety
/// `name` is a text that SQLite passed, or null.
unsafe fn text<'a>(name: *const c_char) -> Option<&'a str> {
    if name.is_null() {
        return None;
    }
    // SAFETY: names end with a zero byte.
    unsafe { CStr::from_ptr(name) }.to_str().ok()
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    flags_out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gave room for a `File`; no methods means that it is not to be closed.
    unsafe { (*file).pMethods = std::ptr::null() };
    let Some((machine, process)) = current() else {
        return ffi::SQLITE_CANTOPEN;
    };
    // SAFETY: as SQLite promises.
    let name = unsafe { text(name) };
    match OpenFile::open(&machine, process, name, flags) {
        Ok(open) => {
            // SAFETY: as above.
            unsafe {
                (*file.cast::<File>()).open = Box::into_raw(Box::new(open));
                (*file).pMethods = &METHODS;
                if !flags_out.is_null() {
                    *flags_out = flags;
                }
            }
            ffi::SQLITE_OK
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: the last call for this file; the box goes with it.
    let open = unsafe { Box::from_raw((*file.cast::<File>()).open) };
    open.close();
    ffi::SQLITE_OK
}

fn offset(at: ffi::sqlite3_int64) -> usize {
    usize::try_from(at).expect("SQLite counts from the beginning")
}

fn length(count: c_int) -> usize {
    usize::try_from(count).expect("SQLite asks for some bytes")
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    buffer: *mut c_void,
    count: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives a buffer of so many bytes.
    let (file, buffer) = unsafe {
        let buffer = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length(count));
        (opened(file), buffer)
    };
    match file.read(buffer, offset(at)) {
        Ok(true) => ffi::SQLITE_OK,
        Ok(false) => ffi::SQLITE_IOERR_SHORT_READ,
        Err(code) => code,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    count: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives so many bytes.
    let (file, bytes) = unsafe {
        let bytes = std::slice::from_raw_parts(bytes.cast::<u8>(), length(count));
        (opened(file), bytes)
    };
    code(file.write(bytes, offset(at)))
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, len: ffi::sqlite3_int64) -> c_int {
    // SAFETY: the file is open.
    code(unsafe { opened(file) }.truncate(offset(len)))
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _flags: c_int) -> c_int {
    // SAFETY: the file is open.
    code(unsafe { opened(file) }.sync())
}

unsafe extern "C" fn file_size(
    file: *mut ffi::sqlite3_file,
    len: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: the file is open, and there is room for the number.
    unsafe {
        match opened(file).size() {
            Ok(bytes) => {
                *len = i64::try_from(bytes).expect("files are small");
                ffi::SQLITE_OK
            }
            Err(code) => code,
        }
    }
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    code(unsafe { opened(file) }.lock(level))
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { opened(file) }.unlock(level);
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: the file is open, and there is room for the answer.
    unsafe {
        match opened(file).is_reserved() {
            Ok(is) => {
                *out = c_int::from(is);
                ffi::SQLITE_OK
            }
            Err(code) => code,
        }
    }
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _op: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    SECTOR_BYTES
}

unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    number: c_int,
    bytes: c_int,
    make: c_int,
    out: *mut *mut c_void,
) -> c_int {
    assert_eq!(length(bytes), REGION_BYTES, "the size of a region");
    // SAFETY: the file is open, and there is room for the pointer; the region outlives the file.
    unsafe {
        *out = std::ptr::null_mut();
        match opened(file).map(length(number), make != 0) {
            Ok(region) => {
                *out = region.map_or(std::ptr::null_mut(), |region| region.cast());
                ffi::SQLITE_OK
            }
            Err(code) => code,
        }
    }
}

unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    first: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    let slots = length(first)..length(first) + length(count);
    // SAFETY: the file is open.
    let file = unsafe { opened(file) };
    code(if flags & ffi::SQLITE_SHM_LOCK != 0 {
        file.lock_slots(slots, flags & ffi::SQLITE_SHM_EXCLUSIVE != 0)
    } else {
        file.unlock_slots(slots)
    })
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    // SAFETY: the file is open.
    unsafe { opened(file) }.barrier();
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _delete: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { opened(file) }.unmap();
    ffi::SQLITE_OK
}

unsafe extern "C" fn remove(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_folder: c_int,
) -> c_int {
    // SAFETY: as SQLite promises.
    let (Some((machine, process)), Some(name)) = (current(), unsafe { text(name) }) else {
        return ffi::SQLITE_IOERR_DELETE;
    };
    code(delete(&machine, process, name, sync_folder != 0))
}

unsafe extern "C" fn access(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    _flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: as SQLite promises.
    let (Some((machine, process)), Some(name)) = (current(), unsafe { text(name) }) else {
        return ffi::SQLITE_IOERR_ACCESS;
    };
    match has_content(&machine, process, name) {
        Ok(is) => {
            // SAFETY: there is room for the answer.
            unsafe { *out = c_int::from(is) };
            ffi::SQLITE_OK
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn full_pathname(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: names end with a zero byte, and there are `room` bytes; the program's paths are whole.
    unsafe {
        let bytes = CStr::from_ptr(name).to_bytes_with_nul();
        if bytes.len() > length(room) {
            return ffi::SQLITE_CANTOPEN;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), out, bytes.len());
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, count: c_int, out: *mut c_char) -> c_int {
    let Some((machine, _)) = current() else {
        return 0;
    };
    // SAFETY: there is room for so many bytes.
    let bytes = unsafe { std::slice::from_raw_parts_mut(out.cast::<u8>(), length(count)) };
    let mut inner = machine.lock();
    bytes.fill_with(|| inner.rng.below(256) as u8);
    count
}

unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, micros: c_int) -> c_int {
    pause();
    micros
}

/// What a process does that waits for another: the others go on.
pub(crate) fn pause() {
    if let Some((machine, process)) = current() {
        machine.pause(process);
    }
}

/// Noon of the first day of 2000, in the days that SQLite counts: nothing rests on it.
const NOON: f64 = 2_451_545.0;

unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, out: *mut f64) -> c_int {
    // SAFETY: there is room for the number.
    unsafe { *out = NOON };
    ffi::SQLITE_OK
}

unsafe extern "C" fn current_time_int64(
    _: *mut ffi::sqlite3_vfs,
    out: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: there is room for the number.
    unsafe { *out = (NOON * 86_400_000.0) as i64 };
    ffi::SQLITE_OK
}
