//! Sayings: what the operator has the body say where other players read it.
//!
//! Minds say nothing: no step of a plan speaks. Invariant: what is said is one plain line that is no command to a server.

/// As long as a line of the game's chat may be.
pub const SAYING_MAX: usize = 256;
/// Ticks between two sayings; servers mute or kick who is faster.
pub const SAYING_EVERY_TICKS: u64 = 60;

/// The line as it is sent.
pub fn parse_saying(text: &str) -> Result<String, String> {
    let text = text.trim();
    let letters = text.chars().count();
    if text.is_empty() {
        return Err("`say` needs what is to be said".to_owned());
    }
    if letters > SAYING_MAX {
        return Err(format!(
            "say at most {SAYING_MAX} letters; these are {letters}"
        ));
    }
    if text.starts_with('/') {
        return Err(
            "a line that begins with / is a command to the server, and is not sent".to_owned(),
        );
    }
    // The mark of colours of the game; servers kick who sends it.
    if crate::text::clean::clean_excerpt(text, SAYING_MAX) != text || text.contains('\u{a7}') {
        return Err("a line of chat holds plain letters only".to_owned());
    }
    Ok(text.to_owned())
}

/// What an operator's action says, where it is none of the body's other actions: `say hello`.
#[must_use]
pub fn saying_in(words: &str) -> Option<Result<String, String>> {
    let rest = words.trim_start().strip_prefix("say")?;
    let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    is_whole.then(|| parse_saying(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_plain_line_is_said_and_nothing_else() {
        assert_eq!(parse_saying("  hello there ").as_deref(), Ok("hello there"));
        assert_eq!(saying_in("say hi"), Some(Ok("hi".to_owned())));
        assert!(saying_in("say").is_some_and(|said| said.is_err()));
        assert_eq!(
            (saying_in("mine stone 1"), saying_in("saying x")),
            (None, None)
        );
        let long = "a".repeat(SAYING_MAX + 1);
        for text in [
            "",
            " ",
            "/op me",
            "two\nlines",
            "\u{1b}[31m",
            "\u{a7}4red",
            "\u{202e}x",
            &long,
        ] {
            assert!(parse_saying(text).is_err(), "{text:?}");
        }
    }
}
