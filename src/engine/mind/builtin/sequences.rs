//! Sequences summarised: what several runs did for one goal, as one graph of needs.
//!
//! From the goal backwards, each thing that a step took or had is got by the step that most runs got it by, in the
//! amount that the sums of all runs call for. Steps come in the order in which the runs took them.
//! Invariant: no table of the game and no belief is read.

use pithead_core::domain::knowledge::inputs::Flow;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::mind::sequences::{DraftStep, ReferenceAsk, ReferenceDraft, Sequences};
use pithead_core::domain::plan::{Executor, TaskKind};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::family::ItemSpec;
use std::collections::{BTreeMap, BTreeSet};

/// A kind of step over all sequences.
struct Node {
    executor: Executor,
    object: ItemSpec,
    flow: Flow,
    /// Pieces that come at once: what divides the amounts of all sightings.
    batch: u64,
    /// Sequences that have it.
    runs: usize,
    /// Where it stood in them, each from 0 to 1, summed.
    place: f64,
    /// The moves that came right before it.
    led_by: Vec<DraftStep>,
}

/// The plan that the sequences have in common.
pub(super) fn reference_draft(ask: &ReferenceAsk) -> ReferenceDraft {
    let seen = &ask.sequences;
    let nodes = nodes_of(seen);
    let Some(goal) = provider(&nodes, seen.goal) else {
        return ReferenceDraft {
            steps: Vec::new(),
            because: format!("no sequence ends with a step that gets {}", seen.goal),
        };
    };
    let order = ordered(&nodes, goal);
    let amounts = amounts(&nodes, &order, goal, seen.count);
    let mut steps = Vec::new();
    for at in order {
        let node = &nodes[at];
        steps.extend(usual_move(node));
        steps.push(DraftStep {
            executor: node.executor,
            object: Some(node.object),
            count: amounts.get(&at).copied().unwrap_or(1),
            y: None,
        });
    }
    let n = count_with_noun(steps.len(), "step", "steps");
    let of = count_with_noun(seen.seen.len(), "success", "successes");
    ReferenceDraft {
        steps,
        because: format!("{n} that {of} have in common or rest on"),
    }
}

fn nodes_of(seen: &Sequences) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for sequence in &seen.seen {
        let (steps, flows) = (&sequence.way.steps, &sequence.way.flows);
        let mut counted: BTreeSet<usize> = BTreeSet::new();
        for (at, (step, flow)) in steps.iter().zip(flows).enumerate() {
            let Some(object) = step.goal.object else {
                continue;
            };
            let same = |node: &Node| {
                node.executor == step.executor_hint && node.object.kind() == object.kind()
            };
            let found = nodes.iter().position(same);
            let index = found.unwrap_or_else(|| {
                nodes.push(Node {
                    executor: step.executor_hint,
                    object,
                    flow: Flow::default(),
                    batch: 0,
                    runs: 0,
                    place: 0.0,
                    led_by: Vec::new(),
                });
                nodes.len() - 1
            });
            let node = &mut nodes[index];
            node.flow.add(flow);
            for inputs in &flow.inputs {
                node.batch = common_divisor(node.batch, inputs.made);
            }
            if node.object != object {
                node.object = object.kind();
            }
            if !counted.insert(index) {
                continue;
            }
            node.runs += 1;
            #[allow(clippy::cast_precision_loss)] // a plan has some dozens of steps
            {
                node.place += (at + 1) as f64 / steps.len() as f64;
            }
            let before = at.checked_sub(1).and_then(|before| steps.get(before));
            let moved = before.filter(|before| before.task_kind == TaskKind::Move);
            node.led_by.extend(moved.map(DraftStep::of_step));
        }
    }
    nodes
}

/// The step that most sequences got the thing by, the first of equals.
fn provider(nodes: &[Node], item: ItemSpec) -> Option<usize> {
    let gets = |at: &usize| overlaps(nodes[*at].object, item);
    let all = (0..nodes.len()).filter(gets);
    all.min_by_key(|at| (usize::MAX - nodes[*at].runs, *at))
}

/// What a step takes for so many pieces: what went in each time, and of what varied the most frequent.
fn taken(flow: &Flow, pieces: u32) -> Vec<(ItemSpec, u32)> {
    let varied = flow.alternatives().into_iter().next();
    let inputs = std::iter::once(flow.common()).chain(varied);
    inputs
        .flat_map(|inputs| inputs.taken_for(pieces).collect::<Vec<_>>())
        .collect()
}

/// The steps that this one rests on.
fn needs(nodes: &[Node], at: usize) -> BTreeSet<usize> {
    let flow = &nodes[at].flow;
    let taken = taken(flow, 1).into_iter().map(|(item, _)| item);
    let all = taken.chain(flow.held.iter().copied());
    all.filter_map(|item| provider(nodes, item)).collect()
}

