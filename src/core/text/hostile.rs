//! Hostile text for the tests of every crate: escape sequences, hidden characters, floods of marks.
//!
//! Invariant: whatever is shown or sent comes out clean for each of these.

/// What a hostile model or server might write.
pub const HOSTILE: [&str; 14] = [
    "\u{1b}[2J\u{1b}[H wiped",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;https://evil.example\u{1b}\\click\u{1b}]8;;\u{1b}\\",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}Pq#0;2;0;0;0\u{1b}\\",
    "\u{9b}31m C1 red",
    "approve\u{202e}evorppa\u{202c}",
    "\u{2066}isolated\u{2069}",
    "zero\u{200b}width\u{200d}\u{feff}",
    "line\u{2028}separator\u{2029}",
    "back\u{8}\u{8}\u{8}space\rreturn",
    "Z\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}algo",
    "tag\u{e0041}\u{e007f}",
    "wide 鉱石 👩\u{200d}🔧 ok",
];
