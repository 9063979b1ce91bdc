//! The plan tree as people see it: every node there ever was, with what became of it.
//!
//! Nodes that a replan removed stay as ghosts where they were. Invariant: an id names one node for
//! the whole run, so that selection and folds survive replans.

use crate::view::diff::DiffSign;
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::mind::ask::TakenApart;
use pithead_core::domain::plan::{Goal, Plan, Subgoal};
use pithead_core::text::clean::{clean_line, fit_columns};
use pithead_world::ids::{AttemptId, Revision, SubgoalId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Ghosts kept; older ones are forgotten, for endless runs replan endlessly.
const GHOSTS_MAX: usize = 120;
/// Attempts of one node that are listed below it.
const TRIES_MAX: usize = 16;
/// Goals of one task.
const GOALS_MAX: usize = 256;
/// Columns for the name of an operator.
const OPERATOR_MAX: usize = 16;
/// Deepest indent shown.
const DEPTH_MAX: u16 = 8;

/// The tree in the order in which it is shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PlanView {
    /// The plan in force; none before the first.
    pub revision: Option<Revision>,
    pub nodes: Vec<NodeView>,
    /// What the task was taken apart into, in the order of the tree; empty where it was not.
    pub goals: Vec<GoalView>,
    /// What the last replan did; none before the first.
    pub replan: Option<Replan>,
}

/// A goal of the task, and how deep it stands below the task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GoalView {
    pub goal: Goal,
    pub depth: u16,
    pub is_reached: bool,
}

/// One ended attempt at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TryView {
    pub attempt: AttemptId,
    pub succeeded: bool,
    /// The label of its failure.
    pub reason: Option<FailureReason>,
    pub ticks: u64,
}

/// What a replan did to the nodes that were not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Replan {
    pub added: usize,
    pub removed: usize,
    pub changed: usize,
    pub kept: usize,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeView {
    pub id: SubgoalId,
    pub label: String,
    pub subgoal: Arc<Subgoal>,
    pub depth: u16,
    pub state: NodeState,
    /// Attempts begun, over all replans.
    pub attempts: u32,
    /// Reasons of the failed ones, oldest first.
    pub failures: Vec<FailureReason>,
    /// The ended attempts, oldest first; the newest ones of many.
    pub tries: Vec<TryView>,
    /// One sentence on the last failure.
    pub last_failure: Option<String>,
    /// World ticks spent in ended attempts.
    pub ticks: u64,
    /// The revision that brought it.
    pub since: Revision,
    /// What the last replan did to it.
    pub mark: DiffSign,
}

/// What became of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeState {
    Waiting,
    Selected,
    Running,
    /// The last attempt failed; it may be tried again.
    Failed,
    Done,
    /// A replan left it out.
    Replaced,
    /// The run ended before its attempt did.
    CutShort,
    /// An act of the operator that came to nothing; nobody tries it again.
    NotDone,
    /// An act that the operator called off; it did not fail.
    CalledOff,
}

impl NodeState {
    /// Whether it is no part of the plan any more, though it was not done.
    #[must_use]
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Replaced | Self::NotDone | Self::CalledOff)
    }

    fn is_over(self) -> bool {
        self == Self::Done || self.is_gone()
    }
}

impl GoalView {
    fn new(goal: &Goal, depth: u16) -> Self {
        Self {
            goal: goal.clone(),
            depth,
            is_reached: false,
        }
    }

    /// A goal that is taken apart comes back with its tool and material filled in.
    fn is_about(&self, goal: &Goal) -> bool {
        (self.goal.object, self.goal.amount) == (goal.object, goal.amount)
    }
}

impl PlanView {
    #[must_use]
    pub fn node(&self, id: SubgoalId) -> Option<&NodeView> {
        self.nodes.iter().find(|node| node.id == id)
    }

    pub(crate) fn subgoal(&self, id: SubgoalId) -> Option<Arc<Subgoal>> {
        self.node(id).map(|node| Arc::clone(&node.subgoal))
    }

