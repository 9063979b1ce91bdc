//! State: all that the agent knows about its run; a fold of the run's events and nothing else.
//!
//! Everybody may read it; only `apply` changes it. Invariant: the same events give the same state, whether live,
//! resumed or replayed.

use super::goal_progress::GoalProgress;
use super::node::Node;
use crate::domain::check::Check;
use crate::domain::experience::attempt::Attempt;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::earlier_try::{Aim, EarlierTry};
use crate::domain::experience::option::TriedOptions;
use crate::domain::experience::surroundings::Surroundings;
use crate::domain::experience::{Experience, Hit};
use crate::domain::knowledge::kind::EntryKind;
use crate::domain::knowledge::{Entry, Guardrail, Remedy};
use crate::domain::mind::ask::{Capsule, Explained, Lesson, TakenApart};
use crate::domain::mind::evidence::{AttemptSummary, Rejected};
use crate::domain::mind::judge::Judgement;
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::mind::reflection::Trigger;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::sequences::Sequences;
use crate::domain::mind::study::{PlanCorrection, Topic};
use crate::domain::plan::note::Note;
use crate::domain::plan::{Goal, Plan, Subgoal};
use crate::domain::run::breakpoint::Breakpoint;
use crate::domain::run::decision::{Gates, Question};
use crate::domain::run::event::{Event, RunConfig, Then};
use crate::domain::run::fork::Kept;
use crate::domain::run::outcome::Outcome;
use crate::domain::run::profile::Profile;
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{AttemptId, CallId, DecisionId, KnowledgeId, Revision, Seq, SubgoalId};
use pithead_world::observation::Frame;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The agent's state.
/// Grouped: the run, recall, the plan, learning, the operator, counts, the mind, debugging.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// The last event folded in.
    pub seq: Seq,
    pub config: Option<Box<RunConfig>>,
    pub phase: Phase,
    pub hold: RunHold,
    /// The world is gone and can be joined again: nothing continues until then.
    pub is_away: bool,
    /// The last frame, without what belongs to the map.
    /// The map is left out because it is large and the agent asks for notable blocks only.
    pub frame: Option<Box<Frame>>,
    /// What recall brought, the latest last.
    pub hits: Vec<Hit>,
    pub knowledge: Vec<Entry>,
    /// What the ways to get things came to. Shared, because the state is copied often.
    pub options: Arc<TriedOptions>,
    pub capsule: Option<Capsule>,
    /// What memory was asked about by itself, and whether the step had failed by then.
    pub needs_asked: BTreeSet<(ItemSpec, bool)>,
    /// The replan before which memory was asked last.
    pub replan_recalled: u32,
    /// Entries that the hold-out drew for: those that the run was given, and those that were withheld.
    /// Kept apart from `knowledge`, which changes: a run counts for the side it was drawn to.
    pub given: BTreeSet<KnowledgeId>,
    pub withheld: BTreeSet<KnowledgeId>,
    /// Roles of the mind whose work the program does for the rest of the run.
    pub replaced_roles: BTreeSet<MindRole>,
    /// The answer that the plan under way was read from, where a model gave it.
    pub last_answer: Option<String>,
    /// The plan proposed last, which may still wait for its gate.
    pub proposal: Option<PlanProposal>,
    /// The plan in force.
    pub plan: Option<Plan>,
    /// Steps of it that the monitor has raised an alarm at, and the last of these alarms.
    pub alarmed: BTreeSet<SubgoalId>,
    /// What is expected of its steps.
    pub judgements: BTreeMap<SubgoalId, Judgement>,
    /// By id and not by place: ids survive replans, places do not.
    pub nodes: BTreeMap<SubgoalId, Node>,
    /// Assertions that did not hold and were mended.
    pub mended: Vec<(SubgoalId, Check)>,
    /// Subgoals finished, in the order they were.
    pub done: Vec<Subgoal>,
    /// Constraints that bind this run (Eq. 12).
    pub lessons: Vec<Guardrail>,
    /// Those of them that are tried and not known.
    pub guesses: Vec<Guardrail>,
    /// Learnt, but not binding until its replan is approved.
    pub pending_lesson: Option<Lesson>,
    /// Drafts that the knowledge base is asked about.
    pub drafts: Vec<Entry>,
    /// What several runs did for goals of these drafts, to be summarised.
    pub sequences: Vec<Sequences>,
    /// Successful attempts, for distillation.
    pub successes: Vec<Experience>,
    /// Failed attempts by their aim, over all plans, oldest first.
    pub tries: Vec<(Aim, EarlierTry)>,
    /// The label of each ended attempt as it stands; none is success.
    pub labels: BTreeMap<AttemptId, Option<FailureReason>>,
    /// Entries proposed by this run and not yet decided.
    pub proposed: Vec<Entry>,
    /// Risky subgoals that the operator allowed.
    pub allowed: BTreeSet<SubgoalId>,
    /// What the operator does for the agent before the plan continues, the next first.
    pub acts: Vec<Subgoal>,
    /// A step that the operator wants tried next.
    pub next_up: Option<SubgoalId>,
    /// Why the operator wants a replan, until it is begun.
    pub redirect: Option<String>,
    /// Who asked for a pause when the current attempt has ended.
    pub pause_soon: Option<String>,
    pub questions: Vec<Question>,
    pub gates: Gates,
    /// Times real time, 0 as fast as possible; none before a driver has stated it.
    /// 1.0 is 20 ticks in a second.
    pub pace: Option<f64>,
    pub shown: BTreeSet<KnowledgeId>,
    /// How often an entry has kept a subgoal from being begun.
    /// Counted for each pair: a guardrail may rightly forbid another step.
    pub blocks: BTreeMap<(SubgoalId, KnowledgeId), u32>,
    /// Entries passed over in this run because they left no way round.
    pub passed_over: BTreeSet<KnowledgeId>,
    pub counters: Counters,
    /// Goals under the task, as far as they were taken apart.
    pub goals: Vec<TakenApart>,
    pub goal_progress: GoalProgress,
    /// Why steps failed, in words.
    pub explained: Vec<Explained>,
    /// Summaries of the attempts, if a summary or a reflection will need them.
    pub summaries: Vec<AttemptSummary>,
    /// Rejected plans with the plans that passed in their place, if rules are learnt.
    pub corrections: Vec<PlanCorrection>,
    /// Failed attempts in full, if rules or guardrails are learnt.
    pub failed: Vec<Experience>,
    /// The call being waited for, if any, with the event that asked.
    /// Kept whole, so that a resumed run can put the same question again.
    pub open: Option<Event>,
    pub breaks: Vec<Breakpoint>,
    /// A breakpoint was met: nothing continues until the operator says so.
    pub at_break: bool,
    /// The tick at which the body last spoke to other players.
    pub spoke_at: Option<u64>,
    /// Entries that a forked run is not given.
    pub without: BTreeSet<KnowledgeId>,
    /// Decisions of the run that this one was forked from, which are made again.
    pub kept: Vec<Kept>,
}

