//! One meaning per word: no two public types of one name.

use super::sources::sources;
use std::collections::BTreeMap;

/// Names that stand for the same thing in two places, and why they may.
const SHARED: &[(&str, &str)] = &[];

/// Goes down to none while the house is put in order.
const FAULTS_MAX: usize = 90;

#[test]
fn no_two_public_types_have_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources() {
        for name in source.code().lines().filter_map(public_type) {
            let place = source.path.display().to_string();
            places.entry(name.to_owned()).or_default().push(place);
        }
    }
    let faults: Vec<String> = places
        .into_iter()
        .filter(|(name, found)| found.len() > 1 && !SHARED.iter().any(|(shared, _)| shared == name))
        .map(|(name, found)| format!("`{name}` is a type in {}", found.join(", ")))
        .collect();
    if faults.len() > FAULTS_MAX {
        super::report(&faults);
    }
}

/// The type that a line makes public.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = ["struct ", "enum ", "trait ", "type "]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some(name)
}
