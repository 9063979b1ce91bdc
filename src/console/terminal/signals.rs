//! Signals: requests to end or to suspend, as flags that the loop asks for.
//!
//! Invariant: a program that was told to end has ended after a while, whatever its loop does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Flags that signals set.
#[derive(Debug)]
pub(crate) struct Signals {
    end: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    ids: Vec<signal_hook::SigId>,
    watch: signal_hook::iterator::Handle,
    /// Dropped when the session is over.
    _session: Sender<()>,
}

/// How long the loop has to leave by itself after it was told to end.
const GRACE: Duration = Duration::from_secs(2);

/// Ends the program if the loop does not: reading from a terminal that has gone away never returns
/// and burns a processor. Everything shown is on the disk, so nothing is lost by it.
fn end_at_last(session: Receiver<()>) -> io::Result<signal_hook::iterator::Handle> {
    use signal_hook::consts::{SIGHUP, SIGQUIT, SIGTERM};
    let mut caught = signal_hook::iterator::Signals::new([SIGHUP, SIGQUIT, SIGTERM])?;
    let handle = caught.handle();
    std::thread::spawn(move || {
        let told = caught.forever().next().is_some();
        if told && session.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
            std::process::exit(130);
        }
    });
    Ok(handle)
}

impl Signals {
    /// Listens to the signals that end or stop a program.
    pub(crate) fn listen() -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
        let (end, stop) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicBool::new(false)),
        );
        let mut ids = Vec::new();
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            ids.push(signal_hook::flag::register(signal, Arc::clone(&end))?);
        }
        ids.push(signal_hook::flag::register(SIGTSTP, Arc::clone(&stop))?);
        let (session, over) = channel();
        let watch = end_at_last(over)?;
        Ok(Self {
            end,
            stop,
            ids,
            watch,
            _session: session,
        })
    }

    pub(crate) fn is_end_asked(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// True once for each time.
    pub(crate) fn take_stop(&self) -> bool {
        self.stop.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for id in &self.ids {
            signal_hook::low_level::unregister(*id);
        }
        self.watch.close();
    }
}
