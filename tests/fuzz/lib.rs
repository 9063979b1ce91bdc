//! The fuzz targets as functions, for cargo-fuzz.
//!
//! One function each, so that a fuzzer holds no code but that which its target reaches: it looks through the
//! counters of all code after every input.

mod targets;

macro_rules! targets {
    ($($name:ident)*) => {
        $(pub fn $name(data: &[u8]) {
            targets::$name::check(data);
        })*
    };
}

targets! {
    asciicasts attach cassettes cleaning conditions events foreign_skills knowledge plans policies replies settings
    skills steering
}
