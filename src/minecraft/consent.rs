//! Consent: the servers outside of this machine that the operator has allowed the body to join.
//!
//! A list in the user's data folder, one address a line. A database from elsewhere may name any server; without the
//! operator's word nothing is sent there.

use crate::address::{is_host, is_this_machine};
use pithead_world::port::ServerSpec;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A longer list is none that a person made.
const LIST_BYTES_MAX: u64 = 64 * 1024;

/// True if the server is on this machine or on the list.
#[must_use]
pub fn is_allowed(data: &Path, server: &ServerSpec) -> bool {
    is_this_machine(&server.host) || listed(data).iter().any(|line| *line == server.to_string())
}

/// Puts the server on the list.
pub fn allow(data: &Path, server: &ServerSpec) -> std::io::Result<()> {
    if is_allowed(data, server) {
        return Ok(());
    }
    // A recorded run may name anything; a line break in it would allow a second server.
    if !is_host(&server.host) {
        let because = "this is no name of a server";
        return Err(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            because,
        ));
    }
    std::fs::create_dir_all(data)?;
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.create(true).append(true).open(list(data))?;
    // One write, so that two processes do not mix their lines.
    file.write_all(format!("{server}\n").as_bytes())?;
    file.sync_all()
}

/// Where the list is.
#[must_use]
pub fn list(data: &Path) -> PathBuf {
    data.join("servers.txt")
}

fn listed(data: &Path) -> Vec<String> {
    let path = list(data);
    let is_short = std::fs::metadata(&path).is_ok_and(|facts| facts.len() <= LIST_BYTES_MAX);
    // What cannot be read allows nothing.
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let lines = text.lines().filter(|_| is_short);
    lines.map(|line| line.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::port::Account;

    #[test]
    fn a_server_elsewhere_is_allowed_once_and_for_its_port_only() {
        let data = std::env::temp_dir().join(format!("pithead-consent-{}", std::process::id()));
        let server = |host: &str, port| ServerSpec {
            host: host.to_owned(),
            port,
            player: "Bot".to_owned(),
            version: None,
            place: None,
            account: Account::Offline,
        };
        let far = server("play.example.org", 25_565);
        assert!(is_allowed(&data, &server("127.0.0.1", 9)));
        assert!(!is_allowed(&data, &far));
        allow(&data, &far).unwrap();
        allow(&data, &far).unwrap();
        assert!(is_allowed(&data, &far));
        assert!(!is_allowed(&data, &server("play.example.org", 25_566)));
        assert_eq!(
            std::fs::read_to_string(list(&data)).unwrap(),
            "play.example.org:25565\n"
        );
        let two = server("a.example.org:1\nb.example.org", 2);
        assert!(allow(&data, &two).is_err(), "one answer allows one server");
        assert!(!is_allowed(&data, &server("a.example.org", 1)));
        std::fs::remove_dir_all(&data).unwrap();
    }
}
