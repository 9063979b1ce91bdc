//! The table of event kinds: variant, stored name, and the version of body that is written now.
//!
//! Invariant: one row per variant. The compiler holds it complete, a test in the codec holds the names
//! to be the ones that serde writes.

use pithead_core::domain::run::event::Event;

/// Makes from one list both directions: a list by hand for each would part some day.
macro_rules! kinds {
    ($($variant:ident = $name:literal, $version:literal;)*) => {
        /// Every stored name with its version, in the order of the table.
        pub(super) const KINDS: &[(&str, u32)] = &[$(($name, $version)),*];

        /// The stored name of an event's kind. Nothing is serialized: a frame may be large.
        #[must_use]
        pub fn kind(event: &Event) -> &'static str {
            kind_and_version(event).0
        }

        pub(super) fn kind_and_version(event: &Event) -> (&'static str, u32) {
            match event {
                $(Event::$variant { .. } => ($name, $version),)*
            }
        }
    };
}

kinds! {
    RunStarted = "run.started", 1;
    WorldAsked = "world.asked", 1;
    WorldReady = "world.ready", 1;
    WorldLost = "world.lost", 1;
    WorldRejoined = "world.rejoined", 1;
    BodyReacted = "body.reacted", 1;
    BodySpoke = "body.spoke", 1;
    FrameSeen = "frame.seen", 1;
    RecallAsked = "recall.asked", 1;
    Recalled = "recall.done", 1;
    CapsuleMade = "capsule.made", 1;
    MindAsked = "mind.asked", 2;
    MindAnswered = "mind.answered", 2;
    MindFailed = "mind.failed", 1;
    AnswerRejected = "mind.rejected", 1;
    AnswerRepaired = "mind.repaired", 1;
    MindCharged = "mind.charged", 1;
    MindWithheld = "mind.withheld", 1;
    MindUnavailable = "mind.unavailable", 1;
    RoleReplaced = "mind.replaced", 1;
    OptionsImported = "options.imported", 1;
    LabelOverruled = "label.overruled", 1;
    PlanProposed = "plan.proposed", 1;
    PlanVerified = "plan.verified", 1;
    PlanJudged = "plan.judged", 1;
    PlanAdopted = "plan.adopted", 1;
    PlanContinued = "plan.continued", 1;
    DecisionAsked = "decision.asked", 1;
    DecisionMade = "decision.made", 1;
    DecisionHeld = "decision.held", 1;
    DecisionReleased = "decision.released", 1;
    SubgoalSelected = "subgoal.selected", 1;
    AttemptStarted = "attempt.started", 1;
    ActionIssued = "action.issued", 1;
    ActionCancelled = "action.cancelled", 1;
    ActionEnded = "action.ended", 1;
    AttemptEnded = "attempt.ended", 1;
    SubgoalDone = "subgoal.done", 1;
    ReplanStarted = "replan.started", 1;
    LessonLearnt = "lesson.learnt", 1;
    ConstraintBound = "constraint.bound", 1;
    GoalTakenApart = "goal.taken_apart", 1;
    GoalReached = "goal.reached", 1;
    FailureExplained = "failure.explained", 1;
    RunSummarised = "run.recounted", 1;
    SimilarFailuresAsked = "likes.asked", 1;
    SimilarFailuresFound = "likes.found", 1;
    PlanReflected = "plan.reflected", 1;
    StudyBegun = "study.begun", 1;
    StudySettled = "study.settled", 1;
    LookupAsked = "lookup.asked", 1;
    LookedUp = "lookup.done", 1;
    KnowledgeProposed = "knowledge.proposed", 1;
    KnowledgeMerged = "knowledge.merged", 1;
    KnowledgeSuppressed = "knowledge.suppressed", 1;
    KnowledgeActivated = "knowledge.activated", 1;
    KnowledgeEdited = "knowledge.edited", 1;
    KnowledgeVetoed = "knowledge.vetoed", 1;
    KnowledgeMoved = "knowledge.moved", 1;
    KnowledgeUsed = "knowledge.used", 1;
    KnowledgeWithheld = "knowledge.withheld", 1;
    KnowledgeMeasured = "knowledge.measured", 1;
    Paused = "run.paused", 1;
    Resumed = "run.resumed", 1;
    Stepped = "run.stepped", 1;
    TakenOver = "run.taken_over", 1;
    Steered = "run.steered", 1;
    PolicySet = "policy.set", 1;
    PaceSet = "pace.set", 1;
    CommandRefused = "command.refused", 1;
    RunEnded = "run.ended", 1;
    BreaksSet = "breaks.set", 1;
    BreakHit = "break.hit", 1;
    RunForked = "run.forked", 1;
    BookmarkSet = "bookmark.set", 1;
    BookmarkRemoved = "bookmark.removed", 1;
    Triaged = "triage.noted", 1;
}

/// The version of body that is written now; none for a kind that this program does not know.
pub(super) fn newest_version(kind: &str) -> Option<u32> {
    let found = KINDS.iter().find(|(known, _)| *known == kind);
    found.map(|(_, version)| *version)
}
