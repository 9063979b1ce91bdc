//! The real binary in a pseudo-terminal: keys go in, and the screen is checked as a person sees it.
//!
//! Every wait is for something to appear on the screen, with a deadline; nothing sleeps.

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A shared machine may be slow; a hang is longer.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_pithead");

/// The program in a terminal.
pub(crate) struct Console {
    pub(crate) child: Box<dyn Child + Send + Sync>,
    pub(crate) master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
    /// Everything that was written, to count frames in.
    pub(crate) written: Vec<u8>,
    /// How the terminal was before.
    modes: Option<String>,
    // The database lives as long as the program.
    _folder: Option<TempDir>,
}

impl Console {
    pub(crate) fn start(folder: TempDir, rows: u16, columns: u16, args: &[&str]) -> Self {
        let mut console = Self::start_in(folder.path(), rows, columns, args);
        console._folder = Some(folder);
        console
    }

    pub(crate) fn start_in(folder: &Path, rows: u16, columns: u16, args: &[&str]) -> Self {
        Self::start_with(folder, rows, columns, args, &[])
    }

    pub(crate) fn start_with(
        folder: &Path,
        rows: u16,
        columns: u16,
        args: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        Self::start_at(folder, size, args, environment)
    }

    /// In a terminal that may report its size in pixels.
    pub(crate) fn start_at(
        folder: &Path,
        size: PtySize,
        args: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let (rows, columns) = (size.rows, size.cols);
        let pty = native_pty_system().openpty(size).unwrap();
        let modes = modes(&*pty.master);
        let mut command = CommandBuilder::new(BINARY);
        command.args(args);
        command.env("PITHEAD_DB", folder.join("pithead.db"));
        command.env("HOME", folder);
        command.env("TERM", "xterm-256color");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().unwrap();
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(n) = reader.read(&mut buffer)
                && n > 0
                && sender.send(buffer[..n].to_vec()).is_ok()
            {}
        });
        let keys = pty.master.take_writer().unwrap();
        let screen = vt100::Parser::new(rows, columns, 0);
        Self {
            child,
            master: pty.master,
            keys,
            bytes,
            screen,
            written: Vec::new(),
            modes,
            _folder: None,
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads output until none comes for `quiet`; returns the number of bytes.
    pub(crate) fn settle(&mut self, quiet: Duration) -> usize {
        let mut n = 0;
        while let Ok(bytes) = self.bytes.recv_timeout(quiet) {
            n += bytes.len();
            self.take(&bytes);
        }
        n
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.written.extend_from_slice(bytes);
    }

    /// Frames that have been drawn: each is one synchronized update.
    pub(crate) fn frames(&self) -> usize {
        let begin = b"\x1b[?2026h";
        let windows = self.written.windows(begin.len());
        windows.filter(|window| window == begin).count()
    }

    #[track_caller]
    pub(crate) fn wait_for(&mut self, wanted: &str) {
        let until = now() + DEADLINE;
        while !self.text().contains(wanted) {
            let left = until.checked_sub(now()).unwrap_or_default();
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("`{wanted}` did not appear on\n{}", self.text());
                }
            }
        }
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        let until = now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                self.settle(Duration::from_millis(100));
                return status;
            }
            assert!(
                now() < until,
                "the program does not end; on the screen\n{}",
                self.text()
            );
            if let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(20)) {
                self.take(&bytes);
            }
        }
    }

    /// The terminal is in the state that the shell left it in: no alternate screen, a cursor, line mode and echo.
    #[track_caller]
    pub(crate) fn assert_restored(&mut self) {
        assert!(
            !self.screen.screen().alternate_screen(),
            "the alternate screen was left on"
        );
        assert!(
            !self.screen.screen().hide_cursor(),
            "the cursor was left hidden"
        );
        assert!(
            !self.screen.screen().bracketed_paste(),
            "bracketed paste was left on"
        );
        assert_eq!(
            self.screen.screen().mouse_protocol_mode(),
            vt100::MouseProtocolMode::None,
            "the mouse was left on"
        );
        let modes = modes(&*self.master);
        assert_eq!(modes, self.modes, "line mode and echo are not as they were");
    }

    /// The terminal goes away, as when its window is closed; then only the end of the program can be observed.
    #[track_caller]
    pub(crate) fn hang_up(self) -> ExitStatus {
        let Self {
            mut child,
            master,
            keys,
            bytes,
            _folder,
            ..
        } = self;
        // The reading thread has to close its end of the terminal too.
        drop((bytes, keys, master));
        let until = now() + DEADLINE;
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status;
            }
            assert!(now() < until, "the program outlives its terminal");
            std::thread::yield_now();
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        assert!(
            Command::new("kill")
                .args([&format!("-{name}"), &id])
                .status()
                .unwrap()
                .success()
        );
    }
}

#[allow(clippy::disallowed_methods)] // a deadline for a program outside of this one
pub(crate) fn now() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A slow live run, so that there is time to look at it.
pub(crate) fn live(rows: u16, columns: u16) -> Console {
    let args = ["run", "craft a wooden pickaxe", "--pace", "x2"];
    let mut console = Console::start(folder(), rows, columns, &args);
    console.wait_for("executing");
    console
}

/// Line mode, echo and the rest, as text to compare.
fn modes(master: &dyn MasterPty) -> Option<String> {
    let termios = master.get_termios()?;
    Some(format!(
        "{:?} {:?} {:?}",
        termios.input_flags, termios.output_flags, termios.local_flags
    ))
}
