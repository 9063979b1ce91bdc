//! Text from files: what is no UTF-8 is refused with the line of the first bad byte.
//!
//! Invariant: nothing is guessed and nothing replaced; a text that comes out is the file's, byte for byte.

/// The bytes as text, or where they are none.
pub fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        format!(
            "it is no text in UTF-8: byte {:#04x} in line {line}; save it as UTF-8",
            bytes[at]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_byte_is_named_with_its_line() {
        assert_eq!(text("好 e\u{301}\n".into()), Ok("好 e\u{301}\n".to_owned()));
        let cut = "a\nb\n好".as_bytes()[..6].to_vec();
        for (bytes, byte, line) in [
            (b"\xff".to_vec(), "0xff", 1),
            (b"a: 1\nb: \xc3(\n".to_vec(), "0xc3", 2),
            (cut, "0xe5", 3),
        ] {
            let because = text(bytes).unwrap_err();
            assert!(because.contains(byte), "{because}");
            assert!(because.contains(&format!("line {line};")), "{because}");
        }
    }
}
