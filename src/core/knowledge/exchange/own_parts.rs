//! A long file of our own taken apart at its entries, by the lines that begin them.
//!
//! Invariant: head and entries together are the whole text; a text of another shape is not taken apart.

/// The lines before the entries, and each entry with the number of lines before it.
pub(super) struct Parts<'a> {
    pub(super) head: &'a str,
    pub(super) entries: Vec<(usize, &'a str)>,
}

/// The parts of a text as `own::write` writes it: `entries:`, then a block list at one depth up to the end.
pub(super) fn split_entries(text: &str) -> Option<Parts<'_>> {
    let (mut head, mut entries) = (None, Vec::new());
    let (mut depth, mut start, mut began) = (None, 0, 0);
    let mut at = 0;
    for (line, words) in text.split_inclusive('\n').enumerate() {
        let here = at;
        at += words.len();
        if head.is_none() {
            if words.trim_end() == "entries:" {
                head = Some(&text[..at]);
                (start, began) = (at, line + 1);
            }
            continue;
        }
        let bare = words.trim();
        let indent = words.len() - words.trim_start_matches(' ').len();
        let begins_entry = bare.starts_with("- ") && indent <= depth.unwrap_or(indent);
        if begins_entry {
            if depth.is_some() {
                entries.push((began, &text[start..here]));
                (start, began) = (here, line);
            }
            // Less deep than the first one: no list of one depth.
            if *depth.get_or_insert(indent) != indent {
                return None;
            }
            continue;
        }
        let is_within = bare.is_empty() || depth.is_some_and(|depth| indent > depth);
        // A comment before the first entry belongs to it; what else stands here is not of our form.
        let is_comment = depth.is_none() && bare.starts_with('#');
        if !(is_within || is_comment) {
            return None;
        }
    }
    depth?;
    entries.push((began, &text[start..]));
    head.map(|head| Parts { head, entries })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_without_a_rest() {
        let text = "a: 1\nentries:\n# one\n- x: |\n    - y\n\n  z: 1\n- x: 2\n";
        let parts = split_entries(text).unwrap();
        assert_eq!(parts.head, "a: 1\nentries:\n");
        assert_eq!(
            parts.entries,
            [(2, "# one\n- x: |\n    - y\n\n  z: 1\n"), (7, "- x: 2\n")]
        );
        let all: String = parts.entries.iter().map(|(_, text)| *text).collect();
        assert_eq!(parts.head.to_owned() + &all, text);
    }

    #[test]
    fn other_shapes_are_left_whole() {
        for text in [
            "",
            "entries: []\n",
            "entries:\n",
            "entries:\n- a: 1\nmore: 2\n",
            "entries:\n  - a: 1\n- b: 2\n",
            "{\"entries\": []}",
            "entries:\n- a: 1\n---\nentries:\n- b: 1\n",
        ] {
            assert!(split_entries(text).is_none(), "{text:?}");
        }
    }
}
