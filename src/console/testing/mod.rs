//! A made-up run for tests of the console: iron is mined, gets stuck, is replanned under questions.
//!
//! Not a recording: it only has to be a possible order of events with something for every pane.

mod desktop;
mod parts;
pub(crate) mod recorded;

use crate::cache::Cache;
use crate::context::{Context, Scene};
use crate::effect::Effect;
use crate::input::keymap::Keymap;
use crate::msg::Msg;
use crate::screen::Screen;
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
pub(crate) use crate::testing::desktop::Console;
pub(crate) use crate::testing::parts::{cave, entry, first_plan, guardrail, item, subgoal};
use crate::testing::parts::{config, diagnosis, spec};
use crate::theme::Theme;
use crate::view::View;
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::knowledge::{EntryUse, Status};
use pithead_core::domain::mind::ask::{Ask, CapsuleAsk, Lesson};
use pithead_core::domain::plan::{Executor, Plan, Subgoal};
use pithead_core::domain::run::decision::{Fallback, GateKind, Policy, Question, Subject};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::action::{Action, ActionFailure, ActionReport};
use pithead_world::block;
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::ids::{
    ActionId, AttemptId, CallId, DecisionId, ExperienceId, Revision, RunId, Seq, SubgoalId,
};
use pithead_world::observation::{BlockSight, Frame};
use pithead_world::seen::SeenCells;
use pithead_world::space::Pos;
use ratatui::layout::Size;

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
        story.say(Event::RunStarted {
            config: Box::new(config()),
        });
        story.say(Event::PaceSet {
            times_realtime: 8.0,
            by: "ada".to_owned(),
        });
        story.say(Event::WorldAsked);
        let frame = Box::new(story.frame(true));
        story.say(Event::WorldReady { frame });
        story
    }

    pub(crate) fn say(&mut self, event: Event) -> &mut Self {
        self.at = self.at.plus(250);
        let seq = Seq(self.events.len() as u64 + 1);
        self.events.push(Recorded {
            run: RunId(42),
            seq,
            at: self.at,
            event,
        });
        self
    }

    /// World time passes, the body walks east, a frame is seen.
    pub(crate) fn frames(&mut self, frames: u64) -> &mut Self {
        for _ in 0..frames {
            self.tick += 20;
            if self.tick.is_multiple_of(60) {
                self.feet = self.feet.plus(1, 0, 0);
            }
            let frame = Box::new(self.frame(false));
            self.say(Event::FrameSeen { frame });
        }
        self
    }

    fn frame(&self, with_map: bool) -> Frame {
        let seen = if with_map {
            cave(self.feet)
        } else {
            Vec::new()
        };
        let ore = BlockSight {
            block: block::IRON_ORE,
            at: Pos::new(20, 42, 4),
        };
        let table = BlockSight {
            block: block::CRAFTING_TABLE,
            at: Pos::new(4, 43, 9),
        };
        Frame {
            tick: self.tick,
            time: 8300,
            position: self.feet.floor(),
            yaw: 270.0,
            health: 18.0,
            hunger: 15.0,
            underground: true,
            light: 4,
            inventory: self.inventory.clone(),
            held: Some(item("stone_pickaxe")),
            gui_opened: 2,
            gui_closed: 2,
            notable: vec![ore, table],
            trail: vec![self.feet],
            seen: SeenCells(seen),
            checksum: self.tick.into(),
            ..Frame::standing()
        }
    }

    pub(crate) fn plan(
        &mut self,
        revision: u64,
        subgoals: Vec<Subgoal>,
        replaces: Option<u64>,
    ) -> &mut Self {
        let plan = Plan {
            plan_id: format!("p_{revision}"),
            subgoals,
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        };
        let revision = Revision(revision);
        self.say(Event::PlanProposed {
            revision,
            plan,
            replaces: replaces.map(SubgoalId),
        });
        self.say(Event::PlanVerified {
            revision,
            notes: Vec::new(),
        })
    }

    pub(crate) fn adopt(&mut self, revision: u64) -> &mut Self {
        self.say(Event::PlanAdopted {
            revision: Revision(revision),
        })
    }

    /// An attempt begins and goes on for some frames.
    pub(crate) fn attempt(&mut self, id: u64, order: Action, frames: u64) -> &mut Self {
        self.attempts += 1;
        let (attempt, subgoal) = (AttemptId(self.attempts), SubgoalId(id));
        self.say(Event::SubgoalSelected {
            subgoal,
            candidates: Vec::new(),
        });
        self.say(Event::AttemptStarted { attempt, subgoal });
        self.say(Event::ActionIssued {
            action: ActionId(self.attempts),
            attempt,
            order,
            keep: Counts::default(),
        });
        self.frames(frames)
    }

    /// The attempt ends well.
    pub(crate) fn done(&mut self, subgoal: &Subgoal) -> &mut Self {
        if let Some(object) = subgoal.goal.object.and_then(|spec| spec.single()) {
            self.inventory.add(object, subgoal.goal.count);
        }
        self.end(subgoal, None);
        self.say(Event::SubgoalDone {
            subgoal: subgoal.id,
        })
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
            used: Counts::default(),
            windows: Vec::new(),
        };
        let frame = self.frame(false);
        let mut pre = StateSummary::from_frame(&frame);
        pre.tick = self.tick.saturating_sub(280);
        let experience = Experience {
            id: ExperienceId {
                run: RunId(42),
                n: self.attempts,
            },
            attempt: AttemptId(self.attempts),
            task: "obtain a diamond".to_owned(),
            at: self.at,
            pre,
            action: subgoal.clone(),
            diagnosis: diagnosis(reason, failure, &frame),
            post: StateSummary::from_frame(&frame),
            tags: Vec::new(),
            by_operator: false,
            called_off: false,
            judged: None,
        };
        let action = ActionId(self.attempts);
        self.say(Event::ActionEnded {
            action,
            report,
            frame: Box::new(frame),
        });
        let attempt = AttemptId(self.attempts);
        self.say(Event::AttemptEnded {
            attempt,
            experience: Box::new(experience),
        })
    }

    pub(crate) fn ask(
        &mut self,
        id: u64,
        kind: GateKind,
        subject: Subject,
        policy: Policy,
    ) -> &mut Self {
        let question = Question {
            id: DecisionId(id),
            kind,
            subject,
            policy,
            asked: self.at,
            deadline: policy.deadline(self.at),
            held: None,
        };
        self.say(Event::DecisionAsked { question })
    }
}

