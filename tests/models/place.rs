//! A folder to run the real binary in, and a model behind a chat server that answers it.
//!
//! The model is the builtin mind: it takes the question from the journal, where it is stored before it is asked,
//! and answers as models do, in prose and fences.

use crate::models::server::{Say, Server, refusal, streamed};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_engine::journal::Journal;
use pithead_engine::mind::Mind;
use pithead_engine::mind::builtin::{Builtin, errors::Level};
use pithead_world::ids::{RunId, Seq};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const MARKER: &str = "sk-marker-do-not-keep-0123456789";
pub(crate) const TASK: &str = "craft a stone pickaxe";
/// The command that runs the task; mind and system are added to it.
pub(crate) const RUN: [&str; 6] = ["run", TASK, "--headless", "--json", "--seed", "1"];

pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.toml"), config).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_pithead"))
            .args(args)
            .env("PITHEAD_DB", self.path("pithead.db"))
            .env("PITHEAD_CONFIG", self.path("config.toml"))
            .env("PITHEAD_LOG", "trace")
            .env("MODEL_KEY", MARKER)
            .env("HOME", self.folder.path())
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_DATA_HOME", self.path("data"))
            .env_remove("HTTP_PROXY")
            .env_remove("http_proxy")
            .output()
            .unwrap()
    }

    #[track_caller]
    pub(crate) fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let out = String::from_utf8(output.stdout).unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {out}{err}");
        out
    }

    pub(crate) fn events(&self) -> Vec<Recorded> {
        let journal = Journal::look(&self.path("pithead.db")).unwrap();
        journal.events(RunId(1), Seq(0), usize::MAX).unwrap()
    }
}

pub(crate) fn config(base_url: &str, more: &str) -> String {
    format!(
        "[llm.servers.local]\nbase_url = \"{base_url}\"\nkey_env = \"MODEL_KEY\"\nbackoff_ms = 1\n\
         [llm.roles.default]\nmodel = \"m1\"\nmax_tokens = 2000\n\
         [llm.prices.m1]\ninput = 1.0\noutput = 2.0\n{more}\n"
    )
}

/// The question that waits in the journal for its answer.
fn open_question(database: &Path) -> Option<Ask> {
    let journal = Journal::look(database).ok()?;
    let events = journal.events(RunId(1), Seq(0), usize::MAX).ok()?;
    events.into_iter().rev().find_map(|fact| match fact.event {
        Event::MindAsked { ask, .. } => Some(*ask),
        _ => None,
    })
}

/// Answers as the simulated planner would, and with the given draft where that leaves the answer to the program.
fn answer(ask: &Ask) -> String {
    match ask {
        Ask::Skill(ask) => {
            let steps: Vec<String> = ask.draft.steps.iter().map(|s| s.id.to_string()).collect();
            json!({"requires": ask.draft.requires.to_string(), "steps": steps}).to_string()
        }
        Ask::Diagnose(_) => {
            let lesson = Builtin::new(Level::Novice, 1).answer(ask).unwrap();
            let mut lesson: Value = serde_json::from_str(&lesson).unwrap();
            if let Some(constraint) = lesson["constraint"].as_object_mut() {
                constraint.insert("avoid".to_owned(), Value::from("as the model puts it"));
            }
            lesson.to_string()
        }
        Ask::Guardrail(ask) => {
            let Some(mut draft) = ask.draft.clone() else {
                return "There is nothing to forbid.".to_owned();
            };
            draft.avoid = "as the model puts it".to_owned();
            json!(draft).to_string()
        }
        Ask::Rules(_) => json!({"rules": [
            {"when": "subgoal is craft and target stone_pickaxe", "then": {"check": "inv_ge", "item": "stick", "count": 2}},
            {"when": "subgoal is mine", "then": {"check": "inv_ge", "item": "diamond", "count": 1}},
        ]})
        .to_string(),
        Ask::Score(ask) => {
            let score = json!({"consistent": 1.0, "clear": 0.9, "feasible": 0.9});
            let scores = vec![score; ask.rules.len()];
            json!({"scores": scores}).to_string()
        }
        ask => Builtin::new(Level::Novice, 4).answer(ask).unwrap(),
    }
}

/// Answers the question that waits in the journal, plainly.
pub(crate) fn reply_to_open_question(database: &Path) -> Say {
    match open_question(database) {
        Some(ask) => streamed(&answer(&ask)),
        None => refusal(500, "no question"),
    }
}

/// A novice mind behind a chat server that sometimes fails, as servers and models do.
pub(crate) fn model(database: PathBuf) -> Server {
    let script = move |n: usize, _: &Value| -> Say {
        if n == 1 {
            return refusal(503, "busy");
        }
        let Some(ask) = open_question(&database) else {
            return refusal(500, "no question");
        };
        let answer = answer(&ask);
        streamed(&match n % 4 {
            0 => format!(
                "<think>What is held?</think>\nHere it is:\n```json\n{answer}\n```\nGood luck!"
            ),
            1 => answer.replacen('{', "{ // the answer\n", 1),
            2 => "I am not sure what you mean.".to_owned(),
            _ => format!("{{\"answer\": {answer}}}"),
        })
    };
    Server::start(script)
}
