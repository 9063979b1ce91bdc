//! The terminal: raw mode and alternate screen, and their undoing on every way out.
//!
//! Invariant: whoever gets the terminal back (shell, panic message, debugger) gets it as it was.

#![expect(
    clippy::disallowed_methods,
    reason = "the terminal is written to here; cells are cleaned in draw"
)]

pub(crate) mod clipboard;
pub(crate) mod outside;
pub mod pictures;
pub(crate) mod signals;

use crate::terminal::pictures::kitty::forget_all;
use crate::terminal::pictures::placement::{PictureMode, Placement};
use crate::terminal::pictures::writer::{Change, PictureWriter};
use base64::Engine;
use pithead_core::text::clean::clean_line;
use pithead_engine::config::notices::TerminalNotice;
use pithead_engine::config::pictures::Protocol;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, window_size,
};
use ratatui::crossterm::{cursor, event, execute, queue, style};
use ratatui::layout::Size;
use std::io;
use std::io::{BufWriter, IsTerminal, Stdout, Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A frame of 200×50 with all cells changed fits, so it is written in one go.
const BUFFER: usize = 128 * 1024;

/// True while the terminal is ours. Its second owner is the panic hook, which must give the
/// terminal back without reaching the screen that panicked.
static OURS: AtomicBool = AtomicBool::new(false);
/// True while a picture may be on the screen, for whoever gives the terminal back.
static PICTURE_SHOWN: AtomicBool = AtomicBool::new(false);

type Tty = Terminal<CrosstermBackend<BufWriter<Tap>>>;

/// Standard output, with a copy of what goes through for whoever records it.
#[derive(Debug)]
pub(crate) struct Tap {
    out: Stdout,
    copy: Option<Sender<Vec<u8>>>,
    muted: Muted,
}

/// True once a `Terminal` is about to be dropped. Shared between the screen and the writer within
/// its `Terminal`: dropping that shows the cursor and prints to standard error if it cannot, which
/// panics where both are a terminal that has gone away.
type Muted = Arc<AtomicBool>;

impl Write for Tap {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.muted.load(Ordering::Relaxed) {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes)?;
        if let Some(copy) = &self.copy {
            // Nobody may be listening any more; the screen goes on.
            let _ = copy.send(bytes[..written].to_vec());
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.muted.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.out.flush()
    }
}

/// The terminal while it is ours.
#[derive(Debug)]
pub(crate) struct TerminalScreen {
    pub(crate) terminal: Tty,
    copy: Option<Sender<Vec<u8>>>,
    muted: Muted,
    pictures: PictureWriter,
}

/// More keys than anybody presses ahead; those of a paste without end are taken as they come.
const KEYS_MAX: usize = 10_000;
impl TerminalScreen {
    /// Takes the terminal.
    pub(crate) fn open() -> io::Result<Self> {
        if !stdout().is_terminal() || !io::stdin().is_terminal() {
            return Err(io::Error::from(io::ErrorKind::NotConnected));
        }
        give_back_on_panic();
        take_terminal()?;
        let muted = Muted::default();
        let terminal = new_terminal(None, &muted).inspect_err(|_| give_back())?;
        Ok(Self {
            terminal,
            copy: None,
            muted,
            pictures: PictureWriter::default(),
        })
    }

    /// From now on all that is drawn can be read from the other end too.
    pub(crate) fn tap(&mut self) -> io::Result<Receiver<Vec<u8>>> {
        let (copy, written) = channel();
        self.copy = Some(copy);
        self.redraw()?;
        Ok(written)
    }

    /// Draws a frame, with a picture beside it; terminals that know how to show it at once do.
    pub(crate) fn draw(
        &mut self,
        spot: impl FnOnce(Size) -> Option<Placement>,
        draw: impl FnOnce(&mut ratatui::Frame<'_>),
    ) -> io::Result<()> {
        let size = self.terminal.size()?;
        let Change { before, after } = self.pictures.change(spot(size));
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.write_beside(&before)?;
        let drawn = self.terminal.draw(draw)?.area.as_size();
        if drawn == size {
            self.write_beside(&after)?;
        } else {
            // Resized meanwhile: the picture comes with the frame that follows.
            self.pictures.forget();
        }
        queue!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        self.terminal.backend_mut().flush()
    }

    /// Writes what no cell can hold, and no recording of the cells shall.
    fn write_beside(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.terminal.backend_mut().flush()?;
        PICTURE_SHOWN.store(true, Ordering::SeqCst);
        let mut out = stdout();
        // What is erased has the terminal's own background.
        queue!(out, cursor::SavePosition, style::ResetColor)?;
        out.write_all(bytes)?;
        execute!(out, cursor::RestorePosition)
    }

    /// How pictures are written here, if they are. Nobody is asked: the size comes with the window.
    pub(crate) fn mode(&self, protocol: Option<Protocol>) -> Option<PictureMode> {
        protocol?;
        let cell = window_size().ok().and_then(|window| {
            let width = window.width.checked_div(window.columns)?;
            let height = window.height.checked_div(window.rows)?;
            (width > 0 && height > 0).then_some(Size { width, height })
        });
        PictureMode::for_terminal(protocol, cell)
    }

    /// Gives the terminal to the shell until it brings the program back.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        // The shell sees a stopped job; what follows runs after `fg`.
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take_terminal()?;
        forget_keys()?;
        self.redraw()
    }

    /// Gives the terminal to another program until that ends.
    pub(crate) fn lend<T>(&mut self, call: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let came = call();
        take_terminal()?;
        forget_keys()?;
        self.redraw()?;
        Ok(came)
    }

    /// Forgets what is on the screen, so that the next frame is drawn in full. (`Terminal::clear`
    /// asks the terminal where its cursor is, which not every terminal answers.)
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        take_off()?;
        self.pictures.forget();
        execute!(stdout(), Clear(ClearType::All))?;
        let muted = Muted::default();
        let terminal = new_terminal(self.copy.clone(), &muted)?;
        self.muted.store(true, Ordering::Relaxed);
        (self.terminal, self.muted) = (terminal, muted);
        Ok(())
    }
}