/// The run up to two failures, a replan in force and a guardrail that waits for the operator.
pub(crate) fn story() -> Story {
    let mut story = Story::new();
    let plan = first_plan();
    let known = entry(
        1,
        Status::Active,
        "mine below y 40: first carry a stone pickaxe",
    );
    let known_id = known.id;
    story.say(Event::RecallAsked {
        query: "obtain a diamond".to_owned(),
        condition: None,
        cells: None,
        needs: Vec::new(),
    });
    story.say(Event::Recalled {
        hits: Vec::new(),
        knowledge: vec![known],
        options: pithead_core::domain::experience::option::TriedOptions::default(),
    });
    let ask = Ask::Capsule(CapsuleAsk {
        task: config().task,
        state: StateSummary::from_frame(&story.frame(false)),
        hits: Vec::new(),
        knowledge: Vec::new(),
    });
    story.say(Event::MindAsked {
        call: CallId(1),
        ask: Box::new(ask),
    });
    story.say(Event::MindAnswered {
        call: CallId(1),
        text: "{}".to_owned(),
        ms: 3,
    });
    story.plan(1, plan.clone(), None).adopt(1);
    story.say(Event::KnowledgeUsed {
        id: known_id,
        how: EntryUse::Shown,
        subgoal: None,
    });
    for step in &plan[..5] {
        let order = Action::Mine {
            item: spec("oak_log"),
            count: 4,
        };
        story.attempt(step.id.0, order, 4 + step.id.0).done(step);
    }
    fail_and_replan(&mut story, &plan[5]);
    story
}

