//! `pithead man`: the manual pages, one for each command.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_text;
use pithead_core::text::numbers::count_with_noun;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder for the pages, for example ~/.local/share/man/man1; created if it is not there
    dir: PathBuf,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let fault = |error: std::io::Error| {
        CommandError::unavailable(format!(
            "the manual pages could not be written to {}: {error}",
            args.dir.display()
        ))
    };
    std::fs::create_dir_all(&args.dir).map_err(fault)?;
    clap_mangen::generate_to(super::command(), &args.dir).map_err(fault)?;
    let pages = std::fs::read_dir(&args.dir).map_err(fault)?;
    let names = pages.flatten().map(|page| page.file_name());
    let names = names.filter(|name| name.to_string_lossy().starts_with("pithead"));
    let n = count_with_noun(names.count(), "page is", "pages are");
    print_text(&format!(
        "{n} in {}; `man pithead` shows the first\n",
        args.dir.display()
    ));
    Ok(ExitStatus::Done)
}
