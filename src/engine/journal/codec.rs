//! The codec: an event as a stored row of kind, version and body, and back.
//!
//! Stored kinds are the serde renames of the events, never Rust names. An unknown kind is an error
//! that names it, never a panic. Invariant: decode(encode(e)) = e, to the last bit of a float (for
//! which serde_json needs its feature `float_roundtrip`).

use super::JournalError;
use super::blobs;
use super::digest::{CHANGED, is_unchanged};
use super::kinds::{kind_and_version, newest_version};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::action::ActionReport;
use pithead_world::clock::Millis;
use pithead_world::ids::{ActionId, RunId, Seq};
use pithead_world::observation::Frame;
use serde::Deserialize;

/// What serde writes before the kind; the tag comes first in every event.
const HEAD: &str = r#"{"event":""#;
/// Room for the body of an ended attempt, so that writing it seldom moves it.
const BODY_BYTES: usize = 8 * 1024;

/// An event as it lies in the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) kind: &'static str,
    pub(super) version: u32,
    /// The event's fields as a JSON object.
    pub(super) body: String,
}

pub(super) fn encode(event: &Event) -> Row {
    let mut text = Vec::with_capacity(BODY_BYTES);
    serde_json::to_writer(&mut text, event)
        .expect("events hold no maps with keys that JSON cannot write");
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    let (kind, version) = kind_and_version(event);
    let fields = text
        .strip_prefix(HEAD)
        .and_then(|rest| rest.strip_prefix(kind))
        .and_then(|rest| rest.strip_prefix('"'))
        .expect("serde writes the tag first, by the name in the table; a test holds it");
    let body = format!("{{{}", fields.strip_prefix(',').unwrap_or(fields));
    Row {
        kind,
        version,
        body,
    }
}

/// Why a row is not an event.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unread {
    UnknownKind,
    Fault(String),
}

/// Reads the stored body of an event of a kind; the fault says why it is none.
pub fn parse_event(kind: &str, version: u32, body: &str) -> Result<Event, String> {
    decode(kind, version, body).map_err(|unread| match unread {
        Unread::UnknownKind => format!("`{kind}`, version {version}, is no kind of event"),
        Unread::Fault(fault) => fault,
    })
}

/// The stored form of an event: kind, version and body.
#[must_use]
pub fn stored_form(event: &Event) -> (&'static str, u32, String) {
    let row = encode(event);
    (row.kind, row.version, row.body)
}

