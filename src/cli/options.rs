//! Options that several commands share, and the parsers of their values.
//!
//! Invariant: a value is refused here, while the command line is parsed, and not in the middle of a run.

use crate::cli::client::Client;
use crate::cli::outcome::CommandError;
use crate::config;
use pithead_console::theme::Theme;
use pithead_core::agent::hold_out::HOLD_OUT_MAX;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::horizon::HorizonModel;
use pithead_core::domain::run::breakpoint::{BreakOn, Breakpoint};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{GateKind, Gates, Policy};
use pithead_core::domain::run::rulebook::Rulebook;
use pithead_core::knowledge::reading::TEXT_BYTES_MAX;
use pithead_core::text::nearest::nearest_names;
use pithead_core::text::{untrusted_file, utf8};
use pithead_engine::config::pictures::PictureChoice;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::launch::{CONSOLE_PACE, DrivePlace};
use pithead_engine::memory::{self, Embedder};
use pithead_engine::runtime::Pace;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::worlds::Film;
use pithead_world::aids::{Controller, SenseLevel, WorldAids};
use pithead_world::clock::Clock;
use pithead_world::counts::Counts;
use pithead_world::ids::RunId;
use pithead_world::powers::{Factor, Powers};
use pithead_world::reports::Reports;
use pithead_world::start::parse_start_inventory;
use pithead_world::voxel::view::picture::Size;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, clap::Args, Default)]
pub(crate) struct Database {
    /// The database file; created when a run is started or entries are imported [default: PITHEAD_DB, or the user's data folder]
    #[arg(long = "db", value_name = "PATH", global = true)]
    path: Option<PathBuf>,
}

impl Database {
    pub(crate) fn path(&self) -> Result<PathBuf, CommandError> {
        config::database(self.path.clone()).map_err(CommandError::unavailable)
    }

    /// This file.
    pub(crate) fn at(path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
        }
    }

    /// The command that resumes a run of this database.
    pub(crate) fn resume(&self, run: RunId) -> String {
        format!("pithead resume {run}{}", self.as_typed())
    }

    /// The option as it was typed, for commands that are suggested to the operator.
    pub(crate) fn as_typed(&self) -> String {
        self.path
            .as_ref()
            .map_or(String::new(), |path| format!(" --db {}", path.display()))
    }

    /// For a run. In the console every event is on disk before the operator sees it.
    pub(crate) fn open_for(&self, client: Client) -> Result<Journal, CommandError> {
        let durability = match client {
            Client::Console => Durability::Full,
            Client::Headless { .. } => Durability::Normal,
        };
        self.open_with(durability)
    }

    pub(crate) fn open_with(&self, durability: Durability) -> Result<Journal, CommandError> {
        Ok(Journal::open(&self.path()?, durability)?)
    }

    /// The operator who acts on this database from the command line.
    pub(crate) fn operator(&self) -> Result<Operator, CommandError> {
        let name = config::operator();
        Ok(Operator::new(self.path()?, name, Clock::System))
    }

    pub(crate) fn open_read_only(&self) -> Result<Journal, CommandError> {
        Ok(Journal::look(&self.path()?)?)
    }
}

/// The embedder that the environment names. If the database holds another one's vectors, it is refused
/// before the run starts.
pub(crate) fn embedder(journal: &Journal) -> Result<Box<dyn Embedder>, CommandError> {
    let embedder = config::embedder().map_err(CommandError::usage)?;
    memory::check(journal.connection(), embedder.as_ref())?;
    Ok(embedder)
}

/// A run of the database, and the console's options.
#[derive(Debug, clap::Args)]
pub(crate) struct Shown {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    pub(crate) run: RunId,
    #[command(flatten)]
    pub(crate) console: ConsoleOptions,
    #[command(flatten)]
    pub(crate) database: Database,
}

/// How a run is watched.
#[derive(Debug, clap::Args)]
pub(crate) struct Watching {
    /// Run to the end without the console
    #[arg(long)]
    headless: bool,
    /// Print one JSON object at the end (implies --headless)
    #[arg(long)]
    json: bool,
    /// Report events on standard error, even if it is not a terminal
    #[arg(long, short)]
    verbose: bool,
    /// World speed: max, realtime or a factor such as x8 [default: x8 in the console, else max]
    #[arg(long, value_name = "PACE")]
    pace: Option<Pace>,
    #[command(flatten)]
    pub(crate) console: ConsoleOptions,
}

