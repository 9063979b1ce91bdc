//! `pithead bridge`: installs the bridge to Minecraft servers, says what is missing, and tries it.

use super::server::AllowServer;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{is_stderr_terminal, print_document, print_stderr, print_stdout};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pithead_engine::runtime::worlds::data_folder;
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
    /// Say what the bridge has and what it lacks
    Doctor(DoctorArgs),
    /// Join a server, say what the body sees, and leave again
    Run(RunArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
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
    allow: AllowServer,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is printed of a try; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Tried {
    schema: u32,
    server: String,
    joined: bool,
    because: Option<String>,
    frame: Option<Box<Frame>>,
}

/// What the doctor prints; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Health {
    schema: u32,
    #[serde(flatten)]
    report: BridgeReport,
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Install => install_bridge(),
        Command::Doctor(args) => examine(args),
        Command::Run(args) => try_server(args),
    }
}

fn data() -> Result<PathBuf, CommandError> {
    data_folder().ok_or_else(|| CommandError::unavailable("no home folder was found; set HOME"))
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
    print_document(args.json, &Health { schema: 1, report }, health_text)?;
    Ok(if is_healthy {
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
    text += &match &report.problem {
        Some(problem) => format!("\n✗ {problem}\n"),
        None => "\n✓ the bridge can be started\n".to_owned(),
    };
    text
}

fn try_server(args: &RunArgs) -> Result<ExitStatus, CommandError> {
    let ServerAddress { host, port } = args.server.clone();
    let server = ServerSpec {
        host,
        port,
        player: PLAYER.to_owned(),
        version: None,
    };
    let spec = WorldSpec::on_server(server.clone(), 0, WorldAids::default());
    args.allow.ask(&spec)?;
    let data = data()?;
    if !pithead_minecraft::consent::is_allowed(&data, &server) {
        return Err(CommandError::unavailable(format!(
            "the server {server} is not on this machine and was not allowed; --allow-server allows it from now on"
        )));
    }
    if !args.json {
        print_stderr(&format!("joining {server} as {PLAYER} …"));
    }
    let mut world = MinecraftWorld::new(Box::new(move || install::find_bridge(&data)));
    world.request(Request::Reset(spec));
    let found = first_notice(&mut world);
    let tried = match found {
        Some(Notice::Ready(frame)) => Tried {
            schema: 1,
            server: server.to_string(),
            joined: true,
            because: None,
            frame: Some(frame),
        },
        other => Tried {
            schema: 1,
            server: server.to_string(),
            joined: false,
            because: Some(match other {
                Some(Notice::Lost { because }) => because,
                _ => "nothing was heard of the server".to_owned(),
            }),
            frame: None,
        },
    };
    let joined = tried.joined;
    print_document(args.json, &tried, tried_text)?;
    Ok(if joined {
        ExitStatus::Done
    } else {
        ExitStatus::Unavailable
    })
}

fn first_notice(world: &mut MinecraftWorld) -> Option<Notice> {
    (0..POLLS_MAX).find_map(|_| world.poll(POLL_TICKS).into_iter().next())
}

fn tried_text(tried: &Tried) -> String {
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
