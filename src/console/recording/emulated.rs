//! The emulated terminal of a recording, with a price on whatever the recording makes it do.
//!
//! Eight bytes can cost seconds: "insert 65,535 cells" grows a row by as many and moves it each time. Invariant:
//! no control sequence costs more than its bound, so work can be given out in slices that end soon.

use crate::recording::asciicast::CELLS_MAX;

/// About what one cell costs that is moved or cleared; a character that is printed costs several.
pub(crate) type Work = usize;

/// What one control sequence costs at most: a row grows by as many cells as it can have, or both screens
/// are made anew.
#[cfg(test)]
pub(crate) const SEQUENCE_MAX: Work = 2 * CELLS_MAX as usize * (CELLS_MAX as usize + 1);
const PRINTED: Work = 10;
/// Longest control sequence that is obeyed; those that programs write have some dozens of bytes.
const SEQUENCE_BYTES_MAX: usize = 256;

const ESC: u8 = 0x1b;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;

/// Where the bytes are, as far as it matters for finding control sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Text,
    Escape,
    Sequence,
}

pub(crate) struct Emulated {
    terminal: vt100::Parser,
    within: Within,
    /// The control sequence so far, after its introducer.
    sequence: Vec<u8>,
    /// Bytes that the terminal has not been given yet.
    ready: Vec<u8>,
}

