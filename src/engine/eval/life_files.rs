//! Life files: finished lives as they are kept in a folder, and the playing of those that are not there yet.
//!
//! Invariant: a file is written whole or not at all, and a life of another course or version is refused, not mixed in.

use super::parallel::for_each_result;
use super::plan::{Seeds, Setting};
use super::results::ResultsError;
use super::workers::EvalError;
use pithead_core::text::atomic_file::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Of which schema, version and course a life is.
pub(super) type Stamp<'a> = (u32, &'a str, &'a str);

/// A life that is kept in a file.
pub(super) trait KeptLife: Serialize + DeserializeOwned {
    fn stamp(&self) -> Stamp<'_>;
}

/// Plays the lives that `finished` does not find and returns all, except those that an interrupt prevented.
/// `keep` writes a life before it is counted; `on_progress` receives how many of how many are over.
pub(super) fn play_unfinished<Life, Played: Send>(
    (settings, seeds, jobs): (&[Setting], Seeds, usize),
    finished: impl Fn(&Setting, u64) -> Result<Option<Life>, EvalError>,
    play: impl Fn(&Setting, u64) -> Result<Option<Played>, EvalError> + Sync,
    mut keep: impl FnMut(Played) -> Result<Life, EvalError>,
    mut on_progress: impl FnMut(usize, usize),
) -> Result<Vec<Life>, EvalError> {
    let (mut lives, mut missing) = (Vec::new(), Vec::new());
    // Seed by seed over all systems, so that an interrupted run compares what it has.
    for seed in seeds.first..=seeds.last {
        for setting in settings {
            match finished(setting, seed)? {
                Some(life) => lives.push(life),
                None => missing.push((setting, seed)),
            }
        }
    }
    let total = lives.len() + missing.len();
    on_progress(lives.len(), total);
    for_each_result(
        &missing,
        jobs,
        |(setting, seed)| play(setting, *seed).transpose(),
        |played| {
            lives.push(keep(played?)?);
            on_progress(lives.len(), total);
            Ok::<(), EvalError>(())
        },
    )?;
    Ok(lives)
}

/// A life of this stamp; none if the file does not exist.
pub(super) fn read_life<L: KeptLife>(path: &Path, ours: Stamp<'_>) -> Result<Option<L>, EvalError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        // Absent is not an error: it is still to be played.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(fault("read", path, source)),
    };
    let life: L = serde_json::from_str(&text).map_err(|error| ResultsError::Line {
        path: path.to_owned(),
        line: error.line(),
        because: error.to_string(),
    })?;
    // Another version may play otherwise, so its lives are not counted.
    if life.stamp() != ours {
        let (_, version, course) = life.stamp();
        let because = format!("it is of `{course}`, version {version}");
        let path = path.to_owned();
        return Err(ResultsError::Other { path, because }.into());
    }
    Ok(Some(life))
}

pub(super) fn write_life<L: KeptLife>(path: &Path, life: &L) -> Result<(), EvalError> {
    let text =
        serde_json::to_string(life).expect("a life holds no maps with keys that JSON cannot write");
    write_whole(path, &text)
}

/// Whole or not at all: a kill leaves the old file or the new one.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), EvalError> {
    let written = match path.parent() {
        Some(folder) => std::fs::create_dir_all(folder),
        None => Ok(()),
    };
    written
        .and_then(|()| write_atomically(path, text.as_bytes()))
        .map_err(|source| fault("write", path, source))
}

pub(super) fn fault(doing: &'static str, path: &Path, source: std::io::Error) -> EvalError {
    let path = path.to_owned();
    ResultsError::File {
        doing,
        path,
        source,
    }
    .into()
}
