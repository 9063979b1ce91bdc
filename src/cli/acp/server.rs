//! The server: what an editor asks for, session by session, and what it is asked.
//!
//! Pure but for the runs: lines in, lines out. Invariant: nothing is done before `initialize`, and an answer that is
//! not understood decides nothing.

use super::asking::Asked;
use super::params::{check_place, no_session, session_id, task_of};
use super::record::{note_run, runs_of};
use super::session::{Followed, Looked, Turn, start};
use super::updates::{message, said};
use crate::cli::rpc::{Incoming, RpcError, answer_line, notice_line, read_message};
use pithead_core::domain::run::command::Command;
use pithead_engine::journal::{Journal, JournalError};
use pithead_engine::launch::{Launcher, RunAim, WantedRun};
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::tell::send_command;
use pithead_world::clock::Clock;
use pithead_world::ids::RunId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the protocol that is spoken.
const VERSION: u64 = 1;
/// Sessions of one editor at a time.
const SESSIONS_MAX: usize = 64;
/// Before the number of a run that is loaded as a session.
const RUN_SESSION: &str = "run-";

/// All that is known of one editor.
#[derive(Debug)]
pub(super) struct Server {
    launcher: Launcher,
    /// A run as the command line describes it; a prompt adds its task.
    wanted: WantedRun,
    pub(super) operator: Operator,
    /// The database as it was typed, for commands that are suggested.
    pub(super) named: String,
    is_open: bool,
    pub(super) sessions: BTreeMap<String, Turn>,
    /// Sessions begun, which tells apart those of one millisecond.
    begun: u64,
    /// Requests of ours that wait for an answer.
    pub(super) asked: BTreeMap<u64, Asked>,
    pub(super) requests: u64,
    pub(super) out: Vec<String>,
}

impl Server {
    pub(super) fn new(
        launcher: Launcher,
        wanted: WantedRun,
        operator: Operator,
        named: String,
    ) -> Self {
        Self {
            launcher,
            wanted,
            operator,
            named,
            is_open: false,
            sessions: BTreeMap::new(),
            begun: 0,
            asked: BTreeMap::new(),
            requests: 0,
            out: Vec::new(),
        }
    }

    /// No run goes on, so that nothing is to be looked at.
    pub(super) fn is_idle(&self) -> bool {
        self.sessions.values().all(Turn::is_idle)
    }

    pub(super) fn is_starting(&self) -> bool {
        let mut turns = self.sessions.values();
        turns.any(|turn| matches!(turn, Turn::Starting { .. }))
    }

    /// What is to be written, line by line.
    pub(super) fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    /// A line of the editor.
    pub(super) fn take(&mut self, line: Result<String, RpcError>) {
        let line = match line {
            Ok(line) if line.trim().is_empty() => return,
            Ok(line) => line,
            Err(error) => return self.answer(&Value::Null, Err(error)),
        };
        match read_message(&line) {
            Err((id, error)) => self.answer(&id, Err(error)),
            Ok(Incoming::Answer { id, result }) => self.answered(&id, result),
            Ok(Incoming::Notice { method, params }) if method == "session/cancel" => {
                self.cancel(&params);
            }
            Ok(Incoming::Notice { .. }) => (), // what is not known is no error in a notification
            Ok(Incoming::Request { id, method, params }) => {
                match self.request(&id, &method, &params) {
                    Ok(Some(result)) => self.answer(&id, Ok(result)),
                    Ok(None) => (), // answered when its turn is over
                    Err(error) => self.answer(&id, Err(error)),
                }
            }
        }
    }

    fn request(
        &mut self,
        id: &Value,
        method: &str,
        params: &Value,
    ) -> Result<Option<Value>, RpcError> {
        match method {
            "initialize" => self.hello(params).map(Some),
            _ if !self.is_open => Err(RpcError::invalid(format!(
                "`initialize` comes first, before `{method}`"
            ))),
            "session/new" => self.new_session(params).map(Some),
            "session/load" => self.load(params).map(Some),
            "session/prompt" => self.prompt(id, params).map(|()| None),
            other => Err(RpcError::no_method(other)),
        }
    }

