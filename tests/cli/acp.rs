//! An editor over real pipes: tasks, updates, questions, sessions that are told again, and what is refused.

use super::pithead;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A small client of the protocol. Its process ends with it, the runs that it began do not.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
    /// Every message that came, in order.
    came: Vec<Value>,
}

impl Editor {
    fn start(folder: &Path, args: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pithead"))
            .arg("acp")
            .args(args.split_whitespace())
            .env("PITHEAD_DB", folder.join("pithead.db"))
            .env("HOME", folder)
            .env("USER", "ada")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self {
            child,
            input,
            output: BufReader::new(output),
            requests: 0,
            came: Vec::new(),
        }
    }

    /// One that has said hello.
    fn open(folder: &Path, args: &str) -> Self {
        let mut editor = Self::start(folder, args);
        let hello = editor.request(
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": {}}),
        );
        assert_eq!(hello["result"]["protocolVersion"], 1, "{hello}");
        assert_eq!(hello["result"]["agentCapabilities"]["loadSession"], true);
        editor
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the agent has gone: {:?}", self.came);
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        self.came.push(message.clone());
        message
    }

    /// The next message that fits.
    fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.read();
            if fits(&message) {
                return message;
            }
        }
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.requests += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params});
        self.write(&request.to_string());
        self.requests
    }

    fn answer_to(&mut self, id: u64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.answer_to(id)
    }

    fn session(&mut self) -> String {
        let made = self.request("session/new", &json!({"cwd": "/", "mcpServers": []}));
        made["result"]["sessionId"].as_str().unwrap().to_owned()
    }

    fn prompt(&mut self, session: &str, task: &str) -> u64 {
        let prompt = json!([{"type": "text", "text": task}]);
        self.send(
            "session/prompt",
            &json!({"sessionId": session, "prompt": prompt}),
        )
    }

    /// The next question, answered with an option.
    fn choose(&mut self, option: &str) -> Value {
        let asked = self.wait(|message| message["method"] == "session/request_permission");
        let outcome = json!({"outcome": "selected", "optionId": option});
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": outcome}});
        self.write(&answer.to_string());
        asked
    }

    /// The updates of a kind that have come.
    fn updates(&self, kind: &str) -> Vec<&Value> {
        let updates = self.came.iter().map(|message| &message["params"]["update"]);
        updates
            .filter(|update| update["sessionUpdate"] == kind)
            .collect()
    }

    fn told(&self, kind: &str) -> String {
        let updates = self.updates(kind).into_iter();
        let text = |update: &Value| update["content"]["text"].as_str().unwrap().to_owned();
        updates.map(text).collect()
    }

    /// The end of the input: the editor has been closed.
    fn close(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run_of(folder: &Path, run: u64) -> Value {
    let output = pithead(folder, "runs --json");
    let runs: Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = runs.as_array().or_else(|| runs["runs"].as_array()).unwrap();
    let found = runs
        .iter()
        .find(|row| row["id"] == run || row["run"] == run);
    found.unwrap_or(&Value::Null).clone()
}

#[test]
fn an_editor_gives_a_task_answers_its_gate_and_sees_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut editor = Editor::open(folder, "--seed 3 --pace max --gate plan=ask");
    let session = editor.session();
    let turn = editor.prompt(&session, "craft a crafting table");
    let asked = editor.choose("approve");
    assert_eq!(asked["params"]["sessionId"], session.as_str());
    let call = &asked["params"]["toolCall"];
    let title = call["title"].as_str().unwrap();
    assert!(title.starts_with("plan r1"), "{asked}");
    let shown = call["content"][0]["content"]["text"].as_str().unwrap();
    assert!(shown.contains("crafting_table"), "{shown}");
    let kinds: Vec<&str> = asked["params"]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["allow_once", "allow_always", "reject_once"]);
    let end = editor.answer_to(turn);
    assert_eq!(end["result"]["stopReason"], "end_turn", "{end}");

    let plan = editor.updates("plan").pop().unwrap().clone();
    let entries = plan["entries"].as_array().unwrap();
    assert!(!entries.is_empty());
    assert!(
        entries.iter().all(|entry| entry["status"] == "completed"),
        "{plan}"
    );
    let began = editor.updates("tool_call");
    let attempts: Vec<&str> = began
        .iter()
        .filter(|call| call["kind"] == "execute")
        .map(|call| call["toolCallId"].as_str().unwrap())
        .collect();
    assert!(attempts.len() >= entries.len(), "{attempts:?}");
    for id in attempts {
        let changes = editor.updates("tool_call_update");
        let last = changes.iter().rfind(|change| change["toolCallId"] == id);
        let status = &last.unwrap()["status"];
        assert!(status == "completed" || status == "failed", "{last:?}");
    }
    let decided = editor.updates("tool_call_update");
    let decided = decided
        .iter()
        .find(|change| change["toolCallId"] == "run1-d1")
        .unwrap();
    let words = decided["content"][0]["content"]["text"].as_str().unwrap();
    assert!(words.contains("approved by ada"), "{words}");
    let told = editor.told("agent_message_chunk");
    assert!(told.contains("pithead watch 1"), "{told}");
    assert!(told.contains("run 1 ended"), "{told}");
    assert_eq!(run_of(folder, 1)["state"], "success");
    editor.close();
}

