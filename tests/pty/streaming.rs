//! A language model that answers slowly: its words are on the screen while they come, in every console.

use crate::console::{BINARY, Console, folder};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A chat server that streams the beginning of an answer, and the rest when it is told to.
struct SlowModel {
    base_url: String,
    go_on: Sender<()>,
}

impl SlowModel {
    fn start(first: &'static str, rest: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (go_on, told) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                // A client that went away is no fault of the server.
                let _ = answer(stream.unwrap(), [first, rest], &told);
            }
        });
        Self { base_url, go_on }
    }
}

fn answer(
    mut stream: TcpStream,
    [first, rest]: [&str; 2],
    told: &Receiver<()>,
) -> std::io::Result<()> {
    read_request(&stream)?;
    stream.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
    )?;
    write!(stream, "{}", event(first))?;
    stream.flush()?;
    // Until the test has seen it; afterwards answers come at once.
    let _ = told.recv();
    write!(stream, "{}data: [DONE]\n\n", event(rest) + END)?;
    stream.flush()
}

const END: &str =
    "data: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\n";

fn event(text: &str) -> String {
    let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    format!("data: {delta}\n\n")
}

fn read_request(stream: &TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let line = line.trim().to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body)
}

#[test]
fn an_answer_is_on_the_screen_while_it_comes_and_in_full_afterwards() {
    let folder = folder();
    let model = SlowModel::start("I think \u{1b}[2Jof the trees", " and of nothing else.");
    let config = folder.path().join("config.toml");
    let text = format!(
        "[llm.servers.slow]\nbase_url = \"{}\"\n[llm.roles.default]\nmodel = \"snail\"\n",
        model.base_url
    );
    std::fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();
    let with = [("PITHEAD_CONFIG", config), ("NO_PROXY", "127.0.0.1")];
    let args = ["run", "craft a stone pickaxe", "--mind", "llm"];
    let mut console = Console::start_with(folder.path(), 36, 120, &args, &with);
    console.wait_for("of the trees");
    console.wait_for("planner · snail");
    // A second console on the run sees the same.
    let mut second = Console::start_with(folder.path(), 24, 80, &["watch", "1"], &with);
    second.wait_for("1 token");
    second.press("m");
    second.wait_for("The answer so far");
    second.wait_for("of the trees");
    console.press("m");
    console.wait_for("A question to the mind");
    console.wait_for("The answer so far");
    // Each answer is no plan, so it is asked for again; the first is in full now.
    model.go_on.send(()).unwrap();
    console.wait_for("nothing else.");
    console.wait_for("could not be read");
    console.press("q");
    second.press("q");
    second.press("q");
    second.end();
    drop(model.go_on);
    console.press("qe");
    console.end();
    console.assert_restored();
    let asked = told(folder.path(), &["show", "1", "--questions"]);
    assert!(asked.contains("planner"), "{asked}");
    let first = told(folder.path(), &["show", "1", "--question", "q1"]);
    assert!(first.contains("and of nothing else."), "{first}");
    assert!(!first.contains('\u{1b}'), "{first:?}");
}

fn told(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(BINARY)
        .args(args)
        .env("PITHEAD_DB", folder.join("pithead.db"))
        .env("HOME", folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