/// The highest numbers given out, and counts.
/// Ids are the next of these numbers, so they are the same in a replay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counters {
    pub calls: u64,
    pub subgoals: u64,
    pub revisions: u64,
    pub attempts: u64,
    pub actions: u64,
    pub decisions: u64,
    pub entries: u64,
    pub replans: u32,
    pub failed_attempts: u32,
    pub failures: BTreeMap<FailureReason, u32>,
    /// Vetoes of the present question in a row.
    /// A different question starts at 0.
    pub vetoes: u32,
    /// What the mind has cost.
    pub tokens: u64,
    /// Money in millionths of the currency.
    pub micros: u64,
    /// How often the operator granted the budget again.
    pub grants: u32,
}

/// Where in the loop the run stands. Each variant holds what only that phase needs.
/// A run is in exactly one phase, and what it waits for is in the variant: no two flags can
/// contradict each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Phase {
    /// Started; the world has not been asked for yet.
    #[default]
    New,
    /// Waits for the world to be ready.
    Opening,
    /// Waits for recall.
    Recalling,
    /// Waits for what is known of the things that a plan needs.
    RecallingNeeds {
        planning: Planning,
    },
    /// Waits for the capsule.
    Condensing {
        call: CallId,
    },
    /// Nothing is asked yet: a plan is to be made.
    ToPlan(Planning),
    /// Waits for a plan.
    Planning {
        call: CallId,
        planning: Planning,
    },
    /// Waits for the judgement on a plan's steps.
    Judging {
        call: CallId,
        planning: Planning,
        faults: Vec<String>,
        withheld: bool,
    },
    /// Waits for the operator's answer on the proposal.
    Gated {
        decision: DecisionId,
        planning: Planning,
    },
    /// The next subgoal is to be chosen.
    Choosing,
    /// An attempt is under way.
    Acting(Box<Attempt>),
    /// Waits for the cause of repeated failure.
    Attributing {
        call: CallId,
        subgoal: SubgoalId,
        faults: Vec<String>,
    },
    /// Waits for a goal to be split.
    Decomposing {
        call: CallId,
        goal: Goal,
        planning: Planning,
        faults: Vec<String>,
    },
    /// Waits for an explanation of repeated failure.
    Explaining {
        call: CallId,
        subgoal: SubgoalId,
        faults: Vec<String>,
    },
    /// Waits for a reflection on a step that failed.
    Reflecting {
        call: CallId,
        subgoal: SubgoalId,
        trigger: Trigger,
        lost: Vec<Remedy>,
        faults: Vec<String>,
    },
    /// A model is asked what there is to learn, one topic after the other.
    Studying(Box<Studying>),
    /// Waits for the summary of the run, then ends it.
    Summarising {
        call: CallId,
        outcome: Outcome,
        because: String,
        faults: Vec<String>,
        withheld: bool,
    },
    /// Waits for similar failures of earlier runs.
    Comparing {
        subgoal: SubgoalId,
    },
    /// Waits for the knowledge base, then continues.
    LookingUp {
        then: Then,
    },
    /// Waits for the operator's answer on a risky subgoal.
    Risking {
        decision: DecisionId,
        subgoal: SubgoalId,
    },
    /// Waits for the operator's answer on ending the run.
    Ending {
        decision: DecisionId,
        outcome: Outcome,
        because: String,
    },
    /// A budget is spent: waits for the operator's answer on more, then continues where it was.
    Spent {
        // The phase inside is taken up again as it was.
        decision: DecisionId,
        then: Box<Phase>,
    },
    Ended {
        outcome: Outcome,
    },
}

