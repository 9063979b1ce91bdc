//! Debugging a recorded run in the real program: the Debug screen, a breakpoint, a fork.

use crate::console::{BINARY, Console, folder};
use std::path::Path;
use std::process::{Command, Output};

fn pithead(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.args(args);
    command.env("PITHEAD_DB", folder.join("pithead.db"));
    command.env("HOME", folder);
    command.output().unwrap()
}

#[test]
fn a_recording_is_debugged_and_forked() {
    let folder = folder();
    let stopped = pithead(
        folder.path(),
        &[
            "run",
            "craft a wooden pickaxe",
            "--headless",
            "--break",
            "check=inv logs >= 1",
        ],
    );
    let told = String::from_utf8_lossy(&stopped.stderr).into_owned();
    assert_eq!(stopped.status.code(), Some(130), "{told}");
    assert!(
        told.contains("stopped at a breakpoint: inv #logs >= 1 became true"),
        "{told}"
    );
    let ended = pithead(folder.path(), &["resume", "1", "--headless"]);
    assert!(ended.status.success(), "{ended:?}");
    let mut console = Console::start_in(folder.path(), 36, 120, &["replay", "1"]);
    console.wait_for("recording 1");
    console.press("3");
    console.wait_for("Observables");
    console.wait_for("frame ");
    console.press("0");
    console.wait_for("frame 1 of");
    console.press("l");
    console.wait_for("frame 2 of");
    console.press("fy <= 500\r");
    console.wait_for("event ");
    console.press("F");
    console.wait_for("before a1 begins");
    console.press("y");
    console.wait_for("run 2 is forked");
    console.wait_for("executing");
    console.press(" ");
    console.wait_for("paused");
    console.press("q");
    console.wait_for("Leave run 2");
    console.press("y");
    console.end();
    let listed = pithead(folder.path(), &["runs"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.contains("forked from run 1 at event"), "{listed}");
}
