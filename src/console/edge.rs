//! The edge: what a session wants done with the terminal, the clipboard, files and the database.
//!
//! What cannot be done is reported on the screen; only a fault of the terminal itself ends the session.

use crate::context::Scene;
use crate::draw::draw;
use crate::effect::{Effect, Leaving};
use crate::export;
use crate::feed::Feed;
use crate::feed::player::Player;
use crate::operations::{OperationResult, Operations, OperatorAccess};
use crate::options::{ConsoleError, Options};
use crate::recording::cast::Cast;
use crate::saved_views::KeptView;
use crate::screens::home::launch::{Launch, StartFault, Starting};
use crate::screens::knowledge::state::StudyKind;
use crate::screens::knowledge::study::Studying;
use crate::session::Session;
use crate::terminal::{TerminalScreen, clipboard, outside};
use crate::theme::{Theme, names};
use pithead_core::domain::knowledge::Entry;
use pithead_engine::journal::{Journal, is_waiting_for_others};
use pithead_engine::launch::Launched;
use pithead_engine::runtime::Recording;
use pithead_engine::runtime::attach::{Attached, GuestKind, Host, Seat};
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;
use ratatui::layout::Size;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Between two looks at what was asked of other threads.
const RESULT_WAIT: Duration = Duration::from_millis(20);

/// What the session was started with; the theme may change.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) options: Options,
    recorder: Option<Recorder>,
    starting: Option<Starting>,
    /// The toast for the moment when the run that is being started is in sight.
    word: Option<String>,
    /// What lets other processes watch the run that was started here last: one run at a time is driven.
    host: Option<Host>,
    /// Studies under way; each is stopped when it is dropped.
    studies: Vec<Studying>,
    operations: Operations,
}

/// What writes the session recording.
#[derive(Debug)]
pub(crate) struct Recorder {
    cast: Cast<BufWriter<File>>,
    written: Receiver<Vec<u8>>,
}

impl Recorder {
    pub(crate) fn start(
        path: &Path,
        screen: &mut TerminalScreen,
        size: Size,
        now: Millis,
    ) -> Result<Self, ConsoleError> {
        let cast = Cast::create(path, size, now).map_err(|error| ConsoleError::Record {
            path: path.to_path_buf(),
            because: error.to_string(),
        })?;
        let written = screen.tap()?;
        Ok(Self { cast, written })
    }
}

impl Edge {
    pub(crate) fn new(options: Options, recorder: Option<Recorder>) -> std::io::Result<Self> {
        let operations = Operations::start(OperatorAccess {
            database: options.sources.database.clone(),
            rules: options.sources.rules.clone(),
            operator: options.operator.clone(),
            clock: options.clock.clone(),
        })?;
        Ok(Self {
            options,
            recorder,
            starting: None,
            word: None,
            host: None,
            studies: Vec::new(),
            operations,
        })
    }

    fn begin(&mut self, launch: Launch) -> Result<(), String> {
        let launcher = self.options.launcher.as_ref();
        let launcher = launcher.ok_or("no run can be started from here")?;
        if self.starting.is_some() {
            return Err("a run is being started already".to_owned());
        }
        if !matches!(launch, Launch::ResumeReading(_) | Launch::ResumeJoining(_)) {
            self.word = None;
        }
        self.starting = Some(Starting::begin(launcher, launch)?);
        Ok(())
    }

    fn keep_view(&mut self, kept: KeptView, session: &mut Session) {
        let keep = |access: &OperatorAccess| OperationResult::Said(access.keep_view(kept));
        self.operate(session, keep);
    }

    /// Looks into an entry in a thread of its own.
    fn study(&mut self, entry: &Arc<Entry>, kind: StudyKind, session: &mut Session) {
        let begun = self.database();
        match begun.and_then(|database| Studying::begin(database, entry, kind)) {
            Ok(begun) => self.studies.push(begun),
            Err(because) => session.settle_study((entry.id, entry.version), kind, Err(because)),
        }
    }

