//! Building tasks: words that ask for a building by a blueprint, such as `build a shelter`.
//!
//! Invariant: what names an item is a task to get it, whatever the verb.

use super::item_words;
use super::task::{FILLERS, Task, TaskError, plain};
use crate::domain::check::Check;
use pithead_world::blueprint::{Blueprint, BlueprintName};

/// Seconds for one try: a hut takes a practised body a minute or two, and the search for a site as long again.
pub const BUILD_TIMEOUT_S: u32 = 300;
/// Verbs of putting something up.
const VERBS: [&str; 4] = ["build", "construct", "erect", "raise"];

/// The task of the words; none if they ask for no building. `own` are the operator's blueprints.
pub fn parse(text: &str, own: &[Blueprint]) -> Result<Option<Task>, TaskError> {
    let Some(name) = named_building(text) else {
        return Ok(None);
    };
    let known = name
        .parse()
        .ok()
        .and_then(|name| Blueprint::named(&name, own));
    match known {
        Some(blueprint) => Ok(Some(to_build(text.trim(), blueprint))),
        // `build a furnace` asks for a furnace.
        None if item_words::named(&name.replace('_', " ")).is_ok() => Ok(None),
        None => Err(Blueprint::unknown(&name, own).into()),
    }
}

/// What is to be built, as a name; none if the words do not begin with such a verb.
#[must_use]
pub fn named_building(text: &str) -> Option<String> {
    let lower = plain(text);
    let mut words = lower
        .split_whitespace()
        .skip_while(|word| FILLERS.contains(word));
    let verb = words.next()?;
    let rest: Vec<&str> = words.filter(|word| !FILLERS.contains(word)).collect();
    (VERBS.contains(&verb) && !rest.is_empty()).then(|| rest.join("_"))
}

/// The task to build it; what it takes most of stands for it where an item is asked for.
#[must_use]
pub fn to_build(text: &str, blueprint: &Blueprint) -> Task {
    let material = blueprint.material();
    let most = material.iter().max_by_key(|(_, count)| *count);
    let (item, count) = *most.expect("a blueprint has a block");
    let is_own = !Blueprint::embedded().contains(blueprint);
    Task {
        text: text.to_owned(),
        success: vec![Check::Built {
            blueprint: blueprint.name.clone(),
        }],
        blueprints: is_own.then(|| blueprint.clone()).into_iter().collect(),
        ..Task::to_have(item, count)
    }
}

/// The names of the blueprints that the checks of a task ask for.
pub fn built_by(task: &Task) -> impl Iterator<Item = &BlueprintName> {
    task.success.iter().filter_map(|check| match check {
        Check::Built { blueprint } => Some(blueprint),
        _ => None, // no other check names one
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_ask_for_a_building_or_for_an_item() {
        for (words, name) in [
            ("build a shelter", "shelter"),
            ("Build an iron golem.", "iron_golem"),
            ("please construct me the portal frame", "portal_frame"),
        ] {
            let task = Task::parse(words).unwrap();
            let blueprint = name.parse().unwrap();
            assert_eq!(task.success, [Check::Built { blueprint }], "{words}");
            assert!(task.blueprints.is_empty(), "known by its name");
        }
        let task = Task::parse("build a furnace").unwrap();
        assert_eq!(task.goal.to_string(), "furnace");
        let fault = Task::parse("build a sheltr").unwrap_err().to_string();
        assert!(fault.contains("did you mean shelter?"), "{fault}");
    }

    #[test]
    fn an_own_blueprint_travels_with_its_task() {
        let text =
            "name = \"wall\"\nabout = \"a wall\"\nlayers = [[\"AA\"]]\n[legend]\nA = \"dirt\"\n";
        let wall = pithead_world::blueprint::read::parse_blueprint(text).unwrap();
        let task = parse("build a wall", std::slice::from_ref(&wall))
            .unwrap()
            .unwrap();
        assert_eq!((task.goal.to_string().as_str(), task.count), ("dirt", 2));
        assert_eq!(task.blueprint(&wall.name), Some(&wall));
        let stored = serde_json::to_string(&task).unwrap();
        assert_eq!(serde_json::from_str::<Task>(&stored).unwrap(), task);
    }
}
