//! A made-up run for tests of the console: iron is mined, gets stuck, is replanned under questions.
//!
//! Not a recording: it only has to be a possible order of events with something for every pane.

use crate::clock::Millis;
use crate::domain::ask::{Ask, CapsuleAsk, Lesson};
use crate::domain::budget::{Budget, Limits};
use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::decision::{Fallback, GateKind, Gates, Policy, Question, Subject};
use crate::domain::diagnosis::{
    Diagnosis, FailureReason, Indicator, Observables, StateDelta, Thresholds, TraceStep,
};
use crate::domain::event::{Event, Recorded, RunConfig};
use crate::domain::experience::Experience;
use crate::domain::knowledge::{
    Author, Body, Entry, Guardrail, Outcomes, Pattern, Provenance, Remedy, Status, Use,
};
use crate::domain::plan::{Executor, Goal, Mode, Plan, Subgoal, TaskKind};
use crate::domain::profile::{Profile, Selector};
use crate::domain::state_card::StateCard;
use crate::domain::task::Task;
use crate::ids::{
    ActionId, AttemptId, CallId, DecisionId, ExperienceId, KnowledgeId, Revision, RunId, Seq,
    SubgoalId,
};
use crate::world::action::{Action, ActionFailure, ActionReport};
use crate::world::block::{self, BlockId};
use crate::world::counts::Counts;
use crate::world::item::ItemId;
use crate::world::observation::{BlockSight, Frame, Gui};
use crate::world::port::WorldSpec;
use crate::world::seen::SeenCells;
use crate::world::space::Pos;

/// Events with their places, being made.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) events: Vec<Recorded>,
    at: Millis,
    tick: u64,
    feet: Pos,
    inventory: Counts,
    attempts: u64,
}

pub(crate) fn item(name: &str) -> ItemId {
    ItemId::named(name).expect("the item exists")
}

fn spec(name: &str) -> crate::world::family::ItemSpec {
    item(name).into()
}

pub(crate) fn subgoal(id: u64, executor: Executor, object: &str, count: u32) -> Subgoal {
    let task_kind = match executor {
        Executor::Craft => TaskKind::Craft,
        Executor::Smelt => TaskKind::Smelt,
        Executor::DigDown => TaskKind::Move,
        _ => TaskKind::Mine,
    };
    let is_dig = executor == Executor::DigDown;
    let goal = Goal {
        object: (!is_dig).then(|| spec(object)),
        count,
        material: None,
        tool: None,
        amount: is_dig.then_some(12),
        info: None,
    };
    let check = if is_dig {
        Check::YposLe { y: 12 }
    } else {
        Check::InvGe { item: spec(object), count }
    };
    Subgoal {
        id: SubgoalId(id),
        condition: format!("get {count} {object}"),
        task_kind,
        executor_hint: executor,
        mode: Mode::Move,
        timeout_s: 90,
        checks: vec![check],
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal,
        rationale: None,
    }
}

impl Story {
    pub(crate) fn new() -> Self {
        let mut story = Self {
            events: Vec::new(),
            at: Millis(1_000_000),
            tick: 0,
            feet: Pos::new(8, 43, 8),
            inventory: Counts::default(),
            attempts: 0,
        };
        story.say(Event::RunStarted { config: Box::new(config()) });
        story.say(Event::WorldAsked);
        let frame = Box::new(story.frame(true));
        story.say(Event::WorldReady { frame });
        story
    }

    pub(crate) fn say(&mut self, event: Event) -> &mut Self {
        self.at = self.at.plus(250);
        let seq = Seq(self.events.len() as u64 + 1);
        self.events.push(Recorded { run: RunId(42), seq, at: self.at, event });
        self
    }

    /// World time passes, the body walks east, a frame is seen.
    pub(crate) fn frames(&mut self, frames: u64) -> &mut Self {
        for _ in 0..frames {
            self.tick += 20;
            if self.tick % 60 == 0 {
                self.feet = self.feet.plus(1, 0, 0);
            }
            let frame = Box::new(self.frame(false));
            self.say(Event::FrameSeen { frame });
        }
        self
    }

    fn frame(&self, with_map: bool) -> Frame {
        let seen = if with_map { cave(self.feet) } else { Vec::new() };
        let ore = BlockSight { block: block::IRON_ORE, at: Pos::new(20, 42, 4) };
        let table = BlockSight { block: block::CRAFTING_TABLE, at: Pos::new(4, 43, 9) };
        Frame {
            tick: self.tick,
            time: 8300,
            position: self.feet.floor(),
            yaw: 270.0,
            pitch: 0.0,
            health: 18.0,
            hunger: 15.0,
            air: 300,
            on_ground: true,
            underground: true,
            biome: "forest".to_owned(),
            light: 4,
            inventory: self.inventory.clone(),
            held: Some(item("stone_pickaxe")),
            gui: Gui::Closed,
            gui_opened: 2,
            gui_closed: 2,
            furnace: None,
            container_items: 0,
            crafted: Counts::default(),
            mobs: Vec::new(),
            notable: vec![ore, table],
            trail: vec![self.feet],
            seen: SeenCells(seen),
            alive: true,
            checksum: self.tick,
        }
    }