#[test]
fn a_veto_of_the_editor_reaches_the_run_and_no_answer_leaves_the_question_open() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut editor = Editor::open(folder, "--seed 3 --pace max --gate plan=ask");
    let session = editor.session();
    let turn = editor.prompt(&session, "craft a crafting table");
    editor.choose("veto");
    let again = editor.choose("burn it");
    assert!(
        again["params"]["toolCall"]["toolCallId"] != "run1-d1",
        "{again}"
    );
    editor.wait(|message| {
        let text = message["params"]["update"]["content"]["text"].as_str();
        text.is_some_and(|text| text.contains("was not answered and still waits"))
    });
    let waits = pithead(folder, "inbox");
    let waits = String::from_utf8_lossy(&waits.stdout).into_owned();
    assert!(waits.contains("d2"), "{waits}");
    let cancel =
        json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    editor.write(&cancel.to_string());
    let end = editor.answer_to(turn);
    assert_eq!(end["result"]["stopReason"], "cancelled", "{end}");
    assert_eq!(run_of(folder, 1)["state"], "aborted");
    editor.close();
}

#[test]
fn a_run_outlives_its_editor_and_its_session_is_told_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut editor = Editor::open(folder, "--seed 3 --gate plan=ask");
    let session = editor.session();
    editor.prompt(&session, "craft a crafting table");
    editor.wait(|message| message["method"] == "session/request_permission");
    editor.child.kill().unwrap();
    drop(editor);

    let place = json!({"sessionId": session, "cwd": "/", "mcpServers": []});
    let mut editor = Editor::open(folder, "");
    let loaded = editor.request("session/load", &place);
    assert!(loaded.get("result").is_some(), "{loaded}");
    assert!(
        editor
            .told("user_message_chunk")
            .contains("craft a crafting table")
    );
    // It went on, and asks here now.
    let busy = editor.prompt(&session, "craft a stick");
    let busy = editor.answer_to(busy);
    assert!(busy["error"]["message"].as_str().unwrap().contains("run 1"));
    let asked = editor
        .came
        .iter()
        .any(|message| message["method"] == "session/request_permission");
    if !asked {
        editor.wait(|message| message["method"] == "session/request_permission");
    }
    let done = pithead(folder, "tell 1 abort enough");
    assert!(done.status.success());
    editor.wait(|message| {
        let text = message["params"]["update"]["content"]["text"].as_str();
        text.is_some_and(|text| text.contains("run 1 ended"))
    });
    editor.close();

    // By the number of its run as well, once it is over.
    let mut editor = Editor::open(folder, "");
    let place = json!({"sessionId": "run-1", "cwd": "/", "mcpServers": []});
    let loaded = editor.request("session/load", &place);
    assert!(loaded.get("result").is_some(), "{loaded}");
    assert!(editor.told("agent_message_chunk").contains("run 1 ended"));
    editor.close();
}

#[test]
fn what_an_editor_may_not_say_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut editor = Editor::start(folder, "");
    let early = editor.request("session/new", &json!({"cwd": "/", "mcpServers": []}));
    assert_eq!(early["error"]["code"], -32_600, "{early}");
    let words = early["error"]["message"].as_str().unwrap();
    assert!(words.contains("`initialize` comes first"), "{words}");
    let bad = editor.request("initialize", &json!({"protocolVersion": "new"}));
    assert_eq!(bad["error"]["code"], -32_602, "{bad}");
    // A version of the future is answered with the one that is spoken.
    let hello = editor.request("initialize", &json!({"protocolVersion": 99}));
    assert_eq!(hello["result"]["protocolVersion"], 1, "{hello}");
    let session = editor.session();
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    for (method, params, code, because) in [
        ("fs/read", json!({}), -32_601, "fs/read"),
        ("session/new", json!({"cwd": "here"}), -32_602, "cwd"),
        (
            "session/prompt",
            json!({"prompt": text("x")}),
            -32_602,
            "sessionId",
        ),
        (
            "session/prompt",
            json!({"sessionId": "other", "prompt": text("x")}),
            -32_002,
            "no session `other`",
        ),
        (
            "session/prompt",
            json!({"sessionId": session, "prompt": [{"type": "audio"}]}),
            -32_602,
            "`audio`",
        ),
        (
            "session/load",
            json!({"sessionId": "run-9", "cwd": "/", "mcpServers": []}),
            -32_002,
            "",
        ),
    ] {
        let refused = editor.request(method, &params);
        assert_eq!(refused["error"]["code"], code, "{method}: {refused}");
        let words = refused["error"]["message"].as_str().unwrap();
        assert!(words.contains(because), "{method}: {words}");
    }
    editor.write("{");
    let broken = editor.read();
    assert_eq!(broken["error"]["code"], -32_700, "{broken}");
    editor.write(&format!("\"{}\"", "x".repeat(2 << 20)));
    let long = editor.read();
    assert_eq!(long["error"]["code"], -32_600, "{long}");
    // A goal that nobody understands is told in words, and no run is begun.
    let turn = editor.prompt(&session, "make me \u{1b}[2J happy");
    let end = editor.answer_to(turn);
    assert_eq!(end["result"]["stopReason"], "refusal", "{end}");
    assert!(!editor.told("agent_message_chunk").is_empty());
    assert!(
        !editor
            .came
            .iter()
            .any(|message| message.to_string().contains('\u{1b}'))
    );
    assert!(!folder.join("pithead.db").exists(), "no database is made");
    // Answers and notices that nobody waits for are passed over.
    editor.write(r#"{"jsonrpc":"2.0","id":77,"result":{"outcome":{"outcome":"selected","optionId":"approve"}}}"#);
    editor.write(r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"other"}}"#);
    let still = editor.session();
    assert_ne!(still, session);
    editor.close();
}