/// What the body is made with besides its world.
#[derive(Debug, clap::Args)]
pub(crate) struct BodyOptions {
    /// What carries out actions: scripted, table18 (simulated, as reliable as a learned controller)
    /// or oracle (a world of words: every order succeeds at once if what it takes is there)
    #[arg(long, value_name = "NAME", default_value = "scripted")]
    controller: Controller,
    /// What the body begins with, such as "4 oak_log, 1 crafting_table"; an aid, named in every result
    #[arg(long, value_name = "ITEMS", value_parser = parse_start_inventory)]
    give: Option<Counts>,
    /// How many times as fast as a player the body breaks blocks; an aid, named in every result (GITM plays with 100)
    #[arg(long, value_name = "N", default_value_t)]
    break_speed: Factor,
    /// How many times as hard as a player the body strikes; an aid, named in every result (GITM plays with 100)
    #[arg(long, value_name = "N", default_value_t)]
    strength: Factor,
    #[command(flatten)]
    pub(crate) feelings: FeelingOptions,
}

/// What the body tells and sees.
#[derive(Debug, clap::Args)]
pub(crate) struct FeelingOptions {
    /// How much the body tells of its failures: typed (what was missing or in the way), coarse (what a person
    /// would feel) or none (only that it failed)
    #[arg(long, value_name = "LEVEL", default_value = "typed")]
    reports: Reports,
    /// What the body sees: scout (all around at once, also in the dark) or player (before its eyes; in the dark
    /// only what is near or lit; leaves hide) or, on a server, client (every block in the chunks that it has sent)
    /// [default: scout, on a server player]
    #[arg(long, value_name = "LEVEL")]
    senses: Option<SenseLevel>,
}

impl BodyOptions {
    pub(crate) fn aids(&self) -> WorldAids {
        WorldAids {
            controller: self.controller,
            given: self.give.clone().unwrap_or_default(),
            powers: Powers {
                break_speed: self.break_speed,
                strength: self.strength,
            },
            ..self.feelings.aids()
        }
    }
}

impl FeelingOptions {
    /// Of a scripted body.
    pub(crate) fn aids(&self) -> WorldAids {
        WorldAids {
            reports: self.reports,
            senses: self.senses.unwrap_or_default(),
            ..WorldAids::default()
        }
    }

    /// The senses, if they were named.
    pub(crate) fn given_senses(&self) -> Option<SenseLevel> {
        self.senses
    }
}

/// How the console looks.
#[derive(Debug, clap::Args, Default)]
pub(crate) struct ConsoleOptions {
    /// Colour theme: dark, light, high-contrast, deuteranopia, tritanopia, sixteen, monochrome, or a
    /// file NAME.toml [default: dark, or monochrome if NO_COLOR is set]
    #[arg(long, value_name = "NAME", value_parser = parse_theme)]
    pub(crate) theme: Option<Theme>,
    /// How the body's view is drawn: auto, kitty, sixel or blocks. auto decides by the environment and never
    /// queries the terminal [default: as in config.toml, else auto]
    #[arg(long, value_name = "HOW")]
    pub(crate) pictures: Option<PictureChoice>,
    /// Record the console session as an asciicast, in a new file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Drive runs in the console's own process: they stop when it is closed
    #[arg(long)]
    pub(crate) attached: bool,
}

impl ConsoleOptions {
    /// Whether anything was given.
    pub(crate) fn is_set(&self) -> bool {
        let Self {
            theme,
            pictures,
            record,
            attached,
        } = self;
        theme.is_some() || pictures.is_some() || record.is_some() || *attached
    }

    /// Where the runs are driven that this console starts.
    pub(crate) fn place(&self) -> DrivePlace {
        // Elsewhere nobody could attach to another process.
        if self.attached || !cfg!(unix) {
            DrivePlace::Here
        } else {
            DrivePlace::OwnProcess
        }
    }
}

