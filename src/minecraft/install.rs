//! Installing the side process: its sources from this program, its packages from npm by a pinned lock file.
//!
//! Packages run no scripts of their own while they are installed. Invariant: a folder is complete or not there: it is made
//! beside its place and moved there at the end.

use crate::account::tokens_folder;
use crate::sources::FILES;
use pithead_core::text::clean::clean_excerpt;
use pithead_world::port::Account;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Names a folder that is used as it is, instead of the installed one.
pub const BRIDGE_FOLDER: &str = "PITHEAD_BRIDGE";
/// Older ones lack what the packages need.
pub const NODE_MIN: u32 = 20;
/// From here on the permissions of Node need no flag for experiments.
const NODE_PERMISSIONS: u32 = 24;
const PACKAGES: &str = "node_modules";
/// Written last: a folder without it is not complete.
const COMPLETE: &str = "complete";
/// How often the progress of an installation is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// Letters of what npm says when it fails.
const FAULT_MAX: usize = 400;

/// A side process that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridge {
    pub node: PathBuf,
    /// The first part of Node's version.
    pub node_major: u32,
    /// Where the packages are, which the sources lie below or beside.
    pub packages: PathBuf,
    /// Where the sources are.
    pub folder: PathBuf,
    /// Where the tokens of a Microsoft account are, once somebody has signed in.
    pub tokens: PathBuf,
}

impl Bridge {
    /// It may read its own folder and nothing else, start nothing, and write nothing but the tokens of an account.
    pub(crate) fn permission_flags(&self, account: Account) -> Vec<String> {
        let flag = if self.node_major >= NODE_PERMISSIONS {
            "--permission"
        } else {
            "--experimental-permission"
        };
        let mut flags = vec![
            "--no-warnings".to_owned(),
            flag.to_owned(),
            format!("--allow-fs-read={}/*", self.packages.display()),
        ];
        if account == Account::Microsoft {
            let tokens = self.tokens.display();
            flags.push(format!("--allow-fs-read={tokens}/*"));
            flags.push(format!("--allow-fs-write={tokens}/*"));
        }
        // Since version 25 the network needs a permission too; the side process limits itself to the hosts it needs.
        if self.node_major >= 25 {
            flags.push("--allow-net".to_owned());
        }
        flags
    }
}

/// Why the side process cannot be started, with what to do.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error(
        "Node was not found; Minecraft servers are played on through Node {NODE_MIN} or newer (https://nodejs.org): install it, then run `pithead bridge install`"
    )]
    NoNode,
    #[error("Node {found} is too old; the bridge needs Node {NODE_MIN} or newer")]
    OldNode { found: String },
    #[error("npm was not found; it comes with Node and is needed once, to install the bridge")]
    NoNpm,
    #[error("the bridge is not installed; run `pithead bridge install`")]
    NotInstalled,
    #[error("npm could not install the packages of the bridge: {because}")]
    Npm { because: String },
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// What there is of the bridge, for people who ask what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BridgeReport {
    pub node: Option<String>,
    pub node_path: Option<PathBuf>,
    pub npm: Option<String>,
    pub folder: PathBuf,
    pub installed: bool,
    /// The version of mineflayer that the lock file names.
    pub mineflayer: String,
    /// What keeps the bridge from starting, with what to do; none if it can.
    pub problem: Option<String>,
}

/// How far an installation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub packages: usize,
    pub of: usize,
}

/// The folder of the packages below the user's data folder: another list of packages has another one.
#[must_use]
pub fn bridge_folder(data: &Path) -> PathBuf {
    match std::env::var_os(BRIDGE_FOLDER) {
        Some(named) => PathBuf::from(named),
        None => data.join("bridge").join(sum_of(|name| !is_source(name))),
    }
}

fn is_source(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "js")
}