pub(super) fn decode(kind: &str, version: u32, body: &str) -> Result<Event, Unread> {
    if newest_version(kind).is_none_or(|newest| version > newest) {
        return Err(Unread::UnknownKind);
    }
    let fault = |error: serde_json::Error| Unread::Fault(error.to_string());
    if let Some(event) = decode_frame(kind, body) {
        return event.map_err(fault);
    }
    let fields = body
        .strip_prefix('{')
        .ok_or_else(|| Unread::Fault("the body is no object".to_owned()))?;
    let comma = if fields == "}" { "" } else { "," };
    let text = format!(r#"{HEAD}{kind}"{comma}{fields}"#);
    serde_json::from_str(&text).map_err(fault)
}

#[derive(Deserialize)]
struct FrameOf {
    frame: Box<Frame>,
}

#[derive(Deserialize)]
struct ActionOf {
    action: ActionId,
    report: ActionReport,
    frame: Box<Frame>,
}

/// Events with a frame, which are nearly all of a long run. Read by the tag, as the others are, every
/// number of a body goes through a tree first, for the tag might come last; that took four fifths of
/// the time in which a recording is read.
fn decode_frame(kind: &str, body: &str) -> Option<Result<Event, serde_json::Error>> {
    let seen = || serde_json::from_str::<FrameOf>(body).map(|body| body.frame);
    match kind {
        "frame.seen" => Some(seen().map(|frame| Event::FrameSeen { frame })),
        "world.ready" => Some(seen().map(|frame| Event::WorldReady { frame })),
        "action.ended" => {
            let read = serde_json::from_str::<ActionOf>(body);
            Some(read.map(|body| Event::ActionEnded {
                action: body.action,
                report: body.report,
                frame: body.frame,
            }))
        }
        _ => None, // the rest is read by the tag
    }
}

/// Reads a row of the events table: seq, at, kind, version, body, digest.
pub(super) fn fact_from_row(
    db: &rusqlite::Connection,
    run: RunId,
    row: &rusqlite::Row<'_>,
) -> rusqlite::Result<Result<Recorded, JournalError>> {
    let seq = Seq(row.get(0)?);
    let at = Millis(row.get(1)?);
    let is_unchanged = is_unchanged(row, 5)?;
    let (kind, version) = (row.get_ref(2)?.as_str()?, row.get(3)?);
    let body = row.get_ref(4)?.as_str()?;
    let event = match blobs::fetch(db, kind, body)? {
        _ if !is_unchanged => Err(Unread::Fault(CHANGED.to_owned())),
        None => decode(kind, version, body),
        Some(Ok(body)) => decode(kind, version, &body),
        Some(Err(fault)) => Err(Unread::Fault(fault)),
    };
    let event = event.map_err(|unread| match unread {
        Unread::UnknownKind => JournalError::UnknownKind {
            run,
            seq,
            kind: kind.to_owned(),
            version,
        },
        Unread::Fault(fault) => JournalError::BadEvent {
            run,
            seq,
            kind: kind.to_owned(),
            fault,
        },
    });
    Ok(event.map(|event| Recorded {
        run,
        seq,
        at,
        event,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::kinds::{KINDS, kind};
    use super::super::samples::every_kind;
    use super::*;

    #[test]
    fn every_kind_is_encoded_and_decoded_to_itself() {
        for event in every_kind(1) {
            let row = encode(&event);
            assert_eq!(decode(row.kind, row.version, &row.body), Ok(event));
        }
    }

    /// A position read back one bit off would make a resumed run part from an unbroken one.
    #[test]
    fn floats_come_back_to_the_last_bit() {
        let mut rng = pithead_world::rng::Rng::new(7);
        for _ in 0..2_000 {
            let times_realtime = (rng.unit() - 0.5) * 200.0;
            let event = Event::PaceSet {
                times_realtime,
                by: "ann".to_owned(),
            };
            assert_eq!(decode("pace.set", 1, &encode(&event).body), Ok(event));
        }
    }

    /// Journals from before names were kept.
    #[test]
    fn decisions_without_an_author_are_still_read() {
        for (kind, body) in [
            ("knowledge.activated", r#"{"id":"k1.1"}"#),
            ("knowledge.vetoed", r#"{"id":"k1.1","reason":"no"}"#),
            ("command.refused", r#"{"command":"step","because":"no"}"#),
            (
                "decision.asked",
                r#"{"question":{"id":1,"kind":"plan","subject":{"plan":1},"policy":"ask","asked":3,"deadline":null}}"#,
            ),
        ] {
            let read = decode(kind, 1, body);
            assert!(read.is_ok(), "{kind}: {read:?}");
        }
    }

    #[test]
    fn the_table_has_every_kind_that_serde_knows() {
        let sampled: Vec<&str> = every_kind(1).iter().map(kind).collect();
        let table: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(sampled, table);
        let error = serde_json::from_str::<Event>(r#"{"event":"?"}"#)
            .unwrap_err()
            .to_string();
        for kind in &table {
            assert!(
                error.contains(&format!("`{kind}`")),
                "{kind} is in the table only"
            );
        }
        assert_eq!(error.matches('`').count() / 2, table.len() + 1, "{error}");
    }

    #[test]
    fn newer_versions_and_unknown_kinds_are_not_guessed_at() {
        assert_eq!(decode("world.asked", 2, "{}"), Err(Unread::UnknownKind));
        assert_eq!(decode("dream.dreamt", 1, "{}"), Err(Unread::UnknownKind));
        assert!(
            matches!(decode("run.paused", 1, "{}"), Err(Unread::Fault(fault)) if fault.contains("by"))
        );
        assert!(matches!(
            decode("run.paused", 1, "nonsense"),
            Err(Unread::Fault(_))
        ));
    }
}