fn parse_theme(text: &str) -> Result<Theme, String> {
    if !text.ends_with(".toml") {
        return Theme::named(text).map_err(|error| error.to_string());
    }
    let bytes_max = untrusted_file::TEXT_BYTES_MAX;
    let read = untrusted_file::read_text(Path::new(text), bytes_max);
    let read = read.map_err(|error| error.to_string());
    read.and_then(|text| Theme::parse(&text).map_err(|error| error.to_string()))
}

impl Watching {
    pub(crate) fn client(&self) -> Result<Client, CommandError> {
        Client::choose(self.headless, self.json, self.verbose)
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether the run gets a process of its own, which outlives the console.
    pub(crate) fn has_own_process(&self, client: Client) -> bool {
        client == Client::Console && self.console.place() == DrivePlace::OwnProcess
    }

    pub(crate) fn pace(&self, client: Client) -> Pace {
        self.pace.unwrap_or(match client {
            Client::Console => CONSOLE_PACE,
            Client::Headless { .. } => Pace::Max,
        })
    }
}

/// Pictures of the body's view.
#[derive(Debug, clap::Args)]
pub(crate) struct Frames {
    /// Save the body's view at the end of each attempt as a 128×128 PNG in this folder
    #[arg(long = "frames", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Save the pictures at 640×360
    #[arg(long = "frames-large", requires = "folder")]
    large: bool,
}

impl Frames {
    /// Where the pictures go; the folder is created.
    pub(crate) fn film(&self) -> Result<Option<Film>, CommandError> {
        let Some(folder) = self.folder.clone() else {
            return Ok(None);
        };
        std::fs::create_dir_all(&folder).map_err(|error| {
            CommandError::unavailable(format!("could not create {}: {error}", folder.display()))
        })?;
        let size = if self.large { Size::PEOPLE } else { Size::MIND };
        Ok(Some(Film { folder, size }))
    }
}

/// `--gate kind=policy`, any number of times.
#[derive(Debug, clap::Args)]
pub(crate) struct GateOptions {
    /// When the operator is asked: KIND=auto, =ask, =ask:SECONDS:approve or =ask:SECONDS:veto
    #[arg(long = "gate", value_name = "KIND=POLICY", value_parser = parse_gate_rule)]
    gates: Vec<(GateKind, Policy)>,
    /// A policy file (TOML): which steps and entries need a person. It takes precedence over gates; `pithead policy
    /// check FILE` validates it
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl GateOptions {
    /// The policy file that was named, else, in the console, the operator's own.
    pub(crate) fn rulebook(&self, client: Client) -> Result<Rulebook, CommandError> {
        let rulebook = match (&self.policy, client) {
            (Some(path), _) => read_policy_file(path)?,
            (None, Client::Console) => config::console_policy().map_err(CommandError::usage)?,
            (None, Client::Headless { .. }) => Rulebook::default(),
        };
        match rulebook.waits_for_ever() {
            Some(what) if client != Client::Console => Err(CommandError::usage(format!(
                "--policy: {what}, which would wait forever without a console; use ask:SECONDS:veto, ask:SECONDS:approve or veto"
            ))),
            _ => Ok(rulebook),
        }
    }

    /// The client's defaults, overridden by the command line.
    pub(crate) fn gates(&self, client: Client) -> Result<Gates, CommandError> {
        let mut gates = match client {
            Client::Console => config::console_gates().map_err(CommandError::usage)?,
            Client::Headless { .. } => Gates::headless(),
        };
        for (kind, policy) in &self.gates {
            if client != Client::Console && *policy == Policy::Ask && kind.blocks_run() {
                return Err(CommandError::usage(format!(
                    "--gate {}=ask would wait forever without a console; use ask:SECONDS:approve or ask:SECONDS:veto",
                    kind.name()
                )));
            }
            gates.0.insert(*kind, *policy);
        }
        Ok(gates)
    }
}

/// Reads a policy file that was named.
pub(crate) fn read_policy_file(path: &Path) -> Result<Rulebook, CommandError> {
    config::policy(path).map_err(CommandError::usage)
}

/// Parses `KIND=POLICY`.
pub(crate) fn parse_gate_rule(text: &str) -> Result<(GateKind, Policy), String> {
    let Some((kind, policy)) = text.split_once('=') else {
        return Err(format!(
            "`{text}` is not of the form KIND=POLICY, for example plan=ask"
        ));
    };
    Ok((parse_gate_kind(kind)?, policy.parse()?))
}

/// Parses a gate's name.
pub(crate) fn parse_gate_kind(kind: &str) -> Result<GateKind, String> {
    let names = GateKind::ALL.map(GateKind::name);
    let mut known = GateKind::ALL.into_iter();
    known.find(|known| known.name() == kind).ok_or_else(|| {
        let close = nearest_names(kind, names.into_iter());
        let known = if close.is_empty() {
            names.to_vec()
        } else {
            close
        };
        format!("unknown gate `{kind}`; did you mean {}?", known.join(", "))
    })
}

/// The model that a file of `pithead selector train` holds.
pub(crate) fn horizon_model(
    path: Option<&Path>,
) -> Result<Option<Box<HorizonModel>>, CommandError> {
    let Some(path) = path else {
        return Ok(None);
    };
    let model = HorizonModel::read(&read_text(path)?);
    let model =
        model.map_err(|error| CommandError::usage(format!("{}: {error}", path.display())))?;
    Ok(Some(Box::new(model)))
}

/// The text of a file; `-` reads standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, CommandError> {
    let limit = TEXT_BYTES_MAX as u64 + 1;
    let read = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let done = std::io::stdin().take(limit).read_to_end(&mut bytes);
        done.map_err(|error| error.to_string())
            .and_then(|_| utf8::text(bytes))
    } else {
        untrusted_file::read_text(path, limit).map_err(|error| error.to_string())
    };
    read.map_err(|because| {
        CommandError::usage(format!("could not read {}: {because}", path.display()))
    })
}

