//! The host's end: a thread that takes commands of guests into the run, and tells consoles what is no event.
//!
//! Invariant: a guest can send commands as an operator's keys do, and nothing else; what it may not
//! do is refused with a reason. Without sockets (not Unix) nobody can attach, and that is all.

use crate::runtime::link::Link;
#[cfg(unix)]
use {
    super::door::{check_peer, listen},
    super::lines::{GuestLine, Hello, HostLine, LINE_BYTES_MAX, PIXELS_MAX, parse_hello},
    super::news::tell_news,
    super::seats::Seats,
    crate::runtime::link::{Eyes, GivenCommand, Inbox, Incoming},
    std::io::{BufRead, BufReader, ErrorKind, Read, Write},
    std::os::unix::net::{UnixListener, UnixStream},
    std::path::PathBuf,
    std::sync::Arc,
    std::sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    std::sync::mpsc::{Receiver, SyncSender, sync_channel},
    std::time::Duration,
};

/// Guests at one time.
#[cfg(unix)]
const GUESTS_MAX: usize = 16;
/// Lines on the way to a guest. It reads at once, or is let go when an answer finds no room.
#[cfg(unix)]
const LINES_MAX: usize = 64;

/// A guest introduces itself at once; one that does not holds a place that others need.
#[cfg(unix)]
const HELLO_MAX: Duration = Duration::from_secs(5);
/// A guest that has said nothing for so long gives its seat back. It takes it again when it has something
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
    #[cfg(unix)]
    stopping: Arc<AtomicBool>,
    #[cfg(unix)]
    seats: Arc<Seats>,
}

