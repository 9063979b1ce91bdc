//! The cleaning of all that is printed: whatever comes in, nothing that a terminal obeys or hides comes out.

use super::text;
use pithead_core::text::clean::{
    clean_block, clean_excerpt, clean_line, clean_lines, clean_output, escape_hidden_json,
    fit_columns, is_clean, pad_columns, without_hidden, wrap_columns,
};

pub(crate) fn check(data: &[u8]) {
    let lossy = String::from_utf8_lossy(data);
    check_text(&lossy);
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(text(data)) {
        let escaped = escape_hidden_json(&json.to_string());
        check_shown(&escaped, "\n");
        let again: serde_json::Value = serde_json::from_str(&escaped).expect("it is still JSON");
        assert_eq!(json, again, "{escaped}");
    }
}

fn check_text(given: &str) {
    for (made, kept) in [
        (clean_line(given), ""),
        (clean_excerpt(given, 9), ""),
        (clean_block(given), "\n"),
        (clean_lines(given), "\n"),
        (clean_output(given), "\n\t"),
        (without_hidden(given), "\n\t"),
        (fit_columns(given, 7), ""),
        (pad_columns(given, 7), ""),
    ] {
        check_shown(&made, kept);
    }
    let output = clean_output(given);
    assert_eq!(clean_output(&output), output);
    assert!(is_clean(&clean_line(given)), "{given:?}");
    for line in wrap_columns(given, 7) {
        check_shown(&line, "");
    }
}

/// By the standards' own words, and not by the functions that are tested.
fn check_shown(made: &str, kept: &str) {
    for c in made.chars() {
        let is_control = matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}');
        let is_bidi = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let is_zero_width = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        let is_kept = kept.contains(c);
        assert!(
            is_kept || !(is_control || is_bidi || is_zero_width),
            "{c:?} in {made:?}"
        );
    }
}