/// Parses a run's number.
pub(crate) fn parse_run_id(text: &str) -> Result<RunId, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not the number of a run; `pithead runs` lists them"))
}

pub(crate) fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "`{text}` is no seed; a seed is a whole number from 0 to {}",
            u64::MAX
        )
    })
}

/// The percentages with which entries may be withheld.
pub(super) fn hold_out() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=i64::from(HOLD_OUT_MAX))
}

/// Parses a breakpoint, with `=` or a space after its kind.
pub(crate) fn parse_breakpoint(text: &str) -> Result<BreakOn, String> {
    let kind_ends = text.find(|c: char| !c.is_ascii_lowercase());
    let is_sign = kind_ends.is_some_and(|at| text[at..].starts_with('='));
    let given = text.replacen('=', " ", usize::from(is_sign));
    given
        .parse()
        .map_err(|error: pithead_core::domain::run::breakpoint::BadBreakpoint| error.to_string())
}

/// The command that sets breakpoints before the run's first step; none without breakpoints.
pub(crate) fn breakpoint_commands(breaks: &[BreakOn]) -> Vec<Command> {
    let set = |breaks: &[BreakOn]| Command::SetBreaks {
        breaks: breaks.iter().cloned().map(Breakpoint::new).collect(),
    };
    (!breaks.is_empty())
        .then(|| set(breaks))
        .into_iter()
        .collect()
}

/// Parses `NAME=VALUE`, a threshold of the diagnosis; kept as text, since a run's own thresholds are known later.
pub(crate) fn parse_threshold(text: &str) -> Result<String, String> {
    let set = Thresholds::default().set(text);
    set.map(|()| text.to_owned())
        .map_err(|error| error.to_string())
}

/// The thresholds with the settings of the command line; none if there are no settings.
pub(crate) fn changed_thresholds(from: &Thresholds, settings: &[String]) -> Option<Thresholds> {
    let mut changed = from.clone();
    for setting in settings {
        // Cannot fail: `parse_threshold` accepted it.
        changed.set(setting).ok()?;
    }
    (!settings.is_empty()).then_some(changed)
}

/// The arguments of a command from its words, the first of which is its name.
#[cfg(test)]
pub(crate) fn parse_args<A: clap::Args>(
    words: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<A, String> {
    let words = words.into_iter().map(|word| word.as_ref().to_owned());
    let command = A::augment_args(clap::Command::new("command"));
    let matches = command.try_get_matches_from(words);
    matches
        .and_then(|matches| A::from_arg_matches(&matches))
        .map_err(|error| error.to_string())
}
