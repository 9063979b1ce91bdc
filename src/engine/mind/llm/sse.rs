//! Server-sent events: bytes in, the data of whole events out.
//!
//! Chunks may break anywhere, also within a letter; comments and other fields are passed over.

/// A longer line is no event of a chat.
/// The longest line is a whole answer in one event.
const LINE_MAX: usize = 4 * 1024 * 1024;

/// A reader of one stream.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Bytes, not text: a chunk may end within a letter.
    rest: Vec<u8>,
    /// Several `data:` lines of one event are joined by line ends.
    data: Vec<String>,
}

impl Events {
    /// Takes the next bytes; the data of the events that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<String>, &'static str> {
        self.rest.extend_from_slice(bytes);
        let mut out = Vec::new();
        let mut from = 0;
        while let Some(end) = self.rest[from..].iter().position(|b| *b == b'\n') {
            // A whole line is whole letters, so nothing is lost.
            let line = String::from_utf8_lossy(&self.rest[from..from + end]).into_owned();
            from += end + 1;
            out.extend(self.line(line.trim_end_matches('\r')));
        }
        // Once at the end, not for each line: that would copy the rest every time.
        self.rest.drain(..from);
        if self.rest.len() > LINE_MAX {
            return Err("a line of the stream does not end");
        }
        Ok(out)
    }

    /// What the stream's end completes: some servers leave out the last blank line.
    pub(super) fn finish(&mut self) -> Option<String> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned();
        let done = self.line(line.trim_end_matches('\r'));
        done.or_else(|| self.line(""))
    }

    fn line(&mut self, line: &str) -> Option<String> {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return (!data.is_empty()).then(|| data.join("\n"));
        }
        // One blank after the colon belongs to the protocol.
        if let Some(data) = line.strip_prefix("data:") {
            self.data
                .push(data.strip_prefix(' ').unwrap_or(data).to_owned());
        }
        // Comments, ids and event names mean nothing in this protocol.
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_wherever_the_chunks_break() {
        let stream =
            ": hello\r\ndata: {\"a\":\"ü\"}\r\n\r\nevent: x\ndata: one\ndata: two\n\ndata: [DONE]"
                .as_bytes();
        for size in 1..stream.len() {
            let mut events = Events::default();
            let mut got: Vec<String> = Vec::new();
            for chunk in stream.chunks(size) {
                got.extend(events.feed(chunk).unwrap());
            }
            got.extend(events.finish());
            assert_eq!(
                got,
                ["{\"a\":\"ü\"}", "one\ntwo", "[DONE]"],
                "chunks of {size}"
            );
        }
    }
}
