//! The operator's own editor, and keys that were meant for something else.

use crate::console::{BINARY, Console, DEADLINE, folder, now};
use portable_pty::PtySize;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const TASK: &str = "craft a wooden pickaxe";
const CTRL_O: &str = "\u{f}";
const CTRL_S: &str = "\u{13}";
const CTRL_Z: &str = "\u{1a}";

/// A run whose plan is open in the console's own editor, with this external editor configured.
fn editing(folder: &Path, editor: &str) -> Console {
    let args = ["run", TASK, "--gate", "plan=ask", "--pace", "max"];
    let own = [("VISUAL", ""), ("EDITOR", editor)];
    let mut console = Console::start_with(folder, 36, 120, &args, &own);
    console.wait_for("waiting for the operator");
    console.press("i");
    console.wait_for("Decision d1");
    console.press("G");
    console.wait_for("veto with a reason");
    console.press("e");
    console.wait_for("Edit plan");
    console
}

/// An editor that reports when it has started and waits for permission to continue.
fn script(folder: &Path, does: &str) -> String {
    let program = folder.join("edit");
    let go = folder.join("go");
    let text = format!(
        "#!/bin/sh\necho the editor is here\nwhile [ ! -e {go} ]; do sleep 0.05; done\n{does}\n",
        go = go.display()
    );
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program.display().to_string()
}

#[test]
fn a_text_is_edited_in_the_operators_editor_and_no_key_leaks_to_the_console() {
    let folder = folder();
    let change = "sed -i 's/ [0-9][0-9]*s/ 77s/' \"$1\"";
    let editor = script(folder.path(), change);
    let mut console = editing(folder.path(), &editor);
    console.press(CTRL_O);
    console.wait_for("the editor is here");
    console.assert_restored();
    // Nothing reads these keys: they are not for the console that returns. It must also notice the new size itself.
    console.press("zebra");
    let size = PtySize {
        rows: 40,
        cols: 130,
        pixel_width: 0,
        pixel_height: 0,
    };
    console.screen.screen_mut().set_size(40, 130);
    console.master.resize(size).unwrap();
    std::fs::write(folder.path().join("go"), "").unwrap();
    console.wait_for("ctrl-s checks and saves it");
    console.wait_for(" 77s");
    let screen = console.screen.screen();
    assert!(screen.alternate_screen() && screen.bracketed_paste() && screen.hide_cursor());
    assert!(!console.text().contains("zebra"), "{}", console.text());
    console.press(CTRL_S);
    console.wait_for("edited");
    console.wait_for("ended in success");
    console.press("q");
    assert_eq!(console.end().exit_code(), 0);
    console.assert_restored();
    let shown = Command::new(BINARY)
        .args(["show", "1", "--json"])
        .env("PITHEAD_DB", folder.path().join("pithead.db"))
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let page = String::from_utf8(shown.stdout).unwrap();
    assert!(page.contains("edited"), "{page}");
}

#[test]
fn a_failing_or_missing_editor_loses_nothing_and_the_file_is_named() {
    let folder = folder();
    for editor in ["false", "/no/such/editor"] {
        let mut console = editing(folder.path(), editor);
        console.wait_for("One step in each line");
        console.press("kept ");
        console.wait_for("kept ");
        console.press(CTRL_O);
        console.wait_for("ended with");
        console.wait_for("the text is as it was");
        console.wait_for("kept ");
        let screen = console.screen.screen();
        assert!(screen.alternate_screen() && screen.bracketed_paste());
        // The text that it was given is still there, with what was typed.
        let own = std::env::temp_dir().join(format!(
            "pithead-{}-0.txt",
            console.child.process_id().unwrap()
        ));
        let name = own.file_name().unwrap().to_str().unwrap();
        console.wait_for(name);
        let text = std::fs::read_to_string(&own).unwrap();
        assert!(text.contains("kept "), "{text}");
        std::fs::remove_file(own).unwrap();
        console.signal("TERM");
        console.end();
        console.assert_restored();
    }
}

#[test]
fn keys_typed_before_a_suspension_are_dropped() {
    let mut console = crate::console::live(36, 120);
    console.press(" ");
    console.wait_for("‖ paused");
    // In one write, so that all of it has been read when the first key is handled.
    console.press(&format!("{CTRL_Z}A"));
    let until = now() + DEADLINE;
    while console.screen.screen().alternate_screen() {
        assert!(now() < until, "the alternate screen stays");
        console.settle(Duration::from_millis(50));
    }
    // Sent to a stopped program; a shell would have read them.
    console.press("A");
    console.signal("CONT");
    console.wait_for("‖ paused");
    console.settle(Duration::from_millis(500));
    assert!(!console.text().contains("Abort run"), "{}", console.text());
    console.press("A");
    console.wait_for("Abort run");
    console.signal("TERM");
    console.end();
    console.assert_restored();
}

#[test]
fn keys_pressed_before_a_question_is_visible_do_not_answer_it() {
    let folder = folder();
    let mut command = Command::new(BINARY);
    command.args(["run", TASK, "--headless", "--pace", "x40"]);
    command.args(["--gate", "plan=ask:600:veto"]);
    command.env("PITHEAD_DB", folder.path().join("pithead.db"));
    command.env("HOME", folder.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = command.spawn().unwrap();
    let mut console = Console::start_in(folder.path(), 40, 120, &[]);
    console.wait_for("pithead ▸ Home");
    console.press("2");
    console.wait_for("◆ run 1");
    // The question appears as soon as its run is open; these keys were meant for the list.
    console.press("\rGa");
    console.wait_for("What changes");
    console.press("Ga");
    console.settle(Duration::from_millis(700));
    assert!(
        console.text().contains("What changes"),
        "{}",
        console.text()
    );
    console.press("Ga");
    console.wait_for("nothing waits for you");
    console.press("q");
    console.end();
    assert!(run.wait().unwrap().success());
}
