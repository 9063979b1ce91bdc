//! Systems by name or folder: those of the program, and those of the operator's own folder of prompts.

use super::file;
use pithead_core::domain::run::profile::Profile;
use pithead_core::systems;
use pithead_core::systems::folder::{SYSTEM_FILE, SystemError, read_system};
use std::path::{Path, PathBuf};

/// Folders looked into for the names of systems.
const FOLDERS_MAX: usize = 1_000;

/// The system of a name; with a slash in it, of a folder (`./mine/`).
pub fn system(wanted: &str) -> Result<Profile, SystemError> {
    if wanted.contains(['/', std::path::MAIN_SEPARATOR]) {
        let folder = Path::new(wanted);
        let profile = read_system(folder)?;
        return check_prompts(folder).map(|()| profile);
    }
    match (systems::named(wanted), own_folder()) {
        (Err(_), Some(own)) if own.join(wanted).join(SYSTEM_FILE).is_file() => {
            read_system(&own.join(wanted))
        }
        (named, _) => named.map_err(SystemError::Unknown),
    }
}

/// The same for evaluations, whose folders and lists know systems by their names alone.
pub fn named_system(name: &str) -> Result<Profile, SystemError> {
    if name.contains(['/', std::path::MAIN_SEPARATOR]) {
        return Err(SystemError::File {
            path: PathBuf::from(name),
            because: "an evaluation takes systems by name; put `prompts = \"THE FOLDER ABOVE\"` under [llm] in the \
                      config, and give the name"
                .to_owned(),
        });
    }
    system(name)
}

/// All names that `system` takes, those of the program first.
#[must_use]
pub fn system_names() -> Vec<String> {
    let mut names: Vec<String> = systems::all().map(|profile| profile.name).collect();
    let entries = own_folder().and_then(|own| own.read_dir().ok());
    let folders = entries.into_iter().flatten().take(FOLDERS_MAX).flatten();
    // A faulty one is not offered; named, it says what is wrong with it.
    let own = folders.filter_map(|entry| read_system(&entry.path()).ok());
    let mut own: Vec<String> = own.map(|profile| profile.name).collect();
    own.sort();
    names.extend(own);
    names
}

/// The operator's own prompts; a faulty config is reported where it matters.
fn own_folder() -> Option<PathBuf> {
    file::settings().ok()?.llm.prompts
}

/// A folder elsewhere may hold a profile alone: prompts are only ever taken from the folder that the config names, so
/// that a resumed run finds them again.
fn check_prompts(folder: &Path) -> Result<(), SystemError> {
    let place = |path: &Path| path.canonicalize().ok();
    let parent = place(folder).and_then(|whole| whole.parent().map(Path::to_path_buf));
    let own = own_folder().and_then(|own| place(&own));
    let mut files = folder.read_dir().into_iter().flatten().flatten();
    let prompt = files.find(|file| file.path().extension().is_some_and(|end| end == "md"));
    match (prompt, parent) {
        (Some(prompt), Some(parent)) if own.as_ref() != Some(&parent) => Err(SystemError::File {
            path: prompt.path(),
            because: format!(
                "prompts are taken only from the folder that the config names; put `prompts = \"{}\"` under [llm]",
                parent.display()
            ),
        }),
        _ => Ok(()),
    }
}
