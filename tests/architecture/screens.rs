//! Screens of the console do not know each other.
//!
//! What several of them need is a widget, an overlay or part of the view.

use super::imports::imports_of;
use super::sources::{Source, sources};

#[test]
fn screens_do_not_import_each_other() {
    let faults: Vec<String> = sources().iter().flat_map(screen_faults).collect();
    super::report(&faults);
}

fn screen_faults(source: &Source) -> Vec<String> {
    let Some(own) = screen_of(&source.module()).filter(|_| source.member() == "console") else {
        return Vec::new();
    };
    if source.is_test() {
        return Vec::new();
    }
    let imports = imports_of(source).into_iter();
    let others = imports.filter_map(|import| {
        let other = screen_of(&import.names).filter(|_| import.member == "console")?;
        (other != own).then(|| {
            format!(
                "{}: the screen `{own}` uses the screen `{other}`; move what both need down",
                source.path.display()
            )
        })
    });
    others.collect()
}

/// The screen that a module belongs to: `screens::live::panes` → `live`.
fn screen_of(names: &[String]) -> Option<String> {
    match names {
        [first, screen, ..] if first == "screens" => Some(screen.clone()),
        _ => None,
    }
}

#[test]
fn a_screen_that_uses_another_is_found() {
    let source = |text: &str| Source {
        path: "src/console/screens/debug/draw.rs".into(),
        text: text.to_owned(),
    };
    let own = source("use crate::screens::debug::place;\nuse crate::widgets::pane;\n");
    assert!(screen_faults(&own).is_empty());
    assert_eq!(
        screen_faults(&source("use crate::screens::live::layout;\n")).len(),
        1
    );
}
