//! Cassettes: JSON lines, packed if the first byte is odd.

use super::choice;
use pithead_engine::mind::cassette::Cassette;
use std::path::Path;

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let name = if n % 2 == 1 { "a.gz" } else { "a" };
    let Ok(cassette) = Cassette::unpack(rest, Path::new(name)) else {
        return;
    };
    let lines = cassette.to_lines().expect("a cassette can be written");
    let again = Cassette::unpack(lines.as_bytes(), Path::new("a"));
    let again = again.expect("what was written can be read");
    assert_eq!(cassette, again, "{lines}");
}