impl Emulated {
    pub(crate) fn new((columns, rows): (u16, u16)) -> Self {
        Self {
            terminal: vt100::Parser::new(rows, columns, 0),
            within: Within::Text,
            sequence: Vec::new(),
            ready: Vec::new(),
        }
    }

    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.terminal.screen()
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) -> Work {
        let before = self.cells();
        self.terminal.screen_mut().set_size(rows, columns);
        before + self.cells()
    }

    /// Writes bytes to it until they are used up or have cost `limit`; how many were written, and their cost.
    /// The last of them may exceed the limit by its own cost.
    pub(crate) fn write(&mut self, bytes: &[u8], limit: Work) -> (usize, Work) {
        let (mut written, mut work) = (0, 0);
        for byte in bytes {
            if work >= limit {
                break;
            }
            work += self.push(*byte);
            written += 1;
        }
        self.terminal.process(&self.ready);
        self.ready.clear();
        (written, work)
    }

    fn push(&mut self, byte: u8) -> Work {
        match (self.within, byte) {
            (_, ESC) => self.within = Within::Escape,
            (Within::Text, _) => return self.text(byte),
            (_, CAN | SUB) => {
                self.within = Within::Text;
                return self.text(byte);
            }
            // The emulator obeys what stands within a sequence before it.
            (_, 0x00..=0x1f) => return self.text(byte),
            (_, 0x7f..) => (),
            (Within::Escape, b'[') => {
                self.within = Within::Sequence;
                self.sequence.clear();
            }
            (Within::Escape, _) => {
                self.within = Within::Text;
                self.ready.extend([ESC, byte]);
                return self.both_screens();
            }
            (Within::Sequence, 0x40..=0x7e) => {
                self.within = Within::Text;
                return self.end_sequence(byte);
            }
            (Within::Sequence, _) if self.sequence.len() > SEQUENCE_BYTES_MAX => (),
            (Within::Sequence, _) => self.sequence.push(byte),
        }
        1
    }

    /// A byte outside of control sequences. A line feed may move all rows and make a new one.
    fn text(&mut self, byte: u8) -> Work {
        self.ready.push(byte);
        let (rows, columns) = self.terminal.screen().size();
        match byte {
            b'\n'..=0x0c => usize::from(rows) + usize::from(columns),
            _ => PRINTED,
        }
    }

    fn end_sequence(&mut self, last: u8) -> Work {
        if self.sequence.len() > SEQUENCE_BYTES_MAX {
            return 1;
        }
        let is_private = matches!(self.sequence.first(), Some(b'<'..=b'?'));
        let sequence = std::mem::take(&mut self.sequence);
        self.ready.extend([ESC, b'[']);
        let mut largest = 1;
        for part in sequence.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
            let number = str::from_utf8(part)
                .ok()
                .filter(|_| part[0].is_ascii_digit());
            // Nothing is larger than the largest terminal; only modes are numbers of another kind.
            match number.map(|digits| digits.parse().unwrap_or(u16::MAX).min(CELLS_MAX)) {
                Some(n) if !is_private => {
                    largest = largest.max(usize::from(n));
                    self.ready.extend(n.to_string().bytes());
                }
                Some(_) | None => self.ready.extend(part),
            }
        }
        self.ready.push(last);
        self.sequence_cost(last, largest)
    }

    fn sequence_cost(&self, last: u8, number: usize) -> Work {
        let (rows, columns) = self.terminal.screen().size();
        let (rows, columns) = (usize::from(rows), usize::from(columns));
        match last {
            b'@' => number * (columns + number),
            b'L' | b'M' | b'S' | b'T' => number * (rows + columns),
            b'P' => number.min(columns) * columns,
            b'J' | b'h' | b'l' => self.both_screens(),
            b'K' | b'X' => columns,
            _ => PRINTED,
        }
    }

    fn both_screens(&self) -> Work {
        2 * self.cells()
    }

    fn cells(&self) -> Work {
        let (rows, columns) = self.terminal.screen().size();
        usize::from(rows) * usize::from(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::text::hostile::HOSTILE;

    fn shown(size: (u16, u16), text: &str) -> vt100::Screen {
        let mut terminal = Emulated::new(size);
        terminal.write(text.as_bytes(), Work::MAX);
        terminal.screen().clone()
    }

    #[test]
    fn it_shows_what_the_terminal_alone_would_show() {
        let texts = [
            "a\u{1b}[2;3Hb\u{1b}[31mred\u{1b}[0m\u{1b}[1L\r\n漢字\u{1b}[2@",
            "\u{1b}[?1049hinner\u{1b}[?2004h\u{1b}[?1049louter",
            "\u{1b}[999;999Hend\u{1b}[38;2;1;2;3mrgb\u{1b}]0;title\u{1b}[2Jx",
            "\u{1b}\u{1b}[3Cx\u{1b}[3\n4Cy\u{1b}[3\u{18}z\u{1b}(Bq\u{1b}(0\u{1b}Mup\u{1b}7\u{1b}8",
            "\u{1b}[3\u{1b}[2Dx\u{1b}Pdcs\u{1b}[1;1Hy\u{1b}[>5mx\u{1b}[ qz\u{1b}\n[5Gk\u{1b}cnew",
        ];
        for text in texts.into_iter().chain(HOSTILE) {
            let mut alone = vt100::Parser::new(6, 20, 0);
            alone.process(text.as_bytes());
            let shown = shown((20, 6), text);
            assert_eq!(
                shown.contents_formatted(),
                alone.screen().contents_formatted(),
                "{text:?}"
            );
            assert_eq!(
                shown.cursor_position(),
                alone.screen().cursor_position(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn no_sequence_costs_more_than_its_bound() {
        let mut terminal = Emulated::new((CELLS_MAX, CELLS_MAX));
        for last in ('@'..='~').map(|last| last as u8) {
            for text in ["65535", "4294967296", "?65535", "1;65535", ""] {
                let sequence = format!("\u{1b}[{text}{}", char::from(last));
                let (written, work) = terminal.write(sequence.as_bytes(), Work::MAX);
                assert_eq!(written, sequence.len());
                assert!(
                    work <= SEQUENCE_MAX + sequence.len(),
                    "{sequence:?}: {work}"
                );
            }
        }
    }

    #[test]
    fn writing_ends_at_the_limit_and_goes_on_where_it_ended() {
        let text = "\u{1b}[2J\u{1b}[65535@x\u{1b}[65535L漢\u{1b}[1;1Hy".repeat(50);
        let (mut sliced, mut rest) = (Emulated::new((80, 24)), text.as_bytes());
        let mut slices = 0;
        while !rest.is_empty() {
            let (written, work) = sliced.write(rest, 1_000);
            assert!(written > 0 && work < 1_000 + SEQUENCE_MAX);
            rest = &rest[written..];
            slices += 1;
        }
        assert!(slices > 100, "{slices}");
        let whole = shown((80, 24), &text);
        assert_eq!(sliced.screen().contents(), whole.contents());
    }

    #[test]
    fn an_endless_sequence_is_not_kept() {
        let mut terminal = Emulated::new((80, 24));
        terminal.write(b"\x1b[", Work::MAX);
        terminal.write(&b"1;".repeat(100_000), Work::MAX);
        assert!(terminal.sequence.len() <= SEQUENCE_BYTES_MAX + 1);
        terminal.write(b"mshown", Work::MAX);
        assert_eq!(terminal.screen().contents(), "shown");
    }
}
