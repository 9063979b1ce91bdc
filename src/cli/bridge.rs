//! `pithead bridge`: installs the bridge to Minecraft servers, says what is missing, and tries it.

use super::server::{
    AccountKind, AllowServer, OWN_NAME, parse_player, parse_version, sign_in, sign_in_if_needed,
};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{is_stderr_terminal, print_document, print_stderr, print_stdout};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pithead_engine::runtime::worlds::data_folder;
use pithead_minecraft::account;
use pithead_minecraft::address::ServerAddress;
use pithead_minecraft::install::{self, BridgeReport};
use pithead_minecraft::world::MinecraftWorld;
use pithead_world::aids::WorldAids;
use pithead_world::observation::Frame;
use pithead_world::port::{Notice, Request, ServerSpec, World, WorldSpec};
use serde::Serialize;
use std::path::PathBuf;

/// Looks at the world before a try counts as failed; each takes a tenth of a second at most.
const POLLS_MAX: u32 = 260;
const POLL_TICKS: u32 = 2;
const PLAYER: &str = "pithead_try";

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Install the bridge: its packages come from npm by a pinned list, and run no scripts of their own
    Install,
    /// Say what the bridge has and what it lacks, and whether a server can be joined
    Doctor(DoctorArgs),
    /// Join a server, say what the body sees, and leave again
    Run(RunArgs),
    /// Sign in with a Microsoft account, for --account microsoft: says which code to type on which page
    SignIn,
    /// Forget the Microsoft account
    SignOut,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Join this server too, and leave again
    #[arg(long, value_name = "HOST:PORT")]
    server: Option<ServerAddress>,
    #[command(flatten)]
    guest: GuestOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The server [default: 127.0.0.1:25565]
    #[arg(long, value_name = "HOST:PORT", default_value_t)]
    server: ServerAddress,
    #[command(flatten)]
    guest: GuestOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// As whom a server is joined.
#[derive(Debug, clap::Args)]
struct GuestOptions {
    #[command(flatten)]
    allow: AllowServer,
    /// The version of the server, such as 1.16.5 [default: the server is asked]
    #[arg(long, value_name = "VERSION", value_parser = parse_version)]
    server_version: Option<String>,
    /// The name of the body on the server [default: pithead_try]
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
    player: Option<String>,
    /// How to sign in there
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    account: AccountKind,
}

/// What came of joining a server.
#[derive(Debug, Serialize)]
struct Joined {
    server: String,
    joined: bool,
    because: Option<String>,
    frame: Option<Box<Frame>>,
}

/// What is printed of a try; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Tried {
    schema: u32,
    #[serde(flatten)]
    came: Joined,
}

/// What the doctor prints; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Health {
    schema: u32,
    #[serde(flatten)]
    report: BridgeReport,
    /// Somebody has signed in with a Microsoft account.
    signed_in: bool,
    /// Of the server that was named, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<Joined>,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Install => install_bridge(),
        Command::Doctor(args) => examine(args),
        Command::Run(args) => try_server(args),
        Command::SignIn => sign_in().map(|_| ExitStatus::Done),
        Command::SignOut => sign_out(),
    }
}

fn data() -> Result<PathBuf, CommandError> {
    data_folder().ok_or_else(|| CommandError::unavailable("no home folder was found; set HOME"))
}

fn sign_out() -> Result<ExitStatus, CommandError> {
    let was = account::sign_out(&data()?).map_err(CommandError::unavailable)?;
    print_stdout(if was {
        "the account is forgotten here; Microsoft's page lists the devices that may still sign in"
    } else {
        "nobody was signed in"
    });
    Ok(ExitStatus::Done)
}

fn install_bridge() -> Result<ExitStatus, CommandError> {
    let bar = ProgressBar::new(1);
    let target = if is_stderr_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    bar.set_draw_target(target);
    let style = ProgressStyle::with_template("installing the bridge {bar:30} {pos}/{len} packages");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let done = install::install(&data()?, |progress| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.packages as u64);
    });
    bar.finish_and_clear();
    let bridge = done.map_err(CommandError::unavailable)?;
    print_stdout(&format!(
        "the bridge is installed in {}\nnext: pithead bridge run --server HOST:PORT",
        bridge.folder.display()
    ));
    Ok(ExitStatus::Done)
}

