//! The written form of a rule: fields of text, as a policy file and a run's first event have them.
//!
//! Invariant: reading what was written gives the same rule; a fault names its field.

use super::{ActionRule, EntryRule, PolicyRule, RuleSubject};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::plan::TaskKind;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A rule as it is written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub action: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub kind: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub entry: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub title: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub failure: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    pub then: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// What is wrong with a rule, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {because}")]
pub struct RuleFault {
    pub field: &'static str,
    pub because: String,
}

/// Longest name or reason; both are shown on one line.
const WORDS_MAX: usize = 300;

impl TryFrom<RuleForm> for PolicyRule {
    type Error = RuleFault;

    fn try_from(form: RuleForm) -> Result<Self, RuleFault> {
        let fault = |field| move |because: String| RuleFault { field, because };
        for (field, words) in [("name", &form.name), ("because", &form.because)] {
            if words.as_ref().is_some_and(|words| words.len() > WORDS_MAX) {
                return Err(fault(field)(format!("give at most {WORDS_MAX} bytes")));
            }
        }
        let then = match form.then.as_str() {
            "" => {
                return Err(fault("then")(
                    "say what follows: approve, ask or veto".to_owned(),
                ));
            }
            given => given.parse().map_err(fault("then"))?,
        };
        Ok(Self {
            on: subject_of_form(&form)?,
            then,
            name: form.name,
            because: form.because,
        })
    }
}

fn subject_of_form(form: &RuleForm) -> Result<RuleSubject, RuleFault> {
    let fault = |field, because: &str| RuleFault {
        field,
        because: because.to_owned(),
    };
    let of_actions = [
        ("action", !form.action.is_empty()),
        ("kind", !form.kind.is_empty()),
        ("count", form.count.is_some()),
        ("y", form.y.is_some()),
        ("when", form.when.is_some()),
    ];
    let of_entries = [
        ("title", !form.title.is_empty()),
        ("failure", !form.failure.is_empty()),
        ("confidence", form.confidence.is_some()),
    ];
    let given = |fields: &[(&'static str, bool)]| fields.iter().find(|f| f.1).map(|f| f.0);
    if form.entry.is_empty() {
        if let Some(field) = given(&of_entries) {
            return Err(fault(
                field,
                "it is about entries; say which with entry = \"*\"",
            ));
        }
        if given(&of_actions).is_none() {
            let because = "name a step (action = \"mine *_ore\"; \"*\" is any) or an entry (entry = \"guardrail\")";
            return Err(fault("action", because));
        }
        return Ok(RuleSubject::Action(action_rule(form)?));
    }
    match given(&of_actions) {
        Some(field) => Err(fault(
            field,
            "it is about steps, and the rule has entry; make it two rules",
        )),
        None => Ok(RuleSubject::Entry(entry_rule(form)?)),
    }
}

fn action_rule(form: &RuleForm) -> Result<ActionRule, RuleFault> {
    let kinds = || TaskKind::ALL.map(TaskKind::name).join(", ");
    let kind = |text: &String| {
        let mut known = TaskKind::ALL.into_iter();
        known
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("unknown kind `{text}`; there are {}", kinds()))
    };
    Ok(ActionRule {
        action: each("action", &form.action, |text| text.parse())?,
        kind: each("kind", &form.kind, kind)?,
        count: maybe("count", form.count.as_ref())?,
        y: maybe("y", form.y.as_ref())?,
        when: maybe("when", form.when.as_ref())?,
    })
}

fn entry_rule(form: &RuleForm) -> Result<EntryRule, RuleFault> {
    let reasons = || FailureReason::ALL.map(FailureReason::name).join(", ");
    let reason = |text: &String| {
        FailureReason::named(text)
            .ok_or_else(|| format!("unknown failure reason `{text}`; there are {}", reasons()))
    };
    Ok(EntryRule {
        entry: each("entry", &form.entry, |text| text.parse())?,
        title: each("title", &form.title, |text| text.parse())?,
        failure: each("failure", &form.failure, reason)?,
        confidence: maybe("confidence", form.confidence.as_ref())?,
    })
}

fn each<T>(
    field: &'static str,
    texts: &[String],
    read: impl Fn(&String) -> Result<T, String>,
) -> Result<Vec<T>, RuleFault> {
    let read = texts.iter().map(read).collect::<Result<_, _>>();
    read.map_err(|because| RuleFault { field, because })
}

fn maybe<T>(field: &'static str, text: Option<&String>) -> Result<Option<T>, RuleFault>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let read = text.map(|text| text.parse::<T>()).transpose();
    read.map_err(|error| RuleFault {
        field,
        because: error.to_string(),
    })
}

impl From<PolicyRule> for RuleForm {
    fn from(rule: PolicyRule) -> Self {
        fn texts<T: std::fmt::Display>(values: &[T]) -> Vec<String> {
            values.iter().map(ToString::to_string).collect()
        }
        let names = |kinds: &[TaskKind]| kinds.iter().map(|k| k.name().to_owned()).collect();
        let common = Self {
            name: rule.name,
            then: rule.then.to_string(),
            because: rule.because,
            ..Self::default()
        };
        match rule.on {
            RuleSubject::Action(on) => Self {
                action: texts(&on.action),
                kind: names(&on.kind),
                count: on.count.map(|bound| bound.to_string()),
                y: on.y.map(|bound| bound.to_string()),
                when: on.when.map(|when| when.to_string()),
                ..common
            },
            RuleSubject::Entry(on) => Self {
                entry: texts(&on.entry),
                title: texts(&on.title),
                failure: on.failure.iter().map(|r| r.name().to_owned()).collect(),
                confidence: on.confidence.map(|bound| bound.to_string()),
                ..common
            },
        }
    }
}

impl std::fmt::Display for PolicyRule {
    /// `diamonds by hand: action craft diamond_*, count >= 2 (the last went into a hoe)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let form = RuleForm::from(self.clone());
        if let Some(name) = &form.name {
            write!(f, "{name}: ")?;
        }
        let lists = [
            ("action", &form.action),
            ("kind", &form.kind),
            ("entry", &form.entry),
            ("title", &form.title),
            ("failure", &form.failure),
        ];
        let lists = lists.into_iter().filter(|(_, texts)| !texts.is_empty());
        let bounds = [
            ("count", &form.count),
            ("y", &form.y),
            ("when", &form.when),
            ("confidence", &form.confidence),
        ];
        let bounds = bounds
            .into_iter()
            .filter_map(|(field, text)| Some((field, text.as_ref()?)));
        let parts: Vec<String> = lists
            .map(|(field, texts)| format!("{field} {}", texts.join(" or ")))
            .chain(bounds.map(|(field, text)| format!("{field} {text}")))
            .collect();
        f.write_str(&parts.join(", "))?;
        match &form.because {
            Some(because) => write!(f, " ({because})"),
            None => Ok(()),
        }
    }
}

/// A text, or a list of texts.
fn texts<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<String>, D::Error> {
    struct Texts;

    impl<'de> Visitor<'de> for Texts {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a text or a list of texts")
        }

        fn visit_str<E>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
            let mut texts = Vec::new();
            while let Some(text) = list.next_element()? {
                texts.push(text);
            }
            Ok(texts)
        }
    }
    d.deserialize_any(Texts)
}
