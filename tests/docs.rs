//! The documentation agrees with the program: generated tables, links, and the tests that it names.

mod architecture;
mod generated;
mod glossary;
mod links;

use std::path::{Path, PathBuf};

fn path_of(file: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

#[track_caller]
fn text_of(file: impl AsRef<Path>) -> String {
    let path = path_of(file);
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}