/// A short sum of some of the files.
fn sum_of(wanted: impl Fn(&str) -> bool) -> String {
    let mut hash = Sha256::new();
    for (name, text) in FILES.iter().filter(|(name, _)| wanted(name)) {
        hash.update(name);
        hash.update([0]);
        hash.update(text);
    }
    let sum = hash.finalize();
    sum.iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The sources of this program in a folder of their own below the packages, written if they are not there.
fn sources_in(packages: &Path) -> Result<PathBuf, InstallError> {
    if std::env::var_os(BRIDGE_FOLDER).is_some() {
        return Ok(packages.to_owned());
    }
    let folder = packages.join(sum_of(is_source));
    if folder.is_dir() {
        return Ok(folder);
    }
    // Beside its place first: two processes may do this at once.
    let partial = folder.with_extension(std::process::id().to_string());
    remove(&partial)?;
    write_files(&partial, is_source)?;
    match std::fs::rename(&partial, &folder) {
        Err(error) if !folder.is_dir() => Err(file_error(&folder)(error)),
        Err(_) => remove(&partial).map(|()| folder),
        Ok(()) => Ok(folder),
    }
}

fn write_files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<(), InstallError> {
    std::fs::create_dir_all(folder).map_err(file_error(folder))?;
    for (name, text) in FILES.iter().filter(|(name, _)| wanted(name)) {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(file_error(&file))?;
    }
    Ok(())
}

/// The bridge, if it can be started.
pub fn find_bridge(data: &Path) -> Result<Bridge, InstallError> {
    let (node, version) = version_of("node").ok_or(InstallError::NoNode)?;
    let node_major = major(&version).filter(|major| *major >= NODE_MIN);
    let node_major = node_major.ok_or(InstallError::OldNode { found: version })?;
    let packages = bridge_folder(data);
    if !is_complete(&packages) {
        return Err(InstallError::NotInstalled);
    }
    Ok(Bridge {
        node,
        node_major,
        folder: sources_in(&packages)?,
        tokens: tokens_folder(data),
        packages,
    })
}

fn is_complete(folder: &Path) -> bool {
    let is_named = std::env::var_os(BRIDGE_FOLDER).is_some();
    folder.join(PACKAGES).is_dir() && (is_named || folder.join(COMPLETE).is_file())
}

/// What there is, and what is missing.
#[must_use]
pub fn examine(data: &Path) -> BridgeReport {
    let node = version_of("node");
    let found = find_bridge(data);
    let folder = bridge_folder(data);
    BridgeReport {
        node_path: node.as_ref().map(|(path, _)| path.clone()),
        node: node.map(|(_, version)| version),
        npm: version_of("npm").map(|(_, version)| version),
        installed: is_complete(&folder),
        folder,
        mineflayer: locked_version("mineflayer"),
        problem: found.err().map(|error| error.to_string()),
    }
}

fn lock() -> Value {
    let text = FILES.iter().find(|(name, _)| *name == "package-lock.json");
    let text = text.map_or("{}", |(_, text)| *text);
    serde_json::from_str(text).unwrap_or(Value::Null)
}

fn locked_version(package: &str) -> String {
    let lock = lock();
    let entry = &lock["packages"][format!("{PACKAGES}/{package}")]["version"];
    entry.as_str().unwrap_or("unknown").to_owned()
}

/// Installs the bridge and tells how far it is; a complete one is left as it is.
pub fn install(data: &Path, mut tell: impl FnMut(Progress)) -> Result<Bridge, InstallError> {
    match find_bridge(data) {
        Err(InstallError::NotInstalled) => (),
        done_or_impossible => return done_or_impossible,
    }
    let (npm, _) = version_of("npm").ok_or(InstallError::NoNpm)?;
    let folder = bridge_folder(data);
    let partial = folder.with_extension("partial");
    remove(&partial)?;
    write_files(&partial, |name| !is_source(name))?;
    run_npm(&npm, &partial, &mut tell)?;
    prune(&partial)?;
    let complete = partial.join(COMPLETE);
    std::fs::write(&complete, "").map_err(file_error(&complete))?;
    remove(&folder)?;
    std::fs::rename(&partial, &folder).map_err(file_error(&folder))?;
    find_bridge(data)
}

fn file_error(path: &Path) -> impl Fn(std::io::Error) -> InstallError {
    move |source| InstallError::File {
        path: path.to_owned(),
        source,
    }
}

fn remove(folder: &Path) -> Result<(), InstallError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(file_error(folder)(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn run_npm(npm: &Path, folder: &Path, tell: &mut impl FnMut(Progress)) -> Result<(), InstallError> {
    let fault = |because: &str| InstallError::Npm {
        because: clean_excerpt(because, FAULT_MAX),
    };
    let log = folder.join("npm.log");
    let out = std::fs::File::create(&log).map_err(file_error(&log))?;
    let mut child = Command::new(npm)
        // Packages bring scripts of strangers: none of them is run.
        .args([
            "ci",
            "--ignore-scripts",
            "--omit=dev",
            "--no-audit",
            "--no-fund",
        ])
        .args(["--loglevel=error", "--progress=false"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(out)
        .spawn()
        .map_err(|error| fault(&error.to_string()))?;
    let of = lock()["packages"].as_object().map_or(0, |all| all.len());
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {
                let packages = std::fs::read_dir(folder.join(PACKAGES));
                let packages = packages.map_or(0, Iterator::count).min(of);
                tell(Progress { packages, of });
                // Nothing else is waited for: npm has no channel of its own.
                std::thread::park_timeout(PROGRESS_EVERY);
            }
            Err(error) => return Err(fault(&error.to_string())),
        }
    };
    if status.success() {
        tell(Progress { packages: of, of });
        let _ = std::fs::remove_file(&log);
        return Ok(());
    }
    Err(fault(&std::fs::read_to_string(&log).unwrap_or_default()))
}

/// The data of another game is four fifths of what was installed.
fn prune(folder: &Path) -> Result<(), InstallError> {
    let bedrock = folder
        .join(PACKAGES)
        .join("minecraft-data/minecraft-data/data/bedrock");
    let Ok(entries) = std::fs::read_dir(&bedrock) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry.map_err(file_error(&bedrock))?;
        if entry.file_name() != OsStr::new("common") {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// The path and version of a program that is on the PATH.
fn version_of(program: &str) -> Option<(PathBuf, String)> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(program));
    let found = places.find(|file| file.is_file())?;
    let said = Command::new(&found)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    said.status
        .success()
        .then(|| (found, clean_excerpt(&text, 40)))
}

fn major(version: &str) -> Option<u32> {
    let number = version.trim_start_matches('v').split('.').next()?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(
            (major("v20.20.2"), major("22"), major("x")),
            (Some(20), Some(22), None)
        );
    }

    #[test]
    fn the_lock_file_pins_every_package_with_its_sum() {
        let lock = lock();
        let packages = lock["packages"].as_object().unwrap();
        assert!(packages.len() > 50);
        for (name, entry) in packages.iter().filter(|(name, _)| !name.is_empty()) {
            assert!(
                entry["integrity"]
                    .as_str()
                    .is_some_and(|sum| sum.starts_with("sha512-")),
                "{name}"
            );
        }
        assert_eq!(locked_version("mineflayer"), "4.39.0");
    }

    #[test]
    fn every_source_of_the_bridge_is_carried_along() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bridge");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != PACKAGES)
            .collect();
        there.sort();
        let mut carried: Vec<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        carried.sort();
        assert_eq!(there, carried);
    }
}
