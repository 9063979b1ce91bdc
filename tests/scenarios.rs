//! Scenarios: the core driven by scripts, without world, mind or disk.
//!
//! A script is lines of `plan`, `lesson`, `acts`, `at`, `say` and `gate`; the outcome is one line
//! of words that says what happened, in order.

use pithead::agent::{State, decide};
use pithead::clock::Millis;
use pithead::domain::ask::Ask;
use pithead::domain::budget::{Budget, Limits};
use pithead::domain::command::Command;
use pithead::domain::decision::{By, GateKind, Gates, Verdict};
use pithead::domain::diagnosis::Thresholds;
use pithead::domain::event::{Event, Recorded, RunConfig};
use pithead::domain::input::Input;
use pithead::domain::knowledge::Status;
use pithead::domain::plan_json;
use pithead::domain::profile::{Profile, Selector};
use pithead::domain::task::Task;
use pithead::ids::{DecisionId, KnowledgeId, RunId};
use pithead::world::action::{ActionFailure, ActionReport};
use pithead::world::block::BlockId;
use pithead::world::counts::Counts;
use pithead::world::family::ItemSpec;
use pithead::world::observation::{Frame, Gui};
use pithead::world::port::WorldSpec;
use pithead::world::seen::SeenCells;
use pithead::world::space::Point;
use std::collections::VecDeque;

#[track_caller]
fn check(script: &str, expected: &str) {
    assert_eq!(
        Stage::new(script).play(),
        expected.trim(),
        "script:{script}"
    );
}

#[test]
fn a_plan_that_works_is_followed_to_its_end() {
    check(
        "task get 4 oak_planks
         plan mine oak_log 1 > craft oak_planks 4
         acts oak_log=1
         acts oak_planks=4",
        "plan r1 · adopt r1 · mine oak_log ok · craft oak_planks ok · success",
    );
}

#[test]
fn what_is_there_already_is_not_done_again() {
    check(
        "task get 4 oak_planks
         have oak_log=1
         plan mine oak_log 1 > craft oak_planks 4
         acts oak_planks=4",
        "plan r1 · adopt r1 · skip mine oak_log · craft oak_planks ok · success",
    );
}

#[test]
fn two_failures_lead_to_a_lesson_and_a_new_plan() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · propose guardrail · activate · plan r2 · adopt r2 · bind \
         · craft crafting_table ok · craft wooden_pickaxe ok · success",
    );
}

#[test]
fn a_plan_against_a_lesson_goes_back_to_the_planner() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft wooden_pickaxe 1
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · propose guardrail · activate · plan r2 · refused · plan r3 · adopt r3 \
         · bind · craft crafting_table ok · craft wooden_pickaxe ok · success",
    );
}

#[test]
fn a_vetoed_content_is_never_proposed_again() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         tombstone
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · suppress · plan r2 · adopt r2 · bind · craft crafting_table ok \
         · craft wooden_pickaxe ok · success",
    );
}

#[test]
fn an_unreadable_answer_is_asked_again_with_its_fault() {
    check(
        "task get 1 oak_log
         answer not json at all
         plan mine oak_log 1
         acts oak_log=1",
        "unread · plan r1 · adopt r1 · mine oak_log ok · success",
    );
}

#[test]
fn a_mind_that_stays_unreadable_ends_the_run() {
    check(
        "task get 1 oak_log
         answer 1
         answer 2
         answer 3
         answer 4",
        "unread · unread · unread · unread · failure",
    );
}

#[test]
fn a_gate_waits_for_the_operator() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say approve 1
         acts oak_log=1",
        "plan r1 · ask plan · approved · adopt r1 · mine oak_log ok · success",
    );
}

#[test]
fn a_gate_with_a_time_out_answers_by_itself() {
    check(
        "task get 1 oak_log
         gate plan=ask:60:approve
         plan mine oak_log 1
         at 59000
         at 60000
         acts oak_log=1",
        "plan r1 · ask plan · approved by time-out · adopt r1 · mine oak_log ok · success",
    );
}

#[test]
fn a_veto_reaches_the_mind_and_three_end_the_phase() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say veto 1 not there
         plan mine oak_log 2
         say veto 2 not there either
         plan mine oak_log 3
         say veto 3 enough",
        "plan r1 · ask plan · vetoed · plan r2 · ask plan · vetoed · plan r3 · ask plan · vetoed \
         · failure",
    );
}

