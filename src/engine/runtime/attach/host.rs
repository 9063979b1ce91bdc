//! The host's end: a thread that takes commands of guests into the run.
//!
//! Invariant: a guest can send commands as an operator's keys do, and nothing else; what it may not
//! do is refused with a reason. Without sockets (not Unix) nobody can attach, and that is all.

use crate::runtime::link::Link;
#[cfg(unix)]
use {
    super::door::{check_peer, listen},
    super::lines::{LINE_BYTES_MAX, Reply, SentCommand, parse_hello},
    crate::runtime::link::{GivenCommand, Inbox, Incoming},
    std::io::{BufRead, BufReader, Read, Write},
    std::os::unix::net::{UnixListener, UnixStream},
    std::path::PathBuf,
    std::sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    std::sync::{Arc, Mutex, PoisonError},
    std::time::Duration,
};

/// Guests at one time.
#[cfg(unix)]
const GUESTS_MAX: usize = 16;

/// A guest introduces itself at once; one that does not holds a place that others need.
#[cfg(unix)]
const HELLO_MAX: Duration = Duration::from_secs(5);
/// A guest that has said nothing for so long gives its seat back. It knocks again when it has something
/// to say.
#[cfg(unix)]
const IDLE_MAX: Duration = Duration::from_secs(15 * 60);

/// Who commands when a run opens its door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// The operator of the console that drives it.
    Taken,
    /// Nobody: the first guest who commands.
    Free,
}

/// The open door; closed when dropped.
#[derive(Debug)]
pub struct Host {
    #[cfg(unix)]
    path: PathBuf,
    #[cfg(unix)]
    closing: Arc<AtomicBool>,
}

#[cfg(not(unix))]
impl Host {
    /// Nobody can attach here.
    #[must_use]
    pub fn open(_link: &Link, _seat: Seat) -> Option<Self> {
        None
    }
}

/// Who commands now. Its owners are the threads of the guests.
#[cfg(unix)]
type Chair = Arc<Mutex<Option<(usize, String)>>>;

#[cfg(unix)]
impl Host {
    /// Opens the door of a run. A run without one is driven all the same, so a fault is only logged.
    #[must_use]
    pub fn open(link: &Link, seat: Seat) -> Option<Self> {
        Self::open_for(link, seat, IDLE_MAX)
    }

    /// The same with another time after which a guest that says nothing gives its seat back.
    pub(super) fn open_for(link: &Link, seat: Seat, idle_max: Duration) -> Option<Self> {
        let database = link.journal().file()?;
        let (listener, path) = match listen(database, link.run()) {
            Ok(open) => open,
            Err(error) => {
                tracing::warn!(%error, "no console can attach to this run");
                return None;
            }
        };
        let closing = Arc::new(AtomicBool::new(false));
        let chair = match seat {
            Seat::Taken => Some((0, link.operator().to_owned())),
            Seat::Free => None,
        };
        let door = Door {
            inbox: link.inbox(),
            chair: Arc::new(Mutex::new(chair)),
            closing: Arc::clone(&closing),
            idle_max,
        };
        let spawned = std::thread::Builder::new()
            .name("attach".to_owned())
            .spawn(move || door.receive(&listener));
        match spawned {
            Ok(_) => Some(Self { path, closing }),
            Err(error) => {
                tracing::warn!(%error, "no console can attach to this run");
                None
            }
        }
    }
}

#[cfg(unix)]
impl Drop for Host {
    fn drop(&mut self) {
        // The flag first: the thread looks at it as soon as the connection below wakes it.
        self.closing.store(true, Ordering::Release);
        // Wakes the thread, which then sees the flag.
        let _ = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
#[derive(Clone)]
struct Door {
    inbox: Inbox,
    chair: Chair,
    closing: Arc<AtomicBool>,
    idle_max: Duration,
}

#[cfg(unix)]
impl Door {
    fn receive(&self, listener: &UnixListener) {
        let guests = Arc::new(AtomicUsize::new(0));
        for (n, stream) in (1..).zip(listener.incoming()) {
            if self.closing.load(Ordering::Acquire) {
                return;
            }
            let Ok(stream) = stream else { continue };
            if guests.fetch_add(1, Ordering::AcqRel) >= GUESTS_MAX {
                guests.fetch_sub(1, Ordering::AcqRel);
                continue; // dropped: the guest reads on without a voice
            }
            let (door, leaving) = (self.clone(), Arc::clone(&guests));
            let spawned = std::thread::Builder::new().spawn(move || {
                door.serve(n, stream);
                door.leave(n);
                leaving.fetch_sub(1, Ordering::AcqRel);
            });
            if spawned.is_err() {
                guests.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }

    /// One guest until it leaves or says something that is not understood.
    fn serve(&self, guest: usize, stream: UnixStream) {
        let checked = check_peer(&stream)
            .and_then(|()| stream.set_read_timeout(Some(HELLO_MAX)))
            // A guest that reads no answers must not keep its seat either.
            .and_then(|()| stream.set_write_timeout(Some(HELLO_MAX)));
        let Ok(mut out) = checked.and_then(|()| stream.try_clone()) else {
            return;
        };
        let mut lines = BufReader::new(stream);
        let mut say = |reply: &Reply| {
            let line = serde_json::to_string(reply).unwrap_or_default() + "\n";
            out.write_all(line.as_bytes()).is_ok()
        };
        let operator = match hello(&mut lines) {
            Ok(name) => name,
            Err(because) => {
                say(&Reply::Refused(because));
                return;
            }
        };
        let patient = lines.get_ref().set_read_timeout(Some(self.idle_max));
        if patient.is_err() || !say(&Reply::Taken) {
            return;
        }
        while let Some(line) = read_line(&mut lines) {
            let reply = match serde_json::from_str::<SentCommand>(&line) {
                Ok(ask) => self.command(guest, &operator, ask),
                Err(error) => Reply::Refused(format!("this is no command: {error}")),
            };
            if !say(&reply) {
                return;
            }
        }
    }

    fn command(&self, guest: usize, operator: &str, ask: SentCommand) -> Reply {
        let mut chair = self.chair.lock().unwrap_or_else(PoisonError::into_inner);
        match &*chair {
            Some((other, name)) if *other != guest => {
                return Reply::Refused(format!("{name} commands this run; you observe it"));
            }
            Some(_) => (),
            None => *chair = Some((guest, operator.to_owned())),
        }
        let given = Incoming::Command(GivenCommand {
            command: ask.command,
            operator: operator.to_owned(),
        });
        match self.inbox.send(given) {
            Ok(()) => Reply::Taken,
            Err(_) => Reply::Refused("the run is no longer driven".to_owned()),
        }
    }

    /// The seat of a guest that leaves is free again.
    fn leave(&self, guest: usize) {
        let mut chair = self.chair.lock().unwrap_or_else(PoisonError::into_inner);
        if chair.as_ref().is_some_and(|(n, _)| *n == guest) {
            *chair = None;
        }
    }
}

/// The guest's name.
#[cfg(unix)]
fn hello(lines: &mut BufReader<UnixStream>) -> Result<String, String> {
    let line = read_line(lines).ok_or("nothing was said")?;
    parse_hello(&line)
}

/// The next line; none at the end, or if it is too long.
#[cfg(unix)]
fn read_line(lines: &mut BufReader<UnixStream>) -> Option<String> {
    let mut line = String::new();
    let read = lines.take(LINE_BYTES_MAX).read_line(&mut line);
    read.is_ok_and(|n| n > 0 && line.ends_with('\n'))
        .then_some(line)
}
