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
            let length = text[body..]
                .find(|c| !is_key_letter(c))
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

/// Bytes of the longest key that is taken out of a text which is still growing.
const GROWING_KEY_MAX: usize = 512;

/// The end of a text that is still growing, a little more than `bytes_max` at most, without keys. What may become a
/// key is held back until it has turned out to be none.
#[must_use]
pub fn scrub_growing(text: &str, keys: &[&str], bytes_max: usize) -> String {
    let from = boundary(text, text.len().saturating_sub(bytes_max + GROWING_KEY_MAX));
    let mut shown = scrub(&text[from..], keys);
    shown.truncate(held_back(&shown, keys));
    if from > 0 {
        // The cut may have gone through a key, whose end would then be shown.
        shown.drain(..boundary(&shown, GROWING_KEY_MAX.min(shown.len())));
    }
    shown
}

/// The first place from `at` on that is not within a letter.
fn boundary(text: &str, at: usize) -> usize {
    let mut places = at..text.len();
    places
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(text.len())
}

/// Where that begins which may become a key.
fn held_back(text: &str, keys: &[&str]) -> usize {
    let begun = |key: &&str| {
        let parts = key.char_indices().rev().map(|(at, _)| &key[..at]);
        let mut parts = parts.filter(|part| !part.is_empty());
        parts.find(|part| text.ends_with(part)).map(str::len)
    };
    let known = keys.iter().filter(|key| key.len() >= KEY_BYTES_MIN);
    let known = known.filter_map(begun).max().unwrap_or(0);
    let shaped = SHAPES.iter().filter_map(|(start, _)| {
        let at = text.rfind(start)?;
        let body = &text[at + start.len()..];
        body.chars().all(is_key_letter).then_some(text.len() - at)
    });
    text.len() - shaped.max().unwrap_or(0).max(known)
}

fn is_key_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '*')
}

#[cfg(test)]
mod tests {
    use super::{scrub, scrub_growing};

    #[test]
    fn no_part_of_a_key_is_shown_while_a_text_grows() {
        let secret = "hush-my-key-0123456789";
        let whole = format!(
            "the key is {secret}, or sk-abcdefghijklmnopqrstuv; {}",
            "ü and then much more is said. ".repeat(90)
        );
        let mut longest = 0;
        for (end, _) in whole.char_indices() {
            let shown = scrub_growing(&whole[..end], &[secret], 64);
            for part in ["hush", "my-key", "456789", "sk-a", "stuv"] {
                assert!(!shown.contains(part), "{end}: {shown}");
            }
            longest = longest.max(shown.len());
        }
        assert!(longest <= 64 + super::GROWING_KEY_MAX, "{longest}");
        let shown = scrub_growing(&whole, &[secret], 64);
        assert!(shown.ends_with("much more is said. "), "{shown}");
        assert_eq!(scrub_growing("a task", &[secret], 64), "a task");
    }

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
