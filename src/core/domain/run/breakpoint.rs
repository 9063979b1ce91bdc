//! Breakpoints: what makes a run, or the playing of its recording, stop and wait for the operator.
//!
//! They name things by what they are and never by their place in a plan, so they survive replans. The
//! text form is the stored form. Invariant: the same events meet the same breakpoints, live and replayed.

use crate::domain::check::Truth;
use crate::domain::condition::Condition;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::Use;
use crate::domain::mind::ask::Ask;
use crate::domain::plan::Subgoal;
use crate::domain::run::event::Event;
use crate::text::glob::Glob;
use crate::text::nearest::nearest_names;
use pithead_world::ids::{AttemptId, KnowledgeId, SubgoalId};
use pithead_world::naming::UnknownName;
use pithead_world::observation::Frame;
use serde::{Deserialize, Serialize};

/// Breakpoints of one run; each is looked at for each event.
pub const BREAKPOINTS_MAX: usize = 64;

/// A phase of the loop, as something to stop at its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Recall,
    Decompose,
    Plan,
    Verify,
    Gate,
    Select,
    Execute,
    Diagnose,
    Replan,
    Distil,
}

impl Stage {
    pub const ALL: [Self; 10] = [
        Self::Recall,
        Self::Decompose,
        Self::Plan,
        Self::Verify,
        Self::Gate,
        Self::Select,
        Self::Execute,
        Self::Diagnose,
        Self::Replan,
        Self::Distil,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Recall => "recall",
            Self::Decompose => "decompose",
            Self::Plan => "plan",
            Self::Verify => "verify",
            Self::Gate => "gate",
            Self::Select => "select",
            Self::Execute => "execute",
            Self::Diagnose => "diagnose",
            Self::Replan => "replan",
            Self::Distil => "distill",
        }
    }

    /// The phase that the event begins, if it begins one.
    #[must_use]
    pub fn begun_by(event: &Event) -> Option<Self> {
        match event {
            Event::RecallAsked { .. } => Some(Self::Recall),
            Event::MindAsked { ask, .. } => match **ask {
                Ask::Decompose(_) => Some(Self::Decompose),
                Ask::Plan(_) => Some(Self::Plan),
                // Each belongs to a phase that another event begins.
                Ask::Capsule(_)
                | Ask::Goal(_)
                | Ask::Diagnose(_)
                | Ask::Explain(_)
                | Ask::Reflect(_)
                | Ask::Skill(_)
                | Ask::Guardrail(_)
                | Ask::Rules(_)
                | Ask::Score(_)
                | Ask::Summarise(_) => None,
            },
            Event::PlanProposed { .. } => Some(Self::Verify),
            Event::DecisionAsked { .. } => Some(Self::Gate),
            Event::SubgoalSelected { .. } => Some(Self::Select),
            Event::AttemptStarted { .. } => Some(Self::Execute),
            Event::AttemptEnded { .. } => Some(Self::Diagnose),
            Event::ReplanStarted { .. } => Some(Self::Replan),
            Event::StudyBegun { .. } | Event::LookupAsked { .. } => Some(Self::Distil),
            _ => None, // no other event begins a phase
        }
    }
}

/// What to stop at.
#[derive(Debug, Clone)]
pub enum On {
    Phase(Stage),
    /// An attempt at a subgoal whose words fit the pattern (`mine *iron*`).
    Subgoal(Glob),
    /// An attempt fails for the reason.
    Reason(FailureReason),
    /// A guardrail keeps something from being planned or run; any, or the one named.
    Guardrail(Option<KnowledgeId>),
    /// The condition becomes true.
    Check(Condition),
    /// World time reaches the tick.
    Tick(u64),
}

impl PartialEq for On {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

/// A breakpoint; one that is off stays in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breakpoint {
    pub on: On,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// Why a text is no breakpoint.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadBreakpoint {
    #[error(
        "`{given}` is no breakpoint; write phase NAME, subgoal PATTERN, reason NAME, guardrail [ID], check CONDITION or tick N"
    )]
    Kind { given: String },
    #[error(transparent)]
    Name(#[from] UnknownName),
    #[error("`{given}` is no {wanted}: {because}")]
    Value {
        wanted: &'static str,
        given: String,
        because: String,
    },
}

impl std::fmt::Display for On {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Phase(stage) => write!(f, "phase {}", stage.name()),
            Self::Subgoal(pattern) => write!(f, "subgoal {pattern}"),
            Self::Reason(reason) => write!(f, "reason {}", reason.name()),
            Self::Guardrail(None) => f.write_str("guardrail"),
            Self::Guardrail(Some(id)) => write!(f, "guardrail {id}"),
            Self::Check(condition) => write!(f, "check {condition}"),
            Self::Tick(tick) => write!(f, "tick {tick}"),
        }
    }
}