    /// One version is spoken; an editor that speaks another one decides whether it goes on.
    fn hello(&mut self, params: &Value) -> Result<Value, RpcError> {
        let wanted = params.get("protocolVersion").and_then(Value::as_u64);
        wanted.ok_or_else(|| RpcError::params("`protocolVersion` is a number"))?;
        self.is_open = true;
        Ok(json!({
            "protocolVersion": VERSION,
            "agentCapabilities": {
                "loadSession": true,
                "promptCapabilities": {"image": false, "audio": false, "embeddedContext": false},
            },
            "agentInfo": {
                "name": "pithead",
                "title": "Pithead",
                "version": env!("CARGO_PKG_VERSION"),
            },
            "authMethods": [],
        }))
    }

    fn new_session(&mut self, params: &Value) -> Result<Value, RpcError> {
        check_place(params)?;
        let id = format!(
            "acp-{:x}-{:x}-{}",
            Clock::System.now().0,
            std::process::id(),
            self.begun
        );
        self.begun += 1;
        self.insert(id.clone(), Turn::Idle)?;
        Ok(json!({"sessionId": id}))
    }

    fn insert(&mut self, id: String, turn: Turn) -> Result<(), RpcError> {
        // A session that does nothing is not missed: it can be loaded.
        if self.sessions.len() >= SESSIONS_MAX {
            self.sessions.retain(|_, turn| !turn.is_idle());
        }
        if self.sessions.len() >= SESSIONS_MAX {
            let because = format!("{SESSIONS_MAX} sessions have runs that go on");
            return Err(RpcError::invalid(because));
        }
        self.sessions.insert(id, turn);
        Ok(())
    }

    /// Tells the runs of a session again, and follows the last one if it goes on.
    fn load(&mut self, params: &Value) -> Result<Value, RpcError> {
        check_place(params)?;
        let id = session_id(params)?;
        if self.sessions.get(&id).is_some_and(|turn| !turn.is_idle()) {
            return Err(RpcError::invalid(format!(
                "session `{id}` has a run that goes on"
            )));
        }
        let database = self.operator.database.clone();
        let runs = match id.strip_prefix(RUN_SESSION).map(str::parse) {
            Some(Ok(run)) => vec![RunId(run)],
            _ => runs_of(&database, &id),
        };
        let known =
            Journal::look(&database).map_err(|error| RpcError::not_found(error.to_string()))?;
        let runs: Vec<RunId> = runs
            .into_iter()
            .filter(|run| known.run(*run).is_ok())
            .collect();
        if runs.is_empty() {
            let because = format!(
                "no run of session `{id}` is in the database; `pithead runs` lists runs, and `run-N` loads one"
            );
            return Err(RpcError::not_found(because));
        }
        let mut turn = Turn::Idle;
        for run in runs {
            turn = self.tell_again(&id, run, &database)?;
        }
        self.insert(id, turn)?;
        Ok(json!({}))
    }

    fn tell_again(&mut self, session: &str, run: RunId, database: &Path) -> Result<Turn, RpcError> {
        let fault = |error: JournalError| RpcError::internal(error.to_string());
        let mut followed = Followed::open(database, run, &self.operator.name).map_err(fault)?;
        let mut is_told = false;
        loop {
            let events = followed.recorded().map_err(fault)?;
            if events.is_empty() {
                break;
            }
            for fact in &events {
                let updates = followed.teller.take(fact);
                if let Some(head) = followed.teller.view.head.as_ref().filter(|_| !is_told) {
                    is_told = true;
                    let task = head.task.clone();
                    self.update(session, &said(&task));
                }
                updates
                    .into_iter()
                    .for_each(|update| self.update(session, &update));
            }
        }
        if !followed.is_driven() {
            return Ok(Turn::Idle);
        }
        self.update(session, &self.follow_words(run));
        Ok(Turn::Following {
            id: None,
            run: Box::new(followed),
            is_cancelled: false,
        })
    }

