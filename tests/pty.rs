//! The real binary in a pseudo-terminal: what is on the screen, what keys do, and how it is left.
//!
//! Every wait is for something to appear on the screen, with a deadline; nothing sleeps.

#![allow(clippy::unwrap_used)] // a test may stop at the first surprise

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A shared machine may be slow; a hang is longer.
const DEADLINE: Duration = Duration::from_secs(60);
const BINARY: &str = env!("CARGO_BIN_EXE_pithead");

/// The program in a terminal.
struct Console {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Everything that was ever written.
    written: Vec<u8>,
    // The database lives as long as the program.
    _folder: Option<TempDir>,
}

impl Console {
    fn start(folder: TempDir, rows: u16, columns: u16, args: &[&str]) -> Self {
        let mut console = Self::start_in(folder.path(), rows, columns, args);
        console._folder = Some(folder);
        console
    }

    fn start_in(folder: &Path, rows: u16, columns: u16, args: &[&str]) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(BINARY);
        command.args(args);
        command.env("PITHEAD_DB", folder.join("pithead.db"));
        command.env("HOME", folder);
        command.env("TERM", "xterm-256color");
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
            _folder: None,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Takes in what is written for as long as something comes within `quiet`; returns how much.
    fn settle(&mut self, quiet: Duration) -> usize {
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

    #[track_caller]
    fn wait_for(&mut self, wanted: &str) {
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
    fn end(&mut self) -> ExitStatus {
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

    /// The terminal is as the shell had it: no alternate screen, a cursor, line mode and echo.
    #[track_caller]
    fn assert_restored(&mut self) {
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
        // In line mode the terminal itself echoes what is typed.
        self.press("echo?");
        let until = now() + Duration::from_secs(5);
        while !self.text().contains("echo?") && now() < until {
            if let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(50)) {
                self.take(&bytes);
            }
        }
        // Some systems close the line with its last program; then there is nobody to echo.
    }

    fn signal(&self, name: &str) {
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
fn now() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A slow live run, so that there is time to look at it.
fn live(rows: u16, columns: u16) -> Console {
    let args = ["run", "craft a wooden pickaxe", "--pace", "x2"];
    let mut console = Console::start(folder(), rows, columns, &args);
    console.wait_for("executing");
    console
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let folder = folder();
    let output = Command::new(BINARY)
        .args(["run", "craft a wooden pickaxe"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("needs a terminal") && said.contains("--headless"),
        "{said}"
    );
}

#[test]
fn a_live_run_is_paused_stepped_resumed_and_left() {
    let mut console = live(36, 120);
    for shown in [
        "1 Plan",
        "2 Monitor",
        "5 Map",
        "7 Events",
        "(simulated)",
        "seed 7",
    ] {
        console.wait_for(shown);
    }
    console.press(" ");
    console.wait_for("‖ paused");
    console.press("?");
    console.wait_for("pause the run, or let it go on");
    console.press("\u{1b}");
    console.wait_for("1 Plan");
    console.press(" ");
    console.wait_for("▶ executing");
    console.press("q");
    console.wait_for("Leave run");
    console.press("y");
    assert_eq!(console.end().exit_code(), 130);
    console.assert_restored();
    assert!(
        console.text().contains("pithead resume"),
        "{}",
        console.text()
    );
}

#[test]
fn a_paused_run_is_not_drawn() {
    let mut console = live(24, 80);
    console.press(" ");
    console.wait_for("‖ paused");
    console.settle(Duration::from_millis(500));
    assert_eq!(
        console.settle(Duration::from_secs(3)),
        0,
        "something was drawn"
    );
    console.press("qy");
    console.end();
}

#[test]
fn resizing_down_to_one_cell_and_back_does_no_harm() {
    let mut console = live(24, 80);
    console.press(" ");
    console.wait_for("‖ paused");
    for (rows, cols) in [(1, 1), (3, 200), (60, 5), (46, 60), (36, 120)] {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        console.screen.screen_mut().set_size(rows, cols);
        console.master.resize(size).unwrap();
        console.settle(Duration::from_millis(150));
    }
    console.wait_for("4 Inbox");
    console.press("qy");
    assert_eq!(console.end().exit_code(), 130);
}

#[test]
fn aborting_ends_the_run_and_the_screen_stays() {
    let mut console = live(36, 120);
    console.press("A");
    console.wait_for("Abort run");
    console.press("y");
    console.wait_for("■ aborted by");
    console.press("q");
    assert_eq!(console.end().exit_code(), 1);
    console.assert_restored();
}

#[test]
fn signals_give_the_terminal_back() {
    for name in ["TERM", "INT", "HUP"] {
        let mut console = live(24, 80);
        console.signal(name);
        assert_eq!(console.end().exit_code(), 130, "SIG{name}");
        console.assert_restored();
    }
}

#[test]
fn suspending_gives_the_terminal_to_the_shell_until_it_comes_back() {
    let mut console = live(24, 80);
    console.press(" ");
    console.wait_for("‖ paused");
    console.press("\u{1a}");
    let until = now() + DEADLINE;
    while console.screen.screen().alternate_screen() {
        assert!(now() < until, "the alternate screen stays");
        console.settle(Duration::from_millis(50));
    }
    console.signal("CONT");
    console.wait_for("‖ paused");
    assert!(console.screen.screen().alternate_screen());
    console.press("qy");
    console.end();
}

#[test]
fn a_recorded_run_is_played_forth_and_back() {
    let folder = folder();
    let run = Command::new(BINARY)
        .args(["run", "craft a wooden pickaxe", "--headless", "--json"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(run.status.code().is_some_and(|code| code <= 1), "{run:?}");
    let mut console = Console::start(folder, 36, 120, &["replay", "1"]);
    console.wait_for("recording 1");
    console.press("G");
    console.wait_for("ended");
    console.press("g");
    console.wait_for("event 0 of");
    console.press("n");
    console.wait_for("event 1 of");
    console.press("N");
    console.wait_for("proposed");
    console.press(":t40\r");
    console.wait_for("‖ stopped");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    console.assert_restored();
}
