//! Case files: one attempt with every frame of it, read from the journal without the rest of its run.
//!
//! The events of the attempt are folded by the core itself, from the frame before it on, so that the
//! evidence is what it was judged by. Invariant: judged with its run's thresholds, it gives the label
//! that was recorded.

use super::attempts::AttemptRow;
use super::open::config_of;
use super::past_attempts::{FrameSource, NoEvidence, PastAttempt, look_back_at};
use crate::journal::{Journal, JournalError};
use pithead_core::agent::{State, evidence};
use pithead_core::diagnosis::monitor::truths;
use pithead_core::diagnosis::series::{Series, series};
use pithead_core::diagnosis::whatif::{self, Nearest};
use pithead_core::domain::condition::situation::Situation;
use pithead_core::domain::experience::attempt::{Attempt, Sample};
use pithead_core::domain::experience::diagnosis::Diagnosis;
use pithead_core::domain::experience::state_summary::StateSummary;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::plan::Plan;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::action::ActionFailure;
use pithead_world::ids::{Revision, RunId, Seq};
use pithead_world::observation::Frame;

/// Events read in one go.
const PAGE: usize = 1_024;
/// Frames kept of one attempt; of a longer one every second, every fourth, and so on.
/// At ten ticks a frame, more than two hours of the world.
pub const MOMENTS_MAX: usize = 16_384;
/// Events of one attempt that are read; beyond that it is too long to be looked at in one piece.
/// Also a bound against a damaged row.
const EVENTS_MAX: u64 = 2_000_000;

/// What to do if not all frames of an attempt were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingFrames {
    /// Play the run's world again up to the attempt.
    Replay,
    /// Show what was recorded.
    Leave,
}

/// One attempt, ready to be looked at and judged again.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFile {
    pub row: AttemptRow,
    /// As it was judged: thinned out when long.
    pub attempt: Attempt,
    pub post: StateSummary,
    pub thresholds: Thresholds,
    pub source: FrameSource,
    /// Frame by frame.
    pub samples: Vec<Sample>,
    /// The event of each sample; none where the frames were not recorded.
    pub seqs: Vec<Seq>,
    /// One of this many frames is kept.
    /// 1, 2, 4 …
    pub every: u32,
    /// What was ordered and how it ended, by event.
    pub deeds: Vec<(Seq, String)>,
    pub series: Vec<Series>,
    /// Judged with its run's thresholds; for an attempt under way, as if it ended now.
    pub diagnosis: Diagnosis,
    /// What was recorded, if it has ended.
    pub recorded: Option<Diagnosis>,
    /// The nearest thresholds that would give another label.
    pub nearest: Vec<Nearest>,
}

impl CaseFile {
    /// Reads an attempt of a run.
    pub fn open(
        journal: &Journal,
        run: RunId,
        row: &AttemptRow,
        missing: MissingFrames,
    ) -> Result<Self, NoEvidence> {
        let nothing = |because: &str| NoEvidence::NoWorld {
            run,
            because: because.to_owned(),
        };
        // The state right before the attempt, without reading the whole run.
        let mut fold = Fold::begin(journal, run, row)?
            .ok_or_else(|| nothing("nothing was seen before the attempt"))?;
        fold.follow(journal, run, row)?;
        let (attempt, post) = match fold.end.take() {
            Some(end) => end,
            None => evidence::attempt_evidence(&fold.state, None)
                .ok_or_else(|| nothing("the attempt did not begin as it should"))?,
        };
        // An attempt under way has frames to come, so missing ones mean nothing.
        if missing == MissingFrames::Replay && !fold.is_whole() && row.to.is_some() {
            return Ok(Self::replayed(row, look_back_at(journal, run, row.id)?));
        }
        let config = fold.state.config();
        let thresholds = config.map(|config| config.thresholds.clone());
        Ok(Self::finish(
            row,
            (attempt, post),
            thresholds.unwrap_or_default(),
            fold,
        ))
    }

    fn finish(
        row: &AttemptRow,
        (attempt, post): (Attempt, StateSummary),
        thresholds: Thresholds,
        fold: Fold,
    ) -> Self {
        let case = whatif::EndedAttempt {
            attempt: &attempt,
            post: &post,
        };
        let diagnosis = case.judge(&thresholds);
        // For an attempt under way the nearest thresholds would change with every frame.
        let nearest = if row.to.is_some() {
            case.nearest(&thresholds)
        } else {
            Vec::new()
        };
        let series = series(&attempt, thresholds.window_ticks);
        let Fold {
            samples,
            seqs,
            every,
            deeds,
            recorded,
            ..
        } = fold;
        Self {
            row: row.clone(),
            attempt,
            post,
            thresholds,
            source: FrameSource::Recorded,
            samples,
            seqs,
            every,
            deeds,
            series,
            diagnosis,
            recorded,
            nearest,
        }
    }

