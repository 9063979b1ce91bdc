//! The door of a run: a socket in a folder of this user alone, named after the database and the run.
//!
//! A path beside the database would be too long for a socket in deep folders, and open to whoever shares
//! them. Invariant: both ends talk to a process of the same user, or to nobody.

use pithead_world::ids::RunId;
use sha2::{Digest, Sha256};
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of the database's digest in the name; a socket's path has room for about 100 characters.
const NAME_BYTES: usize = 8;
const OWNER_ONLY: u32 = 0o700;
const SOCKET_MODE: u32 = 0o600;

/// A socket that was made so lately may be about to be listened at.
const YOUNG: Duration = Duration::from_secs(60);

/// Listens for guests of a run; what lies there was left by a process that is gone.
pub(super) fn listen(database: &Path, run: RunId) -> io::Result<(UnixListener, PathBuf)> {
    let mut because = io::Error::from(io::ErrorKind::NotFound);
    for folder in folders() {
        let path = folder.join(socket_name(database, run));
        let listener = make_private(&folder).and_then(|()| {
            clear_dead(&folder, YOUNG);
            let _ = std::fs::remove_file(&path);
            bind_private(&path)
        });
        match listener {
            Ok(listener) => return Ok((listener, path)),
            Err(error) => because = error,
        }
    }
    Err(because)
}

/// The folder keeps others out; the mode says so too wherever the socket is looked at.
fn bind_private(path: &Path) -> io::Result<UnixListener> {
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, Permissions::from_mode(SOCKET_MODE))?;
    Ok(listener)
}

/// Clears away the sockets at which nobody listens, which killed runs leave.
fn clear_dead(folder: &Path, young: Duration) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let made = std::fs::symlink_metadata(&path).and_then(|found| found.modified());
        let age = made.ok().and_then(|made| made.elapsed().ok());
        if path.extension().is_none_or(|end| end != "sock") || age.is_none_or(|age| age < young) {
            continue;
        }
        if is_dead(&path) {
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// Asked without waiting: a run that is stopped may have as many callers as it can.
fn is_dead(path: &Path) -> bool {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket};
    let Ok(caller) = socket(AddressFamily::UNIX, SocketType::STREAM, None) else {
        return false;
    };
    let (asks, at) = (
        rustix::io::ioctl_fionbio(&caller, true),
        SocketAddrUnix::new(path),
    );
    asks.is_ok() && at.is_ok_and(|at| connect(&caller, &at) == Err(rustix::io::Errno::CONNREFUSED))
}

/// Connects to the process that drives the run.
pub(super) fn knock(database: &Path, run: RunId) -> io::Result<UnixStream> {
    let mut because = io::Error::from(io::ErrorKind::NotFound);
    for folder in folders() {
        let stream = UnixStream::connect(folder.join(socket_name(database, run)));
        match stream.and_then(|stream| check_peer(&stream).map(|()| stream)) {
            Ok(stream) => return Ok(stream),
            Err(error) => because = error,
        }
    }
    Err(because)
}

/// Refuses a process of another user.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn check_peer(stream: &UnixStream) -> io::Result<()> {
    let peer = rustix::net::sockopt::socket_peercred(stream)?.uid;
    if peer == rustix::process::geteuid() {
        return Ok(());
    }
    let because = format!("the other end belongs to user {}", peer.as_raw());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, because))
}

/// Elsewhere the folder alone keeps other users out.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn check_peer(_stream: &UnixStream) -> io::Result<()> {
    Ok(())
}

/// The runtime folder of the session if there is one, and one that is there without a session: the two
/// ends may have been started differently.
fn folders() -> Vec<PathBuf> {
    let session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let session = session.filter(|folder| folder.is_absolute());
    let user = rustix::process::geteuid().as_raw();
    let always = std::env::temp_dir().join(format!("pithead-{user}"));
    let session = session.map(|folder| folder.join("pithead"));
    session.into_iter().chain([always]).collect()
}

/// Makes the folder for its owner alone, or refuses one that others can use: in a shared place a stranger
/// may have made it first.
fn make_private(folder: &Path) -> io::Result<()> {
    match std::fs::DirBuilder::new().mode(OWNER_ONLY).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => (),
    }
    let found = std::fs::symlink_metadata(folder)?;
    let is_ours = found.uid() == rustix::process::geteuid().as_raw();
    if found.is_dir() && is_ours && found.mode() & !OWNER_ONLY & 0o777 == 0 {
        return Ok(());
    }
    let because = format!("{} is not a private folder of this user", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, because))
}

/// The same for every name of the database.
fn socket_name(database: &Path, run: RunId) -> String {
    let whole = database
        .canonicalize()
        .unwrap_or_else(|_| database.to_path_buf());
    let digest = Sha256::digest(whole.as_os_str().as_encoded_bytes());
    let digest: String = digest[..NAME_BYTES]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{digest}-{run}.sock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_however_deep_the_database_lies() {
        let deep = PathBuf::from("/deep".repeat(60)).join("a.db");
        assert!(socket_name(&deep, RunId(12)).len() < 40);
        assert_ne!(socket_name(&deep, RunId(1)), socket_name(&deep, RunId(2)));
    }

    #[test]
    fn a_folder_that_others_can_use_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let (open, linked) = (place.path().join("open"), place.path().join("linked"));
        make_private(&open).unwrap();
        make_private(&open).unwrap();
        std::os::unix::fs::symlink(&open, &linked).unwrap();
        assert!(make_private(&linked).is_err(), "a link leads anywhere");
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o750)).unwrap();
        assert!(make_private(&open).is_err());
    }

    #[test]
    fn a_socket_is_its_owners_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.sock");
        let _listener = bind_private(&path).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, SOCKET_MODE);
    }

    #[test]
    fn sockets_of_killed_runs_are_cleared_away_and_those_of_living_ones_stay() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let _living = UnixListener::bind(path("living.sock")).unwrap();
        drop(UnixListener::bind(path("dead.sock")).unwrap());
        std::fs::write(path("note"), "").unwrap();
        clear_dead(place.path(), YOUNG);
        assert!(
            path("dead.sock").exists(),
            "it may be about to be listened at"
        );
        clear_dead(place.path(), Duration::ZERO);
        assert!(!path("dead.sock").exists());
        assert!(path("living.sock").exists() && path("note").exists());
    }
}
