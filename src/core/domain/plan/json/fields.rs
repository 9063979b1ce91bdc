//! Typed access to the fields of untrusted JSON; every fault carries its path.

use super::{PlanFault, note};
use crate::domain::plan::item_words;
use crate::domain::plan::note::Note;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Longer texts are refused: they would be shown, hashed and sent to language models.
const LINE_MAX: usize = 2_000;
/// Texts in one list.
const TEXTS_MAX: usize = 64;

/// An object, its path, and which of its fields have been asked for.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub path: String,
    fields: &'a Map<String, Value>,
    known: Vec<&'static str>,
    /// Every field was read at once.
    /// Then no field of it is unknown.
    is_stored_form: bool,
}

/// A value and its path.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    pub path: String,
    pub value: &'a Value,
}

impl Field<'_> {
    /// The value is not what was expected.
    pub(super) fn fault(&self, expected: &str) -> PlanFault {
        let because = format!("expected {expected}, found {}", shown(self.value));
        PlanFault {
            path: self.path.clone(),
            because,
        }
    }
}

/// The value as it is quoted in faults.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        // Quoted whole, it would hide the fault itself.
        Value::String(text) if text.chars().count() > 40 => "a long text".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

impl<'a> Object<'a> {
    pub(super) fn new(path: &str, value: &'a Value) -> Result<Self, PlanFault> {
        let path = path.to_owned();
        match value {
            Value::Object(fields) => Ok(Self {
                path,
                fields,
                known: Vec::new(),
                is_stored_form: false,
            }),
            _ => {
                let path = if path.is_empty() {
                    // The root has no path, but the message needs a name.
                    "plan".to_owned()
                } else {
                    path
                };
                Err(Field { path, value }.fault("an object"))
            }
        }
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// The field, unless it is missing or null.
    pub(super) fn get(&mut self, name: &'static str) -> Option<Field<'a>> {
        // Noted also if the field is missing, so that every spelling counts as known.
        self.known.push(name);
        let value = self.fields.get(name).filter(|value| !value.is_null())?;
        Some(Field {
            path: self.path_of(name),
            value,
        })
    }

    /// The first of several spellings that is there.
    pub(super) fn first(&mut self, names: &[&'static str]) -> Option<Field<'a>> {
        // All are asked for, not only up to the first that fits: an unused spelling is
        // known nonetheless.
        let found: Vec<Field<'a>> = names.iter().filter_map(|name| self.get(name)).collect();
        found.into_iter().next()
    }

    /// The whole object as `T` is stored, with its tag set; none if it is no such object.
    pub(super) fn stored_form<T: DeserializeOwned>(&mut self, tag: &str, kind: &str) -> Option<T> {
        let mut fields = self.fields.clone();
        fields.remove("type"); // how other systems call the tag
        fields.insert(tag.to_owned(), Value::String(kind.to_owned()));
        let read = serde_json::from_value(Value::Object(fields)).ok();
        self.is_stored_form = read.is_some();
        read
    }

    pub(super) fn missing(&self, name: &str, expected: &str) -> PlanFault {
        PlanFault {
            path: self.path_of(name),
            because: format!("expected {expected}, found nothing"),
        }
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, PlanFault> {
        self.get(name).map(|field| text(&field)).transpose()
    }

    /// A list of objects.
    pub(super) fn array(
        &mut self,
        name: &'static str,
        min: usize,
        max: usize,
    ) -> Result<Vec<Field<'a>>, PlanFault> {
        let Some(field) = self.get(name) else {
            return if min == 0 {
                Ok(Vec::new())
            } else {
                Err(self.missing(name, "a list"))
            };
        };
        let Value::Array(rows) = field.value else {
            return Err(field.fault("a list"));
        };
        if rows.len() < min || rows.len() > max {
            let because = format!("expected {min} to {max} entries, found {}", rows.len());
            return Err(PlanFault {
                path: field.path,
                because,
            });
        }
        let row = |(at, value)| Field {
            path: format!("{}[{at}]", field.path),
            value,
        };
        Ok(rows.iter().enumerate().map(row).collect())
    }

    pub(super) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, PlanFault> {
        self.array(name, 0, TEXTS_MAX)?.iter().map(text).collect()
    }

    /// Notes on fields that nobody asked for.
    pub(super) fn report_unknown(&self, subgoal: Option<SubgoalId>, notes: &mut Vec<Note>) {
        let is_unknown =
            |name: &&String| !self.is_stored_form && !self.known.contains(&name.as_str());
        for name in self.fields.keys().filter(is_unknown) {
            let path = self.path_of(name);
            let text = format!("{path} is not a field of PlanJSON; it is not used.");
            notes.push(note(subgoal, &path, text));
        }
    }
}

pub(super) fn text(field: &Field<'_>) -> Result<String, PlanFault> {
    match field.value {
        Value::String(text) if text.len() > LINE_MAX => {
            // Not cut: half a sentence could mean something else.
            Err(field.fault(&format!("a text of at most {LINE_MAX} bytes")))
        }
        Value::String(text) => Ok(text.clone()),
        _ => Err(field.fault("a text")),
    }
}

/// A whole number within the bounds.
pub(super) fn whole(field: &Field<'_>, min: i64, max: i64) -> Result<i64, PlanFault> {
    let number = match field.value {
        Value::Number(number) => number.as_i64().or_else(|| whole_float(number.as_f64()?)),
        _ => None,
    };
    let number = number.ok_or_else(|| field.fault("a whole number"))?;
    if (min..=max).contains(&number) {
        Ok(number)
    } else {
        Err(field.fault(&format!("a whole number from {min} to {max}")))
    }
}

/// Some models write `3.0` for 3.
fn whole_float(number: f64) -> Option<i64> {
    // Well below where floats begin to skip whole numbers.
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

pub(super) fn count(field: &Field<'_>) -> Result<u32, PlanFault> {
    whole(field, 0, i64::from(u32::MAX)).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

pub(super) fn item(field: &Field<'_>) -> Result<ItemSpec, PlanFault> {
    let Value::String(name) = field.value else {
        return Err(field.fault("the name of an item"));
    };
    item_words::named(name).map_err(|unknown| PlanFault {
        path: field.path.clone(),
        because: unknown.to_string(),
    })
}
