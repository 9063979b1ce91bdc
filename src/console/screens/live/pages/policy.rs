//! The policy file of a run, as it was recorded with its beginning: what each rule is about and does.

use crate::theme::Role;
use crate::view::View;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::run::rulebook::{Harmful, PolicyRuling};
use pithead_core::text::clean::{clean_line, pad_columns};

#[must_use]
pub fn policy_lines(view: &View, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    let Some(head) = &view.head else {
        return out;
    };
    let rulebook = &head.config.rulebook;
    if rulebook.is_empty() {
        let text = "This run was started without a policy file: the gates alone decide who is asked. \
                    `--policy FILE` gives a run one, `pithead policy check FILE --run RUN` shows what it would have done.";
        paragraph(&mut out, Rich::new(), Role::Faint, text, width);
        return out;
    }
    let text = "The first rule that fits decides, before the gates.";
    paragraph(&mut out, Rich::new(), Role::Faint, text, width);
    out.push(Rich::new());
    for (n, rule) in (1..).zip(&rulebook.rules) {
        let lead = lead(&format!("{n:>3}"), rule.then);
        paragraph(
            &mut out,
            lead,
            Role::Text,
            &clean_line(&rule.to_string()),
            width,
        );
    }
    let unclear = lead("  ?", rulebook.unclear.into());
    let text = "where it is unclear whether a rule matches";
    paragraph(&mut out, unclear, Role::Faint, text, width);
    if rulebook.harmful == Harmful::Retire {
        let text = "Entries measured to harm are retired before a run.";
        paragraph(&mut out, Rich::new(), Role::Faint, text, width);
    }
    out
}

fn lead(n: &str, then: PolicyRuling) -> Rich {
    let role = match then {
        PolicyRuling::Approve => Role::Good,
        PolicyRuling::Ask(_) => Role::Notice,
        PolicyRuling::Veto => Role::Bad,
    };
    let then = pad_columns(&format!("{then} "), 15);
    Rich::text(Role::Faint, format!("{n}  ")).and(role, then)
}
