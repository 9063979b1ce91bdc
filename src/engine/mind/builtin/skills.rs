//! Skills as plan fragments: which of the skills shown the plan can begin with.
//!
//! Where it was seen what each step took, the steps teach beliefs instead (see `learnt`), and order and counts are the
//! plan's own. A skill from elsewhere of which only the whole is known is replayed as it is.

use super::demand::{Step, wanders};
use pithead_core::domain::condition::situation::{Baseline, Situation};
use pithead_core::domain::knowledge::pattern::within;
use pithead_core::domain::knowledge::{Body, Skill};
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::plan::{Executor, Subgoal};
use pithead_world::family::ItemSpec;
use pithead_world::ids::KnowledgeId;

/// The skill to begin with: one whose requirements hold now and that makes the last possible of
/// the steps needed that the stock does not give.
#[must_use]
pub(super) fn prefix<'a>(ask: &'a PlanAsk, needed: &[Step]) -> Option<(KnowledgeId, &'a Skill)> {
    let baseline = Baseline::default();
    let state = &ask.state;
    let now = Situation {
        inventory: Some(&state.inventory),
        crafted: Some(&baseline.crafted),
        held: Some(state.held),
        position: Some(state.position.centre()),
        health: Some(state.health),
        hunger: Some(state.hunger),
        underground: Some(state.underground),
        biome: Some(&state.biome),
        notable: Some(&state.notable),
        ..Situation::default()
    };
    let skills = ask.knowledge.iter().filter_map(|entry| match &entry.body {
        Body::Skill(skill) if skill.steps.len() > 1 && skill.flows.is_empty() => {
            Some((entry.id, skill))
        }
        _ => None,
    });
    // What is held already would be got once more.
    let repeats = |skill: &Skill| {
        let goals = skill.steps.iter().map(|step| &step.goal);
        goals
            .filter_map(|goal| Some((goal.object?, goal.count.max(1))))
            .any(|(object, count)| state.inventory.count(object) >= count)
    };
    let usable: Vec<_> = skills
        .filter(|(_, skill)| skill.requires.truth(&now).is_true() && !repeats(skill))
        .collect();
    gathered(needed).into_iter().rev().find_map(|step| {
        let makes = |skill: &Skill| covers(skill, step.item, step.make);
        // The shortest that does it; ids break ties.
        usable
            .iter()
            .filter(|(_, s)| makes(s))
            .min_by_key(|(id, s)| (s.steps.len(), *id))
            .copied()
    })
}

/// The steps that gather something, and those that take of what they gather. What the others make is made of what is
/// held, and a skill would only gather for it anew.
fn gathered(needed: &[Step]) -> Vec<&Step> {
    let mut gathered: Vec<&Step> = Vec::new();
    for step in needed {
        let mut parts = step.uses.keys().chain(&step.holds);
        let is_of = |part: &ItemSpec| gathered.iter().any(|earlier| within(earlier.item, *part));
        if wanders(step) || parts.any(is_of) {
            gathered.push(step);
        }
    }
    gathered
}

fn covers(skill: &Skill, item: ItemSpec, count: u32) -> bool {
    within(skill.goal, item) && skill.count >= count
}

/// The plan that begins with a skill, unless the rest of it has to climb back to what the plain plan
/// takes along from the start: wood for spare tools, after a skill that led below ground.
pub(super) fn on_the_way(
    begun: Vec<Subgoal>,
    plain: Result<Vec<Subgoal>, ItemSpec>,
) -> Vec<Subgoal> {
    let climbs = |steps: &[Subgoal]| {
        let up = |step: &&Subgoal| step.executor_hint == Executor::GoUp;
        steps.iter().filter(up).count()
    };
    match plain {
        // Fewer climbs mean less digging up and down.
        Ok(plain) if climbs(&plain) < climbs(&begun) => plain,
        Ok(_) | Err(_) => begun,
    }
}