    /// Looks through the record of what is on the screen, before it is asked for.
    fn study_what_is_shown(&mut self, session: &mut Session) {
        while self.database().is_ok()
            && let Some(entry) = session.take_wanted_study()
        {
            self.study(&entry, StudyKind::Backtest, session);
        }
        if self.database().is_ok()
            && let Some(edited) = session.take_wanted_edit()
        {
            self.study(&edited, StudyKind::Edit, session);
        }
    }

    /// Waits until all that was asked for is done.
    pub(crate) fn finish_operations(&mut self) {
        self.operations.finish();
        for result in self.operations.take_results() {
            tracing::info!(?result, "an operation ended while the console was left");
        }
    }

    /// Has something done in the database or in another process; what comes of it is said later.
    fn operate(
        &mut self,
        session: &mut Session,
        operation: impl FnOnce(&OperatorAccess) -> OperationResult + Send + 'static,
    ) {
        match self.operations.ask(operation) {
            Ok(()) => session.shell.say("under way …"),
            Err(because) => session.shell.refuse(because),
        }
    }

    /// Says what has come of an operation.
    fn settle_operation(&mut self, result: OperationResult, session: &mut Session) {
        match result {
            OperationResult::Said(result) => session.settle_operation(result),
            OperationResult::Answered(result) => {
                session.settle_text(&result);
                session.settle_operation(result);
            }
            OperationResult::Forked(made) => {
                let result = made.and_then(|(run, word)| self.drive_fork(run, word, session));
                session.settle_operation(result);
            }
        }
    }

    /// Drives a fork here, unless this console drives another run already.
    fn drive_fork(
        &mut self,
        run: RunId,
        word: String,
        session: &Session,
    ) -> Result<String, String> {
        if session.driven_run().is_some() || self.options.launcher.is_none() {
            return Ok(format!("{word}; `pithead resume {run}` continues it"));
        }
        self.begin(Launch::Resume(run))?;
        self.word = Some(word.clone());
        Ok(word)
    }

    /// Puts in sight what has come of operations, starts and studies in the meantime.
    pub(crate) fn take_results(&mut self, session: &mut Session) {
        for result in self.operations.take_results() {
            self.settle_operation(result, session);
        }
        let mut over = Vec::new();
        self.studies.retain(|study| {
            let found = study.taken();
            let is_over = found.is_some();
            let about = (study.id, study.version);
            over.extend(found.map(|found| (about, study.kind, found)));
            !is_over
        });
        for (about, kind, found) in over {
            session.settle_study(about, kind, found);
        }
        self.study_what_is_shown(session);
        self.show_started_run(session);
        session.show_wait(is_waiting_for_others());
    }

    /// Puts a run in sight that has been started.
    fn show_started_run(&mut self, session: &mut Session) {
        let Some(made) = self.starting.as_ref().and_then(Starting::taken) else {
            return;
        };
        self.starting = None;
        match made {
            Ok(Launched::Elsewhere(run)) => {
                // The run that was driven before goes on, or is over.
                self.host = None;
                match self.attach(run, GuestKind::CommandingConsole) {
                    Ok(feed) => session.drive(feed, self.options.clock.now()),
                    Err(because) => session.shell.refuse(because),
                }
                self.say_word(session);
            }
            Ok(Launched::Here(link)) => {
                // The old one first: each holds a thread and a socket until it is dropped.
                self.host = None;
                self.host = Host::open(&link, Seat::Taken);
                session.drive(Feed::Live(*link), self.options.clock.now());
                self.say_word(session);
            }
            // What was to be said when the run is there stays: it is asked for again, or not at all.
            Err(StartFault::NotAllowed(wants)) => session.ask_consent(wants),
            Err(StartFault::Failed(because)) => {
                self.word = None;
                session.shell.refuse(because);
                session.must_redraw();
            }
        }
    }

    fn say_word(&mut self, session: &mut Session) {
        if let Some(word) = self.word.take() {
            session.shell.say(word);
        }
    }