/// What is still to be learnt, and what was so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Studying {
    /// The first is the one being asked about.
    pub topics: Vec<Topic>,
    pub drafts: Vec<Entry>,
    pub then: Then,
    /// What could not be read of answers on the first topic.
    pub faults: Vec<String>,
    /// The question was not put: it might have cost too much.
    pub withheld: bool,
}

/// What the planning phase carries from question to question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Planning {
    /// The subgoal whose failures led here; none for the first plan.
    /// Rounds with the verifier for this plan.
    pub replaces: Option<SubgoalId>,
    pub round: u32,
    /// Reasons of the operator's vetoes, for the next question.
    pub rejected: Option<Rejected>,
    /// What was wrong with unreadable answers, for the next question.
    pub vetoes: Vec<String>,
    pub faults: Vec<String>,
    /// What of the plan is asked for, where that is not the whole.
    pub part: Option<Box<PlanPart>>,
}

/// A plan with what was said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanProposal {
    pub revision: Revision,
    pub plan: Plan,
    pub notes: Vec<Note>,
    /// What is expected of its steps; none until it was judged.
    pub judged: Option<Vec<Judgement>>,
}

/// Whether the operator holds the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunHold {
    #[default]
    Free,
    /// No world time passes.
    Paused,
    /// Paused after the next frame.
    Stepping,
}

impl State {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// World time may pass now.
    #[must_use]
    pub fn wants_world(&self) -> bool {
        match self.phase {
            Phase::Opening => true,
            // The world stands still in all other phases: a mind may think as long as it
            // likes.
            Phase::Acting(_) => self.hold != RunHold::Paused,
            Phase::New
            | Phase::Recalling
            | Phase::RecallingNeeds { .. }
            | Phase::Condensing { .. }
            | Phase::ToPlan(_)
            | Phase::Planning { .. }
            | Phase::Judging { .. }
            | Phase::Gated { .. }
            | Phase::Choosing
            | Phase::Attributing { .. }
            | Phase::Decomposing { .. }
            | Phase::Explaining { .. }
            | Phase::Reflecting { .. }
            | Phase::Studying(_)
            | Phase::Summarising { .. }
            | Phase::Comparing { .. }
            | Phase::LookingUp { .. }
            | Phase::Risking { .. }
            | Phase::Ending { .. }
            | Phase::Spent { .. }
            | Phase::Ended { .. } => false,
        }
    }