    pub(crate) fn plan(&mut self, revision: u64, subgoals: Vec<Subgoal>, replaces: Option<u64>) -> &mut Self {
        let plan = Plan { plan_id: format!("p_{revision}"), subgoals, global_constraints: Vec::new() };
        let revision = Revision(revision);
        self.say(Event::PlanProposed { revision, plan, replaces: replaces.map(SubgoalId) });
        self.say(Event::PlanVerified { revision, notes: Vec::new() })
    }

    pub(crate) fn adopt(&mut self, revision: u64) -> &mut Self {
        self.say(Event::PlanAdopted { revision: Revision(revision) })
    }

    /// An attempt begins and goes on for some frames.
    pub(crate) fn attempt(&mut self, id: u64, order: Action, frames: u64) -> &mut Self {
        self.attempts += 1;
        let (attempt, subgoal) = (AttemptId(self.attempts), SubgoalId(id));
        self.say(Event::SubgoalSelected { subgoal });
        self.say(Event::AttemptStarted { attempt, subgoal });
        self.say(Event::ActionIssued { action: ActionId(self.attempts), attempt, order });
        self.frames(frames)
    }

    /// The attempt ends well.
    pub(crate) fn done(&mut self, subgoal: &Subgoal) -> &mut Self {
        if let Some(object) = subgoal.goal.object.and_then(|spec| spec.single()) {
            self.inventory.add(object, subgoal.goal.count);
        }
        self.end(subgoal, None);
        self.say(Event::SubgoalDone { subgoal: subgoal.id })
    }

    /// The attempt ends with a failure.
    pub(crate) fn failed(&mut self, subgoal: &Subgoal, reason: FailureReason) -> &mut Self {
        self.end(subgoal, Some(reason))
    }

    fn end(&mut self, subgoal: &Subgoal, reason: Option<FailureReason>) -> &mut Self {
        let failure = reason.map(|_| ActionFailure::Stuck { at: self.feet });
        let report = ActionReport {
            failure: failure.clone(),
            ticks: 200,
            broken: Vec::new(),
            gained: Counts::default(),
        };
        let frame = self.frame(false);
        let mut pre = StateCard::of(&frame);
        pre.tick = self.tick.saturating_sub(280);
        let experience = Experience {
            id: ExperienceId { run: RunId(42), n: self.attempts },
            attempt: AttemptId(self.attempts),
            task: "obtain a diamond".to_owned(),
            at: self.at,
            pre,
            action: subgoal.clone(),
            diagnosis: diagnosis(reason, failure, &frame),
            post: StateCard::of(&frame),
            tags: Vec::new(),
            by_operator: false,
        };
        let action = ActionId(self.attempts);
        self.say(Event::ActionEnded { action, report, frame: Box::new(frame) });
        let attempt = AttemptId(self.attempts);
        self.say(Event::AttemptEnded { attempt, experience: Box::new(experience) })
    }

    pub(crate) fn ask(&mut self, id: u64, kind: GateKind, subject: Subject, policy: Policy) -> &mut Self {
        let deadline = match policy {
            Policy::AskFor { seconds, .. } => Some(self.at.plus(u64::from(seconds) * 1000)),
            Policy::Auto | Policy::Ask => None,
        };
        let question =
            Question { id: DecisionId(id), kind, subject, policy, asked: self.at, deadline };
        self.say(Event::DecisionAsked { question })
    }
}

