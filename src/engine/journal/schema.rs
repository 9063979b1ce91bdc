//! The tables of the journal and the numbers by which a file is known as ours.

use rusqlite::Connection;

/// "PITH" in ASCII: SQLite keeps it in the file's header.
pub(super) const APPLICATION_ID: i64 = 0x5049_5448;
/// Raised when a table changes; newer files are refused.
pub(super) const FORMAT: i64 = 6;

/// An event's key is run × 2³² + seq, so that the table is its own index: an append touches one page
/// at the end of the run's events, and little else.
pub(super) const TABLES: &str = "
CREATE TABLE runs(
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    seed INTEGER NOT NULL,
    mind TEXT NOT NULL,
    system TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    outcome TEXT,
    because TEXT,
    ticks INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    digest BLOB
) STRICT;
CREATE TABLE events(
    id INTEGER PRIMARY KEY,
    run INTEGER AS (id >> 32) VIRTUAL,
    seq INTEGER AS (id & 4294967295) VIRTUAL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    digest BLOB
) STRICT;
CREATE TABLE knowledge(
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    signature TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    digest BLOB,
    PRIMARY KEY(run, n)
) STRICT;
CREATE INDEX knowledge_signature ON knowledge(signature);
CREATE INDEX knowledge_status ON knowledge(status, kind);
";

/// The three tiers of experience. The document is the event itself, found by `event` and proven by
/// `digest`; `experience` is the index; `summary` holds the rollups. Rows of `experience` are numbered
/// without gaps, in the order in which they were written, and never change. The tables from `embedder`
/// on belong to memory, which can make them anew from the rest.
pub(super) const EXPERIENCE: &str = "
CREATE TABLE experience(
    row INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    event INTEGER NOT NULL,
    digest BLOB NOT NULL,
    outcome INTEGER NOT NULL,
    reason TEXT,
    target TEXT,
    kind TEXT NOT NULL,
    tags TEXT NOT NULL,
    biome TEXT NOT NULL,
    h_cond INTEGER NOT NULL,
    near INTEGER NOT NULL,
    region INTEGER NOT NULL,
    at INTEGER NOT NULL,
    words TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX experience_id ON experience(run, n);
CREATE INDEX experience_h_cond ON experience(h_cond);
CREATE VIEW document AS
    SELECT experience.run, experience.n, experience.digest, events.body ->> '$.experience' AS body
    FROM experience JOIN events ON events.id = experience.event;
CREATE TABLE embedder(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dims INTEGER NOT NULL,
    current INTEGER NOT NULL
) STRICT;
CREATE TABLE embedding(id INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
CREATE TABLE summary(
    id INTEGER PRIMARY KEY,
    level INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    run INTEGER,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    count INTEGER NOT NULL,
    tally TEXT NOT NULL,
    members TEXT NOT NULL,
    words TEXT NOT NULL,
    parent INTEGER
) STRICT;
CREATE INDEX summary_parent ON summary(parent, kind, level, subject);
CREATE INDEX summary_run ON summary(run) WHERE run IS NOT NULL;
CREATE TABLE summary_embedding(id INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
";

/// One number of the database.
pub(super) fn number(db: &Connection, sql: &str) -> rusqlite::Result<i64> {
    db.query_row(sql, [], |row| row.get(0))
}
