//! Prompts: templates of prompts/<system>/<role>.md filled with the slots of a question.
//!
//! Strict: a slot that is not there is an error. Whatever a slot prints is written as JSON without
//! opening brackets, line ends or control characters, so data can neither close its block nor look like
//! text of ours. Invariant: the same question gives the same prompt.

use super::slots::{self, PromptContext, Slot};
use minijinja::value::{Value as Jinja, ValueKind};
use minijinja::{Environment, Output, State, UndefinedBehavior};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::text::clean::{clean_line, is_hidden};
use pithead_core::text::untrusted_file::{TEXT_BYTES_MAX, read_text};
use serde_json::Value;
use std::path::Path;

/// The system whose prompts serve every system that has none of its own.
const COMMON_SYSTEM: &str = "steve-evolving";
/// Letters of a template file.
const TEMPLATE_MAX: u64 = 256 * 1024;
const SYSTEM_MARK: &str = "=== system ===";
const USER_MARK: &str = "=== user ===";

macro_rules! embedded {
    ($($path:literal),+ $(,)?) => {
        [$(($path, include_str!(concat!("../../../../prompts/", $path)))),+]
    };
}

/// The files of the program.
const FILES: [(&str, &str); 22] = embedded![
    "common/data.md",
    "common/json.md",
    "common/plan.md",
    "common/world.md",
    "steve-evolving/planner.md",
    "steve-evolving/recall.md",
    "steve-evolving/diagnosis.md",
    "steve-evolving/goal.md",
    "steve-evolving/skill.md",
    "steve-evolving/guardrail.md",
    "steve-evolving/reference_plan.md",
    "steve-evolving/decomposer.md",
    "steve-evolving/explainer.md",
    "steve-evolving/rule_generator.md",
    "steve-evolving/judge.md",
    "steve-evolving/rule_scorer.md",
    "steve-evolving/reflector.md",
    "steve-evolving/summariser.md",
    "metagent-p/reflector.md",
    "inner-monologue/planner.md",
    "progprompt/planner.md",
    "code-as-policies/planner.md",
];

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub role: MindRole,
    pub system: String,
    pub user: String,
    /// A PNG in base 64.
    pub picture: Option<String>,
    /// An estimate, rather too high than too low.
    pub tokens: u64,
}

/// Tokens of a picture of 128 × 128, as the dearest of the common models counts them.
const PICTURE_TOKENS: u64 = 800;

impl Prompt {
    /// The same with a picture of what the body sees.
    #[must_use]
    pub fn with_picture(self, picture: Option<&[u8]>) -> Self {
        use base64::Engine;
        let Some(png) = picture else { return self };
        let picture = base64::engine::general_purpose::STANDARD.encode(png);
        Self {
            picture: Some(picture),
            tokens: self.tokens + PICTURE_TOKENS,
            ..self
        }
    }
}

/// Why there is no prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error("the prompt {name} cannot be filled: {because}")]
    Unfilled { name: String, because: String },
    #[error("the prompt {name} needs the lines `{SYSTEM_MARK}` and `{USER_MARK}`, in this order")]
    Marks { name: String },
}

/// The templates of one system.
#[derive(Debug)]
pub struct Prompts {
    system: String,
    templates: Environment<'static>,
}

impl Prompts {
    /// The system's prompts; files of the folder go before those of the program.
    pub fn for_system(system: &str, folder: Option<&Path>) -> Result<Self, String> {
        // A recorded config names its system, and that must not lead out of the folder.
        if !system
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
        {
            return Err(format!(
                "`{}` is not the name of a system",
                clean_line(system)
            ));
        }
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.set_formatter(write_as_data);
        let mut add = |name: String, text: String| {
            let fault = |error| format!("the prompt {name} cannot be read: {error}");
            templates
                .add_template_owned(name.clone(), text)
                .map_err(fault)
        };
        for (path, text) in FILES {
            add(path.to_owned(), text.to_owned())?;
        }
        for (name, text) in folder.map_or(Ok(Vec::new()), |folder| of_folder(folder, system))? {
            add(name, text)?;
        }
        Ok(Self {
            system: system.to_owned(),
            templates,
        })
    }

    /// The prompt that a question becomes.
    pub fn of_ask(&self, ask: &Ask) -> Result<Prompt, PromptError> {
        self.render(ask.role(), &slots::of_ask(ask))
    }

    /// The prompt of a role that has not been asked, as far as it can be made up from where a run stands.
    pub fn of_scene(&self, role: MindRole, scene: &PromptContext) -> Result<Prompt, PromptError> {
        self.render(role, &super::study_slots::of_scene(scene))
    }

