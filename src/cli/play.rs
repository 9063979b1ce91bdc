//! `pithead play`: a sitting that `--record` has written down, in the console.

use crate::app::{Exit, Fault};
use pithead_console::recording::{Tape, play};
use pithead_console::theme::Theme;
use pithead_world::clock::Clock;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The asciicast (version 3)
    file: PathBuf,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    let tape = Tape::read(&args.file).map_err(Fault::usage)?;
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let was_ended = play(tape, &Theme::default_for(no_color), &Clock::System)?;
    Ok(if was_ended {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}
