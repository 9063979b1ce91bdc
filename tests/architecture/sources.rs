//! The sources of all crates, each with its place in the layers.
//!
//! A file of `src/core/agent/state.rs` is of the folder `agent`; all of `src/world` is `world`.

use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose folders are layers of their own.
const CRATES_OF_FOLDERS: [&str; 2] = ["core", "engine"];

/// One file of src.
pub(super) struct Source {
    /// From the root of the repository.
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl Source {
    /// `world`, `core`, `minecraft`, `engine` or `console`; `root` for the binary and its library.
    pub(super) fn member(&self) -> &str {
        match self.part(1) {
            Some(name @ ("world" | "core" | "minecraft" | "engine" | "console")) => name,
            _ => "root",
        }
    }

    /// The row of the table of layers that the file belongs to.
    pub(super) fn layer_name(&self) -> String {
        let member = self.member();
        let part = match member {
            "world" | "minecraft" | "console" => member,
            "root" => self.part(1).expect("a source is below src"),
            _ => self
                .part(2)
                .expect("a source of a crate is below its folder"),
        };
        part.trim_end_matches(".rs").to_owned()
    }

    fn part(&self, at: usize) -> Option<&str> {
        let part = self.path.components().nth(at)?;
        part.as_os_str().to_str()
    }

    /// The module path within its crate: `src/core/agent/mod.rs` → `["agent"]`.
    pub(super) fn module(&self) -> Vec<String> {
        let skipped = if self.member() == "root" { 1 } else { 2 };
        let mut parts: Vec<String> = self
            .path
            .with_extension("")
            .components()
            .skip(skipped)
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        if parts
            .last()
            .is_some_and(|last| matches!(last.as_str(), "mod" | "lib"))
        {
            parts.pop();
        }
        parts
    }

    /// Tests may import anything of their crate.
    pub(super) fn is_test(&self) -> bool {
        self.path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            let name = name.trim_end_matches(".rs");
            name == "tests" || name == "testing" || name.ends_with("_tests")
        })
    }

    /// The text without comments and without the tests at its end.
    pub(super) fn code(&self) -> String {
        let text = self
            .text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let lines = text.lines().map(|line| match line.trim_start() {
            comment if comment.starts_with("//") => "",
            _ => line,
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The layer that a path names: `core` and `agent::state` → `agent`.
pub(super) fn layer_of_path(member: &str, rest: &[String]) -> Option<String> {
    if CRATES_OF_FOLDERS.contains(&member) || member == "root" {
        rest.first().cloned()
    } else {
        Some(member.to_owned())
    }
}

/// All files of src, by path.
pub(super) fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    collect(&root.join("src"), root, &mut found);
    assert!(found.len() > 20, "the sources were not found");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The files of the simulation, a crate of the tests: outside the layers, within the limits of size.
pub(super) fn simulation() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    collect(&root.join("tests/simulation"), root, &mut found);
    assert!(found.len() > 5, "the simulation was not found");
    found
}

fn collect(folder: &Path, root: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("src is readable") {
        let path = entry.expect("its entries are readable").path();
        // Packages of the bridge are not ours.
        if path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            collect(&path, root, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let path = path
                .strip_prefix(root)
                .expect("it is below the root")
                .to_owned();
            found.push(Source { path, text });
        }
    }
}
