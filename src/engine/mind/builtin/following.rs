//! Following: which advice a plan follows where not all of it can be followed.
//!
//! Invariant: advice that stands in the way of every plan is left out, and nothing else is.

use super::learnt::Learnt;
use super::planner::Given;
use super::price::hunts_the_rare;
use pithead_core::domain::plan::Plan;
use pithead_world::family::ItemSpec;

impl Given<'_> {
    /// A plan by all that was learnt, or by as much of it as can be followed.
    pub(super) fn plan_by(self, learnt: &Learnt) -> Result<Plan, ItemSpec> {
        match self.attempt(learnt) {
            Ok(plan) if !hunts_the_rare(self.beliefs, &plan) => Ok(plan),
            // Something learnt cannot be followed: it is left out, not the whole plan.
            Ok(_) | Err(_) => self.following_what_one_can(learnt),
        }
    }

    /// Advice that cannot be followed is passed over, and only that: what else was learnt still holds.
    /// What asks of a thing the thing itself is never followed; of the rest the latest word counts first.
    fn following_what_one_can(self, learnt: &Learnt) -> Result<Plan, ItemSpec> {
        let mut kept = Learnt::default();
        let mut made = self.attempt(&kept)?;
        // From the latest back: newer lessons know more.
        for at in (0..learnt.len()).rev() {
            if self.is_circle(learnt, at) {
                continue;
            }
            let more = kept.with(learnt, at);
            if let Ok(better) = self.attempt(&more)
                && (hunts_the_rare(self.beliefs, &made) || !hunts_the_rare(self.beliefs, &better))
            {
                (kept, made) = (more, better);
            }
        }
        Ok(made)
    }
}
