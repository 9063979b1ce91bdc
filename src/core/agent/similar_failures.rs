//! Similar failures: which failure of this run is to be compared with those of earlier runs (Eq. 7).
//!
//! Invariant: each failure is compared once, and only if the system learns from failures.

use super::node::Node;
use super::state::State;
use super::transitions::giving_up;
use crate::domain::experience::similar::SimilarityKey;
use pithead_world::ids::SubgoalId;

/// The failure that has not been compared yet, if the system learns from failures and may still replan.
pub(super) fn to_compare(state: &State) -> Option<(SubgoalId, SimilarityKey)> {
    let config = state.config()?;
    let profile = &config.profile;
    // With a K_tol of 1 the first failure is enough, so nothing is to be compared.
    let learns = profile.recalls_experience() && profile.distil_guardrails && profile.k_tol > 1;
    if !learns || !giving_up::may_replan(state) {
        return None;
    }
    let is_open = |node: &Node| node.failures.len() > node.compared;
    let (id, node) = state.nodes.iter().find(|(_, node)| is_open(node))?;
    let last = node.failures.last()?;
    let subgoal = state.plan.as_ref()?.get(*id)?;
    let reason = last.diagnosis.reason?;
    let key = SimilarityKey::of_failure(subgoal, reason, config.world.seed, last.pre.position);
    Some((*id, key))
}

/// Failed cases of earlier runs like the step's last failure, which a reflection is to know of; none if they were
/// recalled, or the system remembers none.
pub(super) fn cases_to_recall(
    state: &State,
    subgoal: SubgoalId,
) -> Option<(SubgoalId, SimilarityKey)> {
    let config = state.config()?;
    let node = state.nodes.get(&subgoal)?;
    if !config.profile.recalls_experience() || node.failures.len() <= node.compared {
        return None;
    }
    let last = node.failures.last()?;
    let step = state.plan.as_ref()?.get(subgoal)?;
    let reason = last.diagnosis.reason?;
    let key = SimilarityKey::of_failure(step, reason, config.world.seed, last.pre.position);
    Some((subgoal, key))
}
