//! Judge: whether the step will succeed with what is expected to be held, by beliefs that are not the planner's.
//!
//! A separate and weaker draw: the judge has facts of its own wrong, twice as many as the planner of its level, and
//! overlooks part of what it should see. So it neither repeats the planner's mistakes nor knows the game.
//! Invariant: same level, seed and question, same judgements; the true tables are not looked at.

use super::beliefs::Beliefs;
use super::errors::Level;
use super::learnt::station;
use pithead_core::domain::knowledge::Remedy;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::mind::judge::{JudgeAsk, JudgeReply, JudgedStep, StepToJudge};
use pithead_core::domain::plan::TaskKind;
use pithead_world::block::{self, BlockId};
use pithead_world::family::ItemSpec;
use pithead_world::rng::Streams;

/// A station in sight serves if it is within so many blocks.
const STATION_NEAR: f64 = 6.0;

/// The word on each step.
pub(super) fn judged(level: Level, seed: u64, ask: &JudgeAsk) -> JudgeReply {
    let beliefs = Beliefs::of_judge(level, seed);
    let word = |step: &StepToJudge| {
        let mut missing = lacking(&beliefs, ask, step);
        missing.retain(|remedy| !overlooks(level, seed, ask.nonce, step, remedy));
        JudgedStep {
            step: step.step.id.to_string(),
            success: missing.is_empty(),
            suggestion: in_words(&missing),
            missing,
        }
    };
    JudgeReply {
        judged: ask.steps.iter().map(word).collect(),
    }
}

/// Each question draws anew: what is overlooked once may be seen the next time.
fn overlooks(level: Level, seed: u64, nonce: u64, step: &StepToJudge, remedy: &Remedy) -> bool {
    let draw = format!("overlooked in answer {nonce}: {} {remedy:?}", step.step.id);
    Streams(seed).get(&draw).unit() < level.overlooks()
}

fn in_words(missing: &[Remedy]) -> String {
    let word = |remedy: &Remedy| match remedy {
        Remedy::Have { item, count } => format!("{count} {item}"),
        Remedy::Station { block } => format!("a {block}"),
        Remedy::Tool { kind, tier } => format!("a {} of {tier:?} or better", kind.word()),
        // The judge names nothing else.
        other => format!("{other:?}"),
    };
    let words: Vec<String> = missing.iter().map(word).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("get {} first", words.join(", ")),
    }
}

/// What the step lacks, as far as the beliefs go.
fn lacking(beliefs: &Beliefs, ask: &JudgeAsk, step: &StepToJudge) -> Vec<Remedy> {
    let Some(object) = step.step.goal.object else {
        return Vec::new();
    };
    match step.step.task_kind {
        TaskKind::Craft => for_crafting(beliefs, ask, step, object),
        TaskKind::Smelt => for_smelting(beliefs, ask, step, object),
        TaskKind::Mine => for_mining(beliefs, step, object),
        TaskKind::Use | TaskKind::Combat | TaskKind::Move | TaskKind::Wait => Vec::new(),
    }
}

/// By the recipe that lacks least.
fn for_crafting(
    beliefs: &Beliefs,
    ask: &JudgeAsk,
    step: &StepToJudge,
    object: ItemSpec,
) -> Vec<Remedy> {
    let pieces = step.step.goal.count.max(1);
    let lacks = beliefs.recipes(object).into_iter().map(|recipe| {
        let times = pieces.div_ceil(recipe.yields.max(1));
        let parts = recipe.ingredients.iter();
        let short = parts.map(|(item, n)| (*item, n.saturating_mul(times)));
        let short = short.filter(|(item, n)| step.held.count(*item) < *n);
        let mut missing: Vec<Remedy> = short
            .map(|(item, count)| Remedy::Have { item, count })
            .collect();
        if recipe.table && !is_at_hand(ask, step, block::CRAFTING_TABLE) {
            missing.push(Remedy::Station {
                block: block::CRAFTING_TABLE,
            });
        }
        missing
    });
    lacks.min_by_key(Vec::len).unwrap_or_default()
}

fn for_smelting(
    beliefs: &Beliefs,
    ask: &JudgeAsk,
    step: &StepToJudge,
    object: ItemSpec,
) -> Vec<Remedy> {
    let pieces = step.step.goal.count.max(1);
    let inputs = beliefs.smelted_from(object);
    let is_enough = |input: &ItemSpec| step.held.count(*input) >= pieces;
    let mut missing = Vec::new();
    if !inputs.iter().any(is_enough) {
        // The one that the plan names, else any.
        let named = |input: &&ItemSpec| {
            let info = step.step.goal.info.as_deref();
            info.is_some_and(|info| info.contains(&input.to_string()))
        };
        let input = inputs.iter().find(named).or(inputs.first());
        missing.extend(input.map(|item| Remedy::Have {
            item: *item,
            count: pieces,
        }));
    }
    if beliefs.needs_furnace(object) && !is_at_hand(ask, step, block::FURNACE) {
        missing.push(Remedy::Station {
            block: block::FURNACE,
        });
    }
    let burns = |item: ItemSpec| {
        beliefs.burns(item).is_some() && !inputs.iter().any(|input| overlaps(*input, item))
    };
    let has_fuel = || {
        step.held
            .iter()
            .any(|(item, _)| burns(ItemSpec::Item(item)))
    };
    if beliefs.needs_fuel(object) && !has_fuel() {
        let fuel = step.step.goal.material.filter(|item| burns(*item));
        missing.extend(fuel.map(|item| Remedy::Have { item, count: 1 }));
    }
    missing
}

