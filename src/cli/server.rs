//! The options that name the world: the embedded one, or a server that is joined.
//!
//! Invariant: a server outside of this machine is joined only after the operator has said so once.

use super::options::FeelingOptions;
use crate::cli::outcome::CommandError;
use crate::cli::output::{is_stderr_terminal, print_stderr};
use pithead_engine::runtime::worlds::data_folder;
use pithead_minecraft::account::{self, SignInCode};
use pithead_minecraft::address::ServerAddress;
use pithead_minecraft::consent;
use pithead_world::aids::{SenseLevel, WorldAids};
use pithead_world::port::{Account, ServerSpec, WorldSpec};
use std::io::{BufRead, IsTerminal};

/// A person's answer is shorter.
const ANSWER_BYTES_MAX: u64 = 64;
/// Minecraft allows no longer names.
const PLAYER_MAX: usize = 16;
const VERSION_MAX: usize = 16;
/// The name of a body and an account at once.
pub(super) const OWN_NAME: &str =
    "--player names a body that plays offline; a Microsoft account has its own name";

/// Which world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum WorldKind {
    /// The embedded world
    #[default]
    Voxel,
    /// A Minecraft server
    Minecraft,
}

/// Where the run takes place.
#[derive(Debug, clap::Args)]
pub(crate) struct WorldOptions {
    /// The world: voxel (embedded) or minecraft (a server; `pithead bridge install` first)
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    world: WorldKind,
    /// The server of --world minecraft [default: 127.0.0.1:25565]
    #[arg(long, value_name = "HOST:PORT")]
    server: Option<ServerAddress>,
    /// The version of the server, such as 1.16.5 [default: the server is asked]
    #[arg(long, value_name = "VERSION", value_parser = parse_version)]
    server_version: Option<String>,
    /// The name of the body on the server; in an evaluation the names of all bodies come from it [default: pithead_SEED,
    /// in an evaluation new names]
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
    player: Option<String>,
    /// How the body signs in: offline, or as the Microsoft account that `pithead bridge sign-in` was used for
    /// [default: offline]
    #[arg(long, value_name = "NAME", value_enum)]
    account: Option<AccountKind>,
    #[command(flatten)]
    allow: AllowServer,
}

/// Who vouches for the body's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum AccountKind {
    /// Nobody: for servers with `online-mode=false`
    #[default]
    Offline,
    /// A Microsoft account
    Microsoft,
}

impl AccountKind {
    pub(crate) fn account(self) -> Account {
        match self {
            Self::Offline => Account::Offline,
            Self::Microsoft => Account::Microsoft,
        }
    }
}

/// Consent to a server elsewhere.
#[derive(Debug, clap::Args)]
pub(crate) struct AllowServer {
    /// Allow the server from now on, although it is not on this machine. On a terminal the question is asked once
    #[arg(long)]
    allow_server: bool,
}

impl WorldOptions {
    /// All bodies are the one of the operator's account.
    pub(crate) fn is_microsoft(&self) -> bool {
        self.account == Some(AccountKind::Microsoft)
    }

    /// The world that was named.
    pub(crate) fn spec(
        &self,
        seed: u64,
        aids: WorldAids,
        feelings: &FeelingOptions,
        usual_player: &str,
    ) -> Result<WorldSpec, CommandError> {
        let is_server = self.world == WorldKind::Minecraft;
        let is_about_server = self.server.is_some()
            || self.server_version.is_some()
            || self.player.is_some()
            || self.account.is_some();
        if is_about_server && !is_server {
            return Err(CommandError::usage(
                "--server, --server-version, --player and --account need --world minecraft",
            ));
        }
        let account = self.account.unwrap_or_default().account();
        if account == Account::Microsoft && self.player.is_some() {
            return Err(CommandError::usage(OWN_NAME));
        }
        if !is_server && aids.senses == SenseLevel::Client {
            return Err(CommandError::usage(
                "--senses client needs --world minecraft: the embedded world sends no chunks",
            ));
        }
        if !is_server {
            return Ok(WorldSpec::embedded(seed, aids));
        }
        if !aids.given.is_empty() {
            return Err(CommandError::usage(
                "--give is for the embedded world; a body on a server begins with what the server gives it",
            ));
        }
        if !aids.powers.are_players() {
            return Err(CommandError::usage(
                "--break-speed and --strength are for the embedded world; on a server the server decides how fast blocks break",
            ));
        }
        let address = self.server.clone().unwrap_or_default();
        let server = ServerSpec {
            host: address.host,
            port: address.port,
            player: self
                .player
                .clone()
                .unwrap_or_else(|| usual_player.chars().take(PLAYER_MAX).collect()),
            version: self.server_version.clone(),
            place: None,
            account,
        };
        let senses = feelings.given_senses().unwrap_or(SenseLevel::Player);
        let spec = WorldSpec::on_server(server, seed, WorldAids { senses, ..aids });
        self.allow.ask(&spec)?;
        sign_in_if_needed(account)?;
        Ok(spec)
    }
}

