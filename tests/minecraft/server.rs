//! The server of the tests: a process on a free port of this machine, ended by its id.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(super) struct TestServer {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    pub(super) port: u16,
}

impl TestServer {
    pub(super) fn start() -> Self {
        Self::start_with(&json!({}))
    }

    pub(super) fn start_with(options: &Value) -> Self {
        let mut child = Command::new("node")
            .arg(super::root().join("tests/minecraft/server/main.js"))
            .arg(options.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let orders = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut server = Self {
            child,
            orders,
            answers,
            port: 0,
        };
        let port = server.answer()["port"].as_u64().unwrap();
        server.port = u16::try_from(port).unwrap();
        server
    }

    /// The next JSON line; the server's own prompt may stand before it.
    fn answer(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let length = self.answers.read_line(&mut line).unwrap();
            assert!(length > 0, "the test server has ended");
            let body = line.find('{').map(|at| &line[at..]);
            if let Some(value) = body.and_then(|body| serde_json::from_str(body.trim()).ok()) {
                return value;
            }
        }
    }

    /// Has the server do something, and gives its answer.
    #[track_caller]
    pub(super) fn order(&mut self, order: &Value) -> Value {
        writeln!(self.orders, "{order}").unwrap();
        let answer = self.answer();
        assert!(answer.get("error").is_none(), "{order}: {answer}");
        answer["ok"].clone()
    }

    pub(super) fn give(&mut self, items: &[(&str, u32)]) {
        for (item, count) in items {
            self.order(&json!({"do": "give", "item": item, "count": count}));
        }
    }

    pub(super) fn set(&mut self, pos: [i32; 3], block: &str) {
        self.order(&json!({"do": "set", "pos": pos, "block": block}));
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
