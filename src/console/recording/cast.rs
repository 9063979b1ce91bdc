//! Session recordings: what was written to the terminal, as an asciicast (version 3) with markers at
//! decisions and failures.
//!
//! `asciinema play FILE` shows it. Invariant: a recording that fails ends, and the console goes on.

use crate::view::View;
use crate::view::timeline::Weight;
use pithead_world::clock::Millis;
use pithead_world::ids::Seq;
use ratatui::layout::Size;
use std::fs::File;
use std::io;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A recording under way.
#[derive(Debug)]
pub(crate) struct Cast<W: Write> {
    out: W,
    last: Millis,
    size: Size,
    /// The last event of the run that was looked at for markers.
    seen: Seq,
}

impl Cast<BufWriter<File>> {
    /// Begins a recording in a new file; one that is there already is not overwritten.
    pub(crate) fn create(path: &Path, size: Size, now: Millis) -> io::Result<Self> {
        let file = File::options().write(true).create_new(true).open(path)?;
        Self::begin(BufWriter::new(file), size, now)
    }
}

impl<W: Write> Cast<W> {
    fn begin(mut out: W, size: Size, now: Millis) -> io::Result<Self> {
        let header = serde_json::json!({
            "version": 3,
            "term": { "cols": size.width, "rows": size.height, "type": "xterm-256color" },
            "timestamp": now.0 / 1000,
            "title": "pithead",
        });
        writeln!(out, "{header}")?;
        Ok(Self {
            out,
            last: now,
            size,
            seen: Seq(0),
        })
    }

    /// What one frame wrote, the size it was drawn for, and what the run came to in the meantime.
    pub(crate) fn frame(
        &mut self,
        bytes: &[u8],
        size: Size,
        view: &View,
        now: Millis,
    ) -> io::Result<()> {
        let seen = std::mem::replace(&mut self.seen, view.seq);
        for line in view.timeline.lines.iter().filter(|l| l.seq > seen) {
            let is_mark = line.landmark && line.weight != Weight::Plain;
            if is_mark {
                self.event("m", &line.text, now)?;
            }
        }
        if size != self.size {
            self.size = size;
            self.event("r", &format!("{}x{}", size.width, size.height), now)?;
        }
        if !bytes.is_empty() {
            self.event("o", &String::from_utf8_lossy(bytes), now)?;
        }
        self.out.flush()
    }

    /// `[seconds since the event before, code, data]`
    fn event(&mut self, code: &str, data: &str, now: Millis) -> io::Result<()> {
        let seconds = now.since(self.last) as f64 / 1000.0;
        self.last = now;
        let event = serde_json::json!([seconds, code, data]);
        writeln!(self.out, "{event}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{story, view_of};

    #[test]
    fn a_recording_is_a_header_and_events_one_a_line() {
        let (small, large) = (Size::new(80, 24), Size::new(100, 30));
        let mut cast = Cast::begin(Vec::new(), small, Millis(5_000)).unwrap();
        let view = view_of(&story());
        cast.frame(b"\x1b[Hhello \xe2\x9c\x94", small, &view, Millis(5_250))
            .unwrap();
        cast.frame(b"", large, &view, Millis(6_250)).unwrap();
        let text = String::from_utf8(cast.out).unwrap();
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines[0]["version"], 3);
        assert_eq!(lines[0]["term"]["cols"], 80);
        let codes: Vec<&str> = lines[1..].iter().map(|l| l[1].as_str().unwrap()).collect();
        let marks = codes.iter().filter(|code| **code == "m").count();
        assert!(marks > 2, "{codes:?}");
        assert_eq!(codes[marks..], ["o", "r"]);
        assert_eq!(lines[1][0], 0.25);
        assert_eq!(lines[1 + marks][2], "\u{1b}[Hhello ✔");
        assert_eq!(lines[2 + marks], serde_json::json!([1.0, "r", "100x30"]));
        assert!(
            text.contains("NAV_STUCK"),
            "failures are marked with their reason"
        );
    }
}
