//! The side process: started with the fewest rights that Node can give it, ended with this program.
//!
//! It gets no environment but the path to Node's own libraries, may read only its own folder, and may write nothing; one
//! for a Microsoft account may also read and write the folder of the account's tokens.
//! Invariant: no request blocks the caller, and no side process outlives its `SideProcess`.

use crate::account::make_private;
use crate::install::Bridge;
use crate::notices::Notices;
use crate::sources::MAIN;
use crate::wire::{next_line, read_line};
use pithead_core::text::clean::clean_excerpt;
use pithead_world::port::Account;
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

/// Requests that may wait for a side process that does not read.
const WAITING_MAX: usize = 16;
/// Letters of a line of its log.
const LOGGED_MAX: usize = 200;

/// A side process that runs.
pub(crate) struct SideProcess {
    child: Child,
    requests: Option<SyncSender<String>>,
    pub(crate) notices: Arc<Notices>,
    threads: Vec<JoinHandle<()>>,
    last_id: u64,
}

impl std::fmt::Debug for SideProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SideProcess {{ {} }}", self.child.id())
    }
}

impl SideProcess {
    /// Starts it; the reason if that is not possible.
    pub(crate) fn start(bridge: &Bridge, account: Account) -> Result<Self, String> {
        if account == Account::Microsoft {
            make_private(&bridge.tokens)
                .map_err(|error| format!("{}: {error}", bridge.tokens.display()))?;
        }
        let mut command = Command::new(&bridge.node);
        command
            .args(bridge.permission_flags(account))
            .arg(bridge.folder.join(MAIN))
            .current_dir(&bridge.folder)
            // Keys and names of the operator are not for a process that talks to servers.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let failed = |error: std::io::Error| {
            format!("{} could not be started: {error}", bridge.node.display())
        };
        let mut child = command.spawn().map_err(failed)?;
        let notices = Arc::new(Notices::default());
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (requests, waiting) = sync_channel::<String>(WAITING_MAX);
        let heard = notices.clone();
        let threads = vec![
            std::thread::spawn(move || {
                let Some(mut stdin) = stdin else { return };
                // Ends when the sender is dropped, and closes the pipe with it.
                while let Ok(line) = waiting.recv() {
                    if stdin.write_all(line.as_bytes()).is_err() || stdin.flush().is_err() {
                        return;
                    }
                }
            }),
            std::thread::spawn(move || {
                if let Some(stdout) = stdout {
                    let mut reader = BufReader::new(stdout);
                    while let Some(line) = next_line(&mut reader) {
                        heard.hear(line.and_then(|line| read_line(&line)));
                    }
                }
                heard.end();
            }),
            std::thread::spawn(move || {
                if let Some(stderr) = stderr {
                    log(stderr);
                }
            }),
        ];
        Ok(Self {
            child,
            requests: Some(requests),
            notices,
            threads,
            last_id: 0,
        })
    }

    /// Sends a request and gives its number; none if the side process takes no more.
    pub(crate) fn ask(&mut self, operation: &str, args: &Value, timeout_ms: u64) -> Option<u64> {
        self.last_id += 1;
        let request =
            json!({"id": self.last_id, "op": operation, "args": args, "timeout_ms": timeout_ms});
        match self.requests.as_ref()?.try_send(format!("{request}\n")) {
            Ok(()) => Some(self.last_id),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => None,
        }
    }
}

impl Drop for SideProcess {
    fn drop(&mut self) {
        self.requests = None;
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// What it writes to standard error goes to the log, line by line, cleaned.
fn log(stderr: impl Read) {
    let mut reader = BufReader::new(stderr);
    while let Some(line) = next_line(&mut reader) {
        let text = line.unwrap_or_else(|because| because);
        tracing::debug!(bridge = clean_excerpt(&text, LOGGED_MAX));
    }
}