#[cfg(not(unix))]
impl Host {
    /// Nobody can attach here.
    #[must_use]
    pub fn open(_link: &Link, _seat: Seat) -> Option<Self> {
        None
    }
}

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
        let opened = listen(database, link.run()).and_then(|(listener, path)| {
            let seats = Arc::new(match seat {
                Seat::Taken => Seats::taken_by(link.operator()),
                Seat::Free => Seats::default(),
            });
            let door = Door {
                inbox: link.inbox(),
                seats: Arc::clone(&seats),
                closing: Arc::default(),
                stopping: Arc::default(),
                eyes: link.eyes(),
                idle_max,
            };
            let host = Self {
                path,
                closing: Arc::clone(&door.closing),
                stopping: Arc::clone(&door.stopping),
                seats,
            };
            let (eyes, closing) = (link.eyes(), Arc::clone(&door.closing));
            let told = Arc::clone(&host.seats);
            let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
            named("attach").spawn(move || door.receive(&listener))?;
            named("attach news").spawn(move || tell_news(&eyes, &told, &closing))?;
            Ok(host)
        });
        opened
            .inspect_err(|error| tracing::warn!(%error, "no console can attach to this run"))
            .ok()
    }

    /// Consoles that are attached.
    #[must_use]
    pub fn consoles(&self) -> usize {
        self.seats.consoles()
    }

    /// Whether the guest that commands wants the run to stop where it is.
    #[must_use]
    pub fn is_stop_asked(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Tells all consoles why the run is no longer driven.
    pub fn say_stopped(&self, because: &str) {
        self.seats.tell(&HostLine::Stopped(because.to_owned()));
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
    seats: Arc<Seats>,
    closing: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
    eyes: Eyes,
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
                door.seats.leave(n);
                leaving.fetch_sub(1, Ordering::AcqRel);
            });
            if spawned.is_err() {
                guests.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }

    /// One guest until it leaves or says something that is not understood.
    fn serve(&self, guest: u64, stream: UnixStream) {
        let checked = check_peer(&stream)
            .and_then(|()| stream.set_read_timeout(Some(HELLO_MAX)))
            // A guest that reads no answers must not keep its seat either.
            .and_then(|()| stream.set_write_timeout(Some(HELLO_MAX)));
        let Ok(out) = checked.and_then(|()| stream.try_clone()) else {
            return;
        };
        let (said, lines_out) = sync_channel(LINES_MAX);
        let writing = std::thread::Builder::new().spawn(move || write_lines(out, &lines_out));
        if writing.is_err() {
            return;
        }
        let mut lines = BufReader::new(stream);
        let hello = match hello(&mut lines) {
            Ok(hello) => hello,
            Err(because) => {
                let _ = said.send(HostLine::Refused(because));
                return;
            }
        };
        let patient = lines.get_ref().set_read_timeout(Some(self.idle_max));
        if patient.is_err() || said.send(HostLine::Taken).is_err() {
            return;
        }
        self.seats
            .enter(guest, &hello.operator, hello.console, said.clone());
        self.listen(guest, &hello, (&mut lines, &said));
    }

    /// What a guest says, line by line.
    fn listen(
        &self,
        guest: u64,
        hello: &Hello,
        (lines, said): (&mut BufReader<UnixStream>, &SyncSender<HostLine>),
    ) {
        loop {
            let line = match read_line(lines) {
                Line::Read(line) => line,
                // It looks on, and others may command.
                Line::Quiet if hello.console => {
                    self.seats.yield_seat(guest);
                    continue;
                }
                Line::Quiet | Line::End => return,
            };
            let answer = match serde_json::from_str::<GuestLine>(&line) {
                Ok(line) => self.obey(guest, &hello.operator, line),
                Err(error) => Some(Err(format!("this is no command: {error}"))),
            };
            let answer = answer.map(|done| match done {
                Ok(()) => HostLine::Taken,
                Err(because) => HostLine::Refused(because),
            });
            if answer.is_some_and(|answer| said.send(answer).is_err()) {
                return;
            }
        }
    }

    /// Does what a guest asks for; nothing is answered to a look.
    fn obey(&self, guest: u64, operator: &str, line: GuestLine) -> Option<Result<(), String>> {
        Some(match line {
            GuestLine::Command(command) => self.seats.command(guest).and_then(|()| {
                let given = Incoming::Command(GivenCommand {
                    command,
                    operator: operator.to_owned(),
                });
                let sent = self.inbox.send(given);
                sent.map_err(|_| "the run is no longer driven".to_owned())
            }),
            GuestLine::Look { width, height } => {
                if width.saturating_mul(height) <= PIXELS_MAX {
                    self.seats.look(guest, (width, height));
                    self.eyes.ask(width, height);
                }
                return None;
            }
            GuestLine::AskSeat => self.seats.ask(guest),
            GuestLine::GiveSeat { to } => self.seats.give(guest, to),
            GuestLine::Stop => self.seats.command(guest).map(|()| {
                self.stopping.store(true, Ordering::Release);
            }),
        })
    }
}

/// Writes what a guest is told until it has gone.
#[cfg(unix)]
fn write_lines(mut out: UnixStream, lines: &Receiver<HostLine>) {
    for line in lines {
        let line = serde_json::to_string(&line).unwrap_or_default() + "\n";
        if out.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
    // The other end must not wait for more; nor must the thread that reads from it.
    let _ = out.shutdown(std::net::Shutdown::Both);
}

/// The guest's name, and what it is.
#[cfg(unix)]
fn hello(lines: &mut BufReader<UnixStream>) -> Result<Hello, String> {
    match read_line(lines) {
        Line::Read(line) => parse_hello(&line),
        Line::Quiet | Line::End => Err("nothing was said".to_owned()),
    }
}

/// What came of waiting for a line.
#[cfg(unix)]
enum Line {
    Read(String),
    /// Nothing came for long.
    Quiet,
    /// The guest has gone, or its line is too long.
    End,
}

#[cfg(unix)]
fn read_line(lines: &mut BufReader<UnixStream>) -> Line {
    let mut line = String::new();
    match lines.take(LINE_BYTES_MAX).read_line(&mut line) {
        Ok(n) if n > 0 && line.ends_with('\n') => Line::Read(line),
        // Half a line that stops is no line.
        Err(error) if is_timeout(error.kind()) && line.is_empty() => Line::Quiet,
        Ok(_) | Err(_) => Line::End,
    }
}

#[cfg(unix)]
fn is_timeout(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
