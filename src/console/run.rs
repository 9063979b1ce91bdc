//! Running the console: take the terminal, let a session live in it, give the terminal back.

use crate::cache::loader::CacheLoader;
use crate::draw::draw;
use crate::edge::{Edge, Recorder, suspend};
use crate::effect::Leaving;
use crate::feed::Feed;
use crate::options::{ConsoleError, Departure, Options};
use crate::remember;
use crate::remember::ViewMemory;
use crate::saved_views;
use crate::screens::debug;
use crate::screens::live::scenery;
use crate::session::Session;
use crate::terminal::TerminalScreen;
use crate::terminal::signals::Signals;
use crate::widgets::time::Zone;
use ratatui::crossterm::event;
use std::io;
use std::time::Duration;

/// Inputs taken in before the screen gets its turn: a paste is many.
const INPUTS_MAX: usize = 256;

/// Shows the feed until the operator leaves or a signal ends the program.
pub fn run(feed: Feed, options: Options) -> Result<Departure, ConsoleError> {
    let signals = Signals::listen()?;
    let mut screen = TerminalScreen::open()?;
    let size = screen.terminal.size()?;
    let now = options.clock.now();
    let mut session = Session::new(feed, options.keymap.clone(), size, now);
    session.shell.named.clone_from(&options.named);
    session.shell.choices = options
        .launcher
        .as_ref()
        .map(|launcher| launcher.choices.clone());
    session.use_loader(CacheLoader::start(options.sources.clone())?);
    let database = options.sources.database.clone();
    session.use_case_loader(debug::loader::CaseLoader::start(database)?);
    let recorder = match &options.record {
        Some(path) => Some(Recorder::start(path, &mut screen, size, now)?),
        None => None,
    };
    session.cache.zone = Zone::of_system();
    session.cache.rules_file = options.sources.rules.clone();
    let remembered = options.sources.database.as_deref().map(remember::file);
    if let Some(file) = &remembered {
        session.memory = ViewMemory::load(file);
        session.memory.recall_lists(&mut session.shell);
    }
    if let Some(database) = options.sources.database.as_deref() {
        match saved_views::load(&saved_views::file(database)) {
            Ok(saved) => session.shell.views = saved,
            Err(because) => session.shell.refuse(because),
        }
    }
    let mut edge = Edge::new(options, recorder)?;
    let left = run_session(&mut session, &mut screen, &signals, &mut edge);
    // The terminal first: closing waits for the driver.
    drop(screen);
    // What was asked for is done before the run is let go.
    edge.finish_operations();
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

fn run_session(
    session: &mut Session,
    screen: &mut TerminalScreen,
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
        edge.take_results(session);
        // A key does not wait for what has come meanwhile.
        if session.is_answer_due(edge.options.clock.now()) {
            draw_frame(session, screen, edge)?;
        }
        session.fold(edge.options.clock.now())?;
        if let Some(text) = session.take_notice() {
            screen.notify(edge.options.notice, &text)?;
        }
        if session.is_frame_due(edge.options.clock.now()) {
            draw_frame(session, screen, edge)?;
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

fn draw_frame(
    session: &mut Session,
    screen: &mut TerminalScreen,
    edge: &mut Edge,
) -> Result<(), ConsoleError> {
    let now = edge.options.clock.now();
    session.show_pictures(screen.mode(edge.options.pictures.protocol()));
    let (scene, theme) = (session.scene(), &edge.options.theme);
    let picture = |size| scenery::beside(size, &scene);
    screen.draw(picture, |frame| draw(frame, &scene, theme))?;
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
