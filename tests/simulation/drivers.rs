//! Drivers: runs through the real core and journal, with a world and a mind of a few lines.
//!
//! decide → append → apply, as the program's own driver. Invariant: whoever drives a run has its lock, and
//! begins with the state that the last driver had.

use crate::change::What;
use crate::process::{Done, Plant, Process};
use pithead_core::agent::state::Phase;
use pithead_core::agent::{State, decide};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{Gates, Verdict};
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::input::Input;
use pithead_core::domain::samples;
use pithead_engine::journal::{DriverLock, EntryFilter, Journal, JournalError};
use pithead_world::action::{ActionFailure, ActionReport};
use pithead_world::counts::Counts;
use pithead_world::ids::{ActionId, RunId, Seq};
use pithead_world::observation::Frame;
use std::collections::VecDeque;

/// Events read in one go: few, so that others write in between.
const PAGE: usize = 7;

/// A run that is driven in this session.
struct Drive {
    run: RunId,
    journal: Journal,
    durable: bool,
    state: State,
    /// The action under way.
    action: Option<ActionId>,
    inputs: VecDeque<Input>,
    questions: VecDeque<Event>,
}

impl Process {
    /// Begins a run, or takes up one that nobody drives, and drives it for some turns.
    pub(crate) fn drive(&mut self) -> Done {
        let (mut journal, durable) = self.open_journal()?;
        let left: Vec<RunId> = journal
            .runs()?
            .into_iter()
            .filter(|row| row.ended.is_none() && !row.alive)
            .map(|row| row.id)
            .collect();
        let run = if left.is_empty() || self.rng.chance(0.35) {
            self.start(&mut journal, durable)?
        } else {
            left[self.rng.below(left.len() as u64) as usize]
        };
        if self.plant == Plant::UnlockedDrivers {
            return self.drive_locked(journal, run, durable, &mut None);
        }
        let mut lock = Some(journal.lock_driver(run)?);
        if matches!(journal.run(run), Err(JournalError::NoRun { .. })) {
            return Ok(()); // it was deleted before it was locked
        }
        let driven = self.drive_locked(journal, run, durable, &mut lock);
        let file = self.machine.lock_file(run);
        let note = std::fs::read(&file);
        drop(lock);
        if let (true, Ok(note)) = (self.is_dead(), note) {
            // A killed process leaves its lock file behind.
            let _ = std::fs::write(file, note);
        }
        driven
    }

    fn drive_locked(
        &mut self,
        journal: Journal,
        run: RunId,
        durable: bool,
        lock: &mut Option<DriverLock>,
    ) -> Done {
        self.history().begin_driving(run, self.number)?;
        let driven = self.take_turns(journal, run, durable, lock);
        self.history().end_driving(run);
        driven
    }

    fn start(&mut self, journal: &mut Journal, durable: bool) -> Done<RunId> {
        let at = self.moment();
        let gates = if self.rng.chance(0.5) {
            Gates::headless()
        } else {
            Gates::console()
        };
        let config = RunConfig {
            gates,
            ..samples::config()
        };
        let op = self.ask(at, What::Start(Box::new(config.clone())), durable);
        let run = journal.create_run(config, at);
        if let Ok(run) = &run {
            self.history().note_run(op, *run);
        }
        self.answer(op, run)
    }

    fn take_turns(
        &mut self,
        journal: Journal,
        run: RunId,
        durable: bool,
        lock: &mut Option<DriverLock>,
    ) -> Done {
        let (state, action) = fold(&journal, run)?;
        self.history().check_fold(run, &state)?;
        self.note(lock, state.seq);
        let open = state.open_requests().into_iter();
        let questions = open.filter(is_question).collect();
        let operator = format!("operator {}", self.number);
        let started = Input::Started {
            times_realtime: 0.0,
            operator,
        };
        let mut drive = Drive {
            run,
            journal,
            durable,
            state,
            action,
            inputs: VecDeque::from([started]),
            questions,
        };
        for _ in 0..2 + self.rng.below(24) {
            let Some(input) = self.next_input(&mut drive)? else {
                break;
            };
            self.take_turn(&mut drive, input)?;
            self.note(lock, drive.state.seq);
        }
        Ok(())
    }

