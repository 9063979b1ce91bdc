//! The desktop's clipboard, for terminals that take no OSC 52: the text is handed to the desktop's own
//! program.
//!
//! Invariant: the text goes through a pipe and is never a part of a command.

use std::io::Write;
use std::process::{Command, Stdio};

/// A program and its words.
type Program = (&'static str, &'static [&'static str]);

/// What serves the clipboard of this desktop, the first that fits.
fn programs(has: impl Fn(&str) -> bool) -> Vec<Program> {
    let mut all: Vec<Program> = Vec::new();
    if cfg!(target_os = "macos") {
        all.push(("pbcopy", &[]));
    }
    if has("WAYLAND_DISPLAY") {
        all.push(("wl-copy", &[]));
    }
    if has("DISPLAY") {
        all.push(("xclip", &["-selection", "clipboard"]));
        all.push(("xsel", &["--clipboard", "--input"]));
    }
    all
}

/// Hands the text over; false if there is no desktop or no such program. Nothing waits for it.
pub(crate) fn give(text: &str) -> bool {
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    programs(named)
        .into_iter()
        .any(|program| start(program, text))
}

fn start((program, words): Program, text: &str) -> bool {
    let started = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        return false;
    };
    let text = text.to_owned();
    let handed = std::thread::Builder::new()
        .name("clipboard".to_owned())
        .spawn(move || {
            if let Some(mut pipe) = child.stdin.take() {
                // A program that goes away has not taken it; the terminal may have.
                let _ = pipe.write_all(text.as_bytes());
            }
            let _ = child.wait();
        });
    handed.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desktop_says_which_program_it_is() {
        let names = |desktop: &'static [&'static str]| {
            let found = programs(|name| desktop.contains(&name));
            let names = found.into_iter().map(|(name, _)| name);
            names.filter(|name| *name != "pbcopy").collect::<Vec<_>>()
        };
        assert_eq!(
            names(&["WAYLAND_DISPLAY", "DISPLAY"]),
            ["wl-copy", "xclip", "xsel"]
        );
        assert_eq!(names(&["DISPLAY"]), ["xclip", "xsel"]);
        assert_eq!(names(&[]), [""; 0], "nothing is asked of a bare terminal");
    }

    #[test]
    fn a_program_that_is_not_there_is_no_clipboard() {
        assert!(!start(("pithead-has-no-such-program", &[]), "x"));
    }
}