impl std::str::FromStr for On {
    type Err = BadBreakpoint;

    fn from_str(text: &str) -> Result<Self, BadBreakpoint> {
        let text = text.trim();
        let (kind, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let value = |wanted, because: String| BadBreakpoint::Value {
            wanted,
            given: rest.to_owned(),
            because,
        };
        let unknown = |what, names: Vec<&'static str>| UnknownName {
            what,
            given: rest.to_owned(),
            nearest: nearest_names(rest, names.into_iter()),
        };
        match kind {
            "phase" => {
                let named = Stage::ALL.into_iter().find(|stage| stage.name() == rest);
                let names = || Stage::ALL.map(Stage::name).to_vec();
                Ok(Self::Phase(named.ok_or_else(|| unknown("phase", names()))?))
            }
            "subgoal" => {
                let pattern = rest
                    .parse()
                    .map_err(|because| value("pattern of subgoals", because))?;
                Ok(Self::Subgoal(pattern))
            }
            "reason" => {
                let names = FailureReason::ALL.map(FailureReason::name).join(", ");
                let named = FailureReason::named(rest);
                let because = || value("failure reason", format!("there are {names}"));
                Ok(Self::Reason(named.ok_or_else(because)?))
            }
            "guardrail" if rest.is_empty() => Ok(Self::Guardrail(None)),
            "guardrail" => {
                let id = rest.parse().map_err(|because| value("entry", because))?;
                Ok(Self::Guardrail(Some(id)))
            }
            "check" => {
                let condition = rest.parse().map_err(
                    |fault: crate::domain::condition::text::ConditionError| {
                        value("condition", fault.to_string())
                    },
                )?;
                Ok(Self::Check(condition))
            }
            "tick" => {
                let digits = rest.replace([',', '_'], "");
                let tick = digits
                    .parse()
                    .map_err(|_| value("tick", "it is a whole number of ticks".to_owned()))?;
                Ok(Self::Tick(tick))
            }
            _ => Err(BadBreakpoint::Kind {
                given: text.to_owned(),
            }),
        }
    }
}

impl Serialize for On {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for On {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// One event with what must be known of the run to judge it.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    pub event: &'a Event,
    /// Subgoals of the plan in force.
    pub plan: &'a [Subgoal],
    /// The last that was seen before the event.
    pub before: Option<Situation<'a>>,
    /// What the event shows, if it shows the world.
    pub after: Option<Situation<'a>>,
}

/// What the event shows of the world.
#[must_use]
pub fn shown(event: &Event) -> Option<&Frame> {
    match event {
        Event::WorldReady { frame }
        | Event::FrameSeen { frame }
        | Event::ActionEnded { frame, .. } => Some(frame),
        _ => None, // no other event shows the world
    }
}

impl Breakpoint {
    #[must_use]
    pub fn new(on: On) -> Self {
        Self { on, off: false }
    }

    /// Why the event meets this breakpoint, if it does.
    #[must_use]
    pub fn met_by(&self, moment: &Moment<'_>) -> Option<String> {
        if self.off {
            return None;
        }
        let event = moment.event;
        match &self.on {
            On::Phase(stage) => (Stage::begun_by(event) == Some(*stage))
                .then(|| format!("the phase {} begins", stage.name())),
            On::Subgoal(pattern) => {
                let (attempt, id) = started(event)?;
                let subgoal = moment.plan.iter().find(|subgoal| subgoal.id == id)?;
                let words = [subgoal.label(), subgoal.condition.clone(), id.to_string()];
                let fits = words.iter().any(|words| pattern.fits(words));
                fits.then(|| format!("{attempt} begins: {}", words[0]))
            }
            On::Reason(reason) => match event {
                Event::AttemptEnded {
                    attempt,
                    experience,
                } if experience.diagnosis.reason == Some(*reason) => {
                    Some(format!("{attempt} failed: {}", reason.name()))
                }
                _ => None, // only a judgement has a reason
            },
            On::Guardrail(wanted) => match event {
                Event::KnowledgeUsed {
                    id,
                    how: Use::Blocked,
                    ..
                } if wanted.is_none_or(|wanted| wanted == *id) => Some(format!("{id} blocked")),
                _ => None, // nothing else says that an entry blocked
            },
            On::Check(condition) => {
                let is_true = |now: Option<Situation<'_>>| {
                    now.is_some_and(|now| condition.truth(&now) == Truth::True)
                };
                (is_true(moment.after) && !is_true(moment.before))
                    .then(|| format!("{condition} became true"))
            }
            On::Tick(tick) => {
                let time = |now: Option<Situation<'_>>| now.and_then(|now| now.tick);
                let reached = time(moment.after).is_some_and(|now| now >= *tick);
                let had = time(moment.before).is_some_and(|then| then >= *tick);
                (reached && !had).then(|| format!("tick {tick} is reached"))
            }
        }
    }
}