#[test]
fn a_second_answer_to_one_question_is_refused() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say approve 1
         say approve 1
         acts oak_log=1",
        "plan r1 · ask plan · approved · adopt r1 · refuse decide · mine oak_log ok · success",
    );
}

#[test]
fn a_guardrail_waits_in_the_inbox_without_blocking() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         gate guardrail=ask
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1
         say veto 1 too strict",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · propose guardrail · ask guardrail · plan r2 · adopt r2 · bind \
         · craft crafting_table ok · craft wooden_pickaxe ok · success · vetoed · tombstone",
    );
}

#[test]
fn death_ends_the_run() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         acts dies of lava",
        "plan r1 · adopt r1 · mine oak_log ENV_TERMINATED · failure",
    );
}

#[test]
fn an_operator_can_abort_and_nothing_goes_on_after_it() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         say abort
         say pause",
        "plan r1 · adopt r1 · aborted · refuse pause",
    );
}

/// A core on a stage: the script's lines are what the outside does.
struct Stage {
    state: State,
    now: u64,
    tick: u64,
    inventory: Counts,
    lines: VecDeque<String>,
    tombstone: bool,
    seq: u64,
    said: Vec<String>,
}

impl Stage {
    fn new(script: &str) -> Self {
        let mut lines: VecDeque<String> = script
            .lines()
            .map(|line| line.trim().to_owned())
            .filter(|l| !l.is_empty())
            .collect();
        let task = lines.pop_front().expect("the first line is the task");
        let task = Task::parse(task.strip_prefix("task ").expect("it says so")).expect("it parses");
        let mut stage = Self {
            state: State::new(),
            now: 0,
            tick: 0,
            inventory: Counts::default(),
            lines,
            tombstone: false,
            seq: 0,
            said: Vec::new(),
        };
        let mut gates = Gates::headless();
        while let Some((word, rest)) = stage.peek() {
            match word.as_str() {
                "have" => stage.inventory = rest.parse().expect("counts"),
                "tombstone" => stage.tombstone = true,
                "gate" => {
                    let (kind, policy) = rest.split_once('=').expect("kind=policy");
                    let kind = GateKind::ALL.into_iter().find(|k| k.name() == kind);
                    gates
                        .0
                        .insert(kind.expect("a gate"), policy.parse().expect("a policy"));
                }
                _ => break,
            }
            stage.lines.pop_front();
        }
        stage.fold(vec![Event::RunStarted {
            config: Box::new(config(task, gates)),
        }]);
        stage
    }

    fn peek(&self) -> Option<(String, String)> {
        let line = self.lines.front()?;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some((word.to_owned(), rest.to_owned()))
    }

    fn take(&mut self, word: &str) -> String {
        let (found, rest) = self
            .peek()
            .unwrap_or_else(|| panic!("the script needs a `{word}` line"));
        assert_eq!(found, word, "after {:?}", self.said);
        self.lines.pop_front();
        rest
    }

    fn play(mut self) -> String {
        self.feed(Input::Started);
        while self.peek().is_some() {
            match self.take_outside() {
                Some(input) => self.feed(input),
                None => break,
            }
        }
        assert!(
            self.lines.is_empty(),
            "left over: {:?} after {:?}",
            self.lines,
            self.said
        );
        self.said.join(" · ")
    }

    /// A line that comes from outside by itself, not as an answer to an event.
    fn take_outside(&mut self) -> Option<Input> {
        let (word, rest) = self.peek()?;
        let input = match word.as_str() {
            "at" => {
                self.now = rest.parse().expect("milliseconds");
                Input::Woken
            }
            "say" => Input::Commanded {
                command: command(&rest),
                operator: "tester".to_owned(),
            },
            "acts" => self.acted(&rest),
            _ => return None,
        };
        self.lines.pop_front();
        Some(input)
    }

