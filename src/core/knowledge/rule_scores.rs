//! Scores of rules: what recorded attempts say of a requirement.
//!
//! Invariant: a success without what a rule requires refutes it, and a failure counts only where something lacked.

use crate::domain::check::{Check, Truth};
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::hindsight::{self, Blocked};
use crate::domain::knowledge::{Guardrail, Pattern, Rule, RuleRecord};
use pithead_world::family::ItemSpec;

/// Failures that a requirement can explain; the night and the terrain lack nothing.
#[must_use]
pub fn is_lack(reason: Option<FailureReason>) -> bool {
    matches!(
        reason,
        Some(FailureReason::ToolMissing | FailureReason::ActionInvalid)
    )
}

pub(super) fn is_of_lack(attempt: &Experience) -> bool {
    is_lack(attempt.diagnosis.reason)
}

/// What these attempts say of the rule.
#[must_use]
pub fn record_in(when: &Condition, then: &Condition, attempts: &[Experience]) -> RuleRecord {
    let mut record = RuleRecord::default();
    for attempt in attempts {
        let now = hindsight::situation(&attempt.pre, &attempt.action);
        if !when.truth(&now).is_true() {
            continue;
        }
        let failed = attempt.is_failure() && is_of_lack(attempt);
        match (then.truth(&now), attempt.diagnosis.success) {
            (Truth::False, true) => record.unmet_done += 1,
            (Truth::True, true) => record.met_done += 1,
            (Truth::False, false) if failed => record.unmet_failed += 1,
            (Truth::True, false) if failed => record.met_failed += 1,
            // It failed for another reason, or nobody knows how it stood.
            (Truth::False | Truth::True, false) | (Truth::Unknown, _) => (),
        }
    }
    record
}

/// [consistent, clear, feasible]: no record speaks against it, one knows when it applies, and it has been seen to be
/// met. Without a record that speaks for it, it is as likely wrong as right. Each from 0 to 1.
#[must_use]
pub fn score(when: &Condition, then: &Condition, record: RuleRecord) -> [f64; 3] {
    let consistent = if record.misses() > 0 {
        // It went well without: that one case says that the rule is not one.
        0.0
    } else if record.unmet_failed == 0 {
        // That it went well with it does not show that it takes it.
        0.5
    } else {
        // Laplace's rule of succession: without any record a half, and never a full one.
        (record.hits() + 1) as f64 / (record.hits() + 2) as f64
    };
    let clear = match (kind_named(when), target(when)) {
        (true, Some(_)) => 1.0,
        (true, None) | (false, Some(_)) => 0.5,
        (false, None) => 0.0,
    };
    let feasible = match (record.met_done, asks_for_what_can_be_got(then)) {
        (0, true) => 0.5, // nobody has met it yet and gone on well
        (0, false) => 0.25,
        (_, true) => 1.0,
        (_, false) => 0.5, // it depends on what the world does by itself
    };
    [consistent, clear, feasible]
}

fn asks_for_what_can_be_got(then: &Condition) -> bool {
    match then {
        Condition::All(parts) => parts.iter().all(asks_for_what_can_be_got),
        Condition::Any(parts) => parts.iter().any(asks_for_what_can_be_got),
        Condition::Not(_) => false,
        Condition::Is(Predicate::ToolGe { .. } | Predicate::Holding(_)) => true,
        Condition::Is(Predicate::Check(check)) => matches!(
            check,
            Check::InvGe { .. }
                | Check::Equipped { .. }
                | Check::Near { .. }
                | Check::YposLe { .. }
                | Check::YposGe { .. }
        ),
        Condition::Is(_) => false,
    }
}

/// The rule with the record of all runs. What a model said of it stays, unless the record refutes it.
#[must_use]
pub fn scored_on(rule: &Rule, past: Blocked) -> Rule {
    let record = RuleRecord {
        unmet_failed: past.failures,
        unmet_done: past.successes,
        met_done: past.met_successes,
        met_failed: past.met_failures,
    };
    let [mut consistent, clear, feasible] = score(&rule.when, &rule.then, record);
    let [was, clear_before, feasible_before] = rule.scores;
    if consistent > 0.0 {
        consistent = consistent.max(was);
    }
    Rule {
        scores: [
            consistent,
            clear.max(clear_before),
            feasible.max(feasible_before),
        ],
        record,
        ..rule.clone()
    }
}

/// The rule as two guardrails, for asking the record: what begins without what it requires, and what begins with it.
#[must_use]
pub fn as_guardrails(rule: &Rule) -> [Guardrail; 2] {
    let with = |then: Condition| Guardrail {
        trigger: rule.when.clone().and(then),
        forbid: Pattern {
            kind: named(&rule.when, &|predicate| match predicate {
                Predicate::SubgoalKind(kind) => Some(*kind),
                _ => None, // the others name no kind
            }),
            ..Pattern::default()
        },
        avoid: String::new(),
        recovery: Vec::new(),
        reason: FailureReason::ToolMissing,
    };
    [with(rule.then.clone().not()), with(rule.then.clone())]
}

/// What the rule's step is for, if it names that.
#[must_use]
pub fn target(when: &Condition) -> Option<ItemSpec> {
    named(when, &|predicate| match predicate {
        Predicate::Target(item) => Some(*item),
        _ => None, // the others name no item
    })
}

fn kind_named(when: &Condition) -> bool {
    let kind = |predicate: &Predicate| matches!(predicate, Predicate::SubgoalKind(_)).then_some(());
    named(when, &kind).is_some()
}

/// What a conjunction says for certain; alternatives and negations say nothing.
/// In a disjunction none of the parts is certain.
fn named<T>(when: &Condition, of: &dyn Fn(&Predicate) -> Option<T>) -> Option<T> {
    match when {
        Condition::All(parts) => parts.iter().find_map(|part| named(part, of)),
        Condition::Is(predicate) => of(predicate),
        Condition::Any(_) | Condition::Not(_) => None,
    }
}
