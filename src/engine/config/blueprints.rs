//! Blueprints of one's own: TOML files in the folder `blueprints` beside the config file.
//!
//! Invariant: the name of such a blueprint is its file's, and never that of a blueprint of the program.

use super::file;
use pithead_core::text::untrusted_file::read_text;
use pithead_world::blueprint::read::{BYTES_MAX, parse_blueprint};
use pithead_world::blueprint::{Blueprint, BlueprintName};
use std::path::{Path, PathBuf};

/// Files that are looked into.
const FILES_MAX: usize = 200;
const ENDING: &str = "toml";

/// Why a file holds no blueprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {because}", path.display())]
pub struct BlueprintFileError {
    pub path: PathBuf,
    pub because: String,
}

/// The folder, whether or not it is there.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    Some(file::path()?.parent()?.join("blueprints"))
}

/// The operator's blueprint of a name; none if there is no such file.
pub fn own_blueprint(name: &str) -> Result<Option<Blueprint>, BlueprintFileError> {
    // A name of letters, so it leads nowhere else.
    let Ok(name) = name.parse::<BlueprintName>() else {
        return Ok(None);
    };
    if Blueprint::named(&name, &[]).is_some() {
        return Ok(None);
    }
    match folder().map(|folder| folder.join(format!("{name}.{ENDING}"))) {
        Some(path) if path.is_file() => read_file(&path).map(Some),
        Some(_) | None => Ok(None),
    }
}

/// All files of the folder, by name, each with its blueprint or its fault.
#[must_use]
pub fn own_blueprints() -> Vec<Result<Blueprint, BlueprintFileError>> {
    let entries = folder().and_then(|folder| folder.read_dir().ok());
    let files = entries.into_iter().flatten().take(FILES_MAX).flatten();
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == ENDING));
    paths.sort();
    paths.iter().map(|path| read_file(path)).collect()
}

/// Reads and checks one file.
pub fn read_file(path: &Path) -> Result<Blueprint, BlueprintFileError> {
    let fault = |because: String| BlueprintFileError {
        path: path.to_path_buf(),
        because,
    };
    let text = read_text(path, BYTES_MAX).map_err(|error| fault(error.to_string()))?;
    let blueprint = parse_blueprint(&text).map_err(|error| fault(error.to_string()))?;
    let name = &blueprint.name;
    if Blueprint::named(name, &[]).is_some() {
        return Err(fault(format!(
            "the program has a blueprint `{name}`; one of your own needs another name"
        )));
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    if stem != Some(name.as_str()) {
        return Err(fault(format!(
            "it names the blueprint `{name}`, so the file must be called {name}.{ENDING}"
        )));
    }
    Ok(blueprint)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: &str =
        "name = \"wall\"\nabout = \"a wall\"\nlayers = [[\"AA\"]]\n[legend]\nA = \"dirt\"\n";

    fn read(file: &str, text: &str) -> Result<Blueprint, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        std::fs::write(&path, text).unwrap();
        read_file(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_of_ones_own_is_a_blueprint() {
        let wall = read("wall.toml", WALL).unwrap();
        assert_eq!((wall.name.as_str(), wall.blocks.len()), ("wall", 2));
    }

    #[test]
    fn a_faulty_file_is_refused_with_its_place() {
        for (file, text, word) in [
            ("hut.toml", WALL.to_owned(), "must be called wall.toml"),
            (
                "shelter.toml",
                WALL.replace("wall", "shelter"),
                "needs another name",
            ),
            ("wall.toml", WALL.replace("dirt", "dirtt"), "line 5: legend"),
            ("wall.toml", "name".to_owned(), "line 1"),
        ] {
            let fault = read(file, &text).unwrap_err();
            assert!(fault.contains(word) && fault.contains(file), "{fault}");
        }
    }
}
