//! Files that nobody vouches for: only regular ones are read, and no more of them than a bound.
//!
//! A FIFO would keep the program waiting, and a device never ends. Invariant: nothing is cut off in silence;
//! a file above its bound is refused.

use super::utf8;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Enough for every file that people write by hand: settings, rules, plans, policies.
pub const TEXT_BYTES_MAX: u64 = 16 << 20;

/// Opens a regular file for reading.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a FIFO waits for its writer otherwise; for a regular file the flag means nothing.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    let because = "it is no regular file; copy what it holds into one";
    Err(io::Error::new(io::ErrorKind::InvalidInput, because))
}

/// The bytes of a regular file of at most `bytes_max`.
pub fn read_bytes(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?
        .take(bytes_max + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= bytes_max {
        return Ok(bytes);
    }
    let because = format!("it has more than {bytes_max} bytes");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, because))
}

/// The same as text; the fault of a file that is none names the line.
pub fn read_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    utf8::text(read_bytes(path, bytes_max)?)
        .map_err(|because| io::Error::new(io::ErrorKind::InvalidData, because))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_within_their_bound_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "four");
        assert!(
            read_text(&path, 3)
                .unwrap_err()
                .to_string()
                .contains("more than 3")
        );
        assert!(read_bytes(folder.path(), 9).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            let because = read_bytes(path, 9).unwrap_err().to_string();
            assert!(because.contains("no regular file"), "{because}");
        }
    }
}
