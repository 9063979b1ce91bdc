//! Ids of untrusted subgoals: read as they are where they are ours, renumbered where they are not.

use super::PlanFault;
use super::fields::{Field, Object, text};
use pithead_world::ids::SubgoalId;
use std::collections::{BTreeMap, BTreeSet};

/// The id given to every name in the text.
#[derive(Debug)]
pub(super) struct Ids {
    order: Vec<SubgoalId>,
    by_name: BTreeMap<String, SubgoalId>,
}

impl Ids {
    pub(super) fn in_order(&self) -> impl Iterator<Item = SubgoalId> + '_ {
        self.order.iter().copied()
    }

    /// The subgoal that a reference means.
    pub(super) fn meant(&self, field: &Field<'_>) -> Result<SubgoalId, PlanFault> {
        let name = text(field)?;
        // `sg_1` and `sg_001` are the same id.
        let same = || ours(&name).filter(|id| self.order.contains(id));
        self.by_name
            .get(&name)
            .copied()
            .or_else(same)
            .ok_or_else(|| field.fault("the subgoal_id of one of the subgoals"))
    }
}

fn ours(name: &str) -> Option<SubgoalId> {
    name.starts_with("sg_").then(|| name.parse().ok()).flatten()
}

/// Gives every subgoal its id.
pub(super) fn name_all(rows: &[Field<'_>]) -> Result<Ids, PlanFault> {
    let mut names = Vec::with_capacity(rows.len());
    for row in rows {
        let id = Object::new(&row.path, row.value)?.first(&["subgoal_id", "id"]);
        names.push(
            id.as_ref()
                .map(|field| text(field).map(|name| (field.clone(), name)))
                .transpose()?,
        );
    }
    let known = |name: &Option<(Field<'_>, String)>| name.as_ref().and_then(|(_, name)| ours(name));
    let mut used: BTreeSet<SubgoalId> = names.iter().filter_map(known).collect();
    let mut ids = Ids {
        order: Vec::new(),
        by_name: BTreeMap::new(),
    };
    for name in &names {
        let id = known(name).unwrap_or_else(|| fresh(&mut used));
        if ids.order.contains(&id)
            || name
                .as_ref()
                .is_some_and(|(_, n)| ids.by_name.contains_key(n))
        {
            let fault =
                |(field, _): &(Field<'_>, String)| field.fault("an id that no other subgoal has");
            // A fresh id is never taken, so the clash has a name.
            return Err(name.as_ref().map_or_else(
                || PlanFault {
                    path: "subgoals".to_owned(),
                    because: "ids clash".to_owned(),
                },
                fault,
            ));
        }
        ids.order.push(id);
        if let Some((_, name)) = name {
            ids.by_name.insert(name.clone(), id);
        }
    }
    Ok(ids)
}

fn fresh(used: &mut BTreeSet<SubgoalId>) -> SubgoalId {
    let mut id = SubgoalId(1);
    while used.contains(&id) {
        id = id.next();
    }
    used.insert(id);
    id
}