/// Has the owner of the account sign in, if nobody has yet. Without a terminal nobody could read the code.
pub(crate) fn sign_in_if_needed(account: Account) -> Result<(), CommandError> {
    let Some(data) = data_folder() else {
        return Ok(());
    };
    if account == Account::Offline || account::is_signed_in(&data) {
        return Ok(());
    }
    if !is_stderr_terminal() {
        return Err(CommandError::unavailable(
            "nobody is signed in with Microsoft; run `pithead bridge sign-in` first",
        ));
    }
    sign_in().map(|_| ())
}

/// Signs in; says what to type and where. Gives the name of the player.
pub(crate) fn sign_in() -> Result<String, CommandError> {
    let data = data_folder()
        .ok_or_else(|| CommandError::unavailable("no home folder was found; set HOME"))?;
    let name = account::sign_in(&data, |told| {
        let SignInCode {
            address,
            code,
            minutes,
        } = told;
        print_stderr(&format!(
            "to sign in, open {address} and type the code {code} (it holds {minutes} minutes); waiting …"
        ));
    });
    let name = name.map_err(CommandError::unavailable)?;
    print_stderr(&format!("signed in as {name}"));
    Ok(name)
}

impl AllowServer {
    /// Has the operator allow the server of a world, if it is not on this machine and was not allowed before. Without a
    /// terminal nobody is asked, and nothing is allowed.
    pub(crate) fn ask(&self, spec: &WorldSpec) -> Result<(), CommandError> {
        let (Some(server), Some(data)) = (&spec.server, data_folder()) else {
            return Ok(());
        };
        if consent::is_allowed(&data, server) || !(self.allow_server || is_yes(server)) {
            return Ok(());
        }
        consent::allow(&data, server).map_err(|error| {
            let list = consent::list(&data);
            CommandError::unavailable(format!("{}: {error}", list.display()))
        })
    }
}

fn is_yes(server: &ServerSpec) -> bool {
    if !std::io::stdin().is_terminal() || !is_stderr_terminal() {
        return false;
    }
    print_stderr(&format!(
        "the server {server} is not on this machine; the body `{}` would join it. Allow it from now on? [y/N]",
        server.player
    ));
    let mut answer = String::new();
    let mut input = std::io::Read::take(std::io::stdin().lock(), ANSWER_BYTES_MAX);
    // What cannot be read is no consent.
    let _ = input.read_line(&mut answer);
    matches!(answer.trim(), "y" | "Y" | "yes")
}

pub(super) fn parse_player(text: &str) -> Result<String, String> {
    let fits = (3..=PLAYER_MAX).contains(&text.len());
    if fits && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "`{text}` is no name of a player: 3 to {PLAYER_MAX} letters, digits and underlines"
        ))
    }
}

pub(super) fn parse_version(text: &str) -> Result<String, String> {
    let is_version = text.chars().all(|c| c.is_ascii_digit() || c == '.') && text.contains('.');
    if is_version && text.len() <= VERSION_MAX {
        Ok(text.to_owned())
    } else {
        Err(format!("`{text}` is no version; use one such as 1.16.5"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_versions_are_those_of_the_game() {
        assert!(parse_player("pithead_7").is_ok() && parse_version("1.16.5").is_ok());
        for name in ["ab", "with space", "seventeen_letters", "\u{e9}abc"] {
            assert!(parse_player(name).is_err(), "{name}");
        }
        for version in ["latest", "1", "1.16.5;x", "1.1111111111111111"] {
            assert!(parse_version(version).is_err(), "{version}");
        }
    }
}
