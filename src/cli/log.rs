//! The log: a file, never the screen, which belongs to the console.

use pithead_engine::config;
use std::sync::Arc;

/// Starts the log; `PITHEAD_LOG` chooses what goes into it. Where it cannot be written the program
/// runs without one.
pub(super) fn start_log() {
    let Some(path) = config::log_file() else {
        return;
    };
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let file = folder.and_then(|()| {
        std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
    });
    let Ok(file) = file else { return };
    let filter = tracing_subscriber::EnvFilter::try_from_env("PITHEAD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt()
        .with_writer(Arc::new(file))
        .with_ansi(false)
        .with_env_filter(filter);
    // A second start in one process (tests) keeps the first log.
    let _ = log.try_init();
}