    /// While a result is waited for it is looked for often.
    pub(crate) fn wait(&self, wait: Duration) -> Duration {
        let is_backtest =
            |study: &Studying| matches!(study.kind, StudyKind::Backtest | StudyKind::Edit);
        let studies = self.studies.iter().any(is_backtest);
        if self.starting.is_some() || self.operations.are_under_way() || studies {
            wait.min(RESULT_WAIT)
        } else {
            wait
        }
    }

    /// Does it; how the console is left, if it is.
    pub(crate) fn perform(
        &mut self,
        effect: Effect,
        session: &mut Session,
        screen: &mut TerminalScreen,
    ) -> Result<Option<Leaving>, ConsoleError> {
        match effect {
            Effect::Quit(exit) => return Ok(Some(exit)),
            Effect::Suspend => suspend(session, screen)?,
            Effect::Redraw => {
                screen.redraw()?;
                session.must_redraw();
            }
            Effect::OpenRun(run) => self.open_run(run, session),
            Effect::Begin(launch) => self
                .begin(launch)
                .unwrap_or_else(|because| session.shell.refuse(because)),
            Effect::Copy(text) => copy(session, screen, &text)?,
            Effect::NextTheme => self.set_theme(next(&self.options.theme), session),
            Effect::Theme(name) => match Theme::named(name) {
                Ok(theme) => self.set_theme(theme, session),
                Err(error) => session.shell.refuse(error.to_string()),
            },
            Effect::NextPictures => self.next_pictures(session, screen),
            Effect::Mouse(on) => screen.set_mouse(on)?,
            Effect::Tell(run, command) => self.operate(session, move |access| {
                OperationResult::Said(access.tell(run, &command))
            }),
            Effect::Overrule {
                run,
                attempt,
                label,
                reason,
            } => self.operate(session, move |access| {
                OperationResult::Said(access.overrule(run, attempt, label, &reason))
            }),
            Effect::Mark(event) => self.operate(session, |access| {
                OperationResult::Said(access.set_bookmark(event))
            }),
            Effect::Fork(request) => self.operate(session, |access| {
                OperationResult::Forked(access.make_fork(*request))
            }),
            Effect::Inbox(action) => self.operate(session, |access| {
                OperationResult::Answered(access.decide(action))
            }),
            Effect::Curate(request) => self.operate(session, move |access| {
                OperationResult::Answered(access.curate(&request))
            }),
            Effect::Study(entry, kind) => self.study(&entry, kind, session),
            Effect::DeleteRuns(runs) => self.operate(session, move |access| {
                OperationResult::Said(access.delete_runs(&runs))
            }),
            Effect::Bulk(bulk) => self.operate(session, move |access| {
                OperationResult::Said(access.carry_out_bulk(&bulk))
            }),
            Effect::KeepView(kept) => self.keep_view(kept, session),
            Effect::EditOutside { text, ending } => edit(session, screen, (&text, ending))?,
            Effect::Export => self.export(session),
            // The session has a run's feed and no need of the terminal for these.
            Effect::Send(_)
            | Effect::Host(_)
            | Effect::Leave(_)
            | Effect::Replay(_)
            | Effect::SetBreaks(_) => {
                session.perform(effect);
            }
        }
        Ok(None)
    }

    fn set_theme(&mut self, theme: Theme, session: &mut Session) {
        session.shell.say(format!("theme {}", theme.name));
        self.options.theme = theme;
    }

