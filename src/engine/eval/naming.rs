//! Names of evaluations in lists: what was played, and every setting that is not the usual one.

use super::base::BaseLabel;
use super::plan::EvalPlan;
use super::registry::{EvalKind, RegistryEntry};
use pithead_core::text::numbers::count_with_noun;

/// What is compared: systems, or one system's strategies.
pub(super) fn arm_names(entry: &RegistryEntry) -> String {
    let systems = entry.systems.join(",");
    let strategies: Vec<&str> = entry.strategies.iter().map(|one| one.name()).collect();
    match strategies[..] {
        [] => systems,
        _ => format!("{systems}: {}", strategies.join(",")),
    }
}

/// `mcu70/iron/* · shared knowledge · seeds 1..20 · 16 tasks`: what is not as usual comes before what most have
/// in common, because lists cut names at their end.
pub(super) fn evaluation_name(entry: &RegistryEntry, plan: &EvalPlan) -> String {
    let suite = entry.suite.name();
    let mut name = match &entry.tasks {
        // Most patterns name their suite.
        Some(pattern) if pattern.starts_with(suite) => pattern.clone(),
        Some(pattern) => format!("{suite} {pattern}"),
        None => suite.to_owned(),
    };
    match (entry.kind, entry.learn) {
        (EvalKind::Curve, _) => {
            let passes = count_with_noun(entry.passes, "pass", "passes");
            name += &format!(" · curve, {passes}");
        }
        (EvalKind::Suite, true) => name += " · shared knowledge",
        (EvalKind::Suite, false) => (),
    }
    if let Some(held_out) = entry.held_out {
        name += &format!(", {held_out}");
    }
    if let Some(BaseLabel { file, kinds, .. }) = &entry.base {
        name += &format!(" · begins with {file}, {kinds}");
    }
    if entry.frozen {
        name += " · frozen";
    }
    if entry.own_worlds {
        name += " · own worlds";
    }
    // As they are typed; what is usual is not named.
    if !entry.senses.is_scout() {
        name += &format!(" · {} senses", entry.senses.name());
    }
    if !entry.reports.is_typed() {
        name += &format!(" · {} reports", entry.reports.name());
    }
    if !entry.powers.are_players() {
        name += &format!(" · {}", entry.powers);
    }
    let tasks = count_with_noun(plan.tasks.len(), "task", "tasks");
    format!("{name} · seeds {} · {tasks}", plan.seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_was_not_as_usual() {
        let usual = r#"{"schema":1,"kind":"suite","folder":"/a","cwd":"/","command":[],"suite":"mcu70",
            "tasks":"mcu70/wooden/0[12]","seeds":"1..2","mind":"builtin:expert","systems":["steve-evolving"],
            "controller":"scripted","learn":false,"passes":1,"began":1,"found":0}"#;
        let mut entry: RegistryEntry = serde_json::from_str(usual).unwrap();
        let name = |entry: &RegistryEntry| evaluation_name(entry, &entry.plan().unwrap());
        let plain = name(&entry);
        assert_eq!(plain, "mcu70/wooden/0[12] · seeds 1..2 · 2 tasks");
        entry.own_worlds = true;
        entry.senses = "player".parse().unwrap();
        entry.reports = "none".parse().unwrap();
        entry.powers.break_speed = "100".parse().unwrap();
        let all = "mcu70/wooden/0[12] · own worlds · player senses · none reports · \
                   break speed 100, strength 1 · seeds 1..2 · 2 tasks";
        assert_eq!(name(&entry), all);
        entry.tasks = Some("mcu70/wooden/01".parse().unwrap());
        assert!(name(&entry).ends_with(" · 1 task"), "{}", name(&entry));
        entry.kind = EvalKind::Curve;
        assert!(
            name(&entry).contains(" · curve, 1 pass ·"),
            "{}",
            name(&entry)
        );
    }
}
