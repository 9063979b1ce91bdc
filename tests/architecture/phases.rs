//! The agent's loop: phases do not call each other; only `decide` calls them.

use super::imports::imports_of;
use super::sources::{Source, sources};

#[test]
fn only_decide_calls_phases() {
    let faults: Vec<String> = sources()
        .iter()
        .filter(|file| !file.path.ends_with("agent/decide.rs"))
        .flat_map(phases_named)
        .collect();
    super::report(&faults);
}

#[test]
fn a_phase_that_calls_another_is_found() {
    let file = Source {
        path: "src/core/agent/phases/select.rs".into(),
        text: "use crate::agent::phases::execute;\nuse super::planning::ask;\n".to_owned(),
    };
    assert_eq!(phases_named(&file).len(), 2);
}

fn phases_named(file: &Source) -> Vec<String> {
    let own = file.module();
    imports_of(file)
        .into_iter()
        .filter(|import| import.member == "core" && import.names.starts_with(&phases()))
        .filter(|import| !import.names.starts_with(&own))
        .map(|import| {
            format!(
                "{} uses {}; state events and let `advance` call the phase, or move the shared step to agent/transitions",
                file.path.display(),
                import.names.join("::")
            )
        })
        .collect()
}

fn phases() -> [String; 2] {
    ["agent".to_owned(), "phases".to_owned()]
}