    /// Writes down what the last frame wrote. A recording that fails ends.
    pub(crate) fn record(&mut self, session: &mut Session, now: Millis) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let bytes: Vec<u8> = recorder.written.try_iter().flatten().collect();
        let size = session.shell.size;
        let wrote = recorder.cast.frame(&bytes, size, &session.view, now);
        if let Err(error) = wrote {
            session
                .shell
                .refuse(format!("the recording has ended: {error}"));
            self.recorder = None;
        }
    }

    /// Saves the screen. What is saved has cells and nothing beside them.
    fn export(&self, session: &mut Session) {
        let (size, theme) = (session.shell.size, &self.options.theme);
        let sight = Scene {
            pictures: None,
            ..session.scene()
        };
        let drawn = export::render(size, |frame| draw(frame, &sight, theme));
        let now = self.options.clock.now();
        let saved = drawn.and_then(|buffer| export::save(&buffer, theme.paper, now));
        let told = saved.map(|name| format!("saved {name}.txt and {name}.svg"));
        report(session, told);
    }

    /// The next way to draw what the body sees, and whether this terminal can have it.
    fn next_pictures(&mut self, session: &mut Session, screen: &TerminalScreen) {
        let next = self.options.pictures.next();
        self.options.pictures = next;
        let protocol = next.protocol();
        if protocol.is_some() && screen.mode(protocol).is_none() {
            session.shell.refuse(format!(
                "{}: this terminal does not report its size in pixels; half-blocks are drawn",
                next.name()
            ));
        } else {
            session.shell.say(format!("pictures: {}", next.name()));
        }
    }

    fn database(&self) -> Result<&Path, String> {
        let path = self.options.sources.database.as_deref();
        path.ok_or_else(|| "this console has no database".to_owned())
    }

    /// Follows a run that another process drives.
    fn attach(&self, run: RunId, kind: GuestKind) -> Result<Feed, String> {
        let journal = Journal::look(self.database()?).map_err(|error| error.to_string())?;
        let attached = Attached::open_as(kind, journal, run, &self.options.operator);
        let attached = attached.map_err(|error| error.to_string())?;
        Ok(Feed::attached(attached))
    }

    fn open_run(&self, run: RunId, session: &mut Session) {
        match self.feed(run) {
            Ok(feed) => session.show(feed, self.options.clock.now()),
            Err(because) => session.shell.refuse(because),
        }
    }

    /// A run that somebody drives is followed, another one is played.
    fn feed(&self, run: RunId) -> Result<Feed, String> {
        let journal = Journal::look(self.database()?).map_err(|error| error.to_string())?;
        let row = journal.run(run).map_err(|error| error.to_string())?;
        if row.alive {
            return self.attach(run, GuestKind::Console);
        }
        let recording = Recording::open(journal, run).map_err(|error| error.to_string())?;
        Ok(Feed::Recording(Player::new(recording)))
    }
}

/// Has a text edited in the operator's own editor.
fn edit(
    session: &mut Session,
    screen: &mut TerminalScreen,
    (text, ending): (&str, &str),
) -> Result<(), ConsoleError> {
    let came = outside::edit(text, ending, screen)?;
    reclaim_terminal(session, screen)?;
    session.take_text(came);
    Ok(())
}

/// Gives a text to the desktop's clipboard and to the terminal's.
fn copy(
    session: &mut Session,
    screen: &mut TerminalScreen,
    text: &str,
) -> Result<(), ConsoleError> {
    let native = clipboard::give(text);
    match screen.copy(text)? {
        left if left > 0 && !native => session.shell.refuse(format!(
            "too long for the clipboard by {left} bytes; E saves the screen to a file"
        )),
        _ => session
            .shell
            .say(format!("copied {} characters", text.chars().count())),
    }
    Ok(())
}

/// Reports what came of an effect.
fn report(session: &mut Session, told: Result<String, String>) {
    match told {
        Ok(word) => session.shell.say(word),
        Err(because) => session.shell.refuse(because),
    }
}

/// The theme after this one; a theme from a file is followed by the first.
fn next(theme: &Theme) -> Theme {
    let names = names();
    let at = names.iter().position(|name| *name == theme.name);
    let next = names[at.map_or(0, |at| (at + 1) % names.len())];
    Theme::named(next).unwrap_or_else(|_| theme.clone())
}

pub(crate) fn suspend(
    session: &mut Session,
    screen: &mut TerminalScreen,
) -> Result<(), ConsoleError> {
    screen.suspend()?;
    reclaim_terminal(session, screen)
}

/// The terminal is ours again, and may have another size.
pub(crate) fn reclaim_terminal(
    session: &mut Session,
    screen: &mut TerminalScreen,
) -> Result<(), ConsoleError> {
    let size = screen.terminal.size()?;
    session.shell.size = size;
    session.must_redraw();
    Ok(())
}
