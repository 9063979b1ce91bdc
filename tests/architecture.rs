//! Holds the structure to its word: layers, headers, and the limits on files and functions.
//!
//! Every complaint names file and line, what the rule is, and what to do.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders and files of src by layer, lowest first; a module imports only from layers before
/// its own, or from itself. Modules of one layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["ids", "clock", "rng", "http", "utf8"],
    &["world"],
    &["domain"],
    &[
        "worlds",
        "diagnosis",
        "memory",
        "knowledge",
        "mind",
        "systems",
        "journal",
        "suites",
    ],
    &["agent"],
    &["runtime"],
    &["console", "headless", "eval", "serve"],
    &["app", "cli", "config", "main", "lib"],
];

/// Modules of the lowest and of the highest layer may use each other.
const OPEN_LAYERS: [usize; 2] = [0, 7];

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
const HEADER_LINES_MAX: usize = 8;

#[test]
fn modules_import_only_from_layers_below() {
    let complaints: Vec<String> = sources().iter().flat_map(layer_faults).collect();
    report(&complaints);
}

#[test]
fn every_module_of_src_has_a_layer() {
    let complaints: Vec<String> = sources()
        .iter()
        .filter(|file| layer_of(&module_of(&file.path)).is_none())
        .map(|file| format!("{}:1 has no layer; add it to LAYERS", file.path.display()))
        .collect();
    report(&complaints);
}

#[test]
fn every_file_says_what_it_is() {
    let complaints: Vec<String> = sources().iter().filter_map(header_fault).collect();
    report(&complaints);
}

#[test]
fn no_file_and_no_function_is_too_long() {
    let complaints: Vec<String> = sources().iter().flat_map(length_faults).collect();
    report(&complaints);
}

#[test]
fn the_rules_themselves_can_fail() {
    let file = Source {
        path: PathBuf::from("src/world/bad.rs"),
        text: "use crate::console::theme;\nfn long() {\n".to_owned()
            + &"    x;\n".repeat(80)
            + "}\n",
    };
    assert_eq!(layer_faults(&file).len(), 1);
    assert!(header_fault(&file).is_some());
    assert_eq!(length_faults(&file).len(), 1);
}

struct Source {
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    collect(&root.join("src"), root, &mut found);
    assert!(found.len() > 20, "the sources were not found");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(folder: &Path, root: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("src is readable") {
        let path = entry.expect("its entries are readable").path();
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

/// `src/agent/state.rs` → `agent`.
fn module_of(path: &Path) -> String {
    let part = path.components().nth(1).expect("a source is below src");
    let name = part.as_os_str().to_string_lossy();
    name.trim_end_matches(".rs").to_owned()
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn layer_faults(file: &Source) -> Vec<String> {
    let own = module_of(&file.path);
    let Some(own_layer) = layer_of(&own) else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for used in imports(line) {
            let Some(layer) = layer_of(&used) else {
                continue;
            };
            let open = layer == own_layer && OPEN_LAYERS.contains(&layer);
            if used != own && layer >= own_layer && !open {
                faults.push(format!(
                    "{}:{number} `{own}` (layer {own_layer}) uses `{used}` (layer {layer}); \
                     move the noun down or the use up",
                    file.path.display()
                ));
            }
        }
    }
    faults
}

/// The modules named on a line as `crate::module` or, from the binary, `pithead::module`.
fn imports(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for prefix in ["crate::", "pithead::"] {
        for (at, _) in line.match_indices(prefix) {
            let rest = &line[at + prefix.len()..];
            let names = match rest.strip_prefix('{') {
                Some(list) => list
                    .split(['}', ';'])
                    .next()
                    .unwrap_or("")
                    .split(',')
                    .collect(),
                None => vec![rest],
            };
            for name in names {
                let name: String = name
                    .trim()
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                found.push(name);
            }
        }
    }
    found
}

fn header_fault(file: &Source) -> Option<String> {
    let lines = file
        .text
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .count();
    let place = file.path.display();
    match lines {
        0 => Some(format!(
            "{place}:1 has no `//!` header: what it is, what not, its invariant"
        )),
        n if n > HEADER_LINES_MAX => Some(format!(
            "{place}:1 has a header of {n} lines, at most {HEADER_LINES_MAX}"
        )),
        _ => None,
    }
}

fn length_faults(file: &Source) -> Vec<String> {
    let place = file.path.display();
    let lines: Vec<&str> = file.text.lines().collect();
    let mut faults = Vec::new();
    if lines.len() > FILE_LINES_MAX {
        faults.push(format!(
            "{place}:{FILE_LINES_MAX} the file has {} lines, at most {FILE_LINES_MAX}; split it by noun",
            lines.len()
        ));
    }
    for (start, line) in lines.iter().enumerate() {
        let Some(length) = function_length(line, &lines[start..]) else {
            continue;
        };
        if length > FUNCTION_LINES_MAX {
            faults.push(format!(
                "{place}:{} the function has {length} lines, at most {FUNCTION_LINES_MAX}",
                start + 1
            ));
        }
    }
    faults
}

/// Lines of the function that starts here; rustfmt closes it at the indentation it began with.
fn function_length(line: &str, rest: &[&str]) -> Option<usize> {
    let code = line.trim_start();
    let indent = line.len() - code.len();
    let starts = [
        "fn ",
        "pub fn ",
        "pub(crate) fn ",
        "pub(super) fn ",
        "const fn ",
        "pub const fn ",
        "async fn ",
        "pub async fn ",
    ];
    if !starts.iter().any(|s| code.starts_with(s)) {
        return None;
    }
    let close = format!("{}}}", " ".repeat(indent));
    rest.iter().position(|l| **l == close).map(|at| at + 1)
}

fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