/// By the way that asks for the least tool.
fn for_mining(beliefs: &Beliefs, step: &StepToJudge, object: ItemSpec) -> Vec<Remedy> {
    let tools = beliefs.gatherings(object).into_iter().map(|way| way.tool);
    let tools: Vec<_> = tools.collect();
    let will_do = |wanted: &Option<_>| match wanted {
        None => true,
        Some((kind, tier)) => step.held.iter().any(|(item, _)| {
            let tool = item.facts().tool;
            tool.is_some_and(|tool| tool.will_do(*kind, *tier))
        }),
    };
    if tools.iter().any(will_do) {
        return Vec::new();
    }
    let least = tools
        .into_iter()
        .flatten()
        .min_by_key(|(_, tier)| tier.level());
    least
        .map(|(kind, tier)| Remedy::Tool { kind, tier })
        .into_iter()
        .collect()
}

/// Carried by then, or standing where the body is now.
fn is_at_hand(ask: &JudgeAsk, step: &StepToJudge, wanted: BlockId) -> bool {
    let carried = step
        .held
        .iter()
        .any(|(item, _)| station(ItemSpec::Item(item)) == Some(wanted));
    let here = ask.state.position;
    let mut seen = ask.state.notable.iter();
    carried || seen.any(|sight| sight.block == wanted && here.distance(sight.at) <= STATION_NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::builtin::sim::Sim;
    use crate::mind::builtin::tests::{plan_ask, words};
    use crate::mind::builtin::{Builtin, planner};
    use pithead_core::domain::mind::ask::PlanAsk;

    /// One step, with what will be held.
    fn question(ask: &PlanAsk, at: usize, held: &str, nonce: u64) -> JudgeAsk {
        let expert = Beliefs::new(Level::Expert, 1);
        let plan = planner::plan(&expert, ask).unwrap();
        JudgeAsk {
            task: ask.task.clone(),
            state: ask.state.clone(),
            steps: vec![StepToJudge {
                step: plan.subgoals[at].clone(),
                held: held.parse().unwrap(),
                y: 64,
            }],
            rules: Vec::new(),
            faults: Vec::new(),
            nonce,
        }
    }

    /// In how many of a hundred runs the judge says that the last step will succeed.
    fn approvals(level: Level, task: &str, held: &str) -> usize {
        let ask = plan_ask(task, &Sim::new(""));
        let expert = Beliefs::new(Level::Expert, 1);
        let last = planner::plan(&expert, &ask).unwrap().subgoals.len() - 1;
        let question = question(&ask, last, held, 3);
        let says = |seed: &u64| judged(level, *seed, &question).judged[0].success;
        (1..=100).filter(says).count()
    }

    #[test]
    fn most_faults_are_seen_most_sound_steps_pass_and_lower_levels_judge_worse() {
        let full = "oak_planks=3,stick=2,crafting_table=1";
        for (lacking, word) in [
            ("oak_planks=3,stick=2", "no table"),
            ("oak_planks=1,stick=2,crafting_table=1", "too few planks"),
        ] {
            let [novice, expert] = [Level::Novice, Level::Expert]
                .map(|level| approvals(level, "craft a wooden pickaxe", lacking));
            assert!(expert < 50 && novice > expert, "{word}: {novice}, {expert}");
        }
        assert_eq!(
            approvals(Level::Expert, "craft a wooden pickaxe", full),
            100
        );
        assert!(approvals(Level::Novice, "craft a wooden pickaxe", full) > 70);
    }

    #[test]
    fn the_judge_does_not_share_the_planners_wrong_beliefs() {
        // Runs whose planner forgets something, and what the judge says of that plan's last step.
        let ask = plan_ask("craft a wooden pickaxe", &Sim::new(""));
        let mut seen = [0, 0];
        for seed in 1..=400 {
            let plan = Builtin::new(Level::Novice, seed).plan(&ask).unwrap();
            if words(&plan).contains("crafting_table") {
                continue;
            }
            let mut question = question(&ask, 0, "oak_planks=3,stick=2", 1);
            question.steps[0].step = plan.subgoals.last().unwrap().clone();
            let said = judged(Level::Novice, seed, &question);
            seen[usize::from(said.judged[0].success)] += 1;
        }
        let [refused, passed] = seen;
        assert!(
            refused * 2 > passed && passed > 0,
            "{refused} refused, {passed} passed"
        );
    }

    #[test]
    fn the_same_question_gets_the_same_judgement() {
        let ask = plan_ask("craft a furnace", &Sim::new(""));
        let question = question(&ask, 1, "cobblestone=4", 9);
        let said = judged(Level::Novice, 7, &question);
        assert_eq!(said, judged(Level::Novice, 7, &question));
    }
}