/// All that the goal rests on, each after what it needs, otherwise as early as the runs did it. What would need itself
/// is left to the check that every plan has to pass.
fn ordered(nodes: &[Node], goal: usize) -> Vec<usize> {
    let mut wanted = BTreeSet::from([goal]);
    let mut open = vec![goal];
    while let Some(at) = open.pop() {
        open.extend(
            needs(nodes, at)
                .into_iter()
                .filter(|need| wanted.insert(*need)),
        );
    }
    let mut order: Vec<usize> = Vec::new();
    while order.len() < wanted.len() {
        let left = || wanted.iter().copied().filter(|at| !order.contains(at));
        let is_ready = |at: &usize| needs(nodes, *at).iter().all(|need| order.contains(need));
        let earliest = |one: &usize, other: &usize| {
            mean_place(&nodes[*one]).total_cmp(&mean_place(&nodes[*other]))
        };
        let next = left().filter(is_ready).min_by(earliest);
        // In a circle nothing is ready: the earliest breaks it.
        let Some(next) = next.or_else(|| left().min_by(earliest)) else {
            break;
        };
        order.push(next);
    }
    order
}

#[allow(clippy::cast_precision_loss)] // a handful of runs
fn mean_place(node: &Node) -> f64 {
    node.place / node.runs.max(1) as f64
}

/// How much of each, from the goal backwards.
fn amounts(nodes: &[Node], order: &[usize], goal: usize, count: u32) -> BTreeMap<usize, u32> {
    let mut amounts = BTreeMap::from([(goal, count.max(1))]);
    for at in order.iter().rev() {
        let pieces = in_batches(&nodes[*at], amounts.get(at).copied().unwrap_or(1));
        amounts.insert(*at, pieces);
        for (item, n) in taken(&nodes[*at].flow, pieces) {
            if let Some(by) = provider(nodes, item) {
                let sum: &mut u32 = amounts.entry(by).or_default();
                *sum = sum.saturating_add(n);
            }
        }
    }
    amounts
}

/// What is made comes in whole batches, what is gathered piece by piece.
fn in_batches(node: &Node, pieces: u32) -> u32 {
    let batch = u32::try_from(node.batch).unwrap_or(1).max(1);
    match node.executor {
        Executor::Craft | Executor::Smelt => pieces.div_ceil(batch).saturating_mul(batch),
        _ => pieces,
    }
}

fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 {
        return one;
    }
    common_divisor(other, one % other)
}

/// The move that most of its sightings came after; of several heights the middle one.
fn usual_move(node: &Node) -> Option<DraftStep> {
    if node.led_by.len() * 2 <= node.runs {
        return None;
    }
    let mut moves: Vec<&DraftStep> = node.led_by.iter().collect();
    moves.sort_by_key(|step| (step.executor, step.y));
    moves.get(moves.len() / 2).map(|step| (*step).clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::mind::sequences::Sequence;
    use pithead_core::domain::samples::seen_skill;
    use pithead_core::knowledge::sequences::reference_plan;
    use pithead_world::ids::RunId;

    type Row = (&'static str, &'static str, &'static str);

    /// Five ways to a stone pickaxe: two woods, one with a detour, one that made the table twice.
    fn ask() -> ReferenceAsk {
        let way = |wood: &'static str, used: &'static str, besides: &[Row]| {
            let mut rows = vec![(wood, "", ""), ("craft 12 #planks", used, "")];
            rows.extend(besides);
            rows.extend([
                ("craft 1 crafting_table", "#planks 4", ""),
                ("craft 4 stick", "#planks 2", ""),
                (
                    "craft 1 wooden_pickaxe",
                    "#planks 3, stick 2",
                    "crafting_table",
                ),
                ("mine 3 cobblestone", "", "wooden_pickaxe"),
                (
                    "craft 1 stone_pickaxe",
                    "cobblestone 3, stick 2",
                    "crafting_table",
                ),
            ]);
            seen_skill("stone_pickaxe", "always", &rows)
        };
        let oak = ("mine 3 oak_log", "oak_log 3");
        let birch = ("mine 3 birch_log", "birch_log 3");
        let detour = [("mine 2 sand", "", "")];
        let ways = [
            way(oak.0, oak.1, &[]),
            way(oak.0, oak.1, &detour),
            way(birch.0, birch.1, &[]),
            way(oak.0, oak.1, &[("craft 1 crafting_table", "#planks 4", "")]),
            way(birch.0, birch.1, &[]),
        ];
        let seen = (1..).zip(ways).map(|(run, way)| Sequence {
            run: RunId(run),
            way,
            experiences: Vec::new(),
        });
        ReferenceAsk {
            sequences: Sequences {
                goal: "stone_pickaxe".parse().unwrap(),
                count: 1,
                seen: seen.collect(),
            },
            faults: Vec::new(),
        }
    }

    #[test]
    fn what_all_runs_rest_on_is_the_plan_and_it_plays_through() {
        let ask = ask();
        let draft = reference_draft(&ask);
        let told: Vec<String> = draft.steps.iter().map(DraftStep::label).collect();
        assert_eq!(
            told,
            [
                "mine #logs ×3",
                "craft #planks ×12",
                "craft crafting_table",
                "craft stick ×4",
                "craft wooden_pickaxe",
                "mine cobblestone ×3",
                "craft stone_pickaxe",
            ]
        );
        let plan = reference_plan(&ask.sequences, &draft).unwrap();
        assert_eq!((plan.steps.len(), plan.from_successes), (7, 5));
    }

    #[test]
    fn sequences_that_do_not_get_the_goal_have_no_plan_in_common() {
        let mut ask = ask();
        ask.sequences.goal = "diamond".parse().unwrap();
        let draft = reference_draft(&ask);
        assert!(draft.steps.is_empty() && draft.because.contains("diamond"));
    }
}