    /// The calls of a dead process come to nothing, and here it could still write.
    fn note(&self, lock: &mut Option<DriverLock>, last: Seq) {
        if let Some(lock) = lock.as_mut().filter(|_| !self.is_dead()) {
            lock.note(last);
        }
    }

    fn take_turn(&mut self, drive: &mut Drive, input: Input) -> Done {
        let at = self.moment();
        let events = decide(&drive.state, at, input);
        if events.is_empty() {
            return Ok(());
        }
        let (run, journal) = (drive.run, &mut drive.journal);
        let op = self.ask(at, What::Append(run, events.clone()), drive.durable);
        let written = if self.plant == Plant::SplitTurns && events.len() > 1 {
            let (first, second) = events.split_at(1);
            journal
                .append(run, at, first.to_vec())
                .and_then(|mut first| {
                    first.extend(journal.append(run, at, second.to_vec())?);
                    Ok(first)
                })
        } else {
            journal.append(run, at, events.clone())
        };
        let recorded = self.answer(op, written)?;
        let seqs = drive.state.seq.0 + 1..;
        let expected = seqs.zip(events).map(|(seq, event)| Recorded {
            run,
            seq: Seq(seq),
            at,
            event,
        });
        if !recorded.iter().cloned().eq(expected) {
            return Err(format!("run {run}: other events were recorded than appended").into());
        }
        for fact in &recorded {
            drive.apply(fact);
        }
        if !self.is_dead() {
            self.history().keep_state(run, &drive.state);
        }
        Ok(())
    }

    fn next_input(&mut self, drive: &mut Drive) -> Done<Option<Input>> {
        if let Some(input) = drive.inputs.pop_front() {
            return Ok(Some(input));
        }
        if let Some(question) = drive.questions.pop_front() {
            return self.found(drive, question).map(Some);
        }
        if self.rng.chance(0.3)
            && let Some(command) = self.wish(&drive.state)
        {
            let operator = "ann".to_owned();
            return Ok(Some(Input::Commanded { command, operator }));
        }
        if !drive.state.wants_world() {
            return Ok(None);
        }
        Ok(Some(self.world(drive)))
    }

    /// What an operator would like now.
    fn wish(&mut self, state: &State) -> Option<Command> {
        if let Some(question) = state.questions.first() {
            let verdict = if self.rng.chance(0.6) {
                Verdict::Approve
            } else {
                let reason = "not so".to_owned();
                Verdict::Veto { reason }
            };
            let decision = question.id;
            return Some(Command::Decide { decision, verdict });
        }
        let failed = state.labels.iter().find(|(_, label)| label.is_some());
        match (self.rng.below(4), failed) {
            (0, Some((attempt, _))) => Some(Command::Overrule {
                attempt: *attempt,
                label: FailureReason::NavStuck,
                reason: "it was stuck".to_owned(),
            }),
            (1, _) => Some(Command::Pause),
            (2, _) => Some(Command::Resume),
            _ => None,
        }
    }

    /// The answer to a question about what is stored, or of the mind.
    fn found(&mut self, drive: &Drive, question: Event) -> Done<Input> {
        let journal = &drive.journal;
        Ok(match question {
            Event::RecallAsked { .. } => Input::Recalled {
                options: journal.tried_options(drive.run)?,
                hits: Vec::new(),
                knowledge: journal.knowledge(EntryFilter {
                    status: Some(Status::Active),
                    kind: None,
                })?,
            },
            Event::SimilarFailuresAsked { subgoal, key } => Input::SimilarFailuresFound {
                subgoal,
                earlier: journal.similar_failures(&key, drive.run, 2)?,
            },
            Event::LookupAsked { drafts, .. } => {
                let like = |draft: &pithead_core::domain::knowledge::Entry| {
                    journal.entry_saying_the_same(&draft.body)
                };
                let found: Result<_, JournalError> = drafts.iter().map(like).collect();
                Input::LookedUp {
                    found: found?,
                    sequences: Vec::new(),
                    blocked: Vec::new(),
                }
            }
            Event::MindAsked { call, ask } => Input::Answered {
                call,
                text: self.thought(&ask),
                ms: 1,
            },
            other => return Err(format!("no answer to {other:?}").into()),
        })
    }

