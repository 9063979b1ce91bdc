//! The log: a file, never the screen, which belongs to the console.

use pithead_engine::config;
use std::fs::{DirBuilder, File, OpenOptions};
use std::path::Path;
use std::sync::Arc;

/// Starts the log; `PITHEAD_LOG` chooses what goes into it. Where it cannot be written the program
/// runs without one.
pub(super) fn start_log() {
    let Some(path) = config::log_file() else {
        return;
    };
    let Ok(file) = open_private(&path) else {
        return;
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("PITHEAD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt()
        .with_writer(Arc::new(file))
        .with_ansi(false)
        .with_env_filter(filter);
    // A second start in one process (tests) keeps the first log.
    let _ = log.try_init();
}

/// Opens the file, made with its folder for their owner alone: it may quote what models and worlds say.
fn open_private(path: &Path) -> std::io::Result<File> {
    let (mut folder, mut file) = (DirBuilder::new(), OpenOptions::new());
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    }
    if let Some(above) = path.parent() {
        folder.recursive(true).create(above)?;
    }
    file.append(true).create(true).open(path)
}