fn started(event: &Event) -> Option<(AttemptId, SubgoalId)> {
    match event {
        Event::AttemptStarted { attempt, subgoal } => Some((*attempt, *subgoal)),
        _ => None, // nothing else begins an attempt
    }
}

/// The first breakpoint that the event meets, and why.
#[must_use]
pub fn first_met<'a>(
    list: &'a [Breakpoint],
    moment: &Moment<'_>,
) -> Option<(&'a Breakpoint, String)> {
    list.iter()
        .find_map(|breakpoint| Some((breakpoint, breakpoint.met_by(moment)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::{experience, frame, subgoal};
    use pithead_world::ids::{AttemptId, RunId};
    use pithead_world::item::ItemId;

    fn on(text: &str) -> Breakpoint {
        Breakpoint::new(text.parse().unwrap())
    }

    #[test]
    fn a_breakpoint_reads_as_it_is_written() {
        for text in [
            "phase plan",
            "phase distill",
            "subgoal mine *iron*",
            "reason NAV_STUCK",
            "guardrail",
            "guardrail k1.2",
            "check inv iron_ore >= 3 and underground",
            "tick 3400",
        ] {
            let read: On = text.parse().unwrap();
            let again: On = read.to_string().parse().unwrap();
            assert_eq!(read, again, "{text}");
            let json = serde_json::to_string(&Breakpoint::new(read.clone())).unwrap();
            assert_eq!(
                serde_json::from_str::<Breakpoint>(&json).unwrap().on,
                read,
                "{json}"
            );
        }
    }

    #[test]
    fn a_bad_breakpoint_says_what_would_do() {
        for (text, told) in [
            ("", "phase NAME"),
            ("when it rains", "check CONDITION"),
            ("phase plam", "plan"),
            ("reason NAV_STUK", "NAV_STUCK"),
            ("subgoal", "1 to 200"),
            ("subgoal [", "pattern"),
            ("tick soon", "whole number"),
            ("check inv", "condition"),
            ("guardrail 7", "entry"),
        ] {
            let error = text.parse::<On>().unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }

    fn met(breakpoint: &Breakpoint, event: &Event) -> Option<String> {
        let plan = [subgoal(1, "iron_ore")];
        breakpoint.met_by(&Moment {
            event,
            plan: &plan,
            before: None,
            after: None,
        })
    }

    #[test]
    fn subgoals_reasons_phases_and_guardrails_are_met_by_their_events() {
        let started = Event::AttemptStarted {
            attempt: AttemptId(4),
            subgoal: SubgoalId(1),
        };
        assert!(met(&on("subgoal *iron*"), &started).unwrap().contains("a4"));
        assert!(met(&on("subgoal SG_1"), &started).is_some());
        assert!(met(&on("subgoal *coal*"), &started).is_none());
        assert!(met(&on("phase execute"), &started).is_some());
        let failed = Event::AttemptEnded {
            attempt: AttemptId(4),
            experience: Box::new(experience(1, 4, "iron_ore", false)),
        };
        let reason = experience(1, 4, "iron_ore", false)
            .diagnosis
            .reason
            .unwrap();
        assert!(met(&on(&format!("reason {}", reason.name())), &failed).is_some());
        assert!(met(&on("reason RISK_ABORT"), &failed).is_none());
        let id = KnowledgeId {
            run: RunId(1),
            n: 2,
        };
        let blocked = Event::KnowledgeUsed {
            id,
            how: Use::Blocked,
            subgoal: None,
        };
        assert!(met(&on("guardrail"), &blocked).is_some());
        assert!(met(&on("guardrail k1.3"), &blocked).is_none());
        let mut off = on("guardrail k1.2");
        assert!(met(&off, &blocked).is_some());
        off.off = true;
        assert!(met(&off, &blocked).is_none());
    }

    #[test]
    fn a_check_is_met_when_it_becomes_true_and_not_while_it_is() {
        let mut rich = frame(40, 0);
        rich.inventory.add(ItemId::named("iron_ore").unwrap(), 3);
        let (poor, seen) = (
            frame(20, 0),
            Event::FrameSeen {
                frame: rich.clone(),
            },
        );
        let of = |before, after| Moment {
            event: &seen,
            plan: &[],
            before: Some(Situation::of(before)),
            after: Some(Situation::of(after)),
        };
        let check = on("check inv iron_ore >= 3");
        assert!(check.met_by(&of(&poor, &rich)).is_some());
        assert!(check.met_by(&of(&rich, &rich)).is_none());
        assert!(check.met_by(&of(&rich, &poor)).is_none());
        assert!(on("tick 30").met_by(&of(&poor, &rich)).is_some());
        assert!(on("tick 20").met_by(&of(&poor, &rich)).is_none());
        assert!(on("tick 41").met_by(&of(&poor, &rich)).is_none());
    }
}