    /// The frames were not recorded: the world was played again for them.
    fn replayed(row: &AttemptRow, past: PastAttempt) -> Self {
        let fold = Fold {
            state: State::new(),
            attempt: None,
            samples: past.attempt.samples.clone(),
            seqs: Vec::new(),
            every: 1,
            passed: 0,
            frames: 0,
            // Each sample of a replay is one frame.
            frame_ticks: 1,
            deeds: Vec::new(),
            recorded: Some(past.experience.diagnosis.clone()),
            end: None,
        };
        Self {
            source: past.source,
            ..Self::finish(row, (past.attempt, past.post), past.thresholds, fold)
        }
    }

    #[must_use]
    pub fn as_case(&self) -> whatif::EndedAttempt<'_> {
        whatif::EndedAttempt {
            attempt: &self.attempt,
            post: &self.post,
        }
    }

    /// The event of a sample; the attempt's first where it is not known.
    #[must_use]
    pub fn seq_at(&self, at: usize) -> Seq {
        self.seqs.get(at).copied().unwrap_or(self.row.from)
    }

    /// The last tick that is not more than so many after the beginning: its first sample.
    #[must_use]
    pub fn at_tick(&self, elapsed: u64) -> usize {
        let first = self.samples.first().map_or(0, |sample| sample.tick);
        let until = first.saturating_add(elapsed);
        let upto = self.samples.partition_point(|sample| sample.tick <= until);
        let Some(last) = upto.checked_sub(1) else {
            return 0;
        };
        // The end of an action may be seen at the tick of the frame before it.
        // Two samples may share a tick; the first of them is shown.
        let tick = self.samples[last].tick;
        self.samples.partition_point(|sample| sample.tick < tick)
    }
}

/// The fold of one attempt's events.
struct Fold {
    state: State,
    /// As it stood when the attempt began, for judging the checks of each frame.
    attempt: Option<Attempt>,
    samples: Vec<Sample>,
    seqs: Vec<Seq>,
    every: u32,
    passed: u32,
    frames: u64,
    frame_ticks: u64,
    deeds: Vec<(Seq, String)>,
    recorded: Option<Diagnosis>,
    end: Option<(Attempt, StateSummary)>,
}

const FRAMES: [&str; 3] = ["world.ready", "frame.seen", "action.ended"];

impl Fold {
    /// The state right before the attempt, as far as the attempt depends on it.
    /// Only what an attempt depends on: config, fork, its step and the frame before it.
    fn begin(journal: &Journal, run: RunId, row: &AttemptRow) -> Result<Option<Self>, NoEvidence> {
        let config = config_of(journal, run)?;
        let frame_ticks = u64::from(config.world.frame_ticks.max(1));
        let mut state = State::new();
        let mut tell = |seq: Seq, event: Event| {
            state.apply(&Recorded {
                run,
                seq,
                at: pithead_world::clock::Millis(0),
                event,
            });
        };
        tell(
            Seq(1),
            Event::RunStarted {
                config: Box::new(config),
            },
        );
        if let Some(forked) = journal.last_before(run, row.from, &["run.forked"])? {
            tell(forked.seq, forked.event);
        }
        let Some(plan) = plan_of(journal, run, row)? else {
            return Ok(None);
        };
        // The real revision does not matter: nothing in the evidence refers to it.
        let revision = Revision(1);
        tell(
            Seq(1),
            Event::PlanProposed {
                revision,
                plan,
                replaces: None,
            },
        );
        tell(Seq(1), Event::PlanAdopted { revision });
        let Some(seen) = journal.last_before(run, row.from, &FRAMES)? else {
            return Ok(None);
        };
        let seq = seen.seq;
        let Some(frame) = shown(seen.event) else {
            return Ok(None);
        };
        tell(seq, Event::FrameSeen { frame });
        Ok(Some(Self {
            state,
            attempt: None,
            samples: Vec::new(),
            seqs: Vec::new(),
            every: 1,
            passed: 0,
            frames: 0,
            frame_ticks,
            deeds: Vec::new(),
            recorded: None,
            end: None,
        }))
    }

    /// Goes through the attempt.
    fn follow(
        &mut self,
        journal: &Journal,
        run: RunId,
        row: &AttemptRow,
    ) -> Result<(), JournalError> {
        // From the event before the attempt's first.
        let mut after = Seq(row.from.0 - 1);
        let mut last: Option<Event> = None;
        while after.0 < row.from.0 + EVENTS_MAX {
            let page = journal.events(run, after, PAGE)?;
            let Some(end) = page.last() else {
                return Ok(());
            };
            after = end.seq;
            for fact in page {
                if self.apply(&fact, row, last.as_ref()) {
                    return Ok(());
                }
                last = matches!(
                    fact.event,
                    Event::ActionEnded { .. } | Event::WorldLost { .. }
                )
                .then_some(fact.event);
            }
        }
        Ok(())
    }

