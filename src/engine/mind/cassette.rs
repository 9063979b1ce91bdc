//! Cassettes: the questions and answers of one run in a file that can be handed on.
//!
//! JSON lines, gzipped if the name ends in `.gz`: a head, then one line per question with the
//! hash of what was asked. No keys are ever in it: answers are scrubbed when they are recorded and
//! once more here. Invariant: what was written is read back as it was.

use crate::http::scrub::scrub;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::untrusted_file::open_regular;
use pithead_core::text::utf8;
use pithead_world::ids::CallId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The first version of the format.
const VERSION: u32 = 1;
/// Longest cassette, unpacked: a few kilobytes of gzip can stand for gigabytes. Answers of the longest runs
/// come to some 10 MB.
const BYTES_MAX: u64 = 64 << 20;
/// Longest line, which is one answer.
const LINE_BYTES_MAX: u64 = 4 << 20;

/// The answers of one run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cassette {
    pub head: CassetteHeader,
    pub answers: Vec<RecordedAnswer>,
}

/// What was recorded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CassetteHeader {
    pub pithead_cassette: u32,
    pub run: u64,
    pub task: String,
    pub seed: u64,
    pub mind: String,
    pub system: String,
    /// The roles of distillation that the mind answered, by name: one that is not known here is passed over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distillers: Vec<String>,
    /// Its plans were counted after, as those of language models are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_language_model: bool,
}

/// One question and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedAnswer {
    pub call: u64,
    pub role: MindRole,
    /// SHA-256 of the question as JSON.
    pub question: String,
    #[serde(flatten)]
    pub answer: Answer,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Text(String),
    Silence(String),
}

/// Why a file is no cassette.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    #[error("could not {doing} the cassette {}: {source}", path.display())]
    File {
        doing: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} is no cassette of pithead: line {line}: {because}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        because: String,
    },
    #[error("{} has cassette format {found}, this program reads {VERSION}; use the newer program", path.display())]
    Newer { path: PathBuf, found: u32 },
}

/// The hash by which a question is found again.
#[must_use]
pub fn hash(ask: &Ask) -> String {
    let written = serde_json::to_vec(ask).unwrap_or_default(); // asks hold nothing JSON cannot write
    let digest = Sha256::digest(&written);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Cassette {
    /// Takes the next event of the run in.
    pub fn apply(&mut self, fact: &Recorded) {
        match &fact.event {
            Event::RunStarted { config } => {
                self.head = CassetteHeader {
                    pithead_cassette: VERSION,
                    run: fact.run.0,
                    task: config.task.text.clone(),
                    seed: config.world.seed,
                    mind: config.mind.clone(),
                    system: config.profile.name.clone(),
                    distillers: config.distillers.iter().map(ToString::to_string).collect(),
                    is_language_model: config.counts_what_is_used_up,
                };
            }
            Event::MindAsked { call, ask } => {
                // Asked again after a crash: the same question under the same number.
                self.answers.retain(|take| take.call != call.0);
                self.answers.push(RecordedAnswer {
                    call: call.0,
                    role: ask.role(),
                    question: hash(ask),
                    answer: Answer::Silence("there was no answer".to_owned()),
                });
            }
            Event::MindAnswered { call, text, .. } => {
                self.set(*call, Answer::Text(scrub(text, &[])));
            }
            Event::MindFailed { call, because }
            | Event::MindWithheld { call, because }
            | Event::MindUnavailable { call, because } => {
                self.set(*call, Answer::Silence(scrub(because, &[])));
            }
            // The rest of the run is not the mind's.
            _ => (),
        }
    }

    fn set(&mut self, call: CallId, answer: Answer) {
        if let Some(take) = self.answers.iter_mut().find(|take| take.call == call.0) {
            take.answer = answer;
        }
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), CassetteError> {
        let fault = |source| CassetteError::File {
            doing: "write",
            path: path.to_path_buf(),
            source,
        };
        let text = self.to_lines().map_err(|error| fault(error.into()))?;
        let bytes = if is_gzip(path) {
            let mut out = GzEncoder::new(Vec::new(), Compression::default());
            out.write_all(text.as_bytes()).map_err(fault)?;
            out.finish().map_err(fault)?
        } else {
            text.into_bytes()
        };
        write_atomically(path, &bytes).map_err(fault)
    }

    /// The text of an unpacked file.
    pub fn to_lines(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&self.head)? + "\n";
        for answer in &self.answers {
            text += &serde_json::to_string(answer)?;
            text.push('\n');
        }
        Ok(text)
    }

    /// Reads a file that nobody vouches for.
    pub fn read(path: &Path) -> Result<Self, CassetteError> {
        let fault = |source| CassetteError::File {
            doing: "read",
            path: path.to_path_buf(),
            source,
        };
        let file = open_regular(path).map_err(fault)?;
        Self::unpack(file, path)
    }

    /// Reads the bytes of a file; its path says whether they are packed, and stands in faults.
    pub fn unpack(bytes: impl Read, path: &Path) -> Result<Self, CassetteError> {
        if is_gzip(path) {
            Self::parse(BufReader::new(GzDecoder::new(bytes)), path)
        } else {
            Self::parse(BufReader::new(bytes), path)
        }
    }

    fn parse(mut lines: impl BufRead, path: &Path) -> Result<Self, CassetteError> {
        let fault = |source| CassetteError::File {
            doing: "read",
            path: path.to_path_buf(),
            source,
        };
        let mut cassette = Self::default();
        let (mut line, mut bytes) = (0, 0);
        loop {
            let mut row = Vec::new();
            let mut next = lines.by_ref().take(LINE_BYTES_MAX + 1);
            bytes += next.read_until(b'\n', &mut row).map_err(fault)? as u64;
            line += 1;
            let bad = |because: String| CassetteError::Line {
                path: path.to_path_buf(),
                line,
                because,
            };
            if row.is_empty() {
                break;
            }
            if row.len() as u64 > LINE_BYTES_MAX || bytes > BYTES_MAX {
                return Err(bad(format!(
                    "a line may have {LINE_BYTES_MAX} bytes and a cassette {BYTES_MAX}"
                )));
            }
            let row = utf8::text(row).map_err(bad)?;
            let json = |error: serde_json::Error| bad(error.to_string());
            if line == 1 {
                cassette.head = serde_json::from_str(&row).map_err(json)?;
            } else if !row.trim().is_empty() {
                let answer = serde_json::from_str(&row).map_err(json)?;
                cassette.answers.push(answer);
            }
        }
        match cassette.head.pithead_cassette {
            VERSION => Ok(cassette),
            0 => Err(CassetteError::Line {
                path: path.to_path_buf(),
                line: 1,
                because: "the file is empty".to_owned(),
            }),
            found => Err(CassetteError::Newer {
                path: path.to_path_buf(),
                found,
            }),
        }
    }
}

fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "gz")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cassette() -> Cassette {
        let take = |call, answer| RecordedAnswer {
            call,
            role: MindRole::Planner,
            question: format!("{call:064x}"),
            answer,
        };
        Cassette {
            head: CassetteHeader {
                pithead_cassette: VERSION,
                task: "get a log".to_owned(),
                ..CassetteHeader::default()
            },
            answers: vec![
                take(1, Answer::Text("{\n\"a\":\"ü\"}".to_owned())),
                take(2, Answer::Silence("the server is gone".to_owned())),
            ],
        }
    }

    #[test]
    fn what_was_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["run.cassette", "run.cassette.gz"] {
            let path = folder.path().join(name);
            cassette().write(&path).unwrap();
            assert_eq!(Cassette::read(&path).unwrap(), cassette());
        }
    }

    /// 3 kB of gzip that stand for 3 MB a line, and so on for as long as anybody reads.
    #[test]
    fn a_cassette_that_grows_when_it_is_unpacked_is_refused_at_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.cassette.gz");
        let mut long = cassette();
        long.answers[0].answer = Answer::Text("x".repeat(3 << 20));
        let one = long.answers[0].clone();
        long.answers.extend(std::iter::repeat_n(one, 25));
        long.write(&path).unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() < 1 << 20);
        let refused = Cassette::read(&path).unwrap_err().to_string();
        assert!(refused.contains("a cassette 67108864"), "{refused}");
        long.answers.truncate(1);
        long.answers[0].answer = Answer::Text("x".repeat(5 << 20));
        long.write(&path).unwrap();
        let refused = Cassette::read(&path).unwrap_err().to_string();
        assert!(refused.contains("line 2: a line may have"), "{refused}");
    }

    #[test]
    fn a_foreign_or_newer_file_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for (text, word) in [
            ("", "empty"),
            ("hello\n", "line 1"),
            (
                "{\"pithead_cassette\":1,\"run\":1,\"task\":\"\",\"seed\":1,\"mind\":\"\",\"system\":\"\"}\n{}\n",
                "line 2",
            ),
            (
                "{\"pithead_cassette\":9,\"run\":1,\"task\":\"\",\"seed\":1,\"mind\":\"\",\"system\":\"\"}\n",
                "format 9",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Cassette::read(&path).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
