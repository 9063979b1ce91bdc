//! Systems of one's own: a folder with a system.toml, like those of the program.
//!
//! Invariant: the name of such a system is its folder's, and never that of a system of the program, so that results
//! and prompts are found by it.

use super::{PROFILES, embedded_text};
use crate::domain::run::profile::Profile;
use crate::text::nearest::nearest_names;
use crate::text::untrusted_file::read_text;
use pithead_world::naming::UnknownName;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The file that says which parts of the loop are on.
pub const SYSTEM_FILE: &str = "system.toml";
/// A longer file is no profile.
const BYTES_MAX: u64 = 64 * 1024;
/// The field that names the system whose values hold where the file has none.
const EXTENDS: &str = "extends";

/// Why there is no such system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    #[error("{}: {because}", path.display())]
    File { path: PathBuf, because: String },
}

/// The system of a folder.
pub fn read_system(folder: &Path) -> Result<Profile, SystemError> {
    let path = folder.join(SYSTEM_FILE);
    let read = || {
        let text = read_text(&path, BYTES_MAX).map_err(|error| error.to_string())?;
        let profile = parse_system(&text)?;
        check_name(&profile.name, folder)?;
        Ok(profile)
    };
    read().map_err(|because| SystemError::File {
        path: path.clone(),
        because,
    })
}

/// The profile of a text, with what it takes from another system.
fn parse_system(text: &str) -> Result<Profile, String> {
    let mut own: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    let base = match own.remove(EXTENDS) {
        None => Table::new(),
        Some(Value::String(name)) => table_of(&name)?,
        Some(other) => return Err(format!("{EXTENDS} names a system, and is not {other}")),
    };
    let mut whole = base;
    whole.extend(own);
    Value::Table(whole)
        .try_into()
        .map_err(|error: toml::de::Error| error.message().to_owned())
}

fn table_of(name: &str) -> Result<Table, String> {
    let Some(text) = embedded_text(name) else {
        let near = nearest_names(name, PROFILES.iter().map(|(known, _)| *known)).join(", ");
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("; did you mean {near}?")
        };
        return Err(format!(
            "{EXTENDS} names `{name}`, which is no system of the program{hint}"
        ));
    };
    toml::from_str(text).map_err(|error| error.to_string())
}

fn check_name(name: &str, folder: &Path) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(format!(
            "the name of a system is made of a-z, 0-9 and -, and `{name}` is not"
        ));
    }
    if embedded_text(name).is_some() {
        return Err(format!(
            "the program has a system `{name}`; a system of your own needs another name"
        ));
    }
    // The folder may have been given as `.`.
    let whole = folder.canonicalize().map_err(|error| error.to_string())?;
    let of_folder = whole.file_name().and_then(|part| part.to_str());
    if of_folder != Some(name) {
        return Err(format!(
            "it names the system `{name}`, but its folder is `{}`; both must be the same",
            of_folder.unwrap_or("")
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(folder: &str, text: &str) -> Result<Profile, String> {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join(folder);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join(SYSTEM_FILE), text).unwrap();
        read_system(&folder).map_err(|error| error.to_string())
    }

    #[test]
    fn a_system_takes_what_it_does_not_say_from_another() {
        let text =
            "extends = \"deps\"\nname = \"mine\"\nabout = \"deps that recalls\"\nrecall = true";
        let mine = read("mine", text).unwrap();
        let deps = crate::systems::named("deps").unwrap();
        assert!(mine.recall && !deps.recall);
        let back = Profile {
            name: deps.name.clone(),
            about: deps.about.clone(),
            recall: false,
            ..mine
        };
        assert_eq!(back, deps);
    }

    #[test]
    fn a_faulty_system_is_refused_with_its_place() {
        let cases = [
            ("mine", "name = \"mine\"", "missing field `about`"),
            (
                "mine",
                "extends = \"dep\"\nname = \"mine\"\nrecal = true",
                "unknown field `recal`",
            ),
            (
                "mine",
                "extends = \"depz\"\nname = \"mine\"",
                "did you mean dep",
            ),
            ("mine", "extends = 3", "names a system"),
            (
                "mine",
                "extends = \"dep\"\nname = \"other\"",
                "both must be the same",
            ),
            ("dep", "extends = \"dep\"", "needs another name"),
            (
                "mine",
                "extends = \"dep\"\nname = \"../mine\"",
                "a-z, 0-9 and -",
            ),
            ("mine", "name", "TOML parse error"),
        ];
        for (folder, text, word) in cases {
            let fault = read(folder, text).unwrap_err();
            assert!(
                fault.contains(word) && fault.contains(SYSTEM_FILE),
                "{text}: {fault}"
            );
        }
        assert!(read_system(Path::new("/nowhere/at-all")).is_err());
    }
}
