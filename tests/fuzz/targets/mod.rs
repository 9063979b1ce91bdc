//! What is checked of every input that a fuzzer finds, one module for each kind of input.
//!
//! Shared by the fuzz targets and by the test that plays the corpus. Each `check` takes any bytes: it may
//! refuse them, but it may not panic, and what it accepts must come back the same when it is written and read.

pub(crate) mod asciicasts;
pub(crate) mod attach;
pub(crate) mod cassettes;
pub(crate) mod cleaning;
pub(crate) mod conditions;
pub(crate) mod events;
pub(crate) mod foreign_skills;
pub(crate) mod knowledge;
pub(crate) mod plans;
pub(crate) mod policies;
pub(crate) mod replies;
pub(crate) mod settings;
pub(crate) mod skills;
pub(crate) mod steering;

/// Refuses an input or finds it in order.
#[cfg(test)]
type Check = fn(&[u8]);

/// Every target by its name.
#[cfg(test)]
pub(crate) const TARGETS: &[(&str, Check)] = &[
    ("asciicasts", asciicasts::check),
    ("attach", attach::check),
    ("cassettes", cassettes::check),
    ("cleaning", cleaning::check),
    ("conditions", conditions::check),
    ("events", events::check),
    ("foreign_skills", foreign_skills::check),
    ("knowledge", knowledge::check),
    ("plans", plans::check),
    ("policies", policies::check),
    ("replies", replies::check),
    ("settings", settings::check),
    ("skills", skills::check),
    ("steering", steering::check),
];

/// The bytes as text, up to the first that is none.
fn text(data: &[u8]) -> &str {
    match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&data[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// The first byte, which chooses between forms of an input, and the rest.
fn choice(data: &[u8]) -> (usize, &[u8]) {
    data.split_first()
        .map_or((0, data), |(first, rest)| (usize::from(*first), rest))
}

/// What serde wrote is read back as it was.
#[track_caller]
fn check_json<T>(value: &T)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let json = serde_json::to_string(value).expect("it can be written as JSON");
    let again: T = serde_json::from_str(&json).expect("what was written can be read");
    assert_eq!(*value, again, "{json}");
}