/// Bytes that are given to the terminal's clipboard; several terminals drop longer ones.
const CLIPBOARD_MAX: usize = 74_994;

/// What gives a text to the terminal's clipboard; the bytes by which it is too long. Nothing of the
/// text itself is in it but base64.
fn osc52(text: &str) -> Result<String, usize> {
    let encoded = base64::prelude::BASE64_STANDARD.encode(text);
    match encoded.len().checked_sub(CLIPBOARD_MAX + 1) {
        Some(over) => Err(over + 1),
        None => Ok(format!("\x1b]52;c;{encoded}\x07")),
    }
}

impl TerminalScreen {
    /// Gives a text to the terminal's clipboard (OSC 52); the bytes by which it is too long, else 0.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<usize> {
        match osc52(text) {
            Ok(sequence) => {
                write!(stdout(), "{sequence}")?;
                stdout().flush()?;
                Ok(0)
            }
            Err(left) => Ok(left),
        }
    }

    /// Tells the operator, who may look elsewhere, that something waits.
    pub(crate) fn notify(&mut self, how: TerminalNotice, text: &str) -> io::Result<()> {
        let Some(sequence) = notice(how, text) else {
            return Ok(());
        };
        write!(stdout(), "{sequence}")?;
        stdout().flush()
    }

    /// Takes the mouse, or leaves it to the terminal so that text can be selected.
    pub(crate) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        if on {
            execute!(stdout(), EnableMouseCapture)
        } else {
            execute!(stdout(), DisableMouseCapture)
        }
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        self.muted.store(true, Ordering::Relaxed);
        give_back();
    }
}