    fn prompt(&mut self, id: &Value, params: &Value) -> Result<(), RpcError> {
        let session = session_id(params)?;
        let task = task_of(params)?;
        let turn = self.sessions.get_mut(&session);
        let turn = turn.ok_or_else(|| no_session(&session))?;
        match turn {
            Turn::Idle => (),
            Turn::Starting { .. } => return Err(RpcError::invalid("a run is being started")),
            Turn::Following { run, .. } => {
                let because = format!("run {} goes on; cancel it first", run.teller.run());
                return Err(RpcError::invalid(because));
            }
        }
        let wanted = WantedRun {
            aim: RunAim::Words(task),
            ..self.wanted.clone()
        };
        *turn = start(id.clone(), &self.launcher, wanted)
            .map_err(|error| RpcError::internal(error.to_string()))?;
        Ok(())
    }

    /// A notification: what cannot be cancelled is told in the session.
    fn cancel(&mut self, params: &Value) {
        let Ok(session) = session_id(params) else {
            return;
        };
        let run = match self.sessions.get_mut(&session) {
            Some(Turn::Starting { is_cancelled, .. }) => {
                *is_cancelled = true;
                return;
            }
            Some(Turn::Following {
                run, is_cancelled, ..
            }) => {
                *is_cancelled = true;
                run.teller.run()
            }
            Some(Turn::Idle) | None => return,
        };
        self.abort(&session, run);
    }

    /// Ends the run; a run that another console commands goes on, and the turn is over all the same.
    fn abort(&mut self, session: &str, run: RunId) {
        let reason = "cancelled in the editor".to_owned();
        let Err(error) = send_command(&self.operator, run, &Command::Abort { reason }) else {
            return;
        };
        self.update(session, &message(&format!("run {run} goes on: {error}")));
        let turn = self.sessions.get_mut(session).map(std::mem::take);
        if let Some(Turn::Following { id: Some(id), .. }) = turn {
            self.answer(&id, Ok(json!({"stopReason": "cancelled"})));
        }
    }

    /// Looks at every session whose run goes on.
    pub(super) fn look(&mut self) {
        let sessions: Vec<String> = self.sessions.keys().cloned().collect();
        let (database, name) = (self.operator.database.clone(), self.operator.name.clone());
        for session in sessions {
            let Some(turn) = self.sessions.get_mut(&session) else {
                continue;
            };
            let looked = turn.look(&database, &name);
            self.tell(&session, looked);
        }
    }

    fn tell(&mut self, session: &str, looked: Looked) {
        let Looked {
            updates,
            began,
            questions,
            answer,
            abort,
        } = looked;
        if let Some(run) = began {
            if let Err(error) = note_run(&self.operator.database, session, run) {
                let words = format!("the session cannot be loaded later: {error}");
                self.update(session, &message(&words));
            }
            self.update(session, &self.follow_words(run));
        }
        updates
            .into_iter()
            .for_each(|update| self.update(session, &update));
        questions
            .into_iter()
            .for_each(|decision| self.ask(session, decision));
        if let Some((id, answer)) = answer {
            self.answer(&id, answer);
        }
        if let Some(run) = abort {
            self.abort(session, run);
        }
    }

    fn follow_words(&self, run: RunId) -> Value {
        message(&format!(
            "run {run} goes on in a process of its own; `pithead watch {run}{}` follows it in a terminal",
            self.named
        ))
    }

    pub(super) fn update(&mut self, session: &str, update: &Value) {
        let params = json!({"sessionId": session, "update": update});
        self.out.push(notice_line("session/update", &params));
    }

    fn answer(&mut self, id: &Value, answer: Result<Value, RpcError>) {
        self.out.push(answer_line(id, answer));
    }
}