    /// The next moment at which a policy answers by itself.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        // The driver sleeps until then.
        self.questions.iter().filter_map(|q| q.deadline).min()
    }

    /// What was asked and not answered; to be performed again after a crash. An action that was
    /// under way is not among these: the rebuilt world has it under way again.
    #[must_use]
    pub fn open_requests(&self) -> Vec<Event> {
        self.open.iter().cloned().collect()
    }

    /// The question to the mind that waits for its answer.
    #[must_use]
    pub fn open_call(&self) -> Option<CallId> {
        match &self.open {
            Some(Event::MindAsked { call, .. }) => Some(*call),
            _ => None,
        }
    }

    /// Whether language models answer in this run. They read what programs look up, and pay for each question.
    #[must_use]
    pub fn asks_models(&self) -> bool {
        self.config()
            .is_some_and(|config| !config.distillers.is_empty())
    }

    /// What is around the body, for models.
    #[must_use]
    pub fn surroundings(&self) -> Option<Surroundings> {
        let frame = self.frame.as_deref().filter(|_| self.asks_models());
        frame.map(Surroundings::from_frame)
    }

    /// The role of the question that is open.
    #[must_use]
    pub fn open_role(&self) -> Option<MindRole> {
        match &self.open {
            Some(Event::MindAsked { ask, .. }) => Some(ask.role()),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended { .. })
    }

    #[must_use]
    pub fn config(&self) -> Option<&RunConfig> {
        self.config.as_deref()
    }

    /// Ticks of world time at the last frame.
    #[must_use]
    pub fn last_tick(&self) -> u64 {
        self.frame.as_ref().map_or(0, |f| f.tick)
    }

    /// Something is done by the operator and not by the plan.
    #[must_use]
    pub fn is_act(&self, id: SubgoalId) -> bool {
        self.acts.iter().any(|act| act.id == id)
    }

    /// A step of the plan in force.
    #[must_use]
    pub fn planned(&self, id: SubgoalId) -> Option<&Subgoal> {
        self.plan.as_ref().and_then(|plan| plan.get(id))
    }

    /// A step that needs no more attempt.
    #[must_use]
    pub fn is_done(&self, id: SubgoalId) -> bool {
        self.nodes.get(&id).is_some_and(|node| node.done)
    }

    /// The steps of the plan in force that are not done.
    pub fn open_steps(&self) -> impl Iterator<Item = &Subgoal> {
        let steps = self.plan.iter().flat_map(|plan| &plan.subgoals);
        steps.filter(|step| !self.is_done(step.id))
    }

    /// The active entries that the planner is shown.
    pub fn visible(&self) -> impl Iterator<Item = &Entry> {
        self.entries_of(Profile::shows)
    }

    /// The active entries that may refuse a plan in verification.
    pub fn refusing(&self) -> impl Iterator<Item = &Entry> {
        self.entries_of(Profile::refuses_by)
    }

    /// The active entries that may block a step before it begins.
    pub fn blocking(&self) -> impl Iterator<Item = &Entry> {
        self.entries_of(Profile::blocks_by)
    }

    /// The active entries that do anything in this run.
    pub fn in_use(&self) -> impl Iterator<Item = &Entry> {
        self.entries_of(Profile::uses)
    }

    /// The entries of the run, without those that it was told to pass over.
    pub fn not_passed_over(&self) -> impl Iterator<Item = &Entry> {
        self.knowledge
            .iter()
            .filter(|entry| !self.is_passed_over(entry))
    }

    fn is_passed_over(&self, entry: &Entry) -> bool {
        let kind = entry.body.entry_kind();
        matches!(kind, EntryKind::Guardrail | EntryKind::TaskGuardrail)
            && self.passed_over.contains(&entry.id)
    }

    fn entries_of(&self, admits: fn(&Profile, EntryKind) -> bool) -> impl Iterator<Item = &Entry> {
        let profile = self.config().map(|config| &config.profile);
        self.knowledge.iter().filter(move |entry| {
            let kind = entry.body.entry_kind();
            profile.is_some_and(|profile| admits(profile, kind)) && !self.is_passed_over(entry)
        })
    }
}
