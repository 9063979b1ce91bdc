//! Running the console: take the terminal, let a session live in it, give the terminal back.

use crate::cache::loader::{CacheLoader, Sources};
use crate::draw::draw;
use crate::edge::{Edge, Recorder};
use crate::effect::Leaving;
use crate::feed::Feed;
use crate::input::keymap::Keymap;
use crate::remember;
use crate::remember::ViewMemory;
use crate::screens::debug;
use crate::screens::home::launch::Launcher;
use crate::screens::knowledge::study::Trials;
use crate::screens::live::scenery;
use crate::session::Session;
use crate::terminal::Screen;
use crate::terminal::pictures::choice::PictureChoice;
use crate::terminal::signals::Signals;
use crate::theme::Theme;
use pithead_core::domain::run::outcome::Outcome;
use pithead_engine::journal::JournalError;
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use ratatui::crossterm::event;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How the console is to look and where it finds things.
#[derive(Debug, Clone)]
pub struct Options {
    pub theme: Theme,
    /// How what the body sees is drawn; one without `auto` in it.
    pub pictures: PictureChoice,
    pub clock: Clock,
    pub keymap: Keymap,
    /// What the screens beyond the run are read from.
    pub sources: Sources,
    /// How the database was named on the command line, for commands that are told.
    pub named: String,
    /// The name that answers carry.
    pub operator: String,
    /// Who starts runs that the operator describes; nobody where a run is only looked at.
    pub launcher: Option<Launcher>,
    /// Where the session is recorded as an asciicast.
    pub record: Option<PathBuf>,
    /// Plays runs with and without an entry.
    pub trials: Option<Trials>,
    /// Makes the world of a run, for evidence that was not recorded.
    pub body: Option<debug::loader::BodyMaker>,
}

/// How a session ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Departure {
    pub exit: Leaving,
    /// The run that was driven here, if one was.
    pub run: Option<RunId>,
    /// How the run ended, if it has.
    pub outcome: Option<Outcome>,
    /// Questions of the run that nobody has answered.
    pub waiting: usize,
    /// Where the driver was in the end; none for recordings.
    pub driver: Option<DriverStatus>,
}

/// Why the console could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    #[error("the console needs a terminal and there is none here")]
    NoTerminal,
    #[error("the terminal does not work: {0}")]
    Terminal(#[source] io::Error),
    #[error("{path} cannot be recorded to: {because}", path = path.display())]
    Record { path: PathBuf, because: String },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl From<io::Error> for ConsoleError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotConnected => Self::NoTerminal,
            _ => Self::Terminal(error),
        }
    }
}

/// Inputs taken in before the screen gets its turn: a paste is many.
const INPUTS_MAX: usize = 256;

/// Shows the feed until the operator leaves or a signal ends the program.
pub fn run(feed: Feed, options: Options) -> Result<Departure, ConsoleError> {
    let signals = Signals::listen()?;
    let mut screen = Screen::open()?;
    let size = screen.terminal.size()?;
    let now = options.clock.now();
    let mut session = Session::new(feed, options.keymap.clone(), size, now);
    session.shell.named.clone_from(&options.named);
    session.shell.choices = options
        .launcher
        .as_ref()
        .map(|launcher| launcher.choices.clone());
    session.read_with(CacheLoader::start(options.sources.clone())?);
    let database = options.sources.database.clone();
    session.look_with(debug::loader::CaseLoader::start(database, options.body)?);
    let recorder = match &options.record {
        Some(path) => Some(Recorder::start(path, &mut screen, size, now)?),
        None => None,
    };
    session.cache.rules_file = options.sources.rules.clone();
    let remembered = options.sources.database.as_deref().map(remember::file);
    if let Some(file) = &remembered {
        session.memory = ViewMemory::read(file);
        session.memory.recall_lists(&mut session.shell);
    }
    let mut edge = Edge::new(options, recorder);
    let left = sit(&mut session, &mut screen, &signals, &mut edge);
    // The terminal first: closing waits for the driver.
    drop(screen);
    session.note_look();
    if let Some(file) = &remembered {
        session.memory.write(file);
    }
    let departure = session.close();
    // A terminal that has gone away ends the session like the signal that follows it.
    let exit = match left {
        Err(ConsoleError::Terminal(_)) if signals.is_end_asked() => Leaving::Interrupted,
        other => other?,
    };
    Ok(Departure { exit, ..departure })
}

fn sit(
    session: &mut Session,
    screen: &mut Screen,
    signals: &Signals,
    edge: &mut Edge,
) -> Result<Leaving, ConsoleError> {
    loop {
        if signals.is_end_asked() {
            return Ok(Leaving::Interrupted);
        }
        if signals.take_stop() {
            suspend(session, screen)?;
        }
        edge.bring(session);
        // A key does not wait for what has come meanwhile.
        if session.is_answer_due(edge.options.clock.now()) {
            show(session, screen, edge)?;
        }
        session.fold(edge.options.clock.now())?;
        if session.is_frame_due(edge.options.clock.now()) {
            show(session, screen, edge)?;
        }
        let mut wait = edge.wait(session.wait(edge.options.clock.now()));
        for _ in 0..INPUTS_MAX {
            if !poll(wait)? {
                break;
            }
            wait = Duration::ZERO;
            if let Some(effect) = session.on_terminal(&event::read()?)
                && let Some(exit) = edge.perform(effect, session, screen)?
            {
                return Ok(exit);
            }
        }
    }
}

fn show(session: &mut Session, screen: &mut Screen, edge: &mut Edge) -> Result<(), ConsoleError> {
    let now = edge.options.clock.now();
    session.show_pictures(screen.means(edge.options.pictures.protocol()));
    let (sight, theme) = (session.sight(), &edge.options.theme);
    let picture = |size| scenery::beside(size, &sight);
    screen.draw(picture, |frame| draw(frame, &sight, theme))?;
    session.drawn(now);
    edge.record(session, now);
    Ok(())
}

/// A signal interrupts the waiting; that is no fault.
pub(crate) fn poll(wait: Duration) -> io::Result<bool> {
    match event::poll(wait) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(false),
        other => other,
    }
}

pub(crate) fn suspend(session: &mut Session, screen: &mut Screen) -> Result<(), ConsoleError> {
    screen.suspend()?;
    come_back(session, screen)
}

/// The terminal is ours again, and may have another size.
pub(crate) fn come_back(session: &mut Session, screen: &mut Screen) -> Result<(), ConsoleError> {
    let size = screen.terminal.size()?;
    (session.ui.size, session.shell.size) = (size, size);
    session.must_redraw();
    Ok(())
}