/// Two failures, a lesson, a guardrail and a replan that wait for the operator.
fn fail_and_replan(story: &mut Story, iron: &Subgoal) {
    for _ in 0..2 {
        let order = Action::Mine {
            item: spec("iron_ore"),
            count: 3,
        };
        story
            .attempt(6, order, 14)
            .failed(iron, FailureReason::NavStuck);
    }
    let subgoal_id = SubgoalId(6);
    story.say(Event::ReplanStarted {
        subgoal: subgoal_id,
        because: "failed 2 times".to_owned(),
    });
    let lesson = Lesson {
        root_cause: "gravel fell into the tunnel".to_owned(),
        constraint: Some(guardrail()),
        next_actions: Vec::new(),
        is_guess: false,
    };
    story.say(Event::LessonLearnt { lesson });
    let draft = entry(
        2,
        Status::Proposed,
        "mine in a tunnel: first try 8 blocks away",
    );
    let draft_id = draft.id;
    story.say(Event::KnowledgeProposed {
        entry: Box::new(draft),
    });
    story.ask(
        1,
        GateKind::Guardrail,
        Subject::Knowledge(draft_id),
        Policy::Ask,
    );
    let renewed = vec![
        subgoal(8, Executor::Mine, "gravel", 1),
        subgoal(9, Executor::Mine, "iron_ore", 3),
        subgoal(10, Executor::Smelt, "iron_ingot", 3),
        subgoal(11, Executor::Craft, "iron_pickaxe", 1),
        subgoal(12, Executor::DigDown, "", 1),
        subgoal(13, Executor::Mine, "diamond", 1),
    ];
    story.plan(2, renewed, Some(6));
    let policy = Policy::AskFor {
        seconds: 60,
        then: Fallback::Approve,
    };
    story.ask(2, GateKind::Replan, Subject::Plan(Revision(2)), policy);
}

/// The story with its replan approved and the next attempt under way.
pub(crate) fn running() -> Story {
    use pithead_core::domain::run::decision::{By, Verdict};
    let mut story = story();
    let by = By::Operator("ada".to_owned());
    story.say(Event::DecisionMade {
        decision: DecisionId(2),
        verdict: Verdict::Approve,
        by,
    });
    story.adopt(2);
    story.say(Event::ConstraintBound {
        constraint: guardrail(),
    });
    let gravel = subgoal(8, Executor::Mine, "gravel", 1);
    story
        .attempt(
            8,
            Action::Mine {
                item: spec("gravel"),
                count: 1,
            },
            5,
        )
        .done(&gravel);
    story.attempt(
        9,
        Action::Mine {
            item: spec("iron_ore"),
            count: 3,
        },
        21,
    );
    story
}

/// The view after all events of a story.
pub(crate) fn view_of(story: &Story) -> crate::view::View {
    let mut view = crate::view::View::default();
    story.events.iter().for_each(|event| view.apply(event));
    view
}

/// The console on the screen of a run.
pub(crate) fn shell_of(mode: RunMode, size: Size) -> Shell {
    let mut shell = Shell::new(Screen::Live, Keymap::default(), size);
    shell.live.mode = mode;
    shell
}

/// One message; what it asks for.
pub(crate) fn send(shell: &mut Shell, view: &View, msg: Msg) -> Option<Effect> {
    let mut context = Context {
        shell,
        cache: &Cache::default(),
        view,
    };
    crate::update::update(&mut context, msg)
}

/// A run's screen, drawn on something.
pub(crate) fn draw_run(frame: &mut ratatui::Frame<'_>, view: &View, shell: &Shell, theme: &Theme) {
    let scene = Scene {
        shell,
        cache: &Cache::default(),
        view,
        pictures: None,
    };
    crate::draw::draw(frame, &scene, theme);
}

/// A run's screen as text, its lines without spaces at the end.
pub(crate) fn screen(view: &View, shell: &Shell) -> String {
    let theme = Theme::default_for(true);
    let drawn = crate::export::render(shell.size, |frame| draw_run(frame, view, shell, &theme));
    crate::export::text(&drawn.expect("it draws"))
}

/// Whatever is in sight as text.
pub(crate) fn text_of(sight: &crate::context::Scene<'_>) -> String {
    let theme = crate::theme::Theme::default_for(true);
    let drawn = crate::export::render(sight.shell.size, |frame| {
        crate::draw::draw(frame, sight, &theme);
    });
    crate::export::text(&drawn.expect("it draws"))
}
