//! The operator's own editor: a text goes there in a file and comes back.
//!
//! Invariant: the text is the editor's only if it ended well; else the file is kept and named.

use crate::terminal::TerminalScreen;
use pithead_core::knowledge::reading::TEXT_BYTES_MAX;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// Where neither VISUAL nor EDITOR says otherwise.
const USUAL: &str = "vi";
/// Names that are tried for the file.
const NAMES_MAX: u32 = 1_000;

/// What came back, or why nothing did. Only the terminal itself can fail.
pub(crate) fn edit(
    text: &str,
    ending: &str,
    screen: &mut TerminalScreen,
) -> io::Result<Result<String, String>> {
    let path = match put(text, ending, &std::env::temp_dir()) {
        Ok(path) => path,
        Err(error) => return Ok(Err(format!("no file can be made for the editor: {error}"))),
    };
    let editor = editor();
    let ended = screen.lend(|| call(&editor, &path))?;
    Ok(take(&path, ended, &editor.to_string_lossy()))
}

/// VISUAL goes before EDITOR, as elsewhere.
fn editor() -> OsString {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    named("VISUAL")
        .or_else(|| named("EDITOR"))
        .unwrap_or_else(|| USUAL.into())
}

/// Writes the text into a file of its own that nobody else may read.
fn put(text: &str, ending: &str, folder: &Path) -> io::Result<PathBuf> {
    let own = std::process::id();
    for n in 0..NAMES_MAX {
        let path = folder.join(format!("pithead-{own}-{n}.{ending}"));
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
            Err(error) => return Err(error),
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                file.write_all(b"\n")?;
                return Ok(path);
            }
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// An editor may be named with options, so the shell reads the name.
fn call(editor: &OsStr, path: &Path) -> io::Result<ExitStatus> {
    let mut line = editor.to_owned();
    line.push(" \"$1\"");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).arg("sh").arg(path).status()
}

fn take(path: &Path, ended: io::Result<ExitStatus>, editor: &str) -> Result<String, String> {
    // Short enough to be seen with its name at 80 columns.
    let kept = format!("the text is as it was; file {}", path.display());
    match ended {
        Err(error) => return Err(format!("{editor} cannot be started ({error}); {kept}")),
        Ok(status) if !status.success() => {
            let code = status.code();
            let how = code.map_or_else(|| status.to_string(), |code| code.to_string());
            return Err(format!("{editor} ended with {how}; {kept}"));
        }
        Ok(_) => (),
    }
    let mut bytes = Vec::new();
    let limit = TEXT_BYTES_MAX as u64 + 1;
    let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    match read.map(|_| String::from_utf8(bytes)) {
        Ok(Ok(text)) if text.len() <= TEXT_BYTES_MAX => {
            // It is on the screen from now on.
            let _ = std::fs::remove_file(path);
            Ok(text)
        }
        Ok(Ok(_)) => Err(format!("it is longer than {TEXT_BYTES_MAX} bytes; {kept}")),
        Ok(Err(_)) => Err(format!("it is no text in UTF-8; {kept}")),
        Err(error) => Err(format!("it cannot be read ({error}); {kept}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(editor: &str) -> (Result<String, String>, bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = put("kind: note", "yaml", folder.path()).unwrap();
        let came = take(&path, call(OsStr::new(editor), &path), editor);
        (came, path.exists())
    }

    #[test]
    fn an_editor_with_options_gives_its_text_back_and_leaves_no_file() {
        let (came, is_kept) = after("sed -i s/note/rule/");
        assert_eq!(came.as_deref(), Ok("kind: rule\n"));
        assert!(!is_kept);
    }

    #[test]
    fn an_editor_that_fails_loses_nothing() {
        for (editor, word) in [
            ("false", "ended with"),
            ("no-such-editor-here", "ended with"),
        ] {
            let (came, is_kept) = after(editor);
            let because = came.unwrap_err();
            assert!(
                because.contains(word) && because.contains("as it was"),
                "{because}"
            );
            assert!(is_kept);
        }
        let (came, is_kept) = after("printf '\\377' >");
        assert!(came.unwrap_err().contains("UTF-8") && is_kept);
    }

    #[test]
    fn two_texts_at_once_have_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let one = put("a", "json", folder.path()).unwrap();
        let other = put("b", "json", folder.path()).unwrap();
        assert_ne!(one, other);
        assert_eq!(std::fs::read_to_string(other).unwrap(), "b\n");
    }
}