/// What a terminal makes a sound or a notification of; nothing if none is wanted.
fn notice(how: TerminalNotice, text: &str) -> Option<String> {
    // A semicolon would begin another part of the sequence.
    let text = clean_line(text).replace(';', ",");
    Some(match how {
        TerminalNotice::Off => return None,
        TerminalNotice::Bell => "\x07".to_owned(),
        TerminalNotice::Osc9 => format!("\x1b]9;{text}\x07"),
        TerminalNotice::Osc777 => format!("\x1b]777;notify;Pithead;{text}\x07"),
    })
}

fn new_terminal(copy: Option<Sender<Vec<u8>>>, muted: &Muted) -> io::Result<Tty> {
    let tap = Tap {
        out: stdout(),
        copy,
        muted: muted.clone(),
    };
    Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(BUFFER, tap)))
}

fn take_terminal() -> io::Result<()> {
    enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    execute!(
        stdout(),
        EnterAlternateScreen,
        // One that a killed program never left keeps what was written on it.
        Clear(ClearType::All),
        EnableBracketedPaste,
        EnableMouseCapture,
        cursor::Hide
    )
    .inspect_err(|_| give_back())
}

/// Undoes `take`, once. A terminal that has gone cannot be given back; nothing is lost by that.
fn give_back() {
    if OURS.swap(false, Ordering::SeqCst) {
        let _ = take_off();
        let _ = execute!(
            stdout(),
            EndSynchronizedUpdate,
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            cursor::Show
        );
        forget_input();
        let _ = disable_raw_mode();
    }
}

/// Takes every picture off the screen, if any may be there.
fn take_off() -> io::Result<()> {
    if PICTURE_SHOWN.swap(false, Ordering::SeqCst) {
        write!(stdout(), "{}", forget_all())?;
        execute!(stdout(), Clear(ClearType::All))?;
    }
    Ok(())
}

/// What the mouse has reported and nobody has read would be typed into the shell.
fn forget_input() {
    #[cfg(unix)]
    {
        use rustix::termios::{QueueSelector, tcflush};
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    }
}

/// Keys that were read before the terminal was given away, or pressed while it was another's, were
/// meant for what was there then.
fn forget_keys() -> io::Result<()> {
    forget_input();
    for _ in 0..KEYS_MAX {
        if !event::poll(Duration::ZERO)? {
            break;
        }
        event::read()?;
    }
    Ok(())
}

