//! Events: what has happened in a run. The journal is a list of these and the state is their fold.
//!
//! Events are facts, past tense, append-only. Some of them ask the driver to do something
//! (`WorldAsked`, `ActionIssued`, `ActionCancelled`, `MindAsked`, `RecallAsked`, `SimilarFailuresAsked`, `LookupAsked`);
//! after a crash "asked and not answered" is seen in the fold. Stored names are the `rename`s and
//! never change; renaming a variant does not touch old journals.

use crate::domain::experience::attempt::Stop;
use crate::domain::experience::cell::Cells;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::experience::option::TriedOptions;
use crate::domain::experience::recall::Need;
use crate::domain::experience::shared_options::OptionsOfOrigin;
use crate::domain::experience::similar::SimilarityKey;
use crate::domain::experience::thresholds::Thresholds;
use crate::domain::experience::{Experience, Hit};
use crate::domain::horizon::HorizonModel;
use crate::domain::knowledge::effect::RunResult;
use crate::domain::knowledge::hindsight::Blocked;
use crate::domain::knowledge::{Author, Body, Entry, EntryUse, Guardrail, Status};
use crate::domain::mind::ask::{Ask, Capsule, Explanation, Lesson, RunSummary, TakenApart};
use crate::domain::mind::evidence::FailedAttempt;
use crate::domain::mind::judge::Judgement;
use crate::domain::mind::plan_part::PlanPart;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::sequences::Sequences;
use crate::domain::mind::spending::Spent;
use crate::domain::mind::study::{Reflected, Studied, Topic};
use crate::domain::plan::note::Note;
use crate::domain::plan::task::Task;
use crate::domain::plan::{Goal, Plan, Subgoal};
use crate::domain::run::breakpoint::{BreakOn, Breakpoint};
use crate::domain::run::budget::{Budget, Limits};
use crate::domain::run::compared_step::ComparedStep;
use crate::domain::run::decision::{By, GateKind, Gates, Policy, Question, Verdict};
use crate::domain::run::fork::Fork;
use crate::domain::run::outcome::Outcome;
use crate::domain::run::profile::Profile;
use crate::domain::run::rulebook::Rulebook;
use crate::domain::run::steering::Steering;
use crate::domain::run::triage::{TriageAct, TriageSubject};
use crate::text::signature::Signature;
use pithead_world::action::{Action, ActionReport};
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::ids::{
    ActionId, AttemptId, CallId, DecisionId, KnowledgeId, Revision, RunId, Seq, SubgoalId,
};
use pithead_world::observation::Frame;
use pithead_world::port::{Reflex, WorldSpec};
use serde::{Deserialize, Serialize};

/// An event with its place in the journal. Sequence numbers have no gaps: readers that lag ask for what follows one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    pub run: RunId,
    /// From 1, within the run.
    pub seq: Seq,
    /// Wall-clock time, stamped by the driver; nothing in the fold depends on it but deadlines.
    pub at: Millis,
    pub event: Event,
}