    fn feed(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let events = decide(&self.state, Millis(self.now), input);
            let answers: Vec<Input> = self.fold(events);
            inputs.extend(answers);
        }
    }

    /// Applies, says, and performs what the script's world and mind do at once.
    fn fold(&mut self, events: Vec<Event>) -> Vec<Input> {
        let mut answers = Vec::new();
        for event in events {
            self.seq += 1;
            self.said.extend(self.words(&event));
            let recorded = Recorded {
                run: RunId(1),
                seq: pithead::ids::Seq(self.seq),
                at: Millis(self.now),
                event: event.clone(),
            };
            self.state.apply(&recorded);
            answers.extend(self.perform(&event));
        }
        answers
    }

    fn perform(&mut self, event: &Event) -> Option<Input> {
        match event {
            Event::WorldAsked => Some(Input::Ready(Box::new(self.frame(true)))),
            Event::RecallAsked { .. } => Some(Input::Recalled {
                hits: Vec::new(),
                knowledge: Vec::new(),
            }),
            Event::LookupAsked { drafts, .. } => {
                let id = KnowledgeId {
                    run: RunId(0),
                    n: 1,
                };
                let found = self.tombstone.then_some((id, Status::Vetoed));
                Some(Input::LookedUp {
                    found: vec![found; drafts.len()],
                })
            }
            Event::MindAsked { call, ask } => {
                let text = match (&**ask, self.peek()?.0.as_str()) {
                    (_, "answer") => self.take("answer"),
                    (Ask::Plan(_), _) => plan(&self.take("plan")),
                    (Ask::Diagnose(_), _) => lesson(&self.take("lesson")),
                    (Ask::Capsule(_), _) => "{}".to_owned(),
                };
                Some(Input::Answered {
                    call: *call,
                    text,
                    ms: 1,
                })
            }
            _ => None,
        }
    }

    fn acted(&mut self, rest: &str) -> Input {
        self.tick += 20;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (failure, alive) = match words[..] {
            ["no_station", item, station] => {
                let item: ItemSpec = item.parse().expect("an item");
                let station = BlockId::named(station).expect("a block");
                (Some(ActionFailure::NoStation { item, station }), true)
            }
            ["dies", "of", what] => (
                Some(ActionFailure::Died {
                    of: what.to_owned(),
                }),
                false,
            ),
            _ => {
                self.inventory = rest.parse().expect("the counts held afterwards");
                (None, true)
            }
        };
        let action = pithead::ids::ActionId(self.state.counters.actions);
        let report = ActionReport {
            failure,
            ticks: 20,
            broken: Vec::new(),
            gained: Counts::default(),
            used: Counts::default(),
        };
        Input::Acted {
            action,
            report,
            frame: Box::new(self.frame(alive)),
        }
    }

    fn frame(&self, alive: bool) -> Frame {
        Frame {
            tick: self.tick,
            time: 0,
            position: Point::new(0.5, 64.0, 0.5),
            yaw: 0.0,
            pitch: 0.0,
            health: 20.0,
            hunger: 20.0,
            air: 300,
            on_ground: true,
            underground: false,
            biome: "plains".to_owned(),
            light: 15,
            inventory: self.inventory.clone(),
            held: None,
            gui: Gui::Closed,
            gui_opened: 0,
            gui_closed: 0,
            furnace: None,
            container_items: 0,
            crafted: Counts::default(),
            feats: Default::default(),
            experience: Default::default(),
            mobs: Vec::new(),
            notable: Vec::new(),
            trail: Vec::new(),
            seen: SeenCells::default(),
            alive,
            checksum: 0,
        }
    }

    /// What is worth saying of an event.
    fn words(&self, event: &Event) -> Option<String> {
        let label = |state: &State, id| {
            let subgoal = state
                .plan
                .as_ref()
                .and_then(|plan| plan.get(id))
                .expect("in the plan");
            let words: Vec<&str> = subgoal.condition.split_whitespace().collect();
            words[..2].join(" ")
        };
        Some(match event {
            Event::PlanProposed { revision, .. } => format!("plan {revision}"),
            Event::PlanAdopted { revision } => format!("adopt {revision}"),
            Event::AnswerRejected { .. } => "unread".to_owned(),
            Event::PlanVerified { notes, .. } => {
                let error = notes
                    .iter()
                    .find(|n| n.severity == pithead::domain::note::Severity::Error);
                error.map(|_| "refused".to_owned())?
            }
            Event::DecisionAsked { question } => format!("ask {}", question.kind.name()),
            Event::DecisionMade { verdict, by, .. } => decided(verdict, by),
            Event::SubgoalDone { subgoal } if self.acting() != Some(*subgoal) => {
                let ended = self.said.last().is_some_and(|s| s.ends_with(" ok"));
                if ended {
                    return None;
                } else {
                    format!("skip {}", label(&self.state, *subgoal))
                }
            }
            Event::AttemptEnded { experience, .. } => {
                let outcome = experience
                    .diagnosis
                    .reason
                    .map_or("ok", |reason| reason.name());
                format!("{} {outcome}", label(&self.state, experience.action.id))
            }
            Event::ReplanStarted { .. } => "replan".to_owned(),
            Event::LessonLearnt { .. } => "lesson".to_owned(),
            Event::ConstraintBound { .. } => "bind".to_owned(),
            Event::KnowledgeProposed { entry } if entry.body.kind() != "skill" => {
                format!("propose {}", entry.body.kind())
            }
            Event::KnowledgeActivated { id } => {
                let skill = self
                    .state
                    .proposed
                    .iter()
                    .any(|e| e.id == *id && e.body.kind() == "skill");
                if skill {
                    return None;
                } else {
                    "activate".to_owned()
                }
            }
            Event::KnowledgeSuppressed { .. } => {
                let ended = self
                    .said
                    .last()
                    .is_some_and(|s| s.ends_with(" ok") || s == "suppress");
                if ended {
                    return None;
                } else {
                    "suppress".to_owned()
                }
            }
            Event::KnowledgeVetoed { .. } => "tombstone".to_owned(),
            Event::CommandRefused { command, .. } => format!("refuse {command}"),
            Event::RunEnded { outcome, .. } => format!("{outcome:?}").to_lowercase(),
            _ => return None,
        })
    }

    fn acting(&self) -> Option<pithead::ids::SubgoalId> {
        match &self.state.phase {
            pithead::agent::state::Phase::Acting(attempt) => Some(attempt.subgoal.id),
            _ => None,
        }
    }
}

