//! Names the fold: a digest of the sources that a view is computed with.
//!
//! A stored view is believed only by a program of the same name (`view/stored.rs`). Invariant: whatever may change
//! what a view holds changes the name; that a harmless change does too costs one fold.
#![allow(
    clippy::print_stdout,
    reason = "this is how a build script talks to cargo"
)]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The crates that a view is folded by, and the libraries that write it down.
const SOURCES: [&str; 5] = ["../world", "../core", "../engine", ".", "../../Cargo.lock"];

fn main() -> std::io::Result<()> {
    let mut hash = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        add(Path::new(source), &mut hash)?;
    }
    println!("cargo:rustc-env=PITHEAD_FOLD={:016x}", hash.finish());
    Ok(())
}

fn add(path: &Path, hash: &mut DefaultHasher) -> std::io::Result<()> {
    if !path.is_dir() {
        path.hash(hash);
        std::fs::read(path)?.hash(hash);
        return Ok(());
    }
    let entries = std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, hash))
}
