//! Reading blueprints: TOML with layers as rows of letters. The text is untrusted.
//!
//! Invariant: a fault says its line and what to do; nothing is read that cannot be built.

use super::layers::{ANYTHING, FREE, loose_cells, not_a_block};
use super::{Blueprint, BlueprintName};
use crate::family::ItemSpec;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Bounds on one blueprint: a body builds a house in a day, not a castle.
pub const BYTES_MAX: u64 = 64 * 1024;
const SIDE_MAX: usize = 16;
const BLOCKS_MAX: usize = 512;
const ABOUT_MAX: usize = 200;

/// Why a text is no blueprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {because}")]
pub struct BlueprintError {
    pub line: usize,
    pub because: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Spanned<String>,
    about: Spanned<String>,
    layers: Vec<Spanned<Vec<Spanned<String>>>>,
    legend: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// Reads one blueprint.
pub fn parse_blueprint(text: &str) -> Result<Blueprint, BlueprintError> {
    let line = |at: usize| {
        1 + text.as_bytes()[..at.min(text.len())]
            .iter()
            .filter(|b| **b == b'\n')
            .count()
    };
    let fault = |at: usize, because: String| BlueprintError {
        line: line(at),
        because,
    };
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        fault(at, error.message().trim_end().to_owned())
    })?;
    let name: BlueprintName = file
        .name
        .get_ref()
        .parse()
        .map_err(|error| fault(file.name.span().start, format!("name: {error}")))?;
    if file.about.get_ref().chars().count() > ABOUT_MAX {
        let because = format!("about: at most {ABOUT_MAX} letters, in one sentence");
        return Err(fault(file.about.span().start, because));
    }
    let legend = legend(&file).map_err(|(at, because)| fault(at, because))?;
    let (blocks, clear) = cells(&file, &legend).map_err(|(at, because)| fault(at, because))?;
    let blueprint = Blueprint {
        name,
        about: file.about.get_ref().trim().to_owned(),
        blocks,
        clear,
    };
    if let Some([x, y, z]) = loose_cells(&blueprint).first() {
        let row = file
            .layers
            .get(*y as usize)
            .and_then(|layer| layer.get_ref().get(*z as usize));
        let because = format!(
            "layer {}, row {}, letter {}: nothing holds this block; every block needs one beside, below or above it that \
             holds, and sand and gravel need one below; add it, or move the block",
            y + 1,
            z + 1,
            x + 1
        );
        return Err(fault(row.map_or(0, |row| row.span().start), because));
    }
    Ok(blueprint)
}

type Placed = (usize, String);

/// What each letter stands for.
fn legend(file: &File) -> Result<BTreeMap<char, ItemSpec>, Placed> {
    let mut legend = BTreeMap::new();
    for (key, value) in &file.legend {
        let mut letters = key.get_ref().chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            let because = format!("legend: `{}` must be a single letter", key.get_ref());
            return Err((key.span().start, because));
        };
        if letter == FREE || letter == ANYTHING {
            let because = "legend: `.` is a cell that must be free and ` ` one that may be anything; choose another letter";
            return Err((key.span().start, because.to_owned()));
        }
        let item: ItemSpec = value
            .get_ref()
            .parse()
            .map_err(|error| (value.span().start, format!("legend: {error}")))?;
        if let Some(because) = not_a_block(item) {
            let because = format!(
                "legend: {because}, so it cannot be built with; name a block or a family of blocks such as #planks"
            );
            return Err((value.span().start, because));
        }
        legend.insert(letter, item);
    }
    Ok(legend)
}

type Cells = (Vec<(ItemSpec, [i32; 3])>, Vec<[i32; 3]>);

