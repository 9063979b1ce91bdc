//! Enforces the structure: layers, headers, and the limits on files and functions.
//!
//! Every failure names file and line, the rule, and what to do.

mod circles;
mod imports;
mod names;
mod phases;
mod screens;
mod sources;

use imports::imports_of;
use sources::{Source, layer_of_path, simulation, sources};
use std::path::PathBuf;

/// The crate of the world, the folders of the others, and the files of the root by layer, lowest first; a module imports only from layers before
/// its own, or from itself. Modules of one layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["world"],
    &["text"],
    &["domain", "http", "minecraft"],
    &[
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
    &["config"],
    &["eval", "launch", "selector"],
    &["console", "headless"],
    &["cli", "main", "lib"],
];

/// Modules of this layer may use each other.
const OPEN_LAYERS: [usize; 1] = [9];

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
        .filter(|file| layer_of(&file.layer_name()).is_none())
        .map(|file| format!("{}:1 has no layer; add it to LAYERS", file.path.display()))
        .collect();
    report(&complaints);
}

/// Tables of the game that no agent has; whoever made or wrecked something has only seen what became of it.
const GAME_TABLES: [&str; 3] = ["farming", "recipe", "smelting"];
/// Lint looks at entries from elsewhere, before they are evidence of anything.
const LOOKS_AT_TABLES: &str = "src/core/knowledge/lint.rs";

#[test]
fn what_is_learnt_rests_on_evidence_and_not_on_the_tables_of_the_game() {
    let learns = |file: &Source| {
        let folders = ["src/core/knowledge", "src/core/diagnosis"];
        let path = &file.path;
        folders.iter().any(|folder| path.starts_with(folder)) && !path.ends_with(LOOKS_AT_TABLES)
    };
    let read = |file: &Source| {
        let tables = imports_of(file).into_iter().filter(|import| {
            let table = import.names.first();
            import.member == "world" && table.is_some_and(|t| GAME_TABLES.contains(&t.as_str()))
        });
        let told = tables.map(|import| import.names.join("::"));
        let place = file.path.display().to_string();
        told.map(move |table| format!("{place} reads the game's {table}"))
            .collect::<Vec<_>>()
    };
    let all = sources();
    assert!(all.iter().any(|file| file.path.ends_with(LOOKS_AT_TABLES)));
    let faults: Vec<String> = all.iter().filter(|f| learns(f)).flat_map(read).collect();
    report(&faults);
}

#[test]
fn every_file_has_a_header() {
    let files = sources().into_iter().chain(simulation());
    let complaints: Vec<String> = files.filter_map(|file| header_fault(&file)).collect();
    report(&complaints);
}

#[test]
fn no_file_and_no_function_is_too_long() {
    let files = sources().into_iter().chain(simulation());
    let complaints: Vec<String> = files.flat_map(|file| length_faults(&file)).collect();
    report(&complaints);
}

#[test]
fn the_rules_themselves_can_fail() {
    let file = Source {
        path: PathBuf::from("src/core/domain/bad.rs"),
        text: "use crate::agent::state;\nfn long() {\n".to_owned() + &"    x;\n".repeat(80) + "}\n",
    };
    assert_eq!(layer_faults(&file).len(), 1);
    assert!(header_fault(&file).is_some());
    assert_eq!(length_faults(&file).len(), 1);
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn layer_faults(file: &Source) -> Vec<String> {
    let own = file.layer_name();
    let Some(own_layer) = layer_of(&own) else {
        return Vec::new();
    };
    let mut faults = Vec::new();
    for import in imports_of(file) {
        let Some(used) = layer_of_path(&import.member, &import.names) else {
            continue;
        };
        let Some(layer) = layer_of(&used) else {
            continue;
        };
        let open = layer == own_layer && OPEN_LAYERS.contains(&layer);
        if used != own && layer >= own_layer && !open {
            faults.push(format!(
                "{} `{own}` (layer {own_layer}) uses `{used}` (layer {layer}) as {}; move the noun down or the use up",
                file.path.display(),
                import.names.join("::"),
            ));
        }
    }
    faults
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
    let (before, _) = code.split_once("fn ")?;
    let is_head = |word: &str| {
        let is_visibility = word.starts_with("pub") || word.ends_with(')');
        is_visibility || ["", "const", "async", "unsafe"].contains(&word)
    };
    if !before.split(' ').all(is_head) {
        return None;
    }
    let close = format!("{}}}", " ".repeat(indent));
    rest.iter().position(|l| **l == close).map(|at| at + 1)
}

fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