    /// Finished and still wanted nodes: (done, all).
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let real = self.nodes.iter().filter(|node| !node.state.is_gone());
        let done = real
            .clone()
            .filter(|node| node.state == NodeState::Done)
            .count();
        (done, real.count())
    }

    /// The node under way, or the next thing to look at.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        let running = |node: &NodeView| {
            matches!(
                node.state,
                NodeState::Running | NodeState::Selected | NodeState::Failed
            )
        };
        self.nodes
            .iter()
            .rposition(running)
            .or_else(|| {
                self.nodes
                    .iter()
                    .position(|node| node.state == NodeState::Waiting)
            })
            .or_else(|| self.nodes.len().checked_sub(1))
    }

    /// A new plan comes into force: finished nodes stay first, what it leaves out becomes a ghost
    /// there, and its own order follows.
    pub(crate) fn adopt(&mut self, revision: Revision, plan: &Plan) {
        let is_replan = self.revision.replace(revision).is_some();
        let mut old = std::mem::take(&mut self.nodes);
        let mut rest = Vec::new();
        for subgoal in &plan.subgoals {
            match old.iter().position(|node| node.id == subgoal.id) {
                Some(at) if old[at].state == NodeState::Done => (),
                Some(at) => rest.push(old.remove(at).renewed(subgoal)),
                None => rest.push(NodeView::new(revision, subgoal)),
            }
        }
        for node in &mut old {
            node.mark = DiffSign::Kept;
            if !node.state.is_over() {
                (node.state, node.mark) = (NodeState::Replaced, DiffSign::Removed);
            }
        }
        self.replan = is_replan.then(|| Replan::of(&old, &rest));
        if !is_replan {
            rest.iter_mut().for_each(|node| node.mark = DiffSign::Kept);
        }
        old.extend(rest);
        self.nodes = old;
        self.forget_ghosts();
        for at in 0..self.nodes.len() {
            self.nodes[at].depth = self.depth(&self.nodes[at].subgoal);
        }
    }

    fn forget_ghosts(&mut self) {
        let ghosts = self
            .nodes
            .iter()
            .filter(|node| node.state.is_gone())
            .count();
        let mut surplus = ghosts.saturating_sub(GHOSTS_MAX);
        self.nodes.retain(|node| {
            let forget = surplus > 0 && node.state.is_gone();
            surplus -= usize::from(forget);
            !forget
        });
    }

    fn depth(&self, subgoal: &Subgoal) -> u16 {
        let mut depth = 0;
        let mut parent = subgoal.parent;
        while let Some(node) = parent.and_then(|id| self.node(id))
            && depth < DEPTH_MAX
        {
            depth += 1;
            parent = node.subgoal.parent;
        }
        depth
    }

    fn change(&mut self, id: SubgoalId, change: impl FnOnce(&mut NodeView)) {
        if let Some(node) = self.nodes.iter_mut().find(|node| node.id == id) {
            change(node);
        }
    }

    pub(crate) fn selected(&mut self, id: SubgoalId) {
        self.change(id, |node| node.state = NodeState::Selected);
    }

    /// The operator acts before the plan goes on: the node stands before what is still to do, and behind
    /// the act that waits already.
    pub(crate) fn taken_over(&mut self, subgoal: &Subgoal, by: &str, behind: Option<SubgoalId>) {
        let revision = self.revision.unwrap_or(Revision(0));
        let mut node = NodeView::new(revision, subgoal);
        let by = fit_columns(by, OPERATOR_MAX);
        node.mark = DiffSign::Kept;
        node.label = format!("{} · by {by}", node.label);
        let open = |node: &NodeView| !node.state.is_over();
        let act = self.nodes.iter().position(|node| Some(node.id) == behind);
        let at = act.map(|at| at + 1).or(self.nodes.iter().position(open));
        self.nodes.insert(at.unwrap_or(self.nodes.len()), node);
    }

    pub(crate) fn attempt_started(&mut self, id: SubgoalId) {
        self.change(id, |node| {
            node.state = NodeState::Running;
            node.attempts += 1;
        });
    }

    pub(crate) fn attempt_ended(&mut self, experience: &Experience) {
        let diagnosis = &experience.diagnosis;
        let ticks = experience.ticks();
        self.change(experience.action.id, |node| {
            node.ticks += ticks;
            if node.tries.len() == TRIES_MAX {
                node.tries.remove(0);
            }
            node.tries.push(TryView {
                attempt: experience.attempt,
                succeeded: diagnosis.success,
                reason: experience.failure_reason(),
                ticks,
            });
            if diagnosis.success {
                return;
            }
            if let Some(ended) = experience.no_failure() {
                // A step of the plan is begun again; an act of the operator is over.
                node.state = match (experience.by_operator, experience.called_off) {
                    (true, true) => NodeState::CalledOff,
                    (true, false) => NodeState::NotDone,
                    (false, _) => NodeState::Waiting,
                };
                node.last_failure = Some(match (experience.called_off, &diagnosis.summary) {
                    (false, because) => because.clone(),
                    (true, _) => ended.to_owned(),
                });
                return;
            }
            node.state = NodeState::Failed;
            node.failures.extend(diagnosis.reason);
            node.last_failure = Some(diagnosis.summary.clone());
        });
    }

    /// A goal has goals of its own, which come before it.
    pub(crate) fn goal_taken_apart(&mut self, apart: &TakenApart) {
        let at = self
            .goals
            .iter()
            .position(|known| known.is_about(&apart.goal));
        let at = at.unwrap_or_else(|| {
            self.goals.push(GoalView::new(&apart.goal, 0));
            self.goals.len() - 1
        });
        let depth = self.goals[at].depth.saturating_add(1).min(DEPTH_MAX);
        for goal in apart.before.iter().rev() {
            let is_known = self.goals.iter().any(|known| known.is_about(goal));
            if !is_known && self.goals.len() < GOALS_MAX {
                self.goals.insert(at + 1, GoalView::new(goal, depth));
            }
        }
    }

    pub(crate) fn goal_reached(&mut self, goal: &Goal) {
        for known in self.goals.iter_mut().filter(|known| known.is_about(goal)) {
            known.is_reached = true;
        }
    }

    /// The operator wants it tried again.
    pub(crate) fn retried(&mut self, id: SubgoalId) {
        self.change(id, |node| {
            if node.state != NodeState::Running {
                node.state = NodeState::Waiting;
            }
        });
    }

    /// An act that was not begun is not to be done.
    pub(crate) fn withdrawn(&mut self, id: SubgoalId) {
        self.change(id, |node| {
            if node.state == NodeState::Waiting {
                (node.state, node.mark) = (NodeState::CalledOff, DiffSign::Kept);
            }
        });
    }

    /// Nothing is under way any more.
    pub(crate) fn run_ended(&mut self) {
        for node in &mut self.nodes {
            if matches!(node.state, NodeState::Selected | NodeState::Running) {
                node.state = NodeState::CutShort;
            }
        }
    }

    pub(crate) fn done(&mut self, id: SubgoalId) {
        self.change(id, |node| node.state = NodeState::Done);
    }

    pub(crate) fn replan_asked(&mut self, id: SubgoalId) {
        self.change(id, |node| {
            if node.state != NodeState::Done {
                node.state = NodeState::Failed;
            }
        });
    }
}