/// A panic's message goes to the terminal as the shell knows it. Threads beside the console only end
/// themselves: the console goes on, so their message goes to the log.
fn give_back_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    let console = std::thread::current().id();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let is_beside = std::thread::current().id() != console;
            if is_beside && OURS.load(Ordering::SeqCst) {
                tracing::error!("a thread of the console's program has ended: {info}");
                return;
            }
            give_back();
            before(info);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::text::hostile::HOSTILE;

    #[test]
    fn a_notice_is_one_sequence_whatever_its_text_is() {
        for text in HOSTILE {
            for (how, lead) in [
                (TerminalNotice::Osc9, "\x1b]9;"),
                (TerminalNotice::Osc777, "\x1b]777;notify;Pithead;"),
            ] {
                let sequence = notice(how, text).unwrap();
                let inner = sequence.strip_prefix(lead).unwrap();
                let inner = inner.strip_suffix('\u{7}').unwrap();
                assert!(
                    !inner.contains(|c: char| c.is_control() || c == ';'),
                    "{inner:?}"
                );
            }
            assert_eq!(notice(TerminalNotice::Bell, text).unwrap(), "\x07");
            assert_eq!(notice(TerminalNotice::Off, text), None);
        }
    }

    #[test]
    fn the_clipboard_is_given_base64_and_not_more_than_terminals_take() {
        for text in HOSTILE {
            let sequence = osc52(text).unwrap();
            let inner = sequence.strip_prefix("\x1b]52;c;").unwrap();
            let inner = inner.strip_suffix('\u{7}').unwrap();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
            assert!(inner.chars().all(is_plain), "{sequence:?}");
        }
        assert!(osc52(&"x".repeat(CLIPBOARD_MAX / 4 * 3)).is_ok());
        assert_eq!(osc52(&"x".repeat(CLIPBOARD_MAX)), Err(24_998));
        assert!(osc52(&"x".repeat(10_000_000)).is_err());
    }

    /// Which of the two threads of `panics_in_a_terminal` panics.
    const THREAD: &str = "PITHEAD_TEST_PANICS_IN";

    /// Not a test of its own: what the test below runs in a terminal.
    #[test]
    #[ignore = "it panics"]
    fn panics_in_a_terminal() {
        let mut screen = TerminalScreen::open().unwrap();
        let words = |text: &'static str| ratatui::widgets::Paragraph::new(text);
        let beside = std::env::var(THREAD).is_ok_and(|thread| thread == "another");
        if beside {
            let other = std::thread::spawn(|| panic!("beside the console"));
            assert!(other.join().is_err());
            let text = words("stays");
            let drawn = screen.draw(|_| None, |frame| frame.render_widget(text, frame.area()));
            drawn.unwrap();
            return;
        }
        let text = words("drawn");
        let picture = |size| Some(picture_on(size));
        let drawn = screen.draw(picture, |frame| frame.render_widget(text, frame.area()));
        drawn.unwrap();
        panic!("in the console");
    }

    fn picture_on(screen: Size) -> Placement {
        let pixels = crate::terminal::pictures::tests::gradient(8, 8);
        Placement {
            area: ratatui::layout::Rect::new(2, 2, 8, 4),
            screen,
            mode: PictureMode::for_terminal(Some(Protocol::Kitty), None).unwrap(),
            seen: Arc::new(pixels),
        }
    }

    /// What the program above wrote, and the terminal's modes before and after it.
    fn after_a_panic_in(thread: &str) -> (String, [String; 2]) {
        use portable_pty::{CommandBuilder, PtySize, native_pty_system};
        let pty = native_pty_system().openpty(PtySize::default()).unwrap();
        let modes = || format!("{:?}", pty.master.get_termios());
        let before = modes();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        let name = "terminal::tests::panics_in_a_terminal";
        command.args([name, "--exact", "--ignored", "--nocapture"]);
        command.env(THREAD, thread);
        let mut child = pty.slave.spawn_command(command).unwrap();
        let mut reader = pty.master.try_clone_reader().unwrap();
        let written = std::thread::spawn(move || {
            let (mut written, mut buffer) = (Vec::new(), [0; 4096]);
            while let Ok(n) = std::io::Read::read(&mut reader, &mut buffer)
                && n > 0
            {
                written.extend_from_slice(&buffer[..n]);
            }
            String::from_utf8_lossy(&written).into_owned()
        });
        child.wait().unwrap();
        let after = modes();
        drop(pty);
        (written.join().unwrap(), [before, after])
    }

    #[test]
    fn a_panic_restores_the_terminal_before_its_message() {
        let (written, [before, after]) = after_a_panic_in("the console's");
        let at = |what: &str| written.find(what).unwrap_or_else(|| panic!("{written:?}"));
        assert!(at("drawn") < at("\u{1b}[?1000l"));
        assert!(at("\u{1b}_Ga=T,q=2") < at("\u{1b}_Ga=d,d=I,i=7411,q=2"));
        assert!(at("\u{1b}_Ga=d,d=I,i=7411,q=2") < at("\u{1b}[?1049l"));
        for given in ["\u{1b}[?1000l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
            assert!(at(given) < at("in the console"), "{written:?}");
        }
        assert!(at("\u{1b}[?1049l") < at("in the console"), "{written:?}");
        assert_eq!(before, after, "line mode and echo are not as they were");
    }

    #[test]
    fn a_panic_beside_the_console_leaves_it_the_terminal() {
        let (written, [before, after]) = after_a_panic_in("another");
        let at = |what: &str| written.find(what).unwrap_or_else(|| panic!("{written:?}"));
        assert!(!written.contains("beside the console"), "{written:?}");
        assert!(at("stays") < at("\u{1b}[?1049l"), "{written:?}");
        assert_eq!(before, after);
    }
}