fn config() -> RunConfig {
    RunConfig {
        run: RunId(42),
        task: Task {
            text: "obtain a diamond".to_owned(),
            goal: spec("diamond"),
            count: 1,
            success: vec![Check::InvGe { item: spec("diamond"), count: 1 }],
        },
        world: WorldSpec { kind: "voxel".to_owned(), seed: 7, frame_ticks: 20 },
        mind: "builtin:competent".to_owned(),
        profile: Profile {
            name: "steve-evolving".to_owned(),
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
        gates: Gates::console(),
        budget: Budget { ticks: 12_000, mind_calls: 200 },
        limits: Limits::default(),
        thresholds: Thresholds::default(),
    }
}

/// A tunnel through stone with gravel, water and an ore beside it.
fn cave(feet: Pos) -> Vec<(Pos, BlockId)> {
    let mut cells = Vec::new();
    for dx in -14..22 {
        for dz in -9..10 {
            let at = feet.plus(dx, 0, dz);
            let open = dz.abs() <= 1 + (dx / 5).rem_euclid(3) || (dx > 6 && dz < 0 && dz > -5);
            if (dx * dx + dz * dz * 3) > 380 {
                continue;
            }
            if open {
                let floor = if dx > 9 && dz < -2 { block::WATER } else { block::STONE };
                cells.push((at.down(), if dx < -8 { block::DIRT } else { floor }));
                cells.push((at, block::AIR));
            } else {
                cells.push((at, if (dx + dz) % 7 == 0 { block::GRAVEL } else { block::STONE }));
            }
        }
    }
    cells
}

fn diagnosis(reason: Option<FailureReason>, report: Option<ActionFailure>, frame: &Frame) -> Diagnosis {
    let indicator = |name: &str, value, unit: &str, threshold| Indicator {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        threshold,
    };
    let stuck = TraceStep {
        predicate: "σ²_coord < ε_nav".to_owned(),
        inputs: "positions of the last 280 ticks".to_owned(),
        value: Some(0.02),
        threshold: Some(0.25),
        holds: true,
        speaks_for: Some(FailureReason::NavStuck),
    };
    let missing = TraceStep {
        predicate: "reported missing ingredient".to_owned(),
        inputs: "the body's report".to_owned(),
        value: None,
        threshold: None,
        holds: false,
        speaks_for: Some(FailureReason::ToolMissing),
    };
    let summary = match reason {
        None => "all checks are true",
        Some(_) => "14 s without moving and no item gained; the path is blocked by gravel at 12 43 -7",
    };
    Diagnosis {
        success: reason.is_none(),
        reason,
        fail_type: reason.map(FailureReason::fail_type),
        confidence: if reason.is_some() { 0.91 } else { 1.0 },
        delta: StateDelta::default(),
        indicators: vec![
            indicator("σ²_coord", if reason.is_some() { 0.02 } else { 8.5 }, "blocks²", Some(0.25)),
            indicator("‖Δ_inv‖₁", if reason.is_some() { 0.0 } else { 3.0 }, "items", Some(0.0)),
            indicator("net/gross", 0.63, "1", Some(0.15)),
            indicator("without progress", 280.0, "ticks", None),
        ],
        trace: vec![missing, stuck],
        runners_up: reason.map(|_| FailureReason::PathUnreachable).into_iter().collect(),
        report,
        summary: summary.to_owned(),
        observables: Observables {
            coords_start: frame.position,
            coords_end: frame.position,
            coords_variance: 0.02,
            inventory: frame.inventory.clone(),
            inv_delta: std::collections::BTreeMap::new(),
            is_gui_open: false,
            gui_state: "closed".to_owned(),
            gui_events: crate::domain::diagnosis::GuiEvents::default(),
            world_time: frame.tick,
            furnace_burn: None,
            furnace_cook: None,
            container_items: 0,
            crafted_items: Counts::default(),
        },
    }
}

pub(crate) fn guardrail() -> Guardrail {
    Guardrail {
        trigger: Condition::All(vec![
            Condition::Is(Predicate::Underground),
            Condition::Is(Predicate::SubgoalKind(TaskKind::Mine)),
        ]),
        forbid: Pattern { kind: Some(TaskKind::Mine), ..Pattern::default() },
        avoid: "gravel falls into the tunnel and blocks the way".to_owned(),
        recovery: vec![Remedy::MoveAway { blocks: 8 }],
        reason: FailureReason::NavStuck,
    }
}

pub(crate) fn entry(n: u64, status: Status, title: &str) -> Entry {
    Entry {
        id: KnowledgeId { run: RunId(if status == Status::Proposed { 42 } else { 3 }), n },
        version: 1,
        status,
        author: Author::Mind("builtin:competent".to_owned()),
        title: title.to_owned(),
        body: Body::Guardrail(guardrail()),
        provenance: Provenance {
            run: Some(RunId(42)),
            task: "obtain a diamond".to_owned(),
            experiences: vec![ExperienceId { run: RunId(42), n: 6 }],
        },
        outcomes: Outcomes::default(),
        confidence: 0.7,
        created: Millis(0),
        history: Vec::new(),
    }
}

fn first_plan() -> Vec<Subgoal> {
    vec![
        subgoal(1, Executor::Mine, "oak_log", 4),
        subgoal(2, Executor::Craft, "crafting_table", 1),
        subgoal(3, Executor::Craft, "wooden_pickaxe", 1),
        subgoal(4, Executor::Mine, "cobblestone", 11),
        subgoal(5, Executor::Craft, "furnace", 1),
        subgoal(6, Executor::Mine, "iron_ore", 3),
        subgoal(7, Executor::Smelt, "iron_ingot", 3),
    ]
}

/// The run up to two failures, a replan in force and a guardrail that waits for the operator.
pub(crate) fn story() -> Story {
    let mut story = Story::new();
    let plan = first_plan();
    let known = entry(1, Status::Active, "mine below y 40: first carry a stone pickaxe");
    let known_id = known.id;
    story.say(Event::RecallAsked { query: "obtain a diamond".to_owned() });
    story.say(Event::Recalled { hits: Vec::new(), knowledge: vec![known] });
    let ask = Ask::Capsule(CapsuleAsk {
        task: config().task,
        state: StateCard::of(&story.frame(false)),
        hits: Vec::new(),
        knowledge: Vec::new(),
    });
    story.say(Event::MindAsked { call: CallId(1), ask: Box::new(ask) });
    story.say(Event::MindAnswered { call: CallId(1), text: "{}".to_owned(), ms: 3 });
    story.plan(1, plan.clone(), None).adopt(1);
    story.say(Event::KnowledgeUsed { id: known_id, how: Use::Shown, subgoal: None });
    for step in &plan[..5] {
        let order = Action::Mine { item: spec("oak_log"), count: 4 };
        story.attempt(step.id.0, order, 4 + step.id.0).done(step);
    }
    let iron = plan[5].clone();
    for _ in 0..2 {
        let order = Action::Mine { item: spec("iron_ore"), count: 3 };
        story.attempt(6, order, 14).failed(&iron, FailureReason::NavStuck);
    }
    let subgoal_id = SubgoalId(6);
    story.say(Event::ReplanStarted { subgoal: subgoal_id, because: "failed 2 times".to_owned() });
    let lesson = Lesson {
        root_cause: "gravel fell into the tunnel".to_owned(),
        constraint: Some(guardrail()),
        next_actions: Vec::new(),
    };
    story.say(Event::LessonLearnt { lesson });
    let draft = entry(2, Status::Proposed, "mine in a tunnel: first try 8 blocks away");
    let draft_id = draft.id;
    story.say(Event::KnowledgeProposed { entry: Box::new(draft) });
    story.ask(1, GateKind::Guardrail, Subject::Knowledge(draft_id), Policy::Ask);
    let renewed = vec![
        subgoal(8, Executor::Mine, "gravel", 1),
        subgoal(9, Executor::Mine, "iron_ore", 3),
        subgoal(10, Executor::Smelt, "iron_ingot", 3),
        subgoal(11, Executor::Craft, "iron_pickaxe", 1),
        subgoal(12, Executor::DigDown, "", 1),
        subgoal(13, Executor::Mine, "diamond", 1),
    ];
    story.plan(2, renewed, Some(6));
    let policy = Policy::AskFor { seconds: 60, then: Fallback::Approve };
    story.ask(2, GateKind::Replan, Subject::Plan(Revision(2)), policy);
    story
}

/// The story with its replan approved and the next attempt under way.
pub(crate) fn running() -> Story {
    use crate::domain::decision::{By, Verdict};
    let mut story = story();
    let by = By::Operator("ada".to_owned());
    story.say(Event::DecisionMade { decision: DecisionId(2), verdict: Verdict::Approve, by });
    story.adopt(2);
    story.say(Event::ConstraintBound { constraint: guardrail() });
    let gravel = subgoal(8, Executor::Mine, "gravel", 1);
    story.attempt(8, Action::Mine { item: spec("gravel"), count: 1 }, 5).done(&gravel);
    story.attempt(9, Action::Mine { item: spec("iron_ore"), count: 3 }, 21);
    story
}

/// The view after all events of a story.
pub(crate) fn view_of(story: &Story) -> super::view::View {
    let mut view = super::view::View::default();
    story.events.iter().for_each(|event| view.apply(event));
    view
}

/// The screen as text, its lines without spaces at the end.
pub(crate) fn screen(view: &super::view::View, ui: &super::ui::Ui) -> String {
    let theme = super::theme::Theme::default_for(true);
    let backend = ratatui::backend::TestBackend::new(ui.size.width, ui.size.height);
    let mut terminal = ratatui::Terminal::new(backend).expect("a test backend cannot fail");
    terminal.draw(|frame| super::draw::draw(frame, view, ui, &theme)).expect("it draws");
    text(terminal.backend().buffer())
}

/// A buffer as text.
pub(crate) fn text(buffer: &ratatui::buffer::Buffer) -> String {
    use unicode_width::UnicodeWidthStr;
    let width = usize::from(buffer.area.width).max(1);
    let mut out = String::new();
    for row in buffer.content.chunks(width) {
        let mut line = String::new();
        let mut skip = 0;
        for cell in row {
            if skip == 0 {
                line.push_str(cell.symbol());
                skip = cell.symbol().width().max(1);
            }
            skip -= 1;
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