/// Everything that a run was started with, from which alone it can be resumed and replayed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    pub run: RunId,
    pub task: Task,
    pub world: WorldSpec,
    /// For example `builtin:competent`.
    pub mind: String,
    pub profile: Profile,
    pub gates: Gates,
    pub budget: Budget,
    /// What the operator's policy file says; it goes before the gates.
    #[serde(default, skip_serializing_if = "Rulebook::is_empty")]
    pub rulebook: Rulebook,
    #[serde(default)]
    pub limits: Limits,
    /// Later additions have defaults, so journals from before them can be read.
    #[serde(default)]
    pub thresholds: Thresholds,
    /// The roles of distillation that the mind answers; the program's own distiller does the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distillers: Vec<MindRole>,
    /// The percentage with which each entry is withheld from the run, so that its effect can be measured.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hold_out: u8,
    /// Plans that use up more than they will hold, by what steps were seen to use up, go back to their author. On for
    /// language models, which miscount; the simulated planner's errors are calibrated without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_what_is_used_up: bool,
    /// What the selector `horizon` predicts with; the program's own model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon_model: Option<Box<HorizonModel>>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// What has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub enum Event {
    // ── the run and its world ──
    /// Boxed, because the largest variant sets the size of every event.
    #[serde(rename = "run.started")]
    RunStarted { config: Box<RunConfig> },
    #[serde(rename = "world.asked")]
    WorldAsked,
    #[serde(rename = "world.ready")]
    WorldReady { frame: Box<Frame> },
    #[serde(rename = "world.lost")]
    WorldLost { because: String },
    /// The run came back to a world that had gone on without it.
    #[serde(rename = "world.rejoined")]
    WorldRejoined {
        frame: Box<Frame>,
        /// What is not as it was, in words.
        #[serde(default)]
        differs: Vec<String>,
    },
    /// The body did something by itself, while nothing was ordered.
    #[serde(rename = "body.reacted")]
    BodyReacted { reflex: Reflex },
    /// To the other players of a server, for the operator.
    #[serde(rename = "body.spoke")]
    BodySpoke { text: String, by: String },
    #[serde(rename = "frame.seen")]
    FrameSeen { frame: Box<Frame> },

    // ── recall ──
    /// The context in words, what is to become true, and where the agent stands.
    #[serde(rename = "recall.asked")]
    RecallAsked {
        // In words, for the embedder.
        query: String,
        #[serde(default)]
        condition: Option<Signature>,
        #[serde(default)]
        cells: Option<Cells>,
        /// What a plan needs; empty before the first plan, which is asked about as a whole.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        needs: Vec<Need>,
    },
    /// What recall found; the entries are kept as they were at this moment.
    #[serde(rename = "recall.done")]
    Recalled {
        hits: Vec<Hit>,
        knowledge: Vec<Entry>,
        /// What earlier runs showed of the ways to get things.
        #[serde(default, skip_serializing_if = "TriedOptions::is_empty")]
        options: TriedOptions,
    },
    #[serde(rename = "capsule.made")]
    CapsuleMade { capsule: Capsule },

    // ── the mind ──
    #[serde(rename = "mind.asked")]
    MindAsked { call: CallId, ask: Box<Ask> },
    /// The raw text: parsing is done again in a replay. `ms` is how long the mind took.
    #[serde(rename = "mind.answered")]
    MindAnswered { call: CallId, text: String, ms: u64 },
    #[serde(rename = "mind.failed")]
    MindFailed { call: CallId, because: String },
    /// The answer could not be read; `fault` goes back with the next question.
    #[serde(rename = "mind.rejected")]
    AnswerRejected { call: CallId, fault: String },
    /// The answer was read after these repairs, each in a sentence.
    #[serde(rename = "mind.repaired")]
    AnswerRepaired { call: CallId, repairs: Vec<String> },
    /// What the answer cost.
    #[serde(rename = "mind.charged")]
    MindCharged { call: CallId, spent: Box<Spent> },
    /// The question was not put: it might have crossed the budget.
    #[serde(rename = "mind.withheld")]
    MindWithheld { call: CallId, because: String },
    /// No server could be asked. The question stays open: the run is left, and asks again when it is resumed.
    #[serde(rename = "mind.unavailable")]
    MindUnavailable { call: CallId, because: String },
    /// The role gave nothing usable; the program does its work for the rest of the run.
    #[serde(rename = "mind.replaced")]
    RoleReplaced { role: MindRole, because: String },

    // ── plan, verify, gate ──
    /// `replaces` is the subgoal whose failures led here; none for the first plan.
    #[serde(rename = "plan.proposed")]
    PlanProposed {
        revision: Revision,
        plan: Plan,
        replaces: Option<SubgoalId>,
    },
    #[serde(rename = "plan.verified")]
    PlanVerified {
        revision: Revision,
        notes: Vec<Note>,
    },
    /// What is expected of each step that a rule or the mind could judge; the notes are the mind's.
    #[serde(rename = "plan.judged")]
    PlanJudged {
        revision: Revision,
        judged: Vec<Judgement>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    #[serde(rename = "plan.adopted")]
    PlanAdopted { revision: Revision },
    /// More of the plan is due, and no failure of it is the reason.
    #[serde(rename = "plan.continued")]
    PlanContinued { part: Box<PlanPart> },
    #[serde(rename = "decision.asked")]
    DecisionAsked { question: Question },
    #[serde(rename = "decision.made")]
    DecisionMade {
        decision: DecisionId,
        verdict: Verdict,
        by: By,
    },
    /// Someone looks at the question: its clock stands.
    #[serde(rename = "decision.held")]
    DecisionHeld { decision: DecisionId, by: String },
    /// Nobody looks at the question any more: its clock starts anew.
    #[serde(rename = "decision.released")]
    DecisionReleased {
        decision: DecisionId,
        deadline: Millis,
        by: String,
    },

    // ── select, execute ──
    #[serde(rename = "subgoal.selected")]
    SubgoalSelected {
        subgoal: SubgoalId,
        /// What the selector expected of each step that could be next, in the plan's order; empty without predictions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<ComparedStep>,
    },
    #[serde(rename = "attempt.started")]
    AttemptStarted {
        attempt: AttemptId,
        subgoal: SubgoalId,
    },
    #[serde(rename = "action.issued")]
    ActionIssued {
        action: ActionId,
        attempt: AttemptId,
        order: Action,
        /// What the body must not eat or throw away of its own accord, because the plan still needs it.
        #[serde(default, skip_serializing_if = "Counts::is_empty")]
        keep: Counts,
    },
    /// `stop` is why the attempt ends; the event `action.ended` follows.
    #[serde(rename = "action.cancelled")]
    ActionCancelled { action: ActionId, stop: Stop },
    #[serde(rename = "action.ended")]
    ActionEnded {
        action: ActionId,
        report: ActionReport,
        frame: Box<Frame>,
    },

    // ── diagnose, attribute, distil ──
    /// The experience holds the diagnosis.
    #[serde(rename = "attempt.ended")]
    AttemptEnded {
        attempt: AttemptId,
        experience: Box<Experience>,
    },
    /// The operator knows better; what the label was and why it is another one now.
    #[serde(rename = "label.overruled")]
    LabelOverruled {
        attempt: AttemptId,
        was: FailureReason,
        label: FailureReason,
        reason: String,
        by: String,
    },
    /// What was tried in another database, from a file; in the knowledge log.
    #[serde(rename = "options.imported")]
    OptionsImported {
        options: Box<OptionsOfOrigin>,
        /// The newest run at that time, by which what is old counts less.
        after: RunId,
        /// The file's name.
        source: String,
        by: String,
    },
    #[serde(rename = "subgoal.done")]
    SubgoalDone { subgoal: SubgoalId },
    /// K_tol reached: the rest is replanned.
    #[serde(rename = "replan.started")]
    ReplanStarted { subgoal: SubgoalId, because: String },
    /// Asks for failures of this sort in earlier runs that nobody has looked into.
    #[serde(rename = "likes.asked")]
    SimilarFailuresAsked {
        subgoal: SubgoalId,
        #[serde(rename = "like")]
        key: SimilarityKey,
    },
    /// They count towards K_tol as the run's own do.
    #[serde(rename = "likes.found")]
    SimilarFailuresFound {
        subgoal: SubgoalId,
        earlier: Vec<FailedAttempt>,
    },
    #[serde(rename = "lesson.learnt")]
    LessonLearnt { lesson: Lesson },
    /// The constraint binds this run (Eq. 12).
    #[serde(rename = "constraint.bound")]
    ConstraintBound { constraint: Guardrail },
    /// A goal under the task, and what must be had directly before it.
    #[serde(rename = "goal.taken_apart")]
    GoalTakenApart { apart: TakenApart },
    /// A goal under the task is held, and the next one is planned for.
    #[serde(rename = "goal.reached")]
    GoalReached { goal: Goal },
    /// Why a step kept failing; words for the planner.
    #[serde(rename = "failure.explained")]
    FailureExplained {
        subgoal: SubgoalId,
        explanation: Explanation,
    },
    /// The mind's own summary of the run; none could be read if it is empty.
    #[serde(rename = "run.recounted")]
    RunSummarised {
        #[serde(rename = "recount")]
        summary: RunSummary,
    },
    /// The mind looked back at a step that failed, and what follows.
    #[serde(rename = "plan.reflected")]
    PlanReflected { reflected: Box<Reflected> },

    // ── study and knowledge ──
    /// A model is to be asked what there is to learn; the drafts are the program's own.
    #[serde(rename = "study.begun")]
    StudyBegun {
        topics: Vec<Topic>,
        drafts: Vec<Entry>,
        then: Then,
    },
    /// One topic is settled.
    #[serde(rename = "study.settled")]
    StudySettled { studied: Box<Studied> },
    /// Asks whether the knowledge base holds these already.
    #[serde(rename = "lookup.asked")]
    LookupAsked { drafts: Vec<Entry>, then: Then },
    #[serde(rename = "lookup.done")]
    LookedUp {
        // One for each draft, in their order; none where the base does not hold it.
        found: Vec<Option<(KnowledgeId, Status)>>,
        /// What each draft would have blocked of the recorded attempts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        blocked: Vec<Blocked>,
        /// Goals of the drafts that enough runs have reached to be summarised.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sequences: Vec<Sequences>,
    },
    #[serde(rename = "knowledge.proposed")]
    KnowledgeProposed { entry: Box<Entry> },
    /// The same content is there already; its evidence grows.
    #[serde(rename = "knowledge.merged")]
    KnowledgeMerged {
        into: KnowledgeId,
        draft: Box<Entry>,
    },
    /// The same content was vetoed before; it stays so.
    #[serde(rename = "knowledge.suppressed")]
    KnowledgeSuppressed { by: KnowledgeId },
    #[serde(rename = "knowledge.activated")]
    KnowledgeActivated {
        id: KnowledgeId,
        /// Not told in old journals; so below.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<By>,
    },
    #[serde(rename = "knowledge.edited")]
    KnowledgeEdited {
        id: KnowledgeId,
        body: Body,
        // For the entry's history.
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<By>,
    },
    #[serde(rename = "knowledge.vetoed")]
    KnowledgeVetoed {
        id: KnowledgeId,
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<By>,
    },
    /// An entry's life went on outside of a gate: in the knowledge log, or by a rule.
    #[serde(rename = "knowledge.moved")]
    KnowledgeMoved {
        id: KnowledgeId,
        to: Status,
        reason: String,
        by: Author,
        /// The entry that takes its place, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        other: Option<KnowledgeId>,
    },
    #[serde(rename = "knowledge.used")]
    KnowledgeUsed {
        id: KnowledgeId,
        how: EntryUse,
        subgoal: Option<SubgoalId>,
    },
    /// Recall found these, and a draw kept them from the run, so that their effect can be measured.
    #[serde(rename = "knowledge.withheld")]
    KnowledgeWithheld { ids: Vec<KnowledgeId> },
    /// How the run ended, for the effect of each entry that took part in the draw.
    #[serde(rename = "knowledge.measured")]
    KnowledgeMeasured {
        given: Vec<KnowledgeId>,
        withheld: Vec<KnowledgeId>,
        result: RunResult,
    },

    // ── the operator ──
    #[serde(rename = "run.paused")]
    Paused { by: String },
    #[serde(rename = "run.resumed")]
    Resumed { by: String },
    #[serde(rename = "run.stepped")]
    Stepped { by: String },
    /// The operator acts for the agent: this is done before the plan continues.
    #[serde(rename = "run.taken_over")]
    TakenOver { subgoal: Box<Subgoal>, by: String },
    /// The operator changed the course of the run.
    #[serde(rename = "run.steered")]
    Steered { how: Steering, by: String },
    #[serde(rename = "policy.set")]
    PolicySet {
        kind: GateKind,
        policy: Policy,
        by: String,
    },
    /// 0 is as fast as possible.
    #[serde(rename = "pace.set")]
    PaceSet { times_realtime: f64, by: String },
    #[serde(rename = "command.refused")]
    CommandRefused {
        // As it was typed, for the message.
        command: String,
        /// The question that an answer was refused for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<DecisionId>,
        because: String,
    },

    // ── looking into it ──
    /// All breakpoints of the run from now on, not a change of them: the last event says all.
    #[serde(rename = "breaks.set")]
    BreaksSet { breaks: Vec<Breakpoint>, by: String },
    /// A breakpoint was met; the run is paused by it.
    #[serde(rename = "break.hit")]
    BreakHit { on: BreakOn, because: String },
    /// The run begins with the events of another one; this is its first own event.
    #[serde(rename = "run.forked")]
    RunForked { fork: Box<Fork> },
    /// A place of a run that someone marked, and why. Kept in the knowledge log: the run is not changed by it.
    #[serde(rename = "bookmark.set")]
    BookmarkSet {
        run: RunId,
        seq: Seq,
        tick: u64,
        note: String,
        by: String,
    },
    #[serde(rename = "bookmark.removed")]
    BookmarkRemoved { run: RunId, seq: Seq, by: String },
    /// Who looks into what waits, when it comes back in sight, what was said of it. In the knowledge log.
    #[serde(rename = "triage.noted")]
    Triaged {
        subject: TriageSubject,
        act: TriageAct,
        by: String,
    },

    // ── the end ──
    #[serde(rename = "run.ended")]
    RunEnded { outcome: Outcome, because: String },
}

/// What follows a look into the knowledge base, also when a run is resumed in between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The rest is planned anew because of this subgoal.
    Replan {
        subgoal: SubgoalId,
    },
    End {
        outcome: Outcome,
        because: String,
    },
}
