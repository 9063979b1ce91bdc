//! Voice: a guest's connection to the host, with a thread that takes in what the host says.
//!
//! Invariant: each line that wants an answer gets the next answer, in order; news never stand in its way.

use super::door::knock;
use super::lines::{GuestLine, Hello, HostLine, LINE_BYTES_MAX, SCHEMA};
use super::news::picture_of;
use super::presence::Presence;
use crate::mind::watch::AnswerProgress;
use pithead_world::ids::RunId;
use pithead_world::port::Pixels;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A host that does not answer for so long is no help any more.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// Answers on the way: one at a time is waited for.
const ANSWERS_MAX: usize = 4;

/// What a console has last been told.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) presence: Option<Presence>,
    pub(super) thinking: Option<AnswerProgress>,
    pub(super) waits: bool,
    pub(super) picture: Option<Arc<Pixels>>,
    /// Why the driver has ended.
    pub(super) stopped: Option<String>,
    is_gone: bool,
}

/// A connection; closed when dropped.
#[derive(Debug)]
pub(super) struct Voice {
    out: UnixStream,
    answers: Receiver<HostLine>,
    /// Written by the thread that listens, read by the console.
    news: Arc<Mutex<News>>,
}

impl Voice {
    /// Connects, and says who is there; what the host answers to that.
    pub(super) fn open(
        database: &Path,
        run: RunId,
        operator: &str,
        console: bool,
    ) -> Result<(Self, HostLine)> {
        let out = knock(database, run)?;
        out.set_write_timeout(Some(ANSWER_MAX))?;
        let (answered, answers) = sync_channel(ANSWERS_MAX);
        let news = Arc::default();
        let (lines, told) = (BufReader::new(out.try_clone()?), Arc::clone(&news));
        std::thread::Builder::new()
            .name("attached".to_owned())
            .spawn(move || listen(lines, &answered, &told))?;
        let mut voice = Self { out, answers, news };
        voice.write(&Hello {
            schema: SCHEMA,
            operator: operator.to_owned(),
            console,
        })?;
        let answer = voice.answer()?;
        Ok((voice, answer))
    }

    /// One line out, its answer back.
    pub(super) fn exchange(&mut self, line: &GuestLine) -> Result<HostLine> {
        self.write(line)?;
        self.answer()
    }

    /// A line that nobody answers.
    pub(super) fn say(&mut self, line: &GuestLine) -> Result<()> {
        self.write(line)
    }

    pub(super) fn is_open(&self) -> bool {
        !self.news().is_gone
    }

    /// What has been told last.
    pub(super) fn news(&self) -> MutexGuard<'_, News> {
        lock(&self.news)
    }

    fn write(&mut self, what: &impl serde::Serialize) -> Result<()> {
        let line = serde_json::to_string(what)? + "\n";
        let written = self.out.write_all(line.as_bytes());
        written.map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Error::from(ErrorKind::NotConnected),
            _ => error,
        })
    }

    fn answer(&self) -> Result<HostLine> {
        let heard = self.answers.recv_timeout(ANSWER_MAX);
        heard.map_err(|error| match error {
            RecvTimeoutError::Timeout => Error::from(ErrorKind::TimedOut),
            RecvTimeoutError::Disconnected => Error::from(ErrorKind::NotConnected),
        })
    }
}

impl Drop for Voice {
    fn drop(&mut self) {
        // The thread that listens has the other end of the same connection.
        let _ = self.out.shutdown(Shutdown::Both);
    }
}

fn lock(news: &Mutex<News>) -> MutexGuard<'_, News> {
    // Each line is taken in whole.
    news.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes in lines until the connection ends, or something is said that is not understood.
fn listen(mut lines: BufReader<UnixStream>, answered: &SyncSender<HostLine>, news: &Mutex<News>) {
    loop {
        let mut text = String::new();
        let read = (&mut lines).take(LINE_BYTES_MAX).read_line(&mut text);
        let line = read.ok().filter(|n| *n > 0 && text.ends_with('\n'));
        let line = line.and_then(|_| serde_json::from_str(&text).ok());
        let Some(line) = line else { break };
        let mut news = lock(news);
        match line {
            answer @ (HostLine::Taken | HostLine::Refused(_)) => {
                drop(news);
                // An answer that came too late for whoever waited belongs to nobody.
                if answered.try_send(answer).is_err() {
                    break;
                }
            }
            HostLine::Present(presence) => news.presence = Some(presence.cleaned()),
            HostLine::Thinking(progress) => news.thinking = progress,
            HostLine::Waits(waits) => news.waits = waits,
            HostLine::Stopped(because) => news.stopped = Some(because),
            HostLine::Picture { width, height, rgb } => {
                let picture = picture_of(width, height, &rgb);
                news.picture = picture.map(Arc::new).or(news.picture.take());
            }
        }
    }
    let mut news = lock(news);
    (news.is_gone, news.thinking, news.waits) = (true, None, false);
}
