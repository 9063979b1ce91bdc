//! Saved views: filter, order and columns of a list under a name, in a small file beside the database.
//!
//! Invariant: "saved" is said only when the file holds it, and a file that does not read is never overwritten.

use crate::widgets::table::{Table, TableUi};
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::clean::clean_line;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Views of one list; more are not found by looking.
const VIEWS_MAX: usize = 50;
/// A longer file is none of ours.
const BYTES_MAX: u64 = 1 << 20;

/// How a list is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedView {
    pub filter: String,
    /// A column by its name, and whether the largest comes first.
    pub sort: Option<(String, bool)>,
    /// Those in sight by name; all if none is named.
    pub columns: Vec<String>,
}

/// A view that is to be kept under a name, or taken off if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptView {
    pub list: String,
    pub name: String,
    pub view: Option<SavedView>,
}

/// By list, then by name.
pub type SavedViews = BTreeMap<String, BTreeMap<String, SavedView>>;

/// The file beside a database.
#[must_use]
pub fn file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-views.json");
    PathBuf::from(name)
}

/// What the file says; nothing if there is none.
pub fn load(path: &Path) -> Result<SavedViews, String> {
    let fault = |because: String| format!("{}: {because}", path.display());
    let facts = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(SavedViews::new());
        }
        other => other.map_err(|error| fault(error.to_string()))?,
    };
    if facts.len() > BYTES_MAX {
        return Err(fault(format!("it has more than {BYTES_MAX} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| fault(error.to_string()))
}

/// Keeps a view in the file, or takes it out. What others have saved meanwhile stays.
pub fn keep(path: &Path, kept: KeptView) -> Result<(), String> {
    let KeptView { list, name, view } = kept;
    let mut all = load(path)?;
    let views = all.entry(list).or_default();
    match view {
        Some(view) => {
            if views.len() >= VIEWS_MAX && !views.contains_key(&name) {
                return Err(format!("{VIEWS_MAX} views are saved; take one off first"));
            }
            views.insert(name, view);
        }
        None => {
            views.remove(&name);
        }
    }
    let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    write_atomically(path, text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))
}

impl SavedView {
    /// How a list is looked at now.
    #[must_use]
    pub fn of_list(list: &TableUi, table: &Table) -> Self {
        let column = |at: usize| table.columns.get(at).map(|column| column.name.to_owned());
        Self {
            filter: list.filter.clone(),
            sort: list.sort.and_then(|(at, desc)| Some((column(at)?, desc))),
            columns: list.columns.clone(),
        }
    }

    /// Looks at a list like this; columns that it does not have are passed over.
    pub fn apply(&self, list: &mut TableUi, table: &Table) -> Result<(), String> {
        let place = |name: &str| table.columns.iter().position(|column| column.name == name);
        let sort = self.sort.as_ref();
        // A file may hold anything.
        list.filter = clean_line(&self.filter);
        list.sort = sort.and_then(|(name, desc)| Some((place(name)?, *desc)));
        let known = self.columns.iter().filter(|name| place(name).is_some());
        list.columns = known.cloned().collect();
        list.settle(table)
    }

    /// In words: what it filters, sorts and shows.
    #[must_use]
    pub fn words(&self) -> String {
        let mut parts = Vec::new();
        if !self.filter.is_empty() {
            parts.push(format!("/{}", self.filter));
        }
        if let Some((column, desc)) = &self.sort {
            let order = if *desc { "↓" } else { "↑" };
            parts.push(format!("{order} {column}"));
        }
        if !self.columns.is_empty() {
            parts.push(self.columns.join(" "));
        }
        parts.join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(filter: &str) -> SavedView {
        SavedView {
            filter: filter.to_owned(),
            sort: Some(("ticks".to_owned(), true)),
            columns: vec!["run".to_owned()],
        }
    }

    fn kept(list: &str, name: &str, view: Option<SavedView>) -> KeptView {
        KeptView {
            list: list.to_owned(),
            name: name.to_owned(),
            view,
        }
    }

    #[test]
    fn views_are_kept_beside_the_database_and_two_consoles_lose_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder.path().join("a.db"));
        assert_eq!(load(&path), Ok(SavedViews::new()));
        keep(&path, kept("Runs", "mine", Some(view("ada")))).unwrap();
        // Another console that has read nothing of it.
        keep(&path, kept("Runs", "stuck", Some(view("label:NAV_STUCK")))).unwrap();
        keep(&path, kept("Inbox", "mine", Some(view("@ada")))).unwrap();
        keep(&path, kept("Runs", "mine", None)).unwrap();
        let all = load(&path).unwrap();
        assert_eq!(all["Runs"].keys().collect::<Vec<_>>(), ["stuck"]);
        assert_eq!(all["Inbox"]["mine"], view("@ada"));
    }

    #[test]
    fn a_file_that_does_not_read_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x-views.json");
        std::fs::write(&path, "{\"Runs\": 3}").unwrap();
        let fault = keep(&path, kept("Runs", "mine", Some(view("")))).unwrap_err();
        assert!(fault.contains("x-views.json"), "{fault}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"Runs\": 3}");
    }

    #[test]
    fn views_of_a_list_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x-views.json");
        for n in 0..VIEWS_MAX {
            keep(&path, kept("Runs", &n.to_string(), Some(view("")))).unwrap();
        }
        assert!(keep(&path, kept("Runs", "one more", Some(view("")))).is_err());
        keep(&path, kept("Runs", "3", Some(view("changed")))).unwrap();
    }
}