    /// A mind that knows one plan and one lesson.
    fn thought(&mut self, ask: &Ask) -> String {
        let (item, other) = [
            ("oak_log", "birch_log"),
            ("dirt", "sand"),
            ("stone", "coal"),
        ][self.rng.below(3) as usize];
        let mut text = match ask {
            Ask::Plan(_) => plan(&[other, "oak_log"]),
            Ask::Diagnose(_) => lesson(item),
            _ => "{}".to_owned(),
        };
        if self.rng.chance(0.3) {
            // Long answers are kept apart from their events.
            text += &" ".repeat(2_000);
        }
        text
    }

    /// A world in which a step succeeds or fails by chance.
    fn world(&mut self, drive: &mut Drive) -> Input {
        let mut frame = Frame {
            tick: drive.state.last_tick() + 20,
            ..Frame::standing()
        };
        if let Some(before) = &drive.state.frame {
            frame.inventory.clone_from(&before.inventory);
        }
        let Phase::Acting(attempt) = &drive.state.phase else {
            return Input::Ready(Box::new(frame));
        };
        let Some(action) = drive.action.filter(|_| self.rng.chance(0.5)) else {
            return Input::Framed(Box::new(frame));
        };
        drive.action = None;
        let failure = match self.rng.below(6) {
            0 | 1 => Some(ActionFailure::NoFuel),
            2 => Some(ActionFailure::InventoryFull),
            _ => None,
        };
        let goal = &attempt.subgoal.goal;
        if let (None, Some(object)) = (&failure, &goal.object) {
            let gained = format!("{} {}", object.name(), goal.count);
            if let Ok(gained) = gained.parse::<Counts>() {
                frame.inventory = gained;
            }
        }
        let report = ActionReport {
            failure,
            ticks: 20,
            broken: Vec::new(),
            gained: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
        };
        Input::Acted {
            action,
            report,
            frame: Box::new(frame),
        }
    }
}

impl Drive {
    fn apply(&mut self, fact: &Recorded) {
        self.state.apply(fact);
        follow(&mut self.action, &fact.event);
        if is_question(&fact.event) {
            self.questions.push_back(fact.event.clone());
        }
    }
}

fn follow(action: &mut Option<ActionId>, event: &Event) {
    match event {
        Event::ActionIssued { action: id, .. } => *action = Some(*id),
        Event::ActionEnded { .. } => *action = None,
        _ => (), // the others are no orders
    }
}

fn is_question(event: &Event) -> bool {
    matches!(
        event,
        Event::MindAsked { .. }
            | Event::RecallAsked { .. }
            | Event::SimilarFailuresAsked { .. }
            | Event::LookupAsked { .. }
    )
}

/// The state of a run, and the action that is under way in it.
pub(crate) fn fold(journal: &Journal, run: RunId) -> Done<(State, Option<ActionId>)> {
    let mut state = State::new();
    let mut action = None;
    loop {
        let page = journal.events(run, state.seq, PAGE)?;
        if page.is_empty() {
            return Ok((state, action));
        }
        for fact in &page {
            if fact.seq != state.seq.next() {
                let (seq, after) = (fact.seq, state.seq);
                return Err(format!("run {run}: event {seq} follows event {after}").into());
            }
            state.apply(fact);
            follow(&mut action, &fact.event);
        }
    }
}

fn plan(items: &[&str]) -> String {
    let steps = (1..).zip(items).map(|(n, item)| {
        serde_json::json!({
            "subgoal_id": format!("sg_{n:03}"),
            "condition": format!("mine {item}"),
            "task_kind": "mine",
            "executor_hint": "mine",
            "timeout_s": 60,
            "goal": {"object": item, "count": 1},
            "checks": [{"check": "inv_ge", "item": item, "count": 1}],
        })
    });
    let steps: Vec<_> = steps.collect();
    serde_json::json!({"plan_id": "p", "subgoals": steps, "global_constraints": []}).to_string()
}

fn lesson(item: &str) -> String {
    serde_json::json!({
        "root_cause": "so the simulated mind says",
        "constraint": {
            "trigger": "inv crafting_table < 1",
            "forbid": {"kind": "mine", "target": item},
            "avoid": "fails",
            "recovery": [],
            "reason": "TOOL_MISSING",
        },
        "next_actions": [],
    })
    .to_string()
}
