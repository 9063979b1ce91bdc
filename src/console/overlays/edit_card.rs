//! What an edit would change: two bars below a guardrail that is being edited, and the attempts that make the
//! difference.

use crate::overlays::card::bar;
use crate::screens::knowledge::state::{Studies, Study, StudyKind};
use crate::screens::knowledge::study_result::{EditFound, Side, StudyResult};
use crate::theme::Role;
use crate::widgets::editor::Editor;
use crate::widgets::rich::Rich;
use pithead_core::text::numbers::format_count;

/// The lines; none while nothing but what is saved stands in the editor.
#[must_use]
pub(crate) fn edit_card(editor: &Editor, studies: &Studies, width: usize) -> Vec<Rich> {
    let Some(edited) = editor.edited_guardrail() else {
        return Vec::new();
    };
    let study = studies.get(&(edited.id, StudyKind::Edit));
    let faint = |text: &str| vec![Rich::text(Role::Faint, text).cut(width)];
    match study {
        Some(Study::Over {
            found: Ok(StudyResult::Change(found)),
            ..
        }) if found.edited_body == edited.body => lines(found, width),
        Some(Study::Over {
            found: Err(because),
            ..
        }) => faint(&format!("not held against the record: {because}")),
        _ => faint("holding the edit against all recorded attempts …"),
    }
}

fn lines(found: &EditFound, width: usize) -> Vec<Rich> {
    let mut out = vec![Rich::text(Role::Title, "What the edit would change")];
    let names = [("failures", Role::Good), ("successes", Role::Bad)];
    for (((name, role), edited), saved) in names.into_iter().zip(found.edited).zip(found.saved) {
        let after = format!("(as saved {})", format_count(saved.blocked));
        let said: (Side, &str, &str) = (edited, "would be blocked:", &after);
        bar(&mut out, name, role, said, width);
    }
    if found.blocked_now + found.blocked_no_more == 0 {
        out.push(Rich::text(Role::Text, "No attempt would be judged otherwise.").cut(width));
        return out;
    }
    for (is_now, attempt) in &found.examples {
        let (role, sign) = if *is_now {
            (Role::Notice, "+")
        } else {
            (Role::Faint, "-")
        };
        let what = attempt.label.unwrap_or("done");
        let words = format!(
            "{sign} {} {} {what}: {}",
            attempt.id, attempt.step, attempt.happened
        );
        out.push(Rich::text(role, words).cut(width));
    }
    let more = format!(
        "+ {} blocked now, - {} no more",
        format_count(found.blocked_now as u64),
        format_count(found.blocked_no_more as u64)
    );
    out.push(Rich::text(Role::Strong, more).cut(width));
    out
}
