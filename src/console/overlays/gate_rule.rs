//! A rule about a gate, made out of a question: how far it reaches, its policy, and what would be saved.

use crate::context::Context;
use crate::effect::{Effect, GateRule, InboxAction, Reach};
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::theme::Role;
use crate::widgets::rich::Rich;
use crate::widgets::scroll::Motion;
use pithead_core::domain::run::decision::{Fallback, GateKind, Policy};
use pithead_world::ids::RunId;

/// Policies that a rule can have.
pub const POLICIES: [Policy; 4] = [
    Policy::Auto,
    Policy::Ask,
    Policy::AskFor {
        seconds: 60,
        then: Fallback::Approve,
    },
    Policy::AskFor {
        seconds: 60,
        then: Fallback::Veto,
    },
];

/// Opens a rule about a kind of question, beginning with what is asked for most: always, unasked.
pub(crate) fn open_gate_rule(context: &mut Context<'_>, kind: GateKind, run: RunId) {
    // A run that is over asks nothing any more.
    let row = context.cache.run(run);
    let run = match row {
        Some(row) if row.outcome.is_some() => RunId(0),
        Some(_) | None => run,
    };
    context.shell.open_overlay(Overlay::GateRule(GateRule {
        kind,
        run,
        reach: Reach::Always,
        policy: Policy::Auto,
    }));
}

/// A message while a rule is chosen.
pub(crate) fn update_gate_rule(
    context: &mut Context<'_>,
    ruling: GateRule,
    msg: Msg,
) -> Option<Effect> {
    let turned = |at: Option<usize>, len: usize, by: usize| (at.unwrap_or(0) + by) % len;
    let reach = |by| {
        let at = Reach::ALL.iter().position(|reach| *reach == ruling.reach);
        Reach::ALL[turned(at, Reach::ALL.len(), by)]
    };
    let policy = |by| {
        let at = POLICIES.iter().position(|policy| *policy == ruling.policy);
        POLICIES[turned(at, POLICIES.len(), by)]
    };
    let next = match msg {
        Msg::Move(Motion::Down) => GateRule {
            reach: reach(1),
            ..ruling
        },
        Msg::Move(Motion::Up) => GateRule {
            reach: reach(Reach::ALL.len() - 1),
            ..ruling
        },
        Msg::Move(Motion::Right) => GateRule {
            policy: policy(1),
            ..ruling
        },
        Msg::Move(Motion::Left) => GateRule {
            policy: policy(POLICIES.len() - 1),
            ..ruling
        },
        Msg::Yes => {
            if ruling.reach == Reach::Run && ruling.run == RunId(0) {
                context
                    .shell
                    .refuse("no run asks this any longer; choose always, or leave");
                return None;
            }
            context.shell.close_overlay();
            if ruling.reach == Reach::Once {
                context
                    .shell
                    .say("no rule was saved; this answers only this question");
                return None;
            }
            return Some(Effect::Inbox(InboxAction::Save(ruling)));
        }
        _ => {
            context.shell.close_overlay();
            return None;
        }
    };
    context.shell.replace_overlay(Overlay::GateRule(next));
    None
}

/// The rule in full, as it would be saved.
#[must_use]
pub fn rule_lines(ruling: &GateRule, file: Option<&str>) -> Vec<Rich> {
    let GateRule {
        kind,
        run,
        reach,
        policy,
    } = ruling;
    let mut out = vec![
        Rich::text(
            Role::Strong,
            format!("Questions of the gate {}", kind.name()),
        ),
        Rich::new(),
    ];
    for known in Reach::ALL {
        let (sign, role) = if known == *reach {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        out.push(Rich::text(Role::BorderFocus, sign).and(role, known.sentence()));
    }
    out.push(Rich::new());
    out.push(
        Rich::text(Role::Faint, "policy  ◂ ")
            .and(Role::Strong, policy.to_string())
            .and(Role::Faint, " ▸  ")
            .and(Role::Text, policy_meaning(*kind, *policy)),
    );
    out.push(Rich::new());
    out.push(Rich::text(Role::Faint, "What would be saved:"));
    let in_run = format!(
        "  run {run}: {} = {policy}, from its next question on",
        kind.name()
    );
    let in_run = if run.0 == 0 {
        None // no run asks
    } else {
        Some(Rich::text(Role::Text, in_run))
    };
    match reach {
        Reach::Once => out.push(Rich::text(Role::Text, "  nothing")),
        Reach::Run if in_run.is_none() => {
            out.push(Rich::text(
                Role::Text,
                "  nothing: no run asks this any longer",
            ));
        }
        Reach::Run => out.extend(in_run),
        Reach::Always => {
            out.extend(in_run);
            let file = file.unwrap_or("gates.toml");
            let rule = format!("  {file}: [gates] {} = \"{policy}\"", kind.name());
            out.push(Rich::text(Role::Text, rule));
            out.push(Rich::text(
                Role::Faint,
                "  --gate takes precedence; the Rules screen (2, then p) removes it",
            ));
        }
    }
    out
}

fn policy_meaning(kind: GateKind, policy: Policy) -> String {
    match (kind, policy) {
        (GateKind::Budget, Policy::Auto) => "the run ends there, unasked".to_owned(),
        (_, Policy::Auto) => "approved without asking you".to_owned(),
        (_, Policy::Ask) => "waits for you without a time-out".to_owned(),
        (_, Policy::AskFor { seconds, then }) => {
            let then = match then {
                Fallback::Approve => "approved",
                Fallback::Veto => "vetoed",
            };
            format!("waits for you {seconds} s, then {then} automatically")
        }
    }
}
