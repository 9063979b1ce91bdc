//! The documentation agrees with the program: generated tables, links, and the tests that it names.

mod links;

use pithead_console::keys;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- keys: begin -->\n";
const END: &str = "<!-- keys: end -->";

fn path_of(file: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn text_of(file: impl AsRef<Path>) -> String {
    let path = path_of(file);
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

#[test]
fn the_key_table_of_operating_md_is_that_of_the_program() {
    let text = text_of("docs/OPERATING.md");
    let (_, rest) = text
        .split_once(BEGIN)
        .expect("docs/OPERATING.md has no line `<!-- keys: begin -->`");
    let (table, _) = rest
        .split_once(END)
        .expect("docs/OPERATING.md has no line `<!-- keys: end -->`");
    let made = keys::markdown();
    assert!(
        table == made,
        "the key table of docs/OPERATING.md is out of date; put this between its two marker lines, \
         with nothing added:\n{made}"
    );
}
