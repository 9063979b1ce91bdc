//! Kills a process as it enters its nth system call that changes a file.
//!
//! The kernel stops the process at each call; the numbers of the calls are those of Linux on x86-64.

use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Waits until the tracer holds it, and becomes the program.
const WAIT_TO_BE_HELD: &str = r#"kill -STOP $$; exec "$0" "$@""#;

/// System calls that change what is on the disk, with their names for messages.
const CHANGES: [(u64, &str); 21] = [
    (1, "write"),
    (18, "pwrite64"),
    (20, "writev"),
    (296, "pwritev"),
    (73, "flock"),
    (74, "fsync"),
    (75, "fdatasync"),
    (77, "ftruncate"),
    (82, "rename"),
    (83, "mkdir"),
    (86, "link"),
    (87, "unlink"),
    (90, "chmod"),
    (91, "fchmod"),
    (257, "openat"),
    (258, "mkdirat"),
    (263, "unlinkat"),
    (264, "renameat"),
    (265, "linkat"),
    (285, "fallocate"),
    (316, "renameat2"),
];
const OPENAT: u64 = 257;
/// The flag of `openat` that makes a file.
const O_CREAT: u64 = 0o100;

/// What became of the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Killed {
    /// As it entered this call.
    At(&'static str),
    /// It ended before, after so many changes.
    Never { changes: usize },
    /// The system lets no process trace another one, as some containers do.
    NotAllowed,
}

/// The program, not yet started, in a form that `killed_at` can hold.
pub(super) fn held(program: &Path, args: &[&str]) -> Command {
    let mut child = Command::new("sh");
    child.args(["-c", WAIT_TO_BE_HELD]).arg(program).args(args);
    child.stdin(Stdio::null());
    child.stdout(Stdio::null()).stderr(Stdio::null());
    child
}

/// Starts what `held` made and kills it as it enters its `nth` change, counted from 1.
pub(super) fn killed_at(held: &mut Command, nth: usize) -> Killed {
    // A group of its own, so that waiting for its threads takes no child of another test.
    let mut child = held.process_group(0).spawn().unwrap();
    let main = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let stopped = waitpid(main, Some(WaitPidFlag::WUNTRACED)).unwrap();
    assert!(matches!(stopped, WaitStatus::Stopped(..)), "{stopped:?}");
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    if let Err(Errno::EPERM | Errno::ENOSYS) = ptrace::seize(main, options) {
        child.kill().unwrap();
        child.wait().unwrap();
        return Killed::NotAllowed;
    }
    kill(main, Signal::SIGCONT).unwrap();
    let found = follow(main, nth);
    if matches!(found, Killed::At(_)) {
        kill(main, Signal::SIGKILL).unwrap();
    }
    // What is left of its threads goes with it.
    while waitpid(group(main), Some(WaitPidFlag::__WALL)).is_ok() {}
    // It was waited for above, beyond what the library knows.
    let _ = child.wait();
    found
}

/// Lets it run from call to call.
fn follow(main: Pid, nth: usize) -> Killed {
    let mut within_call = BTreeSet::new();
    let mut changes = 0;
    loop {
        match waitpid(group(main), Some(WaitPidFlag::__WALL)).unwrap() {
            WaitStatus::PtraceSyscall(thread) => {
                let enters = within_call.insert(thread) || !within_call.remove(&thread);
                if enters && let Some(name) = change(thread) {
                    changes += 1;
                    if changes == nth {
                        return Killed::At(name);
                    }
                }
                resume(thread, None);
            }
            WaitStatus::PtraceEvent(thread, ..) => resume(thread, None),
            WaitStatus::Stopped(thread, Signal::SIGTRAP | Signal::SIGSTOP | Signal::SIGCONT) => {
                resume(thread, None);
            }
            WaitStatus::Stopped(thread, signal) => resume(thread, Some(signal)),
            WaitStatus::Exited(thread, _) | WaitStatus::Signaled(thread, ..) if thread == main => {
                return Killed::Never { changes };
            }
            WaitStatus::Exited(..)
            | WaitStatus::Signaled(..)
            | WaitStatus::Continued(_)
            | WaitStatus::StillAlive => (),
        }
    }
}

fn group(main: Pid) -> Pid {
    Pid::from_raw(-main.as_raw())
}

/// A thread that has gone in the meantime needs nothing.
fn resume(thread: Pid, signal: Option<Signal>) {
    let _ = ptrace::syscall(thread, signal);
}

/// The name of the call that the thread enters, if it changes a file.
fn change(thread: Pid) -> Option<&'static str> {
    let registers = ptrace::getregs(thread).ok()?;
    if registers.orig_rax == OPENAT && registers.rdx & O_CREAT == 0 {
        return None;
    }
    let known = CHANGES.iter().find(|(n, _)| *n == registers.orig_rax);
    known.map(|(_, name)| *name)
}
