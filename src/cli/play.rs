//! `pithead play`: plays a console session that `--record` saved.

use super::watching::no_color;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_console::recording::{Asciicast, play};
use pithead_console::theme::Theme;
use pithead_world::clock::Clock;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The asciicast (version 3)
    file: PathBuf,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let cast = Asciicast::open(&args.file).map_err(CommandError::usage)?;
    let was_ended = play(cast, &Theme::default_for(no_color()), &Clock::System)?;
    Ok(if was_ended {
        ExitStatus::Interrupted
    } else {
        ExitStatus::Done
    })
}
