//! The tasks that an agent can set itself: one piece of each item.

use crate::suites::{SuiteTask, TaskAids};
use pithead_core::domain::check::Check;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// World time of a task: the least step limit of Metagent-P (Table 7).
pub(super) const TASK_TICKS: u64 = 12_000;

/// The task to get one piece of it.
pub(super) fn task_of(item: ItemId) -> &'static SuiteTask {
    static TASKS: LazyLock<BTreeMap<ItemId, SuiteTask>> =
        LazyLock::new(|| ItemId::all().map(|item| (item, task(item))).collect());
    &TASKS[&item]
}

fn task(item: ItemId) -> SuiteTask {
    let goal = ItemSpec::from(item);
    SuiteTask {
        any: false,
        id: format!("explore/{}", item.name()),
        instruction: format!("obtain {}", item.name()),
        group: "explore".to_owned(),
        success: vec![vec![Check::InvGe {
            item: goal,
            count: 1,
        }]],
        accept: vec![goal],
        count: 1,
        budget_ticks: TASK_TICKS,
        aids: TaskAids::default(),
        feasible: Ok(()),
        needs: Vec::new(),
        unseen: None,
        decidable: true,
        doubts: Vec::new(),
    }
}
