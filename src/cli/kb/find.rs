//! Finding an entry by what a person types: an id, or the beginning of one.

use super::super::options::Database;
use crate::cli::outcome::CommandError;
use pithead_core::domain::knowledge::Entry;

/// What every command that looks at one entry is given.
#[derive(Debug, clap::Args)]
pub(super) struct Chosen {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    pub(super) entry: String,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) database: Database,
}

/// Candidates that are listed when a beginning fits several: they stay on one line.
const NAMED_MAX: usize = 5;

/// The entry that an operator means; a whole id takes precedence over ids that begin with it.
pub(crate) fn find_entry<'a>(entries: &'a [Entry], given: &str) -> Result<&'a Entry, CommandError> {
    let wanted = if given.starts_with('k') {
        given.to_owned()
    } else {
        format!("k{given}")
    };
    let is_id = wanted[1..].chars().all(|c| c.is_ascii_digit() || c == '.');
    if !is_id || wanted.len() == 1 {
        return Err(CommandError::usage(format!(
            "`{given}` is not an id of the form kRUN.N, nor the beginning of one; `pithead kb list` lists the ids"
        )));
    }
    if let Some(whole) = entries.iter().find(|e| e.id.to_string() == wanted) {
        return Ok(whole);
    }
    let begins = |entry: &&Entry| entry.id.to_string().starts_with(&wanted);
    let found: Vec<&Entry> = entries.iter().filter(begins).collect();
    match found[..] {
        [one] => Ok(one),
        [] => Err(CommandError::usage(format!(
            "there is no entry {wanted}; `pithead kb list` lists the entries"
        ))),
        _ => {
            let names: Vec<String> = found
                .iter()
                .take(NAMED_MAX)
                .map(|e| e.id.to_string())
                .collect();
            let more = if found.len() > NAMED_MAX { ", …" } else { "" };
            Err(CommandError::usage(format!(
                "`{given}` begins the ids of {} entries ({}{more}); type more of the id",
                found.len(),
                names.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::samples::entry;

    #[test]
    fn the_beginning_of_an_id_is_enough_where_it_is_unambiguous() {
        let base = [(1, 1), (1, 2), (12, 3), (3, 10)].map(|(run, n)| entry(run, n, "stone"));
        let said = |given: &str| match find_entry(&base, given) {
            Ok(entry) => entry.id.to_string(),
            Err(error) => error.to_string(),
        };
        for (given, found) in [
            ("k1.1", "k1.1"),
            ("1.1", "k1.1"),
            ("k12", "k12.3"),
            ("3", "k3.10"),
            ("k3.1", "k3.10"),
        ] {
            assert_eq!(said(given), found);
        }
        assert!(
            said("k1").contains("3 entries (k1.1, k1.2, k12.3)"),
            "{}",
            said("k1")
        );
        assert!(said("k9").contains("no entry k9"));
        for bad in ["first", "", "k", "k1.x"] {
            assert!(said(bad).contains("kRUN.N"), "{bad}");
        }
    }
}
