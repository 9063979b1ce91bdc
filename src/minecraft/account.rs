//! Account: signing the body in with Microsoft, by a code that the owner types on a page of Microsoft's.
//!
//! The tokens lie in a folder of their own below the user's data folder, which only its owner can read; this side never
//! reads them, and no log, database or record holds any. Invariant: only a side process for such an account may write
//! there and reach the hosts of the sign-in.

use crate::install::{Bridge, InstallError, find_bridge};
use crate::process::SideProcess;
use crate::wire::{Hello, PROTOCOL, WireFailure, read_as};
use pithead_core::text::clean::clean_excerpt;
use pithead_world::port::Account;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Microsoft's codes hold a quarter of an hour.
const SIGN_IN_MS: u64 = 16 * 60 * 1000;
const POLL_MS: u64 = 200;
/// It says something every two seconds, whatever happens.
const SILENCE_MS_MAX: u64 = 60_000;
/// Letters of what comes from outside.
const TEXT_MAX: usize = 120;
const NAME_MAX: usize = 16;
/// The file that the side process writes once somebody has typed the code.
const SIGNED_IN: &str = "live.json";

/// What the owner of the account is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInCode {
    /// The page to open.
    pub address: String,
    /// What to type there.
    pub code: String,
    /// So long the code holds.
    pub minutes: u32,
}

/// Why nobody is signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error(transparent)]
    Bridge(#[from] InstallError),
    #[error("the bridge could not be started: {0}")]
    Start(String),
    #[error("the sign-in was declined on Microsoft's page")]
    Declined,
    #[error("nobody typed the code in time")]
    TooLate,
    #[error("the account does not own Minecraft: Java Edition, or has no profile yet")]
    NoGame,
    #[error("the sign-in failed: {0}")]
    Failed(String),
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// Where the tokens are.
#[must_use]
pub fn tokens_folder(data: &Path) -> PathBuf {
    data.join("account")
}

/// True if somebody has signed in; whether the tokens still hold shows when they are used.
#[must_use]
pub fn is_signed_in(data: &Path) -> bool {
    tokens_folder(data).join(SIGNED_IN).is_file()
}

/// Forgets the tokens; true if there were any.
pub fn sign_out(data: &Path) -> Result<bool, SignInError> {
    let path = tokens_folder(data);
    let was = is_signed_in(data);
    match std::fs::remove_dir_all(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(SignInError::File { path, source })
        }
        Ok(()) | Err(_) => Ok(was),
    }
}

/// A folder that only its owner can open.
pub(crate) fn make_private(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Signs in, and tells what the owner is to type; gives the name of the account's player.
pub fn sign_in(data: &Path, tell: impl FnMut(&SignInCode)) -> Result<String, SignInError> {
    sign_in_with(&find_bridge(data)?, tell)
}

/// The same with a bridge that was found already.
pub fn sign_in_with(
    bridge: &Bridge,
    mut tell: impl FnMut(&SignInCode),
) -> Result<String, SignInError> {
    let mut process = SideProcess::start(bridge, Account::Microsoft).map_err(SignInError::Start)?;
    let args = json!({"tokens": bridge.tokens});
    let ended = || SignInError::Failed("the side process has ended".to_owned());
    let request = process
        .ask("sign_in", &args, SIGN_IN_MS)
        .ok_or_else(ended)?;
    let mut silent_ms = 0;
    loop {
        let said = process.notices.take(Duration::from_millis(POLL_MS));
        silent_ms = if said.lines == 0 {
            silent_ms + POLL_MS
        } else {
            0
        };
        check_hello(said.hello.as_ref())?;
        for code in &said.codes {
            tell(code);
        }
        let answer = said.answers.into_iter().find(|(id, _)| *id == request);
        match answer {
            Some((_, Ok(value))) => {
                let signed: SignedIn =
                    read_as("the answer to sign_in", Some(value)).map_err(SignInError::Failed)?;
                return Ok(clean_excerpt(&signed.name, NAME_MAX));
            }
            Some((_, Err(failure))) => return Err(error_of(&failure)),
            None => (),
        }
        if let Some(because) = said.lost {
            return Err(SignInError::Failed(clean_excerpt(&because, TEXT_MAX)));
        }
        if silent_ms > SILENCE_MS_MAX {
            return Err(ended());
        }
    }
}

#[derive(Debug, Deserialize)]
struct SignedIn {
    name: String,
}

fn check_hello(hello: Option<&Hello>) -> Result<(), SignInError> {
    match hello {
        Some(hello) if hello.protocol != PROTOCOL => Err(SignInError::Failed(
            "the bridge is of another version; run `pithead bridge install`".to_owned(),
        )),
        _ => Ok(()),
    }
}

fn error_of(failure: &WireFailure) -> SignInError {
    match failure.code.as_str() {
        "declined" => SignInError::Declined,
        "too_late" => SignInError::TooLate,
        "no_game" => SignInError::NoGame,
        code => {
            let because = failure.because.as_deref().unwrap_or(code);
            SignInError::Failed(clean_excerpt(because, TEXT_MAX))
        }
    }
}

/// A code as the side process says it, cleaned; none if it leads elsewhere than to Microsoft.
pub(crate) fn code_from_wire(address: &str, code: &str, minutes: u32) -> Option<SignInCode> {
    let host = address.strip_prefix("https://")?.split('/').next()?;
    let is_microsofts = ["microsoft.com", "live.com"]
        .iter()
        .any(|name| host == *name || host.ends_with(&format!(".{name}")));
    let is_code = (4..=16).contains(&code.len())
        && code.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (is_microsofts && is_code).then(|| SignInCode {
        address: clean_excerpt(address, TEXT_MAX),
        code: code.to_owned(),
        minutes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_to_microsoft_or_nowhere() {
        let is_taken = |address, code| code_from_wire(address, code, 15).is_some();
        assert!(is_taken("https://www.microsoft.com/link", "ABCD1234"));
        assert!(is_taken("https://login.live.com/x", "AB-12"));
        for address in [
            "http://www.microsoft.com/link",
            "https://microsoft.com.example.org/link",
            "https://notmicrosoft.com/link",
            "javascript:alert(1)",
        ] {
            assert!(!is_taken(address, "ABCD1234"), "{address}");
        }
        assert!(!is_taken("https://www.microsoft.com/link", "AB \u{1b}[2J"));
    }

    #[test]
    fn failures_of_the_sign_in_are_told_apart() {
        let said = |code: &str| {
            let failure = WireFailure {
                code: code.to_owned(),
                ..WireFailure::default()
            };
            error_of(&failure).to_string()
        };
        assert!(said("declined").contains("declined"));
        assert!(said("too_late").contains("in time"));
        assert!(said("no_game").contains("does not own"));
        assert_eq!(said("x\u{7}"), "the sign-in failed: x·");
    }
}
