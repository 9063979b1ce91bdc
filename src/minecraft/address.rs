//! Addresses of servers: `HOST`, `HOST:PORT` or `[IPv6]:PORT`, and whether they are on this machine.

use std::net::IpAddr;

/// The port of a Minecraft server unless another is named.
pub const PORT: u16 = 25_565;
/// A host name is at most so long.
const HOST_BYTES_MAX: usize = 253;

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress {
    pub host: String,
    pub port: u16,
}

impl Default for ServerAddress {
    /// This machine.
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: PORT,
        }
    }
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// The text is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no address of a server; use HOST or HOST:PORT, for example 127.0.0.1:25565")]
pub struct BadAddress {
    pub given: String,
}

impl std::str::FromStr for ServerAddress {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress {
            given: text.to_owned(),
        };
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or_else(bad)?)),
            None => match text.rsplit_once(':') {
                Some((host, _)) if host.contains(':') => (text, None),
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        let port = port.map_or(Ok(PORT), |port| port.parse().map_err(|_| bad()))?;
        if port == 0 || !is_host(host) {
            return Err(bad());
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

/// A name or number of a host, and nothing that another program could take for an option or a path.
pub(crate) fn is_host(host: &str) -> bool {
    let is_name = host
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    let fits = !host.is_empty() && host.len() <= HOST_BYTES_MAX && !host.starts_with(['-', '.']);
    fits && (is_name || host.parse::<IpAddr>().is_ok())
}

/// True if the host can only be this machine.
#[must_use]
pub fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_with_and_without_a_port() {
        for (text, shown) in [
            ("play.example.org", "play.example.org:25565"),
            ("10.0.0.2:7", "10.0.0.2:7"),
            ("[::1]:9", "[::1]:9"),
            ("::1", "[::1]:25565"),
            ("localhost", "localhost:25565"),
        ] {
            assert_eq!(text.parse::<ServerAddress>().unwrap().to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            ":1",
            "a b",
            "host:",
            "host:0",
            "host:70000",
            "-x",
            "http://a",
            "[::1]x",
            "a;b:1",
        ] {
            let error = text.parse::<ServerAddress>().unwrap_err();
            assert!(error.to_string().contains("HOST:PORT"), "{text}");
        }
    }

    #[test]
    fn only_loop_back_is_this_machine() {
        for host in ["localhost", "127.0.0.1", "127.9.9.9", "::1"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "10.0.0.1",
            "example.org",
            "localhost.example.org",
            "0.0.0.0",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
