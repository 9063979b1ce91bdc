//! Policy files: TOML, one `[[rule]]` after the other; a fault names line, rule and field.
//!
//! Stricter than the stored form: a pattern that no step could fit is taken for a slip of the pen.

use super::{
    Harmful, PolicyRule, PolicyRuling, RULES_MAX, RuleForm, Rulebook, goes_to_height, words,
};
use crate::domain::plan::Executor;
use crate::text::nearest::nearest_names;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::item::ItemId;
use serde::Deserialize;
use toml::Spanned;

/// Why a text is no policy file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPolicy {
    /// The reader of TOML names line and column itself.
    #[error("{0}")]
    Toml(String),
    #[error("line {line}, {place}: {because}")]
    At {
        line: usize,
        place: String,
        because: String,
    },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    unclear: Option<Spanned<String>>,
    harmful: Option<Harmful>,
    rule: Vec<Spanned<RuleForm>>,
}

/// Reads a policy file.
pub fn parse_rulebook(text: &str) -> Result<Rulebook, BadPolicy> {
    let file: File =
        toml::from_str(text).map_err(|e| BadPolicy::Toml(e.to_string().trim_end().to_owned()))?;
    let fault = |at: usize, place: String, because: String| BadPolicy::At {
        line: line(text, at),
        place,
        because,
    };
    if file.rule.is_empty() && file.harmful.is_none() {
        let because = "there is no [[rule]] in the file".to_owned();
        return Err(fault(0, "rules".to_owned(), because));
    }
    if file.rule.len() > RULES_MAX {
        let because = format!("{} rules are more than {RULES_MAX}", file.rule.len());
        return Err(fault(0, "rules".to_owned(), because));
    }
    let unclear = match file.unclear {
        None => super::Unclear::default(),
        Some(given) => {
            let read = given.get_ref().parse::<PolicyRuling>();
            let read = read.and_then(super::Unclear::try_from);
            read.map_err(|because| fault(given.span().start, "unclear".to_owned(), because))?
        }
    };
    let mut rules = Vec::new();
    for (n, form) in (1..).zip(file.rule) {
        let start = form.span().start;
        let form = form.into_inner();
        let at = |field: &str| start + of_field(&text[start..], field);
        let place = |field: &str| format!("rule {n}, field {field}");
        if let Some((pattern, close)) = misspelt(&form) {
            let close = match close {
                Some(close) => format!("; did you mean `{close}`?"),
                None => String::new(),
            };
            let because = format!(
                "`{pattern}` fits no step; steps read `mine iron_ore`, `craft stick`, `dig_down`{close}"
            );
            return Err(fault(at("action"), place("action"), because));
        }
        let rule = PolicyRule::try_from(form);
        rules.push(rule.map_err(|f| fault(at(f.field), place(f.field), f.because))?);
    }
    Ok(Rulebook {
        unclear,
        harmful: file.harmful.unwrap_or_default(),
        rules,
    })
}

/// From 1.
fn line(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

/// Where the rule that the text begins with has the field; its beginning if it does not.
fn of_field(text: &str, field: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && line.trim_start().starts_with('[') {
            break; // the next rule
        }
        let rest = line.trim_start().strip_prefix(field);
        if rest.is_some_and(|rest| rest.trim_start().starts_with('=')) {
            return at;
        }
        at += line.len();
    }
    0
}

/// The first pattern that no step fits, and what is nearest to it.
fn misspelt(form: &RuleForm) -> Option<(String, Option<String>)> {
    let fitting = |pattern: &&String| match pattern.parse() {
        Ok(glob) => !possible().any(|words| super::Glob::fits(&glob, &words)),
        Err(_) => false, // told as a pattern that does not read
    };
    let pattern = form.action.iter().find(fitting)?;
    let (verb, object) = pattern.split_once(' ').unwrap_or((pattern, ""));
    let verbs = Executor::ALL.map(Executor::name);
    let close = if verbs.contains(&verb) {
        let items = nearest_names(object, ItemId::all().map(ItemId::name));
        items.first().map(|item| format!("{verb} {item}"))
    } else {
        let close = nearest_names(verb, verbs.into_iter());
        close
            .first()
            .map(|verb| format!("{verb} {object}").trim_end().to_owned())
    };
    Some((pattern.clone(), close))
}

/// The words of every step that there could be.
fn possible() -> impl Iterator<Item = String> {
    Executor::ALL.into_iter().flat_map(|verb| {
        let items = ItemId::all().map(ItemSpec::from);
        let families = FamilyId::all().map(ItemSpec::from);
        let objects = items.chain(families).filter(move |_| !goes_to_height(verb));
        let named = objects.map(move |object| words(verb, object));
        std::iter::once(verb.name().to_owned()).chain(named)
    })
}
