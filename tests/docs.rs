//! The documentation that is made from code is up to date.

use pithead_console::keys;

const BEGIN: &str = "<!-- keys: begin -->\n";
const END: &str = "<!-- keys: end -->";

#[test]
fn the_key_table_of_operating_md_is_that_of_the_program() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/OPERATING.md");
    let text = std::fs::read_to_string(path).unwrap();
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
