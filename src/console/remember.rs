//! Remembering: how each run was looked at, in a small file beside the database.
//!
//! Losing the file loses nothing but comfort: one that does not read is ignored, with a line in the log.
//! Invariant: nothing about a run itself is kept here.

use crate::screen::Screen;
use crate::screens::live::layout::Focus;
use crate::shell::Shell;
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::clean::clean_line;
use pithead_world::ids::{RunId, SubgoalId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Runs remembered; the oldest are forgotten.
const RUNS_MAX: usize = 200;
/// Folds remembered of a run.
const FOLDS_MAX: usize = 500;
/// A longer file is none of ours.
const BYTES_MAX: u64 = 1 << 20;

/// How a run was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Look {
    debug: bool,
    focus: String,
    beside: String,
    zoom: bool,
    looks: bool,
    node: Option<SubgoalId>,
    folded: Vec<SubgoalId>,
    lists: BTreeMap<String, List>,
}

/// How a list was looked at. The filter is kept for lists of a run only: elsewhere it would hide what
/// has come since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
struct List {
    filter: String,
    sort: Option<(usize, bool)>,
    columns: Vec<String>,
}

/// All that is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewMemory {
    runs: BTreeMap<u64, Look>,
    /// Of the lists that belong to no run.
    lists: BTreeMap<String, List>,
    /// How often commands were chosen in the palette.
    uses: BTreeMap<String, u32>,
}

/// The file beside a database.
#[must_use]
pub fn file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-view");
    PathBuf::from(name)
}

impl ViewMemory {
    /// What the file says; nothing if it is not there or does not read.
    #[must_use]
    pub fn load(path: &Path) -> Self {
        let read = || -> Result<Option<Self>, String> {
            let facts = match std::fs::metadata(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                other => other.map_err(|error| error.to_string())?,
            };
            if facts.len() > BYTES_MAX {
                return Err(format!("it has more than {BYTES_MAX} bytes"));
            }
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            serde_json::from_str(&text).map_err(|error| error.to_string())
        };
        read().map_or_else(
            |because| {
                tracing::warn!(file = %path.display(), because, "how runs were viewed could not be read");
                Self::default()
            },
            Option::unwrap_or_default,
        )
    }

    /// Writes it beside the old file first, so that two consoles never leave half a file.
    pub fn write(&self, path: &Path) {
        let written = serde_json::to_string(self)
            .map_err(|error| error.to_string())
            .and_then(|text| {
                write_atomically(path, text.as_bytes()).map_err(|error| error.to_string())
            });
        if let Err(because) = written {
            tracing::warn!(file = %path.display(), because, "how runs were viewed is not saved");
        }
    }

    /// Keeps how a run is looked at now.
    pub fn note(&mut self, run: RunId, shell: &Shell) {
        let (own, lists): (Vec<_>, Vec<_>) =
            named(shell).partition(|(screen, _)| *screen == Screen::Debug);
        let keep = |lists: Vec<(Screen, List)>| {
            let lists = lists.into_iter();
            lists.map(|(screen, list)| (screen.name().to_owned(), list))
        };
        self.lists.extend(keep(lists));
        let look = Look {
            debug: shell.screen == Screen::Debug,
            focus: shell.live.focus.name().to_owned(),
            beside: shell.live.beside.name().to_owned(),
            zoom: shell.live.zoom,
            looks: shell.live.looks,
            node: shell.live.node,
            folded: shell.live.folded.iter().copied().take(FOLDS_MAX).collect(),
            lists: keep(own).collect(),
        };
        self.runs.insert(run.0, look);
        self.uses.clone_from(&shell.uses);
        while self.runs.len() > RUNS_MAX {
            self.runs.pop_first();
        }
    }

    /// Keeps how the lists are looked at that belong to no run.
    pub fn note_lists(&mut self, shell: &Shell) {
        let lists = named(shell).filter(|(screen, _)| *screen != Screen::Debug);
        let lists = lists.map(|(screen, list)| (screen.name().to_owned(), list));
        self.lists.extend(lists);
        self.uses.clone_from(&shell.uses);
    }

