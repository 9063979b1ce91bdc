//! Refusals: why a server was not joined, in words that say what to do.

use crate::wire::WireFailure;

/// Why the server was not joined, with what to do.
pub(crate) fn connect_words(failure: &WireFailure) -> String {
    let because = failure.because.as_deref().unwrap_or_default();
    let has = |word: &str| because.to_lowercase().contains(word);
    match failure.code.as_str() {
        "kicked" if has("whitelist") || has("white-list") => {
            format!("the server lets in only players on its whitelist: {because}")
        }
        "kicked" if has("ban") => format!("the server has banned the player: {because}"),
        "kicked" if has("authent") || has("session") || has("premium") || has("unverified") => format!(
            "the server asks for a Microsoft account; use --account microsoft, or set online-mode=false: {because}"
        ),
        "other_version" => other_version(failure),
        "kicked" if has("version") || has("outdated") => {
            format!("the server has another version; name it with --server-version: {because}")
        }
        "kicked" => kick_words(because),
        "not_signed_in" => {
            "nobody is signed in with Microsoft, or the sign-in has expired; run `pithead bridge sign-in`".to_owned()
        }
        "sign_in_failed" => format!("the sign-in with Microsoft failed: {because}"),
        "connect_silent" => {
            "the server took the connection and then said nothing; it may be busy, still starting, or no Minecraft server"
                .to_owned()
        }
        _ if has("econnrefused") => format!("no server listens there: {because}"),
        _ if has("enotfound") || has("eai_again") => format!("there is no such host: {because}"),
        _ if has("unsupported protocol version") || has("no data available for version") => {
            format!("the server's version is not supported: {because}")
        }
        code => format!("could not join the server: {}", if because.is_empty() { code } else { because }),
    }
}

/// What servers say of themselves when they send a player away, by key or in English, with what it means.
const KICKS: [(&[&str], &str); 6] = [
    (
        &["duplicate_login", "logged in from another location"],
        "somebody has joined under the body's name; give each run a --player of its own",
    ),
    (&["server_full", "server is full"], "the server is full"),
    (
        &["disconnect.flying", "flying is not enabled"],
        "the server takes the body for one that flies; set allow-flight=true in server.properties",
    ),
    (
        &["disconnect.idling", "idle for too long"],
        "the server sends idle players away; set player-idle-timeout=0 in server.properties",
    ),
    (
        &["server_shutdown", "server closed"],
        "the server was stopped",
    ),
    (
        &["disconnect.timeout", "timed out"],
        "the server heard nothing of the body for too long",
    ),
];

/// Why the world is lost; where a server sent the body away, with what that means.
pub(crate) fn loss_words(because: &str) -> String {
    match because.strip_prefix(KICKED) {
        Some(reason) => kick_words(reason.trim_start_matches(": ")),
        None => because.to_owned(),
    }
}

fn kick_words(because: &str) -> String {
    let said = because.to_lowercase();
    let is_meant = |(words, _): &&(&[&str], &str)| words.iter().any(|word| said.contains(word));
    let known = KICKS.iter().find(is_meant).map(|(_, words)| *words);
    format!("{}: {because}", known.unwrap_or(KICKED))
}

/// How the side process begins what a server said.
const KICKED: &str = "kicked by the server";

/// What the server speaks, and how to join it.
fn other_version(failure: &WireFailure) -> String {
    let number = failure
        .protocol
        .map(|n| format!(" (protocol {n})"))
        .unwrap_or_default();
    match (&failure.speaks, &failure.asked) {
        (Some(speaks), Some(asked)) => format!(
            "the server speaks Minecraft {speaks} and was joined as {asked}; use --server-version {speaks}, or leave it out and the server is asked"
        ),
        (Some(speaks), None) => format!(
            "the server speaks Minecraft {speaks}{number}, which the bridge cannot; use a server of 1.16.5"
        ),
        (None, _) => format!(
            "the server speaks a version of Minecraft that the bridge does not know{number}; use a server of 1.16.5"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, because: &str, word: &str) {
        let failure = WireFailure {
            code: code.to_owned(),
            because: Some(because.to_owned()),
            ..WireFailure::default()
        };
        let words = connect_words(&failure);
        assert!(words.contains(word), "{words}");
    }

    #[test]
    fn every_refusal_says_what_it_is() {
        check(
            "kicked",
            "You are not white-listed on this server!",
            "whitelist",
        );
        check("kicked", "You are banned", "banned");
        check(
            "kicked",
            "Failed to verify username / Not authenticated",
            "Microsoft",
        );
        check(
            "kicked",
            "Outdated client! Please use 1.20",
            "--server-version",
        );
        check("kicked", "bye", "kicked by the server: bye");
        check(
            "connect_failed",
            "connect ECONNREFUSED 127.0.0.1:1",
            "no server listens there",
        );
        check("connect_failed", "getaddrinfo ENOTFOUND x", "no such host");
        check("connect_silent", "", "said nothing");
        check("not_signed_in", "", "bridge sign-in");
    }

    #[test]
    fn who_is_sent_away_hears_what_it_means() {
        for (because, expected) in [
            ("multiplayer.disconnect.duplicate_login", "--player"),
            ("Flying is not enabled on this server", "allow-flight=true"),
            ("multiplayer.disconnect.idling", "player-idle-timeout=0"),
            ("Server closed", "the server was stopped: Server closed"),
            ("The server is full!", "the server is full: The"),
            ("go away", "kicked by the server: go away"),
            ("", "kicked by the server: "),
        ] {
            let words = loss_words(&format!("kicked by the server: {because}"));
            assert!(words.contains(expected), "{words}");
        }
    }

    #[test]
    fn another_version_is_named_with_what_to_do() {
        let words = |speaks: Option<&str>, asked: Option<&str>| {
            connect_words(&WireFailure {
                code: "other_version".to_owned(),
                because: Some("socketClosed".to_owned()),
                speaks: speaks.map(str::to_owned),
                protocol: Some(756),
                asked: asked.map(str::to_owned),
                ..WireFailure::default()
            })
        };
        let named = words(Some("1.17.1"), Some("1.16.5"));
        assert!(named.starts_with("the server speaks Minecraft 1.17.1 and was joined as 1.16.5"));
        assert!(named.contains("--server-version 1.17.1"), "{named}");
        let unknown = words(None, None);
        assert!(
            unknown.contains("(protocol 756); use a server of 1.16.5"),
            "{unknown}"
        );
    }
}
