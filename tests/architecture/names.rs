//! One meaning per word: no two public types share a name.

use super::sources::{Source, sources};
use std::collections::BTreeMap;

/// Names that several files may give to a type, and why.
const SHARED: &[(&str, &str)] = &[
    (
        "Args",
        "clap's arguments of a command; each command is a module",
    ),
    (
        "Command",
        "clap's subcommands of a command; each command is a module",
    ),
];

#[test]
fn no_two_public_types_have_one_name() {
    refuse_duplicates(&["pub "], |_| String::new());
}

/// Within a crate no path tells them apart. Narrower types may be short: the file beside shows what is meant.
#[test]
fn no_two_types_that_a_whole_crate_sees_have_one_name() {
    refuse_duplicates(&["pub ", "pub(crate) "], |source| {
        source.member().to_owned()
    });
}

/// Collects the types by the group they are in and their name; reports names that stand twice.
fn refuse_duplicates(visible: &[&str], group: impl Fn(&Source) -> String) {
    let mut places: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for source in sources() {
        let lines = source.code();
        for name in lines.lines().filter_map(|line| visible_type(line, visible)) {
            let place = source.path.display().to_string();
            places
                .entry((group(&source), name.to_owned()))
                .or_default()
                .push(place);
        }
    }
    let is_shared = |name: &str| SHARED.iter().any(|(shared, _)| *shared == name);
    let faults: Vec<String> = places
        .into_iter()
        .filter(|((_, name), found)| found.len() > 1 && !is_shared(name))
        .map(|((_, name), found)| format!("`{name}` is a type in {}", found.join(", ")))
        .collect();
    super::report(&faults);
}

/// The type that a line declares with one of these visibilities.
fn visible_type<'l>(line: &'l str, visible: &[&str]) -> Option<&'l str> {
    let line = line.trim_start();
    let rest = visible.iter().find_map(|start| line.strip_prefix(start))?;
    let rest = ["struct ", "enum ", "trait ", "type "]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some(name)
}