fn examine(args: &DoctorArgs) -> Result<ExitStatus, CommandError> {
    let report = install::examine(&data()?);
    let is_healthy = report.problem.is_none();
    let tried = match &args.server {
        Some(address) if is_healthy => Some(
            join(address, &args.guest, args.json)
                .unwrap_or_else(|error| not_joined(address, error.text())),
        ),
        // Without a bridge nothing can be known of the server.
        Some(address) => Some(not_joined(address, "the bridge cannot be started")),
        None => None,
    };
    let has_joined = tried.as_ref().is_none_or(|came| came.joined);
    let health = Health {
        schema: 1,
        report,
        signed_in: account::is_signed_in(&data()?),
        tried,
    };
    print_document(args.json, &health, health_text)?;
    Ok(if is_healthy && has_joined {
        ExitStatus::Done
    } else {
        ExitStatus::Unavailable
    })
}

fn health_text(health: &Health) -> String {
    let Health { report, .. } = health;
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "not found".to_owned());
    let installed = if report.installed { "yes" } else { "no" };
    let mut text = format!(
        "node        {}\nnpm         {}\ninstalled   {installed}\nfolder      {}\nmineflayer  {}\n",
        known(&report.node),
        known(&report.npm),
        report.folder.display(),
        report.mineflayer,
    );
    text += match health.signed_in {
        true => "account     signed in with Microsoft\n",
        false => "account     offline (`pithead bridge sign-in` for a Microsoft account)\n",
    };
    text += &match &report.problem {
        Some(problem) => format!("\n✗ {problem}\n"),
        None => "\n✓ the bridge can be started\n".to_owned(),
    };
    if let Some(came) = &health.tried {
        text += &joined_text(came);
    }
    text
}

fn try_server(args: &RunArgs) -> Result<ExitStatus, CommandError> {
    let came = join(&args.server, &args.guest, args.json)?;
    let joined = came.joined;
    let tried = Tried { schema: 1, came };
    print_document(args.json, &tried, |tried| joined_text(&tried.came))?;
    Ok(if joined {
        ExitStatus::Done
    } else {
        ExitStatus::Unavailable
    })
}

fn not_joined(address: &ServerAddress, because: &str) -> Joined {
    Joined {
        server: address.to_string(),
        joined: false,
        because: Some(because.to_owned()),
        frame: None,
    }
}

/// Joins a server, and leaves it when something was heard of it.
fn join(
    address: &ServerAddress,
    guest: &GuestOptions,
    is_quiet: bool,
) -> Result<Joined, CommandError> {
    let ServerAddress { host, port } = address.clone();
    if guest.account == AccountKind::Microsoft && guest.player.is_some() {
        return Err(CommandError::usage(OWN_NAME));
    }
    let server = ServerSpec {
        host,
        port,
        player: guest.player.clone().unwrap_or_else(|| PLAYER.to_owned()),
        version: guest.server_version.clone(),
        place: None,
        account: guest.account.account(),
    };
    let spec = WorldSpec::on_server(server.clone(), 0, WorldAids::default());
    guest.allow.ask(&spec)?;
    sign_in_if_needed(server.account)?;
    let data = data()?;
    if !pithead_minecraft::consent::is_allowed(&data, &server) {
        return Err(CommandError::unavailable(format!(
            "the server {server} is not on this machine and was not allowed; --allow-server allows it from now on"
        )));
    }
    if !is_quiet {
        let who = match guest.account {
            AccountKind::Offline => &server.player,
            AccountKind::Microsoft => "the Microsoft account",
        };
        print_stderr(&format!("joining {server} as {who} …"));
    }
    let mut world = MinecraftWorld::new(Box::new(move || install::find_bridge(&data)));
    world.request(Request::Reset(spec));
    let found = first_notice(&mut world);
    let (joined, because, frame) = match found {
        Some(Notice::Ready(frame)) => (true, None, Some(frame)),
        Some(Notice::Lost { because }) => (false, Some(because), None),
        _ => (
            false,
            Some("nothing was heard of the server".to_owned()),
            None,
        ),
    };
    Ok(Joined {
        server: server.to_string(),
        joined,
        because,
        frame,
    })
}

fn first_notice(world: &mut MinecraftWorld) -> Option<Notice> {
    (0..POLLS_MAX).find_map(|_| world.poll(POLL_TICKS).into_iter().next())
}

fn joined_text(tried: &Joined) -> String {
    let Some(frame) = &tried.frame else {
        let because = tried.because.as_deref().unwrap_or_default();
        return format!("✗ {}: {because}\n", tried.server);
    };
    let notable: Vec<String> = frame
        .notable
        .iter()
        .take(5)
        .map(|sight| format!("{} at {}", sight.block.name(), sight.at))
        .collect();
    format!(
        "✓ joined {}\n  at {} in {}, health {}, food {}\n  in sight: {}\n",
        tried.server,
        frame.position.block(),
        frame.biome,
        frame.health,
        frame.hunger,
        if notable.is_empty() {
            "nothing of note".to_owned()
        } else {
            notable.join(", ")
        }
    )
}