fn cells(file: &File, legend: &BTreeMap<char, ItemSpec>) -> Result<Cells, Placed> {
    let too_large = |at, what: &str, n| {
        Err((
            at,
            format!("{n} {what} are more than the {SIDE_MAX} that a blueprint may have"),
        ))
    };
    let first = file.layers.first().map_or(0, |layer| layer.span().start);
    if file.layers.len() > SIDE_MAX {
        return too_large(first, "layers", file.layers.len());
    }
    let (mut blocks, mut clear) = (Vec::new(), Vec::new());
    for (y, layer) in file.layers.iter().enumerate() {
        if layer.get_ref().len() > SIDE_MAX {
            return too_large(layer.span().start, "rows", layer.get_ref().len());
        }
        for (z, row) in layer.get_ref().iter().enumerate() {
            let letters = row.get_ref().chars().count();
            if letters > SIDE_MAX {
                return too_large(row.span().start, "letters in a row", letters);
            }
            for (x, letter) in row.get_ref().chars().enumerate() {
                // Bounded by SIDE_MAX.
                let at = [x, y, z].map(|v| v as i32);
                match (letter, legend.get(&letter)) {
                    (_, Some(item)) => blocks.push((*item, at)),
                    (FREE, None) => clear.push(at),
                    (ANYTHING, None) => {}
                    (unknown, None) => {
                        let known: Vec<String> = legend.keys().map(char::to_string).collect();
                        let because = format!(
                            "layer {}, row {}: `{unknown}` is not in the legend, which has {}; add it there, or write `.` for a free cell",
                            y + 1,
                            z + 1,
                            known.join(" ")
                        );
                        return Err((row.span().start, because));
                    }
                }
            }
        }
    }
    match blocks.len() {
        0 => Err((
            first,
            "there is no block in it; draw one in `layers`".to_owned(),
        )),
        n if n > BLOCKS_MAX => Err((first, format!("{n} blocks are more than {BLOCKS_MAX}"))),
        _ => Ok((blocks, clear)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUT: &str = "name = \"hut\"\nabout = \"a wall\"\nlayers = [\n  [\"AB\"],\n  [\"A.\"],\n]\n\n[legend]\nA = \"#planks\"\nB = \"torch\"\n";

    #[test]
    fn rows_become_cells() {
        let hut = parse_blueprint(HUT).unwrap();
        let item = |name: &str| -> ItemSpec { name.parse().unwrap() };
        assert_eq!(
            hut.blocks,
            [
                (item("#planks"), [0, 0, 0]),
                (item("torch"), [1, 0, 0]),
                (item("#planks"), [0, 1, 0])
            ]
        );
        assert_eq!(hut.clear, [[1, 1, 0]]);
    }

    #[test]
    fn a_fault_says_its_line_and_what_to_do() {
        for (from, to, line, word) in [
            ("name = \"hut\"", "name = \"My Hut\"", 1, "a-z"),
            ("\"AB\"", "\"AX\"", 4, "`X` is not in the legend"),
            ("A = \"#planks\"", "A = \"#plank\"", 9, "did you mean"),
            ("B = \"torch\"", "B = \"stick\"", 10, "is not a block"),
            (
                "B = \"torch\"",
                "B = \"oak_door\"",
                10,
                "more than one cell",
            ),
            ("B = \"torch\"", "\".\" = \"torch\"", 10, "must be free"),
            ("B = \"torch\"", "BB = \"torch\"", 10, "single letter"),
            ("\"A.\"", "\" A\"", 5, "nothing holds this block"),
            ("about = \"a wall\"", "abuot = \"a wall\"", 2, "abuot"),
            ("\"AB\"", "3", 4, "string"),
            ("[\"AB\"]", "[\"AAAAAAAAAAAAAAAAA\"]", 4, "more than the 16"),
        ] {
            assert!(HUT.contains(from), "{from}");
            let error = parse_blueprint(&HUT.replace(from, to)).unwrap_err();
            assert_eq!(error.line, line, "{to}: {error}");
            assert!(error.because.contains(word), "{to}: {error}");
        }
        let empty = "name = \"hut\"\nabout = \"\"\nlayers = []\n[legend]\n";
        assert!(
            parse_blueprint(empty)
                .unwrap_err()
                .because
                .contains("no block")
        );
    }

    #[test]
    fn what_falls_needs_something_below() {
        let sand = HUT
            .replace("\"#planks\"", "\"sand\"")
            .replace("\"A.\"", "\".A\"");
        assert!(parse_blueprint(&sand).is_err());
        assert!(parse_blueprint(&HUT.replace("\"#planks\"", "\"sand\"")).is_ok());
    }
}
