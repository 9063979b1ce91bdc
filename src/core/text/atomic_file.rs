//! Writes a file whole or not at all: into a temporary file of the same folder, to the disk, renamed.
//!
//! Invariant: a reader sees the old content or the new, never a part, also after a kill or a power cut;
//! a fault leaves the old file as it was and no temporary file behind, and what a kill left goes with the next one.

use super::temporary::temporary_file;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Puts `content` in the place of the file; the folder must exist.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_file(path, |file| file.write_all(content)).map(drop)
}

/// The same for a file that is to be made ready before anybody can open it, for example locked.
/// Gives the file, still open and locked.
pub fn replace_file(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<File> {
    // A rename would put a file in the place of a device.
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    // A rename is atomic only within one file system, so the temporary file lies beside the old one.
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut new = file_beside(folder.unwrap_or(Path::new(".")), path)?;
    fill(new.as_file_mut())?;
    // Without this, some file systems write the new name before the content.
    new.as_file().sync_all()?;
    new.persist(path).map_err(|error| error.error)
}

/// With the permissions of the old file, or those that any new file has here: the default of temporary
/// files, for the owner alone, would hide the file from the group.
fn file_beside(folder: &Path, path: &Path) -> io::Result<NamedTempFile> {
    #[cfg(unix)]
    // The umask is taken from this, as from every new file.
    let usual = Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    let usual = None;
    let new = temporary_file(folder, usual)?;
    // Before the rename: nobody sees the file with other permissions.
    if let Ok(old) = std::fs::metadata(path) {
        new.as_file().set_permissions(old.permissions())?;
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"one, and longer").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_fault_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"old").unwrap();
        let full = |_: &mut File| Err(io::Error::from(io::ErrorKind::StorageFull));
        let error = replace_file(&path, full).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.json"]);
        assert!(write_atomically(&folder.path().join("none/a.json"), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        let error = write_atomically(&device, b"x").unwrap_err();
        assert!(error.to_string().contains("no regular file"), "{error}");
        assert!(fs::symlink_metadata(&device).unwrap().is_symlink());
        assert!(write_atomically(folder.path(), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_new_files_have_the_usual_ones() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let (path, usual) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&usual, "").unwrap();
        write_atomically(&path, b"x").unwrap();
        assert_eq!(mode(&path), mode(&usual));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&path, b"y").unwrap();
        assert_eq!(mode(&path), 0o640);
    }
}
