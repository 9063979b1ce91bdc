//! The tables of the journal and the numbers by which a file is known as ours.

/// "PITH" in ASCII: SQLite keeps it in the file's header.
pub(super) const APPLICATION_ID: i64 = 0x5049_5448;
/// Raised when a table changes; newer files are refused.
pub(super) const FORMAT: i64 = 1;

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
    failed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE events(
    id INTEGER PRIMARY KEY,
    run INTEGER AS (id >> 32) VIRTUAL,
    seq INTEGER AS (id & 4294967295) VIRTUAL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE knowledge(
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    signature TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY(run, n)
) STRICT;
CREATE INDEX knowledge_signature ON knowledge(signature);
CREATE INDEX knowledge_status ON knowledge(status, kind);
CREATE TABLE experience(
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    reason TEXT,
    target TEXT,
    kind TEXT NOT NULL,
    tags TEXT NOT NULL,
    biome TEXT NOT NULL,
    h_cond INTEGER NOT NULL,
    at INTEGER NOT NULL,
    words TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY(run, n)
) STRICT;
CREATE INDEX experience_target ON experience(target);
CREATE INDEX experience_h_cond ON experience(h_cond);
";
