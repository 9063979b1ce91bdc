//! Rulebooks: which actions and entries need a human, as an operator's policy file says.
//!
//! The first rule that fits decides; what no rule names goes by the gates. Invariant: what cannot be
//! told is never let through: it is answered by `unclear`, which asks unless it vetoes.

mod bound;
mod file;
mod form;

pub use bound::Bound;
pub use file::{BadPolicy, parse_rulebook};
pub use form::{RuleFault, RuleForm};

use crate::domain::check::Truth;
use crate::domain::condition::Condition;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::{Body, Entry};
use crate::domain::plan::{Executor, Subgoal, TaskKind};
use crate::domain::run::decision::Policy;
use crate::text::glob::Glob;
use pithead_world::family::ItemSpec;
use serde::{Deserialize, Serialize};

/// Rules of one book; each is looked at whenever a step begins.
pub const RULES_MAX: usize = 200;

/// All rules, in their order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Rulebook {
    /// What is done where it is unclear whether a rule fits.
    #[serde(default)]
    pub unclear: Unclear,
    #[serde(default, skip_serializing_if = "Harmful::is_queue")]
    pub harmful: Harmful,
    #[serde(default, rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<PolicyRule>,
}

/// What becomes of an active entry with which fewer runs succeed, as hold-out has measured with its whole interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Harmful {
    /// It waits in the queue for a person.
    #[default]
    Queue,
    /// It is retired before the next run.
    Retire,
}

impl Harmful {
    /// The name as it is typed and stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Retire => "retire",
        }
    }

    fn is_queue(&self) -> bool {
        *self == Self::Queue
    }
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RuleForm", into = "RuleForm")]
pub struct PolicyRule {
    pub name: Option<String>,
    pub on: RuleSubject,
    pub then: PolicyRuling,
    /// Why, for the operator and, with a veto, for the mind.
    pub because: Option<String>,
}

/// What a rule is about; what is not named fits always.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleSubject {
    Action(ActionRule),
    Entry(EntryRule),
}

/// A step of the plan, before it is begun.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ActionRule {
    /// Any of these over `craft diamond_pickaxe`; none fits all.
    pub action: Vec<Glob>,
    pub kind: Vec<TaskKind>,
    /// How many are wanted.
    pub count: Option<Bound>,
    /// The height that the step goes to, else where the body stands.
    pub y: Option<Bound>,
    pub when: Option<Condition>,
}

/// An entry of the knowledge base, before it becomes active.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryRule {
    /// Any of these over the kind's name.
    pub entry: Vec<Glob>,
    pub title: Vec<Glob>,
    /// What a guardrail is against.
    pub failure: Vec<FailureReason>,
    pub confidence: Option<Bound>,
}

/// What a rule does with what it fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyRuling {
    Approve,
    /// Asks by this policy, which is never `auto`.
    Ask(Policy),
    Veto,
}

/// What is done where nothing can be told; it never approves at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "PolicyRuling", try_from = "PolicyRuling")]
pub struct Unclear(PolicyRuling);

/// What the book says of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// From 1, as the file has them.
    pub rule: usize,
    pub then: PolicyRuling,
    /// Which rule it was, in words.
    pub words: String,
    /// The operator's own reason.
    pub because: Option<String>,
    /// False where it could not be told whether the rule fits.
    pub is_clear: bool,
}

impl Rulebook {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.harmful == Harmful::Queue
    }

    /// What it says of a step that would begin now.
    #[must_use]
    pub fn on_action(&self, subgoal: &Subgoal, now: &Situation<'_>) -> Option<Judged> {
        self.first(|on| match on {
            RuleSubject::Action(rule) => rule.fits(subgoal, now),
            RuleSubject::Entry(_) => Truth::False,
        })
    }

    /// What it says of an entry that would become active.
    #[must_use]
    pub fn on_entry(&self, entry: &Entry) -> Option<Judged> {
        self.first(|on| match on {
            RuleSubject::Action(_) => Truth::False,
            RuleSubject::Entry(rule) => Truth::from_bool(rule.fits(entry)),
        })
    }

    fn first(&self, fits: impl Fn(&RuleSubject) -> Truth) -> Option<Judged> {
        let judged = |at: usize, rule: &PolicyRule, is_clear: bool| {
            let (then, lead) = if is_clear {
                (rule.then, "policy rule")
            } else {
                (
                    self.unclear.0,
                    "it is unclear whether it matches policy rule",
                )
            };
            Judged {
                rule: at + 1,
                then,
                words: format!("{lead} {}: {rule}", at + 1),
                because: rule.because.clone(),
                is_clear,
            }
        };
        let mut rules = self.rules.iter().enumerate();
        rules.find_map(|(at, rule)| match fits(&rule.on) {
            Truth::False => None,
            Truth::Unknown => Some(judged(at, rule, false)),
            Truth::True => Some(judged(at, rule, true)),
        })
    }

    /// The first rule that would wait for ever where nobody is there to answer.
    #[must_use]
    pub fn waits_for_ever(&self) -> Option<String> {
        let waits = |then: PolicyRuling| then == PolicyRuling::Ask(Policy::Ask);
        let blocks = |rule: &&PolicyRule| matches!(rule.on, RuleSubject::Action(_));
        let mut rules = self.rules.iter().enumerate();
        let named = rules.find(|(_, rule)| blocks(rule) && waits(rule.then));
        let unclear = || self.rules.iter().find(blocks).is_some() && waits(self.unclear.0);
        match named {
            Some((at, rule)) => Some(format!("rule {} ({rule}) says ask", at + 1)),
            None => unclear().then(|| "`unclear` says ask".to_owned()),
        }
    }
}

