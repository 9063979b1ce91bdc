//! Digests: 32 bytes that say what was written, so that a change of the stored bytes is noticed when they
//! are read.
//!
//! They prove nothing against someone who can write to the file, who can write digests too. Invariant:
//! values that differ, or are of different types, have different digests.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};
use sha2::{Digest as _, Sha256};

/// SHA-256 of the stored values.
pub(super) type Digest = [u8; 32];

/// What is said of a row that does not have its digest.
pub(super) const CHANGED: &str = "its bytes are not those that were written";

/// The digest of values as they are bound to a statement.
pub(super) fn digest_values(values: &[&dyn ToSql]) -> rusqlite::Result<Digest> {
    let mut hash = Sha256::new();
    for value in values {
        match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => add(&mut hash, value),
            ToSqlOutput::Owned(value) => add(&mut hash, ValueRef::from(&value)),
            _ => return Err(rusqlite::Error::InvalidQuery),
        }
    }
    Ok(hash.finalize().into())
}

/// The digest of the row's first columns.
pub(super) fn digest_row(row: &Row<'_>, columns: usize) -> rusqlite::Result<Digest> {
    let mut hash = Sha256::new();
    for column in 0..columns {
        add(&mut hash, row.get_ref(column)?);
    }
    Ok(hash.finalize().into())
}

/// Whether the row's first columns are those whose digest follows them. True for rows of older programs,
/// which have none.
pub(super) fn is_unchanged(row: &Row<'_>, columns: usize) -> rusqlite::Result<bool> {
    match row.get_ref(columns)?.as_blob_or_null()? {
        Some(kept) => Ok(digest_row(row, columns)? == kept),
        None => Ok(true),
    }
}

/// The head of a chain after one more digest.
pub(super) fn link(head: &Digest, next: &[u8]) -> Digest {
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(next);
    hash.finalize().into()
}

/// Type and length come first, so that the boundaries of values count too.
fn add(hash: &mut Sha256, value: ValueRef<'_>) {
    let (tag, bytes): (u8, &[u8]) = match value {
        ValueRef::Null => (0, &[]),
        ValueRef::Integer(number) => return add_number(hash, 1, number.to_le_bytes()),
        ValueRef::Real(number) => return add_number(hash, 2, number.to_le_bytes()),
        ValueRef::Text(bytes) => (3, bytes),
        ValueRef::Blob(bytes) => (4, bytes),
    };
    hash.update([tag]);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn add_number(hash: &mut Sha256, tag: u8, bytes: [u8; 8]) {
    hash.update([tag]);
    hash.update(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::types::Value;
    use rusqlite::{Connection, params};

    #[test]
    fn a_row_has_the_digest_of_the_values_that_were_bound() {
        let db = Connection::open_in_memory().unwrap();
        let values = params![7_u64, "stone", None::<u64>, 0.5, vec![1_u8, 2]];
        let bound = digest_values(values).unwrap();
        let read = db
            .query_row("SELECT ?, ?, ?, ?, ?", values, |row| digest_row(row, 5))
            .unwrap();
        assert_eq!(bound, read);
    }

    #[test]
    fn boundaries_and_types_count() {
        let digest = |values: &[&dyn ToSql]| digest_values(values).unwrap();
        assert_ne!(digest(params!["ab", "c"]), digest(params!["a", "bc"]));
        assert_ne!(digest(params!["1"]), digest(params![1]));
        assert_ne!(digest(params![""]), digest(params![Value::Null]));
        let (one, two) = (digest(params![1]), digest(params![2]));
        assert_ne!(link(&one, &two), link(&two, &one));
    }
}