    fn render(&self, role: MindRole, slots: &[Slot]) -> Result<Prompt, PromptError> {
        let own = format!("{}/{role}.md", self.system);
        let name = match self.templates.get_template(&own) {
            Ok(_) => own,
            Err(_) => format!("{COMMON_SYSTEM}/{role}.md"),
        };
        let unfilled = |error: minijinja::Error| PromptError::Unfilled {
            name: name.clone(),
            because: chain(&error),
        };
        let template = self.templates.get_template(&name).map_err(unfilled)?;
        let mut context: std::collections::BTreeMap<&str, Jinja> = slots
            .iter()
            .map(|(slot, value)| (*slot, Jinja::from_safe_string(written(value))))
            .collect();
        context.insert("reasons", Jinja::from_safe_string(slots::reasons()));
        // Strictness at run time would not see a slot in a branch not taken.
        let mut unknown: Vec<String> = template
            .undeclared_variables(false)
            .into_iter()
            .filter(|named| !context.contains_key(named.as_str()))
            .collect();
        unknown.sort();
        if !unknown.is_empty() {
            return Err(PromptError::Unfilled {
                name,
                because: format!("there is no slot {} for this role", unknown.join(", ")),
            });
        }
        let text = template.render(&context).map_err(unfilled)?;
        let parts = text.split_once(USER_MARK).and_then(|(head, user)| {
            let (_, system) = head.split_once(SYSTEM_MARK)?;
            Some((system.trim().to_owned(), tidy(user)))
        });
        let (system, user) = parts.ok_or(PromptError::Marks { name })?;
        let tokens = tokens(&system) + tokens(&user);
        Ok(Prompt {
            role,
            system,
            user,
            picture: None,
            tokens,
        })
    }
}

/// Without the blank lines that parts left out leave behind.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    let mut blank = false;
    for line in text.trim().lines() {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) {
            out.push('\n');
        }
        out += line;
        out.push('\n');
    }
    out.trim_end().to_owned()
}

/// An estimate for texts in Latin letters, three and a half to a token; other letters count whole.
#[must_use]
pub fn tokens(text: &str) -> u64 {
    let (mut latin, mut other) = (0_u64, 0_u64);
    for c in text.chars() {
        if c.is_ascii() {
            latin += 1;
        } else {
            other += 1;
        }
    }
    (latin * 2).div_ceil(7) + other + 4
}

fn chain(error: &minijinja::Error) -> String {
    let first: &dyn std::error::Error = error;
    let all = std::iter::successors(Some(first), |error| error.source());
    all.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A slot as it stands in the prompt; empty if there is nothing in it, for `{% if slot %}`.
fn written(value: &Value) -> String {
    let is_empty = match value {
        Value::Null => true,
        Value::Array(rows) => rows.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    if is_empty {
        String::new()
    } else {
        as_data(value)
    }
}

/// Prints slots, which are data by now; whatever else a template comes to print becomes data here.
fn write_as_data(
    out: &mut Output<'_>,
    _state: &mut State<'_, '_>,
    value: &Jinja,
) -> Result<(), minijinja::Error> {
    if value.is_undefined() {
        return Err(minijinja::ErrorKind::UndefinedError.into());
    }
    let text = value.to_string();
    let text = if value.is_safe() && value.kind() == ValueKind::String {
        text
    } else {
        as_data(&Value::from(text))
    };
    out.write_str(&text).map_err(minijinja::Error::from)
}

/// JSON without `<`, and so without tags, and without letters that end lines, steer terminals, turn the
/// direction of text or are not seen at all: each is written as an escape.
#[must_use]
pub fn as_data(value: &Value) -> String {
    let json = value.to_string();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        // A space that does not break looks like one that does, and reads as another token.
        let looks_alike = c == '\u{a0}';
        if c == '<' || c.is_control() || is_hidden(c) || looks_alike {
            let mut pair = [0; 2];
            for unit in c.encode_utf16(&mut pair) {
                out += &format!("\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The templates of the folder for this system and the one common to all.
fn of_folder(folder: &Path, system: &str) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for part in ["common", COMMON_SYSTEM, system] {
        let names = MindRole::ALL.map(|role| format!("{role}.md"));
        let shared = ["data", "json", "plan", "world"].map(|name| format!("{name}.md"));
        for name in names.iter().chain(&shared) {
            let path = folder.join(part).join(name);
            let Ok(facts) = std::fs::metadata(&path) else {
                continue;
            };
            let fault = |because: String| {
                format!("the prompt {} cannot be read: {because}", path.display())
            };
            if facts.len() > TEMPLATE_MAX {
                return Err(fault(format!("it has more than {TEMPLATE_MAX} bytes")));
            }
            let text =
                read_text(&path, TEXT_BYTES_MAX).map_err(|error| fault(error.to_string()))?;
            found.push((format!("{part}/{name}"), text));
        }
    }
    if found.is_empty() && !folder.is_dir() {
        return Err(format!(
            "the folder of prompts {} is not there",
            folder.display()
        ));
    }
    Ok(found)
}