impl ActionRule {
    fn fits(&self, subgoal: &Subgoal, now: &Situation<'_>) -> Truth {
        let Self {
            action,
            kind,
            count,
            y,
            when,
        } = self;
        let is_kind = Truth::from_bool(kind.is_empty() || kind.contains(&subgoal.task_kind));
        let has_count = subgoal.goal.object.is_some();
        let is_count = count.map_or(Truth::True, |bound| {
            Truth::from_bool(has_count && bound.holds(f64::from(subgoal.goal.count)))
        });
        let is_high = y.map_or(Truth::True, |bound| match height(subgoal, now) {
            Some(y) => Truth::from_bool(bound.holds(y)),
            None => Truth::Unknown,
        });
        let holds = when
            .as_ref()
            .map_or(Truth::True, |when| when.truth(&now.pursuing(subgoal)));
        is_kind
            .and(named(action, subgoal))
            .and(is_count)
            .and(is_high)
            .and(holds)
    }
}

/// Whether what the step does is named; unknown where only some of what it may come to is.
fn named(globs: &[Glob], subgoal: &Subgoal) -> Truth {
    if globs.is_empty() {
        return Truth::True;
    }
    let verb = subgoal.executor_hint;
    let fits = |words: &str| globs.iter().any(|glob| glob.fits(words));
    let Some(object) = subgoal.goal.object.filter(|_| !goes_to_height(verb)) else {
        return Truth::from_bool(fits(verb.name()));
    };
    if fits(&words(verb, object)) {
        return Truth::True;
    }
    let members = object.members();
    let of = |item: &&_| fits(&words(verb, ItemSpec::from(**item)));
    match members.iter().filter(of).count() {
        0 => Truth::False,
        all if all == members.len() => Truth::True,
        _ => Truth::Unknown,
    }
}

/// What a pattern is held against.
fn words(verb: Executor, object: ItemSpec) -> String {
    format!("{} {object}", verb.name())
}

fn goes_to_height(verb: Executor) -> bool {
    matches!(verb, Executor::DigDown | Executor::GoUp)
}

#[allow(clippy::cast_precision_loss)] // heights are small
fn height(subgoal: &Subgoal, now: &Situation<'_>) -> Option<f64> {
    let goal = subgoal
        .goal
        .amount
        .filter(|_| goes_to_height(subgoal.executor_hint));
    goal.map(|y| y as f64)
        .or(now.position.map(|at| at.y.floor()))
}

impl EntryRule {
    fn fits(&self, entry: &Entry) -> bool {
        let Self {
            entry: kinds,
            title,
            failure,
            confidence,
        } = self;
        let any = |globs: &[Glob], words: &str| globs.iter().any(|glob| glob.fits(words));
        let against = match &entry.body {
            Body::Guardrail(guardrail) => Some(guardrail.reason),
            Body::Skill(_)
            | Body::TaskGuardrail(_)
            | Body::Rule(_)
            | Body::ReferencePlan(_)
            | Body::Note(_) => None,
        };
        any(kinds, entry.body.kind())
            && (title.is_empty() || any(title, &entry.title))
            && (failure.is_empty() || against.is_some_and(|reason| failure.contains(&reason)))
            && confidence.is_none_or(|bound| bound.holds(entry.confidence))
    }
}

impl std::fmt::Display for PolicyRuling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Approve => f.write_str("approve"),
            Self::Ask(policy) => policy.fmt(f),
            Self::Veto => f.write_str("veto"),
        }
    }
}

impl std::str::FromStr for PolicyRuling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("approve", _) => Ok(Self::Approve),
            ("veto", _) => Ok(Self::Veto),
            (_, Ok(policy)) if policy != Policy::Auto => Ok(Self::Ask(policy)),
            _ => Err(format!(
                "`{text}` is no outcome; use approve, veto, ask, ask:SECONDS:approve or ask:SECONDS:veto"
            )),
        }
    }
}

impl Serialize for PolicyRuling {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PolicyRuling {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

impl Default for Unclear {
    fn default() -> Self {
        Self(PolicyRuling::Ask(Policy::Ask))
    }
}

impl TryFrom<PolicyRuling> for Unclear {
    type Error = String;

    fn try_from(then: PolicyRuling) -> Result<Self, String> {
        match then {
            PolicyRuling::Approve => Err(
                "an unclear match is never approved; use ask, ask:SECONDS:veto or veto".to_owned(),
            ),
            PolicyRuling::Ask(_) | PolicyRuling::Veto => Ok(Self(then)),
        }
    }
}

impl From<Unclear> for PolicyRuling {
    fn from(unclear: Unclear) -> Self {
        unclear.0
    }
}

#[cfg(test)]
mod tests;