impl Replan {
    fn of(old: &[NodeView], rest: &[NodeView]) -> Self {
        let count = |nodes: &[NodeView], mark| nodes.iter().filter(|n| n.mark == mark).count();
        Self {
            added: count(rest, DiffSign::Added),
            removed: count(old, DiffSign::Removed),
            changed: count(rest, DiffSign::Changed),
            kept: count(rest, DiffSign::Kept),
        }
    }
}

impl NodeView {
    fn new(since: Revision, subgoal: &Subgoal) -> Self {
        Self {
            id: subgoal.id,
            label: label(subgoal),
            subgoal: Arc::new(subgoal.clone()),
            depth: 0,
            state: NodeState::Waiting,
            attempts: 0,
            failures: Vec::new(),
            tries: Vec::new(),
            last_failure: None,
            ticks: 0,
            since,
            mark: DiffSign::Added,
        }
    }

    /// The same node under a new plan: its past stays, its words and counts may change.
    fn renewed(mut self, subgoal: &Subgoal) -> Self {
        let is_same = self.label == label(subgoal) && self.subgoal.checks == subgoal.checks;
        self.mark = if is_same {
            DiffSign::Kept
        } else {
            DiffSign::Changed
        };
        self.label = label(subgoal);
        self.subgoal = Arc::new(subgoal.clone());
        self.state = NodeState::Waiting;
        self
    }
}

/// A few words for a node, for example `mine iron_ore ×3`.
#[must_use]
pub fn label(subgoal: &Subgoal) -> String {
    clean_line(&subgoal.label())
}
