//! Scrubbing: what looks like a key is taken out of text before it is stored or shown.
//!
//! Servers quote keys in their complaints, and people paste them into tasks. The known keys go
//! first, then everything in the shapes that providers give theirs.

/// How keys of the common providers begin, and letters that at least follow.
/// The minimal length keeps ordinary words with such a beginning.
const SHAPES: [(&str, usize); 9] = [
    ("sk-", 16),
    ("sk_", 16),
    ("AIza", 30),
    ("hf_", 20),
    ("gsk_", 20),
    ("xai-", 20),
    ("ghp_", 30),
    ("Bearer ", 12),
    ("bearer ", 12),
];
const MARK: &str = "[key]";
/// A shorter key is no secret (servers at home take any word), and taking it out would spoil every answer
/// that has these letters.
const KEY_BYTES_MIN: usize = 8;

/// The text without the keys given and without what looks like one.
#[must_use]
pub fn scrub(text: &str, keys: &[&str]) -> String {
    let mut text = text.to_owned();
    // Exact keys first: they may have no shape at all.
    for key in keys.iter().filter(|key| key.len() >= KEY_BYTES_MIN) {
        if text.contains(*key) {
            text = text.replace(*key, MARK);
        }
    }
    for (start, letters_min) in SHAPES {
        let mut from = 0;
        while let Some(at) = text[from..].find(start).map(|at| from + at) {
            let body = at + start.len();
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '*');
            let length = text[body..]
                .find(|c| !is_part(c))
                .unwrap_or(text.len() - body);
            // In the middle of a word it is no key.
            let is_word_start = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            if length >= letters_min && is_word_start {
                text.replace_range(at..body + length, MARK);
                from = at + MARK.len();
            } else {
                from = body;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::scrub;

    #[test]
    fn keys_are_taken_out_and_words_are_left() {
        for (text, clean) in [
            (
                "no key here: task-force sk-ip",
                "no key here: task-force sk-ip",
            ),
            (
                "Incorrect API key: sk-proj-abcdefghij0123456789!",
                "Incorrect API key: [key]!",
            ),
            (
                "Authorization: Bearer abcdefghijklmnop",
                "Authorization: [key]",
            ),
            ("it is MARKER-1, MARKER-1", "it is [key], [key]"),
        ] {
            assert_eq!(scrub(text, &["MARKER-1"]), clean);
        }
    }

    #[test]
    fn a_key_that_is_no_secret_spoils_no_answer() {
        assert_eq!(
            scrub("a plan of a step", &["a", "", "plan"]),
            "a plan of a step"
        );
    }
}
