//! The graph of a post-mortem in words: what was tried for what, as a tree from the task down.
//!
//! Invariant: each step has one line of its own; where it is needed again, only its name stands.

use crate::domain::knowledge::TaskGuardrail;
use crate::domain::knowledge::post_mortem::{PostMortem, RunEnds, TriedStep};
use crate::text::numbers::count_with_noun;
use pithead_world::clock::TICKS_PER_SECOND;

/// How the runs ended, in one line; none for an entry that no post-mortem made.
#[must_use]
pub fn ends_line(guardrail: &TaskGuardrail) -> Option<String> {
    let ends = &guardrail.post_mortem.as_ref()?.ends;
    let RunEnds {
        died,
        out_of_time,
        gave_up,
        ticks,
        budget,
    } = ends;
    let each = [
        (*died, "died"),
        (*out_of_time, "ran out of time"),
        (*gave_up, "gave up"),
    ];
    let parts = each.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    let runs = count_with_noun(ends.runs() as usize, "run", "runs");
    Some(format!(
        "{runs}: {}; {} s of {} s were played",
        parts.join(", "),
        ticks / TICKS_PER_SECOND,
        budget / TICKS_PER_SECOND
    ))
}

/// The tree, a line for each step, indented by two blanks for each level.
#[must_use]
pub fn tree_lines(guardrail: &TaskGuardrail) -> Vec<String> {
    let Some(post_mortem) = &guardrail.post_mortem else {
        return Vec::new();
    };
    let mut tree = Tree {
        post_mortem,
        told: vec![false; post_mortem.tried.len()],
        lines: Vec::new(),
    };
    // From what nothing else needs: the task's own product, and steps that served it without being used up.
    let is_needed = |step: &TriedStep| {
        let others = post_mortem
            .tried
            .iter()
            .filter(|other| !other.is_like(step));
        let product = step.product;
        product.is_some_and(|product| others.clone().any(|o| o.needs.contains(&product)))
    };
    let (roots, rest): (Vec<usize>, Vec<usize>) =
        (0..post_mortem.tried.len()).partition(|at| !is_needed(&post_mortem.tried[*at]));
    // Products before moves; what is left goes in a circle, and each of it is told once.
    let products = |at: &&usize| post_mortem.tried[**at].product.is_some();
    let (first, then): (Vec<&usize>, Vec<&usize>) = roots.iter().partition(products);
    for at in first.into_iter().rev().chain(then).chain(&rest) {
        if !tree.told[*at] {
            tree.tell(*at, 0);
        }
    }
    tree.lines
}

struct Tree<'a> {
    post_mortem: &'a PostMortem,
    told: Vec<bool>,
    lines: Vec<String>,
}

impl Tree<'_> {
    fn tell(&mut self, at: usize, depth: usize) {
        let step = &self.post_mortem.tried[at];
        let indent = "  ".repeat(depth);
        if self.told[at] {
            self.lines.push(format!("{indent}{} (above)", name(step)));
            return;
        }
        self.told[at] = true;
        self.lines.push(format!("{indent}{}", line(step)));
        for need in &step.needs {
            let makes = |other: &TriedStep| other.product == Some(*need) && !other.is_like(step);
            match self.post_mortem.tried.iter().position(makes) {
                Some(maker) => self.tell(maker, depth + 1),
                None => self
                    .lines
                    .push(format!("{indent}  {need}, which no step made")),
            }
        }
    }
}

fn name(step: &TriedStep) -> String {
    match (step.product, step.y) {
        (Some(product), _) => format!("{} {product}", step.kind.name()),
        (None, Some(y)) => format!("{} to y {y}", step.kind.name()),
        (None, None) => step.kind.name().to_owned(),
    }
}

fn line(step: &TriedStep) -> String {
    if step.attempts == 0 {
        return format!("{}: planned, never begun", name(step));
    }
    let mut text = format!(
        "{}: {}, {} failed, {} s",
        name(step),
        count_with_noun(step.attempts as usize, "try", "tries"),
        step.failed,
        step.ticks / TICKS_PER_SECOND
    );
    if step.product.is_some() {
        text += &format!(", gave {}", step.got);
    }
    if !step.lacked.is_empty() {
        let lacked = step.lacked.iter();
        let lacked: Vec<String> = lacked.map(|(item, n)| format!("{n} {item}")).collect();
        text += &format!(", lacked {}", lacked.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::plan::TaskKind;
    use std::collections::BTreeMap;

    fn step(kind: TaskKind, product: &str, tries: (u32, u32, u64, u64), needs: &str) -> TriedStep {
        let (attempts, failed, ticks, got) = tries;
        let needs = needs.split(' ').filter(|n| !n.is_empty());
        TriedStep {
            kind,
            product: product.parse().ok(),
            y: None,
            attempts,
            failed,
            ticks,
            got,
            needs: needs.map(|n| n.parse().unwrap()).collect(),
            lacked: BTreeMap::new(),
        }
    }

    #[test]
    fn the_tree_goes_from_the_task_down_to_what_lay_about() {
        let mut pickaxe = step(
            TaskKind::Craft,
            "stone_pickaxe",
            (2, 1, 100, 1),
            "#logs coal",
        );
        pickaxe.lacked = BTreeMap::from([("stick".parse().unwrap(), 2)]);
        let tried = vec![
            step(TaskKind::Mine, "#logs", (1, 0, 600, 6), ""),
            pickaxe,
            step(TaskKind::Move, "", (1, 0, 400, 0), ""),
            step(
                TaskKind::Mine,
                "redstone",
                (3, 3, 9_000, 0),
                "stone_pickaxe",
            ),
            step(
                TaskKind::Craft,
                "repeater",
                (0, 0, 0, 0),
                "redstone stone_pickaxe",
            ),
        ];
        let mut rail = TaskGuardrail::default();
        assert_eq!((ends_line(&rail), tree_lines(&rail)), (None, Vec::new()));
        let ends = RunEnds {
            died: 1,
            gave_up: 1,
            ticks: 2_000,
            budget: 4_000,
            ..RunEnds::default()
        };
        rail.post_mortem = Some(Box::new(PostMortem { ends, tried }));
        let ends = ends_line(&rail).unwrap();
        assert_eq!(
            ends,
            "2 runs: 1 died, 1 gave up; 100 s of 200 s were played"
        );
        assert_eq!(
            tree_lines(&rail),
            [
                "craft repeater: planned, never begun",
                "  craft stone_pickaxe: 2 tries, 1 failed, 5 s, gave 1, lacked 2 stick",
                "    coal, which no step made",
                "    mine #logs: 1 try, 0 failed, 30 s, gave 6",
                "  mine redstone: 3 tries, 3 failed, 450 s, gave 0",
                "    craft stone_pickaxe (above)",
                "move: 1 try, 0 failed, 20 s",
            ]
        );
    }
}