    /// Looks at a run as it was looked at before; the screen that it was on, if that was known.
    pub fn recall(&self, run: RunId, shell: &mut Shell) -> Option<Screen> {
        let look = self.runs.get(&run.0)?;
        let focus = |name: &str| {
            let mut all = Focus::ALL.into_iter();
            all.find(|focus| focus.name() == name)
        };
        shell.live.beside = focus(&look.beside).unwrap_or(shell.live.beside);
        shell.live.focus = focus(&look.focus).unwrap_or(shell.live.focus);
        shell.live.bring_forward(shell.live.focus);
        (shell.live.zoom, shell.live.looks, shell.live.node) = (look.zoom, look.looks, look.node);
        shell.live.folded = look.folded.iter().copied().collect();
        // An attempt that the run was opened for is not to be hidden by an old filter.
        if shell.screen != Screen::Debug {
            recall_lists(&look.lists, shell);
        }
        Some(if look.debug {
            Screen::Debug
        } else {
            Screen::Live
        })
    }

    /// Looks at the lists as they were looked at before.
    pub fn recall_lists(&self, shell: &mut Shell) {
        recall_lists(&self.lists, shell);
        // Names of commands that are no more are never looked up.
        shell.uses.clone_from(&self.uses);
    }
}

fn named(shell: &Shell) -> impl Iterator<Item = (Screen, List)> + '_ {
    shell.lists.iter().map(|(screen, list)| {
        let is_own = *screen == Screen::Debug;
        let filter = list.filter.clone();
        let list = List {
            filter: if is_own { filter } else { String::new() },
            sort: list.sort,
            columns: list.columns.clone(),
        };
        (*screen, list)
    })
}

fn recall_lists(lists: &BTreeMap<String, List>, shell: &mut Shell) {
    for screen in Screen::ALL {
        let known = lists.get(screen.name()).cloned();
        if let Some(List {
            filter,
            sort,
            columns,
        }) = known
        {
            let list = shell.lists.entry(screen).or_default();
            // A file may hold anything; a filter that does not read is refused where it is used.
            (list.filter, list.sort) = (clean_line(&filter), sort);
            list.columns = columns;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::keymap::Keymap;

    use ratatui::layout::Size;

    fn console() -> Shell {
        Shell::new(Screen::Live, Keymap::default(), Size::new(80, 24))
    }

    #[test]
    fn a_run_is_looked_at_as_it_was_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder.path().join("pithead.db"));
        let mut shell = console();
        shell.live.focus_on(Focus::Map);
        (shell.live.zoom, shell.live.node) = (true, Some(SubgoalId(6)));
        shell.live.folded.insert(SubgoalId(3));
        shell.screen = Screen::Debug;
        shell.lists.entry(Screen::Debug).or_default().filter = "label:✗".to_owned();
        let runs = shell.lists.entry(Screen::Runs).or_default();
        (runs.sort, runs.columns) = (Some((2, true)), vec!["task".to_owned(), "run".to_owned()]);
        let mut memory = ViewMemory::load(&path);
        assert_eq!(memory, ViewMemory::default());
        memory.note(RunId(7), &shell);
        memory.write(&path);
        let memory = ViewMemory::load(&path);
        let mut other = console();
        memory.recall_lists(&mut other);
        assert_eq!(memory.recall(RunId(8), &mut other), None);
        assert_eq!(other.live.focus, Focus::Plan, "another run is another look");
        let screen = memory.recall(RunId(7), &mut other);
        assert_eq!(screen, Some(Screen::Debug));
        assert_eq!(
            (
                other.live.focus,
                other.live.zoom,
                other.live.node,
                &other.live.folded
            ),
            (Focus::Map, true, Some(SubgoalId(6)), &shell.live.folded)
        );
        assert_eq!(other.lists[&Screen::Debug].filter, "label:✗");
        assert_eq!(other.lists[&Screen::Runs].sort, Some((2, true)));
        assert_eq!(other.lists[&Screen::Runs].columns, ["task", "run"]);
        let mut aimed = console();
        aimed.screen = Screen::Debug;
        memory.recall(RunId(7), &mut aimed);
        assert!(
            aimed.lists.is_empty(),
            "the attempt asked for stays in sight"
        );
    }

    #[test]
    fn a_file_that_does_not_read_is_ignored_and_runs_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db-view");
        for text in ["", "[]", "{\"runs\": 3}", "\u{1b}[31m"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(ViewMemory::load(&path), ViewMemory::default(), "{text}");
        }
        let shell = console();
        let mut memory = ViewMemory::default();
        for run in 0..RUNS_MAX as u64 + 5 {
            memory.note(RunId(run), &shell);
        }
        assert_eq!(memory.runs.len(), RUNS_MAX);
        assert!(!memory.runs.contains_key(&4));
    }
}
