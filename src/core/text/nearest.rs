//! What a message suggests in place of a name that nobody knows.

use pithead_world::naming;

/// The names closest to what was given, best first; none where all are far off.
#[must_use]
pub fn nearest_names(given: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    naming::nearest(given, names)
}

/// How a message continues after an unknown name; nothing where no name is close.
#[must_use]
pub fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(", ")),
    }
}

/// The names closest to what was given, or all where none is close.
#[must_use]
pub fn nearest_or_all(
    given: &str,
    names: impl Iterator<Item = &'static str> + Clone,
) -> Vec<&'static str> {
    let close = nearest_names(given, names.clone());
    if close.is_empty() {
        names.collect()
    } else {
        close
    }
}