fn decided(verdict: &Verdict, by: &By) -> String {
    let word = match verdict {
        Verdict::Approve => "approved",
        Verdict::EditPlan(_) | Verdict::EditKnowledge(_) => "edited",
        Verdict::Veto { .. } => "vetoed",
    };
    if *by == By::Timeout {
        format!("{word} by time-out")
    } else {
        word.to_owned()
    }
}

fn command(rest: &str) -> Command {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let decide = |id: &str, verdict| Command::Decide {
        decision: DecisionId(id.parse().expect("a number")),
        verdict,
    };
    match words[..] {
        ["approve", id] => decide(id, Verdict::Approve),
        ["veto", id, ..] => decide(
            id,
            Verdict::Veto {
                reason: words[2..].join(" "),
            },
        ),
        ["abort"] => Command::Abort {
            reason: "enough".to_owned(),
        },
        ["pause"] => Command::Pause,
        _ => panic!("`{rest}` is no command of these scripts"),
    }
}

/// `mine oak_log 1 > craft oak_planks 4` as PlanJSON.
fn plan(text: &str) -> String {
    let subgoals: Vec<serde_json::Value> = (1..)
        .zip(text.split('>'))
        .map(|(n, step)| {
            let words: Vec<&str> = step.split_whitespace().collect();
            let count: u32 = words[2].parse().expect("a count");
            serde_json::json!({
                "subgoal_id": format!("sg_{n:03}"),
                "condition": step.trim(),
                "task_kind": words[0],
                "executor_hint": words[0],
                "timeout_s": 60,
                "goal": {"object": words[1], "count": count},
                "checks": [{"check": "inv_ge", "item": words[1], "count": count}],
            })
        })
        .collect();
    let text = serde_json::json!({"plan_id": "p", "subgoals": subgoals, "global_constraints": []});
    plan_json::read(&text.to_string()).expect("the test's own plans are readable");
    text.to_string()
}

/// `CONDITION | KIND ITEM` as a lesson.
fn lesson(text: &str) -> String {
    let (trigger, forbid) = text.split_once('|').expect("CONDITION | KIND ITEM");
    let words: Vec<&str> = forbid.split_whitespace().collect();
    serde_json::json!({
        "root_cause": "told by the script",
        "constraint": {
            "trigger": trigger.trim(),
            "forbid": {"kind": words[0], "target": words[1]},
            "avoid": "fails",
            "recovery": [],
            "reason": "TOOL_MISSING",
        },
        "next_actions": [],
    })
    .to_string()
}

fn config(task: Task, gates: Gates) -> RunConfig {
    RunConfig {
        run: RunId(1),
        task,
        world: WorldSpec {
            kind: "stage".to_owned(),
            seed: 7,
            frame_ticks: 20,
        },
        mind: "script".to_owned(),
        profile: Profile {
            name: "test".to_owned(),
            about: String::new(),
            k_tol: 2,
            recall: true,
            verify: true,
            show_skills: true,
            show_guardrails: true,
            distil_skills: true,
            distil_guardrails: true,
            selector: Selector::First,
        },
        gates,
        budget: Budget::default(),
        limits: Limits::default(),
        thresholds: Thresholds::default(),
    }
}