    /// True if the attempt is over with this event; `last` is the event before it, if it ended something.
    fn apply(&mut self, fact: &Recorded, row: &AttemptRow, last: Option<&Event>) -> bool {
        match &fact.event {
            Event::AttemptEnded { experience, .. } => {
                self.recorded = Some(experience.diagnosis.clone());
                self.end = evidence::attempt_evidence(&self.state, last);
                // The end itself is not applied: it would clear the attempt.
                return true;
            }
            // Another attempt begins, or the run is over, without this one having been judged.
            Event::RunEnded { .. } => return true,
            Event::AttemptStarted { attempt, .. } if *attempt != row.id => return true,
            Event::ActionIssued { order, .. } => {
                let words = format!("ordered: {}", order.name());
                self.deeds.push((fact.seq, words));
            }
            Event::ActionCancelled { stop, .. } => {
                let words = format!("cancelled: {}", stop_name(stop));
                self.deeds.push((fact.seq, words));
            }
            Event::ActionEnded { report, .. } => {
                let words = match &report.failure {
                    None => "done".to_owned(),
                    // Why it was is told by the event before.
                    Some(ActionFailure::Cancelled) => "it stopped".to_owned(),
                    Some(failure) => format!("failed: {failure}"),
                };
                self.deeds.push((fact.seq, words));
            }
            _ => (), // the others are told by the fold
        }
        self.state.apply(fact);
        match &fact.event {
            Event::AttemptStarted { .. } => {
                self.attempt =
                    evidence::attempt_evidence(&self.state, None).map(|(attempt, _)| attempt);
                let first = self.attempt.as_ref().and_then(|a| a.samples.first());
                if let Some(first) = first {
                    (self.samples, self.seqs) = (vec![first.clone()], vec![fact.seq]);
                }
            }
            Event::FrameSeen { frame } => {
                self.frames += 1;
                self.look(fact.seq, frame, false);
            }
            Event::ActionEnded { frame, .. } => self.look(fact.seq, frame, true),
            _ => (), // nothing else shows the world in the middle of an attempt
        }
        false
    }

    fn look(&mut self, seq: Seq, frame: &Frame, is_last: bool) {
        let Some(attempt) = &self.attempt else {
            return;
        };
        self.passed += 1;
        // The last frame of an action is always kept.
        if !self.passed.is_multiple_of(self.every) && !is_last {
            return;
        }
        let now = Situation::of(frame)
            .since(&attempt.baseline)
            .pursuing(&attempt.subgoal);
        let truths = truths(&attempt.subgoal, &now);
        self.samples.push(Sample::from_frame(frame, truths));
        self.seqs.push(seq);
        if self.samples.len() > MOMENTS_MAX {
            // Every second sample goes, and from now on every second frame.
            self.every *= 2;
            let mut at = 0;
            self.samples.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            let mut at = 0;
            self.seqs.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
    }

    /// As in looking back: where more than half of the frames are missing they were not kept.
    fn is_whole(&self) -> bool {
        let ticks = |sample: Option<&Sample>| sample.map_or(0, |sample| sample.tick);
        let span = ticks(self.samples.last()).saturating_sub(ticks(self.samples.first()));
        let due = span / self.frame_ticks;
        due <= 1 || self.frames * 2 >= due
    }
}

fn stop_name(stop: &pithead_core::domain::experience::attempt::Stop) -> String {
    use pithead_core::domain::experience::attempt::Stop;
    match stop {
        Stop::Done => "all checks are true".to_owned(),
        Stop::ActionEnded => "the action ended".to_owned(),
        Stop::Stalled { seen } => format!("stalled, {seen}"),
        Stop::TimedOut => "its time is used up".to_owned(),
        Stop::BudgetSpent => "the budget is used up".to_owned(),
        Stop::Aborted => "by the operator".to_owned(),
        Stop::TaskDone => "the task is done".to_owned(),
        Stop::Terminated { because } | Stop::NoExecutor { because } => because.clone(),
    }
}

fn shown(event: Event) -> Option<Box<Frame>> {
    match event {
        Event::WorldReady { frame }
        | Event::WorldRejoined { frame, .. }
        | Event::FrameSeen { frame }
        | Event::ActionEnded { frame, .. } => Some(frame),
        _ => None, // no other event shows the world
    }
}

/// A plan of the attempt's subgoal and nothing else.
fn plan_of(journal: &Journal, run: RunId, row: &AttemptRow) -> Result<Option<Plan>, JournalError> {
    // Backwards from the attempt: the newest plan with its step.
    let mut before = row.from;
    // The plan in force need not be the one proposed last: that one may have been vetoed.
    while let Some(fact) = journal.last_before(run, before, &["plan.proposed"])? {
        before = fact.seq;
        let Event::PlanProposed { plan, .. } = fact.event else {
            return Ok(None);
        };
        if let Some(subgoal) = plan.get(row.subgoal) {
            return Ok(Some(Plan {
                subgoals: vec![subgoal.clone()],
                ..plan
            }));
        }
    }
    Ok(None)
}
