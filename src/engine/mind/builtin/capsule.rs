//! Capsules: what was recalled, in brief, every item with the ids it rests on.

use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::knowledge::{Body, Entry, Remedy};
use pithead_core::domain::mind::ask::{Capsule, CapsuleAsk, Cited};
use pithead_core::text::numbers::count_with_noun;

/// A capsule holds at most so many items of each sort.
/// A capsule is to be shorter than what it condenses.
const ITEMS_MAX: usize = 8;

/// Condenses hits and entries; knowledge before single experiences.
#[must_use]
pub(super) fn capsule(ask: &CapsuleAsk) -> Capsule {
    let mut made = Capsule::default();
    for entry in &ask.knowledge {
        // Every item cites its source, so that a person can follow it.
        let src = vec![entry.id.to_string()];
        match &entry.body {
            Body::Guardrail(guardrail) => {
                made.constraints.push(Cited {
                    text: guardrail.avoid.clone(),
                    src: src.clone(),
                });
                made.next_actions
                    .extend(action(entry, &guardrail.recovery, src));
            }
            Body::TaskGuardrail(guardrail) => {
                made.constraints.push(Cited {
                    text: guardrail.deadlock.clone(),
                    src: src.clone(),
                });
                made.next_actions
                    .extend(action(entry, &guardrail.missing, src));
            }
            Body::Skill(skill) => {
                made.facts.push(Cited {
                    text: entry.title.clone(),
                    src: src.clone(),
                });
                // Other skills are facts, not advice.
                if overlaps(skill.goal, ask.task.goal) {
                    let text = format!("use the skill \"{}\"", entry.title);
                    made.next_actions.push(Cited { text, src });
                }
            }
            Body::Rule(rule) => {
                let text = rule.requirement();
                made.constraints.push(Cited { text, src });
            }
            Body::ReferencePlan(_) | Body::Note(_) => made.facts.push(Cited {
                text: entry.title.clone(),
                src,
            }),
        }
    }
    // Hits after knowledge: single cases say less.
    let hits = ask.hits.iter();
    made.facts.extend(hits.map(|hit| Cited {
        text: hit.summary.clone(),
        src: vec![hit.id.to_string()],
    }));
    for items in [
        &mut made.facts,
        &mut made.constraints,
        &mut made.next_actions,
    ] {
        // Cut at the end, so that knowledge goes first.
        items.truncate(ITEMS_MAX);
    }
    made
}

fn action(entry: &Entry, remedies: &[Remedy], src: Vec<String>) -> Option<Cited> {
    let texts: Vec<String> = remedies.iter().map(in_words).collect();
    (!texts.is_empty()).then(|| Cited {
        text: format!("{} ({})", texts.join(", "), entry.title),
        src,
    })
}

fn in_words(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Have { item, count } => format!("have {count} {item}"),
        Remedy::Station { block } => format!("have a {block} near"),
        Remedy::Tool { kind, tier } => {
            format!("carry a {} of {tier:?} or better", kind.word()).to_lowercase()
        }
        Remedy::GoBelow { y } => format!("go down to y {y}"),
        Remedy::GoAbove { y } => format!("go up to y {y}"),
        Remedy::MoveAway { blocks } => {
            format!("go {} away", count_with_noun(*blocks, "block", "blocks"))
        }
        Remedy::Advice { text } => text.clone(),
    }
}
